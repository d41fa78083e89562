"""What the validator said, or that it said nothing: where the transaction goes on.

Invariants: a tool never needs less confirmation than a tool on the way to it; fail_open covers transport failure only; an answer that
breaks the validator's contract is never a yes. Source: DESIGN 7 (Pre-validate).
"""

from pipeline.answers import MALFORMED_CODES, failure_event
from pipeline.decision import CallAnswer, CallOutcome, Decision
from pipeline.policy import Recovery, Tool
from pipeline.proposal import item_names, item_values
from pipeline.stages.pre_validate.gate import allowed, gate
from pipeline.stages.pre_validate.leaving import ask_again, malformed, refuse, unavailable
from pipeline.stages.pre_validate.passage import Passage
from pipeline.stages.pre_validate.verdicts import (
    Eligible,
    Failed,
    Malformed,
    NeedsParameter,
    Refused,
    merged,
    read_verdict,
)

UNKNOWN_ATTEMPTS_MAX = 3
"""Attempts of a validator whose answer was lost: the customer waits meanwhile."""


def answered(passage: Passage, answer: CallAnswer) -> Decision:
    """Act on the verdict, or on there being none."""
    if answer.outcome in {CallOutcome.NOT_SENT, CallOutcome.UNKNOWN}:
        return _unanswered(passage, answer)
    tool = allowed(passage)
    if tool is None:  # the configuration changed while the validator was asked
        return gate(passage)
    match read_verdict(answer, passage.entry.tool, tool):
        case Eligible() as verdict:
            return _passed(passage, tool, verdict)
        case NeedsParameter(parameter=parameter, message=message):
            return ask_again(passage, tool, parameter, message)
        case Refused(reason=reason, message=message):
            return refuse(passage, tool, reason, message)
        case Malformed(why=why):
            return malformed(passage, why)
        case Failed(why=why):
            passage.outbox.event(
                "NOC.MCP_TOOL_FAILED",
                passage.transaction,
                tool=passage.entry.tool,
                code=why,
                attempt=passage.entry.attempt,
            )
            return unavailable(passage, why)


def _passed(passage: Passage, tool: Tool, verdict: Eligible) -> Decision:
    transaction = passage.transaction
    arguments = merged(transaction.arguments, verdict.arguments, tool, passage.turn.business_context)
    target = verdict.target_tool or tool.name
    asked_for = passage.validation.requires_confirmation or verdict.requires_confirmation
    passage.outbox.event(
        "IC.TRANSACTION_PREVALIDATION_PASSED",
        transaction,
        tool=tool.name,
        target_tool=target if target != tool.name else None,
        items_count=len(item_values(tool, arguments)),
        attempts=passage.entry.attempt,
    )
    moved = transaction.model_copy(
        update={
            "tool": target,
            "arguments": arguments,
            "confirmation_floor": transaction.confirmation_floor or (target != tool.name and tool.needs_confirmation),
        }
    )
    onward = passage.with_changes(
        command=passage.validation.command.model_copy(update={"transaction": moved}),
        entry=None,
        requires_confirmation=asked_for,
        # The wording of a validator that moved the transaction speaks of the tool it chose; the target's own one is better.
        confirmation_message=verdict.confirmation_message or passage.validation.confirmation_message,
    )
    if target != tool.name and target in passage.validation.validated:
        return malformed(onward, "validators hand the transaction back")
    return gate(onward)


def _unanswered(passage: Passage, answer: CallAnswer) -> Decision:
    entry, transaction, timing = passage.entry, passage.transaction, passage.installation.timing
    if answer.code in MALFORMED_CODES:
        return malformed(passage, answer.code or "unreadable")
    passage.outbox.event(failure_event(answer), transaction, tool=entry.tool, code=answer.code, attempt=entry.attempt)
    unknown = answer.outcome is CallOutcome.UNKNOWN
    validator = passage.installation.tools.get(entry.tool)
    attempts_max = min(timing.call_attempts_max, UNKNOWN_ATTEMPTS_MAX) if unknown else timing.call_attempts_max
    until = entry.backoff_until(passage.outbox.now, timing.retry_backoff_ms)
    given_up = entry.attempt >= attempts_max or (entry.send_by is not None and until >= entry.send_by)
    if given_up or (unknown and validator is not None and validator.recovery is Recovery.REPORT):
        return unreachable(passage, answer.code or answer.outcome.value)
    return passage.keep(entry=entry.back_off(until))


def unreachable(passage: Passage, why: str) -> Decision:
    """No answer will come: go on unchecked where the policy says so, else say that it could not be checked."""
    tool = allowed(passage)
    policy = tool.pre_validation if tool else None
    if tool is None or policy is None or not policy.fail_open:
        return unavailable(passage, why)
    passage.outbox.event(
        "IC.TRANSACTION_PREVALIDATION_SKIPPED", passage.transaction, tool=tool.name, reason="fail_open"
    )
    return passage.with_changes(entry=None).hand_on(item_names(item_values(tool, passage.transaction.arguments)))
