"""Normalize and the AI gateway: what it is given, which texts are shown, and that nothing depends on it."""

import json
from typing import Any

import pytest

from contracts.normalize_command import CallFate, NormalizeCommand
from contracts.status import Status
from contracts.tool_result import ToolResult
from pipeline import topology
from pipeline.policy import ChannelSpec
from pipeline.testing.driver import texts
from pipeline.testing.tools import Answer, lost, not_sent, unknown
from tests.unit.stages.advised import ASKS, content, gateway
from tests.unit.stages.behind import Behind

ITEMS = ("TIM Fashion", "Aya Audiobooks", "Neymar Jr")
RESULTS = [
    {"subject": "TIM Fashion", "success": True, "protocol": "T1001"},
    {"subject": "Aya Audiobooks", "success": False, "reason": "not_found"},
    {"subject": "Neymar Jr", "success": True, "protocol": "T1003"},
]
GOOD = (
    "Prontinho, veja como ficou:\n"
    "- TIM Fashion: foi cancelado, com o protocolo T1001\n"
    "- Aya Audiobooks: não foi cancelado, porque não foi encontrado\n"
    "- Neymar Jr: foi cancelado, com o protocolo T1003"
)


class Composed(Behind):
    """Normalize alone, with a gateway that composes."""

    def __init__(self, *compose: Any, **changes: Any) -> None:
        super().__init__(only=("normalize",), llm=changes.pop("llm", ASKS), **changes)
        self.tools = gateway(compose=list(compose) or None)

    def ended(self, results: list[dict[str, Any]] | None = None, **changes: Any) -> list[str]:
        """The call has ended; what the customer is told in the next minutes."""
        results = RESULTS if results is None else results
        data = changes.pop("data", {"ok": True, "result": {"results": results}})
        result = ToolResult(tool_name="cancelar_produtos", ok=data["ok"], data=data, latency_ms=5)
        command = NormalizeCommand(
            turn=self.turn,
            transaction=self.transaction(changes.pop("tool", "cancelar_produtos"), {"items": list(ITEMS)}),
            items=changes.pop("items", ITEMS),
            fate=changes.pop("fate", CallFate.ANSWERED),
            result=changes.pop("result", result),
            **changes,
        )
        told = self.heard(topology.NORMALIZE, command)
        return texts([*told, *self.advance(60_000)])

    @property
    def rejected(self) -> list[str]:
        return [event.payload["reason"] for event in self.events if event.event_type == "GRL.COMPOSITION_REJECTED"]

    @property
    def failures(self) -> list[str]:
        return [event.payload["code"] for event in self.events if event.event_type == "NOC.LLM_FAILED"]


def ours(**changes: Any) -> list[str]:
    """What the same customer is told in our own words."""
    ended = {
        name: changes.pop(name) for name in ("results", "data", "items", "fate", "result", "tool") if name in changes
    }
    return Alone(**changes).ended(**ended)


class Alone(Composed):
    """The same without a gateway."""

    def __init__(self, **changes: Any) -> None:
        super().__init__(**{**changes, "llm": ASKS.model_copy(update={"use": ()})})


def test_text_that_says_what_happened_is_shown() -> None:
    pipeline = Composed(content(GOOD))
    assert pipeline.ended() == [GOOD]
    assert pipeline.rejected == []
    (response,) = pipeline.responses
    assert response.metadata.status is Status.COMPLETED
    assert response.metadata.partial_success is True
    assert [item.subject for item in response.metadata.items] == list(ITEMS)
    assert pipeline.ends == [Status.COMPLETED]
    assert pipeline.event_types("IC") == ["IC.TRANSACTION_COMPLETED", "IC.AGENT_COMPLETED"]


def test_model_is_given_the_evidence_and_nothing_of_the_customer() -> None:
    pipeline = Composed(content(GOOD))
    pipeline.ended()
    (call,) = pipeline.tools.calls_of("normalize.compose")
    assert json.loads(call.arguments["messages"][-1]["content"]) == {
        "operation": "cancelamento",
        "items": [
            {"name": "TIM Fashion", "done": True, "protocol": "T1001"},
            {"name": "Aya Audiobooks", "done": False, "reason": "não foi encontrado"},
            {"name": "Neymar Jr", "done": True, "protocol": "T1003"},
        ],
    }
    sent = json.dumps(dict(call.arguments))
    for kept in ("11999999999", "u-1", "s-1", "customer_key"):
        assert kept not in sent


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


REJECTED = [
    pytest.param("", "empty", id="nothing"),
    pytest.param(changed("- Aya Audiobooks: não foi cancelado, porque não foi encontrado\n", ""), "item_missing", id="an item left out"),
    pytest.param(changed("Aya Audiobooks: não foi", "Aya Audiobooks: foi"), "fate_changed", id="a failure softened"),
    pytest.param(changed("não foi cancelado, porque não foi encontrado", "foi cancelado"), "fate_changed", id="a failure told as done"),
    pytest.param(changed("TIM Fashion: foi", "TIM Fashion: não foi"), "fate_changed", id="a success told as failed"),
    pytest.param(changed("TIM Fashion: foi cancelado", "TIM Fashion: será cancelado"), "fate_unclear", id="a success promised"),
    pytest.param(changed("TIM Fashion: foi cancelado,", "TIM Fashion,"), "fate_not_said", id="a fate left out"),
    pytest.param(changed("Prontinho, veja como ficou", "Prontinho, todos foram cancelados"), "fate_changed", id="all of them"),
    pytest.param(changed("Prontinho, veja como ficou", "Os três foram cancelados"), "fate_changed", id="a count of all"),
    pytest.param(changed("T1001", "T1009"), "protocol_missing", id="another protocol"),
    pytest.param(changed("não foi encontrado", "não foi encontrado, protocolo T1002"), "unknown_number", id="an invented protocol"),
    pytest.param(GOOD.replace("T1001", "x").replace("T1003", "T1001").replace("x", "T1003"), "protocol_of_another_item", id="swapped protocols"),
    pytest.param(changed("Prontinho, veja", "Prontinho, estornamos R$ 71,99, veja"), "unknown_name", id="an invented amount"),
    pytest.param(changed("Prontinho, veja", "Prontinho, estornamos setenta reais, veja"), "unknown_number", id="an amount in words"),
    pytest.param(GOOD + "\n- Cancelamos também o Netflix", "unknown_name", id="an invented item"),
    pytest.param(GOOD + "\nVeja mais em www.exemplo.com", "link", id="a link"),
    pytest.param(
        "Here is the outcome:\n- TIM Fashion was cancelled, protocol T1001\n- Aya Audiobooks was not cancelled\n"
        "- Neymar Jr was cancelled, protocol T1003",
        "wrong_language",
        id="another language",
    ),
    pytest.param(GOOD + " e tudo isso" * 1_000, "too_long", id="longer than the channel"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code"), REJECTED)
def test_text_is_replaced_by_ours_when_it_holds(text: str, code: str) -> None:
    pipeline = Composed(content(text))
    assert pipeline.ended() == ours()
    assert pipeline.rejected == [code]
    (response,) = pipeline.responses
    assert response.metadata.guardrails == ["GRL.COMPOSITION_REJECTED"]


def test_all_failed_is_never_told_as_done() -> None:
    results = [{"subject": name, "success": False, "reason": "not_found"} for name in ITEMS]
    text = "Deu tudo certo com o seu pedido!\n" + "\n".join(f"- {name}: não foi cancelado" for name in ITEMS)
    pipeline = Composed(content(text))
    assert pipeline.ended(results) == ours(results=results)
    assert pipeline.rejected == ["fate_changed"]
    assert pipeline.ends == [Status.FAILED]


FAILURES: list[Any] = [
    pytest.param([unknown(after_ms=2_000)] * 2, ["timeout", "timeout"], id="late"),
    pytest.param([unknown(code="http_500")] * 2, ["http_500", "http_500"], id="broken"),
    pytest.param([not_sent(code="over_budget")], ["over_budget"], id="over budget"),
    pytest.param([lost()], ["worker_lost"], id="its process died"),
    pytest.param([{"content": 7}], ["malformed"], id="no LLMResponse"),
]


@pytest.mark.parametrize(("answers", "codes"), FAILURES)
def test_answer_is_ours_when_the_gateway_fails(answers: list[Answer], codes: list[str]) -> None:
    pipeline = Composed(*answers)
    assert pipeline.ended() == ours()
    assert pipeline.failures == codes
    assert pipeline.ends == [Status.COMPLETED]


OWN_WORDS: list[Any] = [
    pytest.param({"fate": CallFate.UNKNOWN, "result": None}, id="an unknown outcome"),
    pytest.param({"fate": CallFate.REFUSED, "result": None, "reason": "breaker_open"}, id="a refusal"),
    pytest.param({"tool": "consultar_fatura", "items": ()}, id="a query"),
    pytest.param(
        {"results": [{**RESULTS[0]}, {**RESULTS[1], "reason": "outcome_unknown"}, {**RESULTS[2]}]},
        id="a set with an unknown fate",
    ),
    pytest.param({"items": (), "data": {"ok": True}}, id="a change without items"),
]


@pytest.mark.parametrize("ended", OWN_WORDS)
def test_gateway_is_not_asked_for_the_words_of(ended: dict[str, Any]) -> None:
    pipeline = Composed()  # nothing is scripted: a question would fail the test
    assert len(pipeline.ended(**ended)) == 1
    assert pipeline.calls == []


def test_same_outcome_again_gives_no_second_answer_while_words_are_asked_for() -> None:
    pipeline = Composed(content(GOOD, after_ms=1_000))
    command = pipeline.transaction("cancelar_produtos", {"items": list(ITEMS)})
    result = ToolResult(tool_name="cancelar_produtos", ok=True, data={"results": RESULTS}, latency_ms=5)
    record = NormalizeCommand(
        turn=pipeline.turn, transaction=command, items=ITEMS, fate=CallFate.ANSWERED, result=result
    )
    assert pipeline.heard(topology.NORMALIZE, record) == []
    assert pipeline.heard(topology.NORMALIZE, record) == []
    assert texts(pipeline.wait(seconds=2)) == [GOOD]
    assert len(pipeline.calls) == 1


def test_crash_while_words_are_asked_for_costs_the_customer_nothing_but_them() -> None:
    pipeline = Composed(content(GOOD, after_ms=1_000))
    result = ToolResult(tool_name="cancelar_produtos", ok=True, data={"results": RESULTS}, latency_ms=5)
    transaction = pipeline.transaction("cancelar_produtos", {"items": list(ITEMS)})
    pipeline.heard(
        topology.NORMALIZE,
        NormalizeCommand(
            turn=pipeline.turn, transaction=transaction, items=ITEMS, fate=CallFate.ANSWERED, result=result
        ),
    )
    pipeline.crash("normalize")
    assert texts(pipeline.wait(minutes=1)) == ours(data={"ok": True, "results": RESULTS})
    assert pipeline.ends == [Status.COMPLETED]


def test_memory_ends_after_a_composed_answer() -> None:
    pipeline = Composed(content(GOOD))
    pipeline.ended()
    pipeline.wait(days=8)
    assert pipeline.state("normalize", pipeline.conversation).is_empty


def test_step_that_failed_beside_it_is_told_in_our_words() -> None:
    output = {"cancelar_produtos": {"results": RESULTS}, "etapa_auxiliar": {"success": False, "error": "falhou"}}
    data = {"ok": False, "error": "falhou", "result": {"status": "COMPLETED", "output": output}}
    pipeline = Composed(content(GOOD))
    (text,) = pipeline.ended(data=data)
    assert text.startswith(GOOD)
    assert "etapa complementar" in text


def test_speech_is_made_of_what_is_spoken() -> None:
    spoken = (
        "Veja como ficou. O TIM Fashion foi cancelado, com o protocolo T1001. O Aya Audiobooks não foi cancelado. "
        "O Neymar Jr foi cancelado, com o protocolo T1003."
    )
    pipeline = Composed(content(f"**{spoken}**"), channel="voice")
    assert pipeline.ended() == [spoken]


def test_short_channel_is_not_overrun() -> None:
    channels = {"web": ChannelSpec(max_chars=150)}
    pipeline = Composed(content(GOOD), channels=channels)
    (text,) = pipeline.ended()
    assert len(text) <= 150
    assert pipeline.rejected == ["too_long"]
