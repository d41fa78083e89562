"""One conversation as rows in order of time: what came in, every event, every record between stages, every call, what went out. Pure.

Owns: the order across topics (time, then the flow's own order: records of one commit share a millisecond), one sentence a row.
Invariants: business keys and tool arguments are hidden unless asked for; the customer's own words are shown, since a person asked for
this conversation.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from consumers.cli.records import DEAD_LETTERS, at, body, shortened, why_dead
from pipeline import topology
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.serde import text_headers
from pipeline.topology import StageName

PERSONAL = frozenset({"business_context", "arguments", "item_values", "data"})
"""Fields that hold business keys, tool arguments or a tool's own answer."""
HIDDEN = "(hidden: --show-content)"
FLOW = {name.value: place for place, name in enumerate(StageName)}
COMMANDS = {
    topology.PRE_VALIDATE: "reconcile",
    topology.CONFIRM: "pre-validate",
    topology.EXECUTE: "confirm",
    topology.NORMALIZE: "execute",
}
"""Topic → the stage that usually writes it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that happened."""

    at: datetime
    kind: str
    """request, event, record, call, response or dead letter."""
    where: str
    """Stage or topic."""
    what: str
    detail: str
    topic: str
    partition: int
    offset: int
    value: Any
    """As JSON, personal fields hidden unless asked for."""

    def as_json(self) -> dict[str, Any]:
        """One JSON line."""
        return {
            "at": self.at.isoformat(timespec="milliseconds"),
            "kind": self.kind,
            "where": self.where,
            "what": self.what,
            "topic": self.topic,
            "partition": self.partition,
            "offset": self.offset,
            "value": self.value,
        }


def rows_of(
    records: Iterable[tuple[str, RawRecord]], *, transaction: str | None = None, show_content: bool = False
) -> list[Row]:
    """Rows of (logical topic, record) pairs of one conversation, in order; of one transaction only, where one is named."""
    read = [(logical, record, body(record.value)) for logical, record in records]
    if transaction is not None:
        messages = {_message_of(value) for _, _, value in read if _transaction_of(value) == transaction} - {None}
        read = [
            (logical, record, value)
            for logical, record, value in read
            if _transaction_of(value) == transaction
            or (logical == topology.GATEWAY_REQUESTS and _message_of(value) in messages)
        ]
    read.sort(key=lambda entry: _order(*entry))
    return [row for logical, record, value in read for row in _rows(logical, record, value, show_content=show_content)]


def _order(logical: str, record: RawRecord, value: Any) -> tuple[int, int, int, int]:
    """Time, place in the flow, place within a commit, sequence."""
    fields = value if isinstance(value, dict) else {}
    if logical == topology.GATEWAY_REQUESTS:
        return record.timestamp_ms, -1, 0, record.offset
    if logical.startswith("events."):
        return record.timestamp_ms, FLOW.get(fields.get("stage", ""), 9), 0, int(fields.get("sequence") or 0)
    if logical == topology.STATUS:
        return record.timestamp_ms, FLOW.get(fields.get("stage", ""), 9), 2, record.offset
    if logical in COMMANDS:
        return record.timestamp_ms, FLOW[COMMANDS[logical]], 3, record.offset
    route = fields.get("metadata", {}).get("route", "") if isinstance(fields.get("metadata"), dict) else ""
    return record.timestamp_ms, FLOW.get(route, 9), 1, record.offset


def _part(value: Any, *path: str) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _transaction_of(value: Any) -> str | None:
    inner = _part(value, "command") or value
    for path in (("transaction_id",), ("transaction", "transaction_id"), ("metadata", "transaction_id")):
        if isinstance(found := _part(inner, *path), str):
            return found
    return None


def _message_of(value: Any) -> str | None:
    inner = _part(value, "command") or value
    paths = (("message_id",), ("turn", "message_id"), ("metadata", "message_id"), ("payload", "message_id"))
    return next((found for path in paths if isinstance(found := _part(inner, *path), str)), None)


def _rows(logical: str, record: RawRecord, value: Any, *, show_content: bool) -> list[Row]:
    shown = value if show_content else hidden(value)

    def row(kind: str, where: str, what: str, detail: str, of: Any = shown) -> Row:
        return Row(at(record), kind, where, what, shortened(detail), logical, record.partition, record.offset, of)

    if logical.startswith(DEAD_LETTERS):
        stage = logical.removeprefix(DEAD_LETTERS)
        return [row("dead letter", stage, "DEAD LETTER", why_dead(text_headers(record)))]
    if not isinstance(value, dict) or value.keys() == {"base64"}:
        return [row("request", "customer", "not readable", shortened(value if value is not None else "(no value)"))]
    if logical == topology.GATEWAY_REQUESTS:
        said = str(_part(value, "payload", "message"))
        context = _part(value, "payload", "business_context") if show_content else None
        more = f" {shortened(context)}" if context else ""
        return [row("request", "customer", str(value.get("channel")), f"“{said}”{more}")]
    if logical.startswith("events."):
        return [row("event", str(value.get("stage")), str(value.get("event_type")), _fields(value.get("payload")))]
    if logical == topology.STATUS:
        reason = f" ({value['reason']})" if value.get("reason") else ""
        return [row("record", str(value.get("stage")), f"status {value.get('status')}{reason}", _revision(value))]
    if logical in COMMANDS:
        return _command(logical, value, row, show_content=show_content)
    kind, status = _part(value, "metadata", "kind"), _part(value, "metadata", "multi_item_status")
    what = f"{kind} {status}" if status else str(kind)
    return [row("response", str(_part(value, "metadata", "route")), what, f"“{value.get('text')}”")]


def _command(logical: str, value: dict[str, Any], row: Any, *, show_content: bool) -> list[Row]:
    inner = _part(value, "command") or value
    target = logical.removeprefix("pipeline.")
    kind = inner.get("verdict") or inner.get("kind") or inner.get("fate") or ""
    detail = _revision(inner)
    if items := inner.get("items"):
        detail += f", {len(items)} item(s)"
    if inner.get("rule"):
        detail += f", {inner['rule']}"
    if show_content and (arguments := _part(inner, "transaction", "arguments")):
        detail += f" {shortened(arguments)}"
    rows = []
    writer = COMMANDS[logical] if inner.get("kind") != "verdict" else StageName.RECONCILE.value
    if isinstance(invocation := inner.get("invocation"), dict):
        result = inner.get("result") or {}
        outcome = "ok" if result.get("ok") else result.get("error") or inner.get("reason") or inner.get("fate")
        told = f"{outcome}, {result.get('latency_ms', 0)} ms, {inner.get('attempts', 0)} call(s)"
        if show_content:
            told += f" {shortened(invocation.get('arguments'))} → {shortened(result.get('data'))}"
        rows.append(row("call", writer, f"call {invocation.get('tool_name')}", told))
    return [*rows, row("record", writer, f"→ {target} {kind}".rstrip(), detail)]


def _revision(value: Mapping[str, Any]) -> str:
    transaction = value.get("transaction") or value
    tool = transaction.get("tool") or ""
    return f"{tool} {transaction.get('transaction_id')} revision {transaction.get('revision')}".strip()


def _fields(payload: Any) -> str:
    if not isinstance(payload, Mapping):
        return ""
    return ", ".join(f"{name}={shortened(value, 80)}" for name, value in payload.items())


def hidden(value: Any) -> Any:
    """The value with personal fields replaced."""
    if isinstance(value, dict):
        return {name: HIDDEN if name in PERSONAL and inner else hidden(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [hidden(inner) for inner in value]
    return value


def only(rows: Sequence[Row], *kinds: str) -> list[Row]:
    """Rows of some kinds."""
    return [row for row in rows if row.kind in kinds]
