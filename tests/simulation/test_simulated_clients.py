"""The simulated broker behaves as the suite says; tests/integration/test_kafka_clients.py runs the same on the real one."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

import pytest

from pipeline.runtime.ports import OutputRecord
from pipeline.testing.broker import Broker
from pipeline.testing.clients import SimulatedClients
from pipeline.testing.installation import settings
from pipeline.testing.loop import Process, VirtualLoop
from pipeline.testing.network import Network
from tests.simulation.client_behaviours import PARAMETERS, Lab


class SimulatedLab:
    def __init__(self, loop: VirtualLoop, seed: int) -> None:
        self._broker = Broker(loop, Random(seed))
        network = Network(loop, self._broker, Random(seed + 1), Process("lab"))
        used = settings()
        self.clients = SimulatedClients(network, used)
        self.session_s = used.kafka.session_timeout_ms / 1000
        self.transaction_s = used.kafka.transaction_timeout_ms / 1000
        self.max_message_bytes = 100_000
        self._names = 0

    def name(self, what: str) -> str:
        self._names += 1
        return f"{what}-{self._names}"

    async def topic(self, partitions: int = 1) -> str:
        name = self.name("topic")
        self._broker.create(name, partitions, max_message_bytes=self.max_message_bytes)
        return name

    async def put(self, topic: str, *values: bytes, partition: int = 0, key: bytes | None = None) -> None:
        for value in values:
            self._broker.append(OutputRecord(topic, partition, key, value))

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)  # virtual


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("behaviour", PARAMETERS)
def test_simulated_kafka(behaviour: Callable[[Lab], Awaitable[None]], seed: int) -> None:
    loop = VirtualLoop()

    async def play() -> None:
        await behaviour(SimulatedLab(loop, seed))

    try:
        loop.run_until_complete(play())
    finally:
        loop.bury([])
