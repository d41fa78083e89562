"""One partition whose bytes can't be read stops alone: the others of the replica are read on."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from pipeline.metrics import Metrics
from pipeline.runtime import polling
from pipeline.runtime.ports import RawRecord, RebalanceListener, TopicPartition
from pipeline.runtime.unreadable import AGAIN_S, POLLS, TRIES, Unreadable
from pipeline.runtime.worker import Worker
from pipeline.topology import GATEWAY_REQUESTS, STAGES, STATUS, StageName
from tests.unit.runtime.echo import SETTINGS, EchoStage, request
from tests.unit.runtime.fake_clients import Clock, FakeClients, FakeConsumer, NoTools

GOOD, BAD = TopicPartition("in", 0), TopicPartition("in", 1)
ASSIGNED = frozenset({GOOD, BAD})


def rounds(unreadable: Unreadable, bad: frozenset[TopicPartition], count: int) -> set[TopicPartition]:
    """Poll so often. Returns: what was read."""
    read: set[TopicPartition] = set()
    for _ in range(count):
        polled = ASSIGNED - unreadable.pauses(ASSIGNED, 0.0)
        if polled & bad:
            unreadable.failed("broken", ASSIGNED, 0.0)
        else:
            read |= polled
            unreadable.polled()
    return read


def test_the_partition_that_fails_alone_is_paused_and_tried_again_later() -> None:
    unreadable = Unreadable()
    assert rounds(unreadable, frozenset({BAD}), TRIES + 2 * POLLS) == {GOOD}
    assert unreadable.pauses(ASSIGNED, 1.0) == {BAD}
    assert unreadable.problems() == ["in/1 can't be read: broken"]
    assert unreadable.pauses(ASSIGNED, AGAIN_S) == frozenset()


def test_failures_that_pass_pause_nothing() -> None:
    unreadable = Unreadable()
    for _ in range(5):
        rounds(unreadable, ASSIGNED, TRIES - 1)
        rounds(unreadable, frozenset(), 1)
    assert unreadable.pauses(ASSIGNED, 0.0) == frozenset()


def test_when_every_partition_fails_alone_none_of_them_is_to_blame() -> None:
    unreadable = Unreadable()
    rounds(unreadable, ASSIGNED, TRIES + len(ASSIGNED))
    assert unreadable.pauses(ASSIGNED, 0.0) == frozenset()
    assert unreadable.problems() == []


class Member(FakeConsumer):
    """Owns number 0 and 1 of both topics; number 1 of the requests raises whenever it is polled, as aiokafka does."""

    def __init__(self, clients: FakeClients, listener: RebalanceListener) -> None:
        super().__init__(clients)
        self._listener = listener
        self._assigned: frozenset[TopicPartition] = frozenset()
        self._paused: set[TopicPartition] = set()
        self._at: dict[TopicPartition, int] = {}

    async def start(self) -> None:
        self._assigned = frozenset(TopicPartition(topic, n) for topic in (GATEWAY_REQUESTS, STATUS) for n in (0, 1))
        self._listener.assigned(self._assigned)

    def assignment(self) -> frozenset[TopicPartition]:
        return self._assigned

    def paused(self) -> frozenset[TopicPartition]:
        return frozenset(self._paused)

    def pause(self, partitions: Sequence[TopicPartition]) -> None:
        self._paused |= set(partitions)

    def resume(self, partitions: Sequence[TopicPartition]) -> None:
        self._paused -= set(partitions)

    def seek(self, partition: TopicPartition, offset: int) -> None:
        self._at[partition] = offset

    async def position(self, partition: TopicPartition) -> int | None:
        return self._at.get(partition)

    async def getmany(self, *, timeout_ms: int, max_records: int) -> Mapping[TopicPartition, Sequence[RawRecord]]:
        del timeout_ms, max_records
        await asyncio.sleep(0.001)
        found: dict[TopicPartition, list[RawRecord]] = {}
        for partition in sorted(self._assigned - self._paused):
            if partition == TopicPartition(GATEWAY_REQUESTS, 1):
                raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
            if partition == TopicPartition(GATEWAY_REQUESTS, 0) and self._at[partition] == 0:
                self._at[partition] = 1
                found[partition] = [RawRecord(GATEWAY_REQUESTS, 0, 0, 0, b"t:a:s", request())]
        return found


class Clients(FakeClients):
    def consumer(
        self, *, group: str, topics: Sequence[str], replica: str, incarnation: str, listener: RebalanceListener
    ) -> FakeConsumer:
        del group, topics, replica, incarnation
        return Member(self, listener)


async def test_worker_reads_on_beside_a_partition_that_can_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polling, "POLL_MS", 5)
    clients = Clients()
    worker = Worker(
        stage=EchoStage(),
        spec=STAGES[StageName.RECONCILE],
        settings=SETTINGS,
        clients=clients,
        clock=Clock(),
        tools=NoTools(),
        metrics=Metrics(),
        channels=("web",),
        replica="r",
        incarnation="i",
    )
    run = asyncio.create_task(worker.run())
    try:
        await clients.until(lambda: clients.offsets.get(TopicPartition(GATEWAY_REQUESTS, 0)) == 1)
        await clients.until(lambda: any(b"a partition can't be read" in (r.value or b"") for r in clients.committed))
        assert not worker.health().ready
        assert "gateway.requests/1 can't be read" in str(worker.health().problems)
    finally:
        worker.stop()
        await run
