"""Scripted MCP servers: what really happened, by idempotency key, whatever became of the connection.

Owns: arrivals, effects, what each call meets (drawn), the answers' shapes.
Invariants: an effect goes on when its caller dies; an effect and the answer that tells of it are one instant; a tool whose policy is
`retry` keeps to its key (the same key again joins or gets the stored answer), the others do as they are told, every time: a second
call of theirs is a second effect. Never: believes a caller. Source: DESIGN 4 (Calls), 7 (Execute); examples/demo for the shapes.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any

from contracts.identity import digest
from pipeline.decision import Call, CallAnswer, CallOutcome
from pipeline.policy import Installation, Recovery
from pipeline.testing.loop import VirtualLoop


class Fate(StrEnum):
    """What a call meets."""

    FINE = "fine"
    SLOW = "slow"
    """Answered just in time, or just too late."""
    VERY_SLOW = "very slow"
    """Done long after everybody has stopped waiting."""
    LOST_REQUEST = "lost request"
    LOST_ANSWER = "lost answer"
    MALFORMED = "malformed"
    UNREADABLE = "unreadable"
    """It breaks its schema after the effect: outcome unknown."""
    REFUSED = "refused"
    UNSENT = "unsent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Something that was done."""

    at_s: float
    tool: str
    key: str
    call_id: str
    items: tuple[str, ...]
    """All items it was asked for, in order; of a tool without a collection its arguments' values."""
    arguments: Mapping[str, Any]
    succeeded: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A call that reached a server."""

    at_s: float
    tool: str
    key: str
    call_id: str
    attempt: int
    arguments: Mapping[str, Any]
    fate: Fate
    late_s: float = float("-inf")
    """How long after its not_after it came."""


@dataclass(slots=True)
class _Operation:
    done: bool = False
    answer: Any = None
    waiting: list["asyncio.Future[Any]"] = field(default_factory=list)


class Servers:
    """All MCP servers of the world."""

    def __init__(
        self, loop: VirtualLoop, random: Random, installation: Installation, fates: Mapping[Fate, float], seed: int
    ) -> None:
        """`fates`: weight of each fate; what is missing never happens."""
        self._loop = loop
        self._random = random
        self._installation = installation
        self.fates = dict(fates)
        self._seed = seed
        self.epoch_ms = 0
        """Wall clock at virtual second 0."""
        self.down: dict[str, None] = {}
        self.effects: list[Effect] = []
        self.arrivals: list[Arrival] = []
        self.unknown_keys: dict[str, float] = {}
        """Key → when the status tool last said that it does not know it."""
        self.trace: Callable[[str], None] = lambda line: None  # noqa: ARG005
        self.watchers: list[Callable[[], None]] = []
        """Told after every arrival and effect."""
        self._operations: dict[str, _Operation] = {}
        self._tried: dict[str, None] = {}

    # --- what a call meets ---

    def draw(self, call: Call) -> Fate:
        """The fate of a call."""
        if call.server in self.down:
            return Fate.UNSENT
        return self._random.choices(list(self.fates), weights=list(self.fates.values()))[0]

    async def call(self, call: Call, deadline_s: float) -> CallAnswer:
        """Send, on behalf of the process that runs."""
        fate = self.draw(call)
        self.trace(f"call {call.tool} {call.idempotency_key[-6:]}#{call.attempt} meets {fate.value}")
        if fate is Fate.UNSENT:
            await asyncio.sleep(self._random.uniform(0.001, 0.02))
            return CallAnswer(outcome=CallOutcome.NOT_SENT, code="unreachable", error="nobody answers")
        answer: asyncio.Future[CallAnswer] = self._loop.create_future()
        if fate is not Fate.LOST_REQUEST:
            self._loop.later(self._random.uniform(0.001, 0.02), self._arrive, call, fate, answer)
        try:
            async with asyncio.timeout(deadline_s):
                return await answer
        except TimeoutError:
            return CallAnswer(outcome=CallOutcome.UNKNOWN, code="timeout", error="no answer in time")

    def _arrive(self, call: Call, fate: Fate, answer: "asyncio.Future[CallAnswer]") -> None:
        self.arrivals.append(
            Arrival(
                at_s=self._loop.time(),
                tool=call.tool,
                key=call.idempotency_key,
                call_id=call.call_id,
                attempt=call.attempt,
                arguments=call.arguments,
                fate=fate,
                late_s=self._loop.time() - call.not_after.timestamp() + self.epoch_ms / 1000
                if call.not_after is not None
                else float("-inf"),
            )
        )
        self._changed()
        if fate is Fate.REFUSED:
            refused = CallAnswer(outcome=CallOutcome.NOT_SENT, code="refused", error="too many requests")
            self._loop.later(0.001, _answer, answer, refused)
            return
        took = {
            Fate.SLOW: self._random.uniform(0.8, 1.2) * call.timeout_ms / 1000,
            Fate.VERY_SLOW: self._random.uniform(1.5, 6.0) * call.timeout_ms / 1000,
        }.get(fate, self._random.uniform(0.005, 0.3))
        self._work(call, took, lambda payload: self._respond(fate, payload, answer))

    def _respond(self, fate: Fate, payload: Any, answer: "asyncio.Future[CallAnswer]") -> None:
        if fate is Fate.LOST_ANSWER:
            return
        told = CallAnswer(outcome=CallOutcome.OK, payload=payload, latency_ms=1)
        if fate is Fate.UNREADABLE:
            told = CallAnswer(outcome=CallOutcome.UNKNOWN, code="schema_violation", error="breaks its output schema")
        elif fate is Fate.MALFORMED:
            told = CallAnswer(outcome=CallOutcome.OK, payload=self._random.choice([None, "?", [], {"eligible": "x"}]))
        self._loop.later(self._random.uniform(0.001, 0.02), _answer, answer, told)

    def _changed(self) -> None:
        for watcher in self.watchers:
            watcher()

    # --- the work ---

    def _work(self, call: Call, took_s: float, respond: Any) -> None:
        tool = self._installation.tools[call.tool]
        if tool.spec.tool_type == "status":
            self._loop.later(min(took_s, 0.3), lambda: respond(self._status(call)))
            return
        if not tool.transactional:
            self._loop.later(took_s, lambda: respond(self._answer(call)[0]))
            return
        known = self._operations.get(call.idempotency_key)
        if known is not None and tool.recovery is Recovery.RETRY:
            if known.done:
                self._loop.later(0.001, lambda: respond(known.answer))
            else:
                joined: asyncio.Future[Any] = self._loop.create_future()
                joined.add_done_callback(lambda done: respond(done.result()))
                known.waiting.append(joined)
            return
        operation = self._operations[call.idempotency_key] = _Operation()
        self._loop.later(took_s, lambda: self._do(call, operation, respond))

    def _do(self, call: Call, operation: _Operation, respond: Any) -> None:
        answer, succeeded = self._answer(call)
        items = items_of(self._installation, call.tool, call.arguments)
        self.effects.append(
            Effect(
                at_s=self._loop.time(),
                tool=call.tool,
                key=call.idempotency_key,
                call_id=call.call_id,
                items=items,
                arguments=dict(call.arguments),
                succeeded=succeeded,
            )
        )
        self.trace(f"effect {call.tool} {call.idempotency_key[-6:]} {', '.join(items)}")
        self._changed()
        operation.done, operation.answer = True, answer
        respond(answer)
        for joined in operation.waiting:
            joined.set_result(answer)

    def _status(self, call: Call) -> Any:
        operation = self._operations.get(call.idempotency_key)
        if operation is None:
            self.unknown_keys[call.idempotency_key] = self._loop.time()
            return {"ok": True, "result": {"status": "unknown_key"}}
        if not operation.done:
            return {"status": "in_progress"}
        return {"ok": True, "result": {"status": "done", "result": operation.answer}}

    def _answer(self, call: Call) -> tuple[Any, tuple[str, ...]]:
        """The answer, and the items that were done."""
        tool = self._installation.tools[call.tool]
        items = items_of(self._installation, call.tool, call.arguments)
        if tool.spec.tool_type == "validator":
            return self._verdict(call), ()
        if tool.items_argument is None:
            protocol = f"P{digest(call.idempotency_key)[:6]}"
            return {"ok": True, "result": {"message": "feito", "protocol": protocol}}, items
        results = [self._result(item) for item in items]
        done = all(result["success"] for result in results)
        shape = self._random.choice(
            [
                {"ok": done, "result": {"results": results}},
                {"results": results},
                {"ok": True, "data": {"results": results}},
            ]
        )
        return shape, tuple(result["name"] for result in results if result["success"])

    def _result(self, item: str) -> dict[str, Any]:
        reason = self._reason(item)
        if reason is None:
            return {"name": item, "success": True, "protocol": f"P{digest([self._seed, item])[:6]}"}
        return {"name": item, "success": False, "reason": reason}

    def _reason(self, item: str) -> str | None:
        """Why an item is not done; None: it is. The same item meets the same fate, but for what is temporary."""
        number = int(digest([self._seed, item])[:4], 16) % 10
        if number == 0:
            return "already_cancelled"
        if number == 1 and item not in self._tried:
            self._tried[item] = None
            return "temporarily_unavailable"
        return None

    def _verdict(self, call: Call) -> Any:
        items = [str(item) for item in call.arguments.get("items", ())]
        number = int(digest([self._seed, "validator", *items])[:4], 16) % 12
        if number == 0:
            return {"eligible": False, "reason": "not_owned", "message": "Esses produtos não estão na sua conta."}
        if number == 1:
            return {
                "eligible": False,
                "status": "NEEDS_PARAMETER",
                "parameter": "items",
                "parameter_message": "Não encontrei esses produtos. Quais são?",
            }
        return {"eligible": True, "transaction_decision": {"resolved_arguments": {"items": items}}}


def items_of(installation: Installation, tool: str, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """What a call is about."""
    argument = installation.tools[tool].items_argument
    if argument is not None:
        return tuple(str(item) for item in arguments.get(argument, ()))
    return tuple(str(arguments[name]) for name in installation.tools[tool].collected if name in arguments)


def _answer(future: "asyncio.Future[Any]", value: Any) -> None:
    if not future.done():
        future.set_result(value)
