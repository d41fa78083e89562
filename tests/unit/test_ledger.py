"""The ledger of a call: allowed moves, bounded attempts, what is to run, and what a replay gives back."""

from datetime import UTC, datetime, timedelta

import pytest

from pipeline.decision import CallAnswer, CallGranted, CallLost, CallOutcome, CallPhase, CallReturned, Timer
from pipeline.ledger import BACKOFF_MAX_MS, TRANSITIONS, LedgerEntry, Phase, agenda_of

NOW = datetime(2026, 11, 30, 13, 0, tzinfo=UTC)


def entry(**changes: object) -> LedgerEntry:
    fields: dict[str, object] = {
        "call_id": "tx/1/call/1",
        "server": "s",
        "tool": "t",
        "arguments": {"a": 1},
        "idempotency_key": "rk",
        "item_keys": ("ik",),
        "timeout_ms": 1_000,
        "send_by": NOW + timedelta(seconds=30),
        **changes,
    }
    return LedgerEntry.model_validate(fields)


def in_phase(phase: Phase) -> LedgerEntry:
    made = entry()
    match phase:
        case Phase.QUEUED:
            return made
        case Phase.CALLING:
            return made.calling("i", NOW)
        case Phase.BACKING_OFF:
            return made.calling("i", NOW).back_off(NOW)
        case Phase.SETTLED:
            return made.settled()


def test_calling_names_one_incarnation_and_one_deadline() -> None:
    calling = entry().calling("i-1", NOW)
    assert (calling.phase, calling.attempt, calling.incarnation) == (Phase.CALLING, 1, "i-1")
    assert calling.not_after == NOW + timedelta(seconds=1)
    [call] = calling.agenda().calls
    assert (call.phase, call.attempt, call.not_after) == (CallPhase.CALLING, 1, calling.not_after)
    assert calling.agenda().timers == ()


def test_every_attempt_carries_the_same_keys_and_a_new_number() -> None:
    again = entry().calling("i-1", NOW).back_off(NOW).queued().calling("i-2", NOW)
    assert (again.attempt, again.idempotency_key, again.item_keys) == (2, "rk", ("ik",))


@pytest.mark.parametrize("phase", list(Phase))
@pytest.mark.parametrize("target", list(Phase))
def test_only_listed_moves_are_allowed(phase: Phase, target: Phase) -> None:
    made = in_phase(phase)
    moves = {
        Phase.QUEUED: made.queued,
        Phase.CALLING: lambda: made.calling("i", NOW),
        Phase.BACKING_OFF: lambda: made.back_off(NOW),
        Phase.SETTLED: made.settled,
    }
    if target in TRANSITIONS[phase]:
        assert moves[target]().phase is target
    else:
        with pytest.raises(ValueError, match="can't go from"):
            moves[target]()


def test_settled_entry_asks_for_nothing_and_keeps_no_arguments() -> None:
    settled = entry().settled()
    assert (settled.agenda().calls, settled.agenda().timers, settled.arguments) == ((), (), {})


def test_unsent_call_has_a_deadline_while_it_waits_and_while_it_backs_off() -> None:
    queued = entry()
    assert [(timer.timer_id, timer.due_at) for timer in queued.agenda().timers] == [
        (queued.send_by_timer_id, queued.send_by)
    ]
    backing_off = queued.calling("i", NOW).back_off(NOW + timedelta(seconds=2))
    assert {timer.timer_id for timer in backing_off.agenda().timers} == {
        backing_off.timer_id,
        backing_off.send_by_timer_id,
    }
    assert not any(timer.after_input for timer in backing_off.agenda().timers)


def test_back_off_doubles_and_is_bounded() -> None:
    made = entry()
    waits = []
    for _ in range(12):
        made = made.calling("i", NOW)
        waits.append((made.backoff_until(NOW, 500) - NOW).total_seconds() * 1000)
        made = made.back_off(NOW).queued()
    assert waits[:4] == [500, 1_000, 2_000, 4_000]
    assert max(waits) == BACKOFF_MAX_MS


def test_report_counts_only_for_the_running_attempt() -> None:
    calling = entry().calling("i", NOW)
    assert calling.is_current("tx/1/call/1", 1)
    assert not calling.is_current("tx/1/call/1", 2)
    assert not calling.is_current("other", 1)
    assert not calling.back_off(NOW).is_current("tx/1/call/1", 1)
    assert entry().is_queued("tx/1/call/1", 1)
    assert not calling.is_queued("tx/1/call/1", 1)


def test_answer_is_what_returned_or_unknown_when_the_process_is_gone() -> None:
    calling = entry().calling("i", NOW)
    answer = CallAnswer(outcome=CallOutcome.OK, payload={"ok": True})
    assert calling.answer_of(CallReturned(call_id="tx/1/call/1", attempt=1, answer=answer)) == answer
    lost = calling.answer_of(CallLost(call_id="tx/1/call/1", attempt=1))
    assert lost is not None
    assert (lost.outcome, lost.code) == (CallOutcome.UNKNOWN, "worker_lost")
    assert calling.answer_of(CallReturned(call_id="tx/1/call/1", attempt=2, answer=answer)) is None
    assert calling.answer_of(CallLost(call_id="other", attempt=1)) is None
    assert entry().is_granted(CallGranted(call_id="tx/1/call/1", attempt=1, incarnation="i"))
    assert not calling.is_granted(CallGranted(call_id="tx/1/call/1", attempt=1, incarnation="i"))


def test_agenda_of_several_entries_holds_all_their_calls_and_timers_then_the_others() -> None:
    other = Timer(timer_id="retention/x", due_at=NOW)
    queued, waiting = in_phase(Phase.QUEUED), in_phase(Phase.BACKING_OFF)
    both = agenda_of([queued, waiting], [other])
    assert both.calls == queued.agenda().calls
    assert both.timers == (*queued.agenda().timers, *waiting.agenda().timers, other)
    assert both.waits_for("retention/x")
    assert both.waits_for(waiting.timer_id)
    assert not both.waits_for("retention/y")


@pytest.mark.parametrize("phase", list(Phase))
def test_entry_read_back_from_json_is_the_same(phase: Phase) -> None:
    made = in_phase(phase)
    assert LedgerEntry.model_validate(made.model_dump(mode="json")) == made
