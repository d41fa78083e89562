"""What the runtime needs of a Kafka client, so that the same task logic runs on aiokafka and on the simulated broker.

Invariants: the methods mean what aiokafka's mean (names are kept); times are milliseconds. Two implementations exist:
runtime/kafka.py and pipeline/testing. Their agreement is tested by one suite on both. Source: DESIGN 5.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol


class TopicPartition(NamedTuple):
    """A partition of a topic (name on the cluster)."""

    topic: str
    partition: int


@dataclass(frozen=True, slots=True)
class RawRecord:
    """A record as it was read."""

    topic: str
    partition: int
    offset: int
    timestamp_ms: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class OutputRecord:
    """A record to be written to an explicit partition."""

    topic: str
    partition: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...] = ()


class RebalanceListener(Protocol):
    """Called by the client; it must only pause and signal in `assigned`."""

    async def revoked(self, partitions: frozenset[TopicPartition]) -> None:
        """Everything is taken away (eager); getmany is blocked meanwhile."""

    def assigned(self, partitions: frozenset[TopicPartition]) -> None:
        """The new assignment; no heartbeat is sent while this runs."""

    def refused(self, reason: str) -> None:
        """The leader refused to assign: two live members with one name, or unequal partition counts."""


class GroupConsumer(Protocol):
    """A member of a stage's consumer group (read_committed, no auto commit, no offset reset)."""

    async def start(self) -> None:
        """Join the group. Raises: Retriable without a broker."""

    async def stop(self) -> None:
        """Leave the group; calls no listener."""

    async def getmany(self, *, timeout_ms: int, max_records: int) -> Mapping[TopicPartition, Sequence[RawRecord]]:
        """Records in order; on any exception what was drained is lost: seek every partition again."""

    def assignment(self) -> frozenset[TopicPartition]:
        """What is assigned now."""

    def paused(self) -> frozenset[TopicPartition]:
        """What is paused now; does not survive a rebalance."""

    def pause(self, partitions: Sequence[TopicPartition]) -> None:
        """Return no records of these."""

    def resume(self, partitions: Sequence[TopicPartition]) -> None:
        """Return records of these again."""

    def seek(self, partition: TopicPartition, offset: int) -> None:
        """Read from this offset next."""

    async def position(self, partition: TopicPartition) -> int | None:
        """Next offset to be returned, markers passed; only the poll loop may ask, right after getmany."""

    async def committed(self, partition: TopicPartition) -> int | None:
        """Committed offset of the group."""

    async def end_offsets(self, partitions: Sequence[TopicPartition]) -> Mapping[TopicPartition, int]:
        """Last stable offsets."""

    async def beginning_offsets(self, partitions: Sequence[TopicPartition]) -> Mapping[TopicPartition, int]:
        """Log start offsets."""


class Producer(Protocol):
    """A transactional producer; used by runtime/transaction alone."""

    async def start(self) -> None:
        """InitProducerId: fences the previous owner and ends its open transaction."""

    async def stop(self) -> None:
        """Close; aborts nothing."""

    async def begin_transaction(self) -> None:
        """Begin."""

    async def send(self, record: OutputRecord) -> Awaitable[object]:
        """Enqueue; the returned future must be awaited before the commit."""

    async def send_offsets_to_transaction(self, offsets: Mapping[TopicPartition, int], group: str) -> None:
        """Add the group's offsets to the transaction."""

    async def commit_transaction(self) -> None:
        """Commit; a cancelled commit may still commit."""

    async def abort_transaction(self) -> None:
        """Abort."""


class Clients(Protocol):
    """Makes clients."""

    def consumer(
        self, *, group: str, topics: Sequence[str], replica: str, incarnation: str, listener: RebalanceListener
    ) -> GroupConsumer:
        """A group member."""

    def producer(self, *, transactional_id: str) -> Producer:
        """A transactional producer."""

    async def read_all(self, partition: TopicPartition, apply: Callable[[RawRecord], None]) -> None:
        """Read a partition from its log start to its end (read_committed), in order. Raises: Retriable."""

    async def partition_counts(self, topics: Sequence[str]) -> Mapping[str, int]:
        """Partition counts of those topics that exist. Raises: Retriable without a broker."""

    def partition_of(self, key: bytes, count: int) -> int:
        """Kafka's default partitioner: murmur2."""


class Clock(Protocol):
    """Wall clock, given."""

    def now(self) -> datetime:
        """UTC now."""
