"""Normalize: the guide's summary, the fate of every item, and the words for it."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest

from contracts.channel_response import ChannelResponse, ResponseKind
from contracts.normalize_command import CallFate, NormalizeCommand
from contracts.status import ItemOutcome, MultiItemStatus, Status
from contracts.tool_result import ToolResult
from pipeline import topology
from pipeline.answers import tool_result
from pipeline.decision import CallAnswer, CallOutcome, Position, Rejection
from pipeline.policy import ChannelSpec, Timing
from pipeline.stages.normalize import normalize_result
from tests.unit.stages.behind import Behind

ORDERS = ("P-100", "P-101", "P-102")
GUIDE = {
    "ok": True,
    "result": {
        "results": [
            {"order_id": "P-100", "success": True, "protocol": "ABC1"},
            {"order_id": "P-101", "success": False, "reason": "already_shipped"},
            {"order_id": "P-102", "success": True, "protocol": "ABC3"},
        ]
    },
}
WORKFLOW = {
    "ok": False,
    "result": {
        "status": "COMPLETED",
        "output": {
            "cancelar_produtos": {
                "results": [
                    {"subject": "A", "success": True},
                    {"subject": "B", "success": False, "reason": "not_found"},
                    {"subject": "C", "success": True},
                ]
            },
            "etapa_auxiliar": {"success": False, "error": "falha em pós-processamento"},
        },
    },
    "error": "falha em pós-processamento",
}
T, F = {"success": True}, {"success": False}

# --- the guide's summary -----------------------------------------------------------------------------------------------------


def test_result_of_the_guide_is_summed_up_as_the_guide_says() -> None:
    result = normalize_result(WORKFLOW, "cancelar_produtos")
    assert result["multi_item_status"] == "PARTIAL_SUCCESS"
    assert result["partial_success"] is True
    assert result["metadata"]["multi_item"] == {
        "status": "PARTIAL_SUCCESS",
        "items_count": 3,
        "items_succeeded_count": 2,
        "items_failed_count": 1,
        "primary_tool": "cancelar_produtos",
    }
    assert (result["ok"], result["original_ok"], result["secondary_error"]) == (
        True,
        False,
        "falha em pós-processamento",
    )
    assert result["result"] == WORKFLOW["result"]


@pytest.mark.parametrize(
    ("flags", "status", "partial", "ok"),
    [
        pytest.param((T, T), "SUCCESS", False, True, id="all done"),
        pytest.param((T, F), "PARTIAL_SUCCESS", True, True, id="some done"),
        pytest.param((F, F), "FAILED", False, False, id="none done"),
        pytest.param(({"ok": True}, {"ok": False}), "PARTIAL_SUCCESS", True, True, id="ok in the place of success"),
        pytest.param(
            ({"success": True, "ok": False}, T), "PARTIAL_SUCCESS", True, True, id="flags that disagree are a failure"
        ),
    ],
)
def test_status_follows_the_items(flags: tuple[dict[str, Any], ...], status: str, partial: bool, ok: bool) -> None:
    result = normalize_result({"ok": True, "result": {"results": list(flags)}}, "t")
    assert (result["multi_item_status"], result["partial_success"], result["ok"]) == (status, partial, ok)


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(lambda r: {"result": {"output": {"t": {"results": r}}}}, id="workflow output"),
        pytest.param(lambda r: {"result": {"result": {"output": {"t": {"results": r}}}}}, id="one result deeper"),
        pytest.param(lambda r: {"result": {"results": r}}, id="result"),
        pytest.param(lambda r: {"result": {"result": {"results": r}}}, id="result.result"),
        pytest.param(lambda r: {"results": r}, id="top"),
        pytest.param(lambda r: {"data": {"results": r}}, id="data"),
        pytest.param(lambda r: {"data": {"ok": True, "result": {"results": r}}}, id="a ToolResult"),
    ],
)
def test_results_are_found_in(place: Any) -> None:
    assert normalize_result(place([T, F]), "t")["multi_item_status"] == "PARTIAL_SUCCESS"


def test_places_are_asked_in_the_guides_order() -> None:
    both = {"result": {"output": {"t": {"results": [T, T]}}, "results": [F, F, F]}, "results": [F, F]}
    assert normalize_result(both, "t")["metadata"]["multi_item"]["items_count"] == 2
    assert normalize_result(both, "t")["multi_item_status"] == "SUCCESS"


@pytest.mark.parametrize(
    "result",
    [
        pytest.param({"ok": True, "result": {"results": [T]}}, id="one item"),
        pytest.param({"ok": True, "result": {"results": []}}, id="no item"),
        pytest.param({"ok": True, "result": {"output": {"other": {"results": [T, T]}}}}, id="another tool's results"),
        pytest.param({"results": [{"success": "true"}, {"success": "false"}]}, id="flags as text"),
        pytest.param({"results": [{"success": 1}, {"success": 0}]}, id="flags as numbers"),
        pytest.param({"results": [T, {"reason": "?"}]}, id="an entry without a flag"),
        pytest.param({"results": [True, T]}, id="an entry that is none"),
        pytest.param({"results": {"a": T, "b": T}}, id="a mapping"),
        pytest.param({"success": False, "message": "operação bloqueada"}, id="one flag for all"),
        pytest.param({}, id="nothing"),
    ],
)
def test_result_is_left_as_it_was(result: dict[str, Any]) -> None:
    before = copy.deepcopy(result)
    assert normalize_result(result, "t") is result
    assert result == before


def test_error_without_ok_is_a_failure_that_is_kept_for_audit() -> None:
    result = normalize_result({"error": "later step", "results": [T, T]}, "t")
    assert (result["ok"], result["original_ok"], result["secondary_error"]) == (True, False, "later step")


def test_metadata_of_the_result_is_kept() -> None:
    result = normalize_result({"ok": True, "results": [T, T], "metadata": {"a": 1}}, "t")
    assert result["metadata"]["a"] == 1
    assert "original_ok" not in result


def test_every_json_example_of_the_guide_can_be_read() -> None:
    """Examples with per-item evidence are summed up, the ones the guide warns of are left alone."""
    text = (Path(__file__).parents[2] / "data" / "guide_examples.json").read_text(encoding="utf-8")
    for example in json.loads(text):
        before = copy.deepcopy(example["result"])
        result = normalize_result(example["result"], example["primary_tool"])
        assert example["result"] == before
        assert result.get("multi_item_status") == example["multi_item_status"], example["section"]


# --- the stage ------------------------------------------------------------------------------------------------------------------


def ended(
    answer: Any = None,
    *,
    tool: str = "cancelar_pedidos",
    items: tuple[str, ...] = ORDERS,
    values: tuple[Any, ...] | None = None,
    fate: CallFate = CallFate.ANSWERED,
    reason: str = "",
    is_error: bool = False,
    arguments: dict[str, Any] | None = None,
    **changes: Any,
) -> tuple[Behind, ChannelResponse]:
    """Normalize one outcome; returns the world and the final answer."""
    world = Behind(only=("normalize",), **{"agent_id": "retail_orders", **changes})
    outcome = CallOutcome.TOOL_ERROR if is_error else CallOutcome.OK
    result = tool_result(tool, CallAnswer(outcome=outcome, payload=answer)) if fate is CallFate.ANSWERED else None
    command = NormalizeCommand(
        turn=world.turn,
        transaction=world.transaction(tool, arguments or {"order_ids": list(items)}),
        items=items,
        item_values=items if values is None else values,
        fate=fate,
        result=result,
        reason=reason,
        attempts=1,
    )
    [told] = world.heard(topology.NORMALIZE, command)
    assert told.metadata.kind is ResponseKind.FINAL
    return world, told


def fates(told: ChannelResponse) -> list[tuple[str, str, str | None]]:
    return [(item.subject, item.outcome.value, item.reason) for item in told.metadata.items]


def test_answer_names_every_item_with_protocol_and_reason() -> None:
    world, told = ended(GUIDE)
    assert told.text.splitlines() == [
        "Resultado do cancelamento: deu certo para 2 de 3 itens.",
        "- **P-100**: concluído, protocolo ABC1",
        "- **P-101**: não foi concluído (já foi enviado)",
        "- **P-102**: concluído, protocolo ABC3",
    ]
    metadata = told.metadata
    assert (metadata.status, metadata.multi_item_status) == (Status.COMPLETED, MultiItemStatus.PARTIAL_SUCCESS)
    assert metadata.partial_success is True
    assert metadata.multi_item is not None
    assert (metadata.multi_item.items_count, metadata.multi_item.items_succeeded_count) == (3, 2)
    assert [item.protocol for item in metadata.items] == ["ABC1", None, "ABC3"]
    assert world.ends == [Status.COMPLETED]
    assert world.event_types() == ["IC.TRANSACTION_COMPLETED", "IC.AGENT_COMPLETED"]
    assert world.events[0].payload["multi_item_status"] == "PARTIAL_SUCCESS"
    assert world.events[0].payload["items_failed_count"] == 1


def test_auxiliary_failure_is_said_and_erases_nothing() -> None:
    _, told = ended(WORKFLOW, tool="cancelar_produtos", items=("A", "B", "C"), agent_id="telecom_contas")
    assert told.metadata.multi_item_status is MultiItemStatus.PARTIAL_SUCCESS
    assert told.text.splitlines()[-1] == "Uma etapa complementar não terminou, mas isso não muda o resultado acima."


def test_all_failed_is_failed_whatever_the_wrapper_said() -> None:
    world, told = ended({"ok": True, "results": [{"order_id": order, "success": False} for order in ORDERS]})
    assert told.metadata.status is Status.FAILED
    assert told.metadata.multi_item_status is MultiItemStatus.FAILED
    assert "nenhum dos 3 itens" in told.text
    assert (world.last_status.status, world.last_status.reason) == (Status.FAILED, "all_items_failed")


@pytest.mark.parametrize(
    ("entries", "values", "expected"),
    [
        pytest.param(
            [{"id": "2", "success": True}, {"id": "1", "success": False, "reason": "x_y"}],
            ({"id": "1", "name": "A"}, {"id": "2", "name": "B"}),
            [("A", "FAILED", "x_y"), ("B", "SUCCEEDED", None)],
            id="by id, in another order",
        ),
        pytest.param(
            [{"subject": "b", "success": True}, {"subject": " A ", "success": False}],
            ("A", "B"),
            [("A", "FAILED", None), ("B", "SUCCEEDED", None)],
            id="by name, in another case",
        ),
        pytest.param(
            [{"order_id": "B", "success": True}, {"order_id": "A", "success": True}],
            ("A", "B"),
            [("A", "SUCCEEDED", None), ("B", "SUCCEEDED", None)],
            id="by another id field",
        ),
        pytest.param(
            [{"success": True}, {"success": False, "reason": "r_1"}],
            ("A", "B"),
            [("A", "SUCCEEDED", None), ("B", "FAILED", "r_1")],
            id="by position where the counts agree",
        ),
        pytest.param(
            [{"order_id": "A", "success": True}],
            ("A", "B"),
            [("A", "SUCCEEDED", None), ("B", "FAILED", "no_result")],
            id="one is missing",
        ),
        pytest.param(
            [{"order_id": "A", "success": True, "ok": False}, {"order_id": "B", "ok": True}],
            ("A", "B"),
            [("A", "FAILED", "conflicting_flags"), ("B", "SUCCEEDED", None)],
            id="flags disagree",
        ),
        pytest.param(
            [
                {"order_id": "A", "success": True},
                {"order_id": "A", "success": False},
                {"order_id": "B", "success": True},
            ],
            ("A", "B"),
            [("A", "FAILED", "conflicting_flags"), ("B", "SUCCEEDED", None)],
            id="one item twice, differently",
        ),
        pytest.param(
            [{"order_id": "A", "success": True}, {"order_id": "B", "success": "true"}],
            ("A", "B"),
            [("A", "SUCCEEDED", None), ("B", "FAILED", "no_result")],
            id="a flag that is no boolean",
        ),
        pytest.param(
            [
                {"order_id": "A", "success": True},
                {"order_id": "B", "success": True},
                {"order_id": "Z", "success": True},
            ],
            ("A", "B"),
            [("A", "SUCCEEDED", None), ("B", "SUCCEEDED", None), ("Z", "SUCCEEDED", None)],
            id="one more than confirmed",
        ),
        pytest.param(
            [{"order_id": "A", "success": False, "reason": "outcome_unknown"}, {"order_id": "B", "success": True}],
            ("A", "B"),
            [("A", "UNKNOWN", "outcome_unknown"), ("B", "SUCCEEDED", None)],
            id="the fate of one is unknown",
        ),
    ],
)
def test_confirmed_items_meet_their_results(
    entries: list[dict[str, Any]], values: tuple[Any, ...], expected: list[tuple[str, str, str | None]]
) -> None:
    names = tuple(value["name"] if isinstance(value, dict) else value for value in values)
    _, told = ended({"ok": True, "results": entries}, items=names, values=values)
    assert fates(told) == expected
    assert all(name in told.text for name in names)
    assert told.metadata.multi_item is not None
    assert told.metadata.multi_item.items_succeeded_count == sum(fate == "SUCCEEDED" for _, fate, _ in expected)


def test_item_of_unknown_fate_is_told_with_advice() -> None:
    entries = [{"order_id": "A", "success": True}, {"order_id": "B", "success": False, "reason": "outcome_unknown"}]
    _, told = ended({"ok": True, "results": entries}, items=("A", "B"))
    assert told.text.splitlines()[2:] == [
        "- **B**: não consegui confirmar se foi concluído",
        "Antes de pedir de novo, vale conferir como ficou.",
    ]


def test_set_without_results_item_by_item_is_never_called_done() -> None:
    _, told = ended({"ok": True, "result": {"message": "tudo certo"}})
    assert told.metadata.status is Status.FAILED
    assert {item.reason for item in told.metadata.items} == {"no_result"}
    assert told.text.count("não recebi confirmação") == 3


def test_one_text_that_named_several_items_is_told_by_its_results() -> None:
    entries = [{"name": "Alpha", "success": True}, {"name": "Beta", "success": False, "reason": "blocked"}]
    _, told = ended({"ok": True, "results": entries}, items=("Alpha, Beta",))
    assert fates(told) == [("Alpha", "SUCCEEDED", None), ("Beta", "FAILED", "blocked")]


@pytest.mark.parametrize(
    ("answer", "text", "status"),
    [
        pytest.param(
            {"ok": True, "result": {"protocol": "D-1"}},
            "Pronto! Concluí a contestação de HBO Max. Protocolo: D-1.",
            Status.COMPLETED,
            id="done with a protocol",
        ),
        pytest.param({"ok": True}, "Pronto! Concluí a contestação de HBO Max.", Status.COMPLETED, id="done"),
        pytest.param(
            {
                "ok": False,
                "error": "not_found",
                "result": {"subject": "HBO Max", "success": False, "reason": "not_found"},
            },
            "Não foi possível concluir a contestação de HBO Max: não foi encontrado.",
            Status.FAILED,
            id="failed with a reason",
        ),
        pytest.param(
            {"ok": False, "error": "Prazo de contestação encerrado."},
            "Não foi possível concluir a contestação de HBO Max: Prazo de contestação encerrado.",
            Status.FAILED,
            id="failed with the tool's words",
        ),
        pytest.param(
            {"ok": False, "error": "java.lang.NullPointerException"},
            "Não foi possível concluir a contestação de HBO Max.",
            Status.FAILED,
            id="failed with an exception",
        ),
        pytest.param(
            {"ok": True, "results": [{"subject": "HBO Max", "success": True, "protocol": 77}]},
            "Pronto! Concluí a contestação de HBO Max. Protocolo: 77.",
            Status.COMPLETED,
            id="done, as one result",
        ),
        pytest.param(
            {
                "ok": False,
                "error": "receipt",
                "result": {
                    "status": "COMPLETED",
                    "output": {"contestar_cobranca": {"success": True}, "mail": {"success": False}},
                },
            },
            "Pronto! Concluí a contestação de HBO Max. Uma etapa complementar não terminou, mas isso não muda o resultado acima.",
            Status.COMPLETED,
            id="done, a later step failed",
        ),
        pytest.param(
            {"ok": True, "result": {"status": "COMPLETED", "output": {"validate": {"valid": False}}}},
            "Não foi possível concluir a contestação de HBO Max: a etapa principal não foi executada.",
            Status.FAILED,
            id="a workflow without the primary step",
        ),
    ],
)
def test_one_item_is_told_in_a_sentence(answer: Any, text: str, status: Status) -> None:
    _, told = ended(answer, tool="contestar_cobranca", items=("HBO Max",), agent_id="telecom_contas")
    assert (told.text, told.metadata.status) == (text, status)
    assert told.metadata.multi_item is None
    assert [item.subject for item in told.metadata.items] == ["HBO Max"]


def test_is_error_fails_one_item_whatever_the_content_says() -> None:
    _, told = ended(
        {"ok": True}, tool="contestar_cobranca", items=("HBO Max",), agent_id="telecom_contas", is_error=True
    )
    assert told.metadata.status is Status.FAILED


def test_unknown_outcome_is_called_unknown() -> None:
    world, told = ended(fate=CallFate.UNKNOWN, reason="timeout")
    assert told.metadata.status is Status.OUTCOME_UNKNOWN
    assert {item.outcome for item in told.metadata.items} == {ItemOutcome.UNKNOWN}
    assert all(order in told.text for order in ORDERS)
    assert "não recebi a confirmação" in told.text
    assert "concluídos ou não" in told.text
    assert told.metadata.multi_item_status is None
    assert world.ends == [Status.OUTCOME_UNKNOWN]
    assert world.event_types("IC") == ["IC.TRANSACTION_OUTCOME_UNKNOWN", "IC.AGENT_COMPLETED"]


def test_refused_call_says_that_nothing_was_done() -> None:
    world, told = ended(fate=CallFate.REFUSED, reason="not_sent")
    assert told.metadata.status is Status.FAILED
    assert "Nada foi feito" in told.text
    assert world.last_status.reason == "not_sent"
    _, denied = ended(fate=CallFate.REFUSED, reason="tool_denied")
    assert "por aqui" in denied.text


def test_query_about_one_thing_is_shown_with_its_labels() -> None:
    answer = {
        "ok": True,
        "data": {"invoice_id": "3000", "valor_total": 1249.9, "vencimento": "2026-12-05", "status": "ABERTA"},
    }
    _, told = ended(answer, tool="consultar_fatura", items=(), agent_id="telecom_contas", arguments={"x": 1})
    assert told.text.splitlines() == [
        "Aqui está o que encontrei:",
        "- Fatura: 3000",
        "- Valor total: R$ 1.249,90",
        "- Vencimento: 05/12/2026",
        "- Situação: em aberto",
    ]
    assert told.metadata.status is Status.COMPLETED


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        pytest.param({"text": "Sua fatura é de R$ 10."}, "Sua fatura é de R$ 10.", id="the tool's own words"),
        pytest.param(
            {"ok": True, "data": {}}, "A consulta foi feita, mas não trouxe nenhuma informação.", id="nothing"
        ),
        pytest.param(
            {"ok": False, "error": "not_found"},
            "Não foi possível fazer a consulta: não foi encontrado.",
            id="a failure",
        ),
        pytest.param(
            {"ok": True, "data": [{"name": "A", "valor": 1}, "B"]},
            "Aqui está o que encontrei:\n- A (valor: R$ 1,00)\n- B",
            id="a list",
        ),
    ],
)
def test_query_is_told_as(answer: Any, text: str) -> None:
    _, told = ended(answer, tool="consultar_fatura", items=(), agent_id="telecom_contas", arguments={"x": 1})
    assert told.text == text


def test_query_of_several_things_answered_as_a_whole_shows_what_was_found() -> None:
    answer = {"ok": True, "data": {"orders": ["A", "B"], "total": 3, "valor_total": 3.5, "em": "2026-01-02T10:20:00"}}
    _, told = ended(answer, tool="consultar_pedidos", items=("P-1", "P-2"))
    assert told.text.splitlines() == [
        "Aqui está o que encontrei sobre P-1 e P-2:",
        "- Orders: A; B",
        "- Total: 3",
        "- Valor total: R$ 3,50",
        "- Em: 02/01/2026, 10:20",
    ]
    assert told.metadata.status is Status.COMPLETED


def test_failed_query_of_several_things_names_them_all() -> None:
    _, told = ended({"ok": False, "error": "blocked"}, tool="consultar_pedidos", items=("P-1", "P-2"))
    assert all(name in told.text for name in ("P-1", "P-2", "está bloqueado"))
    assert told.metadata.status is Status.FAILED


def test_answer_without_a_result_is_never_called_done() -> None:
    world = Behind(only=("normalize",), agent_id="retail_orders")
    transaction = world.transaction("cancelar_pedidos", {"order_ids": ["P-1"]})
    command = NormalizeCommand(turn=world.turn, transaction=transaction, items=("P-1",), fate=CallFate.ANSWERED)
    [told] = world.heard(topology.NORMALIZE, command)
    assert told.metadata.status is Status.FAILED
    assert "não recebi confirmação" in told.text


def test_tools_own_words_follow_a_success() -> None:
    _, told = ended({"ok": True, "message": "O estorno vem na próxima fatura."}, items=("P-1",))
    assert told.text == "Pronto! Concluí o cancelamento de P-1. O estorno vem na próxima fatura."


def test_partial_query_hides_nothing_that_was_found() -> None:
    answer = {
        "ok": True,
        "results": [
            {"order_id": "P-100", "success": True, "status": "SHIPPED"},
            {"order_id": "P-101", "success": False, "reason": "not_found"},
        ],
    }
    _, told = ended(answer, tool="consultar_pedidos", items=("P-100", "P-101"))
    assert told.text.splitlines() == [
        "Consegui consultar 1 de 2 itens:",
        "- **P-100**: situação: enviado",
        "- **P-101**: não consegui consultar (não foi encontrado)",
    ]
    assert told.metadata.multi_item_status is MultiItemStatus.PARTIAL_SUCCESS


@pytest.mark.parametrize("locale", ["pt-BR", "en", "es"])
def test_spoken_answer_has_no_symbols(locale: str) -> None:
    _, told = ended(GUIDE, locale=locale, channel="voice")
    assert not re.search(r"[*_#•\n()]", told.text)
    assert all(word in told.text for word in (*ORDERS, "ABC1", "ABC3"))


def test_answer_longer_than_the_channel_counts_what_it_leaves_out() -> None:
    names = tuple(f"Pedido de nome comprido {n}" for n in range(50))
    answer = {
        "ok": True,
        "results": [{"name": name, "success": True, "protocol": f"PROT{n}"} for n, name in enumerate(names)],
    }
    _, told = ended(answer, items=names, channels={"web": ChannelSpec(max_chars=400)})
    assert len(told.text) <= 400
    assert "dos 50 itens" in told.text
    assert re.search(r"e mais \d+ itens, que não couberam", told.text)
    assert len(told.metadata.items) == 50


def test_same_outcome_again_is_not_answered_again() -> None:
    world, _ = ended(GUIDE)
    [first] = world.statuses
    command = NormalizeCommand(
        turn=world.turn,
        transaction=world.transaction("cancelar_pedidos", {}),
        fate=CallFate.ANSWERED,
        result=ToolResult(tool_name="cancelar_pedidos", ok=True),
    )
    assert world.heard(topology.NORMALIZE, command) == []
    assert world.statuses == [first]


def test_unreadable_outcome_closes_the_transaction_and_claims_nothing() -> None:
    world = Behind(only=("normalize",))
    stage = world._hosts["normalize"].stage
    data = {
        "turn": world.turn.model_dump(mode="json"),
        "transaction": world.transaction("cancelar_produtos", {}).model_dump(mode="json"),
    }
    position = Position(topic=topology.NORMALIZE, partition=0, offset=1)
    rejection = Rejection(position=position, at=world.now, error="x", text="x", data=data)
    decision = stage.reject(None, rejection, world.now)
    [told] = [record.value for record in decision.records if isinstance(record.value, ChannelResponse)]
    assert "Nada foi confirmado" in told.text
    assert "nada foi feito" not in told.text.lower()
    assert told.metadata.status is Status.FAILED


def test_rejected_record_that_names_nobody_is_an_event() -> None:
    world = Behind(only=("normalize",))
    stage = world._hosts["normalize"].stage
    position = Position(topic=topology.NORMALIZE, partition=0, offset=1)
    decision = stage.reject(None, Rejection(position=position, at=world.now, error="x", text="x"), world.now)
    assert [record.topic for record in decision.records] == [topology.EVENTS_NOC]
    assert decision.dead_letter is not None


def test_quiet_conversation_is_forgotten() -> None:
    world, _ = ended(GUIDE, timing=Timing(session_retention_ms=60_000))
    world.wait(minutes=2)
    assert world.state("normalize", world.conversation).is_empty
