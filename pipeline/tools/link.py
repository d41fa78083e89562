"""One MCP session, from connecting to its end, owned by exactly one task.

Owns: the SDK's Client (entered and left in the same task, or anyio refuses), its HTTP client or child process, the
listing of its tools.
Invariants: `opened` is settled once: connected with a complete tool listing, or a sentence why not. `over` is set once
the session is of no use; calls in flight may still finish on it, new ones need another link.
Never: reconnects (connection.py does), swallows a cancellation that is its own.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from typing import Any

import httpx2
from mcp import Client, MCPError, StdioServerParameters, types
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import TypeAdapter

from pipeline.tools.catalog import ListedTool, ListingFailed, list_tools
from pipeline.tools.isolating import IsolatingTransport, NegotiationFailed
from pipeline.tools.settings import McpServerSettings, MissingVariable, expand, shown, without_user
from pipeline.tools.stdio import watched_stdio

Result = types.CallToolResult | types.InputRequiredResult
"""What a tools/call may return."""
_RESULT: TypeAdapter[types.CallToolResult | types.InputRequiredResult] = TypeAdapter(Result)


class ConnectFailed(Exception):
    """The message is one sentence without secrets."""


class Link:
    """One session with one server."""

    def __init__(self, settings: McpServerSettings, *, on_listed: Callable[[Mapping[str, ListedTool]], None]) -> None:
        self._settings = settings
        self._on_listed = on_listed
        self._client: Client | None = None
        self._relist = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self.in_flight = 0
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.over = asyncio.Event()
        self.protocol_version: str | None = None
        self.tools: Mapping[str, ListedTool] = {}
        self.served = 0
        """Answers that came over this link."""

    @property
    def modern(self) -> bool:
        """Every call is an exchange of its own (2026-07-28 over HTTP): a lost one does not stain the others."""
        return self._settings.transport == "streamable_http" and self.protocol_version in MODERN_PROTOCOL_VERSIONS

    def retire(self) -> None:
        """No new calls; the session ends when those in flight have."""
        self.over.set()
        self._relist.set()

    def cut(self) -> None:
        """As `retire`, without waiting for the calls in flight."""
        self._idle.set()
        self.retire()

    def relist(self) -> None:
        """Read the tool listing again, soon."""
        self._relist.set()

    async def run(self) -> None:
        """Connect, stay, leave. Returns when the session has ended, whatever ended it."""
        task = asyncio.current_task()
        assert task is not None
        reason: BaseException | None = None
        try:
            await self._live()
        except asyncio.CancelledError as error:
            if task.cancelling():
                raise
            reason = error  # the SDK's own task group cancelled its host: the session died
        except Exception as error:
            reason = error
        finally:
            self._client = None
            self.over.set()
            if not self.opened.done():
                self.opened.set_exception(ConnectFailed(_sentence(reason, self._settings)))
                self.opened.exception()  # seen here, so that an abandoned link does not warn

    async def call(self, tool: str, arguments: Mapping[str, Any], meta: Mapping[str, Any]) -> Result:
        """One tools/call, without the SDK's output validation and implicit listing. Raises: what the SDK raises."""
        client = self._client
        if client is None:
            raise ConnectionError("the session has ended")
        params = types.CallToolRequestParams.model_validate(
            {"name": tool, "arguments": dict(arguments), "_meta": dict(meta)}
        )
        self.in_flight += 1
        self._idle.clear()
        try:
            result = await client.session.send_request(types.CallToolRequest(params=params), _RESULT)
        finally:
            self.in_flight -= 1
            if not self.in_flight:
                self._idle.set()
        self.served += 1
        return result

    async def _live(self) -> None:
        connect_s = self._settings.connect_timeout_ms / 1000
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(connect_s):
                    transport, isolating = await self._transport(stack)
                    client = await stack.enter_async_context(Client(transport, mode=self._mode, cache=None))
                    self.tools = await list_tools(client)
            except TimeoutError:
                raise ConnectFailed(f"the server was not ready within {connect_s:g} s") from None
            if isolating is not None:
                isolating.negotiating = False
            self.protocol_version = client.protocol_version
            self._client = client
            self._on_listed(self.tools)
            self.opened.set_result(None)
            await self._stay(client, connect_s)

    async def _stay(self, client: Client, connect_s: float) -> None:
        while not self.over.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(self._settings.relist_ms / 1000):
                    await self._relist.wait()
            self._relist.clear()
            if not self.over.is_set():
                with suppress(TimeoutError, MCPError, ListingFailed, ValueError):  # the old listing stays
                    async with asyncio.timeout(connect_s):
                        self.tools = await list_tools(client)
                    self._on_listed(self.tools)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._settings.call_timeout_ms / 1000):
                await self._idle.wait()

    @property
    def _mode(self) -> str:
        return self._settings.mode if self._settings.transport == "streamable_http" else "auto"

    async def _transport(
        self, stack: AsyncExitStack
    ) -> tuple[AbstractAsyncContextManager[Any], IsolatingTransport | None]:
        settings = self._settings
        if settings.transport == "stdio":
            assert settings.command is not None
            params = StdioServerParameters(
                command=settings.command,
                args=list(settings.args),
                env={name: expand(value) for name, value in settings.env.items()},
                cwd=settings.cwd,
            )
            return watched_stdio(params, self.retire), None
        assert settings.url is not None
        # Room for the calls, a listing and a cancel; nothing ever waits for the pool while the bulkhead holds.
        room = settings.concurrency + 4
        limits = httpx2.Limits(
            max_connections=room, max_keepalive_connections=room, keepalive_expiry=settings.keepalive_ms / 1000
        )
        isolating = IsolatingTransport(
            httpx2.AsyncHTTPTransport(limits=limits), max_answer_bytes=settings.max_answer_bytes
        )
        connect_s = settings.connect_timeout_ms / 1000
        url, user = without_user(expand(settings.url))
        client = await stack.enter_async_context(
            httpx2.AsyncClient(
                transport=isolating,
                auth=user,
                # No read timeout: a call's own deadline comes first, and the SDK would take the whole session down.
                timeout=httpx2.Timeout(connect_s, read=None),
                # A small compressed body must not become a large one in one step.
                headers={"accept-encoding": "identity"}
                | {name: expand(value) for name, value in settings.headers.items()},
            )
        )
        return streamable_http_client(url, http_client=client, max_sse_event_size=settings.max_answer_bytes), isolating


def _sentence(reason: BaseException | None, settings: McpServerSettings) -> str:
    """Why connecting failed, for people: what happened and to which address, no header, no traceback."""
    while isinstance(reason, BaseExceptionGroup):
        reason = reason.exceptions[0]
    where = shown(settings.url or "") if settings.transport == "streamable_http" else settings.command
    match reason:
        case ConnectFailed() | MissingVariable() | NegotiationFailed() | ListingFailed():
            return f"{where}: {reason}"
        case httpx2.ConnectError() | ConnectionRefusedError():
            return f"{where}: nobody answers there (connection refused)"
        case FileNotFoundError():
            return f"{where}: no such program"
        case MCPError():
            return f"{where}: the server refused to connect ({reason.code} {reason.message})"
        case None:
            return f"{where}: the session ended at once"
        case _:
            return f"{where}: {type(reason).__name__}"
