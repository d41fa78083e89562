"""Finds the partition that makes every poll fail, so that it stops alone.

aiokafka reads all partitions in one getmany(); where the bytes of one can't be read (a broken checksum, a codec that is not installed,
a header whose name is no UTF-8) it raises each time and gives nothing of the others. So after TRIES failures in a row each partition
is polled alone for a moment; the one that fails alone is kept paused and tried again after AGAIN_S. Never skips a record: an operator
decides about it. Source: notes on aiokafka section 5; aiokafka's Fetcher.fetched_records.
"""

from collections.abc import Iterable

from pipeline.runtime.ports import TopicPartition

TRIES = 3
"""Failures in a row that pass by themselves."""
POLLS = 4
"""Polls of one partition alone: the fetch of others that is under way ends first."""
AGAIN_S = 60.0


class Unreadable:
    """Partitions of one consumer that can't be read."""

    def __init__(self) -> None:
        self._in_a_row = 0
        self._waiting: list[TopicPartition] = []
        self._alone: TopicPartition | None = None
        self._polls = 0
        self._blocked: dict[TopicPartition, tuple[float, str]] = {}

    def failed(self, error: str, assigned: Iterable[TopicPartition], now_s: float) -> TopicPartition | None:
        """A poll raised. Returns: the partition that is known now to be the reason."""
        if self._alone is not None:
            found = self._alone
            self._blocked[found] = (now_s, error)
            if not self._next() and set(assigned) <= self._blocked.keys():
                self._blocked.clear()  # all of them: then it is not a partition's fault
            return found if found in self._blocked else None
        self._in_a_row += 1
        if self._in_a_row >= TRIES:
            self._waiting = sorted(set(assigned) - self._blocked.keys(), reverse=True)
            self._next()
        return None

    def polled(self) -> None:
        """A poll returned."""
        if self._alone is None:
            self._in_a_row = 0
            return
        self._polls += 1
        if self._polls >= POLLS:
            self._next()

    def pauses(self, assigned: Iterable[TopicPartition], now_s: float) -> frozenset[TopicPartition]:
        """What must not be read now."""
        for partition, (since, _) in list(self._blocked.items()):
            if now_s - since >= AGAIN_S:
                del self._blocked[partition]
        if self._alone is not None:
            return frozenset(assigned) - {self._alone}
        return frozenset(assigned) & self._blocked.keys()

    def problems(self) -> list[str]:
        """Why this worker is not ready; empty when everything can be read."""
        return [f"{tp.topic}/{tp.partition} can't be read: {error}" for tp, (_, error) in sorted(self._blocked.items())]

    def _next(self) -> bool:
        """Whether another one is to be polled alone."""
        self._polls = self._in_a_row = 0
        self._alone = self._waiting.pop() if self._waiting else None
        return self._alone is not None
