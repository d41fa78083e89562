"""What every tool of the demo does with a call before its own work: idempotency key, not-after, faults.

Never: decides what a tool does.
"""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult, TextContent

from examples.demo.faults import Asked, Fault, fault_of, key_in
from examples.demo.ledger import Ledger
from examples.demo.operations import KeyReused, Operations
from examples.demo.settings import DemoSettings


class Calls:
    """Shared by the tools of both servers."""

    def __init__(self, ledger: Ledger, settings: DemoSettings) -> None:
        self.ledger = ledger
        self._settings = settings
        self._operations = Operations(ledger)

    def fault(self, customer: str) -> Asked | None:
        return fault_of(customer, self._settings.fault)

    async def once(
        self, context: Context, customer: str, tool: str, *, key: str | None, arguments: Any, work: Callable[[str], Any]
    ) -> Any:
        """Carry out `work(request_key)` once per key; a refusal is an is_error result."""
        meta = _meta(context)
        request_key = key or key_in(meta)
        if _too_late(meta):
            return refused("too_late", "the call came after the instant it named as its last")
        try:
            return await self._operations.perform(
                customer, tool, request_key, arguments, lambda: work(request_key), delay_s=self.delay_s(customer)
            )
        except KeyReused:
            return refused("idempotency_key_reused", "this idempotency key was used with other arguments")

    async def slowly(self, customer: str, *, validator: bool = False) -> None:
        """Take as long as the customer's fault says."""
        await asyncio.sleep(self.delay_s(customer, validator=validator))

    def delay_s(self, customer: str, *, validator: bool = False) -> float:
        asked = self.fault(customer)
        slow = Fault.VALIDATOR_SLOW if validator else Fault.SLOW
        if asked is None or asked.fault is not slow:
            return 0.0
        return self._settings.slow_s if asked.number is None else asked.number

    def item_refusal(self, customer: str, tool: str, *, first: bool) -> str | None:
        """Why an item is made to fail, if it is; `first`: it is the first of its call."""
        asked = self.fault(customer)
        match asked.fault if asked else None:
            case Fault.ALL_ITEMS:
                return "blocked"
            case Fault.ONE_ITEM if first and self.ledger.count(customer, f"first {tool}") == 1:
                return "temporarily_unavailable"
            case _:
                return None


def refused(code: str, message: str) -> CallToolResult:
    """A readable answer that says failure, for machines and for people."""
    body = {"ok": False, "error": code, "message": message, "retryable": False}
    return CallToolResult(is_error=True, content=[TextContent(type="text", text=message)], structured_content=body)


def key_at(item_keys: Sequence[str] | None, index: int) -> str:
    """The idempotency key of the item at this place; empty when there is none."""
    return item_keys[index] if item_keys is not None and index < len(item_keys) else ""


def protocol(*parts: str) -> str:
    """A protocol number: the same work, the same number."""
    return f"{int.from_bytes(hashlib.sha256('|'.join(parts).encode()).digest()[:4]) % 10**9:09d}"


def _meta(context: Context) -> dict[str, Any]:
    request = context.request_context
    return dict(request.meta or {}) if request is not None else {}


def _too_late(meta: dict[str, Any]) -> bool:
    for name, value in meta.items():
        if name.rpartition("/")[2] == "not-after" and isinstance(value, str):
            try:
                return datetime.now(UTC) > datetime.fromisoformat(value)  # noqa: TID251 - a server's own clock
            except (ValueError, TypeError):
                return False
    return False
