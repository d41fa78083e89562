"""The way of one call: queued, granted a place, answered, tried again.

Owns: what each report of the shell leads to. Invariants: a call becomes CALLING only with a slot in hand and its command checked again;
an unknown outcome is never followed by another call unless the tool's recovery allows it; attempts are durable and bounded.
Source: DESIGN 4 (Calls), 7 (Execute).
"""

from datetime import datetime, timedelta

from contracts.status import Status
from pipeline.answers import UNDECIDABLE, tool_result
from pipeline.decision import CallAnswer, CallGranted, CallLost, CallOutcome, CallReturned, Decision
from pipeline.ledger import LedgerEntry
from pipeline.policy import Recovery
from pipeline.stages.execute.asking import ask_status, status_told
from pipeline.stages.execute.refusal import refusal_of
from pipeline.stages.execute.rounds import answered
from pipeline.stages.execute.settling import give_up, refused, unknown_outcome
from pipeline.stages.execute.step import Step

TRY_MIN = timedelta(milliseconds=200)
"""A query is not asked once more for less time than this."""


def begin(step: Step) -> Decision:
    """Queue the call, say so."""
    transaction = step.transaction
    step.outbox.event(
        "IC.MCP_TOOL_REQUESTED",
        transaction,
        tool=transaction.tool,
        revision=transaction.revision,
        items_count=len(step.items),
        operation_type=step.tool.operation_type.value,
    )
    step.outbox.tell(transaction, Status.EXECUTING, announced=False)
    return step.keep()


def report(step: Step, event: CallGranted | CallReturned | CallLost) -> Decision:
    """Take what the shell says of the active call; reports about another attempt are ignored."""
    entry = step.running.active
    if isinstance(event, CallGranted):
        return granted(step, event.incarnation) if entry.is_granted(event) else Decision()
    answer = entry.answer_of(event)
    return Decision() if answer is None else returned(step, answer)


def queue_again(step: Step) -> Decision:
    """The pause is over."""
    queued = step.running.active.queued()
    return step.keep(asking=queued) if step.running.asking else step.keep(entry=queued)


def granted(step: Step, incarnation: str) -> Decision:
    """Call, unless what was configured has changed."""
    running, active = step.running, step.running.active
    again = running.asking is None and not step.tool.transactional and active.attempt > 0
    calling = active.calling(incarnation, step.now, active.send_by if again else None)
    if running.asking is not None:
        return step.keep(asking=calling)
    # Again, right before the call: the configuration may have changed since it was queued.
    refusal = refusal_of(step.command, step.installation)
    if refusal is not None and running.result is None and not running.entry.uncertain:
        return refused(step.state, step.outbox, step.command, refusal)
    if refusal is not None:
        return give_up(step, refusal)
    return step.keep(entry=calling, calls=running.calls + 1)


def returned(step: Step, answer: CallAnswer) -> Decision:
    """The active attempt is over."""
    if step.running.asking is not None:
        return status_told(step, answer)
    match answer.outcome:
        case CallOutcome.OK | CallOutcome.TOOL_ERROR:
            return answered(step, tool_result(step.transaction.tool, answer))
        case CallOutcome.NOT_SENT:
            return not_sent(step, answer)
        case CallOutcome.UNKNOWN:
            return lost(step, answer)


def not_sent(step: Step, answer: CallAnswer) -> Decision:
    """Proved unsent: try again, within the deadline and the attempts, then fail cleanly."""
    step.failed(answer)
    entry = step.running.entry
    until = entry.backoff_until(step.now, step.timing.retry_backoff_ms)
    late = entry.send_by is not None and until >= entry.send_by
    if late or entry.attempt >= step.timing.call_attempts_max:
        return give_up(step, answer.code or "not_sent")
    return step.keep(entry=entry.back_off(until))


def lost(step: Step, answer: CallAnswer) -> Decision:
    """Perhaps executed: only the tool's recovery says what comes next."""
    step.failed(answer)
    entry, asked = step.running.entry, step.status_tool
    if answer.code == UNDECIDABLE:
        return unknown_outcome(step, UNDECIDABLE)
    match step.tool.recovery:
        case Recovery.RETRY if entry.attempt < step.timing.call_attempts_max:
            return retry(step, entry)
        case Recovery.STATUS if asked is not None:
            return ask_status(step, asked)
        case _:
            return unknown_outcome(step, answer.code or "unknown")


def retry(step: Step, entry: LedgerEntry) -> Decision:
    """Same key, same call: the server knows whether it has done it."""
    until = entry.backoff_until(step.now, step.timing.retry_backoff_ms)
    send_by = until + timedelta(milliseconds=step.timing.send_deadline_ms)
    if not step.tool.transactional:
        send_by = _query_ends_at(step, entry)
        if until + TRY_MIN >= send_by:
            return unknown_outcome(step, "query_budget_spent")
    return step.keep(entry=entry.back_off(until, send_by=send_by, uncertain=True))


def _query_ends_at(step: Step, entry: LedgerEntry) -> datetime:
    """When a query is given up: its budget after its first attempt began. Nothing is lost with it but the answer."""
    if entry.uncertain and entry.send_by is not None:
        return entry.send_by
    assert entry.not_after is not None
    began_at = entry.not_after - timedelta(milliseconds=entry.timeout_ms)
    return began_at + timedelta(milliseconds=step.timing.query_budget_ms)
