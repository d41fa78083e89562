"""From what went wrong with a call to what may have become of it.

Owns: the one place where an exception, a JSON-RPC code or an HTTP status becomes an outcome.
Invariants: what our own transport saw is asked first, then the HTTP status, then the JSON-RPC code; NOT_SENT needs
proof; whatever is not listed is UNKNOWN once a byte may have been written. Server texts stay out of `error` (they may
carry customer data); they travel in the payload. Source: DESIGN 4 (Calls), 7 (Execute).
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final

import pydantic
from mcp import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    REQUEST_TIMEOUT,
)

from pipeline.tools.answers import Outcome
from pipeline.tools.exchange import Exchange


class ToolsClosed(Exception):
    """The tool client is closing; nothing is sent any more."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a call failed and what that says about its server."""

    outcome: Outcome
    code: str
    error: str
    payload: Any = None
    retry_after_s: float | None = None
    answered: bool = False
    """The server is alive (the breaker's question)."""
    session_lost: bool = False
    """The session is of no use any more: connect again."""
    relist: bool = False
    """Our listing of the server's tools is out of date."""


_RPC_CODES: Final = {
    INVALID_PARAMS: "invalid_params",
    INVALID_REQUEST: "invalid_request",
    METHOD_NOT_FOUND: "method_not_found",
}
_UNREADABLE: Final = "the answer could not be read; the call may have been executed"


def unsent(code: str, error: str) -> Verdict:
    return Verdict(Outcome.NOT_SENT, code, error)


def timed_out(exchange: Exchange, waited_s: float) -> Verdict:
    """The caller's patience ended. Closes the gate, so that a call not yet written stays unwritten."""
    if exchange.abandon():
        return Verdict(Outcome.NOT_SENT, "timeout", f"the call could not be sent within {waited_s:.1f} s")
    return Verdict(Outcome.UNKNOWN, "timeout", f"no answer within {waited_s:.1f} s; the call may have been executed")


def failed(error: BaseException, exchange: Exchange, *, refusal_statuses: AbstractSet[int], legacy: bool) -> Verdict:
    """Classify what a call raised."""
    if exchange.unsent:
        what = exchange.failure or "Unsent"
        return unsent("connect_failed", f"the server could not be reached ({what}); nothing was sent")
    if exchange.too_large:
        return Verdict(Outcome.UNKNOWN, "too_large", "the answer is larger than max_answer_bytes", answered=True)
    if exchange.failure is not None:
        return _connection_lost(f"the connection broke ({exchange.failure}) after the call was sent")
    if isinstance(error, MCPError):
        by_status = _of_status(error, exchange, refusal_statuses, legacy=legacy)
        return by_status or _of_rpc_code(error, exchange)
    if isinstance(error, pydantic.ValidationError):
        if exchange.abandon():
            return unsent("unsendable", "the arguments cannot be written as JSON; nothing was sent")
        return Verdict(Outcome.UNKNOWN, "unreadable", _UNREADABLE, answered=True)
    if exchange.abandon():
        return unsent("connection_lost", f"the session ended ({type(error).__name__}) before the call was sent")
    return _connection_lost(f"the session ended ({type(error).__name__}) while the call ran")


def _of_status(error: MCPError, exchange: Exchange, refusals: AbstractSet[int], *, legacy: bool) -> Verdict | None:
    """Classify by HTTP status; None: the JSON-RPC code decides (status 200, or no HTTP at all)."""
    status, retry = exchange.status, exchange.retry_after_s
    if status is None:
        return None
    if status in refusals:
        text = f"the server refused the call before executing it (HTTP {status})"
        return Verdict(Outcome.NOT_SENT, f"http_{status}", text, retry_after_s=retry)
    if status >= 500 or status in {408, 429}:
        text = f"the server answered HTTP {status}; the call may have been executed"
        return Verdict(Outcome.UNKNOWN, f"http_{status}", text, retry_after_s=retry)
    if status == 404 and legacy:
        return Verdict(
            Outcome.NOT_SENT,
            "session_lost",
            "the server no longer knows this session",
            answered=True,
            session_lost=True,
        )
    if error.code == HEADER_MISMATCH:
        text = "the server refused the headers of the call before executing it"
        return Verdict(Outcome.NOT_SENT, "header_mismatch", text, answered=True, relist=True)
    if status in {401, 403}:
        text = f"the server refuses our credentials (HTTP {status})"
        return Verdict(Outcome.TOOL_ERROR, "unauthorized" if status == 401 else "forbidden", text, answered=True)
    if status >= 400:
        code = _RPC_CODES.get(error.code, f"http_{status}")
        return Verdict(
            Outcome.TOOL_ERROR, code, f"the server refused the call (HTTP {status})", _said(error), answered=True
        )
    if status != 200 or exchange.content_type not in {"application/json", "text/event-stream"}:
        text = f"HTTP {status} without a JSON answer; the call may have been executed"
        return Verdict(Outcome.UNKNOWN, "unreadable", text, answered=True)
    return None


def _of_rpc_code(error: MCPError, exchange: Exchange) -> Verdict:
    if error.code == CONNECTION_CLOSED:
        # Also what the SDK says itself, and a range of its own for servers: never read as "failed cleanly".
        if exchange.abandon():
            text = "the session ended before the call was sent"
            return Verdict(Outcome.NOT_SENT, "connection_lost", text, session_lost=True)
        return _connection_lost("the session ended while the call ran", session_lost=exchange.status is None)
    if error.code == REQUEST_TIMEOUT:
        return Verdict(Outcome.UNKNOWN, "timeout", "the server gave the call up; it may have been executed")
    if error.code == PARSE_ERROR:
        return Verdict(Outcome.UNKNOWN, "unreadable", _UNREADABLE, answered=True)
    if error.code == INTERNAL_ERROR:
        # JSON-RPC's 500: the server itself does not say how far it came.
        text = "the server reports an internal error; the call may have been executed"
        return Verdict(Outcome.UNKNOWN, "internal_error", text, answered=True)
    code = _RPC_CODES.get(error.code, f"rpc_{error.code}")
    return Verdict(Outcome.TOOL_ERROR, code, f"the server refused the call ({error.code})", _said(error), answered=True)


def _connection_lost(text: str, *, session_lost: bool = False) -> Verdict:
    return Verdict(Outcome.UNKNOWN, "connection_lost", f"{text}; it may have been executed", session_lost=session_lost)


def _said(error: MCPError) -> dict[str, Any]:
    said: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.data is not None:
        said["data"] = error.data
    return {"error": said}
