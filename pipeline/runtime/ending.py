"""The end of a worker: asked for once, in order; a second time, at once. How long each step of it may take.

Invariants: an orderly end is over some moment after the handover, whatever is away: what clients leave open then, the start of the
next owner ends. Never: closes anything itself. Source: DESIGN 4 (SIGTERM).
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

END_S = 1.5
"""How long an orderly end waits for a client to close: with a broker it takes ms, without one it would take for ever."""
LAST_COMMIT_S, CLOSE_S = 0.5, 0.7
"""Of an orderly end, after the handover: for what the calls brought back, for closing all clients."""
HURRY_S = 0.2
"""For closing one client, when a second signal asks for a quick end."""


class Ending:
    """Whether and how a worker ends."""

    def __init__(self, *, handover_s: float, calm_s: float, deadline_s: float) -> None:
        """`calm_s`: how long a commit in flight is waited for at least; `deadline_s`: for a client while nothing ends."""
        self._handover_s = handover_s
        self._calm_s = calm_s
        self._deadline_s = deadline_s
        self._begun = asyncio.Event()
        self._hurried = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._over_at_s = float("inf")

    def attach(self) -> None:
        """Remember the loop that runs the worker: signals may come from elsewhere."""
        self._loop = asyncio.get_running_loop()

    def begin(self) -> None:
        """End in order."""
        if self._loop is not None and not self._begun.is_set():
            self._over_at_s = self._loop.time() + max(self._handover_s + LAST_COMMIT_S, self._calm_s) + CLOSE_S
        self._begun.set()

    def hurry(self) -> None:
        """End at once."""
        self.begin()
        self._hurried.set()

    @property
    def has_begun(self) -> bool:
        """Whether the worker is to end."""
        return self._begun.is_set()

    @property
    def is_hurried(self) -> bool:
        """Whether nothing is waited for any more."""
        return self._hurried.is_set()

    @property
    def drain_s(self) -> tuple[float, float]:
        """How long running calls are waited for now, and how long draining may take altogether."""
        left_s = max(0.0, self._over_at_s - CLOSE_S - asyncio.get_running_loop().time())
        return min(left_s, self._handover_s), left_s

    @property
    def patience_s(self) -> float:
        """For a client that is to close."""
        if self._hurried.is_set():
            return HURRY_S
        if not self._begun.is_set():
            return self._deadline_s
        return min(END_S, max(HURRY_S, self._over_at_s - asyncio.get_running_loop().time()))

    async def pause(self, seconds: float) -> None:
        """Wait, or less when the end begins."""
        try:
            async with asyncio.timeout(seconds):
                await self._begun.wait()
        except TimeoutError:
            pass

    async def unless_begun(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Await, or give it up when the end begins. Returns: None when that was first. Raises: what it raises."""
        return await self._unless(self._begun, work)

    async def unless_hurried(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Await, or give it up when the end is hurried. Returns: None when that was first. Raises: what it raises."""
        return await self._unless(self._hurried, work)

    async def _unless(self, event: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
        loop = asyncio.get_running_loop()
        working, ending = loop.create_task(work), loop.create_task(event.wait())
        try:
            await asyncio.wait({working, ending}, return_when=asyncio.FIRST_COMPLETED)
            return working.result() if working.done() else None
        finally:
            for task in (working, ending):
                task.cancel()
            await asyncio.wait({working, ending}, timeout=self.patience_s)
            if working.done() and not working.cancelled():
                working.exception()  # given up: nobody else will look
