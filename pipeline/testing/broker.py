"""A Kafka cluster in memory: topics, transactions, groups, and the moments at which it fails.

Owns: partitions, broker time (LogAppendTime), reads that wait, outages, compaction at chosen moments.
Invariants: those of log.py, transactions.py and groups.py; a request is applied whole at one instant of virtual time, or not at all;
what was acknowledged survives an outage. Verified on the real broker: tests/simulation/client_behaviours.py, one suite for both.
Never: knows what a record means. Source: notes on aiokafka; DESIGN 5.
"""

from collections.abc import Callable, Mapping
from random import Random

from pipeline.runtime.ports import OutputRecord, RawRecord, TopicPartition
from pipeline.testing.errors import MessageSizeTooLargeError, ProducerFenced, UnknownTopicOrPartitionError
from pipeline.testing.groups import GroupCoordinator
from pipeline.testing.log import PartitionLog
from pipeline.testing.loop import VirtualLoop
from pipeline.testing.transactions import Marks, Transactional, TransactionCoordinator

MARKER_DELAY_S = (0.0002, 0.004)
"""Between a decision and the marker in one partition."""
JOIN_DELAY_S = (0.0, 0.05)
EPOCH_MS = 1_795_000_000_000
"""Broker time at virtual second 0."""


class Broker:
    """One cluster."""

    def __init__(self, loop: VirtualLoop, random: Random, *, epoch_ms: int = EPOCH_MS) -> None:
        self._loop = loop
        self._random = random
        self.epoch_ms = epoch_ms
        self.up = True
        self.outages = 0
        self.ended = False
        """The world has ended: no request is answered any more."""
        self.logs: dict[TopicPartition, PartitionLog] = {}
        self.counts: dict[str, int] = {}
        self.on_decided: list[Callable[[Transactional, bool], None]] = []
        """Told when a transaction is decided."""
        self.on_append: list[Callable[[RawRecord], None]] = []
        self._waiting: dict[TopicPartition, dict[Callable[[], None], None]] = {}
        self._after_up: list[Callable[[], None]] = []
        self.transactions = TransactionCoordinator(
            Marks(
                mark=self._mark,
                settle_offsets=lambda group, producer, commit: self.groups.settle(group, producer, commit=commit),
                later=lambda act: self._when_up(random.uniform(*MARKER_DELAY_S), act),
                after=self._when_up,
                decided=self._decided,
            )
        )
        self.groups = GroupCoordinator(
            now=loop.time,
            after=self._when_up,
            count=lambda topic: self.counts.get(topic, 0),
            delay_s=lambda: random.uniform(*JOIN_DELAY_S),
            is_up=lambda: self.up,
        )

    # --- time and outages ---

    def now_ms(self) -> int:
        """Broker time."""
        return self.epoch_ms + int(self._loop.time() * 1000)

    def _when_up(self, delay_s: float, act: Callable[[], None]) -> None:
        def due() -> None:
            if self.up:
                act()
            else:
                self._after_up.append(act)

        self._loop.later(delay_s, due)

    def go_down(self) -> None:
        """Nothing is answered or written from here on; what was decided stays decided."""
        self.up = False
        self.outages += 1

    def come_up(self) -> None:
        """Answer again."""
        if self.up:
            return
        self.up = True
        for group in self.groups.groups.values():
            for member in group.members.values():
                member.seen_at = self._loop.time()
        acts, self._after_up = self._after_up, []
        for act in acts:
            self._when_up(self._random.uniform(0.0, 0.2), act)
        for partition in list(self._waiting):
            self._notify(partition)

    def when_up(self, act: Callable[[], None]) -> None:
        """Do something once the broker answers."""
        self._when_up(0.0, act)

    # --- topics ---

    def create(
        self, topic: str, partitions: int, *, compacted: bool = False, max_message_bytes: int = 1_048_576
    ) -> None:
        """Make a topic; a larger count for a known one adds partitions."""
        self.counts[topic] = partitions
        for number in range(partitions):
            partition = TopicPartition(topic, number)
            if partition not in self.logs:
                self.logs[partition] = PartitionLog(partition, compacted, max_message_bytes)

    def log(self, partition: TopicPartition) -> PartitionLog:
        """A partition. Raises: UnknownTopicOrPartitionError."""
        log = self.logs.get(partition)
        if log is None:
            raise UnknownTopicOrPartitionError(str(partition))
        return log

    # --- writing ---

    def append(self, record: OutputRecord) -> RawRecord:
        """A plain produce, outside any transaction."""
        log = self.log(TopicPartition(record.topic, record.partition))
        self._check(log, record)
        stored = log.append(timestamp_ms=self.now_ms(), key=record.key, value=record.value, headers=record.headers)
        for told in self.on_append:
            told(stored)
        self._notify(log.partition)
        return stored

    def produce(self, name: str, producer: int, epoch: int, records: list[OutputRecord]) -> None:
        """Write a batch of one partition within a transaction. Raises: ProducerFenced, MessageSizeTooLargeError."""
        log = self.log(TopicPartition(records[0].topic, records[0].partition))
        known = self.transactions.known[name]
        if epoch < log.epochs.get(producer, -1):
            raise ProducerFenced(f"{name}: epoch {epoch} is behind")
        if log.partition not in known.partitions:
            raise ProducerFenced(f"{name}: {log.partition} is in no open transaction")  # KIP-890, part 1
        for record in records:
            self._check(log, record)
        for record in records:
            log.append(
                timestamp_ms=self.now_ms(),
                key=record.key,
                value=record.value,
                headers=record.headers,
                producer=producer,
                epoch=epoch,
            )

    def _check(self, log: PartitionLog, record: OutputRecord) -> None:
        size = len(record.value or b"") + len(record.key or b"")
        if size > log.max_message_bytes or (log.refused and log.refused in (record.value or b"")):
            raise MessageSizeTooLargeError(f"{size} bytes are over max.message.bytes ({log.max_message_bytes})")

    def _mark(self, partition: TopicPartition, producer: int, epoch: int, commit: bool) -> None:
        log = self.logs[partition]
        before = log.stable
        log.mark(producer, epoch, commit=commit)
        log.visible_ms |= dict.fromkeys(range(before, log.stable), self.now_ms())
        self._notify(partition)

    def _decided(self, transactional: Transactional, commit: bool) -> None:
        for told in self.on_decided:
            told(transactional, commit)

    # --- reading ---

    def wait(self, partitions: list[TopicPartition], wake: Callable[[], None]) -> Callable[[], None]:
        """Have `wake` called when any of these may have more to read. Returns: how to stop waiting."""
        for partition in partitions:
            self._waiting.setdefault(partition, {})[wake] = None

        def stop() -> None:
            for partition in partitions:
                self._waiting[partition].pop(wake, None)

        return stop

    def _notify(self, partition: TopicPartition) -> None:
        for wake in list(self._waiting.get(partition, ())):
            wake()

    # --- what only a test may look at ---

    def decided_records(self, partition: TopicPartition) -> list[RawRecord]:
        """Records of decided transactions, visible already or not."""
        log = self.logs[partition]
        decided = {t.producer for t in self.transactions.known.values() if t.state.value == "prepare commit"}
        return [
            entry.record
            for entry in log.entries
            if entry.record is not None and not entry.aborted and (not entry.open or entry.producer in decided)
        ]

    def end_offsets(self, partitions: list[TopicPartition]) -> Mapping[TopicPartition, int]:
        """Last stable offsets."""
        return {partition: self.log(partition).stable for partition in partitions}
