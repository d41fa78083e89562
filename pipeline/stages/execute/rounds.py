"""The answer of a call: items whose reasons the policy lists are sent again, then the call is settled.

Invariants: evidence of all rounds is merged; rounds are bounded; each is a call of its own under the same confirmation.
Source: DESIGN 7 (Execute).
"""

from contracts.normalize_command import CallFate
from contracts.tool_result import ToolResult
from pipeline.decision import Decision
from pipeline.stages.execute.calls import retry_call
from pipeline.stages.execute.evidence import merged, open_items
from pipeline.stages.execute.settling import settle
from pipeline.stages.execute.step import Step


def answered(step: Step, result: ToolResult) -> Decision:
    """Go on with a readable answer of the tool, for all items or for those sent again."""
    before = step.running.result
    if before is not None:
        result = merged(before, result, step.transaction.tool, step.items, step.running.sent)
    return _retried_items(step, result) or settle(step, CallFate.ANSWERED, result=result)


def _retried_items(step: Step, result: ToolResult) -> Decision | None:
    """Send open items again where the policy lists their reasons; None: there is nothing to send again."""
    policy, rounds = step.tool.policy.item_retry, step.running.rounds
    if policy is None or rounds >= policy.max_attempts or step.tool.items_argument is None:
        return None
    again = open_items(result, step.transaction.tool, step.items, policy.reasons)
    if not again:
        return None
    step.outbox.event(
        "IC.MCP_ITEM_RETRIED",
        step.transaction,
        tool=step.transaction.tool,
        items_count=len(again),
        round=rounds + 1,
    )
    entry = retry_call(
        step.command,
        step.tool,
        step.timing,
        step.now,
        round_number=rounds + 1,
        sent=again,
        backoff_ms=policy.backoff_ms,
    )
    return step.keep(entry=entry, asking=None, sent=again, rounds=rounds + 1, result=result)
