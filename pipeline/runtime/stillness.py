"""When a task sleeps, and how others wait until it holds still.

Invariants: whoever waits is told by the task, never by a poll; a wait always has a bound. Source: DESIGN 4 (Revocation).
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator


class Stillness:
    """Of one task."""

    def __init__(self) -> None:
        self.wake = asyncio.Event()
        """Set when there is something to do."""
        self._calm = asyncio.Event()
        self._calm.set()
        self._idle = asyncio.Event()

    @contextlib.contextmanager
    def broken(self) -> Iterator[None]:
        """A batch runs."""
        self._calm.clear()
        try:
            yield
        finally:
            self._calm.set()

    async def sleep(self, seconds: float | None) -> None:
        """Until woken, or so long."""
        self.wake.clear()
        self._idle.set()
        try:
            async with asyncio.timeout(seconds):
                await self.wake.wait()
        except TimeoutError:
            pass

    async def calm(self, timeout_s: float) -> bool:
        """Wait until no batch runs. Returns: whether that was reached."""
        return await self.settled(timeout_s, lambda: False)

    async def settled(self, timeout_s: float, is_busy: Callable[[], bool]) -> bool:
        """Wait until it has fallen asleep with nothing to do, and no batch runs. Returns: whether that was reached."""
        try:
            async with asyncio.timeout(timeout_s):
                while is_busy():
                    self._idle.clear()
                    self.wake.set()
                    await self._idle.wait()
                await self._calm.wait()
        except TimeoutError:
            return False
        return True
