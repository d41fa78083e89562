"""Every contract with its examples: what is read, what is refused and why, what the schema says."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import jsonschema_rs
import pytest
from pydantic import ValidationError

from consumers.schemas.known_contracts import ALL, SPEC_012, Example, examples_of, find, places_of, schema_of
from contracts.base import Contract
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.serde import decode, encode

EXAMPLES = [example for contract in ALL for example in examples_of(contract)]
VALID = [example for example in EXAMPLES if example.field is None]
INVALID = [example for example in EXAMPLES if example.field is not None]
OF_THE_SPECIFICATION = {
    "gateway-request-v1": 4,
    "channel-response-v1": 5,
    "business-context-v1": 6,
    "agent-state-v1": 7,
    "tool-invocation-v1": 8,
    "tool-result-v1": 9,
    "llm-request-v1": 10,
    "llm-response-v1": 11,
    "evaluation-run-v1": 12,
    "event-envelope-v1": 13,
}


def named(example: Example) -> str:
    return f"{example.contract.VERSION} {example.path.stem}"


def record(value: bytes) -> RawRecord:
    return RawRecord(topic="t", partition=0, offset=0, timestamp_ms=0, key=None, value=value)


def test_all_fourteen_contracts_of_the_specification_exist() -> None:
    assert len({contract.VERSION for contract in SPEC_012}) == 14


@pytest.mark.parametrize("contract", ALL, ids=lambda contract: contract.VERSION)
def test_a_contract_has_valid_and_invalid_examples(contract: type[Contract]) -> None:
    fields = [example.field for example in examples_of(contract)]
    assert None in fields
    assert any(fields)


@pytest.mark.parametrize(("version", "section"), OF_THE_SPECIFICATION.items())
def test_the_specification_s_own_example_is_among_them(version: str, section: int) -> None:
    contract = find(version)
    assert contract is not None
    assert f"spec-012-section-{section}.json" in {example.path.name for example in examples_of(contract)}


@pytest.mark.parametrize("example", VALID, ids=named)
def test_a_valid_example_is_read_and_written_back_with_all_it_said(example: Example) -> None:
    read = example.contract.model_validate(example.data)
    again = json.loads(read.model_dump_json())
    assert list(lost(example.data, again)) == []
    assert example.contract.model_validate(again) == read


@pytest.mark.parametrize("example", VALID, ids=named)
def test_a_valid_example_survives_a_topic(example: Example) -> None:
    read = example.contract.model_validate(example.data)
    assert decode(record(encode(read)), example.contract, "t", internal=True) == read


@pytest.mark.parametrize("example", VALID, ids=named)
def test_unknown_fields_are_kept_at_every_depth(example: Example) -> None:
    marked = with_unknown_fields(example.data)
    again = json.loads(example.contract.model_validate(marked).model_dump_json())
    assert list(lost(marked, again)) == []


@pytest.mark.parametrize("example", INVALID, ids=named)
def test_an_invalid_example_is_refused_naming_its_field(example: Example) -> None:
    with pytest.raises(ValidationError) as refused:
        example.contract.model_validate(example.data)
    assert example.field in {".".join(map(str, problem["loc"])) for problem in refused.value.errors()}


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_an_example_does_what_its_place_says(example: Example) -> None:
    assert example.problem() is None


def test_an_example_in_the_wrong_place_is_told(tmp_path: Any) -> None:
    good, bad = VALID[0], INVALID[0]
    assert "is accepted" in (Example(good.contract, good.path, "channel").problem() or "")
    assert "is refused" in (Example(bad.contract, bad.path, None).problem() or "")
    broken = tmp_path / "x.json"
    broken.write_text("{")
    assert "is no JSON" in (Example(good.contract, broken, None).problem() or "")


@pytest.mark.parametrize("contract", ALL, ids=lambda contract: contract.VERSION)
def test_the_schema_describes_every_field(contract: type[Contract]) -> None:
    schema = schema_of(contract)
    parts = {contract.__name__: schema, **schema.get("$defs", {})}
    silent = [
        f"{title}.{name}"
        for title, part in parts.items()
        for name, field in part.get("properties", {}).items()
        if not str(field.get("description", "")).strip()
    ]
    assert silent == []
    assert [title for title, part in parts.items() if not part.get("description")] == []


@pytest.mark.parametrize("example", VALID, ids=named)
def test_the_schema_accepts_what_the_model_writes(example: Example) -> None:
    written = json.loads(example.contract.model_validate(example.data).model_dump_json())
    jsonschema_rs.Draft202012Validator(schema_of(example.contract)).validate(written)


@pytest.mark.parametrize("contract", ALL, ids=lambda contract: contract.VERSION)
def test_a_contract_says_where_it_travels(contract: type[Contract]) -> None:
    assert places_of(contract)


@pytest.mark.parametrize("name", ["GatewayRequest", "gateway-request", "gateway-request-v1", "gatewayrequest"])
def test_a_contract_is_found_by_any_of_its_names(name: str) -> None:
    found = find(name)
    assert found is not None
    assert found.VERSION == "gateway-request-v1"


def lost(said: Any, kept: Any, path: str = "") -> Iterator[str]:
    """Paths of `said` that `kept` does not hold with the same value; an instant may be written with another offset."""
    if isinstance(said, dict):
        if not isinstance(kept, dict):
            yield path
            return
        for name, value in said.items():
            if name not in kept:
                yield f"{path}.{name}"
            else:
                yield from lost(value, kept[name], f"{path}.{name}")
    elif isinstance(said, list):
        if not isinstance(kept, list) or len(said) != len(kept):
            yield path
        else:
            for place, (one, other) in enumerate(zip(said, kept, strict=True)):
                yield from lost(one, other, f"{path}.{place}")
    elif (said != kept and not _same_instant(said, kept)) or isinstance(said, bool) is not isinstance(kept, bool):
        yield path


def _same_instant(said: Any, kept: Any) -> bool:
    try:
        return datetime.fromisoformat(said) == datetime.fromisoformat(kept)
    except (TypeError, ValueError):
        return False


def with_unknown_fields(data: Any) -> Any:
    """The same with a field nobody knows in every object."""
    if isinstance(data, dict):
        return {**{name: with_unknown_fields(value) for name, value in data.items()}, "x_unknown": "kept"}
    if isinstance(data, list):
        return [with_unknown_fields(value) for value in data]
    return data
