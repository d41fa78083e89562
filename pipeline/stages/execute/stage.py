"""One call of the tool with the whole collection, and what became of it.

Owns: the ledger of calls, recovery of unknown outcomes, item retries under the same confirmation.
Invariants: a call becomes CALLING only with a slot in hand and its digest checked again; an unknown outcome is never followed by
another call unless the tool's recovery allows it; attempts are durable and bounded; every command ends in exactly one NormalizeCommand.
Never: loops a scalar tool over items, guesses a lost outcome, caches a result. Source: DESIGN 4 (Calls), 7 (Execute).
"""

from datetime import datetime

from contracts.base import Contract
from contracts.checkpoint import Checkpoint
from contracts.execute_command import ExecuteCommand
from pipeline import topology
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
    cause_of,
)
from pipeline.language.messages import Catalogue
from pipeline.language.wording import Wording
from pipeline.ledger import Phase, agenda_of
from pipeline.outbox import Outbox
from pipeline.policy import Installation
from pipeline.proposal import item_values
from pipeline.rejection import reject
from pipeline.remembered import Remembered
from pipeline.stages.execute.attempts import begin, queue_again, report
from pipeline.stages.execute.calls import invocation_of, tool_call
from pipeline.stages.execute.memory import Execution, Running, State
from pipeline.stages.execute.refusal import refusal_of
from pipeline.stages.execute.settling import give_up, refused, told_again
from pipeline.stages.execute.step import Step
from pipeline.topology import StageName


class Execute:
    """The stage as its shell sees it."""

    def __init__(self, installation: Installation, messages: Catalogue) -> None:
        self._installation = installation
        self._messages = messages

    @property
    def name(self) -> str:
        return StageName.EXECUTE.value

    def conversation_of(self, value: Contract) -> str:
        if not isinstance(value, ExecuteCommand):
            raise ContractViolation("", "must be an ExecuteCommand")
        return value.turn.conversation_key

    def initial(self, conversation: str) -> State:
        return Remembered(conversation)

    def replay(self, state: State, key: str, checkpoint: Checkpoint | None) -> State:
        return state.replayed(key, checkpoint, Execution)

    def agenda(self, state: State) -> Agenda:
        retention = state.retention(self._retention_ms, _running_ids(state))
        return agenda_of((running.active for running in _running(state)), retention)

    @property
    def _retention_ms(self) -> int:
        return self._installation.timing.session_retention_ms

    def waiting_bytes(self, state: State) -> int:
        return sum(running.size for running in _running(state))

    def is_empty(self, state: State) -> bool:
        return state.is_empty

    def reject(self, state: State | None, rejection: Rejection, now: datetime) -> Decision:
        return reject(
            rejection,
            stage=self.name,
            sequence=state.sequence if state else 0,
            now=now,
            told=state.transactions if state else (),
            text=lambda turn: Wording.of(self._messages, self._installation, turn.locale, turn.channel).say(
                "rejected.not_done"
            ),
        )

    def decide(self, state: State, event: Input, now: datetime) -> Decision:
        match event:
            case Received(value=ExecuteCommand() as command, size=size):
                return self._command(state, command, size, event, now)
            case Received():
                raise ContractViolation("", "must be an ExecuteCommand")
            case TimerFired(timer_id=timer_id):
                return self._timer(state, event, timer_id, now)
            case CallGranted(call_id=call_id) | CallReturned(call_id=call_id) | CallLost(call_id=call_id):
                running = next((found for found in _running(state) if found.active.call_id == call_id), None)
                return report(Step(self._installation, state, event, now, running), event) if running else Decision()

    def _command(self, state: State, command: ExecuteCommand, size: int, event: Input, now: datetime) -> Decision:
        known = state.transactions.get(command.transaction.transaction_id)
        if known is not None:
            return self._again(state, known, command, event, now)
        tool = self._installation.tools.get(command.transaction.tool)
        refusal = refusal_of(command, self._installation)
        if tool is None or refusal is not None:
            outbox = Outbox(stage=self.name, turn=command.turn, cause=cause_of(event), now=now, sequence=state.sequence)
            return refused(state, outbox, command, refusal or "tool_denied")
        entry = tool_call(command, tool, self._installation.timing, now)
        running = Running(
            command=command,
            entry=entry,
            invocation=invocation_of(command, entry),
            sent=tuple(range(len(item_values(tool, command.transaction.arguments)))),
            size=size,
        )
        return begin(Step(self._installation, state, event, now, running))

    def _again(self, state: State, known: Execution, command: ExecuteCommand, event: Input, now: datetime) -> Decision:
        """A transaction executes once: the same command again gets the same result, another one is denied."""
        outbox = Outbox(stage=self.name, turn=command.turn, cause=cause_of(event), now=now, sequence=state.sequence)
        if known.digest != command.digest or known.revision != command.transaction.revision:
            outbox.event(
                "GRL.TOOL_DENIED", command.transaction, tool=command.transaction.tool, reason="already_executed"
            )
            return state.touched(outbox)
        if known.settled is not None and known.settled.complete:
            tool = self._installation.tools.get(command.transaction.tool)
            values = item_values(tool, command.transaction.arguments)
            outbox.send(topology.NORMALIZE, told_again(command, known.settled, values))
        return outbox.decision()

    def _timer(self, state: State, event: TimerFired, timer_id: str, now: datetime) -> Decision:
        if not self.agenda(state).waits_for(timer_id):
            return Decision()
        for running in _running(state):
            entry = running.active
            step = Step(self._installation, state, event, now, running)
            if entry.phase is Phase.BACKING_OFF and timer_id == entry.timer_id:
                return queue_again(step)
            if timer_id == entry.send_by_timer_id:
                return give_up(step, "not_sent")
        return state.forget(now, self._retention_ms, _running_ids(state))


def _running_ids(state: State) -> set[str]:
    return {name for name, execution in state.transactions.items() if execution.running is not None}


def _running(state: State) -> list[Running]:
    return [execution.running for execution in state.transactions.values() if execution.running is not None]
