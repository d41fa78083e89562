"""The end of a transaction: its outcome in records, its answer in words.

Owns: the final answer, the terminal status, the completion events. Invariants: one final answer per transaction; the counts of
record, event and answer are the same; every confirmed item is named. Never: lets an auxiliary failure erase finished items.
Source: DESIGN 7 (Normalize), 8.
"""

from datetime import datetime
from typing import Any

from contracts.base import Contract
from contracts.channel_response import ChannelResponse, MultiItem, ResponseKind
from contracts.checkpoint import Checkpoint
from contracts.normalize_command import NormalizeCommand
from contracts.status import MultiItemStatus, Status
from contracts.transaction_status import TransactionStatus
from pipeline import topology
from pipeline.decision import (
    Agenda,
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
from pipeline.outbox import Outbox
from pipeline.policy import Installation, Tool
from pipeline.rejection import reject
from pipeline.remembered import Activity, Remembered
from pipeline.stages.normalize.fates import Outcome, outcome_of
from pipeline.stages.normalize.memory import Answered
from pipeline.stages.normalize.text import final_text
from pipeline.topology import StageName

State = Remembered[Answered]


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
        return Agenda(timers=state.retention(self._installation.timing.session_retention_ms))

    def waiting_bytes(self, state: State) -> int:
        del state  # nothing waits here
        return 0

    def is_empty(self, state: State) -> bool:
        return state.is_empty

    def decide(self, state: State, event: Input, now: datetime) -> Decision:
        match event:
            case Received(value=NormalizeCommand() as command):
                if command.transaction.transaction_id in state.transactions:
                    return Decision()
                return self._answer(state, command, event, now)
            case Received():
                raise ContractViolation("", "must be a NormalizeCommand")
            case TimerFired(timer_id=timer_id):
                due = {timer.timer_id for timer in self.agenda(state).timers}
                return state.forget() if timer_id in due else Decision()
            case _:
                return Decision()

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

    def _answer(self, state: State, command: NormalizeCommand, event: Input, now: datetime) -> Decision:
        turn, transaction = command.turn, command.transaction
        tool = self._installation.tools.get(transaction.tool)
        wording = Wording.of(self._messages, self._installation, turn.locale, turn.channel)
        outcome = outcome_of(
            command,
            read_only=tool is not None and not tool.transactional,
            unlisted=wording.catalogue.say("result.unlisted", locale=turn.locale, format="plain", number="{number}"),
        )
        outbox = Outbox(stage=self.name, turn=turn, cause=cause_of(event), now=now, sequence=state.sequence)
        self._completed(outbox, command, outcome)
        response = outbox.respond(
            final_text(command, outcome, wording, tool),
            ResponseKind.FINAL,
            transaction,
            status=outcome.status,
            **summary_of(outcome, transaction.tool),
        )
        self._published(outbox, command, response, tool)
        outbox.send(
            topology.STATUS,
            TransactionStatus(
                turn=turn,
                stage=self.name,
                transaction_id=transaction.transaction_id,
                revision=transaction.revision,
                tool=transaction.tool,
                status=outcome.status,
                reason=_reason(command, outcome),
            ),
        )
        marker = Answered(revision=transaction.revision, status=outcome.status)
        outbox.write(state.key(transaction.transaction_id), marker)
        outbox.write(state.conversation, Activity(last_at=now))
        return outbox.decision()

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
