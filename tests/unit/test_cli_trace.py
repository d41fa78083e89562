"""Rows of a trace: their order, their words, and what they hide."""

import json
from typing import Any

import pytest

from consumers.cli.trace_rows import HIDDEN, Row, hidden, rows_of
from pipeline.runtime.broker_release import metadata_level, release_of
from pipeline.runtime.ports import RawRecord

KEY = "default:retail_orders:s1"
TURN = {"conversation_key": KEY, "message_id": "m1", "business_context": {"customer_key": "11999999999"}}
TRANSACTION = {
    "transaction_id": "tx_1",
    "revision": 1,
    "tool": "cancelar_pedidos",
    "arguments": {"order_ids": ["P-100"]},
}


def record(topic: str, at_ms: int, value: Any, offset: int = 0, **headers: str) -> tuple[str, RawRecord]:
    raw = RawRecord(
        topic=topic,
        partition=0,
        offset=offset,
        timestamp_ms=at_ms,
        key=KEY.encode(),
        value=value if isinstance(value, bytes) else json.dumps(value).encode(),
        headers=tuple((name, text.encode()) for name, text in headers.items()),
    )
    return topic, raw


def request(at_ms: int, message: str = "m1") -> tuple[str, RawRecord]:
    payload = {"message": "quero cancelar o P-100", "message_id": message, "business_context": TURN["business_context"]}
    return record("gateway.requests", at_ms, {"channel": "web", "payload": payload})


def event(at_ms: int, kind: str, stage: str, sequence: int = 1, **payload: Any) -> tuple[str, RawRecord]:
    return record(
        "events.ic",
        at_ms,
        {"event_type": kind, "stage": stage, "sequence": sequence, "payload": payload, "message_id": "m1"},
        offset=100 - sequence,
    )


def response(at_ms: int) -> tuple[str, RawRecord]:
    metadata = {"route": "confirm", "kind": "confirmation", "transaction_id": "tx_1", "message_id": "m1"}
    return record("channel.web.responses", at_ms, {"text": "Você confirma?", "metadata": metadata})


def normalize(at_ms: int) -> tuple[str, RawRecord]:
    value = {
        "turn": TURN,
        "transaction": TRANSACTION,
        "fate": "answered",
        "attempts": 1,
        "invocation": {"tool_name": "cancelar_pedidos", "arguments": {"order_ids": ["P-100"]}},
        "result": {"ok": True, "latency_ms": 12, "data": {"results": [{"protocol": "ABC1"}]}},
    }
    return record("pipeline.normalize", at_ms, value)


def whats(rows: list[Row]) -> list[str]:
    return [row.what for row in rows]


def test_rows_of_one_millisecond_are_in_the_order_of_the_flow() -> None:
    records = [
        response(5),
        record("pipeline.confirm", 5, {"command": {"kind": "propose", "turn": TURN, "transaction": TRANSACTION}}),
        event(5, "IC.TRANSACTION_CONFIRMATION_REQUIRED", "confirm"),
        event(5, "IC.INTENT_DETECTED", "reconcile", 2),
        event(5, "IC.GATEWAY_RECEIVED", "reconcile", 1),
        request(5),
    ]
    assert whats(rows_of(records)) == [
        "web",
        "IC.GATEWAY_RECEIVED",
        "IC.INTENT_DETECTED",
        "→ confirm propose",
        "IC.TRANSACTION_CONFIRMATION_REQUIRED",
        "confirmation",
    ]


def test_time_comes_before_the_flow() -> None:
    assert whats(rows_of([request(9), event(5, "IC.AGENT_COMPLETED", "normalize")])) == ["IC.AGENT_COMPLETED", "web"]


def test_a_call_is_told_with_outcome_and_duration() -> None:
    call, handed_on = rows_of([normalize(5)])
    assert (call.kind, call.where, call.what) == ("call", "execute", "call cancelar_pedidos")
    assert call.detail == "ok, 12 ms, 1 call(s)"
    assert handed_on.what == "→ normalize answered"


def test_business_keys_arguments_and_answers_are_hidden() -> None:
    told = json.dumps([row.as_json() for row in rows_of([request(1), normalize(5)])])
    for secret in ("11999999999", "ABC1", '["P-100"]'):
        assert secret not in told
    assert HIDDEN in told


def test_they_are_shown_when_asked_for() -> None:
    rows = rows_of([request(1), normalize(5)], show_content=True)
    assert "11999999999" in rows[0].detail
    assert "ABC1" in rows[1].detail


def test_hiding_keeps_empty_fields_and_everything_else() -> None:
    assert hidden({"a": [{"arguments": {}}], "business_context": {"k": 1}}) == {
        "a": [{"arguments": {}}],
        "business_context": HIDDEN,
    }


def test_a_transaction_s_rows_come_with_the_messages_they_answer() -> None:
    records = [request(1, "m1"), request(2, "m9"), normalize(5), event(6, "IC.GATEWAY_RECEIVED", "reconcile")]
    assert whats(rows_of(records, transaction="tx_1")) == ["web", "call cancelar_pedidos", "→ normalize answered"]


def test_a_verdict_is_told_as_reconcile_s_word() -> None:
    verdict = {
        "kind": "verdict",
        "turn": TURN,
        "transaction_id": "tx_1",
        "revision": 1,
        "verdict": "accept",
        "rule": "R",
    }
    (row,) = rows_of([record("pipeline.confirm", 1, {"command": verdict})])
    assert (row.where, row.what) == ("reconcile", "→ confirm accept")
    assert row.detail.endswith(", R")


@pytest.mark.parametrize("value", [b"{", b"\xff", b"[]"], ids=["no JSON", "no UTF-8", "no object"])
def test_a_request_that_is_not_readable_is_a_row_too(value: bytes) -> None:
    (row,) = rows_of([record("gateway.requests", 1, value)])
    assert row.what == "not readable"


def test_a_dead_letter_says_why_it_is_there() -> None:
    (row,) = rows_of(
        [
            record(
                "dlq.reconcile",
                1,
                b"{",
                dlq_error="ContractViolation",
                dlq_field="channel",
                dlq_text="channel is required",
                dlq_origin_topic="gateway.requests",
                dlq_origin_partition="1",
                dlq_origin_offset="42",
            )
        ]
    )
    assert row.detail == "ContractViolation (field channel): channel is required [from gateway.requests/1/42]"


@pytest.mark.parametrize(
    ("level", "release"), [(25, "4.0"), (29, "4.2"), (30, "4.3"), (33, "4.4"), (34, None), (7, None), (None, None)]
)
def test_a_release_is_known_by_its_newest_metadata_version(level: int | None, release: str | None) -> None:
    assert release_of(level) == release


def test_an_answer_without_features_tells_no_level() -> None:
    nothing = b"\0\0\0\1" + b"\0\0" + b"\1" + b"\0\0\0\0" + b"\0"
    assert metadata_level(nothing) is None


def test_an_answer_to_another_request_is_refused() -> None:
    with pytest.raises(ValueError, match="no answer"):
        metadata_level(b"\0\0\0\2" + b"\0" * 10)
