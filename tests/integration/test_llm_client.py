"""The client of the AI gateway against a real HTTP endpoint that misbehaves: every question has an outcome, in time."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from contracts.llm_request import LLMMessage, LLMRequest
from pipeline.decision import Call, CallAnswer, CallOutcome
from pipeline.ledger import AI_GATEWAY, question
from pipeline.llm import AiGateway
from pipeline.settings import LlmSettings
from pipeline.testing.driver import STARTS_AT
from pipeline.tools.breaker import Breaker, BreakerState
from tests.integration.fake_ai_gateway import (
    Behaviour,
    FakeAiGateway,
    compressed,
    elsewhere,
    floods,
    hangs,
    raw,
    reads,
    says,
    status,
)
from tests.unit.stages.advised import ASKS

REQUEST = LLMRequest(
    tenant_id="default",
    agent_id="telecom contas",
    profile="router",
    operation="reconcile.route",
    messages=[LLMMessage(role="system", content="…"), LLMMessage(role="user", content="queria me livrar do HBO Max")],
    metadata={"response_format": "json_object"},
)


def call(request: LLMRequest = REQUEST) -> Call:
    entry = question("llm_1", request, ASKS, STARTS_AT).calling("worker-1", STARTS_AT)
    return entry.agenda().calls[0]


class Clock:
    """Monotonic seconds that a test moves."""

    def __init__(self) -> None:
        self.moved = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.moved


@asynccontextmanager
async def gateway(
    *behaviours: Behaviour, url: str | None = None, clock: Clock | None = None, **changes: Any
) -> AsyncIterator[tuple[FakeAiGateway, AiGateway, list[BreakerState]]]:
    """The endpoint with this script, the client of it, and what its breaker went through."""
    states: list[BreakerState] = []
    clock = clock or Clock()
    async with FakeAiGateway(script={"reconcile.route": list(behaviours)}).serving() as fake:
        models = {"router": "small-1", "composer": "large-1"}
        fields = {"enabled": True, "base_url": url or fake.url, "models": models, "answer_max_bytes": 65_536, **changes}
        settings = LlmSettings(**fields)
        breaker = Breaker(failures=settings.breaker_failures, cool_down_s=10, clock=clock, on_change=states.append)
        client = AiGateway(settings, api_key="k-77", breaker=breaker, clock=clock)
        try:
            yield fake, client, states
        finally:
            await client.close()


async def ask(client: AiGateway, *, deadline_s: float = 5, request: LLMRequest = REQUEST) -> CallAnswer:
    place = await client.acquire(AI_GATEWAY)
    try:
        return await client.call(call(request), deadline_s=deadline_s)
    finally:
        place.release()


async def test_question_travels_as_an_openai_compatible_request_and_comes_back_as_an_llm_response() -> None:
    async with gateway(reads("cancelar_produtos", items=["HBO Max"])) as (fake, client, _):
        answer = await ask(client)
    assert answer.outcome is CallOutcome.OK
    assert answer.payload["content"] == '{"tool": "cancelar_produtos", "items": ["HBO Max"]}'
    assert answer.payload["provider"] == "127.0.0.1"
    assert answer.payload["model"] == "small-1"
    assert answer.payload["usage"] == {"input_tokens": 120, "output_tokens": 35, "total_tokens": 155}
    (asked,) = fake.asked
    assert asked.body["model"] == "small-1"
    assert asked.body["temperature"] == 0
    assert asked.body["response_format"] == {"type": "json_object"}
    assert [message["role"] for message in asked.body["messages"]] == ["system", "user"]
    assert asked.headers["authorization"] == "Bearer k-77"
    assert asked.headers["x-agent-id"] == "telecom%20contas"
    assert asked.headers["x-profile"] == "router"


ENDS = [
    pytest.param(status(500), CallOutcome.UNKNOWN, "http_500", id="500"),
    pytest.param(status(503), CallOutcome.UNKNOWN, "http_503", id="503"),
    pytest.param(status(429), CallOutcome.UNKNOWN, "http_429", id="too many requests"),
    pytest.param(status(401), CallOutcome.TOOL_ERROR, "http_401", id="a wrong key"),
    pytest.param(elsewhere, CallOutcome.TOOL_ERROR, "http_307", id="a redirect is not followed"),
    pytest.param(raw(b"not json"), CallOutcome.UNKNOWN, "malformed", id="no JSON"),
    pytest.param(raw(b"[" * 20_000), CallOutcome.UNKNOWN, "malformed", id="nesting without end"),
    pytest.param(raw(b'{"choices": []}'), CallOutcome.UNKNOWN, "malformed", id="no choice"),
    pytest.param(raw(b'{"choices": 7}'), CallOutcome.UNKNOWN, "malformed", id="no list"),
    pytest.param(
        raw(b'{"choices": [{"message": {"content": null}}]}'), CallOutcome.UNKNOWN, "malformed", id="a refusal"
    ),
    pytest.param(raw(b"\xff\xfe\x00"), CallOutcome.UNKNOWN, "malformed", id="no text"),
    pytest.param(says("{", finish_reason="length"), CallOutcome.UNKNOWN, "truncated", id="an answer that was cut off"),
    pytest.param(compressed, CallOutcome.UNKNOWN, "malformed", id="a compressed answer"),
    pytest.param(floods, CallOutcome.UNKNOWN, "too_large", id="ten megabytes"),
]


@pytest.mark.parametrize(("behaviour", "outcome", "code"), ENDS)
async def test_question_ends_when_the_gateway_answers(behaviour: Behaviour, outcome: CallOutcome, code: str) -> None:
    async with gateway(behaviour) as (fake, client, _):
        answer = await ask(client)
    assert (answer.outcome, answer.code) == (outcome, code)
    assert len(fake.asked) == 1  # the client itself never asks twice


async def test_question_ends_at_its_deadline_when_the_answer_never_ends() -> None:
    async with gateway(hangs) as (_, client, _):
        began = time.monotonic()
        answer = await ask(client, deadline_s=0.3)
    assert (answer.outcome, answer.code) == (CallOutcome.UNKNOWN, "timeout")
    assert time.monotonic() - began < 3


async def test_question_was_not_sent_when_nobody_listens() -> None:
    async with gateway(url="http://127.0.0.1:9/v1") as (_, client, _):
        answer = await ask(client)
    assert (answer.outcome, answer.code) == (CallOutcome.NOT_SENT, "unreachable")


async def test_budget_is_of_a_minute_and_fills_again() -> None:
    clock = Clock()
    async with gateway(reads(None), clock=clock, budget_per_minute=2) as (fake, client, _):
        codes = [(await ask(client)).code for _ in range(3)]
        clock.moved += 30
        codes.append((await ask(client)).code)
    assert codes == [None, None, "over_budget", None]
    assert len(fake.asked) == 3


async def test_breaker_spares_a_gateway_that_is_down_and_tries_again_later() -> None:
    clock = Clock()
    async with gateway(status(500), status(500), reads(None), clock=clock, breaker_failures=2) as (
        fake,
        client,
        states,
    ):
        codes = [(await ask(client)).code for _ in range(3)]
        clock.moved += 11
        codes.append((await ask(client)).code)
    assert codes == ["http_500", "http_500", "breaker_open", None]
    assert len(fake.asked) == 3
    assert states == [BreakerState.OPEN, BreakerState.HALF_OPEN, BreakerState.CLOSED]


async def test_no_more_requests_are_in_flight_than_there_are_places() -> None:
    async with gateway(reads(None), concurrency=1) as (_, client, _):
        first = await client.acquire(AI_GATEWAY)
        second = asyncio.create_task(client.acquire(AI_GATEWAY))
        await asyncio.sleep(0)
        assert not second.done()
        first.release()
        first.release()
        (await second).release()
        third = await client.acquire(AI_GATEWAY)
        third.release()


async def test_profile_without_a_model_is_not_sent() -> None:
    async with gateway(reads(None), models={"router": "a", "composer": "b"}) as (fake, client, _):
        answer = await ask(client, request=REQUEST.model_copy(update={"profile": "judge"}))
    assert (answer.outcome, answer.code) == (CallOutcome.TOOL_ERROR, "unsendable")
    assert fake.asked == []
