"""The transaction coordinator of the simulated broker.

Owns: producer ids and epochs, open transactions, their timeout, PrepareCommit and the markers that follow it one by one.
Invariants: what was decided (PrepareCommit, PrepareAbort) is never changed; an epoch that was bumped fences for ever; InitProducerId
answers only when no decided transaction waits for a marker any more. Source: KIP-98, KIP-360; notes on aiokafka section 3.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from pipeline.runtime.ports import TopicPartition
from pipeline.testing.errors import ProducerFenced


class State(StrEnum):
    """Of a transactional id."""

    EMPTY = "empty"
    ONGOING = "ongoing"
    PREPARE_COMMIT = "prepare commit"
    PREPARE_ABORT = "prepare abort"


class ConcurrentTransactions(Exception):
    """The last transaction is not complete yet: the client asks again."""


@dataclass(slots=True, eq=False)
class Transactional:
    """What the coordinator knows of one transactional id."""

    name: str
    producer: int
    epoch: int = -1
    state: State = State.EMPTY
    partitions: dict[TopicPartition, None] = field(default_factory=dict)
    """Of the open transaction, in the order they were added."""
    groups: dict[str, None] = field(default_factory=dict)
    number: int = 0
    """Transactions begun."""
    timeout_s: float = 60.0


@dataclass(slots=True)
class Marks:
    """What the coordinator has the broker do."""

    mark: Callable[[TopicPartition, int, int, bool], None]
    """Write a marker: partition, producer id, epoch, commit."""
    settle_offsets: Callable[[str, int, bool], None]
    """Make pending offsets of a group and a producer real, or drop them."""
    later: Callable[[Callable[[], None]], None]
    """Do something a moment later, by itself."""
    after: Callable[[float, Callable[[], None]], None]
    """Do something after so many seconds."""
    decided: Callable[[Transactional, bool], None]
    """A transaction was decided: committed or aborted."""


class TransactionCoordinator:
    """All transactional ids of a cluster."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks
        self.known: dict[str, Transactional] = {}
        self.init_hook: Callable[[str], None] | None = None

    def init_producer(self, name: str, timeout_s: float) -> tuple[int, int]:
        """Fence the owner before, end its transaction. Returns: producer id, epoch. Raises: ConcurrentTransactions."""
        known = self.known.get(name)
        if known is None:
            known = self.known[name] = Transactional(name, producer=1000 + len(self.known))
        if known.state is State.ONGOING:
            known.epoch += 1  # from here on the owner before is fenced
            self._decide(known, commit=False)
        if known.state is not State.EMPTY:
            raise ConcurrentTransactions
        known.epoch += 1
        known.timeout_s = timeout_s
        return known.producer, known.epoch

    def _checked(self, name: str, epoch: int) -> Transactional:
        known = self.known[name]
        if epoch != known.epoch:
            raise ProducerFenced(f"{name}: epoch {epoch} is not the present one")
        return known

    def add(
        self, name: str, epoch: int, *, partition: TopicPartition | None = None, group: str | None = None
    ) -> Transactional:
        """Add a partition or a group to the transaction, which begins with the first. Raises: ProducerFenced, ConcurrentTransactions."""
        known = self._checked(name, epoch)
        if known.state in {State.PREPARE_COMMIT, State.PREPARE_ABORT}:
            raise ConcurrentTransactions
        if known.state is State.EMPTY:
            known.state = State.ONGOING
            known.number += 1
            number = known.number
            self._marks.after(known.timeout_s, lambda: self._time_out(known, number))
        if partition is not None:
            known.partitions[partition] = None
        if group is not None:
            known.groups[group] = None
        return known

    def _time_out(self, known: Transactional, number: int) -> None:
        if known.state is State.ONGOING and known.number == number:
            known.epoch += 1
            self._decide(known, commit=False)

    def end(self, name: str, epoch: int, *, commit: bool) -> None:
        """Decide. Raises: ProducerFenced, ConcurrentTransactions."""
        known = self._checked(name, epoch)
        if known.state is State.ONGOING:
            self._decide(known, commit=commit)
        elif known.state is not State.EMPTY and (known.state is State.PREPARE_COMMIT) is not commit:
            raise ConcurrentTransactions

    def abort_now(self, name: str) -> None:
        """As after the transaction timeout."""
        known = self.known.get(name)
        if known is not None and known.state is State.ONGOING:
            self._time_out(known, known.number)

    def _decide(self, known: Transactional, *, commit: bool) -> None:
        known.state = State.PREPARE_COMMIT if commit else State.PREPARE_ABORT
        self._marks.decided(known, commit)
        epoch = known.epoch
        left = [*known.partitions, *known.groups]

        def done(what: TopicPartition | str) -> None:
            if isinstance(what, TopicPartition):
                self._marks.mark(what, known.producer, epoch, commit)
            else:
                self._marks.settle_offsets(what, known.producer, commit)
            left.remove(what)
            if not left:
                known.state = State.EMPTY
                known.partitions.clear()
                known.groups.clear()

        for what in (*known.partitions, *known.groups):
            self._marks.later(lambda what=what: done(what))  # type: ignore[misc]
        if not left:
            known.state = State.EMPTY
