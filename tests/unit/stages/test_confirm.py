"""Confirm: one question for the whole set, one verdict for exactly what was shown."""

from datetime import timedelta
from typing import Any

import pytest

from contracts.channel_response import ResponseKind
from contracts.confirm_command import VerdictKind
from contracts.status import Status
from contracts.transaction import Proposal
from pipeline import topology
from pipeline.decision import Position, Rejection
from pipeline.policy import ChannelSpec, Timing
from pipeline.proposal import EXPIRY_RULE, proposal_digest, proposal_token
from tests import installation as demo
from tests.unit.stages.behind import Behind

ITEMS = ("TIM Fashion Mensal", "Neymar Jr")
ARGUMENTS = {"items": [{"name": "TIM Fashion Mensal", "id": "1001"}, {"name": "Neymar Jr", "id": "1003"}]}
QUESTION = "Você confirma o cancelamento de TIM Fashion Mensal e Neymar Jr?"


def confirm(**changes: Any) -> Behind:
    return Behind(only=("confirm",), **changes)


def asked(**changes: Any) -> Behind:
    """A question about two products is open."""
    world = confirm(**changes)
    world.propose("cancelar_produtos", ARGUMENTS, ITEMS)
    return world


def held(world: Behind, *, at: int = -1) -> Proposal:
    """The proposal that a status told."""
    proposal = world.statuses[at].proposal
    assert proposal is not None
    return proposal


# --- the question -------------------------------------------------------------------------------------------------------


def test_question_names_the_operation_and_every_item() -> None:
    world = confirm()
    [told] = world.propose("cancelar_produtos", ARGUMENTS, ITEMS)
    assert told.text == QUESTION
    assert told.metadata.kind is ResponseKind.CONFIRMATION
    assert told.metadata.status is Status.AWAITING_CONFIRMATION
    assert world.event_types() == ["IC.TRANSACTION_CONFIRMATION_REQUIRED"]


def test_status_carries_the_proposal_as_shown() -> None:
    world = asked()
    status = world.last_status
    assert status.status is Status.AWAITING_CONFIRMATION
    assert status.arguments == ARGUMENTS
    assert status.proposal is not None
    assert (status.proposal.items, status.proposal.text) == (ITEMS, QUESTION)
    transaction = world.transaction("cancelar_produtos", ARGUMENTS)
    assert status.proposal.digest == proposal_digest(world.turn, transaction, ITEMS, QUESTION)
    assert status.proposal.expires_at - status.proposal.asked_at == timedelta(minutes=15)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        pytest.param(
            "Confirma TIM Fashion Mensal e Neymar Jr?", "Confirma TIM Fashion Mensal e Neymar Jr?", id="complete"
        ),
        pytest.param(
            "Confirma tim fashion mensal e NEYMAR JR?", "Confirma tim fashion mensal e NEYMAR JR?", id="in another case"
        ),
        pytest.param(
            "Confirma o cancelamento?",
            "Confirma o cancelamento? Itens: TIM Fashion Mensal e Neymar Jr.",
            id="names no item",
        ),
        pytest.param(
            "Confirma TIM Fashion Mensal?",
            "Confirma TIM Fashion Mensal? Itens: TIM Fashion Mensal e Neymar Jr.",
            id="leaves an item out",
        ),
        pytest.param(
            "Cancelar TIM Fashion Mensal e Neymar Jr.",
            "Cancelar TIM Fashion Mensal e Neymar Jr. Para confirmar, responda só “sim”. Para desistir, responda só “não”.",
            id="asks nothing",
        ),
        pytest.param("   ", QUESTION, id="is blank"),
        pytest.param("a" * 9_000, QUESTION, id="is longer than the channel"),
    ],
)
def test_validators_wording_is_used_when_it(message: str, text: str) -> None:
    [told] = confirm().propose("cancelar_produtos", ARGUMENTS, ITEMS, confirmation_message=message)
    assert told.text == text


def test_item_whose_name_is_part_of_another_one_is_not_named_by_it() -> None:
    items = ("HBO", "HBO Max")
    [told] = confirm().propose(
        "cancelar_produtos", {"items": list(items)}, items, confirmation_message="Confirma HBO Max?"
    )
    assert told.text == "Confirma HBO Max? Itens: HBO e HBO Max."


def test_question_says_the_other_arguments() -> None:
    [told] = confirm().propose("contestar_cobranca", {"item": "HBO Max", "amount": 1071.9}, ("HBO Max",))
    assert told.text == "Você confirma a contestação de HBO Max (valor: R$ 1.071,90)?"


def test_question_is_spoken_without_symbols() -> None:
    [told] = confirm(channel="voice").propose("contestar_cobranca", {"item": "HBO Max", "amount": 71.9}, ("HBO Max",))
    assert told.text == "Você confirma a contestação de HBO Max, valor: 71 reais e 90 centavos?"


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en", "Do you confirm the cancellation of TIM Fashion Mensal and Neymar Jr?"),
        ("es", "¿Confirma la cancelación de TIM Fashion Mensal y Neymar Jr?"),
    ],
)
def test_question_is_asked_in_the_customers_language(locale: str, text: str) -> None:
    assert confirm(locale=locale).propose("cancelar_produtos", ARGUMENTS, ITEMS)[0].text == text


def test_long_list_is_written_item_by_item() -> None:
    items = tuple(f"Produto {n}" for n in range(12))
    [told] = confirm().propose("cancelar_produtos", {"items": list(items)}, items)
    assert told.text.splitlines()[0] == "Você confirma o cancelamento destes 12 itens?"
    assert [line.removeprefix("- ") for line in told.text.splitlines()[1:]] == list(items)


def test_list_longer_than_the_channel_is_never_cut_silently() -> None:
    channels = {"web": ChannelSpec(max_chars=300)}
    items = tuple(f"Produto de nome comprido {n}" for n in range(50))
    [told] = confirm(channels=channels).propose("cancelar_produtos", {"items": list(items)}, items)
    assert len(told.text) <= 300
    assert "50 itens" in told.text
    assert "e mais" in told.text


def test_buttons_come_where_the_channel_has_them_with_the_token() -> None:
    [told] = confirm(channel="whatsapp").propose("cancelar_produtos", ARGUMENTS, ITEMS)
    assert told.metadata.buttons == [{"title": "Sim, confirmo", "reply": "sim"}, {"title": "Não", "reply": "não"}]
    assert told.metadata.confirmation is not None
    [web] = confirm().propose("cancelar_produtos", ARGUMENTS, ITEMS)
    assert web.metadata.buttons == []
    assert web.metadata.confirmation is not None
    assert web.metadata.confirmation.token


def test_same_proposal_again_is_asked_once() -> None:
    world = asked()
    assert world.propose("cancelar_produtos", ARGUMENTS, ITEMS) == []


# --- no question ----------------------------------------------------------------------------------------------------------


def test_read_only_tool_passes_without_a_question() -> None:
    world = confirm(agent_id="retail_orders")
    assert world.propose("consultar_pedidos", {"order_ids": ["P-1"]}, ("P-1",)) == []
    [command] = world.executes
    assert command.confirmation is not None
    assert (command.confirmation.required, command.text) == (False, "")
    assert command.digest == proposal_digest(command.turn, command.transaction, ("P-1",), "")
    assert world.event_types() == ["IC.TRANSACTION_CONFIRMATION_SKIPPED"]


@pytest.mark.parametrize(
    "why",
    [
        pytest.param({"requires_confirmation": True}, id="the validator asked for it"),
        pytest.param({"confirmation_floor": True}, id="a tool on the way needed it"),
    ],
)
def test_read_only_tool_is_confirmed_all_the_same_when(why: dict[str, Any]) -> None:
    world = confirm(agent_id="retail_orders")
    [told] = world.propose("consultar_pedidos", {"order_ids": ["P-1"]}, ("P-1",), **why)
    assert told.metadata.kind is ResponseKind.CONFIRMATION
    assert world.executes == []


# --- the verdict ------------------------------------------------------------------------------------------------------------


def test_yes_executes_exactly_what_was_shown_once() -> None:
    world = asked()
    assert world.yes(rule="REPLY-1") == []
    assert world.yes() == []
    [command] = world.executes
    assert command.transaction.arguments == ARGUMENTS
    assert command.digest == proposal_digest(command.turn, command.transaction, command.items, command.text)
    assert command.confirmation is not None
    assert (command.confirmation.digest, command.confirmation.required) == (command.digest, True)
    assert command.turn.message_id == "m-2"
    assert world.event_types("GRL") == ["GRL.CONFIRMATION_STALE"]


@pytest.mark.parametrize(
    ("verdict", "reason", "event", "text"),
    [
        (
            VerdictKind.DECLINE,
            "declined",
            "IC.TRANSACTION_CONFIRMATION_DECLINED",
            "Tudo bem, não vou fazer o cancelamento",
        ),
        (VerdictKind.ABANDON, "abandoned", "IC.TRANSACTION_ABANDONED", "deixei de lado o cancelamento"),
        (VerdictKind.REPLACE, "replaced", "IC.TRANSACTION_REPLACED", "nada foi feito"),
    ],
)
def test_question_is_closed_by(verdict: VerdictKind, reason: str, event: str, text: str) -> None:
    world = asked()
    [told] = world.answer(verdict)
    assert text in told.text
    assert all(item in told.text for item in ITEMS)
    assert told.metadata.status is Status.CANCELLED
    assert (world.last_status.status, world.last_status.reason) == (Status.CANCELLED, reason)
    assert world.event_types()[-1] == event
    assert world.yes() == []
    assert world.executes == []


def test_amendment_kills_the_question_without_an_answer() -> None:
    world = asked()
    assert world.answer(VerdictKind.AMEND) == []
    assert (world.last_status.status, world.last_status.granted) == (Status.VALIDATING, VerdictKind.AMEND)
    old = held(world, at=0)
    world.propose("cancelar_produtos", {"items": ["Neymar Jr"]}, ("Neymar Jr",), revision=2)
    world.yes(digest=old.digest, revision=1)
    assert world.executes == []
    world.yes()
    assert [command.items for command in world.executes] == [("Neymar Jr",)]


def test_unclear_reply_is_asked_again_the_second_time_plainly() -> None:
    world = asked()
    [first] = world.answer(VerdictKind.UNCLEAR)
    [second] = world.answer(VerdictKind.UNCLEAR)
    assert first.text == f"Não entendi se você confirma. {QUESTION}"
    assert second.text == f"Para confirmar, responda só “sim”. Para desistir, responda só “não”. {QUESTION}"
    assert world.last_status.granted is VerdictKind.UNCLEAR
    proposals = [status.proposal for status in world.statuses]
    assert proposals[0] == proposals[1] == proposals[2]
    world.yes()
    assert len(world.executes) == 1


def test_question_about_the_proposal_is_answered_from_it() -> None:
    world = confirm()
    world.propose("contestar_cobranca", {"item": "HBO Max", "amount": 71.9}, ("HBO Max",))
    [told] = world.answer(VerdictKind.UNCLEAR, question=True)
    assert "R$ 71,90" in told.text
    assert told.text.endswith("Você confirma a contestação de HBO Max (valor: R$ 71,90)?")


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"digest": "other"}, id="another digest"),
        pytest.param({"revision": 7}, id="another revision"),
        pytest.param(
            {"token": proposal_token("default:telecom_contas:s-1", "other")}, id="the token of a dead question"
        ),
    ],
)
def test_stale_yes_executes_nothing_and_the_question_is_asked_again(fields: dict[str, Any]) -> None:
    world = asked()
    [told] = world.yes(**fields)
    assert QUESTION in told.text
    assert world.executes == []
    assert world.event_types("GRL") == ["GRL.CONFIRMATION_STALE"]
    assert world.last_status.status is Status.AWAITING_CONFIRMATION


def test_token_of_another_conversation_is_foreign() -> None:
    world = asked()
    world.yes(token=proposal_token("default:telecom_contas:s-2", "x"))
    assert world.executes == []
    assert world.event_types("GRL") == ["GRL.CONFIRMATION_FOREIGN"]


def test_yes_of_another_user_of_the_session_is_foreign() -> None:
    world = asked()
    world.yes(turn=world.turn.model_copy(update={"user_id": "u-2", "message_id": "m-9"}))
    assert world.executes == []
    assert world.event_types("GRL") == ["GRL.CONFIRMATION_FOREIGN"]


def test_yes_with_the_right_token_is_taken() -> None:
    world = asked()
    proposal = world.last_status.proposal
    assert proposal is not None
    world.yes(token=proposal.token)
    assert len(world.executes) == 1


def test_verdict_about_a_forgotten_question_closes_it_and_says_so() -> None:
    world = asked()
    world.answer(VerdictKind.DECLINE)
    [told] = world.yes(transaction_id="tx_gone")
    assert "já não está aberta" in told.text
    assert (world.last_status.transaction_id, world.last_status.status) == ("tx_gone", Status.EXPIRED)


def test_verdict_about_a_closed_question_has_no_effect() -> None:
    world = asked()
    world.answer(VerdictKind.DECLINE)
    assert world.yes() == []
    assert world.ends == [Status.CANCELLED]
    assert world.event_types("GRL") == ["GRL.CONFIRMATION_STALE"]
    assert world.executes == []


# --- time -----------------------------------------------------------------------------------------------------------------------


def test_question_expires_when_reconcile_says_that_nothing_was_said_in_time() -> None:
    world = asked()
    world.now = expires_at = held(world).expires_at
    late = {"said_at": expires_at + timedelta(milliseconds=1), "rule": EXPIRY_RULE}
    [told] = world.answer(VerdictKind.UNCLEAR, turn=world.turn.model_copy(update={"user_id": "u-9"}), **late)
    assert "O tempo para confirmar o cancelamento" in told.text
    assert told.metadata.message_id == "m-1"
    assert world.ends == [Status.EXPIRED]
    assert world.events[-1].payload["late_reply"] is False
    assert world.answer(VerdictKind.UNCLEAR, **late) == []
    assert world.ends == [Status.EXPIRED]


def test_yes_that_was_read_before_it_beats_the_end_of_the_question() -> None:
    world = asked()
    expires_at = held(world).expires_at
    world.yes(said_at=expires_at)
    late = {"said_at": expires_at + timedelta(milliseconds=1), "rule": EXPIRY_RULE}
    assert world.answer(VerdictKind.UNCLEAR, **late) == []
    assert (len(world.executes), world.ends) == (1, [])


def test_question_expires_by_timer_when_reconcile_does_not_come_back() -> None:
    world = asked(timing=Timing(confirmation_ttl_ms=3_000, expiry_backstop_ms=5_000))
    assert world.wait(seconds=7) == []
    [told] = world.wait(seconds=2)
    assert told.metadata.status is Status.EXPIRED
    assert "O tempo para confirmar o cancelamento" in told.text
    assert world.ends == [Status.EXPIRED]
    assert world.event_types()[-1] == "IC.TRANSACTION_CONFIRMATION_EXPIRED"
    assert world.yes() == []
    assert world.executes == []


def test_yes_said_in_time_wins_even_when_it_is_decided_later() -> None:
    world = asked()
    world._fire_timer = lambda: False  # type: ignore[method-assign]
    expires_at = held(world).expires_at
    world.now = expires_at + timedelta(minutes=20)
    world.yes(said_at=expires_at)
    assert len(world.executes) == 1


@pytest.mark.parametrize("verdict", [VerdictKind.ACCEPT, VerdictKind.AMEND, VerdictKind.UNCLEAR])
def test_late_reply_is_told_that_it_is_too_late(verdict: VerdictKind) -> None:
    world = asked()
    expires_at = held(world).expires_at
    [told] = world.answer(verdict, said_at=expires_at + timedelta(milliseconds=1))
    assert "depois do prazo" in told.text
    assert told.metadata.status is Status.EXPIRED
    assert world.executes == []
    assert world.wait(hours=1) == []


def test_question_survives_a_crash() -> None:
    world = asked()
    world.crash("confirm")
    world.yes()
    assert len(world.executes) == 1


def test_quiet_conversation_is_forgotten() -> None:
    world = asked(timing=Timing(session_retention_ms=60_000, confirmation_ttl_ms=1_000, expiry_backstop_ms=0))
    world.wait(minutes=3)
    assert world.state("confirm", world.conversation).is_empty


def test_unreadable_verdict_leaves_the_question_open_and_asks_again() -> None:
    world = asked()
    stage = next(host.stage for host in world._hosts.values())
    position = Position(topic=topology.CONFIRM, partition=0, offset=9)
    data = {"command": {"kind": "verdict", "turn": world.turn.model_dump(mode="json"), "transaction_id": "tx_1"}}
    rejection = Rejection(position=position, at=world.now, error="ContractViolation", text="x", data=data)
    decision = stage.reject(world.state("confirm", world.conversation), rejection, world.now)
    assert decision.dead_letter is rejection
    assert {record.topic for record in decision.records} == {
        topology.EVENTS_NOC,
        "channel.web.responses",
        topology.STATUS,
    }


def test_unreadable_proposal_closes_the_transaction_with_an_answer() -> None:
    world = confirm()
    stage = next(host.stage for host in world._hosts.values())
    turn = world.turn.model_dump(mode="json")
    data = {
        "command": {
            "kind": "propose",
            "turn": turn,
            "transaction": {"transaction_id": "tx_1", "tool": "cancelar_produtos"},
        }
    }
    position = Position(topic=topology.CONFIRM, partition=0, offset=9)
    decision = stage.reject(None, Rejection(position=position, at=world.now, error="x", text="x", data=data), world.now)
    statuses = [record.value for record in decision.records if record.topic == topology.STATUS]
    assert [(status.transaction_id, status.status) for status in statuses] == [("tx_1", Status.FAILED)]  # type: ignore[attr-defined]


def test_tool_without_operation_is_asked_for_without_its_name() -> None:
    tools = dict(demo.TOOLS)
    spec = {key: value for key, value in tools["cancelar_produtos"]["spec"].items() if key != "operation"}
    tools["cancelar_produtos"] = {**tools["cancelar_produtos"], "spec": spec}
    [told] = confirm(tools=tools).propose("cancelar_produtos", ARGUMENTS, ITEMS)
    assert told.text == "Você confirma o pedido para TIM Fashion Mensal e Neymar Jr?"
