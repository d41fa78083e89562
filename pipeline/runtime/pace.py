"""Lets the event loop turn within long work: heartbeats, polls and other numbers must not wait for a restore or a large batch.

Invariants: it yields only after SLICE_S of real work, so short work stays in one step. Source: aiokafka issue 700 (a starved heartbeat).
"""

import asyncio

SLICE_S = 0.025
"""Longest piece of work between two turns of the loop, plus one unit of it."""


class Pace:
    """Counts the time since the loop last turned."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._since = self._loop.time()

    async def breathe(self) -> None:
        """Let the loop turn when this work has held it for long enough."""
        if self._loop.time() - self._since >= SLICE_S:
            await asyncio.sleep(0)
            self._since = self._loop.time()
