"""The gate before the question: allowed, complete, within the limits, and eligible by the tool's own validator.

Owns: what is kept of a transaction while its validator is asked; which passage a report or a timer is about.
Invariants: a tool reached over target_tool passes the whole gate, is validated once, and never needs less confirmation than a tool on
the way; fail_open covers transport failure only; a transaction leaves the gate by exactly one record (confirm or status).
Never: confirms, has side effects, caches a validation. Source: DESIGN 7 (Pre-validate).
"""

from datetime import datetime

from contracts.base import Contract
from contracts.checkpoint import Checkpoint
from contracts.pre_validate_command import PreValidateCommand
from pipeline.decision import (
    Agenda,
    CallGranted,
    CallLost,
    CallReturned,
    ContractViolation,
    Decision,
    Input,
    Received,
    Rejection,
    TimerFired,
)
from pipeline.language.messages import Catalogue
from pipeline.ledger import Phase, agenda_of
from pipeline.policy import Installation
from pipeline.rejection import reject
from pipeline.remembered import Remembered
from pipeline.stages.pre_validate.gate import gate
from pipeline.stages.pre_validate.memory import State, Validation
from pipeline.stages.pre_validate.passage import Desk, Passage
from pipeline.stages.pre_validate.validating import answered, unreachable
from pipeline.topology import StageName


class PreValidate:
    """The stage as its shell sees it."""

    def __init__(self, installation: Installation, messages: Catalogue) -> None:
        self._installation = installation
        self._desk = Desk(installation, messages)

    @property
    def name(self) -> str:
        return StageName.PRE_VALIDATE.value

    def conversation_of(self, value: Contract) -> str:
        if not isinstance(value, PreValidateCommand):
            raise ContractViolation("", "must be a PreValidateCommand")
        return value.turn.conversation_key

    def initial(self, conversation: str) -> State:
        return Remembered(conversation)

    def replay(self, state: State, key: str, checkpoint: Checkpoint | None) -> State:
        return state.replayed(key, checkpoint, Validation)

    def agenda(self, state: State) -> Agenda:
        entries = [validation.entry for validation in state.transactions.values() if validation.entry]
        # Nothing is kept of a transaction that left: all that are here are still under way.
        retention = state.retention(self._installation.timing.session_retention_ms, state.transactions)
        return agenda_of(entries, retention)

    def waiting_bytes(self, state: State) -> int:
        return sum(validation.size for validation in state.transactions.values())

    def is_empty(self, state: State) -> bool:
        return state.is_empty

    def reject(self, state: State | None, rejection: Rejection, now: datetime) -> Decision:
        return reject(
            rejection,
            stage=self.name,
            sequence=state.sequence if state else 0,
            now=now,
            text=lambda turn: self._desk.wording(turn).say("rejected.not_done"),
        )

    def decide(self, state: State, event: Input, now: datetime) -> Decision:
        match event:
            case Received(value=PreValidateCommand() as command):
                known = state.transactions.get(command.transaction.transaction_id)
                if known and known.command.transaction.revision >= command.transaction.revision:
                    return Decision()
                return gate(Passage(self._desk, state, event, now, Validation(command=command, size=event.size)))
            case Received():
                raise ContractViolation("", "must be a PreValidateCommand")
            case TimerFired(timer_id=timer_id):
                return self._timer(state, event, timer_id, now)
            case CallGranted(call_id=call_id) | CallReturned(call_id=call_id) | CallLost(call_id=call_id):
                found = _by_call(state, call_id)
                return self._call(Passage(self._desk, state, event, now, found), event) if found else Decision()

    def _call(self, passage: Passage, event: CallGranted | CallReturned | CallLost) -> Decision:
        entry = passage.entry
        if isinstance(event, CallGranted):
            if not entry.is_granted(event):
                return Decision()
            return passage.keep(entry=entry.calling(event.incarnation, passage.outbox.now))
        answer = entry.answer_of(event)
        return Decision() if answer is None else answered(passage, answer)

    def _timer(self, state: State, event: TimerFired, timer_id: str, now: datetime) -> Decision:
        if not self.agenda(state).waits_for(timer_id):
            return Decision()
        for validation in state.transactions.values():
            entry = validation.entry
            if entry is None:
                continue
            passage = Passage(self._desk, state, event, now, validation)
            if entry.phase is Phase.BACKING_OFF and timer_id == entry.timer_id:
                return passage.keep(entry=entry.queued())
            if timer_id == entry.send_by_timer_id:
                passage.outbox.event(
                    "NOC.MCP_TOOL_FAILED",
                    validation.command.transaction,
                    tool=entry.tool,
                    code="not_sent",
                    attempt=entry.attempt,
                )
                return unreachable(passage, "not_sent")
        return state.forget(now, self._installation.timing.session_retention_ms, state.transactions)


def _by_call(state: State, call_id: str) -> Validation | None:
    return next(
        (found for found in state.transactions.values() if found.entry is not None and found.entry.call_id == call_id),
        None,
    )
