"""JSON from outside: what is accepted is read as everybody reads it, what is ambiguous is refused by its place."""

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.channel_response import ChannelResponse, ResponseMetadata
from contracts.gateway_request import GatewayRequest
from pipeline.decision import Rejection
from pipeline.runtime import outside, serde, strict_json
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.strict_json import Refused
from tests.installation import request

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.booleans())
@settings(max_examples=150, deadline=None)
def test_every_value_comes_back_as_it_was_written(value: Any, ascii_only: bool) -> None:
    assert strict_json.loads(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(VALUES, TEXTS, VALUES, VALUES)
@settings(max_examples=100, deadline=None)
def test_a_key_twice_is_found_wherever_it_is(value: Any, key: str, one: Any, other: Any) -> None:
    twice = "{" + ", ".join(f"{json.dumps(key)}: {json.dumps(inner)}" for inner in (one, other)) + "}"
    text = json.dumps([value, "MARK", value]).replace('"MARK"', twice, 1)
    with pytest.raises(Refused, match="occurs twice"):
        strict_json.loads(text.encode())


@pytest.mark.parametrize(
    ("text", "field", "why"),
    [
        pytest.param('{"a": {"b": 1, "b": 1}}', "a.b", "occurs twice", id="a key twice"),
        pytest.param('{"a": [0, {"b": 1, "\\u0062": 2}]}', "a.1.b", "occurs twice", id="once escaped"),
        pytest.param('{"Ana Souza": {"x": 1, "x": 2}}', "*.x", "occurs twice", id="a key that is no name is not shown"),
        pytest.param('{"a": 0.12345678901234567891}', "a", "more digits", id="digits that would be lost"),
        pytest.param('{"a": 1e-400}', "a", "more digits", id="a number that would become zero"),
        pytest.param('{"a": "\\u0000"}', "a", "U+0000", id="U+0000"),
        pytest.param('{"a\\u0000": 1}', "value", "U+0000", id="U+0000 in a key"),
        pytest.param('{"payload": {"message": {"a": "\\u0000"}}}', "payload.message.a", "U+0000", id="not the message"),
        pytest.param('{"a": ' + "[" * 64 + "]" * 64 + "}", "value", "a.0.0", id="depth tells where it goes down"),
        pytest.param("[" * 9_000, "value", "nested deeper", id="depth beyond every reader"),
        pytest.param("{", "value", "not UTF-8 JSON", id="no JSON"),
    ],
)
def test_refusal_names_the_place_and_the_reason(text: str, field: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        strict_json.loads(text.encode())
    assert refused.value.field == field
    assert why in refused.value.text
    assert "Ana" not in refused.value.text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("20261130123456789012", 20261130123456789012, id="twenty digits"),
        pytest.param("0.1000000000000000055511151231257827021181583404541015625", 0.1, id="0.1 digit by digit"),
        pytest.param("0.10000000000000001", 0.1, id="0.1 in 17 digits, as PHP wrote it"),
        pytest.param("19.900000000000000000", 19.9, id="zeros at the end"),
        pytest.param('"\\u0000"', None, id="U+0000 in the message is left to the stage"),
    ],
)
def test_number_and_text_that_lose_nothing_are_accepted(text: str, value: Any) -> None:
    read = strict_json.loads(b'{"payload": {"message": %s}}' % text.encode())["payload"]["message"]
    assert read == ("\0" if value is None else value)


GOOD = json.dumps(request("quero cancelar o Deezer")).encode()


@given(
    st.binary(max_size=40)
    | st.tuples(st.integers(0, len(GOOD)), st.integers(0, 12), st.binary(max_size=6)).map(
        lambda cut: GOOD[: cut[0]] + cut[2] + GOOD[cut[0] + cut[1] :]
    ),
    st.lists(st.tuples(st.sampled_from(["content-type", "contract_version", "ce_type", "x"]), st.binary(max_size=12))),
)
@settings(max_examples=300, deadline=None)
def test_no_bytes_and_no_headers_bring_anything_but_a_request_or_a_rejection(
    value: bytes, headers: list[tuple[str, bytes]]
) -> None:
    record = RawRecord("gateway.requests", 0, 0, 5_000, None, value, tuple(headers))
    read = serde.decode(record, GatewayRequest, "gateway.requests", internal=False)
    assert isinstance(read, GatewayRequest | Rejection)
    if isinstance(read, GatewayRequest):
        assert GatewayRequest.model_validate_json(serde.encode(read)) == read
    else:
        assert read.field
        assert read.text


def test_words_of_people_become_nfc_and_ids_stay_as_they_are() -> None:
    decomposed = unicodedata.normalize("NFD", "ação")
    arguments = {"items": [{"name": decomposed}]}
    given = request(decomposed, payload__session_id=decomposed, payload__metadata={"arguments": arguments})
    data = outside.request_data(json.dumps(given).encode(), {})
    assert data["payload"]["message"] == "ação"
    assert data["payload"]["metadata"]["arguments"] == {"items": [{"name": "ação"}]}
    assert data["payload"]["session_id"] == decomposed
    assert isinstance(GatewayRequest.model_validate(data), GatewayRequest)


def test_answer_is_written_in_nfc_whatever_a_tool_called_its_item() -> None:
    text = unicodedata.normalize("NFD", "Cancelei Ação")
    response = ChannelResponse(
        channel="web", session_id="t:a:s", text=text, metadata=ResponseMetadata(tenant_id="t", agent_id="a")
    )
    assert json.loads(serde.encode(response))["text"] == "Cancelei Ação"
