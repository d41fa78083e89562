"""The AI gateway in the configuration, and what becomes of its calls in a process that has none."""

from pathlib import Path
from typing import Any

import pytest

from consumers.bootstrap import CallPort, McpPort, build_gateway
from consumers.configuration import load_configuration
from contracts.llm_request import LLMMessage, LLMRequest
from pipeline.decision import CallOutcome
from pipeline.ledger import AI_GATEWAY, question
from pipeline.llm.budget import Budget
from pipeline.policy import LlmPolicy
from pipeline.settings import ConfigurationError, load_settings
from pipeline.testing.driver import STARTS_AT
from pipeline.tools.client import McpTools
from tests.unit.stages.advised import ASKS

CONFIG = Path(__file__).parents[2] / "config"
ON = {"ENABLED": "true", "BASE_URL": "http://ai.example.com/v1", "MODELS": '{"router": "a", "composer": "b"}'}


def configured(monkeypatch: pytest.MonkeyPatch, **changes: str) -> None:
    for name, value in {**ON, **changes}.items():
        monkeypatch.setenv(f"PIPELINE__LLM__{name}", value)


def test_gateway_is_off_as_shipped() -> None:
    loaded = load_configuration(CONFIG)
    assert not loaded.settings.llm.enabled
    assert loaded.installation.llm == LlmPolicy()
    assert build_gateway(loaded.settings.llm, on_change=lambda _: None) is None


def test_stages_are_told_what_they_may_ask_for_and_not_where(monkeypatch: pytest.MonkeyPatch) -> None:
    configured(monkeypatch, TIMEOUT_MS="1500", ATTEMPTS="1", USE='["route"]')
    settings = load_settings(CONFIG).llm
    assert settings.policy == LlmPolicy(use=("route",), timeout_ms=1_500, attempts=1)
    assert load_configuration(CONFIG).installation.llm == settings.policy


PROBLEMS = [
    pytest.param({"BASE_URL": ""}, "llm: base_url is required", id="no address"),
    pytest.param({"BASE_URL": "ai.example.com"}, "llm.base_url: ", id="no scheme"),
    pytest.param({"MODELS": '{"router": "a"}'}, "llm: models.composer is required", id="a use without a model"),
    pytest.param({"MODELS": '{"judge": "a"}'}, "llm.models.judge", id="a profile nobody asks for"),
    pytest.param({"USE": '["verdict"]'}, "llm.use.0: ", id="a use there is not"),
    pytest.param({"TIMEOUT_MS": "5"}, "llm.timeout_ms: ", id="a deadline too short"),
    pytest.param({"API_KEY": "k"}, "llm.api_key: unknown key", id="the key itself"),
    pytest.param({"API_KEY_ENV": "NOT_SET_ANYWHERE"}, "llm.api_key_env: the environment variable", id="no key"),
]


@pytest.mark.parametrize(("changes", "line"), PROBLEMS)
def test_problem_names_its_key(monkeypatch: pytest.MonkeyPatch, changes: dict[str, str], line: str) -> None:
    configured(monkeypatch, **changes)
    with pytest.raises(ConfigurationError) as caught:
        load_configuration(CONFIG)
    (problem,) = caught.value.problems
    assert problem.startswith(f"{CONFIG / 'pipeline.yaml'}: {line}")


def test_mcp_server_can_not_take_the_gateways_name(tmp_path: Path) -> None:
    for path in CONFIG.glob("*.yaml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    servers = tmp_path / "mcp_servers.yaml"
    servers.write_text(servers.read_text().replace("servers:\n", f"servers:\n  {AI_GATEWAY}: {{command: [x]}}\n", 1))
    with pytest.raises(ConfigurationError, match=r"servers\.ai-gateway"):
        load_configuration(tmp_path)


async def test_question_of_an_earlier_configuration_is_answered_at_once_where_the_gateway_is_off() -> None:
    events: list[Any] = []
    tools = McpTools({}, clock=lambda: 0.0, on_event=lambda name, _: events.append(name))
    port = CallPort(McpPort(tools), None)
    request = LLMRequest(
        tenant_id="t", agent_id="a", profile="router", operation="x", messages=[LLMMessage(role="user", content="?")]
    )
    entry = question("llm_1", request, ASKS, STARTS_AT).calling("worker-1", STARTS_AT)
    place = await port.acquire(AI_GATEWAY)
    answer = await port.call(entry.agenda().calls[0], deadline_s=1)
    place.release()
    assert (answer.outcome, answer.code) == (CallOutcome.NOT_SENT, "disabled")


def test_budget_fills_evenly_and_never_above_a_minute() -> None:
    now = [0.0]
    budget = Budget(60, lambda: now[0])
    assert sum(budget.take() for _ in range(100)) == 60
    now[0] = 1.0
    assert [budget.take(), budget.take()] == [True, False]
    now[0] = 100_000.0
    assert sum(budget.take() for _ in range(100)) == 60
    now[0] = 0.0  # a clock that goes back gives nothing
    assert not budget.take()
