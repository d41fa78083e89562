"""Errors named for the reaction they demand, and the one place where a client's error becomes a reaction.

What aiokafka raises says little (a zombie and a transaction timeout are both ProducerFenced; an outage mostly raises nothing), so
the class of an error decides almost nothing: after any failed produce, offset or commit the producer is dropped and the task takes
over again. Only errors that no restart can mend are told apart. Source: DESIGN 4, notes on aiokafka.
"""


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


class TaskMigrated(TaskError):
    """The number is no longer ours: drop the task."""


class Fatal(TaskError):
    """Nothing the program can do: the number (or the process) stops and an operator decides."""
