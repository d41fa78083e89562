"""One MCP server kept connected: a new link whenever the last one is over, with back-off and jitter.

Owns: the present link, its generation, the recycle rules.
Invariants: one present link at most; a failure of an old link never recycles a fresh one. A link that is over still
finishes the calls that run on it (make before break), then its task ends.
Recycled when: the session is lost or unknown to the server; one call timed out where a stuck one blocks the next
(stdio, legacy HTTP); several in a row otherwise. Source: notes on mcp 2.3.0, sections 5.6 and 6.5.
"""

import asyncio
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from pipeline.tools.catalog import ListedTool
from pipeline.tools.link import ConnectFailed, Link
from pipeline.tools.settings import McpServerSettings

FIRST_BACKOFF_S = 0.1
LONGEST_BACKOFF_S = 5.0
TIMEOUTS_IN_A_ROW = 5
"""That end a link on which calls are independent exchanges."""
NOT_YET = "not connected yet"
"""The first attempt has not ended."""
CLOSE_S = 6.0
"""A stdio child is given 2 s to leave, 2 s after SIGTERM, then SIGKILL."""


def backoff_s(attempt: int, random: Random) -> float:
    """Before reconnect number `attempt` (from 1): doubling, capped, with half of it jitter, so that replicas spread."""
    return float(min(LONGEST_BACKOFF_S, FIRST_BACKOFF_S * 2 ** min(attempt - 1, 16)) * random.uniform(0.5, 1.0))


class Connection:
    """Keeps one server connected from `start` to `close`."""

    def __init__(
        self,
        settings: McpServerSettings,
        *,
        on_event: Callable[[str, Mapping[str, Any]], None],
        on_change: Callable[[], None],
        random: Random,
    ) -> None:
        self._settings = settings
        self._on_event = on_event
        self._on_change = on_change
        self._random = random
        self._links: set[asyncio.Task[None]] = set()
        self._supervisor: asyncio.Task[None] | None = None
        self._closing = False
        self._timeouts = 0
        self._ready = asyncio.Event()
        self.link: Link | None = None
        self.tools: Mapping[str, ListedTool] = {}
        self.generation = 0
        self.protocol_version: str | None = None
        """Of the last connection made."""
        self.error: str | None = NOT_YET

    def start(self) -> None:
        self._supervisor = asyncio.create_task(self._supervise(), name="mcp-connection")

    async def ready(self) -> Link:
        """The present link, waited for if need be."""
        while self.link is None:
            await self._ready.wait()
        return self.link

    def lost(self, link: Link) -> None:
        """The session of `link` is of no use any more."""
        self._end(link)

    def timed_out(self, link: Link) -> None:
        """A call on this link got no answer in time."""
        self._timeouts += 1
        if not link.modern or self._timeouts >= TIMEOUTS_IN_A_ROW:
            self._end(link)

    def answered(self) -> None:
        self._timeouts = 0

    async def close(self) -> None:
        """End every link. Returns when no task and no child process is left."""
        self._closing = True
        if self._supervisor is not None:
            self._supervisor.cancel()
            await asyncio.wait({self._supervisor})
        if self.link is not None:
            self.link.cut()
            self._end(self.link)
        if self._links:
            _, late = await asyncio.wait(self._links, timeout=CLOSE_S)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late)

    async def _supervise(self) -> None:
        attempt = 0
        while True:
            link = Link(self._settings, on_listed=self._listed)
            task = asyncio.create_task(link.run(), name="mcp-link")
            self._links.add(task)
            task.add_done_callback(self._links.discard)
            try:
                await asyncio.shield(link.opened)
            except ConnectFailed as failure:
                attempt += 1
                self.error = str(failure)
                wait_s = backoff_s(attempt, self._random)
                self._on_event("connect_failed", {"error": self.error, "attempt": attempt, "retry_in_s": wait_s})
                await asyncio.sleep(wait_s)
                continue
            except asyncio.CancelledError:
                task.cancel()
                raise
            previous, self.link, self.error = self.protocol_version, link, None
            self.protocol_version = link.protocol_version
            self.generation += 1
            self._timeouts = 0
            self._on_event("connected", {"generation": self.generation, "protocol_version": link.protocol_version})
            if previous not in {None, link.protocol_version}:
                self._on_event("protocol_changed", {"from": previous, "to": link.protocol_version})
            self._ready.set()
            self._on_change()
            await link.over.wait()
            self._end(link)
            # A server that accepts and hangs up at once must not be hammered.
            attempt = 0 if link.served else attempt + 1
            if attempt:
                await asyncio.sleep(backoff_s(attempt, self._random))

    def _listed(self, tools: Mapping[str, ListedTool]) -> None:
        if tools != self.tools:
            self._on_event("tools_listed", {"tools": sorted(tools)})
        self.tools = tools

    def _end(self, link: Link) -> None:
        link.retire()
        if self.link is link:
            self.link = None
            self._ready.clear()
            self.error = "the session ended; connecting again"
            if not self._closing:
                self._on_event("connection_lost", {"generation": self.generation, "in_flight": link.in_flight})
            self._on_change()
