"""Asking the status tool what became of a call whose answer was lost.

Invariants: the call is sent again only when it was certainly never begun; the status is asked a bounded number of times.
Source: DESIGN 4 (Calls), 7 (Execute).
"""

from datetime import timedelta

from pipeline.answers import UNDECIDABLE, tool_result
from pipeline.decision import CallAnswer, CallOutcome, Decision
from pipeline.ledger import LedgerEntry
from pipeline.policy import Tool
from pipeline.stages.execute.calls import status_call
from pipeline.stages.execute.rounds import answered
from pipeline.stages.execute.settling import not_executed, unknown_outcome
from pipeline.stages.execute.status_answer import Known, read_status
from pipeline.stages.execute.step import Step


def ask_status(step: Step, tool: Tool) -> Decision:
    """Queue the question to the status tool; the call itself waits for its answer."""
    entry = step.running.entry.model_copy(update={"uncertain": True})
    asking = status_call(step.command, entry, tool, step.timing, step.now)
    return step.keep(entry=entry, asking=asking)


def status_told(step: Step, answer: CallAnswer) -> Decision:
    """The status tool answered, or did not."""
    entry, asking = step.running.entry, step.running.asking
    assert asking is not None
    if answer.code == UNDECIDABLE:
        return unknown_outcome(step, UNDECIDABLE)
    told = read_status(answer.payload) if answer.outcome is CallOutcome.OK else None
    if told is None:
        step.failed(answer)
    match told.known if told else Known.NOT_TOLD:
        case Known.DONE:
            assert told is not None
            done = CallAnswer(outcome=CallOutcome.OK, payload=told.result, latency_ms=answer.latency_ms)
            return answered(step, tool_result(step.transaction.tool, done))
        case Known.UNKNOWN_KEY if _settles_unknown_key(step, asking):
            return _send_again(step, entry)
        case _:
            return _poll(step, asking)


def _settles_unknown_key(step: Step, asking: LedgerEntry) -> bool:
    """`unknown_key` counts only when it was asked after the call could no longer be sent by anybody, clocks apart."""
    not_after = step.running.entry.not_after
    assert not_after is not None
    assert asking.not_after is not None
    asked_at = asking.not_after - timedelta(milliseconds=asking.timeout_ms)
    return asked_at >= not_after + timedelta(milliseconds=step.timing.clock_skew_ms)


def _send_again(step: Step, entry: LedgerEntry) -> Decision:
    """The call was certainly never begun: the same call again, same key."""
    if entry.attempt >= step.timing.call_attempts_max:
        return not_executed(step, "not_begun")
    until = entry.backoff_until(step.now, step.timing.retry_backoff_ms)
    send_by = until + timedelta(milliseconds=step.timing.send_deadline_ms)
    return step.keep(entry=entry.back_off(until, send_by=send_by, uncertain=False), asking=None)


def _poll(step: Step, asking: LedgerEntry) -> Decision:
    """Ask again, a bounded number of times."""
    until = step.now + timedelta(milliseconds=step.timing.status_poll_ms)
    not_after = step.running.entry.not_after
    if not_after is not None:
        # An early unknown_key is no answer; from this instant on it is one.
        settles = not_after + timedelta(milliseconds=step.timing.clock_skew_ms)
        if asking.attempt + 1 >= step.timing.status_polls_max:
            until = max(until, settles)
    if asking.attempt >= step.timing.status_polls_max:
        return unknown_outcome(step, "status_not_told")
    send_by = max(asking.send_by or until, until + timedelta(milliseconds=step.timing.status_poll_ms))
    return step.keep(asking=asking.back_off(until, send_by=send_by))
