"""Conversations as customers have them, in three languages on three channels: every word, every effect, on the real pipeline."""

import asyncio
import dataclasses

import orjson
import pytest

from consumers.local_kafka.process import locked
from tests.conversations.transcript import as_expected, last_of, load, names
from tests.integration.conversing import Played, Season, play_all

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def season(kafka: str, tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Season:
    """All conversations, played once for all the workers of this session: the first plays, the others read."""
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    results = shared / "conversations.json"
    with locked(shared / "conversations.lock", timeout_s=280):
        if not results.exists():
            played = asyncio.run(play_all(kafka, tmp_path_factory.mktemp("conversations")))
            results.write_bytes(orjson.dumps(dataclasses.asdict(played)))
    data = orjson.loads(results.read_bytes())
    return Season({name: Played(**one) for name, one in data["played"].items()}, data["leaks"], data["events"])


@pytest.mark.parametrize("name", names())
def test_conversation_goes_as_written(season: Season, name: str) -> None:
    script, played = load(name), season.played[name]
    said = [turn.said for turn in script.turns]
    expected = [
        (text, [answer.strip() for answer in turn.answers]) for text, turn in zip(said, script.turns, strict=True)
    ]
    *turns, late = played.turns
    told = [(text, as_expected(wanted, answers)) for (text, wanted), answers in zip(expected, turns, strict=False)]

    assert told == expected, played.failure
    assert late == []
    assert played.failure is None
    assert last_of(played.last) == script.last
    assert played.effects == sorted(script.effects)


def test_no_customer_product_or_order_is_in_any_event(season: Season) -> None:
    assert season.leaks == []
    assert season.events > 10 * len(season.played)


def test_there_are_conversations_of_every_kind() -> None:
    scripts = [load(name) for name in names()]
    assert len(scripts) >= 24
    assert {script.channel for script in scripts} == {"web", "whatsapp", "voice"}
    assert {script.agent for script in scripts} == {"telecom_contas", "retail_orders"}
    assert {script.locale or "pt-BR" for script in scripts} == {"pt-BR", "en", "es"}
    assert {script.place for script in scripts} == {"usual", "impatient", "server_down"}


@pytest.mark.parametrize("name", [name for name in names() if load(name).channel == "voice"])
def test_voice_hears_no_symbol(season: Season, name: str) -> None:
    texts = [text for turn in season.played[name].turns for text in turn]
    assert texts
    assert not [text for text in texts for sign in "*_#()[]{}<>|/$%&@\n" if sign in text]
    assert not [text for text in texts if text.startswith("- ") or " - " in text or "•" in text]
