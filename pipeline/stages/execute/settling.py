"""The end of a call: normalize is told, a small marker stays that never calls again.

Invariants: every command ends in exactly one NormalizeCommand; a refusal by policy says so. Source: DESIGN 4 (Calls), 7 (Execute).
"""

from collections.abc import Sequence
from typing import Any

from contracts.execute_command import ExecuteCommand
from contracts.normalize_command import CallFate, NormalizeCommand
from contracts.tool_result import ToolResult
from pipeline import topology
from pipeline.decision import Decision
from pipeline.outbox import Outbox
from pipeline.stages.execute.memory import RESULT_KEPT_BYTES, Execution, Settled, State


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
