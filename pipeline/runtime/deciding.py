"""Which of the inputs that were taken enter the batch, and what becomes of one that can't be decided.

Owns: the time a batch may take to decide (and so how many inputs are taken at once), the tries of an input, what is dead-lettered.
Invariants: inputs enter in their order, none is skipped: what did not fit, or failed and is to be tried again, is left to be put
back with all that came after it. Never: awaits, commits. Source: DESIGN 4 (Transactions).
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog

from pipeline.runtime.batch import ATTEMPTS, Batch
from pipeline.runtime.errors import Fatal, describe, trail
from pipeline.runtime.history import History
from pipeline.runtime.intake import Work
from pipeline.runtime.serde import NewerVersion, instant
from pipeline.runtime.task_clock import TaskClock
from pipeline.runtime.task_context import TaskContext
from pipeline.runtime.task_events import TaskEvents

DECIDE_S = 0.1
"""A batch decides for this long at most: heartbeats, polls and other numbers wait meanwhile."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of the inputs that were taken."""

    works: Sequence[Work]
    """In the batch."""
    left: Sequence[Work] = ()
    """To be decided first next time."""
    failed: bool = False
    """The first of those left failed: the same again at once would fail at once."""


class Decider:
    """Of one task."""

    def __init__(
        self, number: int, context: TaskContext, history: History, clock: TaskClock, events: TaskEvents
    ) -> None:
        self._number = number
        self._history = history
        self._clock = clock
        self._events = events
        self._bound = context.settings.runtime.batch_max_records
        self._most = self._bound
        """As many as DECIDE_S allows, so that what is urgent comes first in every batch."""
        self._log = structlog.get_logger("pipeline.task").bind(stage=context.stage.name, number=number)

    @property
    def inputs_max(self) -> int:
        """How many inputs are to be taken at once."""
        return 1 if self._history.one_by_one else self._most

    def decide(self, batch: Batch, works: Sequence[Work]) -> Decided:
        """Fill the batch. Raises: Fatal where an input can neither be decided nor given up."""
        decided: list[Work] = []
        loop = asyncio.get_running_loop()
        until = loop.time() + DECIDE_S
        for index, work in enumerate(works):
            self._judge(work)
            now = self._now(work)
            try:
                batch.decide(work, now)
            except NewerVersion as error:
                if decided:  # what came before it is not to wait for an operator
                    return Decided(decided, works[index:])
                raise Fatal(str(error)) from error
            except Exception as error:
                if not self._failed(batch, work, error, now):
                    return Decided(decided, works[index:], failed=True)
            decided.append(work)
            if loop.time() >= until:
                self._most = len(decided)
                return Decided(decided, works[index + 1 :])
        if loop.time() < until - DECIDE_S / 2:
            self._most = min(2 * self._most, self._bound)
        return Decided(decided)

    def _judge(self, work: Work) -> None:
        """Whether the broker has refused what this input makes too often for another try. Raises: Fatal."""
        refused = self._history.refusals(position(work))
        if refused >= 2 * ATTEMPTS:
            raise Fatal(
                f"{position(work)}: the broker refuses its outputs, and its dead letter too; look at max.message.bytes"
            )
        work.condemned = refused >= ATTEMPTS

    def _now(self, work: Work) -> datetime:
        if work.record is None:
            return self._clock.tick()
        return self._clock.tick_past(instant(work.record.timestamp_ms))

    def _failed(self, batch: Batch, work: Work, error: Exception, now: datetime) -> bool:
        """Count a failure. Returns: whether the input was given up, so that the batch goes on."""
        work.failures += 1
        reason = describe(error)
        what = position(work)
        self._log.warning("input failed", input=what, attempt=work.failures, error=reason, trail=trail(error))
        payload = {"input": what, "attempt": work.failures, "error": type(error).__name__, "number": self._number}
        if work.failures < ATTEMPTS:
            self._events.note("NOC.STAGE_RETRY", payload)
            return False
        try:
            batch.give_up(work, reason, now)
        except Exception as again:
            if work.record is not None:
                raise Fatal(f"{what} can neither be decided nor dead-lettered: {describe(again)}") from again
            self._events.note("NOC.RUNTIME_FAILED", {**payload, "reason": "an outcome or timer can't be decided"})
        return True


def position(work: Work) -> str:
    """What an input is called in logs, events and the number's history."""
    if work.record is not None:
        return f"{work.record.topic}/{work.record.partition}/{work.record.offset}"
    return f"{type(work.event).__name__} of {work.conversation}"
