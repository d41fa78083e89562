"""What a number's earlier tasks teach the next one, and the time that tasks decide with."""

from datetime import datetime, timedelta

import pytest

from pipeline.runtime.history import History
from pipeline.runtime.task_clock import TaskClock
from tests.unit.runtime.fake_clients import NOW


class SetClock:
    def __init__(self) -> None:
        self.at = NOW

    def now(self) -> datetime:
        return self.at


@pytest.mark.parametrize(
    ("failures", "alone"),
    [
        pytest.param(1, False, id="not after one failure"),
        pytest.param(2, True, id="after two"),
    ],
)
def test_inputs_are_decided_one_by_one(failures: int, alone: bool) -> None:
    history = History()
    for _ in range(failures):
        history.failed(poison=False)
    assert history.one_by_one is alone


def test_events_alone_do_not_end_deciding_one_by_one() -> None:
    history = History(failures=2, failed_batches=2, notes=[("NOC.STAGE_RETRY", {}), ("NOC.TASK_RESTARTED", {})])
    history.committed([], notes=1)
    assert history.one_by_one
    assert history.failures == 0
    assert history.notes == [("NOC.TASK_RESTARTED", {})]
    history.committed(["t/0/7"], notes=0)
    assert not history.one_by_one


@pytest.mark.parametrize(
    ("alone", "poison", "refusals"),
    [
        pytest.param("t/0/7", True, 1, id="when the broker refused what it alone made"),
        pytest.param("t/0/7", False, 0, id="not when the broker was away"),
        pytest.param(None, True, 0, id="not when others were in the batch"),
    ],
)
def test_input_is_to_blame(alone: str | None, poison: bool, refusals: int) -> None:
    history = History(alone=alone)
    history.failed(poison=poison)
    assert history.refusals("t/0/7") == refusals
    history.failed(poison=poison)  # before a batch: nobody is to blame
    assert history.refusals("t/0/7") == refusals
    history.committed(["t/0/7"], notes=0)
    assert history.refusals("t/0/7") == 0


def test_time_of_a_task_never_goes_back() -> None:
    clock = SetClock()
    task = TaskClock(clock)
    record = NOW + timedelta(seconds=3)
    assert task.tick_past(record) == record
    clock.at = NOW - timedelta(seconds=5)
    assert task.tick() == record
    task.advance(NOW)
    assert task.tick_past(NOW) == record
    clock.at = NOW + timedelta(seconds=9)
    assert task.tick() == clock.at
