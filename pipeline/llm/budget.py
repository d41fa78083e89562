"""How many requests a minute may cost: a bucket that fills evenly, on a given monotonic clock.

Invariants: in any minute at most twice the budget is taken, on average the budget; nothing waits here.
Never: sleeps, looks at a clock of its own. A library (aiolimiter) would wait, and a customer is not kept waiting for a budget.
"""

from collections.abc import Callable


class Budget:
    """Tokens of one process, full at first."""

    def __init__(self, per_minute: int, clock: Callable[[], float]) -> None:
        self._capacity = float(per_minute)
        self._clock = clock
        self._left = self._capacity
        self._seen_at = clock()

    def take(self) -> bool:
        """Take one; False: there is none now."""
        now = self._clock()
        self._left = min(self._capacity, self._left + max(0.0, now - self._seen_at) * self._capacity / 60)
        self._seen_at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
