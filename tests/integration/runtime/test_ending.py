"""An orderly end, whatever is away (real Kafka)."""

import asyncio

import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewPartitions

from consumers.local_kafka import LocalKafkaSettings, kill, start
from pipeline.runtime import observing
from pipeline.runtime.errors import Fatal
from tests.integration.runtime.counting import CountingStage, command
from tests.integration.runtime.installation import Tools, commands, conversations, counted, installation

pytestmark = pytest.mark.kafka

END_S = 6.0
"""The handover of these installations is 3 s; the rest of an end has 2 s by default (8 s and 10 s)."""
HURRIED_S = 1.5


async def test_second_signal_ends_at_once_and_the_next_owner_goes_on_where_it_was(kafka: str) -> None:
    tools = Tools()
    async with installation(kafka) as place:
        replica = await place.start("a", stage=CountingStage(side_effects=True), tools=tools)
        await place.publish(command("t:a:s", "m1", "call gated"))
        await asyncio.wait_for(tools.started["m1"].wait(), 30)
        began = asyncio.get_running_loop().time()
        replica.worker.stop()
        replica.worker.hurry()
        await replica.run
        assert asyncio.get_running_loop().time() - began < HURRIED_S
        await place.publish(command("t:a:s", "m2"))
        await place.start("b", stage=CountingStage(side_effects=True))
        assert await place.texts(2) == {"t:a:s": ["1", "2"]}


async def test_worker_that_is_stopped_while_the_broker_is_away_ends_within_ten_seconds(
    own_kafka: LocalKafkaSettings,
) -> None:
    node = await asyncio.to_thread(start, own_kafka)
    names, tools = conversations(12), Tools()
    async with installation(node.bootstrap) as place:
        replica = await place.start("a", stage=CountingStage(side_effects=True), tools=tools)
        await place.ready(replica)
        await place.publish(command("t:a:caller", "m1", "call gated"))
        await asyncio.wait_for(tools.started["m1"].wait(), 30)
        await place.publish(*commands(names, 60))
        await place.texts(11)  # the rest is being decided: commits are under way
        await asyncio.to_thread(kill, own_kafka)
        began = asyncio.get_running_loop().time()
        await replica.stop()
        assert asyncio.get_running_loop().time() - began < END_S
        await asyncio.to_thread(start, own_kafka)
        await place.start("b", stage=CountingStage(side_effects=True))
        told = await place.texts(721)
        assert told == {name: counted(60) for name in names} | {"t:a:caller": ["1", *told["t:a:caller"][1:]]}


async def test_partitions_that_are_added_while_it_runs_stop_the_replica_and_operators_are_told(
    kafka: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observing, "COUNTS_S", 0.5)
    async with installation(kafka) as place:
        replica = await place.start("a")
        await place.ready(replica)
        admin = AIOKafkaAdminClient(bootstrap_servers=kafka)
        await admin.start()
        await admin.create_partitions({place.input: NewPartitions(total_count=5)})
        await admin.close()
        with pytest.raises(Fatal, match=f"{place.input} had 3 partitions and has 5"):
            async with asyncio.timeout(30):
                await replica.run
        assert await place.events(1) == ["NOC.RUNTIME_FAILED"]
        late = await place.start("b")
        with pytest.raises(Fatal, match="need one partition count"):
            async with asyncio.timeout(30):
                await late.run
