"""Recorded messages of every contract and version: what was once on a topic is read and written back without loss, for ever.

Owns: tests/data/golden/<version>/, never edited, only added to. A record of an older major is read through its upcasters.
"""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from consumers.evolution.released import released
from consumers.schemas.known_contracts import ALL
from contracts.base import Contract
from contracts.evolution.gate import split
from contracts.evolution.upcasting import read
from pipeline.runtime import exact_json
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.serde import decode, encode
from tests.contracts.test_contracts import lost, with_unknown_fields

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
RECORDED = sorted(GOLDEN.glob("*/*.json"))
OURS = {name: contract for contract in ALL for name, _ in [split(contract.VERSION) or ("", 0)]}
RELEASED = {version: jsonschema_rs.Draft202012Validator(dict(schemas[-1])) for version, schemas in released().items()}


def named(path: Path) -> str:
    return f"{path.parent.name} {path.stem}"


def contract_of(path: Path) -> type[Contract]:
    name, _ = split(path.parent.name) or ("", 0)
    return OURS[name]


def contents(path: Path) -> Any:
    return exact_json.loads(path.read_bytes())


@pytest.mark.parametrize("contract", ALL, ids=lambda contract: contract.VERSION)
def test_messages_of_every_contract_were_recorded(contract: type[Contract]) -> None:
    assert list((GOLDEN / contract.VERSION).glob("*.json"))


@pytest.mark.parametrize("path", RECORDED, ids=named)
def test_a_recorded_message_is_read_and_written_back_without_loss(path: Path) -> None:
    data, version, contract = contents(path), path.parent.name, contract_of(path)
    again = json.loads(read(data, version, contract).model_dump_json())
    if version == contract.VERSION:
        assert list(lost(data, again)) == []
    assert read(again, contract.VERSION, contract) == read(data, version, contract)


@pytest.mark.parametrize("path", RECORDED, ids=named)
def test_a_recorded_message_survives_a_topic(path: Path) -> None:
    version, contract = path.parent.name, contract_of(path)

    def taken(value: bytes, said: str) -> Any:
        headers = (("contract_version", said.encode()),)
        record = RawRecord(topic="t", partition=0, offset=0, timestamp_ms=0, key=None, value=value, headers=headers)
        return decode(record, contract, "t", internal=True)

    first = taken(path.read_bytes(), version)
    assert isinstance(first, contract)
    assert taken(encode(first), contract.VERSION) == first


@pytest.mark.parametrize("path", RECORDED, ids=named)
def test_unknown_fields_of_a_recorded_message_are_kept(path: Path) -> None:
    version, contract = path.parent.name, contract_of(path)
    if version == contract.VERSION:
        marked = with_unknown_fields(contents(path))
        assert list(lost(marked, json.loads(contract.model_validate(marked).model_dump_json()))) == []


@pytest.mark.parametrize("path", RECORDED, ids=named)
def test_a_recorded_message_keeps_to_the_released_schema(path: Path) -> None:
    RELEASED[path.parent.name].validate(json.loads(path.read_bytes()))


def test_the_events_of_every_family_and_stage_were_recorded() -> None:
    events = [contents(path) for path in (GOLDEN / "event-envelope-v1").glob("*.json")]
    assert {event["event_type"].split(".")[0] for event in events} >= {"IC", "NOC"}
    assert len({event["event_type"] for event in events}) >= 20
    assert {event["stage"] for event in events} == {"reconcile", "pre-validate", "confirm", "execute", "normalize"}
