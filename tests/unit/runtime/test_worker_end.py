"""A worker that is stopped while a client waits for a broker that does not answer: it ends."""

import asyncio

import pytest

from pipeline.metrics import Metrics
from pipeline.runtime.worker import Worker
from pipeline.topology import STAGES, StageName
from tests.unit.runtime.echo import SETTINGS, EchoStage
from tests.unit.runtime.fake_clients import Clock, FakeClients, NoTools


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
    async with asyncio.timeout(10):
        await clients.changed.wait()
        worker.stop()
        worker.stop()  # a second SIGTERM
        await run
    assert not worker.health().ready
