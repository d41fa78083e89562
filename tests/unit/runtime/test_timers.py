"""Timers: what is due, once, and no more in memory than what is wanted."""

from datetime import UTC, datetime, timedelta

from pipeline.decision import Timer
from pipeline.runtime.timers import STALE_MAX, Timers

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def timer(name: str, seconds: float) -> Timer:
    return Timer(timer_id=name, due_at=NOW + timedelta(seconds=seconds))


def test_a_timer_that_is_due_is_handed_out_once_in_order() -> None:
    timers = Timers()
    timers.sync("c", [timer("late", 2), timer("early", 1), timer("never", 99)])
    due = [armed.timer_id for armed in timers.take_due(NOW + timedelta(seconds=3))]
    assert due == ["early", "late"]
    assert timers.take_due(NOW + timedelta(seconds=3)) == []
    assert timers.next_due() == NOW + timedelta(seconds=99)


def test_memory_follows_what_is_wanted_when_every_message_moves_a_far_timer() -> None:
    timers = Timers()
    timers.sync("first", [timer("soon", 1)])
    for number in range(20 * STALE_MAX):
        timers.sync("busy", [timer(f"retention/{number}", 1_000_000 + number)])
    assert len(timers) == 2
    assert len(timers._heap) <= 2 * len(timers) + STALE_MAX + 1
    due = timers.take_due(NOW + timedelta(days=365))
    assert [armed.timer_id for armed in due] == ["soon", f"retention/{20 * STALE_MAX - 1}"]


def test_count_of_timers_survives_conversations_that_end() -> None:
    timers = Timers()
    timers.sync("c", [timer("a", 1), timer("b", 2)])
    timers.sync("c", [timer("b", 2)])
    assert len(timers) == 1
    timers.sync("c", [])
    assert len(timers) == 0
    assert timers.next_due() is None
