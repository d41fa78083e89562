"""Replies to an open question, and what confirm makes of them. Source: DESIGN 4 and 7 (Confirm), language.json REPLY-*."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from contracts.agent_state import Holder
from contracts.channel_response import ResponseKind
from contracts.confirm_command import VerdictKind
from contracts.status import Status
from pipeline.policy import Limits
from pipeline.proposal import EXPIRY_RULE
from tests.installation import HELD
from tests.unit.stages.reconciling import Talk

CANONICAL = [
    {"name": "TIM Fashion Mensal", "id": "1001"},
    {"name": "Aya Audiobooks Premium", "id": "1002"},
    {"name": "Neymar Jr", "id": "1003"},
]
NAMES = tuple(item["name"] for item in CANONICAL)


def asked(**changes: Any) -> Talk:
    """A conversation in which the question for the three canonical items is open."""
    talk = Talk(**changes)
    talk.say("quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr")
    talk.ask(*NAMES, arguments={"items": CANONICAL})
    return talk


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        pytest.param("sim", VerdictKind.ACCEPT, id="a plain yes"),
        pytest.param("pode sim 👍", VerdictKind.ACCEPT, id="a yes with courtesy"),
        pytest.param("não, obrigado", VerdictKind.DECLINE, id="a plain no"),
        pytest.param("sim, mas tira o Neymar", VerdictKind.AMEND, id="a yes with an exception"),
        pytest.param("acho que sim", VerdictKind.UNCLEAR, id="a hedge"),
        pytest.param("cancelar", VerdictKind.UNCLEAR, id="the bare word of a cancellation"),
        pytest.param("quanto vou pagar?", VerdictKind.UNCLEAR, id="a question about the proposal"),
        pytest.param("quero ver o vencimento da minha fatura", VerdictKind.REPLACE, id="another request"),
    ],
)
def test_reply_is_sent_to_confirm_as(text: str, verdict: VerdictKind) -> None:
    talk = asked()

    told = talk.say(text)

    assert told == []
    [sent] = talk.verdicts
    assert sent.verdict is verdict
    assert (sent.revision, sent.digest) == (1, "digest-1")
    assert sent.rule
    assert talk.now_state.open is not None
    assert talk.now_state.open.holder is Holder.STAGES


@pytest.mark.parametrize("text", ["não, o Deezer", "mudei de ideia, quero cancelar o Deezer"])
def test_another_name_in_the_place_of_the_only_one_is_kept(text: str) -> None:
    talk = Talk(known_values={"cancelar_produtos.items": HELD})
    talk.say("quero cancelar a HBO Max")
    talk.ask("HBO Max", arguments={"items": [{"name": "HBO Max", "id": "1006"}]})
    talk.say(text)
    assert talk.verdicts[-1].verdict is VerdictKind.AMEND
    assert talk.now_state.open is not None
    assert talk.now_state.open.amended_items == ("Deezer Premium",)


def test_question_about_the_proposal_says_so() -> None:
    talk = asked()
    talk.say("quanto vou pagar?")
    assert talk.verdicts[0].question is True


def test_interrupted_voice_turn_never_confirms() -> None:
    talk = asked()
    talk.say("sim", metadata={"interrupted": True}, channel="voice")
    assert talk.verdicts[0].verdict is VerdictKind.UNCLEAR


def test_token_of_a_button_travels_with_the_verdict() -> None:
    talk = asked()
    talk.say("sim", metadata={"confirmation": "token-1"})
    assert talk.verdicts[0].token == "token-1"


def test_accepted_transaction_executes_and_ends() -> None:
    talk = asked()
    talk.say("sim")
    talk.grant(VerdictKind.ACCEPT)
    executing = talk.now_state.open
    talk.status(Status.COMPLETED)
    closed = talk.now_state.last_closed
    assert executing is not None
    assert executing.status is Status.EXECUTING
    assert talk.now_state.open is None
    assert closed is not None
    assert closed.status is Status.COMPLETED


# --- amendments -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "items"),
    [
        pytest.param("tira o Neymar", CANONICAL[:2], id="one taken out"),
        pytest.param("só o primeiro", CANONICAL[:1], id="one kept by position"),
        pytest.param("troca o Neymar pelo Deezer", [*CANONICAL[:2], "Deezer"], id="one replaced"),
        pytest.param("sim, e também o Deezer", [*CANONICAL, "Deezer"], id="one added"),
    ],
)
def test_granted_amendment_is_proposed_again_with_canonical_values(text: str, items: list[Any]) -> None:
    talk = asked()
    talk.say(text)
    assert talk.verdicts[0].verdict is VerdictKind.AMEND
    assert len(talk.commands) == 1, "nothing is proposed before confirm has granted the amendment"

    talk.grant(VerdictKind.AMEND)

    assert talk.handed.amended is True
    assert talk.handed.transaction.revision == 2
    assert talk.handed.transaction.arguments == {"items": items}
    assert talk.handed.transaction.transaction_id == talk.commands[0].transaction.transaction_id
    assert talk.handed.transaction.confirmation_floor is True


def test_amendment_can_be_amended_again() -> None:
    talk = asked()
    talk.say("tira o Neymar")
    talk.grant(VerdictKind.AMEND)
    talk.ask(*NAMES[:2], arguments={"items": CANONICAL[:2]})
    talk.say("tira o Aya também")
    talk.grant(VerdictKind.AMEND)
    assert talk.handed.transaction.revision == 3
    assert talk.handed.transaction.arguments == {"items": CANONICAL[:1]}


def expires_at(talk: Talk) -> datetime:
    held = talk.now_state.open
    assert held is not None
    assert held.proposal is not None
    return held.proposal.expires_at


def test_question_to_which_nothing_was_said_is_given_to_confirm_to_end_once_and_words_wait_for_that() -> None:
    talk = asked()
    last = expires_at(talk)
    talk.advance(int((last - talk.now).total_seconds() * 1000) + 1)
    [ended] = talk.verdicts
    assert (ended.rule, ended.verdict, ended.said_at > last) == (EXPIRY_RULE, VerdictKind.UNCLEAR, True)
    assert talk.say("sim") == []
    assert len(talk.verdicts) == 1
    [late] = talk.status(Status.EXPIRED)
    assert "O prazo para confirmar já tinha acabado" in late.text


def test_yes_that_was_said_in_time_goes_to_confirm_before_the_end_of_its_question() -> None:
    talk = asked()
    last = expires_at(talk)
    talk.put("sim", at=last)
    talk.now = last + timedelta(minutes=5)  # it was read late
    talk.settle()
    assert [(verdict.verdict, verdict.said_at) for verdict in talk.verdicts] == [(VerdictKind.ACCEPT, last)]


def test_amendment_that_crosses_an_expiry_is_over() -> None:
    talk = asked()
    talk.say("tira o Neymar")
    talk.status(Status.EXPIRED)
    assert len(talk.commands) == 1
    assert talk.now_state.open is None


def test_amendment_above_the_limit_is_no_verdict() -> None:
    talk = asked(limits=Limits(items=3))
    talk.say("sim, e também o Deezer")
    assert talk.verdicts[0].verdict is VerdictKind.UNCLEAR


def test_corrected_amount_is_an_amendment_of_that_argument() -> None:
    talk = Talk()
    talk.say("quero contestar uma cobrança")
    talk.say("Cinema Pack")
    talk.say("25 reais")
    talk.ask("Cinema Pack")
    talk.say("não, o valor é 19,90")
    assert talk.verdicts[0].verdict is VerdictKind.AMEND
    talk.grant(VerdictKind.AMEND)
    assert talk.handed.transaction.arguments == {"item": "Cinema Pack", "amount": 19.9}
    assert talk.handed.transaction.revision == 2


@pytest.mark.parametrize(
    "text",
    ["quero cancelar o HBO Max", "não, quero cancelar o HBO Max", "cancela o HBO Max então"],
)
def test_same_request_with_other_items_replaces_the_set(text: str) -> None:
    talk = asked()
    talk.say(text)
    assert talk.verdicts[0].verdict is VerdictKind.AMEND
    talk.grant(VerdictKind.AMEND)
    assert talk.handed.transaction.arguments == {"items": ["HBO Max"]}
    assert talk.handed.transaction.transaction_id == talk.commands[0].transaction.transaction_id


@pytest.mark.parametrize(
    "text",
    ["posso cancelar o HBO Max?", "e se eu cancelar o HBO Max", "não cancela o HBO Max", "já cancelei o HBO Max ontem"],
)
def test_set_is_not_replaced_by_what_asks_for_nothing(text: str) -> None:
    talk = asked()
    talk.say(text)
    assert talk.verdicts[0].verdict is not VerdictKind.AMEND


def returned() -> Talk:
    """The question for the return of K-5 is open."""
    talk = Talk()
    talk.say("quero devolver o pedido K-5 porque veio quebrado", agent_id="retail_orders")
    talk.ask("K-5")
    return talk


@pytest.mark.parametrize("text", ["não, é o K-6", "na verdade é o pedido K-6", "quero devolver o K-6"])
def test_other_target_takes_the_values_of_the_old_one_with_it(text: str) -> None:
    talk = returned()
    talk.say(text, agent_id="retail_orders")
    assert talk.verdicts[0].verdict is VerdictKind.AMEND
    [told] = talk.grant(VerdictKind.AMEND)
    assert told.text == "Qual o motivo da devolução?"
    assert talk.now_state.open is not None
    assert talk.now_state.open.arguments == {"order_id": "K-6"}


@pytest.mark.parametrize("text", ["não", "não, obrigado", "melhor não", "não, deixa pra lá", "hoje não"])
def test_plain_no_is_never_taken_for_another_target(text: str) -> None:
    talk = returned()
    talk.say(text, agent_id="retail_orders")
    assert talk.verdicts[0].verdict is VerdictKind.DECLINE


# --- what follows a verdict --------------------------------------------------------------------------------------------------


def test_request_after_a_yes_is_taken_up_when_the_first_has_ended() -> None:
    talk = asked()
    talk.say("sim, e me manda a fatura")
    assert talk.verdicts[0].verdict is VerdictKind.ACCEPT
    talk.grant(VerdictKind.ACCEPT)
    assert len(talk.commands) == 1
    talk.status(Status.COMPLETED)
    assert talk.handed.transaction.tool == "consultar_fatura"


def test_new_request_is_taken_up_when_confirm_has_closed_the_old_one() -> None:
    talk = asked()
    talk.say("quero ver o vencimento da minha fatura")
    assert len(talk.commands) == 1
    talk.grant(VerdictKind.REPLACE)
    assert talk.handed.transaction.tool == "consultar_fatura"
    assert talk.handed.transaction.transaction_id != talk.commands[0].transaction.transaction_id


def test_gateways_tool_replaces_the_open_question() -> None:
    talk = asked()
    talk.say("essa aqui", metadata={"tool_name": "consultar_fatura"})
    assert talk.verdicts[0].verdict is VerdictKind.REPLACE
    talk.grant(VerdictKind.REPLACE)
    assert talk.handed.transaction.tool == "consultar_fatura"


def test_new_request_is_kept_when_confirm_says_the_question_is_still_open() -> None:
    talk = asked()
    talk.say("quero ver o vencimento da minha fatura")
    talk.ask(*NAMES, arguments={"items": CANONICAL})
    talk.say("sim")
    talk.grant(VerdictKind.ACCEPT)
    talk.status(Status.COMPLETED)
    assert talk.handed.transaction.tool == "consultar_fatura"


# --- messages from before the question ------------------------------------------------------------------------------------------


def test_yes_typed_before_the_question_is_no_verdict() -> None:
    talk = Talk()
    talk.say("quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr")
    talk.say("sim")
    assert talk.verdicts == []

    talk.ask(*NAMES, arguments={"items": CANONICAL})

    assert [sent.verdict for sent in talk.verdicts] == [VerdictKind.UNCLEAR]
    talk.grant(VerdictKind.UNCLEAR, arguments={"items": CANONICAL})
    talk.say("sim")
    assert talk.verdicts[-1].verdict is VerdictKind.ACCEPT


def test_yes_between_two_askings_of_one_revision_counts() -> None:
    talk = asked()
    talk.say("hein?")
    yes_at = talk.now
    talk.ask(*NAMES, arguments={"items": CANONICAL}, granted=VerdictKind.UNCLEAR)
    talk.say("sim", at=yes_at)
    assert talk.verdicts[-1].verdict is VerdictKind.ACCEPT


def test_yes_to_the_old_revision_is_none_to_the_new_one() -> None:
    talk = asked()
    before = talk.now
    talk.say("tira o Neymar")
    talk.grant(VerdictKind.AMEND)
    talk.ask(*NAMES[:2], arguments={"items": CANONICAL[:2]})
    talk.say("sim", at=before + timedelta(milliseconds=1))
    assert talk.verdicts[-1].verdict is VerdictKind.UNCLEAR


def test_amendment_typed_before_the_question_is_not_lost() -> None:
    talk = Talk()
    talk.say("quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr")
    talk.say("tira o Neymar")
    talk.ask(*NAMES, arguments={"items": CANONICAL})
    talk.grant(VerdictKind.AMEND)
    assert talk.handed.transaction.arguments == {"items": CANONICAL[:2]}


def test_other_request_typed_before_the_question_waits_behind_it() -> None:
    talk = Talk()
    talk.say("quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr")
    talk.say("quero ver o vencimento da minha fatura")
    [told] = talk.ask(*NAMES, arguments={"items": CANONICAL})
    assert told.metadata.kind is ResponseKind.NOTICE
    talk.say("sim")
    talk.grant(VerdictKind.ACCEPT)
    talk.status(Status.COMPLETED)
    assert talk.handed.transaction.tool == "consultar_fatura"


# --- late replies ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "text"),
    [
        pytest.param(Status.EXPIRED, "O prazo para confirmar já tinha acabado", id="after the expiry"),
        pytest.param(Status.COMPLETED, "Esse pedido já foi concluído", id="after it was done"),
        pytest.param(Status.CANCELLED, "Esse pedido já tinha sido encerrado", id="after it was cancelled"),
        pytest.param(Status.OUTCOME_UNKNOWN, "não vou repetir", id="after an unknown outcome"),
        pytest.param(Status.OUT_OF_SCOPE, "Esse pedido já tinha sido encerrado", id="after a refusal"),
    ],
)
def test_late_yes_is_told_what_became_of_it(status: Status, text: str) -> None:
    talk = asked()
    talk.status(status)
    [told] = talk.say("sim, pode cancelar")
    assert text in told.text
    assert told.metadata.kind is ResponseKind.NOTICE
    assert len(talk.commands) == 1
    assert talk.verdicts == []


def test_same_request_again_after_the_end_is_no_late_reply() -> None:
    talk = asked()
    talk.status(Status.CANCELLED)
    assert talk.say("cancela o Neymar Jr pra mim") == []
    assert talk.handed.transaction.arguments == {"items": ["Neymar Jr"]}


def test_late_yes_is_about_the_last_question_though_a_query_ran_since() -> None:
    talk = asked()
    talk.status(Status.CANCELLED)
    talk.say("qual o valor da minha fatura?")
    talk.status(Status.COMPLETED)
    [told] = talk.say("sim")
    assert told.text == "Esse pedido já tinha sido encerrado, e nada foi feito. Se quiser, é só pedir de novo."


@pytest.mark.parametrize("text", ["valeu", "vlw", "obg", "valeuuu", "obrigadaaa!", "obrigado"])
def test_thanks_in_chat_spelling_are_thanks(text: str) -> None:
    talk = asked()
    talk.status(Status.COMPLETED)
    [told] = talk.say(text)
    assert told.text.startswith("Por nada!")


@pytest.mark.parametrize("text", ["tchau", "valeu, tchau!", "até mais", "gracias, chao", "bye"])
@pytest.mark.parametrize("status", [Status.COMPLETED, Status.EXPIRED])
def test_farewell_is_answered_by_one(text: str, status: Status) -> None:
    talk = asked()
    talk.status(status)
    [told] = talk.say(text)
    assert told.text.startswith("Até logo!")


def test_thanks_after_an_end_without_a_question_are_no_late_yes() -> None:
    talk = Talk()
    talk.say("quero cancelar TIM Fashion")
    talk.status(Status.EXPIRED)
    [told] = talk.say("obrigado")
    assert told.text.startswith("Por nada!")


@pytest.mark.parametrize("text", ["cancela tudo", "quero cancelar todos"])
@pytest.mark.parametrize("status", [Status.COMPLETED, Status.EXPIRED])
def test_request_that_opens_with_no_yes_is_a_new_one_after_the_end(status: Status, text: str) -> None:
    talk = asked()
    talk.status(status)
    talk.say(text)
    opened = talk.now_state.open
    assert opened is not None
    assert opened.tool == "cancelar_produtos"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        pytest.param("não", "Se precisar de mais alguma coisa", id="a no refuses nothing"),
        pytest.param("sim", "não pôde ser feito, e nada foi alterado", id="a yes is told that nothing was done"),
    ],
)
def test_reply_to_a_refusal_is_not_about_the_request_before(text: str, answer: str) -> None:
    talk = asked()
    talk.status(Status.COMPLETED)
    talk.say("quero cancelar o Deezer")
    talk.status(Status.OUT_OF_SCOPE)
    [told] = talk.say(text)
    assert answer in told.text


def test_question_for_the_protocol_is_told_where_it_stands() -> None:
    talk = asked()
    talk.status(Status.COMPLETED)
    [told] = talk.say("qual foi o protocolo?")
    assert "está na mensagem com o resultado" in told.text


def test_new_request_after_the_end_is_no_late_reply() -> None:
    talk = asked()
    talk.status(Status.COMPLETED)
    talk.say("quero cancelar o Deezer")
    assert talk.handed.transaction.arguments == {"items": ["Deezer"]}
