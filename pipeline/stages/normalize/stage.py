"""The end of a transaction: its outcome in records, its answer in words.

Owns: the final answer, the terminal status, the completion events. Invariants: one final answer per transaction; the counts of
record, event and answer are the same; every confirmed item is named. Never: lets an auxiliary failure erase finished items.
Source: DESIGN 7 (Normalize), 8.
"""

from datetime import datetime
from typing import Any

from pydantic import ValidationError

from contracts.base import Contract
from contracts.channel_response import ChannelResponse, MultiItem, ResponseKind
from contracts.checkpoint import Checkpoint
from contracts.llm_response import LLMResponse
from contracts.normalize_command import NormalizeCommand
from contracts.status import MultiItemStatus, Status
from pipeline.decision import (
    Agenda,
    CallGranted,
    CallLost,
    CallOutcome,
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
from pipeline.ledger import LedgerEntry, Phase, agenda_of, asked_again
from pipeline.outbox import Outbox
from pipeline.policy import Installation, Tool
from pipeline.rejection import reject
from pipeline.remembered import Remembered
from pipeline.stages.normalize.composing import asked, composed, is_composed
from pipeline.stages.normalize.ending import Ending
from pipeline.stages.normalize.fates import Outcome, outcome_of
from pipeline.stages.normalize.memory import Answered, Composing, State, composing_in
from pipeline.stages.normalize.text import final_text
from pipeline.topology import StageName


class Normalize:
    """The stage as its shell sees it."""

    def __init__(self, installation: Installation, messages: Catalogue) -> None:
        self._installation = installation
        self._messages = messages

    @property
    def name(self) -> str:
        return StageName.NORMALIZE.value

    def conversation_of(self, value: Contract) -> str:
        if not isinstance(value, NormalizeCommand):
            raise ContractViolation("", "must be a NormalizeCommand")
        return value.turn.conversation_key

    def initial(self, conversation: str) -> State:
        return Remembered(conversation)

    def replay(self, state: State, key: str, checkpoint: Checkpoint | None) -> State:
        return state.replayed(key, checkpoint, Answered)

    def agenda(self, state: State) -> Agenda:
        composing = composing_in(state)
        return agenda_of((one.entry for one in composing.values()), state.retention(self._retention_ms, composing))

    @property
    def _retention_ms(self) -> int:
        return self._installation.timing.session_retention_ms

    def waiting_bytes(self, state: State) -> int:
        return sum(composing.size for composing in composing_in(state).values())

    def is_empty(self, state: State) -> bool:
        return state.is_empty

    def decide(self, state: State, event: Input, now: datetime) -> Decision:
        match event:
            case Received(value=NormalizeCommand() as command):
                if command.transaction.transaction_id in state.transactions:
                    return Decision()
                return self._begin(self._ending(state, command, event, now), event.size)
            case Received():
                raise ContractViolation("", "must be a NormalizeCommand")
            case TimerFired(timer_id=timer_id):
                return self._timer(state, event, now) if self.agenda(state).waits_for(timer_id) else Decision()
            case CallGranted(call_id=call_id) | CallReturned(call_id=call_id) | CallLost(call_id=call_id):
                waiting = composing_in(state).values()
                found = next((composing for composing in waiting if composing.entry.call_id == call_id), None)
                return self._call(state, found, event, now) if found else Decision()

    def reject(self, state: State | None, rejection: Rejection, now: datetime) -> Decision:
        return reject(
            rejection,
            stage=self.name,
            sequence=state.sequence if state else 0,
            now=now,
            told=state.transactions if state else (),
            # The call has been made: nobody may be told that nothing was done.
            text=lambda turn: Wording.of(self._messages, self._installation, turn.locale, turn.channel).say(
                "rejected.unknown"
            ),
        )

    def _ending(self, state: State, command: NormalizeCommand, event: Input, now: datetime) -> Ending:
        turn = command.turn
        tool = self._installation.tools.get(command.transaction.tool)
        wording = Wording.of(self._messages, self._installation, turn.locale, turn.channel)
        outcome = outcome_of(
            command,
            read_only=tool is not None and not tool.transactional,
            unlisted=wording.catalogue.say("result.unlisted", locale=turn.locale, format="plain", number="{number}"),
        )
        outbox = Outbox(stage=self.name, turn=turn, cause=cause_of(event), now=now, sequence=state.sequence)
        return Ending(state, command, tool, wording, outcome, outbox)

    # --- the words of an AI gateway --------------------------------------------------------------------------------------

    def _begin(self, ending: Ending, size: int) -> Decision:
        """Answer, or ask for the words first."""
        policy = self._installation.llm
        if not policy.composes or not is_composed(ending, size):
            return self._answer(ending)
        return self._keep(ending, Composing(command=ending.command, entry=asked(ending, policy), size=size))

    def _keep(self, ending: Ending, composing: Composing) -> Decision:
        transaction, outbox = ending.command.transaction, ending.outbox
        kept = Answered(revision=transaction.revision, status=ending.outcome.status, composing=composing)
        return ending.state.written(outbox, transaction.transaction_id, kept)

    def _call(
        self, state: State, composing: Composing, event: CallGranted | CallReturned | CallLost, now: datetime
    ) -> Decision:
        entry = composing.entry
        ending = self._ending(state, composing.command, event, now)
        if isinstance(event, CallGranted):
            if not entry.is_granted(event):
                return Decision()
            return self._keep(ending, composing.model_copy(update={"entry": entry.calling(event.incarnation, now)}))
        answer = entry.answer_of(event)
        if answer is None:
            return Decision()
        if answer.outcome is CallOutcome.OK:
            return self._answer(ending, self._composed(ending, answer.payload, entry))
        self._failed(ending, answer.code or answer.outcome.value, entry)
        again = asked_again(entry, answer, self._installation.llm, self._installation.timing.retry_backoff_ms, now)
        if again is None:
            return self._answer(ending)
        return self._keep(ending, composing.model_copy(update={"entry": again}))

    def _timer(self, state: State, event: TimerFired, now: datetime) -> Decision:
        for composing in composing_in(state).values():
            entry = composing.entry
            if event.timer_id not in {entry.timer_id, entry.send_by_timer_id}:
                continue
            ending = self._ending(state, composing.command, event, now)
            if entry.phase is Phase.BACKING_OFF and event.timer_id == entry.timer_id:
                return self._keep(ending, composing.model_copy(update={"entry": entry.queued()}))
            self._failed(ending, "not_sent", entry)
            return self._answer(ending)
        return state.forget(now, self._retention_ms, composing_in(state))

    def _composed(self, ending: Ending, payload: Any, entry: LedgerEntry) -> str | None:
        """The model's text, when it says what happened; None: ours."""
        try:
            content = LLMResponse.model_validate(payload).content
        except ValidationError:
            self._failed(ending, "malformed", entry)
            return None
        text, fault = composed(ending, content)
        if fault is None:
            return text
        ending.outbox.event("GRL.COMPOSITION_REJECTED", ending.command.transaction, reason=fault, characters=len(text))
        return None

    def _failed(self, ending: Ending, code: str, entry: LedgerEntry) -> None:
        ending.outbox.event(
            "NOC.LLM_FAILED", ending.command.transaction, operation=entry.tool, code=code, attempt=entry.attempt
        )

    # --- the answer ------------------------------------------------------------------------------------------------------

    def _answer(self, ending: Ending, text: str | None = None) -> Decision:
        """Say what became of it; `text`: in these words."""
        command, outcome, outbox, tool = ending.command, ending.outcome, ending.outbox, ending.tool
        transaction = command.transaction
        self._completed(outbox, command, outcome)
        response = outbox.respond(
            final_text(command, outcome, ending.wording, tool) if text is None else text,
            ResponseKind.FINAL,
            transaction,
            status=outcome.status,
            **summary_of(outcome, transaction.tool),
        )
        self._published(outbox, command, response, tool)
        outbox.tell(transaction, outcome.status, reason=_reason(command, outcome))
        marker = Answered(revision=transaction.revision, status=outcome.status)
        return ending.state.written(outbox, transaction.transaction_id, marker)

    def _completed(self, outbox: Outbox, command: NormalizeCommand, outcome: Outcome) -> None:
        transaction = command.transaction
        unknown = outcome.status is Status.OUTCOME_UNKNOWN
        counts: dict[str, Any] = {"items_count": len(outcome.fates)}
        if not unknown:
            failed = len(outcome.fates) - outcome.succeeded
            counts |= {"items_succeeded_count": outcome.succeeded, "items_failed_count": failed}
        outbox.event(
            "IC.TRANSACTION_OUTCOME_UNKNOWN" if unknown else "IC.TRANSACTION_COMPLETED",
            transaction,
            tool=transaction.tool,
            status=outcome.status.value,
            multi_item_status=outcome.summary.value if outcome.summary else None,
            fate=command.fate.value,
            attempts=command.attempts,
            **counts,
        )

    def _published(
        self, outbox: Outbox, command: NormalizeCommand, response: ChannelResponse, tool: Tool | None
    ) -> None:
        outbox.event(
            "IC.AGENT_COMPLETED",
            command.transaction,
            tool=command.transaction.tool,
            operation_type=tool.operation_type.value if tool else None,
            channel=command.turn.channel,
            response_id=response.metadata.response_id,
            characters=len(response.text),
        )


def summary_of(outcome: Outcome, tool: str) -> dict[str, Any]:
    """Return the metadata of an outcome: items always, the multi-item summary of two or more."""
    fields: dict[str, Any] = {"items": [fate.item for fate in outcome.fates]}
    if outcome.summary is not None:
        fields |= {
            "multi_item_status": outcome.summary,
            "partial_success": outcome.summary is MultiItemStatus.PARTIAL_SUCCESS,
            "multi_item": MultiItem(
                status=outcome.summary,
                items_count=len(outcome.fates),
                items_succeeded_count=outcome.succeeded,
                items_failed_count=len(outcome.fates) - outcome.succeeded,
                primary_tool=tool,
            ),
        }
    return fields


def _reason(command: NormalizeCommand, outcome: Outcome) -> str | None:
    """With FAILED: why, as a code."""
    if outcome.status is not Status.FAILED:
        return None
    return command.reason or ("all_items_failed" if outcome.fates else "tool_failed")
