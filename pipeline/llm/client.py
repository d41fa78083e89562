"""The AI gateway for the runtime: one HTTP request a question, every question with an outcome.

Owns: places (concurrency), the budget, deadlines, the bound on an answer's size, what a status or an error means.
Invariants: `call` returns by its deadline and never raises for an outcome; without budget or with an open breaker it returns at once;
no redirect is followed (the key goes to one place). Never: repeats a request (the stages do, durably), reads what the answer says.
The only importer of httpx. Source: DESIGN 7 (Reconcile, Normalize), SPEC-012 sections 10 and 11.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

import httpx
from pydantic import ValidationError

from contracts.llm_request import LLMRequest
from contracts.llm_response import LLMResponse
from pipeline.decision import Call, CallAnswer, CallOutcome
from pipeline.llm.budget import Budget
from pipeline.llm.wire import Unreadable, body_of, headers_of, response_of
from pipeline.settings import LlmSettings

NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol, httpx.ProxyError)


class Breaker(Protocol):
    """Who says whether the gateway is worth asking (pipeline.tools.breaker, given by the one who wires)."""

    def admit(self) -> Any | None:
        """Leave for one request; None: not now."""

    def give_up(self, admission: Any) -> None:
        """No verdict on the gateway will come of this leave."""

    def succeeded(self) -> None:
        """It answered."""

    def failed(self) -> None:
        """It did not."""


class Place:
    """One of the requests in flight."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self._places: asyncio.Semaphore | None = places

    def release(self) -> None:
        """Give it back; twice is harmless."""
        places, self._places = self._places, None
        if places is not None:
            places.release()


class _Failure(Exception):
    """How a request ended without an answer."""

    def __init__(self, outcome: CallOutcome, code: str, error: str, *, answered: bool = False) -> None:
        super().__init__(error)
        self.outcome = outcome
        self.code = code
        self.answered = answered
        """Whether the gateway is alive (the breaker's question)."""


class AiGateway:
    """The client of one process; `clock` is monotonic seconds."""

    def __init__(
        self,
        settings: LlmSettings,
        *,
        api_key: str | None,
        breaker: Breaker,
        clock: Callable[[], float],
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._settings = settings
        self._api_key = api_key
        self._breaker = breaker
        self._clock = clock
        self._budget = Budget(settings.budget_per_minute, clock)
        self._places = asyncio.Semaphore(settings.concurrency)
        self._url = f"{settings.base_url.rstrip('/')}/chat/completions"
        self._provider = httpx.URL(settings.base_url).host or "ai-gateway"
        limits = httpx.Limits(max_connections=settings.concurrency, max_keepalive_connections=settings.concurrency)
        # The deadline is ours and covers everything; httpx's timeouts are each for a part.
        self._http = httpx.AsyncClient(timeout=None, limits=limits, follow_redirects=False, transport=transport)  # noqa: S113

    async def close(self) -> None:
        """Close the connections; running requests end as unknown."""
        await self._http.aclose()

    async def acquire(self, server: str) -> Place:
        """Wait for a place, first come, first served."""
        del server  # there is one gateway
        await self._places.acquire()
        return Place(self._places)

    async def call(self, call: Call, *, deadline_s: float) -> CallAnswer:
        """Ask one question; its payload is an LLMResponse as JSON."""
        started = self._clock()
        try:
            response = await self._answer(call, deadline_s, started)
        except _Failure as failure:
            return CallAnswer(
                outcome=failure.outcome, code=failure.code, error=str(failure), latency_ms=self._since(started)
            )
        return CallAnswer(
            outcome=CallOutcome.OK, payload=response.model_dump(mode="json"), latency_ms=response.latency_ms
        )

    async def _answer(self, call: Call, deadline_s: float, started: float) -> LLMResponse:
        try:
            request = LLMRequest.model_validate(call.arguments)
            body = body_of(request, self._settings)
        except (ValidationError, KeyError):
            raise _Failure(CallOutcome.TOOL_ERROR, "unsendable", "no LLMRequest of a configured profile") from None
        admission = self._breaker.admit()
        if admission is None:
            raise _Failure(CallOutcome.NOT_SENT, "breaker_open", "the AI gateway did not answer lately")
        if not self._budget.take():
            self._breaker.give_up(admission)
            raise _Failure(CallOutcome.NOT_SENT, "over_budget", "the requests of this minute are used up")
        try:
            headers = headers_of(request, call.idempotency_key, self._api_key, call.traceparent)
            content = await self._post(body, headers, deadline_s)
            response = response_of(content, request, provider=self._provider, latency_ms=self._since(started))
        except Unreadable as unreadable:
            self._breaker.succeeded()
            raise _Failure(CallOutcome.UNKNOWN, unreadable.code, "the answer can't be read") from None
        except _Failure as failure:
            if failure.answered:
                self._breaker.succeeded()
            else:
                self._breaker.failed()
            raise
        except BaseException:  # cancelled: it says nothing of the gateway
            self._breaker.give_up(admission)
            raise
        self._breaker.succeeded()
        return response

    async def _post(self, body: dict[str, Any], headers: dict[str, str], deadline_s: float) -> bytes:
        try:
            async with (
                asyncio.timeout(deadline_s),
                self._http.stream("POST", self._url, json=body, headers=headers) as response,
            ):
                _check_status(response)
                return await self._bounded(response)
        except TimeoutError:
            raise _Failure(CallOutcome.UNKNOWN, "timeout", f"no answer within {deadline_s:.1f} s") from None
        except NEVER_SENT as error:
            raise _Failure(CallOutcome.NOT_SENT, "unreachable", type(error).__name__) from None
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            raise _Failure(CallOutcome.UNKNOWN, "connection_lost", type(error).__name__) from None

    async def _bounded(self, response: httpx.Response) -> bytes:
        """The bytes of an answer as they came. Compressed ones are none: we asked for none, and their size can't be bounded."""
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise Unreadable("malformed")
        content = bytearray()
        async for chunk in response.aiter_raw():
            content += chunk
            if len(content) > self._settings.answer_max_bytes:
                text = f"the answer has more than {self._settings.answer_max_bytes} bytes"
                raise _Failure(CallOutcome.UNKNOWN, "too_large", text, answered=True)
        return bytes(content)

    def _since(self, started: float) -> int:
        return max(0, round((self._clock() - started) * 1000))


def _check_status(response: httpx.Response) -> None:
    status = response.status_code
    if status == 200:
        return
    code, text = f"http_{status}", f"the AI gateway answered HTTP {status}"
    if status >= 500 or status in {408, 429}:
        raise _Failure(CallOutcome.UNKNOWN, code, text, answered=status == 429)
    raise _Failure(CallOutcome.TOOL_ERROR, code, text, answered=True)
