"""The suite that the simulated broker passes, on a real Apache Kafka through the real client: the fake does not lie."""

import asyncio
import itertools
import os
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from aiokafka import AIOKafkaProducer

from pipeline.policy import Limits
from pipeline.runtime.kafka import KafkaClients
from pipeline.runtime.topics import TopicAdmin, Wanted
from pipeline.settings import KafkaSettings, PipelineSettings, RuntimeSettings
from pipeline.topology import TopicKind, TopicSpec
from tests.simulation.client_behaviours import PARAMETERS, Lab

pytestmark = pytest.mark.kafka

_NUMBERS = itertools.count()
MAX_MESSAGE_BYTES = 100_000


class KafkaLab:
    def __init__(
        self, bootstrap: str, admin: TopicAdmin, producer: AIOKafkaProducer, settings: PipelineSettings
    ) -> None:
        self.clients = KafkaClients(settings, bootstrap)
        self.session_s = settings.kafka.session_timeout_ms / 1000
        self.transaction_s = settings.kafka.transaction_timeout_ms / 1000
        self.max_message_bytes = MAX_MESSAGE_BYTES
        self._admin = admin
        self._producer = producer

    def name(self, what: str) -> str:
        return f"behaviour-{os.getpid()}-{what}-{next(_NUMBERS)}"

    async def topic(self, partitions: int = 1) -> str:
        name = self.name("topic")
        config = {"max.message.bytes": str(self.max_message_bytes), "message.timestamp.type": "LogAppendTime"}
        spec = TopicSpec(name=name, kind=TopicKind.INPUT, contract=None)
        wanted = Wanted(name, spec, partitions, config)
        await self._admin.ensure([wanted])
        for _ in range(100):  # metadata is asynchronous
            if await self._admin.partition_counts([name]) == {name: partitions}:
                break
            await asyncio.sleep(0.05)
        return name

    async def put(self, topic: str, *values: bytes, partition: int = 0, key: bytes | None = None) -> None:
        for value in values:
            await self._producer.send_and_wait(topic, value, key=key, partition=partition)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@pytest.fixture
async def lab(kafka: str) -> AsyncIterator[KafkaLab]:
    settings = PipelineSettings(
        kafka=KafkaSettings(
            session_timeout_ms=3_000,
            heartbeat_interval_ms=300,
            rebalance_timeout_ms=6_000,
            transaction_timeout_ms=2_000,
            max_message_bytes=MAX_MESSAGE_BYTES * 2,  # the client lets through what the topic refuses
        ),
        runtime=RuntimeSettings(handover_ms=2_500, value_max_bytes=MAX_MESSAGE_BYTES),
        limits=Limits(payload_bytes=MAX_MESSAGE_BYTES // 2),
    )
    async with TopicAdmin(settings, kafka) as admin:
        producer = AIOKafkaProducer(bootstrap_servers=kafka, acks="all")
        await producer.start()
        try:
            yield KafkaLab(kafka, admin, producer, settings)
        finally:
            await producer.stop()


@pytest.mark.timeout(90)
@pytest.mark.parametrize("behaviour", PARAMETERS)
async def test_real_kafka(behaviour: Callable[[Lab], Awaitable[None]], lab: KafkaLab) -> None:
    await behaviour(lab)
