"""The circuit breaker of one server: closed, open, half open.

Owns: how many calls in a row got no answer, and until when nothing is sent.
Invariants: half open lets exactly one probe through at a time; its result alone closes or opens again. A probe that
is given up leaves the breaker half open for the next one.
Never: sleeps, looks at a clock of its own, knows MCP. Libraries were looked at and rejected: the ones alive either
wrap the call (we need the verdict apart from it) or bring storage back-ends; this is the smaller risk.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class BreakerState(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


@dataclass(frozen=True, slots=True)
class Admission:
    """Leave to make one call. `probe`: number of the half-open breaker's one probe; 0: an ordinary call."""

    probe: int = 0


class Breaker:
    """Counts failures in a row on a given monotonic clock; says who may call."""

    def __init__(
        self,
        *,
        failures: int,
        cool_down_s: float,
        clock: Callable[[], float],
        on_change: Callable[[BreakerState], None],
    ) -> None:
        self._limit = failures
        self._cool_down_s = cool_down_s
        self._clock = clock
        self._on_change = on_change
        self._state = BreakerState.CLOSED
        self._failures = 0
        self._open_until = 0.0
        self._probe = 0
        self._probes = 0

    @property
    def state(self) -> BreakerState:
        """As last changed; OPEN becomes HALF_OPEN only when somebody asks to call."""
        return self._state

    @property
    def failures_in_a_row(self) -> int:
        return self._failures

    def wait_s(self) -> float:
        """Seconds until a probe may be asked for; 0 when the breaker is not open."""
        return max(0.0, self._open_until - self._clock()) if self._state is BreakerState.OPEN else 0.0

    def admit(self) -> Admission | None:
        """Leave for one more call; None: not now."""
        if self._state is BreakerState.OPEN and self.wait_s() <= 0:
            self._move(BreakerState.HALF_OPEN)
        if self._state is BreakerState.HALF_OPEN and not self._probe:
            self._probes += 1
            self._probe = self._probes
            return Admission(self._probe)
        return Admission() if self._state is BreakerState.CLOSED else None

    def give_up(self, admission: Admission) -> None:
        """The holder makes no call (any more). Frees the place of the probe it holds, if it is still the one."""
        if admission.probe and admission.probe == self._probe:
            self._probe = 0

    def succeeded(self) -> None:
        """An answer came, whatever it said: the server is alive."""
        self._failures = 0
        if self._state is not BreakerState.OPEN:
            # A late answer to a call from before the opening proves nothing about now: only a probe closes.
            self._probe = 0
            self._move(BreakerState.CLOSED)

    def failed(self) -> None:
        """No answer came."""
        self._failures += 1
        if self._state is BreakerState.HALF_OPEN or self._failures >= self._limit:
            self._probe = 0
            if self._state is not BreakerState.OPEN:
                self._open_until = self._clock() + self._cool_down_s
            self._move(BreakerState.OPEN)

    def _move(self, state: BreakerState) -> None:
        if state is not self._state:
            self._state = state
            self._on_change(state)
