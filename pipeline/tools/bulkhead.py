"""The calls one server may have in flight, handed out in order of arrival.

Owns: the slots and the queue of those who wait for one.
Invariants: a slot is granted only while the gate (connected, breaker) is open; a waiter that is cancelled passes its
slot on; released twice counts once. First come, first served, also across cancellations.
Never: an asyncio.Semaphore: it knows neither the gate nor that a waiter's turn may come long after it gave up.
"""

import asyncio
from collections import deque
from collections.abc import Callable

from pipeline.tools.breaker import Admission


class BulkheadSlot:
    """One call's right to be in flight."""

    __slots__ = ("_bulkhead", "admission")

    def __init__(self, bulkhead: "Bulkhead", admission: Admission) -> None:
        self._bulkhead: Bulkhead | None = bulkhead
        self.admission = admission

    def release(self) -> None:
        bulkhead, self._bulkhead = self._bulkhead, None
        if bulkhead is not None:
            bulkhead.give_back(self)


class Bulkhead:
    """`admit` gives leave to start a call now, or None; `give_up` takes it back when the slot is released."""

    def __init__(
        self, size: int, *, admit: Callable[[], Admission | None], give_up: Callable[[Admission], None]
    ) -> None:
        self._free = size
        self._size = size
        self._admit = admit
        self._give_up = give_up
        self._waiters: deque[asyncio.Future[BulkheadSlot]] = deque()
        self._closed: Exception | None = None

    @property
    def taken(self) -> int:
        return self._size - self._free

    @property
    def waiting(self) -> int:
        return sum(1 for waiter in self._waiters if not waiter.done())

    async def acquire(self) -> BulkheadSlot:
        """Wait for a slot. Raises: what `close` was given."""
        if self._closed is not None:
            raise self._closed
        waiter: asyncio.Future[BulkheadSlot] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        self.grant()
        try:
            return await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                waiter.result().release()  # granted in the same moment as it was given up
            raise

    def grant(self) -> None:
        """Serve those who wait, as far as slots and gate allow. To be called whenever either may have changed."""
        while self._waiters and self._free:
            if self._waiters[0].done():
                self._waiters.popleft()
                continue
            admission = self._admit()
            if admission is None:
                return
            self._free -= 1
            self._waiters.popleft().set_result(BulkheadSlot(self, admission))

    def close(self, reason: Exception) -> None:
        """Refuse everybody who waits and everybody who comes."""
        self._closed = reason
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_exception(reason)

    def give_back(self, slot: BulkheadSlot) -> None:
        self._free += 1
        self._give_up(slot.admission)
        self.grant()
