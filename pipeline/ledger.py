"""A tool call as durable state: the part of exactly once that fencing does not cover.

Owns: QUEUED → CALLING → (BACKING_OFF → QUEUED) → SETTLED, attempts, not_after, idempotency keys; the same for questions to the AI
gateway, which are calls without an effect: asked a few times, then done without.
Invariants: CALLING is written before anything is sent and names one incarnation and one deadline; attempts only grow and are
bounded; a settled entry never calls again. Never: decides what an outcome means to a customer (the stages do).
Source: DESIGN 4 (Calls).
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from contracts.base import Instant
from contracts.identity import digest
from contracts.llm_request import LLMRequest
from pipeline.decision import (
    Agenda,
    Call,
    CallAnswer,
    CallGranted,
    CallLost,
    CallOutcome,
    CallPhase,
    CallReturned,
    Timer,
)
from pipeline.policy import LlmPolicy


class Phase(StrEnum):
    """Where an entry is."""

    QUEUED = "queued"
    """Durable, anybody may start it."""
    CALLING = "calling"
    """One incarnation may have sent it."""
    BACKING_OFF = "backing_off"
    """Waits for due_at, then is queued again."""
    SETTLED = "settled"


BACKOFF_MAX_MS = 30_000
"""Longest wait between two attempts of one call."""

WORKER_LOST = CallAnswer(outcome=CallOutcome.UNKNOWN, code="worker_lost")
"""The answer of a call whose process is gone."""

TRANSITIONS: dict[Phase, frozenset[Phase]] = {
    Phase.QUEUED: frozenset({Phase.CALLING, Phase.SETTLED}),
    Phase.CALLING: frozenset({Phase.SETTLED, Phase.QUEUED, Phase.BACKING_OFF}),
    Phase.BACKING_OFF: frozenset({Phase.QUEUED, Phase.SETTLED}),
    Phase.SETTLED: frozenset(),
}
"""Allowed moves; the state diagram of docs and the tests come from it."""


class LedgerEntry(BaseModel):
    """One logical call; every attempt of it carries the same idempotency key."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    call_id: str
    """Unique for the life of the transaction."""
    server: str
    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    idempotency_key: str
    item_keys: tuple[str, ...] = ()
    """Key of every item sent, in order; the same in every attempt."""
    timeout_ms: int
    phase: Phase = Phase.QUEUED
    attempt: int = 0
    """How often it became CALLING."""
    incarnation: str | None = None
    not_after: Instant | None = None
    due_at: Instant | None = None
    send_by: Instant | None = None
    """An unsent call is given up from this instant on; None: it is tried without end."""
    uncertain: bool = False
    """Whether an earlier attempt may have been executed."""
    side_effects: bool = False
    traceparent: str | None = None

    def _move(self, phase: Phase, **changes: Any) -> "LedgerEntry":
        if phase not in TRANSITIONS[self.phase]:
            msg = f"ledger entry {self.call_id} can't go from {self.phase} to {phase}"
            raise ValueError(msg)
        return self.model_copy(update={"phase": phase, **changes})

    def calling(self, incarnation: str, now: datetime, by: datetime | None = None) -> "LedgerEntry":
        """A slot is in hand: this incarnation may send it, and wait for its answer, until now + timeout, or `by` if that is earlier."""
        not_after = now + timedelta(milliseconds=self.timeout_ms)
        not_after = not_after if by is None else min(not_after, by)
        return self._move(Phase.CALLING, attempt=self.attempt + 1, incarnation=incarnation, not_after=not_after)

    def back_off(self, until: datetime, **changes: Any) -> "LedgerEntry":
        """Try again at `until`, same key; `changes`: send_by, uncertain."""
        return self._move(Phase.BACKING_OFF, incarnation=None, not_after=None, due_at=until, **changes)

    def queued(self) -> "LedgerEntry":
        """Anybody may start it (again)."""
        return self._move(Phase.QUEUED, incarnation=None, not_after=None, due_at=None)

    def settled(self) -> "LedgerEntry":
        """It never calls again; arguments are dropped, the marker stays."""
        return self._move(Phase.SETTLED, incarnation=None, not_after=None, due_at=None, send_by=None, arguments={})

    def is_current(self, call_id: str, attempt: int) -> bool:
        """Whether a report about this attempt is about the call that is running."""
        return self.phase is Phase.CALLING and self.call_id == call_id and self.attempt == attempt

    def is_queued(self, call_id: str, attempt: int) -> bool:
        """Whether a grant is about the call that is queued."""
        return self.phase is Phase.QUEUED and self.call_id == call_id and self.attempt + 1 == attempt

    def is_granted(self, event: CallGranted) -> bool:
        """Whether this grant is about the call that is queued."""
        return self.is_queued(event.call_id, event.attempt)

    def answer_of(self, event: CallReturned | CallLost) -> CallAnswer | None:
        """What this report says of the running attempt: a lost one may have been executed. None: it is about another attempt."""
        if not self.is_current(event.call_id, event.attempt):
            return None
        return event.answer if isinstance(event, CallReturned) else WORKER_LOST

    def backoff_until(self, now: datetime, backoff_ms: int) -> datetime:
        """When to try again after this attempt: doubled with every attempt, at most BACKOFF_MAX_MS."""
        delay_ms = min(backoff_ms * 2 ** max(0, self.attempt - 1), BACKOFF_MAX_MS)
        return now + timedelta(milliseconds=delay_ms)

    @property
    def timer_id(self) -> str:
        """Timer that ends the back-off."""
        return f"back-off/{self.call_id}/{self.attempt}"

    @property
    def send_by_timer_id(self) -> str:
        """Timer that gives an unsent call up."""
        return f"send-by/{self.call_id}/{self.attempt}"

    def agenda(self) -> Agenda:
        """What is to run for this entry."""
        unsent: tuple[Timer, ...] = ()
        if self.send_by is not None:
            unsent = (Timer(timer_id=self.send_by_timer_id, due_at=self.send_by, after_input=False),)
        match self.phase:
            case Phase.QUEUED:
                return Agenda(calls=(self._call(CallPhase.QUEUED, self.attempt + 1),), timers=unsent)
            case Phase.CALLING:
                return Agenda(calls=(self._call(CallPhase.CALLING, self.attempt),))
            case Phase.BACKING_OFF:
                assert self.due_at is not None
                return Agenda(timers=(Timer(timer_id=self.timer_id, due_at=self.due_at, after_input=False), *unsent))
            case Phase.SETTLED:
                return Agenda()

    def _call(self, phase: CallPhase, attempt: int) -> Call:
        return Call(
            call_id=self.call_id,
            phase=phase,
            attempt=attempt,
            server=self.server,
            tool=self.tool,
            arguments=self.arguments,
            idempotency_key=self.idempotency_key,
            timeout_ms=self.timeout_ms,
            item_keys=self.item_keys,
            incarnation=self.incarnation,
            not_after=self.not_after,
            side_effects=self.side_effects,
            traceparent=self.traceparent,
        )


def agenda_of(entries: Iterable[LedgerEntry], timers: Iterable[Timer] = ()) -> Agenda:
    """What is to run for several entries, and the other `timers` of their conversation."""
    agendas = [entry.agenda() for entry in entries]
    return Agenda(
        calls=tuple(call for agenda in agendas for call in agenda.calls),
        timers=(*(timer for agenda in agendas for timer in agenda.timers), *timers),
    )


# --- the AI gateway ------------------------------------------------------------------------------------------------------

AI_GATEWAY = "ai-gateway"
"""In the place of an MCP server: the shell sends calls of this name to the AI gateway. No MCP server may have it."""

NOT_AGAIN = frozenset({"disabled", "over_budget", "breaker_open", "too_large", "malformed", "truncated"})
"""Codes after which the same question is not asked again: nothing would be different."""


def question(call_id: str, request: LLMRequest, policy: LlmPolicy, now: datetime) -> LedgerEntry:
    """A question to the AI gateway; its operation stands in the place of a tool."""
    arguments = request.model_dump(mode="json")
    return LedgerEntry(
        call_id=call_id,
        server=AI_GATEWAY,
        tool=request.operation,
        arguments=arguments,
        idempotency_key=f"llm_{digest([call_id, arguments])[:24]}",
        timeout_ms=policy.timeout_ms,
        send_by=now + timedelta(milliseconds=policy.timeout_ms * policy.attempts),
    )


def asked_again(
    entry: LedgerEntry, answer: CallAnswer, policy: LlmPolicy, backoff_ms: int, now: datetime
) -> LedgerEntry | None:
    """The question after an attempt without an answer; None: it is done without."""
    if answer.outcome is CallOutcome.TOOL_ERROR or answer.code in NOT_AGAIN:
        return None
    until = entry.backoff_until(now, backoff_ms)
    late = entry.send_by is not None and until >= entry.send_by
    return None if late or entry.attempt >= policy.attempts else entry.back_off(until)
