"""The catalogue of events says what the code emits, no more and no less."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from contracts.event_catalogue import EVENTS, PAYLOAD
from contracts.event_envelope import EventEnvelope
from pipeline.testing.driver import Driver
from pipeline.testing.tools import answered, lost, not_sent
from pipeline.topology import StageName
from tests.installation import installation
from tests.scripted import demo_tools
from tests.stages import stages

ROOT = Path(__file__).parents[2]
READERS = [
    ROOT / folder for folder in ("pipeline/testing", "consumers/chaos", "consumers/evaluate", "consumers/schemas")
]
"""They name events without emitting any."""
SOURCES = sorted(
    path
    for folder in ("pipeline", "consumers")
    for path in (ROOT / folder).rglob("*.py")
    if not any(path.is_relative_to(reader) for reader in READERS)
)
NAME = re.compile(r"^(IC|NOC|GRL)\.[A-Z_]+\Z")
BY_NAME = {event.name: event for event in EVENTS}
OPENING = "quero cancelar TIM Fashion e Neymar Jr"
CUSTOMER = {"customer_key": "11999999999", "contract_key": "3000131180"}


def literals(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and NAME.match(node.value):
            yield node.value


@cache
def emitted() -> dict[str, set[str]]:
    """Payload fields by the event's name, of every call that names both; events told of otherwise have no fields here."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for name in literals(tree):
            found[name] |= set()
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args):
            if isinstance(call.func, ast.Attribute) and call.func.attr == "event":
                for name in literals(call.args[0]):
                    found[name] |= {keyword.arg for keyword in call.keywords if keyword.arg is not None}
    return found


def test_catalogue_holds_every_event_that_the_code_emits_and_no_other() -> None:
    assert emitted().keys() == BY_NAME.keys()


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
def test_event_of_the_catalogue_has_every_field_that_the_code_gives_it(event: Any) -> None:
    assert emitted()[event.name] <= set(event.payload)
    assert set(event.payload) <= PAYLOAD.keys()
    assert set(event.stages) <= set(StageName)


def test_catalogue_describes_no_field_that_no_event_has() -> None:
    assert {field for event in EVENTS for field in event.payload} == PAYLOAD.keys()


def test_events_of_conversations_are_as_the_catalogue_says() -> None:
    results = [{"id": "1001", "subject": "TIM Fashion Mensal", "success": True}, {"id": "1003", "success": False}]
    seen: list[EventEnvelope] = []
    for answer in (answered({"ok": True, "result": {"results": results}}), not_sent(), lost()):
        chosen = installation()
        world = Driver(chosen, stages(chosen), demo_tools(cancelar_produtos=[answer]))
        world.put_raw({"channel": "web", "payload": {"message": "oi"}})
        for text in (OPENING, "quanto vou pagar?", "talvez", "sim", "oi", OPENING, "tira o Neymar", "não", OPENING):
            world.put(text, business_context=CUSTOMER)
            world.settle()
        world.advance(3_600_000)
        seen += world.events
    assert len({event.event_type for event in seen}) >= 15
    for event in seen:
        spec = BY_NAME[event.event_type]
        assert event.stage in spec.stages
        assert event.payload.keys() <= set(spec.payload), event.event_type
        for field, value in event.payload.items():
            jsonschema_rs.validate(PAYLOAD[field].schema, value)
