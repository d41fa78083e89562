"""A stdio transport that tells what the pipe saw.

The SDK's own does not tell its owner when the child died, and gives no way to know whether a call had been handed to
it. This one wraps both streams: the first write of a call is noted in its Exchange, the end of the child's output
calls `on_end`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Protocol, Self

from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from pipeline.tools.exchange import current_exchange


class _Source(Protocol):
    async def receive(self) -> SessionMessage | Exception: ...
    async def aclose(self) -> None: ...
    async def __anext__(self) -> SessionMessage | Exception: ...


class _Sink(Protocol):
    async def send(self, item: SessionMessage, /) -> None: ...
    async def aclose(self) -> None: ...


class _Closing:
    """Both streams close the one they wrap."""

    _inner: _Source | _Sink

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()


class _Inbound(_Closing):
    """The child's messages. Says when they end."""

    def __init__(self, inner: _Source, on_end: Callable[[], None]) -> None:
        self._inner: _Source = inner
        self._on_end = on_end

    async def receive(self) -> SessionMessage | Exception:
        return await self._inner.receive()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self._inner.__anext__()
        except StopAsyncIteration:
            self._on_end()
            raise


class _Outbound(_Closing):
    """The child's input. A call passes its gate here: from the hand-over on it counts as sent."""

    def __init__(self, inner: _Sink) -> None:
        self._inner: _Sink = inner

    async def send(self, item: SessionMessage, /) -> None:
        exchange = current_exchange.get()
        if exchange is not None and isinstance(item.message, JSONRPCRequest):
            exchange.start_sending()
        await self._inner.send(item)


@asynccontextmanager
async def watched_stdio(
    server: StdioServerParameters, on_end: Callable[[], None]
) -> AsyncIterator[tuple[_Inbound, _Outbound]]:
    """The SDK's stdio transport, watched. Raises: OSError when the program cannot be started."""
    async with _hosted(server) as (source, sink):
        yield _Inbound(source, on_end), _Outbound(sink)


@asynccontextmanager
async def _hosted(server: StdioServerParameters) -> AsyncIterator[tuple[Any, Any]]:
    """The SDK's transport in a task of its own, which nobody cancels.

    A task that is cancelled while the SDK ends the child would leave the child alive and never end itself. Leaving takes as long
    as the SDK waits for the child (4 s), cancelled or not.
    """
    opened: asyncio.Future[tuple[Any, Any]] = asyncio.get_running_loop().create_future()
    leave = asyncio.Event()

    async def host() -> None:
        try:
            async with stdio_client(server) as streams:
                opened.set_result(streams)
                await leave.wait()
        except BaseException as error:
            if opened.done():
                raise
            opened.set_exception(error)
            opened.exception()  # seen here: who waited for it may be gone

    task = asyncio.create_task(host(), name="mcp-stdio")
    try:
        yield await asyncio.shield(opened)
    finally:
        leave.set()
        cancelled: asyncio.CancelledError | None = None
        while not task.done():
            try:
                await asyncio.wait({task})
            except asyncio.CancelledError as error:
                cancelled = error
        if not task.cancelled():
            task.result()
        if cancelled is not None:
            raise cancelled
