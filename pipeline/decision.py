"""The words between a stage and its shell: what can happen to a stage, and what it asks for.

Owns: the inputs (record, timer, call grant, call return, call loss), Decision, Agenda, the Stage protocol.
Invariants: a Decision is committed whole or not at all. Running calls and timers are no part of it: the shell derives them from
the state alone, by `agenda`, after every commit and after a restore; so nothing that a crash forgets was ever promised.
Never: clock, ids, I/O. Source: DESIGN 5; Apache Kafka's coordinator (operations return records, only replay changes state).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from contracts.base import Contract
from contracts.checkpoint import Checkpoint

STATE_KEY_SEPARATOR = "#"
"""Between the conversation and the rest of a state key; percent-encoding keeps it out of conversation keys."""


def state_key(conversation: str, part: str = "") -> str:
    """Key in `state.<stage>`: the conversation, or one transaction of it."""
    return f"{conversation}{STATE_KEY_SEPARATOR}{part}" if part else conversation


def conversation_of_state_key(key: str) -> str:
    """The conversation a state key belongs to."""
    return key.split(STATE_KEY_SEPARATOR, 1)[0]


# --- what can happen ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where a record was read."""

    topic: str
    """Logical name, without the installation's prefix."""
    partition: int
    offset: int

    def __str__(self) -> str:
        return f"{self.topic}/{self.partition}/{self.offset}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A record of an input topic."""

    value: Contract
    position: Position
    at: datetime
    """Broker time; of a record that was moved to its right place, the first one."""
    headers: Mapping[str, str] = dataclass_field(default_factory=dict)
    size: int = 0
    """Bytes of the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimerFired:
    """A timer of the agenda is due, and the input up to the end seen at that moment has been decided."""

    timer_id: str
    due_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CallGranted:
    """A bulkhead slot is in hand and the breaker is closed: the call may become CALLING."""

    call_id: str
    attempt: int
    """Of the queued call, as in the agenda."""
    incarnation: str
    """The worker process that will send it."""


class CallOutcome(StrEnum):
    """What is known of a call that ended. Source: DESIGN 4 (Calls)."""

    OK = "ok"
    """A readable answer that is no error."""
    TOOL_ERROR = "tool_error"
    """A readable answer that says it failed."""
    NOT_SENT = "not_sent"
    """Proved never to have reached the tool."""
    UNKNOWN = "unknown"
    """It may have been executed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAnswer:
    """What came back from a tool, still in the tool's own shape."""

    outcome: CallOutcome
    payload: Any = None
    error: str | None = None
    code: str | None = None
    """Such as timeout, http_503, schema_violation, too_large."""
    latency_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReturned:
    """A call that this incarnation sent, or was about to send, ended."""

    call_id: str
    attempt: int
    answer: CallAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLost:
    """A call of another incarnation: not_after and the allowed clock skew have passed, nobody will report."""

    call_id: str
    attempt: int


Input = Received | TimerFired | CallGranted | CallReturned | CallLost


def cause_of(event: Input) -> str:
    """Name the input, the same whenever it is decided again: ids of events and responses derive from it."""
    match event:
        case Received(position=position):
            return str(position)
        case TimerFired(timer_id=timer_id, due_at=due_at):
            return f"timer/{timer_id}/{due_at.isoformat()}"
        case CallGranted(call_id=call_id, attempt=attempt):
            return f"granted/{call_id}/{attempt}"
        case CallReturned(call_id=call_id, attempt=attempt):
            return f"returned/{call_id}/{attempt}"
        case CallLost(call_id=call_id, attempt=attempt):
            return f"lost/{call_id}/{attempt}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A record that can't be read or decided: it goes to the dead-letter topic with its bytes."""

    position: Position
    at: datetime
    error: str
    """Class, such as ContractViolation, UndecodableRecord, PoisonRecord."""
    text: str
    """One sentence that names the field and what is allowed."""
    field: str | None = None
    """Dotted path of the offending field."""
    data: Mapping[str, Any] | None = None
    """The JSON object, when there is one."""
    conversation: str | None = None
    headers: Mapping[str, str] = dataclass_field(default_factory=dict)


# --- what a stage asks for -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One output record."""

    topic: str
    """Logical name."""
    key: str
    value: Contract
    headers: Mapping[str, str] = dataclass_field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class StateWrite:
    """The whole value of one state key; body None is a tombstone."""

    key: str
    sequence: int
    body: BaseModel | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """All a stage asks of the shell, committed together or not at all."""

    records: tuple[Record, ...] = ()
    writes: tuple[StateWrite, ...] = ()
    dead_letter: Rejection | None = None
    """The input itself goes to `dlq.<stage>` with its bytes."""


class CallPhase(StrEnum):
    """Where a call of the agenda is."""

    QUEUED = "queued"
    CALLING = "calling"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call that the state says is due or running."""

    call_id: str
    phase: CallPhase
    attempt: int
    """Of a queued call: the number it will have."""
    server: str
    tool: str
    arguments: Mapping[str, Any]
    idempotency_key: str
    timeout_ms: int
    item_keys: tuple[str, ...] = ()
    """Idempotency keys of the items sent, in order."""
    incarnation: str | None = None
    """CALLING: the process that may send it."""
    not_after: datetime | None = None
    """CALLING: it is not sent after this instant."""
    side_effects: bool = False
    """Whether a lost answer can't be asked for again: such calls are waited for at a handover."""
    traceparent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """Something the state waits for."""

    timer_id: str
    due_at: datetime
    after_input: bool = True
    """It fires only after the input up to the end offset seen when it fell due: a yes in time beats the expiry."""
    open_question: bool = False
    """A question waits for the customer until then: what `pipeline_open_confirmations` counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agenda:
    """All that is to run for one conversation, a function of its state."""

    calls: tuple[Call, ...] = ()
    timers: tuple[Timer, ...] = ()

    def waits_for(self, timer_id: str) -> bool:
        """Whether a timer is still on it; one that fired but is not any more changes nothing."""
        return any(timer.timer_id == timer_id for timer in self.timers)


S = TypeVar("S")


class Stage(Protocol[S]):
    """A stage as the shell sees it. S is the state of one conversation, immutable."""

    @property
    def name(self) -> str:
        """Stage name of pipeline/topology."""

    def conversation_of(self, value: Contract) -> str:
        """Conversation key of an input record. Raises: ContractViolation when it names none."""

    def initial(self, conversation: str) -> S:
        """State of a conversation nothing is known of."""

    def decide(self, state: S, event: Input, now: datetime) -> Decision:
        """Decide one input. Same arguments, same decision."""

    def reject(self, state: S | None, rejection: Rejection, now: datetime) -> Decision:
        """Decide for a record that can't be read or decided: dead letter, event, answer where one is possible."""

    def replay(self, state: S, key: str, checkpoint: Checkpoint | None) -> S:
        """Apply one state write, live or while loading; None is a tombstone."""

    def agenda(self, state: S) -> Agenda:
        """The calls and timers of a state."""

    def waiting_bytes(self, state: S) -> int:
        """Durable bytes of input that wait in this state: what back-pressure counts."""

    def is_empty(self, state: S) -> bool:
        """Whether nothing is known any more, so that the shell may forget it."""


class ContractViolation(ValueError):
    """An input breaks its contract or the installation's configuration.

    `field` is the dotted path; the text names what is allowed.
    """

    def __init__(self, field: str, text: str) -> None:
        super().__init__(f"{field}: {text}")
        self.field = field
        self.text = text
