"""One MCP server: its connection, bulkhead and breaker, and every call to it with a verdict.

Owns: the order slot (bulkhead, breaker, connected) → call → verdict, deadlines, the drain at close.
Invariants: `call` returns at its deadline, whatever the SDK still does; a call that was given up before its first byte
is never written afterwards; only calls of the present link may recycle it.
Never: repeats a call, reads a payload. Retries belong to the runtime, which knows what a repetition may do.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from random import Random
from typing import Any

from mcp import types
from opentelemetry import context as otel
from opentelemetry.propagate import extract

from pipeline.tools.answers import Outcome, ServerHealth, ToolAnswer, ToolRequest
from pipeline.tools.breaker import Admission, Breaker, BreakerState
from pipeline.tools.bulkhead import Bulkhead
from pipeline.tools.connection import Connection
from pipeline.tools.errors import ToolsClosed, Verdict, failed, timed_out, unsent
from pipeline.tools.exchange import Exchange, current_exchange
from pipeline.tools.link import Link, Result
from pipeline.tools.results import payload_of, verdict_of
from pipeline.tools.settings import McpServerSettings


class Server:
    """What is shared by all calls to one server."""

    def __init__(
        self,
        name: str,
        settings: McpServerSettings,
        *,
        clock: Callable[[], float],
        on_event: Callable[[str, Mapping[str, Any]], None],
    ) -> None:
        self._name = name
        self._settings = settings
        self._clock = clock
        self._on_event = on_event
        self._alarm: asyncio.TimerHandle | None = None
        self._lingering: set[asyncio.Task[Result]] = set()
        self._in_flight = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False
        self._breaker = Breaker(
            failures=settings.breaker.failures,
            cool_down_s=settings.breaker.cool_down_ms / 1000,
            clock=clock,
            on_change=self._breaker_changed,
        )
        self.connection = Connection(settings, on_event=self._tell, on_change=self._wake, random=Random())
        self.bulkhead = Bulkhead(settings.concurrency, admit=self._admit, give_up=self._breaker.give_up)

    async def call(self, request: ToolRequest) -> ToolAnswer:
        started = self._clock()
        self._in_flight += 1
        self._idle.clear()
        try:
            result, verdict = await self._run(request)
        finally:
            self._in_flight -= 1
            if not self._in_flight:
                self._idle.set()
        latency_ms = max(0, round((self._clock() - started) * 1000))
        if verdict is None:
            assert isinstance(result, types.CallToolResult)
            return ToolAnswer(Outcome.OK, payload_of(result), False, None, None, latency_ms)
        is_error = isinstance(result, types.CallToolResult) and result.is_error
        return ToolAnswer(
            verdict.outcome, verdict.payload, is_error, verdict.error, verdict.code, latency_ms, verdict.retry_after_s
        )

    async def close(self, drain_s: float) -> None:
        self._closed = True
        self.bulkhead.close(ToolsClosed("the tool client is closing"))
        with suppress(TimeoutError):
            async with asyncio.timeout(drain_s):
                await self._idle.wait()
        if self._alarm is not None:
            self._alarm.cancel()
        await self.connection.close()
        for task in tuple(self._lingering):
            task.cancel()
        if self._lingering:
            await asyncio.wait(self._lingering)

    def health(self) -> ServerHealth:
        return ServerHealth(
            connected=self.connection.link is not None,
            breaker=self._breaker.state.value,
            in_flight=self._in_flight,
            waiting=self.bulkhead.waiting,
            generation=self.connection.generation,
            protocol_version=self.connection.protocol_version,
            error=self.connection.error,
        )

    async def _run(self, request: ToolRequest) -> tuple[Result | None, Verdict | None]:
        """One call within its deadline. No verdict: the result is good."""
        if self._closed:
            return None, unsent("closed", "the tool client is closing; nothing was sent")
        # The slot was given while the breaker let calls through; it may have opened since. After the cool-down a call
        # of an old slot may be the probe.
        leave = self._breaker.admit() if self._breaker.state is BreakerState.OPEN else Admission()
        if leave is None:
            text = "the server did not answer lately; nothing was sent"
            return None, Verdict(Outcome.NOT_SENT, "breaker_open", text, retry_after_s=self._breaker.wait_s())
        try:
            return await self._exchange(request)
        finally:
            self._breaker.give_up(leave)

    async def _exchange(self, request: ToolRequest) -> tuple[Result | None, Verdict | None]:
        loop = asyncio.get_running_loop()
        patience_s = min(request.deadline_s, self._settings.call_timeout_ms / 1000)
        until = loop.time() + patience_s
        try:
            async with asyncio.timeout_at(until):
                link = await self.connection.ready()
        except TimeoutError:
            return None, unsent("not_connected", f"not connected: {self.connection.error}")
        exchange = Exchange()
        task = self._send(link, request, exchange)
        try:
            await asyncio.wait({task}, timeout=until - loop.time())
        except asyncio.CancelledError:
            self._let_go(task, exchange)
            raise
        if not task.done():
            self._let_go(task, exchange)
            verdict = timed_out(exchange, patience_s)
            self._breaker.failed()
            self.connection.timed_out(link)
            return None, verdict
        return self._judge(link, request, exchange, task)

    def _judge(
        self, link: Link, request: ToolRequest, exchange: Exchange, task: "asyncio.Task[Result]"
    ) -> tuple[Result | None, Verdict | None]:
        error = asyncio.CancelledError() if task.cancelled() else task.exception()
        result: Result | None = None
        if error is None:
            result = task.result()
            unbounded = self._settings.transport == "stdio"
            verdict = verdict_of(
                result,
                self.connection.tools.get(request.tool),
                max_bytes=self._settings.max_answer_bytes if unbounded else None,
            )
        else:
            legacy = not link.modern
            verdict = failed(error, exchange, refusal_statuses=self._settings.refusal_statuses, legacy=legacy)
        if verdict is None or verdict.answered:
            self._breaker.succeeded()
            self.connection.answered()
        else:
            self._breaker.failed()
        if verdict is not None and verdict.session_lost:
            self.connection.lost(link)
        if verdict is not None and (verdict.relist or verdict.code == "schema_violation"):
            link.relist()
        return result, verdict

    def _send(self, link: Link, request: ToolRequest, exchange: Exchange) -> "asyncio.Task[Result]":
        """Start the call in a task of its own: the SDK may need seconds to give a call up, its caller must not."""
        meta = dict(request.meta)
        noted = current_exchange.set(exchange)
        traced = None
        if request.traceparent is not None:
            meta["traceparent"] = request.traceparent
            traced = otel.attach(extract({"traceparent": request.traceparent}))
        try:
            return asyncio.create_task(link.call(request.tool, request.arguments, meta))  # copies the context
        finally:
            current_exchange.reset(noted)
            if traced is not None:
                otel.detach(traced)

    def _let_go(self, task: "asyncio.Task[Result]", exchange: Exchange) -> None:
        exchange.abandon()
        task.cancel()
        self._lingering.add(task)
        task.add_done_callback(self._gone)

    def _gone(self, task: "asyncio.Task[Result]") -> None:
        self._lingering.discard(task)
        if not task.cancelled():
            task.exception()  # its call has been answered for; nobody else will look

    def _admit(self) -> Admission | None:
        return None if self.connection.link is None else self._breaker.admit()

    def _wake(self) -> None:
        self.bulkhead.grant()

    def _tell(self, event: str, details: Mapping[str, Any]) -> None:
        self._on_event(event, {"server": self._name, **details})

    def _breaker_changed(self, state: BreakerState) -> None:
        match state:
            case BreakerState.OPEN:
                wait_s = self._breaker.wait_s()
                self._tell("breaker_opened", {"failures": self._breaker.failures_in_a_row, "probe_in_s": wait_s})
                if self._alarm is not None:
                    self._alarm.cancel()
                # A little late rather than a little early: an early look finds the breaker still open.
                self._alarm = asyncio.get_running_loop().call_later(wait_s + 0.001, self._probe_due)
            case BreakerState.HALF_OPEN:
                self._tell("breaker_half_opened", {})
            case BreakerState.CLOSED:
                self._tell("breaker_closed", {})
                if self.connection.link is not None:
                    self.connection.link.relist()  # it was away: it may have come back as another version
                # Not at once: the breaker is still in the middle of its own change.
                asyncio.get_running_loop().call_soon(self._wake)

    def _probe_due(self) -> None:
        self.bulkhead.grant()
        if self.bulkhead.waiting and self._breaker.state is BreakerState.OPEN:
            wait_s = max(self._breaker.wait_s(), 0.001)
            self._alarm = asyncio.get_running_loop().call_later(wait_s, self._probe_due)
