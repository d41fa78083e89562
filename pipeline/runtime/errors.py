"""Errors named for the reaction they demand, and the one place where a client's error becomes a reaction.

What aiokafka raises says little (a zombie and a transaction timeout are both ProducerFenced; an outage mostly raises nothing), so
the class of an error decides almost nothing: after any failed produce, offset or commit the producer is dropped and the task takes
over again. Only errors that no restart can mend are told apart. Source: DESIGN 4, notes on aiokafka.
"""

import traceback
from pathlib import PurePath

from pydantic import ValidationError

TELLING = frozenset({"aiokafka", "pipeline", "contracts"})
"""Whose errors say what they mean; the text of any other (a KeyError, a library's ValueError) may be a customer's words."""


def describe(error: BaseException) -> str:
    """What went wrong, without any value that a person said: for logs, events and dead letters."""
    name = type(error).__name__
    if isinstance(error, ValidationError):
        problem = error.errors(include_url=False, include_input=False, include_context=False)[0]
        return f"{name} of {error.title} at {'.'.join(str(part) for part in problem['loc'])[:200]} ({problem['type']})"
    if isinstance(error, OSError) or type(error).__module__.split(".", 1)[0] in TELLING:
        return f"{name}: {error}"
    return f"{name} at {where(error)}"


def where(error: BaseException) -> str:
    """Innermost place that raised, as module.py:line."""
    frames = traceback.extract_tb(error.__traceback__)
    return (
        f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno} ({frames[-1].name})"
        if frames
        else "an unknown place"
    )


def trail(error: BaseException, frames: int = 8) -> list[str]:
    """Return the innermost places of a traceback, outermost first: what a traceback tells, without its values."""
    return [
        f"{PurePath(frame.filename).parent.name}/{PurePath(frame.filename).name}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)[-frames:]
    ]


class TaskError(Exception):
    """Base; never raised itself."""


class Retriable(TaskError):
    """Same call again, after a pause."""


class TaskRestart(TaskError):
    """Drop the producer, take over again, with back-off."""

    def __init__(self, text: str, *, poison: bool = False) -> None:
        """`poison`: the broker refused the content itself, so repeating the same batch can't help."""
        super().__init__(text)
        self.poison = poison


class Fatal(TaskError):
    """Nothing the program can do: the number (or the process) stops and an operator decides."""
