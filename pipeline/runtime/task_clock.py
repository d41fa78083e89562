"""The time that a task decides with.

Invariants: it never goes back, whatever the clocks of replicas do: behind the wall clock, the state and the records stand only
instants that were already decided with. Source: DESIGN 5 (`now` is the max of wall clock, record time and the last one).
"""

from datetime import datetime

from pipeline.runtime.ports import Clock


class TaskClock:
    """Of one task."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._now = clock.now()

    def tick(self) -> datetime:
        """Now."""
        self._now = max(self._now, self._clock.now())
        return self._now

    def tick_past(self, instant: datetime) -> datetime:
        """Now, and not before the instant: that of a record that is decided."""
        self._now = now = max(self.tick(), instant)
        return now

    def advance(self, instant: datetime) -> None:
        """Not before this: something was decided then."""
        self._now = max(self._now, instant)
