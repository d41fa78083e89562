"""The end of a call: normalize is told, a small marker stays that never calls again.

Invariants: every command ends in exactly one NormalizeCommand; a refusal by policy says so. Source: DESIGN 4 (Calls), 7 (Execute).
"""

from collections.abc import Sequence
from typing import Any

from contracts.execute_command import ExecuteCommand
from contracts.normalize_command import CallFate, NormalizeCommand
from contracts.tool_result import ToolResult
from pipeline import topology
from pipeline.answers import flag_of, results_of
from pipeline.decision import Decision
from pipeline.outbox import Outbox
from pipeline.stages.execute.evidence import unknown
from pipeline.stages.execute.memory import RESULT_KEPT_BYTES, Execution, Settled, State
from pipeline.stages.execute.step import Step


def give_up(step: Step, reason: str) -> Decision:
    """The call is not sent any more: a clean failure, unless an earlier attempt may have been executed."""
    if step.running.asking is not None:
        return unknown_outcome(step, "status_not_told")
    return unknown_outcome(step, reason) if step.running.entry.uncertain else not_executed(step, reason)


def not_executed(step: Step, reason: str) -> Decision:
    """Settle a call that was certainly not executed."""
    if step.running.result is not None:
        # Only a retry of some items was not sent: what the first answer said of them stands.
        return settle(step, CallFate.ANSWERED, result=step.running.result)
    return settle(step, CallFate.REFUSED, reason=reason)


def unknown_outcome(step: Step, reason: str) -> Decision:
    """Settle a call that may have been executed: an operator hears of it; of a retry only the items sent again are unknown."""
    step.outbox.event(
        "NOC.MCP_OUTCOME_UNKNOWN",
        step.transaction,
        tool=step.transaction.tool,
        code=reason,
        recovery=step.tool.recovery.value,
        attempts=step.running.calls,
        idempotency_key=step.running.entry.idempotency_key,
    )
    before = step.running.result
    if before is not None:
        result = unknown(before, step.transaction.tool, step.items, step.running.sent)
        return settle(step, CallFate.ANSWERED, result=result)
    return settle(step, CallFate.UNKNOWN, reason=reason)


def settle(step: Step, fate: CallFate, *, result: ToolResult | None = None, reason: str = "") -> Decision:
    """End a running call with the events of its end."""
    running, transaction = step.running, step.transaction
    if fate is CallFate.REFUSED or (result is not None and not result.ok):
        step.outbox.event(
            "NOC.MCP_TOOL_FAILED",
            transaction,
            tool=transaction.tool,
            code=_code_of(result, reason),
            attempts=running.calls,
        )
    if result is not None:
        step.outbox.event(
            "IC.MCP_TOOL_EXECUTED",
            transaction,
            tool=transaction.tool,
            ok=result.ok,
            latency_ms=result.latency_ms,
            attempts=running.calls,
            **_counts_of(result, transaction.tool),
        )
    outcome = NormalizeCommand(
        turn=step.command.turn,
        transaction=transaction,
        items=step.command.items,
        item_values=step.items,
        fate=fate,
        invocation=running.invocation,
        result=result,
        reason=reason,
        attempts=running.calls,
    )
    return settled(step.state, step.outbox, step.command, outcome, running.entry.idempotency_key)


def _code_of(result: ToolResult | None, reason: str) -> str:
    """A code for events: a tool's own words may hold personal data and stay out."""
    if result is None:
        return reason
    code = result.metadata.get("code")
    return code if isinstance(code, str) else "tool_answered_failure"


def _counts_of(result: ToolResult, tool: str) -> dict[str, int]:
    evidence = results_of(result.data, tool)
    if evidence is None:
        return {}
    succeeded = sum(flag_of(entry) is True for entry in evidence.entries)
    return {"items_count": len(evidence.entries), "items_succeeded_count": succeeded}


def refused(state: State, outbox: Outbox, command: ExecuteCommand, reason: str) -> Decision:
    """Refuse by policy: nothing was sent, normalize says so."""
    transaction = command.transaction
    outbox.event("GRL.TOOL_DENIED", transaction, tool=transaction.tool, reason=reason)
    blocked = ToolResult(
        tool_name=transaction.tool, ok=False, error=reason, metadata={"blocked_by_policy": True, "reason": reason}
    )
    outcome = NormalizeCommand(
        turn=command.turn,
        transaction=transaction,
        items=command.items,
        fate=CallFate.REFUSED,
        result=blocked,
        reason=reason,
    )
    return settled(state, outbox, command, outcome, "")


def settled(state: State, outbox: Outbox, command: ExecuteCommand, outcome: NormalizeCommand, key: str) -> Decision:
    """Hand the outcome to normalize; a small marker stays."""
    outbox.send(topology.NORMALIZE, outcome)
    result = outcome.result
    small = result is None or len(result.model_dump_json()) <= RESULT_KEPT_BYTES
    marker = Settled(
        fate=outcome.fate,
        reason=outcome.reason,
        idempotency_key=key,
        attempts=outcome.attempts,
        result=result if small else None,
        complete=small,
    )
    execution = Execution(revision=command.transaction.revision, digest=command.digest, settled=marker)
    return state.written(outbox, command.transaction.transaction_id, execution)


def told_again(command: ExecuteCommand, marker: Settled, values: Sequence[Any]) -> NormalizeCommand:
    """Say the same outcome again for a redelivered command; normalize answers it once."""
    return NormalizeCommand(
        turn=command.turn,
        transaction=command.transaction,
        items=command.items,
        item_values=tuple(values),
        fate=marker.fate,
        result=marker.result,
        reason=marker.reason,
        attempts=marker.attempts,
    )
