"""What a yes is said to: any difference gives another digest; items have names."""

from typing import Any

import pytest

from contracts.transaction import Transaction, Turn
from pipeline.policy import Tool
from pipeline.proposal import is_token_of, item_name, item_names, item_values, proposal_digest, proposal_token
from pipeline.testing.driver import STARTS_AT
from tests.installation import installation

TURN = Turn(
    conversation_key="default:a:s",
    tenant_id="default",
    agent_id="a",
    session_id="s",
    channel="web",
    user_id="u",
    message_id="m",
)
TRANSACTION = Transaction(
    transaction_id="tx", tool="t", requested_tool="t", arguments={"a": 1, "b": [1, 2]}, opened_at=STARTS_AT
)


def tool(name: str) -> Tool:
    return installation().tools[name]


def test_digest_is_the_same_for_the_same_proposal() -> None:
    same = TRANSACTION.model_copy(update={"arguments": {"b": [1, 2], "a": 1}, "source_text": "other words"})
    later = TURN.model_copy(update={"message_id": "m-2", "trace_id": "x", "locale": "en", "channel": "voice"})
    assert proposal_digest(TURN, TRANSACTION, ("A",), "?") == proposal_digest(later, same, ["A"], "?")


@pytest.mark.parametrize(
    ("turn", "transaction", "items", "text"),
    [
        pytest.param({"tenant_id": "globex"}, {}, ("A",), "?", id="tenant"),
        pytest.param({"conversation_key": "default:a:z"}, {}, ("A",), "?", id="conversation"),
        pytest.param({"user_id": None}, {}, ("A",), "?", id="user"),
        pytest.param({}, {"tool": "t2"}, ("A",), "?", id="tool"),
        pytest.param({}, {"arguments": {"a": 1, "b": [2, 1]}}, ("A",), "?", id="order of an argument"),
        pytest.param({}, {"arguments": {"a": True, "b": [1, 2]}}, ("A",), "?", id="type of an argument"),
        pytest.param({}, {"transaction_id": "tx2"}, ("A",), "?", id="transaction"),
        pytest.param({}, {"revision": 2}, ("A",), "?", id="revision"),
        pytest.param({}, {}, ("A", "B"), "?", id="items"),
        pytest.param({}, {}, ("A",), "??", id="text"),
    ],
)
def test_digest_differs_by(
    turn: dict[str, Any], transaction: dict[str, Any], items: tuple[str, ...], text: str
) -> None:
    other = proposal_digest(TURN.model_copy(update=turn), TRANSACTION.model_copy(update=transaction), items, text)
    assert other != proposal_digest(TURN, TRANSACTION, ("A",), "?")


def test_token_names_its_conversation_and_gives_it_away_to_nobody() -> None:
    token = proposal_token("default:a:s", "digest")
    assert is_token_of("default:a:s", token)
    assert not is_token_of("default:a:z", token)
    assert "default" not in token
    assert token != proposal_token("default:a:s", "digest2")


@pytest.mark.parametrize(
    ("item", "name"),
    [
        pytest.param("  TIM  Fashion ", "TIM Fashion", id="text"),
        pytest.param({"id": "1001", "name": "TIM Fashion"}, "TIM Fashion", id="name before id"),
        pytest.param({"id": 1001}, "1001", id="id"),
        pytest.param({"subject": "A", "label": "B"}, "A", id="subject before label"),
        pytest.param({"product_name": "A", "x": "B"}, "A", id="another name"),
        pytest.param({"order_id": "P-1", "qty": 2}, "P-1", id="another id"),
        pytest.param({"eligible": True, "reason": "x", "plan": "A"}, "A", id="no flag and no reason"),
        pytest.param({"eligible": False}, "?", id="nothing"),
        pytest.param(12, "12", id="a number"),
    ],
)
def test_item_is_named(item: Any, name: str) -> None:
    assert item_name(item) == name


@pytest.mark.parametrize(
    ("name", "arguments", "names"),
    [
        pytest.param("cancelar_pedidos", {"order_ids": ["P-1", "P-2"]}, ("P-1", "P-2"), id="the array argument"),
        pytest.param("cancelar_pedidos", {"order_ids": "P-1"}, ("P-1",), id="one value in the place of the array"),
        pytest.param(
            "contestar_cobranca", {"item": "HBO Max", "amount": 2}, ("HBO Max",), id="the first name of a scalar tool"
        ),
        pytest.param(
            "contestar_cobranca",
            {"item": "a, b", "items": [{"name": "A"}, {"name": "B"}]},
            ("A", "B"),
            id="an array a validator added",
        ),
        pytest.param("devolver_pedido", {"reason": "x", "order_id": "K-5"}, ("K-5",), id="not the free text"),
        pytest.param(
            "agendar_visita", {"date": "2026-12-01", "period": "tarde"}, (), id="a tool that is about no thing"
        ),
        pytest.param("consultar_fatura", {}, (), id="nothing given"),
    ],
)
def test_items_of_a_call_are(name: str, arguments: dict[str, Any], names: tuple[str, ...]) -> None:
    assert item_names(item_values(tool(name), arguments)) == names
