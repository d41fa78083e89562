"""Cases of behaviour.json that only the runtime on a real broker can show. Each id names its test."""

import asyncio

import pytest
from aiokafka.admin import AIOKafkaAdminClient

from pipeline.runtime.topics import TopicAdmin, wanted_topics
from tests.integration.runtime.counting import command
from tests.integration.runtime.installation import Replica, installation

pytestmark = pytest.mark.kafka


async def not_ready(replica: Replica) -> None:
    async with asyncio.timeout(40):
        while replica.worker.health().ready:
            await asyncio.sleep(0.05)  # health is asked for, it does not announce itself


async def test_evt_06_nothing_is_committed_while_an_events_topic_can_not_be_written(kafka: str) -> None:
    async with installation(kafka, kafka={"request_timeout_ms": 1500}) as place:
        replica = await place.start("a")
        await place.publish(command("t:a:s", "m1"))
        await place.texts(1)
        admin = AIOKafkaAdminClient(bootstrap_servers=kafka)
        await admin.start()
        await admin.delete_topics([place.settings.named("events.ic")])
        await admin.close()
        await place.publish(command("t:a:s", "m2"))
        await not_ready(replica)
        assert await place.texts(1) == {"t:a:s": ["1"]}
        async with TopicAdmin(place.settings, kafka) as topics:
            await topics.ensure(wanted_topics(place.settings, ("web",)))
        assert await place.texts(2) == {"t:a:s": ["1", "2"]}
        await place.ready(replica)
        await replica.stop()
