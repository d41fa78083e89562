"""`evaluate` on a real conversation on the real pipeline, and on one in which something was lost."""

import json
from pathlib import Path
from typing import Any

import orjson
import pytest

from pipeline.runtime.topic_io import TopicWriter
from pipeline.settings import load_settings
from tests.integration.processes import Customer, Pipeline, pipeline

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(180)]

ARGUMENTS = ("evaluate", "--from", "10m", "--agent", "telecom_contas")


async def evaluate(place: Pipeline, status: int = 0) -> dict[str, dict[str, Any]]:
    """Metric → result, of the agent; the page and what the terminal shows lie beside."""
    document, page = place.folder / "evaluation.json", place.folder / "evaluation.html"
    options = ("--json", str(document), "--html", str(page), "--config", str(place.config))
    shown = await place.command(*ARGUMENTS, *options, status=status)
    (place.folder / "evaluation.txt").write_text(shown)
    runs = json.loads(document.read_text())["runs"]
    (of_agent,) = [each for each in runs if each["run"]["agent_id"] == "telecom_contas"]
    return {result["metric"]: result for result in of_agent["results"]}


async def replay_without_an_item(place: Pipeline, kafka: str, customer: Customer) -> None:
    """Publish the conversation again as another transaction, its last text without an item's name."""
    records = await place.records("events.ic", "channel.web.responses", key=customer.key)
    async with TopicWriter(load_settings(place.config, prefix=place.prefix), kafka) as writer:
        for record in records:
            text = orjson.dumps(record["value"]).replace(b'"tx_', b'"tx_again_')
            value = json.loads(text)
            if value.get("metadata", {}).get("kind") == "final":
                value["text"] = value["text"].replace("TIM Fashion Mensal", "o primeiro")
            await writer.send(place.named(record["topic"]), orjson.dumps(value), key=customer.key.encode(), partition=0)


async def test_a_conversation_is_evaluated_and_a_lost_item_turns_the_command_red(kafka: str, tmp_path: Path) -> None:
    async with pipeline(kafka, tmp_path) as place:
        async with place.customer("cliente-avaliado") as customer:
            await customer.say("quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr")
            await customer.say("tira o Neymar Jr")
            await customer.say("sim")
        found = await evaluate(place)
        assert (found["transactions"]["value"], found["partial_share"]["value"]) == (1, 1)
        of_items = found["items_done_share@cancelar_produtos"]  # the demo never cancels Aya Audiobooks
        assert (of_items["value"], of_items["count"]) == (0.5, 2)
        assert found["questions_per_transaction"]["value"] == 2
        assert found["amendments_per_transaction"]["value"] == 1
        assert 0 < found["time_to_question_p50_s"]["value"] < 30
        assert (found["items_not_named_in_answer"]["value"], found["items_not_named_in_answer"]["count"]) == (0, 1)

        await replay_without_an_item(place, kafka, customer)
        found = await evaluate(place, status=1)
    assert found["transactions"]["value"] == 2
    (evidence,) = found["items_not_named_in_answer"]["evidence"]
    assert evidence["transaction_id"].startswith("tx_again_")
    for shown in ("evaluation.txt", "evaluation.html"):
        assert evidence["transaction_id"] in (tmp_path / shown).read_text("utf-8")
