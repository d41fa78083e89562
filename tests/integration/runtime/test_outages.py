"""What the runtime does while something it needs is away (real Kafka)."""

import asyncio

import pytest
from aiokafka.admin import AIOKafkaAdminClient

from consumers.local_kafka import LocalKafkaSettings, kill, start
from pipeline.runtime.topics import TopicAdmin
from tests.integration.runtime.installation import commands, conversations, counted, installation

pytestmark = pytest.mark.kafka


async def test_a_broker_that_is_killed_and_comes_back_costs_nothing(own_kafka: LocalKafkaSettings) -> None:
    node = await asyncio.to_thread(start, own_kafka)
    names = conversations(6)
    async with installation(node.bootstrap) as place:
        replica = await place.start("a")
        await place.ready(replica)
        await place.publish(*commands(names, 20))
        await place.texts(10)
        await asyncio.to_thread(kill, own_kafka)
        await asyncio.to_thread(start, own_kafka)
        await place.publish(*commands(names, 20, first=20))
        assert await place.texts(240) == {name: counted(40) for name in names}
        await replica.stop()


async def test_a_worker_names_the_topics_that_are_missing(own_kafka: LocalKafkaSettings) -> None:
    node = await asyncio.to_thread(start, own_kafka)
    async with installation(node.bootstrap) as place:
        admin = AIOKafkaAdminClient(bootstrap_servers=node.bootstrap)
        await admin.start()
        await admin.delete_topics([place.settings.named("dlq.execute")])
        async with TopicAdmin(place.settings, node.bootstrap) as topics:
            while await topics.partition_counts([place.settings.named("dlq.execute")]):
                await asyncio.sleep(0.05)  # the broker forgets a topic in its own time
        await admin.close()
        replica = await place.start("a")
        with pytest.raises(Exception, match=r"dlq\.execute; create them with"):
            await asyncio.wait_for(replica.run, 20)
