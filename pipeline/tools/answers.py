"""What is asked of a tool and what became of it, in the words the stages need; no MCP type leaves this package.

Invariants: an outcome says what may have been executed, never what was hoped. OK and TOOL_ERROR rest on a readable
answer, NOT_SENT on proof that no byte of the call was written (or a declared refusal); everything else is UNKNOWN.
Never: reads business shapes ({ok, result}, results[]): that is a stage's work. Source: DESIGN 4 (Calls), 7 (Execute).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol

META_IDEMPOTENCY_KEY: Final = "multi-item/idempotency-key"
"""`_meta` key of the request key. Same key, same call: a server that knows it answers again without a second effect."""
META_ITEM_KEYS: Final = "multi-item/item-keys"
"""`_meta` key of the items' own keys, in the order of the items: the same in every attempt, also when fewer items are sent."""
META_NOT_AFTER: Final = "multi-item/not-after"
"""`_meta` key of the instant (RFC 3339, UTC) from which on a server should refuse to start the call."""


class Outcome(StrEnum):
    """What became of one call."""

    OK = "ok"
    """A readable answer that does not say failure by MCP's own means. The payload may still report failed items."""
    TOOL_ERROR = "tool_error"
    """A readable answer that says failure: is_error, a JSON-RPC refusal (-32602 …), an HTTP 4xx. Final."""
    NOT_SENT = "not_sent"
    """Proved unexecuted: no byte was sent, or the server's declared refusal came back. May be called again freely."""
    UNKNOWN = "unknown"
    """May have been executed. Only the tool's recovery policy may decide what comes next."""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The end of one call, whatever end it was."""

    outcome: Outcome
    payload: Any
    """structured_content; else the text parsed as a JSON object or array; else {"text": …}. None: no readable answer."""
    is_error: bool
    """MCP's `isError` of the answer; read before structured_content. Always False without a readable result."""
    error: str | None
    """One sentence for people, without arguments, headers or other secrets. None when the outcome is OK."""
    code: str | None
    """Why, for machines: "timeout", "breaker_open", "http_503", "schema_violation", "too_large" … None when OK."""
    latency_ms: int
    """From the call to its end, on the given clock."""
    retry_after_s: float | None = None
    """Seconds the server (or an open breaker) asks to wait before another call. None: not said."""


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """One call, ready to be sent."""

    server: str
    tool: str
    arguments: Mapping[str, Any]
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Entries for MCP `_meta`, sent as they are: META_IDEMPOTENCY_KEY, META_NOT_AFTER …"""
    deadline_s: float = 30.0
    """Seconds from `call()` on until the caller stops waiting: a duration, bounded by the server's call_timeout_ms."""
    traceparent: str | None = None
    """W3C trace context of the caller; None: no trace."""


@dataclass(frozen=True, slots=True)
class ServerHealth:
    """One server as it is now, for /health and the metrics."""

    connected: bool
    breaker: str
    """closed | open | half_open."""
    in_flight: int
    waiting: int = 0
    """Acquires that wait for a slot, the connection or the breaker."""
    generation: int = 0
    """Counts connections made; 0: never connected."""
    protocol_version: str | None = None
    error: str | None = None
    """Why it is not connected, one sentence. None while connected."""


class Slot(Protocol):
    """The right to one call in flight at a server. Released exactly once by its holder; a second release is nothing."""

    def release(self) -> None: ...


class ToolClient(Protocol):
    """What the runtime needs of MCP. One for a worker, used from one event loop."""

    async def start(self) -> None:
        """Begin to connect; returns at once, a server that is not there is tried again with back-off."""
        ...

    async def close(self, drain_s: float = 5) -> None:
        """No new calls; wait up to drain_s seconds for those in flight, then disconnect."""
        ...

    async def acquire(self, server: str) -> Slot:
        """Wait, in order of arrival, until the server is connected, its breaker lets a call through and a slot is free.

        Waits without end: the caller bounds it (a wait that is given up is a call that was not sent). Cancellable.
        Raises: KeyError for a server that is not configured; ToolsClosed once close() was called.
        """
        ...

    async def call(self, request: ToolRequest) -> ToolAnswer:
        """Send one call and say what became of it. The caller holds the slot. Never raises for an outcome."""
        ...

    def schema(self, server: str, tool: str) -> Mapping[str, Any] | None:
        """The tool's input schema as the server listed it; None: not listed (yet)."""
        ...

    def health(self) -> Mapping[str, ServerHealth]: ...
