"""What every command shares with its terminal: where it writes, how it fails, how it runs a coroutine.

Owns: the exit codes: 0 done, 1 it cannot be done (the broker is away, a stage is fatal, no answer came), 2 it was asked for wrongly
(usage, configuration), 130 interrupted. Invariants: a failure is sentences on stderr with the way out, never a traceback.
"""

import asyncio
import os
import re
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

import typer
from rich.console import Console

FAILED = 1
WRONG = 2
INTERRUPTED = 130

PIPE_COLUMNS = 140
"""Width where there is no terminal to ask: wide enough that names of topics stay whole."""

_wide = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE_COLUMNS
out = Console(highlight=False, soft_wrap=True, width=_wide)
err = Console(stderr=True, highlight=False, soft_wrap=True)

T = TypeVar("T")


class CommandError(Exception):
    """A command cannot go on; `str()` is one sentence with the way out."""

    def __init__(self, text: str, *, code: int = FAILED) -> None:
        super().__init__(text)
        self.code = code


def say(text: str) -> None:
    """Tell the person, not the program behind a pipe."""
    err.print(text, markup=False)


def fail(lines: str, code: int) -> NoReturn:
    """Write why and leave."""
    err.print(lines, style="red", markup=False)
    raise typer.Exit(code)


@contextmanager
def errors_in_one_sentence() -> Iterator[None]:
    """Turn every expected error into its sentence and its exit code."""
    from consumers.local_kafka import LocalKafkaError
    from pipeline.runtime.errors import Fatal, Retriable, TaskError
    from pipeline.runtime.topic_io import TooLarge, UnknownTopic
    from pipeline.settings import ConfigurationError

    try:
        yield
    except CommandError as error:
        fail(str(error), error.code)
    except ConfigurationError as error:
        fail("\n".join(error.problems), WRONG)
    except LocalKafkaError as error:
        fail(str(error), FAILED)
    except Retriable as error:
        fail(
            f"Kafka cannot be reached ({plainly(error)}): see `python -m consumers kafka status`, start the local one with "
            "`python -m consumers kafka start`, or correct KAFKA_BOOTSTRAP_SERVERS.",
            FAILED,
        )
    except UnknownTopic as error:
        fail(
            f"The cluster has no topic {error}: `python -m consumers topics list` shows the installation's, "
            "`python -m consumers topics ensure` creates them.",
            FAILED,
        )
    except TooLarge as error:
        fail(f"The record is too large for Kafka ({error}): kafka.max_message_bytes is the bound.", FAILED)
    except (Fatal, TaskError) as error:
        fail(f"{error}.".replace("..", "."), FAILED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter complains at its end
        raise typer.Exit(0) from None
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise typer.Exit(INTERRUPTED) from None


def plainly(error: Exception) -> str:
    """A client's words without what only a programmer reads: class names said twice, address families."""
    text = re.sub(r"\('([^']+)', (\d+), <AddressFamily[^>]*>\)", r"\1:\2", str(error))
    return re.sub(r"\b(\w+: )\1+", r"\1", text)


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine; expected errors end the command."""
    with errors_in_one_sentence():
        try:
            return asyncio.run(main)
        except BaseExceptionGroup as group:
            raise first_of(group) from None


def first_of(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error inside nested groups: the others follow from it."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
