"""A stage small enough to count by hand: it numbers the commands of each conversation, and calls a tool for those that ask for it.

Its outputs let a test see loss (a missing number), duplication (a number twice) and order (numbers that go down).
"""

from datetime import datetime, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict

from contracts.base import Contract
from contracts.channel_response import ChannelResponse, ResponseKind, ResponseMetadata
from contracts.checkpoint import Checkpoint
from contracts.event_envelope import EventEnvelope
from contracts.normalize_command import CallFate, NormalizeCommand
from contracts.transaction import Transaction, Turn
from pipeline import topology
from pipeline.decision import (
    Agenda,
    CallGranted,
    CallLost,
    CallReturned,
    Decision,
    Input,
    Received,
    Record,
    Rejection,
    StateWrite,
    Timer,
    TimerFired,
)
from pipeline.ledger import LedgerEntry, Phase

EPOCH = datetime.fromisoformat("2026-01-01T00:00:00+00:00")


class Count(BaseModel):
    """State of one conversation."""

    model_config = ConfigDict(frozen=True)

    seen: int = 0
    entries: tuple[LedgerEntry, ...] = ()
    due_at: datetime | None = None


class CountingStage:
    """Answers the n-th command of a conversation with the text n."""

    name = "normalize"

    def __init__(self, *, side_effects: bool = False) -> None:
        self.side_effects = side_effects
        self.broken: set[str] = set()
        """reason texts that make decide raise"""

    def conversation_of(self, value: Contract) -> str:
        assert isinstance(value, NormalizeCommand)
        return value.turn.conversation_key

    def initial(self, conversation: str) -> tuple[str, Count]:
        return conversation, Count()

    def decide(self, state: tuple[str, Count], event: Input, now: datetime) -> Decision:
        key, count = state
        match event:
            case Received(value=NormalizeCommand() as command):
                if command.reason in self.broken:
                    raise RuntimeError(f"can't decide {command.reason}")
                seen = count.seen + 1
                entries = count.entries
                if command.reason.startswith("call"):
                    entries = (*entries, self._entry(command))
                due = (
                    now + timedelta(milliseconds=int(command.reason[6:]))
                    if command.reason.startswith("timer")
                    else None
                )
                return self._say(key, Count(seen=seen, entries=entries, due_at=due or count.due_at), f"{seen}")
            case CallGranted():
                return self._update(
                    key, count, event.call_id, lambda e: e.calling(event.incarnation, now), event.attempt - 1
                )
            case CallReturned(answer=answer):
                return self._end(
                    key, count, event.call_id, event.attempt, f"returned {answer.outcome} {answer.payload}"
                )
            case CallLost():
                return self._end(key, count, event.call_id, event.attempt, "lost")
            case TimerFired():
                return self._say(key, count.model_copy(update={"due_at": None}), f"timer after {count.seen}")
        raise AssertionError(event)

    def _entry(self, command: NormalizeCommand) -> LedgerEntry:
        return LedgerEntry(
            call_id=command.turn.message_id,
            server="s",
            tool=command.reason,
            idempotency_key=command.turn.message_id,
            timeout_ms=8_000,
            side_effects=self.side_effects,
        )

    def _update(self, key: str, count: Count, call_id: str, move: Any, attempt: int) -> Decision:
        fits = [e for e in count.entries if e.call_id == call_id and e.attempt == attempt and e.phase is Phase.QUEUED]
        if not fits:
            return Decision()
        entries = tuple(move(e) if e in fits else e for e in count.entries)
        return Decision(writes=(StateWrite(key=key, sequence=0, body=count.model_copy(update={"entries": entries})),))

    def _end(self, key: str, count: Count, call_id: str, attempt: int, text: str) -> Decision:
        if not any(e.is_current(call_id, attempt) for e in count.entries):
            return Decision()
        entries = tuple(e for e in count.entries if e.call_id != call_id)
        return self._say(key, count.model_copy(update={"entries": entries}), f"{call_id} {text}")

    def _say(self, key: str, count: Count, text: str) -> Decision:
        tenant, agent, session = key.split(":")
        metadata = ResponseMetadata(tenant_id=tenant, agent_id=agent, session_id=session, kind=ResponseKind.NOTICE)
        event = EventEnvelope(
            event_type="IC.COUNTED", timestamp=EPOCH, tenant_id=tenant, agent_id=agent, session_id=session, trace_id=""
        )
        response = ChannelResponse(channel="web", session_id=key, text=text, metadata=metadata)
        return Decision(
            records=(
                Record(topic=topology.EVENTS_IC, key=key, value=event),
                Record(topic=topology.responses("web"), key=key, value=response),
            ),
            writes=(StateWrite(key=key, sequence=0, body=count),),
        )

    def reject(self, state: Any, rejection: Rejection, now: datetime) -> Decision:
        del state, now
        return Decision(dead_letter=rejection)

    def replay(self, state: tuple[str, Count], key: str, checkpoint: Checkpoint | None) -> tuple[str, Count]:
        del key
        return state[0], Count.model_validate(checkpoint.body) if checkpoint else Count()

    def agenda(self, state: tuple[str, Count]) -> Agenda:
        count = state[1]
        calls = tuple(call for entry in count.entries for call in entry.agenda().calls)
        timers = (Timer(timer_id="t", due_at=count.due_at),) if count.due_at else ()
        return Agenda(calls=calls, timers=timers)

    def waiting_bytes(self, state: tuple[str, Count]) -> int:
        return 100 * len(state[1].entries)

    def is_empty(self, state: tuple[str, Count]) -> bool:
        return state[1] == Count()


def command(conversation: str, message_id: str, reason: str = "") -> NormalizeCommand:
    """A command of a conversation."""
    tenant, agent, session = conversation.split(":")
    turn = Turn(
        conversation_key=conversation,
        tenant_id=tenant,
        agent_id=agent,
        session_id=session,
        channel="web",
        message_id=message_id,
    )
    transaction = Transaction(transaction_id="t", tool="x", requested_tool="x", opened_at=EPOCH)
    return NormalizeCommand(turn=turn, transaction=transaction, fate=CallFate.REFUSED, reason=reason)
