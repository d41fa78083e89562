"""One call of the tool and what the pipeline makes of its answer.

Invariants: what a call sends and what an answer means are decided by the stages' own functions, so that a certificate speaks of the
pipeline as it is and not of a second reading. Never: judges.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from contracts.channel_response import ItemFate
from contracts.execute_command import ExecuteCommand
from contracts.identity import conversation_key, digest, transaction_id
from contracts.normalize_command import CallFate, NormalizeCommand
from contracts.transaction import Transaction, Turn
from pipeline.answers import Evidence, Reading, results_of, tool_result
from pipeline.decision import CallAnswer, CallOutcome
from pipeline.ledger import LedgerEntry
from pipeline.policy import Timing, Tool
from pipeline.proposal import item_names, item_values
from pipeline.stages.execute.calls import tool_call
from pipeline.stages.normalize.fates import outcome_of

FATES = {
    CallOutcome.OK: CallFate.ANSWERED,
    CallOutcome.TOOL_ERROR: CallFate.ANSWERED,
    CallOutcome.NOT_SENT: CallFate.REFUSED,
    CallOutcome.UNKNOWN: CallFate.UNKNOWN,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A call that can be sent any number of times, always with the same keys."""

    check: str
    command: ExecuteCommand
    entry: LedgerEntry
    items: tuple[Any, ...]
    """As they are sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What came back, and how the pipeline reads it."""

    planned: Planned
    answer: CallAnswer
    fates: tuple[ItemFate, ...]
    """Of the items, in their order; then of results that belong to none of them."""
    reading: Reading | None
    """None: there was no readable answer."""
    evidence: Evidence | None
    """`results[]`, where there is one."""
    secondary: bool
    """Whether the pipeline saw a failure around an operation that was done."""

    @property
    def check(self) -> str:
        """The check that it belongs to."""
        return self.planned.check

    @property
    def answered(self) -> bool:
        """Whether a readable answer came."""
        return FATES[self.answer.outcome] is CallFate.ANSWERED

    @property
    def entries(self) -> tuple[Any, ...]:
        """Of `results[]`; empty where there is none."""
        return self.evidence.entries if self.evidence else ()

    @property
    def own_fates(self) -> tuple[ItemFate, ...]:
        """Fates of the items that were sent."""
        return self.fates[: len(self.planned.items)]


def planned(
    tool: Tool, check: str, arguments: Mapping[str, Any], *, run: str, timeout_ms: int | None = None
) -> Planned:
    """A call as execute would make it."""
    now = _now()
    conversation = conversation_key("certify", "certify", run)
    turn = Turn(
        conversation_key=conversation,
        tenant_id="certify",
        agent_id="certify",
        session_id=run,
        channel="certify",
        message_id=check,
    )
    transaction = Transaction(
        transaction_id=transaction_id(conversation, check, 0),
        tool=tool.name,
        requested_tool=tool.name,
        arguments=dict(arguments),
        opened_at=now,
    )
    # A call that names no item at all (the current invoice) is about one thing: itself.
    items = item_values(tool, transaction.arguments) or ((tool.name,) if tool.items_argument is None else ())
    command = ExecuteCommand(turn=turn, transaction=transaction, items=item_names(items), digest=digest(check))
    entry = tool_call(command, tool, Timing(), now)
    if timeout_ms is not None:
        entry = entry.model_copy(update={"timeout_ms": timeout_ms})
    return Planned(check=check, command=command, entry=entry, items=items)


def observed(tool: Tool, call: Planned, answer: CallAnswer) -> Observation:
    """Read an answer as normalize would."""
    fate = FATES[answer.outcome]
    outcome = outcome_of(
        NormalizeCommand(
            turn=call.command.turn,
            transaction=call.command.transaction,
            items=call.command.items,
            item_values=call.items,
            fate=fate,
            result=tool_result(tool.name, answer) if fate is CallFate.ANSWERED else None,
            reason=answer.code or "",
        ),
        read_only=not tool.transactional,
        unlisted="result {number}",
    )
    return Observation(
        planned=call,
        answer=answer,
        fates=tuple(each.item for each in outcome.fates),
        reading=outcome.reading,
        evidence=results_of(answer.payload, tool.name),
        secondary=outcome.secondary,
    )


def names(values: Sequence[str], *, most: int = 3) -> str:
    """A few names for a sentence."""
    return ", ".join(values[:most]) + (f" and {len(values) - most} more" if len(values) > most else "")


def _now() -> datetime:
    return datetime.now(UTC)
