"""The gate: allowed, identified, complete, within the limits, then asked of the tool's own validator.

Invariants: a tool reached over target_tool passes the whole gate and is validated once; validators that hand on for ever are stopped.
Source: DESIGN 7 (Pre-validate).
"""

from datetime import timedelta

from contracts.identity import request_key
from contracts.status import Status
from pipeline.decision import Decision
from pipeline.ledger import LedgerEntry
from pipeline.policy import Tool, arguments_for, is_filled, mapped_arguments
from pipeline.proposal import item_names, item_values
from pipeline.stages.pre_validate.leaving import ask_again, malformed, not_identified
from pipeline.stages.pre_validate.passage import Passage

TOOLS_MAX = 3
"""Tools that one transaction may be validated for: validators that hand on for ever are stopped."""


def gate(passage: Passage) -> Decision:
    """Let the transaction pass, ask its validator, or say why neither is possible."""
    transaction = passage.transaction
    tool = allowed(passage)
    if tool is None:
        passage.outbox.event("GRL.TOOL_DENIED", transaction, tool=transaction.tool)
        return passage.close(Status.OUT_OF_SCOPE, "tool_denied", passage.wording.say("prevalidate.denied"))
    arguments = {**mapped_arguments(tool, passage.context), **transaction.arguments}
    missing = [name for name in tool.requires if not is_filled(arguments.get(name))]
    if missing:
        return ask_again(passage, tool, missing[0], None)
    names = item_names(item_values(tool, transaction.arguments))
    limit = passage.installation.limits.items
    if len(names) > limit:
        text = passage.wording.say("prevalidate.too_many", limit=limit, count=len(names))
        return passage.close(Status.OUT_OF_SCOPE, "too_many_items", text)
    policy = tool.pre_validation
    if policy is None or tool.name in passage.validation.validated:
        if not passage.validation.validated:
            passage.outbox.event("IC.TRANSACTION_PREVALIDATION_SKIPPED", transaction, tool=tool.name)
        return passage.hand_on(names)
    if len(passage.validation.validated) >= TOOLS_MAX:
        return malformed(passage, "validators hand the transaction on without end")
    validator = passage.installation.tools[policy.tool]
    mapped = {**mapped_arguments(validator, passage.context), **transaction.arguments}
    absent = [
        name for name in validator.requires if name in validator.mapping.values() and not is_filled(mapped.get(name))
    ]
    if absent:
        return not_identified(passage, validator, absent)
    return _request(passage, tool, validator, len(names))


def allowed(passage: Passage) -> Tool | None:
    """The tool, where the agent may use it and may serve the tenant."""
    turn = passage.turn
    tool = passage.installation.tool_for(turn.agent_id, passage.transaction.tool)
    if tool is None or tool.spec.tool_type not in {"action", "query"}:
        return None
    return tool if passage.installation.agent_allowed(turn.agent_id, turn.tenant_id) else None


def _request(passage: Passage, tool: Tool, validator: Tool, items_count: int) -> Decision:
    transaction, turn = passage.transaction, passage.turn
    arguments = arguments_for(
        validator,
        transaction.arguments,
        passage.context,
        source_text=transaction.source_text,
        locale=turn.locale,
    )
    number = len(passage.validation.validated)
    entry = LedgerEntry(
        call_id=f"{transaction.transaction_id}/{transaction.revision}/validate/{number}",
        server=validator.server,
        tool=validator.name,
        arguments={**arguments, "target_tool": tool.name},
        idempotency_key=request_key(transaction.transaction_id, transaction.revision, [validator.name, tool.name]),
        timeout_ms=validator.spec.timeout_ms,
        send_by=passage.outbox.now + timedelta(milliseconds=passage.installation.timing.send_deadline_ms),
    )
    passage.outbox.event(
        "IC.TRANSACTION_PREVALIDATION_REQUESTED",
        transaction,
        tool=tool.name,
        validator=validator.name,
        revision=transaction.revision,
        items_count=items_count,
    )
    return passage.keep(entry=entry, validated=(*passage.validation.validated, tool.name))
