"""What becomes of an internal record that can't be read or decided: dead letter, event, and the customer is told.

Invariants: a customer whose request was accepted is never left waiting: where the record names its turn and transaction, the
transaction is closed FAILED with an answer, in the same commit as the dead letter. Source: DESIGN 4 and 7 (Normalize, last line).
"""

from collections.abc import Callable, Container, Mapping
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from contracts.channel_response import ResponseKind
from contracts.event_envelope import EventEnvelope
from contracts.identity import derived_id
from contracts.status import Status
from contracts.transaction import Transaction, Turn
from pipeline import topology
from pipeline.decision import Decision, Record, Rejection, StateWrite
from pipeline.outbox import Outbox, first_sequence
from pipeline.remembered import Activity


def reject(
    rejection: Rejection,
    *,
    stage: str,
    sequence: int,
    now: datetime,
    text: Callable[[Turn], str],
    told: Container[str] = (),
) -> Decision:
    """Decide for a rejected record; `text` words the answer; `told`: transactions whose outcome is told anyway."""
    turn, transaction = _readable(rejection.data, now)
    if turn is None:
        return _unattributed(rejection, stage=stage, sequence=sequence, now=now)
    outbox = Outbox(stage=stage, turn=turn, cause=str(rejection.position), now=now, sequence=sequence)
    outbox.event("NOC.DLQ", transaction, error=rejection.error, field=rejection.field, position=str(rejection.position))
    if transaction is not None and transaction.transaction_id not in told:
        outbox.respond(text(turn), ResponseKind.FINAL, transaction, status=Status.FAILED)
        outbox.tell(transaction, Status.FAILED, reason="dead_lettered")
    outbox.write(turn.conversation_key, Activity(last_at=now))
    return outbox.decision(dead_letter=rejection)


def _readable(data: Mapping[str, Any] | None, now: datetime) -> tuple[Turn | None, Transaction | None]:
    """Read as much of a record as can be read: its turn, and its transaction."""
    body = data or {}
    inner = body.get("command")
    if isinstance(inner, Mapping):
        body = inner
    try:
        turn = Turn.model_validate(body.get("turn"))
    except ValidationError:
        return None, None
    try:
        return turn, Transaction.model_validate(body.get("transaction"))
    except ValidationError:
        return turn, _rest_of_transaction(body.get("transaction"), now)


def _rest_of_transaction(raw: Any, now: datetime) -> Transaction | None:
    """What a broken transaction still says of itself: enough to close it."""
    if not isinstance(raw, Mapping) or not isinstance(raw.get("transaction_id"), str):
        return None
    tool = raw.get("tool")
    revision = raw.get("revision")
    name = tool if isinstance(tool, str) and tool.strip() else "unknown"
    try:
        return Transaction(
            transaction_id=raw["transaction_id"],
            revision=revision if isinstance(revision, int) else 1,
            tool=name,
            requested_tool=name,
            opened_at=now,
        )
    except ValidationError:
        return None


def _unattributed(rejection: Rejection, *, stage: str, sequence: int, now: datetime) -> Decision:
    """Emit the event of a record that names nobody."""
    number = (sequence or first_sequence(now)) + 1
    key = rejection.conversation or ""
    envelope = EventEnvelope(
        event_type="NOC.DLQ",
        timestamp=now,
        tenant_id="",
        agent_id="",
        session_id="",
        trace_id=rejection.headers.get("trace_id", ""),
        payload={"error": rejection.error, "field": rejection.field, "position": str(rejection.position)},
        event_id=derived_id("ev", key, stage, rejection.position, 1),
        contract_version=EventEnvelope.VERSION,
        conversation_key=rejection.conversation,
        stage=stage,
        sequence=number,
    )
    writes = (StateWrite(key=key, sequence=number, body=Activity(last_at=now)),) if key else ()
    record = Record(topic=topology.EVENTS_NOC, key=key, value=envelope)
    return Decision(records=(record,), writes=writes, dead_letter=rejection)
