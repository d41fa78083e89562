"""What a conversation waits for by itself, beside the question to the AI gateway.

Invariants: a timer's id names its subject, its transaction and its instant, so that one of the past changes nothing; a conversation with
an open transaction is never forgotten. Source: DESIGN 5, 7 (Reconcile).
"""

from datetime import datetime, timedelta
from enum import StrEnum

from contracts.agent_state import AgentState, Holder
from contracts.status import Status
from pipeline.decision import Timer
from pipeline.policy import Timing


class Subject(StrEnum):
    """What a timer is about: the first part of its id."""

    COLLECTING = "collecting"
    """Giving up a question for an argument."""
    EXPIRY = "expiry"
    """The end of a question for a yes."""
    HANDED_ON = "handed-on"
    """Telling an operator that a stage holds a transaction for too long."""
    FORGET = "forget"
    """The end of a quiet conversation."""


def timers_of(state: AgentState, timing: Timing) -> list[Timer]:
    """The end of collecting, of a question, of patience with the other stages, of what is remembered."""
    held = state.open
    if state.consultation is not None:
        return []  # what was said in time is acted on first
    if held is None:
        if state.touched_at is None:
            return []
        due = state.touched_at + timedelta(milliseconds=timing.session_retention_ms)
        return [_timer(Subject.FORGET, "", due)]
    timers = []
    if held.holder is Holder.RECONCILE and held.expires_at is not None:
        timers.append(_timer(Subject.COLLECTING, held.transaction_id, held.expires_at))
    if held.holder is Holder.RECONCILE and held.proposal is not None and held.status is Status.AWAITING_CONFIRMATION:
        # Here, behind all that was said in time; confirm sees only what has been read.
        timers.append(_timer(Subject.EXPIRY, held.transaction_id, held.proposal.expires_at))
    if held.holder is Holder.STAGES and held.handed_on_at is not None and not held.operator_told:
        due = held.handed_on_at + timedelta(milliseconds=timing.handed_on_ttl_ms)
        timers.append(_timer(Subject.HANDED_ON, held.transaction_id, due))
    return timers


def _timer(subject: Subject, transaction: str, due: datetime) -> Timer:
    return Timer(timer_id=f"{subject}/{transaction}/{due.isoformat()}", due_at=due)
