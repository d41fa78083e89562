"""kill -9 of the execute stage while a call runs, for each recovery policy: one effect per item, one final answer, honest words."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.integration.processes import Pipeline, Process, pipeline

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(180)]

TIMEOUT = {"timeout_ms": 6000}
TOOLS = {"cancelar_produtos": TIMEOUT, "cancelar_pedidos": TIMEOUT, "contestar_cobranca": TIMEOUT}
OTHERS = ("reconcile", "pre-validate", "confirm", "normalize")


async def arrived(place: Pipeline, customer: str, tool: str) -> None:
    async with asyncio.timeout(40):
        while not place.calls(customer, tool):
            await asyncio.sleep(0.05)  # the ledger of another process is looked at


async def killed_and_restarted(place: Pipeline, execute: Process, customer: str, tool: str) -> Process:
    await arrived(place, customer, tool)
    await execute.kill()
    return await place.run("execute", replica="execute-2", ready=False)


async def test_a_lost_answer_is_asked_for_by_status_and_told_once(kafka: str, tmp_path: Path) -> None:
    customer = "falha-lenta-3-status"
    async with pipeline(kafka, tmp_path, tools=TOOLS, stages=OTHERS) as place, place.customer(customer) as talk:
        execute = await place.run("execute", replica="execute-1")
        question = await talk.say("quero cancelar TIM Fashion e Neymar Jr")
        assert question["metadata"]["kind"] == "confirmation"
        await talk.send("sim")
        await killed_and_restarted(place, execute, customer, "cancelar_produtos")
        final = await talk.answer(60)
        assert final["metadata"]["status"] == "COMPLETED"
        assert final["metadata"]["multi_item_status"] == "SUCCESS"
        assert await talk.nothing_more()
        effects = place.effects(customer)
        assert sorted((effect.item, effect.executions) for effect in effects) == [("1001", 1), ("1003", 1)]
        assert len(place.calls(customer, "cancelar_produtos")) == 1


async def test_a_lost_answer_is_called_for_again_with_the_same_key_under_retry(kafka: str, tmp_path: Path) -> None:
    customer = "falha-lenta-3-retry"
    async with (
        pipeline(kafka, tmp_path, tools=TOOLS, stages=OTHERS) as place,
        place.customer(customer, agent="retail_orders") as talk,
    ):
        execute = await place.run("execute", replica="execute-1")
        await talk.say("quero cancelar os pedidos P-100 e P-102")
        await talk.send("sim")
        await killed_and_restarted(place, execute, customer, "cancelar_pedidos")
        final = await talk.answer(60)
        assert final["metadata"]["multi_item_status"] == "SUCCESS"
        assert "ABC1" in final["text"]
        assert "ABC3" in final["text"]
        assert await talk.nothing_more()
        calls = place.calls(customer, "cancelar_pedidos")
        assert len({call.request_key for call in calls}) == 1
        assert all(effect.executions == 1 for effect in place.effects(customer))
        assert len(place.effects(customer)) == 2


async def test_a_lost_answer_is_honestly_unknown_under_report(kafka: str, tmp_path: Path) -> None:
    customer = "falha-lenta-3-report"
    async with pipeline(kafka, tmp_path, tools=TOOLS, stages=OTHERS) as place, place.customer(customer) as talk:
        execute = await place.run("execute", replica="execute-1")
        await talk.say("quero contestar a cobrança de R$ 71,99 do Deezer Premium")
        await talk.send("sim")
        await killed_and_restarted(place, execute, customer, "contestar_cobranca")
        final = await talk.answer(60)
        assert final["metadata"]["status"] == "OUTCOME_UNKNOWN"
        assert await talk.nothing_more()
        assert len(place.calls(customer, "contestar_cobranca")) == 1
        types = [
            record["value"]["event_type"] for record in await place.records("events.ic", "events.noc", key=talk.key)
        ]
        assert "IC.TRANSACTION_OUTCOME_UNKNOWN" in types
        assert "NOC.MCP_OUTCOME_UNKNOWN" in types


async def test_five_processes_and_then_two_replicas_of_each_give_the_same_result(kafka: str, tmp_path: Path) -> None:
    async with pipeline(kafka, tmp_path, stages=()) as place:
        processes = [await place.run(stage, replica=f"{stage}-1", ready=False) for stage in (*OTHERS, "execute")]
        await place.ready(*processes)
        for round_number in (1, 2):
            customers = [f"fresh-{round_number}-{number}" for number in range(6)]

            async def one(name: str) -> list[dict[str, Any]]:
                async with place.customer(name) as talk:
                    await talk.say("quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr")
                    return [(await talk.say("sim"))["metadata"]]

            for (metadata,) in await asyncio.gather(*(one(name) for name in customers)):
                assert metadata["multi_item_status"] == "PARTIAL_SUCCESS"
                counts = metadata["multi_item"]
                assert (counts["items_count"], counts["items_succeeded_count"], counts["items_failed_count"]) == (
                    3,
                    2,
                    1,
                )
            for name in customers:
                assert sorted((e.item, e.executions) for e in place.effects(name)) == [("1001", 1), ("1003", 1)]
            if round_number == 1:
                more = [await place.run(*OTHERS, "execute", replica="all-2", ready=False)]
                await place.ready(*more, *processes)
