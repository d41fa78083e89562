"""The headers of records, as data for the AsyncAPI document and the page.

Invariants: what pipeline/runtime writes has these headers and no others, state the first two (tests/contracts/test_asyncapi.py compares).
Source: CloudEvents 1.0 Kafka protocol binding (binary mode); W3C Trace Context.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Header:
    """One header; its value is UTF-8 text."""

    name: str
    meaning: str
    example: str
    required: bool = True
    pattern: str | None = None


WRITTEN = (
    Header("content-type", "How the value is written.", "application/json", pattern="^application/json$"),
    Header(
        "contract_version",
        "Contract and major version of the value; a reader stops at a newer major version.",
        "channel-response-v1",
        pattern="^[a-z-]+-v[0-9]+$",
    ),
    Header("ce_specversion", "CloudEvents: version of the specification.", "1.0", pattern=r"^1\.0$"),
    Header("ce_type", "CloudEvents `type`: the same as `contract_version`.", "channel-response-v1"),
    Header("ce_source", "CloudEvents `source`: the stage that wrote it.", "/normalize"),
    Header(
        "ce_id",
        "CloudEvents `id`: unique within its source; the same again when a record is decided again.",
        "rs_9d2a3b4c5d6e7f8091a2b3c4",
    ),
    Header("ce_time", "CloudEvents `time`: when it was decided, RFC 3339, UTC.", "2026-11-30T13:00:02.170000Z"),
    Header(
        "ce_subject",
        "CloudEvents `subject`: the conversation.",
        "default:telecom_contas:session-001",
        required=False,
    ),
    Header(
        "traceparent",
        "W3C Trace Context: the trace of the customer's message, where it came with one.",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        required=False,
        pattern="^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$",
    ),
)
"""On every record of ours; a stage's state has the first two, its tombstones none."""

STATE = WRITTEN[:2]
"""On a value of a stage's state, which is no event."""

ACCEPTED = (
    Header(
        "content-type",
        "`application/json`, or `application/cloudevents+json` for a structured CloudEvent; nothing: JSON.",
        "application/json",
        required=False,
    ),
    Header(
        "contract_version",
        "Must agree with `payload.metadata.contract_version` where both are given; neither: v1.",
        "gateway-request-v1",
        required=False,
    ),
    Header(
        "traceparent",
        "W3C Trace Context of the request: it comes back on everything that is written about it.",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        required=False,
    ),
    Header(
        "first_broker_time",
        "Only on a record that was moved to its conversation's partition: when the broker first saw it, milliseconds.",
        "1796043600000",
        required=False,
        pattern="^[0-9]{1,15}$",
    ),
    Header(
        "first_broker_seal",
        "Seal of `first_broker_time`, by the installation that moved the record: the time does not count without it.",
        "977c71deaef7bc1e",
        pattern="^[0-9a-f]{16}$",
        required=False,
    ),
)
"""What a gateway may send along; all of it may be missing, and other headers are left alone."""

DEAD_LETTER = (
    Header("dlq_error", "Kind of the error.", "ContractViolation"),
    Header("dlq_text", "What is wrong, in a sentence.", "payload.message is required"),
    Header("dlq_field", "The field at fault, as a dotted path; empty where it is none.", "payload.message"),
    Header("dlq_attempts", "How often it was tried.", "1", pattern="^[0-9]+$"),
    Header("dlq_origin_topic", "Topic it was read from, without the installation's prefix.", "gateway.requests"),
    Header("dlq_origin_partition", "Partition it was read from.", "3", pattern="^[0-9]+$"),
    Header("dlq_origin_offset", "Offset it was read from.", "48151", pattern="^[0-9]+$"),
    Header("dlq_origin_timestamp_ms", "Broker time of the original, milliseconds.", "1796043600000"),
    Header(
        "dlq_bytes_left_out",
        "Size of an original that no longer fits, bytes: the value is left out and stays at its origin.",
        "2400000",
        required=False,
        pattern="^[0-9]+$",
    ),
)
"""Added to the original's own headers in `dlq.<stage>`."""


def schema(headers: Iterable[Header], description: str) -> dict[str, Any]:
    """JSON Schema of a record's headers."""
    chosen = tuple(headers)
    return {
        "type": "object",
        "description": description,
        "required": [header.name for header in chosen if header.required],
        "properties": {header.name: _property(header) for header in chosen},
    }


def _property(header: Header) -> dict[str, Any]:
    said: dict[str, Any] = {"type": "string", "description": header.meaning, "examples": [header.example]}
    return said if header.pattern is None else {**said, "pattern": header.pattern}
