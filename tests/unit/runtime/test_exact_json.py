"""Numbers and texts that come back as they were written."""

from datetime import UTC, datetime

import orjson
import pytest

from contracts.checkpoint import Checkpoint
from contracts.gateway_request import GatewayRequest
from pipeline.runtime import exact_json, serde
from pipeline.runtime.changelog import Restored, encode_checkpoint
from pipeline.runtime.ports import RawRecord

PROTOCOL = 20_261_130_123_456_789_012
"""Twenty digits, more than 64 bits hold."""


def test_a_protocol_of_twenty_digits_survives_a_topic() -> None:
    text = b'{"channel":"web","payload":{"message":"oi","session_id":"s","message_id":"m"},"metadata":{"protocol":%d}}'
    record = RawRecord("gateway.requests", 0, 0, 0, b"k", text % PROTOCOL)
    request = serde.decode(record, GatewayRequest, "gateway.requests", internal=False)
    assert isinstance(request, GatewayRequest)
    assert request.metadata["protocol"] == PROTOCOL
    assert str(PROTOCOL).encode() in serde.encode(request)


def test_a_protocol_of_twenty_digits_survives_the_state_topic() -> None:
    body = {"result": {"protocol": PROTOCOL, "name": "ação"}}
    checkpoint = Checkpoint(
        stage="execute",
        key="t:a:s",
        sequence=1,
        input_position="x",
        written_at=datetime(2026, 1, 1, tzinfo=UTC),
        body=body,
    )
    restored = Restored(checkpoints={})
    restored.apply(RawRecord("state.execute", 0, 0, 0, b"t:a:s", encode_checkpoint(checkpoint)))
    assert restored.checkpoints["t:a:s"].body == body


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b'{"a":NaN,"b":12345678901234567890}', id="NaN"),
        pytest.param(b'{"a":"\\ud800","b":12345678901234567890}', id="half a character"),
        pytest.param(b'{"a":"\xff","b":12345678901234567890}', id="no UTF-8"),
    ],
)
def test_what_is_no_json_stays_refused_beside_a_large_number(text: bytes) -> None:
    with pytest.raises(orjson.JSONDecodeError):
        exact_json.loads(text)


def test_levels_that_python_does_not_read_are_read_by_orjson() -> None:
    deep = b"[" * 1_000 + b"1" * 19 + b"]" * 1_000
    assert isinstance(exact_json.loads(deep), list)
