"""The calls execute asks for: the tool itself, its status tool, the retry of some items.

Invariants: one request key per round and set of items sent, one item key per item, the same in every attempt and every retry; keys travel in the
entry, and in the arguments where the tool's schema declares them. Source: DESIGN 4 (Calls: keys).
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from contracts.execute_command import ExecuteCommand
from contracts.identity import digest, item_key, request_key
from contracts.tool_invocation import ToolInvocation
from contracts.transaction import Transaction
from pipeline.ledger import LedgerEntry, Phase
from pipeline.policy import Recovery, Timing, Tool, arguments_for
from pipeline.proposal import item_values


def tool_call(
    command: ExecuteCommand,
    tool: Tool,
    timing: Timing,
    now: datetime,
    *,
    round_number: int = 1,
    sent: Sequence[int] | None = None,
) -> LedgerEntry:
    """Call the tool with its collection, or with the items at the positions `sent` of it."""
    transaction = command.transaction
    values = item_values(tool, transaction.arguments)
    items = values if sent is None else tuple(values[position] for position in sent)
    arguments = dict(transaction.arguments)
    if sent is not None and tool.items_argument is not None:
        arguments[tool.items_argument] = list(items)
    keys = tuple(item_key(transaction.transaction_id, transaction.revision, item) for item in items)
    content = _sent_content(transaction, tool, items)
    # Another round of the same items is another request: a server that keeps to its keys would answer the first one again.
    content = content if round_number == 1 else {"round": round_number, "sent": content}
    key = request_key(transaction.transaction_id, transaction.revision, content)
    return LedgerEntry(
        call_id=f"{transaction.transaction_id}/{transaction.revision}/call/{round_number}",
        server=tool.server,
        tool=tool.name,
        arguments=arguments_for(
            tool,
            arguments,
            command.turn.business_context.model_dump(),
            source_text=transaction.source_text,
            locale=command.turn.locale,
            idempotency_key=key,
            item_keys=list(keys),
        ),
        idempotency_key=key,
        item_keys=keys,
        timeout_ms=tool.spec.timeout_ms,
        send_by=now + timedelta(milliseconds=timing.send_deadline_ms),
        side_effects=tool.transactional and tool.recovery is Recovery.REPORT,
        traceparent=traceparent(command.turn.trace_id, transaction.transaction_id),
    )


def retry_call(
    command: ExecuteCommand,
    tool: Tool,
    timing: Timing,
    now: datetime,
    *,
    round_number: int,
    sent: Sequence[int],
    backoff_ms: int,
) -> LedgerEntry:
    """Call the tool again with some items only, after a pause: a request key of its own, the same item keys."""
    until = now + timedelta(milliseconds=backoff_ms)
    entry = tool_call(command, tool, timing, until, round_number=round_number, sent=sent)
    return entry.model_copy(update={"phase": Phase.BACKING_OFF, "due_at": until})


def status_call(command: ExecuteCommand, about: LedgerEntry, tool: Tool, timing: Timing, now: datetime) -> LedgerEntry:
    """Ask the status tool what became of a call, by its request key."""
    patience_ms = max(timing.send_deadline_ms, timing.status_polls_max * timing.status_poll_ms)
    return LedgerEntry(
        call_id=f"{about.call_id}/status/{about.attempt}",
        server=tool.server,
        tool=tool.name,
        arguments=arguments_for(
            tool,
            command.transaction.arguments,
            command.turn.business_context.model_dump(),
            locale=command.turn.locale,
            target_tool=about.tool,
            idempotency_key=about.idempotency_key,
            item_keys=list(about.item_keys),
        ),
        idempotency_key=about.idempotency_key,
        timeout_ms=tool.spec.timeout_ms,
        send_by=now + timedelta(milliseconds=patience_ms),
        traceparent=about.traceparent,
    )


def invocation_of(command: ExecuteCommand, entry: LedgerEntry) -> ToolInvocation:
    """Write the call as the contract has it, for audit."""
    turn = command.turn
    return ToolInvocation(
        tenant_id=turn.tenant_id,
        agent_id=turn.agent_id,
        tool_name=entry.tool,
        arguments=entry.arguments,
        business_context=turn.business_context,
        metadata={
            "request_id": turn.message_id,
            "trace_id": turn.trace_id,
            "idempotency_key": entry.idempotency_key,
            "item_keys": list(entry.item_keys),
        },
    )


def traceparent(trace_id: str, transaction_id: str) -> str | None:
    """W3C trace context of a call; None when the turn's trace id is no W3C one."""
    known = len(trace_id) == 32 and set(trace_id) <= set("0123456789abcdef") and trace_id.strip("0") != ""
    return f"00-{trace_id}-{digest(transaction_id)[:16]}-01" if known else None


def _sent_content(transaction: Transaction, tool: Tool, items: Sequence[Any]) -> Any:
    """What makes two calls of one revision different: the items, or all arguments where there are none."""
    return list(items) if tool.items_argument is not None else transaction.arguments
