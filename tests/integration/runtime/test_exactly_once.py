"""Each record is decided once, in the order of its conversation, whatever happens to the replicas (real Kafka)."""

import asyncio
from datetime import timedelta

import pytest

from tests.integration.runtime.counting import CountingStage, command
from tests.integration.runtime.installation import Tools, commands, conversations, counted, installation

pytestmark = pytest.mark.kafka


async def test_records_are_decided_once_and_in_order(kafka: str) -> None:
    names = conversations(9)
    async with installation(kafka) as place:
        replica = await place.start("a")
        await place.publish(*commands(names, 20))
        texts = await place.texts(180)
        assert texts == {name: counted(20) for name in names}
        await replica.stop()


async def test_state_and_offsets_survive_a_clean_stop(kafka: str) -> None:
    names = conversations(6)
    async with installation(kafka) as place:
        first = await place.start("a")
        await place.publish(*commands(names, 5))
        await place.texts(30)
        await first.stop()
        await place.publish(*commands(names, 5, first=5))
        second = await place.start("b")
        assert await place.texts(60) == {name: counted(10) for name in names}
        await second.stop()


async def test_a_killed_replica_is_taken_over_without_loss_or_repetition(kafka: str) -> None:
    names = conversations(9)
    async with installation(kafka) as place:
        first = await place.start("a")
        await place.ready(first)
        await place.publish(*commands(names, 30))
        await place.texts(20)
        await first.kill()
        await place.publish(*commands(names, 30, first=30))
        second = await place.start("b")
        assert await place.texts(540) == {name: counted(60) for name in names}
        await second.stop()


async def test_numbers_move_when_replicas_come_and_go_under_load(kafka: str) -> None:
    names = conversations(12)
    async with installation(kafka) as place:
        first = await place.start("a")
        await place.ready(first)
        publishing = asyncio.create_task(place.publish(*commands(names, 200)))
        second = await place.start("b")
        third = await place.start("c")
        await place.ready(second, third)
        await first.stop()
        await publishing
        await place.publish(*commands(names, 10, first=200))
        await second.stop()
        texts = await place.texts(12 * 210)
        assert texts == {name: counted(210) for name in names}
        await third.stop()


async def test_a_second_live_replica_of_the_same_name_is_refused_and_the_first_goes_on(kafka: str) -> None:
    async with installation(kafka) as place:
        first = await place.start("a")
        await place.ready(first)
        second = await place.start("a")
        with pytest.raises(Exception, match="another live member is called 'a'"):
            await asyncio.wait_for(second.run, 20)
        await place.publish(*commands(["t:a:s"], 3))
        assert await place.texts(3) == {"t:a:s": counted(3)}
        await first.stop()


async def test_an_unreadable_record_and_a_poison_record_are_dead_lettered_and_the_next_is_decided(kafka: str) -> None:
    stage = CountingStage()
    stage.broken.add("poison")
    async with installation(kafka) as place:
        replica = await place.start("a", stage=stage)
        await place.publish(
            b"{not json", b"", b"[]", command("t:a:s", "m1"), command("t:a:s", "m2", "poison"), command("t:a:s", "m3")
        )
        assert await place.texts(2) == {"t:a:s": ["1", "2"]}
        letters = await place.dead_letters(4)
        assert sorted(letter["dlq_error"] for letter in letters) == [
            "ContractViolation",
            "PoisonRecord",
            "UndecodableRecord",
            "UndecodableRecord",
        ]
        assert (await place.events(2)).count("NOC.STAGE_RETRY") == 2
        await replica.stop()


async def test_a_call_is_sent_once_and_its_outcome_decided(kafka: str) -> None:
    async with installation(kafka) as place:
        replica = await place.start("a")
        await place.publish(command("t:a:s", "m1", "call"))
        assert await place.texts(2) == {"t:a:s": ["1", "m1 returned ok m1"]}
        assert replica.tools.sent == ["m1"]
        await replica.stop()


async def test_a_running_call_with_side_effects_is_waited_for_at_sigterm(kafka: str) -> None:
    tools = Tools()
    async with installation(kafka) as place:
        replica = await place.start("a", stage=CountingStage(side_effects=True), tools=tools)
        await place.publish(command("t:a:s", "m1", "call gated"))
        await asyncio.wait_for(tools.started["m1"].wait(), 30)
        replica.worker.stop()
        await asyncio.sleep(0)
        tools.gates["m1"].set()
        await replica.run
        assert await place.texts(2) == {"t:a:s": ["1", "m1 returned ok m1"]}


async def test_a_lost_call_is_reported_lost_by_the_next_owner_after_its_deadline(kafka: str) -> None:
    tools = Tools()
    async with installation(kafka) as place:
        first = await place.start("a", stage=CountingStage(side_effects=True), tools=tools)
        await place.publish(command("t:a:s", "m1", "call gated"))
        await asyncio.wait_for(tools.started["m1"].wait(), 30)
        await first.kill()
        second = await place.start("b", stage=CountingStage(side_effects=True))
        assert await place.texts(2) == {"t:a:s": ["1", "m1 lost"]}
        assert second.tools.sent == []
        await second.stop()


async def test_a_timer_fires_after_the_input_that_was_there_when_it_fell_due(kafka: str) -> None:
    async with installation(kafka) as place:
        first = await place.start("a")
        await place.publish(command("t:a:s", "m1", "timer 600000"))
        await place.texts(1)
        await first.stop()
        await place.publish(*commands(["t:a:s"], 50, first=1))
        second = await place.start("b", ahead=timedelta(hours=1))  # the timer is long due, fifty records are unread
        assert await place.texts(52) == {"t:a:s": [*counted(51), "timer after 51"]}
        await second.stop()
