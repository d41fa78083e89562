"""The timers of one task: which are due, and which may fire yet.

Invariant: a timer that waits for the input fires only after the input up to the end offset seen when it fell due, so that a yes that
was already there beats its expiry. Source: DESIGN 4 (Conversations across stages).
"""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from pipeline.decision import Timer

STALE_MAX = 1_000
"""Timers nobody wants any more that the heap may hold besides as many as are wanted."""


@dataclass(order=True, slots=True)
class Armed:
    """A timer of a conversation."""

    due_at: datetime
    conversation: str
    timer_id: str
    timer: Timer = field(compare=False)


class Timers:
    """All timers of one task; what a conversation wants is replaced as a whole."""

    def __init__(self) -> None:
        self._heap: list[Armed] = []
        self._wanted: dict[str, dict[str, Armed]] = {}
        self._count = 0

    def sync(self, conversation: str, timers: Iterable[Timer]) -> None:
        """Make these the timers of the conversation."""
        before = self._wanted.pop(conversation, {})
        wanted: dict[str, Armed] = {}
        for timer in timers:
            armed = before.get(timer.timer_id)
            if armed is None or armed.timer != timer:
                armed = Armed(timer.due_at, conversation, timer.timer_id, timer)
                heapq.heappush(self._heap, armed)
            wanted[timer.timer_id] = armed
        if wanted:
            self._wanted[conversation] = wanted
        self._count += len(wanted) - len(before)
        if len(self._heap) > 2 * self._count + STALE_MAX:
            # Every message moves the end of its conversation's memory: without this each leaves a timer for days.
            self._heap = [armed for armed in self._heap if self.is_wanted(armed)]
            heapq.heapify(self._heap)

    def is_wanted(self, armed: Armed) -> bool:
        """Whether the state still asks for it."""
        return self._wanted.get(armed.conversation, {}).get(armed.timer_id) is armed

    def next_due(self) -> datetime | None:
        """When the next wanted timer falls due."""
        while self._heap and not self.is_wanted(self._heap[0]):
            heapq.heappop(self._heap)
        return self._heap[0].due_at if self._heap else None

    def take_due(self, now: datetime) -> list[Armed]:
        """Timers that have fallen due, in order; each is returned once."""
        due = []
        while (at := self.next_due()) is not None and at <= now:
            due.append(heapq.heappop(self._heap))
        return due

    def open_questions(self) -> int:
        """Questions that wait for a customer."""
        return sum(armed.timer.open_question for timers in self._wanted.values() for armed in timers.values())

    def __len__(self) -> int:
        return self._count
