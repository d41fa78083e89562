"""The AsyncAPI document is valid and says every topic and contract."""

from pathlib import Path
from typing import Any

import jsonschema_rs
import orjson
import pytest

from consumers.asyncapi import document
from pipeline import topology

SCHEMA = orjson.loads((Path(__file__).parents[1] / "data" / "asyncapi-3.0.0.schema.json").read_bytes())


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return document(("web", "voice"), version="0.1.0", prefix="x")


def test_the_document_keeps_to_the_official_schema(made: dict[str, Any]) -> None:
    jsonschema_rs.validate(SCHEMA, orjson.loads(orjson.dumps(made)))


def test_every_topic_is_a_channel_and_every_reference_exists(made: dict[str, Any]) -> None:
    addresses = {channel["address"] for channel in made["channels"].values()}
    assert addresses == {f"x.{spec.name}" for spec in topology.topics(("web", "voice"))}
    for reference in references(made):
        place: Any = made
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]


def references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [found for child in value.values() for found in references(child)]
    if isinstance(value, list):
        return [found for child in value for found in references(child)]
    return []


def test_readers_of_our_outputs_are_told_to_read_committed(made: dict[str, Any]) -> None:
    assert "read_committed" in made["channels"]["channel_web_responses"]["description"]
    assert "read_committed" in made["channels"]["events_ic"]["description"]
