"""Failures on demand: which one a customer's name asks for, and the ones that happen on the wire.

Invariants: a fault is a function of the customer (or of the one configured for all) and of the ledger's counters, so a
restart of the demo does not forget that an answer was already lost once. The table in README.md lists them.
"""

import json
import re
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from examples.demo.ledger import Ledger

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

VALIDATORS = frozenset({"validar_produtos_cancelamento"})
STATUS_TOOLS = frozenset({"consultar_operacao"})


class Fault(StrEnum):
    """What goes wrong. The value is how a customer id begins."""

    ONE_ITEM = "falha-um-item"
    ALL_ITEMS = "falha-todos"
    AUXILIARY = "falha-auxiliar"
    ANSWER_LOST = "falha-resposta-perdida"
    CUT_BEFORE = "falha-queda"
    SLOW = "falha-lenta"
    MALFORMED = "falha-malformada"
    HUGE = "falha-enorme"
    UNAVAILABLE = "falha-503"
    UNAVAILABLE_ONCE = "falha-503-uma-vez"
    VALIDATOR_DOWN = "falha-validador-fora"
    VALIDATOR_SLOW = "falha-validador-lento"
    VALIDATOR_MALFORMED = "falha-validador-malformado"


@dataclass(frozen=True, slots=True)
class Asked:
    """A fault and its number, if it has one (seconds)."""

    fault: Fault
    number: float | None = None


def fault_of(customer: str, for_all: str = "") -> Asked | None:
    """The fault a customer id asks for by its beginning (`falha-lenta-5`, `falha-todos-ana`), else the one for all."""
    for text in (customer, for_all):
        for fault in sorted(Fault, key=lambda f: -len(f.value)):
            found = re.match(rf"{re.escape(fault.value)}(?:-(\d+(?:\.\d+)?))?(?:[-:_.].*)?$", text, re.IGNORECASE)
            if found:
                return Asked(fault, float(found.group(1)) if found.group(1) else None)
    return None


def customer_of(arguments: MutableMapping[str, Any]) -> str:
    """The customer a call is about; empty when it does not say."""
    return str(arguments.get("customer_id") or arguments.get("msisdn") or "")


def key_in(meta: MutableMapping[str, Any] | None) -> str:
    """An idempotency key in `_meta`, under whatever prefix."""
    for name, value in (meta or {}).items():
        if isinstance(value, str) and re.sub(r"[-_]", "", name.rpartition("/")[2].lower()) == "idempotencykey":
            return value
    return ""


class OnTheWire:
    """ASGI wrapper around a server: records every tool call that arrives, and breaks those that are to be broken."""

    def __init__(self, app: App, ledger: Ledger, *, for_all: str) -> None:
        self._app = app
        self._ledger = ledger
        self._for_all = for_all

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        body, again = await _whole(receive)
        call = _tool_call(body)
        if call is None:
            await self._app(scope, again, send)
            return
        tool, arguments, meta = call
        customer = customer_of(arguments)
        key = str(arguments.get("idempotency_key") or key_in(meta))
        self._ledger.arrived(tool, customer, key)
        match self._due(tool, customer, key):
            case Fault.UNAVAILABLE:
                await _respond(send, 503, b"unavailable", content_type=b"text/plain")
            case Fault.CUT_BEFORE:
                await _cut(send)
            case Fault.ANSWER_LOST:
                await self._app(scope, again, _nowhere)
                await _cut(send)
            case Fault.MALFORMED:
                await self._app(scope, again, _nowhere)
                await _respond(send, 200, b'{"jsonrpc": "2.0", "id": 1, "result": {"content": [')
            case Fault.HUGE:
                await self._app(scope, again, _nowhere)
                await _respond(send, 200, b'{"jsonrpc": "2.0", "id": 1, "result": "' + b"x" * 10_000_000 + b'"}')
            case _:
                await self._app(scope, again, send)

    def _due(self, tool: str, customer: str, key: str) -> Fault | None:
        """The wire fault of this very call, if any."""
        asked = fault_of(customer, self._for_all)
        if asked is None or tool in STATUS_TOOLS:
            return None
        if tool in VALIDATORS:
            return Fault.UNAVAILABLE if asked.fault is Fault.VALIDATOR_DOWN else None
        if asked.fault is Fault.UNAVAILABLE_ONCE:
            return Fault.UNAVAILABLE if self._ledger.count(customer, f"503 {tool}") == 1 else None
        if asked.fault in {Fault.ANSWER_LOST, Fault.CUT_BEFORE}:
            return asked.fault if self._ledger.count(customer, f"lost {tool} {key}") == 1 else None
        return asked.fault if asked.fault in {Fault.MALFORMED, Fault.HUGE, Fault.UNAVAILABLE} else None


async def _whole(receive: Receive) -> tuple[bytes, Receive]:
    """The request body, and a receive that gives it once more."""
    body = b""
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            break
        body += message.get("body", b"")
        more = message.get("more_body", False)
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return body, again


def _tool_call(body: bytes) -> tuple[str, dict[str, Any], dict[str, Any] | None] | None:
    """(tool, arguments, _meta) when the body is a tools/call."""
    try:
        message = json.loads(body)
    except ValueError:
        return None
    if not isinstance(message, dict) or message.get("method") != "tools/call":
        return None
    params = message.get("params") or {}
    return str(params.get("name")), params.get("arguments") or {}, params.get("_meta")


async def _nowhere(_message: Message) -> None:
    """Where an answer goes that is to be lost."""


async def _respond(send: Send, status: int, body: bytes, *, content_type: bytes = b"application/json") -> None:
    headers = [(b"content-type", content_type), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _cut(send: Send) -> None:
    """Begin an answer and hang up: the server closes the connection of a response that was left unfinished."""
    headers = [(b"content-type", b"application/json"), (b"content-length", b"1000000")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b'{"jsonrpc"', "more_body": True})
