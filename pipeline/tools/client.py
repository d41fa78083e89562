"""Tools over MCP, for the runtime: all servers of the configuration by name.

Never: repeats a call, reads a payload. Retries belong to the runtime, which knows what a repetition may do.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from pipeline.tools.answers import (
    META_IDEMPOTENCY_KEY,
    META_ITEM_KEYS,
    META_NOT_AFTER,
    Outcome,
    ServerHealth,
    Slot,
    ToolAnswer,
    ToolClient,
    ToolRequest,
)
from pipeline.tools.catalog import ListedTool
from pipeline.tools.errors import ToolsClosed
from pipeline.tools.server import Server
from pipeline.tools.settings import McpServerSettings

__all__ = [
    "META_IDEMPOTENCY_KEY",
    "META_ITEM_KEYS",
    "META_NOT_AFTER",
    "McpServerSettings",
    "McpTools",
    "Outcome",
    "ServerHealth",
    "Slot",
    "ToolAnswer",
    "ToolClient",
    "ToolRequest",
    "ToolsClosed",
]


class McpTools(ToolClient):
    """The real tool client.

    `clock` is monotonic seconds. `on_event` is told, synchronously, (name, {"server": …, …}): connected,
    connect_failed, connection_lost, protocol_changed, tools_listed, breaker_opened, breaker_half_opened,
    breaker_closed. It must not raise.
    """

    def __init__(
        self,
        servers: Mapping[str, McpServerSettings],
        *,
        clock: Callable[[], float],
        on_event: Callable[[str, Mapping[str, Any]], None],
    ) -> None:
        # The SDK logs a traceback that quotes the answer it could not read: customers' data. We report what happened.
        logging.getLogger("mcp.client").setLevel(logging.CRITICAL)
        self._servers = {
            name: Server(name, settings, clock=clock, on_event=on_event)
            for name, settings in servers.items()
            if settings.enabled
        }

    async def start(self) -> None:
        for server in self._servers.values():
            server.connection.start()

    async def close(self, drain_s: float = 5) -> None:
        await asyncio.gather(*(server.close(drain_s) for server in self._servers.values()))

    async def acquire(self, server: str) -> Slot:
        return await self._servers[server].bulkhead.acquire()

    async def call(self, request: ToolRequest) -> ToolAnswer:
        server = self._servers.get(request.server)
        if server is None:
            text = f"no MCP server named {request.server} is configured and enabled"
            return ToolAnswer(Outcome.NOT_SENT, None, False, text, "unknown_server", 0)
        return await server.call(request)

    def schema(self, server: str, tool: str) -> Mapping[str, Any] | None:
        listed = self.tools(server).get(tool)
        return listed.input_schema if listed else None

    def tools(self, server: str) -> Mapping[str, ListedTool]:
        """All that the server listed last, by name; empty before the first connection."""
        known = self._servers.get(server)
        return known.connection.tools if known else {}

    async def connected(self, server: str) -> None:
        """Wait until the server is connected and its tools are listed."""
        await self._servers[server].connection.ready()

    def health(self) -> Mapping[str, ServerHealth]:
        return {name: server.health() for name, server in self._servers.items()}
