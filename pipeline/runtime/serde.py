"""Bytes on a topic and contracts, both ways, with the headers every record of ours carries.

Owns: reading errors as Rejections that name the field; content-type, contract_version and traceparent headers.
Invariants: what is written can be read back equal; a dead letter has the original's headers as they were and `dlq_*` of ours, so it
is a CloudEvent exactly when the original was one; what others wrote is read by runtime/outside, strictly; a newer major version of an
internal record is told apart from a bad one.
Source: DESIGN 3; CloudEvents 1.0 Kafka binding (binary mode); W3C Trace Context.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson
from pydantic import ValidationError

from contracts.base import Contract
from contracts.channel_response import ChannelResponse
from contracts.evolution.upcasting import UPCASTS, NotLifted, Upcaster, first_major, read, version_said
from contracts.identity import digest
from pipeline.decision import Position, Rejection
from pipeline.runtime import cloud_events, exact_json, outside
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.strict_json import Refused

MOVED_AT = "first_broker_time"
"""Header of a record that was moved to its right place: its first broker time, milliseconds."""

DLQ_TEXT_MAX = 2_000
"""Characters of a dead letter's text: a field's path may hold a key of any length."""
NEVER_BEFORE_MS, NEVER_AFTER_MS = 0, 253_402_300_799_000
"""Broker times beyond these (1970, the end of 9999) are no instants; they count as the nearest one."""

_VERSION = re.compile(r"^(?P<name>[a-z-]+)-v(?P<major>\d+)")
_TRACE_ID = re.compile(r"^(?!0{32})[0-9a-f]{32}\Z")
_MILLISECONDS = re.compile(r"^[0-9]{1,15}\Z")
"""ASCII digits, few enough for int(): str.isdigit() lets through what int() refuses, and any client can write a header."""


class NewerVersion(Exception):
    """An internal record or state value of a newer major version: readers must be deployed first."""


def instant(timestamp_ms: int) -> datetime:
    """Broker time as UTC; never raises, whatever a client has written."""
    return datetime.fromtimestamp(min(max(timestamp_ms, NEVER_BEFORE_MS), NEVER_AFTER_MS) / 1000, UTC)


def text_headers(record: RawRecord) -> dict[str, str]:
    """Headers as text; the last of a name counts."""
    return {name: value.decode("utf-8", "replace") for name, value in record.headers}


def first_broker_time(record: RawRecord) -> datetime:
    """When the broker first saw the record; a moved record tells it in a header, never later than its own time."""
    said = text_headers(record).get(MOVED_AT, "")
    moved = int(said) if _MILLISECONDS.match(said) else record.timestamp_ms
    return instant(min(moved, record.timestamp_ms))


def _rejection(record: RawRecord, logical: str, **fields: Any) -> Rejection:
    return Rejection(
        position=Position(topic=logical, partition=record.partition, offset=record.offset),
        at=first_broker_time(record),
        headers=text_headers(record),
        **fields,
    )


def field_of(error: ValidationError) -> tuple[str, str]:
    """Dotted path and text of the first problem."""
    problem = error.errors(include_url=False, include_input=False)[0]
    path = ".".join(str(part) for part in problem["loc"])
    text = problem["msg"].removeprefix("Value error, ")
    return path, "is required" if problem["type"] == "missing" else text


def decode(
    record: RawRecord, contract: type[Contract], logical: str, *, internal: bool, upcasts: Sequence[Upcaster] = UPCASTS
) -> Contract | Rejection:
    """Read a value, one of an older major version lifted to ours. Raises: NewerVersion for an internal record of a later one."""
    headers = text_headers(record)
    if internal:
        said = _VERSION.match(headers.get("contract_version", ""))
        ours = _VERSION.match(contract.VERSION)
        if said and ours and int(said["major"]) > int(ours["major"]):
            raise NewerVersion(
                f"{logical} holds {said[0]}; this program reads {contract.VERSION}: deploy the newer readers first"
            )
    try:
        data = _object_in(record) if internal else outside.request_data(record.value, headers)
    except Refused as refused:
        error = "UndecodableRecord" if refused.undecodable else "ContractViolation"
        return _rejection(record, logical, error=error, text=refused.text, field=refused.field, data=refused.data)
    try:
        version = version_said(headers, data) or (None if internal else first_major(contract.VERSION))
        return read(data, version, contract, upcasts)
    except NotLifted as error:
        text = f"{error.field} {error}"
        return _rejection(record, logical, error="ContractViolation", text=text, field=error.field, data=data)
    except ValidationError as error:
        path, text = field_of(error)
        return _rejection(record, logical, error="ContractViolation", text=f"{path} {text}", field=path, data=data)


def _object_in(record: RawRecord) -> dict[str, Any]:
    """The JSON of a record of ours. Raises: Refused."""
    if not record.value:
        raise Refused("value", "the value is empty", undecodable=True)
    try:
        data = exact_json.loads(record.value)
    except orjson.JSONDecodeError as error:
        raise Refused("value", f"the value is not UTF-8 JSON: {error}", undecodable=True) from error
    if not isinstance(data, dict):
        raise Refused("value", f"the value must be a JSON object, not {type(data).__name__}")
    return data


def encode(value: Contract) -> bytes:
    """Write a contract; fields without a value are left out. What a customer reads is NFC, whatever a tool called its items."""
    if isinstance(value, ChannelResponse) and not unicodedata.is_normalized("NFC", value.text):
        value = value.model_copy(update={"text": unicodedata.normalize("NFC", value.text)})
    return value.model_dump_json(exclude_none=True).encode()


def output_headers(
    value: Contract, *, source: str, event_id: str, time: datetime, trace_id: str | None
) -> tuple[tuple[str, bytes], ...]:
    """Headers of a record of ours; `event_id` names the input that caused it and its place among the outputs."""
    headers: dict[str, str] = {
        "content-type": "application/json",
        "contract_version": value.VERSION,
        **cloud_events.attributes(value, source=source, cause=event_id, time=time),
    }
    if trace_id:
        headers["traceparent"] = traceparent(trace_id, event_id)
    return tuple((name, text.encode()) for name, text in headers.items())


def traceparent(trace_id: str, span_seed: str) -> str:
    """W3C traceparent; an id that is no W3C trace id is hashed to one, always the same."""
    trace = trace_id if _TRACE_ID.match(trace_id) else digest(trace_id)[:32]
    return f"00-{trace}-{digest(span_seed)[:16]}-01"


def dead_letter_headers(rejection: Rejection, attempts: int, original: RawRecord) -> tuple[tuple[str, bytes], ...]:
    """The original's headers, then what happened to it."""
    position = rejection.position
    added: Mapping[str, str] = {
        "dlq_error": rejection.error,
        "dlq_text": rejection.text[:DLQ_TEXT_MAX],
        "dlq_field": (rejection.field or "")[:DLQ_TEXT_MAX],
        "dlq_attempts": str(attempts),
        "dlq_origin_topic": position.topic,
        "dlq_origin_partition": str(position.partition),
        "dlq_origin_offset": str(position.offset),
        "dlq_origin_timestamp_ms": str(original.timestamp_ms),
    }
    kept = tuple((name, value) for name, value in original.headers if name not in added)
    return (*kept, *((name, text.encode()) for name, text in added.items()))
