"""Bytes and contracts: what is refused says which field, what is written can be read back."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from contracts.confirm_command import ConfirmCommand
from contracts.gateway_request import GatewayRequest
from pipeline.decision import Rejection
from pipeline.runtime import serde
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.strict_json import DEPTH_MAX

GOOD = b'{"channel":"web","tenant_id":"t","agent_id":"a","payload":{"message":"oi","session_id":"s","message_id":"m"},"novo":1}'


def record(value: bytes | None, *headers: tuple[str, bytes], timestamp_ms: int = 5_000) -> RawRecord:
    return RawRecord("gateway.requests", 0, 7, timestamp_ms, b"k", value, headers)


def decode(value: bytes | None) -> object:
    return serde.decode(record(value), GatewayRequest, "gateway.requests", internal=False)


def test_a_request_is_read_and_unknown_fields_are_written_back() -> None:
    request = decode(GOOD)
    assert isinstance(request, GatewayRequest)
    assert b'"novo":1' in serde.encode(request)


@pytest.mark.parametrize(
    ("value", "error", "field"),
    [
        pytest.param(b"", "UndecodableRecord", "value", id="empty"),
        pytest.param(None, "UndecodableRecord", "value", id="a tombstone"),
        pytest.param(b"{", "UndecodableRecord", "value", id="cut off"),
        pytest.param(b'{"channel":"\xff"}', "UndecodableRecord", "value", id="not UTF-8"),
        pytest.param(b"[1]", "ContractViolation", "value", id="an array"),
        pytest.param(b'{"payload":{}}', "ContractViolation", "channel", id="no channel"),
        pytest.param(GOOD.replace(b'"oi"', b'"  "'), "ContractViolation", "payload.message", id="a blank message"),
        pytest.param(
            GOOD.replace(b'"session_id":"s",', b""), "ContractViolation", "payload.session_id", id="no session"
        ),
        pytest.param(
            GOOD.replace(b'{"message"', b'["message"').replace(b'"m"}', b'"m"]').replace(b'":"', b'","'),
            "UndecodableRecord",
            "value",
            id="broken",
        ),
        pytest.param(
            GOOD.replace(b'"m"', b"12"), "ContractViolation", "payload.message_id", id="an id that is a number"
        ),
    ],
)
def test_what_can_not_be_read_names_its_field(value: bytes | None, error: str, field: str) -> None:
    rejection = decode(value)
    assert isinstance(rejection, Rejection)
    assert (rejection.error, rejection.field) == (error, field)


def test_a_newer_major_version_of_an_internal_record_is_told_apart() -> None:
    newer = record(b"{}", ("contract_version", b"confirm-command-v2"))
    with pytest.raises(serde.NewerVersion, match="deploy the newer readers first"):
        serde.decode(newer, ConfirmCommand, "pipeline.confirm", internal=True)


def test_a_moved_record_keeps_its_first_broker_time_but_can_not_come_from_the_future() -> None:
    assert serde.first_broker_time(record(b"", (serde.MOVED_AT, b"3000"))) == datetime.fromtimestamp(3, UTC)
    assert serde.first_broker_time(record(b"", (serde.MOVED_AT, b"9000"))) == datetime.fromtimestamp(5, UTC)
    assert serde.first_broker_time(record(b"", (serde.MOVED_AT, b"soon"))) == datetime.fromtimestamp(5, UTC)


def test_traceparent_is_well_formed_whatever_the_trace_id() -> None:
    for trace_id in ("4bf92f3577b34da6a3ce929d0e0e4736", "req-001"):
        version, trace, span, flags = serde.traceparent(trace_id, "seed").split("-")
        assert (version, len(trace), len(span), flags) == ("00", 32, 16, "01")


@pytest.mark.parametrize(
    "said",
    [
        pytest.param("\u00b2".encode(), id="a digit that is no number"),
        pytest.param(b"9" * 5_000, id="more digits than int takes"),
        pytest.param(b"-5", id="negative"),
        pytest.param(b"3000\n", id="a line end"),
        pytest.param(b"\xff", id="no UTF-8"),
        pytest.param(b"", id="empty"),
    ],
)
def test_first_broker_time_that_no_move_of_ours_wrote_is_ignored(said: bytes) -> None:
    assert serde.first_broker_time(record(b"", (serde.MOVED_AT, said))) == datetime.fromtimestamp(5, UTC)


@pytest.mark.parametrize("timestamp_ms", [pytest.param(-1, id="none"), pytest.param(2**63 - 1, id="beyond year 9999")])
def test_broker_time_that_is_no_instant_is_read_as_the_nearest_one(timestamp_ms: int) -> None:
    assert serde.instant(timestamp_ms).year in {1970, 9999}


def nested(levels: int) -> bytes:
    return GOOD.replace(b'"novo":1', b'"novo":' + b'{"a":' * (levels - 1) + b"[]" + b"}" * (levels - 1))


def test_a_value_from_outside_that_is_nested_too_deep_is_refused() -> None:
    assert isinstance(decode(nested(DEPTH_MAX - 1)), GatewayRequest)
    rejection = decode(nested(DEPTH_MAX))
    assert isinstance(rejection, Rejection)
    assert (rejection.error, rejection.field) == ("ContractViolation", "value")
    assert isinstance(decode(nested(900)), Rejection)


def test_a_dead_letter_bounds_the_path_of_a_field_that_a_client_named() -> None:
    rejection = decode(b"{}")
    assert isinstance(rejection, Rejection)
    long = serde.dead_letter_headers(replace(rejection, field="x" * 900_000, text="y" * 900_000), 1, record(b"{}"))
    assert sum(len(name) + len(value) for name, value in long) < 10_000
