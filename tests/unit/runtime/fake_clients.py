"""Clients without a broker: a producer that notes what it commits, a consumer that is asked little."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pipeline.decision import Call, CallAnswer, CallOutcome
from pipeline.metrics import Metrics
from pipeline.runtime.calls import CallRunner, Slot
from pipeline.runtime.ports import OutputRecord, RawRecord, RebalanceListener, TopicPartition
from pipeline.runtime.task_context import TaskContext
from pipeline.topology import STAGES, StageName
from tests.unit.runtime.echo import SETTINGS, TOPICS, EchoStage

NOW = datetime(2026, 11, 30, tzinfo=UTC)


class Clock:
    def now(self) -> datetime:
        return NOW


class NoTools:
    async def acquire(self, server: str) -> Slot:
        raise KeyError(server)

    async def call(self, call: Call, *, deadline_s: float) -> CallAnswer:
        del call, deadline_s
        return CallAnswer(outcome=CallOutcome.NOT_SENT)


class FakeProducer:
    """`start_fails`: raised by start, once."""

    def __init__(self, clients: "FakeClients") -> None:
        self._clients = clients
        self._open: list[OutputRecord] = []

    async def start(self) -> None:
        self._clients.started += 1
        if self._clients.start_fails is not None:
            failure, self._clients.start_fails = self._clients.start_fails, None
            raise failure

    async def stop(self) -> None: ...

    async def begin_transaction(self) -> None:
        self._open = []

    async def send(self, record: OutputRecord) -> Awaitable[object]:
        self._open.append(record)
        future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        future.set_result(None)
        return future

    async def send_offsets_to_transaction(self, offsets: Mapping[TopicPartition, int], group: str) -> None:
        del group
        self._clients.offsets |= offsets

    async def commit_transaction(self) -> None:
        self._clients.committed += self._open
        self._clients.changed.set()

    async def abort_transaction(self) -> None: ...


class FakeConsumer:
    """A member that owns nothing by itself; `start_hangs`: it waits for an assignment that does not come."""

    def __init__(self, clients: "FakeClients") -> None:
        self._clients = clients
        self.stopped = False
        self.seeks: dict[TopicPartition, int] = {}

    async def start(self) -> None:
        if self._clients.consumer_hangs:
            self._clients.changed.set()
            await asyncio.get_running_loop().create_future()

    async def stop(self) -> None:
        self.stopped = True

    async def getmany(self, *, timeout_ms: int, max_records: int) -> Mapping[TopicPartition, Sequence[RawRecord]]:
        del max_records
        await asyncio.sleep(timeout_ms / 1000)
        return {}

    def assignment(self) -> frozenset[TopicPartition]:
        return self._clients.assigned

    def paused(self) -> frozenset[TopicPartition]:
        return frozenset()

    def pause(self, partitions: Sequence[TopicPartition]) -> None: ...

    def resume(self, partitions: Sequence[TopicPartition]) -> None: ...

    def seek(self, partition: TopicPartition, offset: int) -> None:
        self.seeks[partition] = offset

    async def position(self, partition: TopicPartition) -> int | None:
        del partition
        return None

    async def committed(self, partition: TopicPartition) -> int | None:
        return self._clients.offsets.get(partition)

    async def end_offsets(self, partitions: Sequence[TopicPartition]) -> Mapping[TopicPartition, int]:
        return dict.fromkeys(partitions, self._clients.end)

    async def beginning_offsets(self, partitions: Sequence[TopicPartition]) -> Mapping[TopicPartition, int]:
        return dict.fromkeys(partitions, 0)


class FakeClients:
    """One world: what was committed, and what is to fail."""

    def __init__(self) -> None:
        self.committed: list[OutputRecord] = []
        self.offsets: dict[TopicPartition, int] = {}
        self.assigned: frozenset[TopicPartition] = frozenset()
        self.changed = asyncio.Event()
        self.end = 0
        """End offset of every partition."""
        self.started = 0
        self.start_fails: BaseException | None = None
        self.producer_fails: Exception | None = None
        self.consumer_hangs = False
        self.broker_hangs = False
        self.unknown_for = 0
        """How often the broker does not know any topic."""
        self.added: dict[str, int] = {}
        """Partition counts that changed."""

    def consumer(
        self, *, group: str, topics: Sequence[str], replica: str, incarnation: str, listener: RebalanceListener
    ) -> FakeConsumer:
        del group, topics, replica, incarnation, listener
        return FakeConsumer(self)

    def producer(self, *, transactional_id: str) -> FakeProducer:
        del transactional_id
        if self.producer_fails is not None:
            failure, self.producer_fails = self.producer_fails, None
            raise failure
        return FakeProducer(self)

    async def read_all(self, partition: TopicPartition, apply: Callable[[RawRecord], None]) -> None:
        for number, record in enumerate(self.committed):
            if (record.topic, record.partition) == partition:
                apply(RawRecord(record.topic, record.partition, number, 0, record.key, record.value))

    async def partition_counts(self, topics: Sequence[str]) -> Mapping[str, int]:
        if self.broker_hangs:
            self.changed.set()
            await asyncio.get_running_loop().create_future()
        if self.unknown_for:
            self.unknown_for -= 1
            return {}
        return {topic: self.added.get(topic, TOPICS[topic]) for topic in topics if topic in TOPICS}

    def partition_of(self, key: bytes, count: int) -> int:
        del key, count
        return 0

    async def until(self, reached: Callable[[], Any]) -> None:
        """Wait for a commit after which it is reached."""
        async with asyncio.timeout(10):
            while not reached():
                self.changed.clear()
                await self.changed.wait()


def context(clients: FakeClients, stage: EchoStage | None = None) -> TaskContext:
    """What a task of number 0 needs."""
    metrics = Metrics()
    consumer = FakeConsumer(clients)
    return TaskContext(
        stage=stage or EchoStage(),
        spec=STAGES[StageName.RECONCILE],
        settings=SETTINGS,
        clients=clients,
        consumer=lambda: consumer,
        clock=Clock(),
        calls=CallRunner(NoTools(), stage="reconcile", incarnation="me", clock=Clock(), metrics=metrics),
        metrics=metrics,
        counts=TOPICS,
        replica="r",
    )
