"""The breaker on a clock that the test moves."""

import pytest

from pipeline.tools.breaker import Admission, Breaker, BreakerState


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def changes() -> list[BreakerState]:
    return []


@pytest.fixture
def breaker(clock: Clock, changes: list[BreakerState]) -> Breaker:
    return Breaker(failures=3, cool_down_s=10, clock=clock, on_change=changes.append)


def opened(breaker: Breaker) -> Breaker:
    for _ in range(3):
        breaker.failed()
    return breaker


def test_breaker_stays_closed_while_failures_are_interrupted_by_an_answer(breaker: Breaker) -> None:
    for _ in range(5):
        breaker.failed()
        breaker.failed()
        breaker.succeeded()
    assert breaker.state is BreakerState.CLOSED
    assert breaker.admit() == Admission()


def test_breaker_opens_at_the_limit_and_says_so_once(breaker: Breaker, changes: list[BreakerState]) -> None:
    opened(breaker).failed()
    assert changes == [BreakerState.OPEN]
    assert breaker.admit() is None
    assert breaker.wait_s() == 10


def test_breaker_does_not_open_for_longer_when_late_failures_arrive(breaker: Breaker, clock: Clock) -> None:
    opened(breaker)
    clock.now += 9
    breaker.failed()
    assert breaker.wait_s() == 1


def test_breaker_lets_one_probe_through_when_the_cool_down_is_over(breaker: Breaker, clock: Clock) -> None:
    opened(breaker)
    clock.now += 10
    probe = breaker.admit()
    assert probe is not None
    assert probe.probe
    assert breaker.state is BreakerState.HALF_OPEN
    assert breaker.admit() is None


def test_breaker_closes_when_the_probe_is_answered(breaker: Breaker, clock: Clock, changes: list[BreakerState]) -> None:
    opened(breaker)
    clock.now += 10
    breaker.admit()
    breaker.succeeded()
    assert changes == [BreakerState.OPEN, BreakerState.HALF_OPEN, BreakerState.CLOSED]
    assert breaker.admit() == Admission()


def test_breaker_opens_again_for_the_whole_cool_down_when_the_probe_fails(breaker: Breaker, clock: Clock) -> None:
    opened(breaker)
    clock.now += 10
    breaker.admit()
    breaker.failed()
    assert breaker.state is BreakerState.OPEN
    assert breaker.wait_s() == 10


def test_breaker_lets_another_probe_through_when_the_first_was_given_up(breaker: Breaker, clock: Clock) -> None:
    opened(breaker)
    clock.now += 10
    first = breaker.admit()
    assert first is not None
    breaker.give_up(first)
    second = breaker.admit()
    assert second is not None
    assert second != first


def test_breaker_keeps_the_present_probe_when_an_older_one_is_given_up_late(breaker: Breaker, clock: Clock) -> None:
    opened(breaker)
    clock.now += 10
    first = breaker.admit()
    assert first is not None
    breaker.failed()
    clock.now += 10
    assert breaker.admit() is not None
    breaker.give_up(first)
    assert breaker.admit() is None


def test_breaker_is_not_closed_by_the_late_answer_to_a_call_from_before_it_opened(breaker: Breaker) -> None:
    opened(breaker).succeeded()
    assert breaker.state is BreakerState.OPEN
