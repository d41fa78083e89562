"""The tool client of a simulated process: what McpTools is to a worker, against the scripted servers.

Invariants: a slot that was given to somebody who is gone comes back.
"""

import asyncio
from collections import deque

from pipeline.decision import Call, CallAnswer
from pipeline.testing.loop import VirtualLoop
from pipeline.testing.server import Servers

SLOTS = 3
"""Calls of one process that a server's bulkhead lets through."""


class _Slot:
    def __init__(self, pool: "SimulatedTools", server: str) -> None:
        self._pool, self._server = pool, server
        self._held = True

    def release(self) -> None:
        if self._held:
            self._held = False
            self._pool.give_back(self._server)


class SimulatedTools:
    """The tool client of one process: a bulkhead a server, a breaker that is open while the server is down."""

    def __init__(self, servers: Servers, loop: VirtualLoop) -> None:
        self._servers = servers
        self._loop = loop
        self._free: dict[str, int] = {}
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}

    async def acquire(self, server: str) -> _Slot:
        """Wait for a slot."""
        free = self._free.setdefault(server, SLOTS)
        if free:
            self._free[server] = free - 1
        else:
            turn: asyncio.Future[None] = self._loop.create_future()
            self._queues.setdefault(server, deque()).append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self.give_back(server)
                raise
        return _Slot(self, server)

    def give_back(self, server: str) -> None:
        """A slot is free."""
        queue = self._queues.get(server, deque())
        while queue:
            turn = queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free[server] += 1

    async def call(self, call: Call, *, deadline_s: float) -> CallAnswer:
        """Send; never raises for an outcome."""
        return await self._servers.call(call, deadline_s)
