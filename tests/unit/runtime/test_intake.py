"""What one task has to decide, in which order, and what a redelivery does to it."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.decision import CallAnswer, CallGranted, CallOutcome, CallReturned, Timer, TimerFired
from pipeline.runtime.intake import Intake, Work
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.timers import Armed
from pipeline.topology import STAGES, StageName

SPECS = {spec.topic: spec for spec in STAGES[StageName.RECONCILE].inputs}
STATUS, REQUESTS = "pipeline.status", "gateway.requests"
NOW = datetime(2026, 11, 30, tzinfo=UTC)


def record(topic: str, offset: int, size: int = 10) -> RawRecord:
    return RawRecord(topic, 0, offset, 0, b"k", b"x" * size)


def intake(status: int = 0, requests: int = 0) -> Intake:
    return Intake({STATUS: status, REQUESTS: requests}, SPECS)


def taken(place: Intake, **changes: object) -> list[tuple[str, int]]:
    options = {"max_records": 100, "max_bytes": 10_000, "forward": True, "grants": True} | changes
    return [(work.record.topic, work.record.offset) for work in place.take(**options) if work.record]  # type: ignore[arg-type]


def test_statuses_are_taken_before_requests() -> None:
    place = intake()
    place.offer(REQUESTS, [record(REQUESTS, 0)])
    place.offer(STATUS, [record(STATUS, 0)])
    assert taken(place) == [(STATUS, 0), (REQUESTS, 0)]


def test_records_below_the_next_offset_are_ignored() -> None:
    place = intake(requests=5)
    place.offer(REQUESTS, [record(REQUESTS, n) for n in range(3, 8)])
    place.offer(REQUESTS, [record(REQUESTS, n) for n in range(3, 9)])
    assert taken(place) == [(REQUESTS, n) for n in (5, 6, 7, 8)]
    assert place.next_offset(REQUESTS) == 9


def test_what_is_put_back_comes_first_and_in_order() -> None:
    place = intake()
    place.offer(REQUESTS, [record(REQUESTS, n) for n in range(4)])
    works = place.take(max_records=3, max_bytes=10_000, forward=True, grants=True)
    place.put_back(works[1:])
    place.offer(STATUS, [record(STATUS, 0)])
    assert taken(place) == [(REQUESTS, 1), (REQUESTS, 2), (STATUS, 0), (REQUESTS, 3)]


def test_a_batch_is_bounded_by_bytes_but_never_empty() -> None:
    place = intake()
    place.offer(REQUESTS, [record(REQUESTS, n, size=5_000) for n in range(3)])
    assert len(taken(place, max_bytes=1)) == 1
    assert place.buffered_bytes() > 10_000


def test_without_forward_only_statuses_and_reports_are_taken() -> None:
    place = intake()
    place.offer(REQUESTS, [record(REQUESTS, 0)])
    place.offer(STATUS, [record(STATUS, 0)])
    assert taken(place, forward=False) == [(STATUS, 0)]
    assert not place.is_empty()
    assert place.is_empty(forward=False)


def test_grants_wait_while_draining_and_outcomes_do_not() -> None:
    place = intake()
    granted = CallGranted(call_id="c", attempt=1, incarnation="i")
    returned = CallReturned(call_id="c", attempt=1, answer=CallAnswer(outcome=CallOutcome.OK))
    place.report(Work(event=granted))
    place.report(Work(event=returned))
    works = place.take(max_records=9, max_bytes=10_000, forward=False, grants=False)
    assert [work.event for work in works] == [returned]
    assert place.is_empty(grants=False)
    assert not place.has_reports
    assert not place.is_empty()
    later = place.take(max_records=9, max_bytes=10_000, forward=True, grants=True)
    assert [work.event for work in later] == [granted], "nobody reports a grant twice: its call would wait for ever"


def test_a_grant_that_was_put_back_waits_while_draining_too() -> None:
    place = intake()
    granted = Work(event=CallGranted(call_id="c", attempt=1, incarnation="i"))
    place.put_back([granted])
    assert place.take(max_records=9, max_bytes=10_000, forward=False, grants=False) == []
    assert place.take(max_records=9, max_bytes=10_000, forward=True, grants=True) == [granted]


@pytest.mark.parametrize(
    ("position", "left_in_buffer", "passes"),
    [
        pytest.param(9, False, False, id="not all of it has been read"),
        pytest.param(10, True, False, id="it was read but not taken"),
        pytest.param(10, False, True, id="all of it was taken"),
        pytest.param(12, False, True, id="markers lie behind it"),
    ],
)
def test_a_timer_waits_for_the_input_that_was_there(position: int, *, left_in_buffer: bool, passes: bool) -> None:
    place = intake(status=0, requests=9)
    armed = Armed(NOW, "c", "t", Timer(timer_id="t", due_at=NOW))
    place.wait_for({STATUS: 0, REQUESTS: 10}, [armed])
    if position >= 10:
        place.offer(REQUESTS, [record(REQUESTS, 9)])
        if not left_in_buffer:
            taken(place)
    place.observe(REQUESTS, position)
    assert place.passed_barriers() == ([armed] if passes else [])


def test_a_timer_waits_for_what_was_put_back_only_as_far_as_it_was_there_before_it() -> None:
    place = intake(requests=0)
    place.offer(REQUESTS, [record(REQUESTS, n) for n in range(3)])
    place.observe(REQUESTS, 3)
    works = place.take(max_records=3, max_bytes=10_000, forward=True, grants=True)
    armed = Armed(NOW, "c", "t", Timer(timer_id="t", due_at=NOW))
    place.wait_for({REQUESTS: 2}, [armed])
    place.put_back(works[1:])
    assert place.passed_barriers() == []
    place.take(max_records=3, max_bytes=10_000, forward=True, grants=True)
    place.put_back(works[2:])
    assert place.passed_barriers() == [armed], "under load something is always put back: timers would never fire"


def test_timers_are_decided_before_forward_records() -> None:
    place = intake()
    place.offer(REQUESTS, [record(REQUESTS, 0)])
    place.ripen(Work(event=TimerFired(timer_id="t", due_at=NOW)))
    works = place.take(max_records=9, max_bytes=10_000, forward=True, grants=True)
    assert isinstance(works[0].event, TimerFired)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12)), max_size=20), st.integers(1, 7))
def test_any_sequence_of_redeliveries_gives_each_offset_once_and_in_order(
    chunks: list[tuple[int, int]], size: int
) -> None:
    place = intake()
    offered = 0
    seen: list[int] = []
    for start, count in chunks:
        first = min(start, offered)  # a consumer never skips records, it may repeat them
        place.offer(REQUESTS, [record(REQUESTS, n) for n in range(first, first + count)])
        offered = max(offered, first + count)
        seen += [offset for _, offset in taken(place, max_records=size)]
    while not place.is_empty():
        seen += [offset for _, offset in taken(place, max_records=size)]
    assert seen == list(range(offered))
