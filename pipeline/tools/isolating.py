"""An httpx2 transport that keeps one broken request from ending everybody's MCP session.

The SDK runs every POST in one task group without an except: a reset, a truncated body or a full pool ends the session
and every other call on it. Here such a failure becomes a JSON-RPC error answer to its own request, and what the wire
saw (bytes sent, status, Retry-After, size) is noted in the call's Exchange.

Invariants: after the connection is made no transport error of a POST leaves this class; while it is being made
(`negotiating`) every one does, and 429/5xx too, so that an outage is never read as "a legacy server" (silent
downgrade). Never reads more of an answer than `max_answer_bytes`. Source: notes on mcp 2.3.0, sections 5.1 and 6.2.
"""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2

from pipeline.tools.exchange import Exchange, Unsent, current_exchange

UNSENT_ERRORS = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol)
"""Raised before the request's first byte."""
FAREWELL_S = 2.0
_LOST = -32000
_HTTP = -32603
_DROPPED_HEADERS = frozenset({"content-encoding", "content-length", "transfer-encoding"})


class NegotiationFailed(httpx2.TransportError):
    """The server is there but cannot be connected to now. The message is one sentence without secrets."""


class IsolatingTransport(httpx2.AsyncBaseTransport):
    """Wraps the real transport of one session."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, *, max_answer_bytes: int) -> None:
        self._inner = inner
        self._max_answer_bytes = max_answer_bytes
        self.negotiating = True
        self._discover_open = False

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method == "DELETE":  # the SDK's farewell to a session has no time limit of its own
            limits = {**request.extensions.get("timeout", {}), "read": FAREWELL_S}
            request.extensions = {**request.extensions, "timeout": limits}
        if request.method != "POST":
            return await self._inner.handle_async_request(request)
        if self.negotiating:
            return await self._negotiate(request)
        exchange = current_exchange.get() or Exchange()
        request.extensions = {**request.extensions, "trace": _gate(exchange)}
        try:
            response = await self._inner.handle_async_request(request)
            return await self._read(request, response, exchange)
        except (httpx2.RequestError, httpx2.StreamError, Unsent) as error:
            exchange.failure = type(error).__name__
            exchange.unsent = exchange.unsent or isinstance(error, UNSENT_ERRORS)
            return _answer(request, 502, _LOST, f"the exchange failed: {type(error).__name__}")

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _negotiate(self, request: httpx2.Request) -> httpx2.Response:
        method = request.headers.get("mcp-method") or json.loads(request.content or b"{}").get("method")
        if method == "initialize" and self._discover_open:
            raise NegotiationFailed("server/discover got no answer; not taken for a legacy server", request=request)
        self._discover_open = method == "server/discover"
        response = await self._inner.handle_async_request(request)
        self._discover_open = False
        if (status := response.status_code) >= 500 or status in {401, 403, 429}:
            await response.aclose()
            why = ": it refuses our credentials" if status in {401, 403} else ""
            raise NegotiationFailed(f"the server answered HTTP {status}{why}", request=request)
        return response

    async def _read(self, request: httpx2.Request, response: httpx2.Response, exchange: Exchange) -> httpx2.Response:
        exchange.status = response.status_code
        exchange.retry_after_s = _seconds(response.headers.get("retry-after"))
        exchange.content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.status_code < 400 and exchange.content_type == "text/event-stream":
            stream = _BoundedStream(response, exchange, self._max_answer_bytes)
            return httpx2.Response(response.status_code, headers=response.headers, stream=stream, request=request)
        body = bytearray()
        try:
            async for part in response.aiter_bytes():
                body += part
                if len(body) > self._max_answer_bytes:
                    exchange.too_large = True
                    return _answer(request, 502, _LOST, "the answer is too large")
        finally:
            await response.aclose()
        if response.status_code >= 400 and not _is_json_rpc_error(exchange.content_type, body):
            return _answer(request, response.status_code, _HTTP, f"HTTP {response.status_code}")
        headers = [(k, v) for k, v in response.headers.multi_items() if k.lower() not in _DROPPED_HEADERS]
        return httpx2.Response(response.status_code, headers=headers, content=bytes(body), request=request)


class _BoundedStream(httpx2.AsyncByteStream):
    """A server-sent event stream that notes how it broke and ends at the size limit. The SDK survives both."""

    def __init__(self, response: httpx2.Response, exchange: Exchange, limit: int) -> None:
        self._response = response
        self._exchange = exchange
        self._left = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._response.stream:  # type: ignore[union-attr]  # async transport, async stream
                self._left -= len(part)
                if self._left < 0:
                    self._exchange.too_large = True
                    return
                yield part
        except httpx2.RequestError as error:
            self._exchange.failure = type(error).__name__
            raise

    async def aclose(self) -> None:
        await self._response.aclose()


def _gate(exchange: Exchange) -> Any:
    """The trace hook of httpcore: called right before the first byte of a request is written, after any wait or connect."""

    async def trace(name: str, _info: dict[str, Any]) -> None:
        if name.endswith("send_request_headers.started"):
            exchange.start_sending()

    return trace


def _answer(request: httpx2.Request, status: int, code: int, message: str) -> httpx2.Response:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
    return httpx2.Response(status, json=body, request=request)


def _is_json_rpc_error(content_type: str, body: bytearray) -> bool:
    if content_type != "application/json":
        return False
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(parsed, dict) and isinstance(parsed.get("error"), dict)


def _seconds(retry_after: str | None) -> float | None:
    """Retry-After in seconds; its other form, a date, is not used (it would need this process's clock to be right)."""
    if retry_after is None or not retry_after.strip().isdigit():
        return None
    return min(float(retry_after), 3600.0)
