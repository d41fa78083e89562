"""An orderly end, whatever is away (real Kafka)."""

import asyncio

import pytest

from consumers.local_kafka import LocalKafkaSettings, kill, start
from tests.integration.runtime.installation import commands, conversations, counted, installation

pytestmark = pytest.mark.kafka

END_S = 10.0


async def test_worker_that_is_stopped_while_the_broker_is_away_ends_within_ten_seconds(
    own_kafka: LocalKafkaSettings,
) -> None:
    node = await asyncio.to_thread(start, own_kafka)
    names = conversations(12)
    async with installation(node.bootstrap) as place:
        replica = await place.start("a")
        await place.ready(replica)
        await place.publish(*commands(names, 60))
        await place.texts(10)  # the rest is being decided: commits are under way
        await asyncio.to_thread(kill, own_kafka)
        began = asyncio.get_running_loop().time()
        await replica.stop()
        assert asyncio.get_running_loop().time() - began < END_S
        await asyncio.to_thread(start, own_kafka)
        await place.start("b")
        assert await place.texts(720) == {name: counted(60) for name in names}
