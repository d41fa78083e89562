"""A worker that is stopped while a client waits for a broker that does not answer: it ends."""

import asyncio

import pytest

from pipeline.metrics import Metrics
from pipeline.runtime import observing, startup
from pipeline.runtime.errors import Fatal
from pipeline.runtime.worker import Worker
from pipeline.topology import STAGES, StageName
from tests.unit.runtime.echo import SETTINGS, TOPICS, EchoStage
from tests.unit.runtime.fake_clients import Clock, FakeClients, NoTools


def worker(clients: FakeClients) -> Worker:
    return Worker(
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


async def test_topics_that_the_broker_does_not_know_yet_are_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "MISSING_S", 0.01)
    clients = FakeClients()
    clients.unknown_for, clients.consumer_hangs = 2, True
    replica = worker(clients)
    run = asyncio.create_task(replica.run())
    async with asyncio.timeout(10):
        await clients.changed.wait()
        replica.stop()
        await run


async def test_topics_that_stay_missing_end_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "MISSING_S", 0.01)
    clients = FakeClients()
    clients.unknown_for = 99
    with pytest.raises(Fatal, match="topics are missing"):
        await worker(clients).run()


@pytest.mark.parametrize(
    "what",
    [
        pytest.param("broker_hangs", id="topics are being asked for"),
        pytest.param("consumer_hangs", id="the group gives no assignment"),
    ],
)
async def test_worker_stopped_during_a_start_that_never_returns_ends(what: str) -> None:
    clients = FakeClients()
    setattr(clients, what, True)
    replica = worker(clients)
    run = asyncio.create_task(replica.run())
    async with asyncio.timeout(10):
        await clients.changed.wait()
        replica.stop()
        replica.stop()  # a second SIGTERM
        await run
    assert not replica.health().ready


@pytest.mark.parametrize(
    "grown",
    [
        pytest.param({"gateway.requests": 6}, id="of one topic"),
        pytest.param(dict.fromkeys(TOPICS, 6), id="of all of them"),
    ],
)
async def test_partitions_that_are_added_while_it_runs_end_the_worker_with_the_counts(
    grown: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observing, "COUNTS_S", 0.01)
    monkeypatch.setattr(observing, "TOLD_S", 0.01)
    clients = FakeClients()
    run = asyncio.create_task(worker(clients).run())
    await asyncio.wait({run}, timeout=0.2)
    assert not run.done()  # as long as nothing changes
    clients.added = grown
    with pytest.raises(Fatal, match=r"gateway\.requests had 4 partitions and has 6"):
        async with asyncio.timeout(10):
            await run
