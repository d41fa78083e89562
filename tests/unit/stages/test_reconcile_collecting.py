"""Tool choice and the collection of arguments, one question at a time. Source: DESIGN 7 (Reconcile), language.json ABANDON-*."""

from typing import Any

import pytest

from contracts.channel_response import ResponseKind
from contracts.status import Status
from pipeline.policy import Limits
from tests.installation import TOOLS
from tests.unit.stages.reconciling import Talk

THREE = ["TIM Fashion", "Aya Audiobooks", "Neymar Jr"]


@pytest.mark.parametrize(
    ("agent", "text", "tool", "arguments"),
    [
        pytest.param(
            "telecom_contas",
            "quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr",
            "cancelar_produtos",
            {"items": THREE},
            id="a list in Portuguese",
        ),
        pytest.param(
            "telecom_contas",
            "I want to cancel Babbel and Deezer please",
            "cancelar_produtos",
            {"items": ["Babbel", "Deezer"]},
            id="a list in English",
        ),
        pytest.param(
            "telecom_contas",
            "quiero cancelar Babbel y Deezer, por favor",
            "cancelar_produtos",
            {"items": ["Babbel", "Deezer"]},
            id="a list in Spanish",
        ),
        pytest.param(
            "telecom_contas", "qual o valor da minha fatura?", "consultar_fatura", {}, id="nothing to collect"
        ),
        pytest.param(
            "retail_orders",
            "onde está o pedido P-100?",
            "consultar_pedidos",
            {"order_ids": ["P-100"]},
            id="one value of an array",
        ),
    ],
)
def test_complete_request_is_handed_on_at_once(agent: str, text: str, tool: str, arguments: dict[str, Any]) -> None:
    talk = Talk()

    told = talk.say(text, agent_id=agent)

    assert told == []
    assert talk.handed.transaction.tool == tool
    assert talk.handed.transaction.arguments == arguments
    assert talk.handed.transaction.revision == 1
    assert talk.event_types() == ["IC.GATEWAY_RECEIVED", "IC.INTENT_DETECTED"]


def test_missing_arguments_are_asked_for_one_at_a_time_in_the_order_of_requires() -> None:
    talk = Talk()

    [first] = talk.say("quero contestar uma cobrança")
    [second] = talk.say("Cinema Pack")
    assert talk.say("foi 25 reais") == []

    assert first.text == "Qual produto foi cobrado?"
    assert second.text == "Qual o valor da cobrança?"
    assert {first.metadata.kind, second.metadata.kind} == {ResponseKind.QUESTION}
    assert {first.metadata.status, second.metadata.status} == {Status.COLLECTING_PARAMETERS}
    assert talk.handed.transaction.arguments == {"item": "Cinema Pack", "amount": 25}
    asked = [event.payload["parameter"] for event in talk.events if event.event_type.endswith("PARAMETERS_REQUIRED")]
    assert asked == ["item", "amount"]


def test_request_without_a_business_key_that_the_tool_needs_is_refused_before_any_question() -> None:
    talk = Talk(tools={**TOOLS, "cancelar_produtos": {**TOOLS["cancelar_produtos"], "business_keys": ["customer_key"]}})

    [told] = talk.say("quero cancelar um produto")

    assert told.text.startswith("Não consegui identificar o seu cadastro")
    assert (told.metadata.kind, told.metadata.status) == (ResponseKind.FINAL, Status.FAILED)
    assert talk.commands == []
    [noc] = [event for event in talk.events if event.event_type == "NOC.BUSINESS_KEY_MISSING"]
    assert noc.payload["fields"] == ["payload.business_context.customer_key"]
    assert talk.say("quero cancelar o Deezer", business_context={"customer_key": "C-1"}) == []
    assert talk.handed.transaction.arguments == {"items": ["Deezer"]}


def test_rule_that_read_a_message_is_in_the_event() -> None:
    talk = Talk()
    for text in ("quero contestar uma cobrança", "não sei", "Cinema Pack"):
        talk.say(text)
    rules = [event.payload.get("rule", "") for event in talk.events if event.event_type != "IC.GATEWAY_RECEIVED"]
    assert [rule.split()[0] for rule in rules if rule] == ["ROUTE-1", "ABANDON-5", "ABANDON-2"]


def test_question_never_shows_an_internal_name() -> None:
    talk = Talk()
    for text in ("quero contestar uma cobrança", "não sei", "hmm", "?", "não sei"):
        for response in talk.say(text):
            assert not {"item", "amount", "contestar_cobranca"} & set(response.text.replace(".", " ").split())


def test_question_is_worded_more_plainly_each_time() -> None:
    talk = Talk()
    answers = [talk.say(text)[-1].text for text in ("quero cancelar", "não sei", "não sei mesmo", "sei lá")]
    assert len(set(answers[:3])) == 3
    assert "esquece" in answers[3]
    assert all(answer.endswith(("?", ".")) for answer in answers)


@pytest.mark.parametrize(
    ("agent", "opening", "answer", "reason"),
    [
        pytest.param(
            "telecom_contas", "quero contestar o Cinema Pack", "uns 50 reais", "exato", id="an approximate amount"
        ),
        pytest.param("retail_orders", "quero agendar uma visita", "31 de fevereiro", "não existe", id="no such day"),
    ],
)
def test_value_that_does_not_fit_is_asked_for_again_with_the_reason(
    agent: str, opening: str, answer: str, reason: str
) -> None:
    talk = Talk()
    talk.say(opening, agent_id=agent)
    [told] = talk.say(answer, agent_id=agent)
    assert reason in told.text
    assert told.metadata.kind is ResponseKind.QUESTION
    assert talk.commands == []


def test_option_outside_the_enum_is_asked_for_again_with_the_options() -> None:
    talk = Talk()
    talk.say("quero agendar uma visita para amanhã", agent_id="retail_orders")
    [told] = talk.say("meia-noite", agent_id="retail_orders")
    assert "manhã e tarde" in told.text


def test_options_are_buttons_where_the_channel_has_them() -> None:
    talk = Talk()
    [told] = talk.say("quero agendar uma visita para amanhã", agent_id="retail_orders", channel="whatsapp")
    assert [button["reply"] for button in told.metadata.buttons] == ["manhã", "tarde"]


def test_earlier_value_is_corrected_while_another_one_is_asked_for() -> None:
    talk = Talk()
    talk.say("quero agendar uma visita para amanhã", agent_id="retail_orders")
    talk.say("desculpa, é para 05/12/2026", agent_id="retail_orders")
    talk.say("de tarde", agent_id="retail_orders")
    assert talk.handed.transaction.arguments == {"date": "2026-12-05", "period": "tarde"}


def test_new_target_takes_the_values_of_the_old_one_with_it() -> None:
    talk = Talk()
    talk.say("quero devolver o pedido K-5", agent_id="retail_orders")
    [told] = talk.say("na verdade quero devolver o pedido K-9", agent_id="retail_orders")
    assert told.text == "Qual o motivo da devolução?"
    assert talk.now_state.open is not None
    assert talk.now_state.open.arguments == {"order_id": "K-9"}


@pytest.mark.parametrize("words", ["esquece, deixa pra lá", "não quero mais cancelar", "desisti"])
def test_giving_up_closes_and_says_that_nothing_was_done(words: str) -> None:
    talk = Talk()
    talk.say("quero cancelar")

    [told] = talk.say(words)

    assert told.text == "Certo, deixei de lado o cancelamento. Nada foi feito."
    assert (told.metadata.kind, told.metadata.status) == (ResponseKind.FINAL, Status.CANCELLED)
    assert talk.event_types()[-1] == "IC.TRANSACTION_ABANDONED"
    assert talk.now_state.open is None
    assert talk.now_state.last_closed is not None
    assert talk.now_state.last_closed.reason == "abandoned"


def test_words_of_giving_up_do_not_open_the_same_request_again() -> None:
    talk = Talk()
    talk.say("quero cancelar")
    talk.say("não quero mais cancelar")
    assert talk.now_state.open is None
    assert talk.commands == []


def test_another_intent_closes_says_so_and_goes_on() -> None:
    talk = Talk()
    talk.say("quero cancelar")

    [told] = talk.say("qual o valor da minha fatura?")

    assert told.text == "Deixei de lado o cancelamento: nada foi feito."
    assert told.metadata.status is Status.CANCELLED
    assert "IC.TRANSACTION_REPLACED" in talk.event_types()
    assert talk.handed.transaction.tool == "consultar_fatura"
    assert talk.handed.transaction.arguments == {}


@pytest.mark.parametrize("text", ["na verdade quero cancelar a HBO Max", "cancela a HBO Max"])
def test_name_with_the_verb_of_another_operation_is_another_request(text: str) -> None:
    talk = Talk()
    talk.say("quero contestar uma cobrança")
    [closed] = talk.say(text)
    assert closed.text == "Deixei de lado a contestação: nada foi feito."
    assert talk.handed.transaction.tool == "cancelar_produtos"
    assert talk.handed.transaction.arguments == {"items": ["HBO Max"]}


def test_question_that_is_the_query_itself_answers_what_to_look_up() -> None:
    talk = Talk()
    talk.say("quero consultar um pedido", agent_id="retail_orders")
    assert talk.say("onde está o P-100?", agent_id="retail_orders") == []
    assert talk.handed.transaction.arguments == {"order_ids": ["P-100"]}


def test_gateways_tool_wins_over_what_is_being_collected() -> None:
    talk = Talk()
    talk.say("quero cancelar")
    talk.say("minha fatura", metadata={"tool_name": "consultar_fatura"})
    assert talk.handed.transaction.tool == "consultar_fatura"


def test_bare_word_of_the_operation_is_no_answer_and_no_giving_up() -> None:
    talk = Talk()
    talk.say("quero cancelar")
    [told] = talk.say("cancela")
    assert told.metadata.status is Status.COLLECTING_PARAMETERS


def test_nobody_answers_in_time() -> None:
    talk = Talk()
    talk.say("quero cancelar")

    [told] = talk.advance(talk.installation.timing.collecting_ttl_ms + 1)

    assert told.metadata.status is Status.EXPIRED
    assert "nada foi feito" in told.text
    assert talk.event_types()[-1] == "IC.TRANSACTION_EXPIRED"
    assert talk.now_state.open is None


def test_answer_prolongs_the_time_to_answer() -> None:
    talk = Talk()
    talk.say("quero contestar uma cobrança")
    talk.advance(talk.installation.timing.collecting_ttl_ms - 1_000)
    talk.say("Cinema Pack")
    assert talk.advance(talk.installation.timing.collecting_ttl_ms - 1_000) == []


def test_list_above_the_limit_is_asked_for_again() -> None:
    talk = Talk(limits=Limits(items=3))
    [told] = talk.say("quero cancelar A1, B2, C3 e D4")
    assert "até 3 itens" in told.text
    assert talk.commands == []


def test_what_is_not_understood_is_answered_with_what_can_be_done() -> None:
    talk = Talk()
    [told] = talk.say("meu cachorro é lindo")
    assert "cancelamento, contestação e consulta da fatura" in told.text
    assert talk.event_types()[-1] == "IC.INTENT_NOT_UNDERSTOOD"
    assert told.metadata.transaction_id is None


@pytest.mark.parametrize(
    ("locale", "text", "answer"),
    [
        pytest.param("pt-BR", "oi", "Olá! Posso ajudar com", id="a greeting"),
        pytest.param("pt-BR", "oiii", "Olá! Posso ajudar com", id="a stretched greeting"),
        pytest.param("en", "hello", "Hello! I can help with", id="a greeting in English"),
        pytest.param("es", "hola", "¡Hola! Puedo ayudar con", id="a greeting in Spanish"),
        pytest.param("pt-BR", "valeu, era só isso", "Por nada!", id="thanks"),
        pytest.param("pt-BR", "quero falar com um atendente", "não consigo passar você", id="a person"),
    ],
)
def test_small_talk_is_answered_in_kind(locale: str, text: str, answer: str) -> None:
    talk = Talk()
    [told] = talk.say(text, locale=locale)
    assert answer in told.text
    assert talk.commands == []


def test_arguments_beside_the_text_answer_the_question() -> None:
    talk = Talk()
    talk.say("quero contestar uma cobrança")
    talk.say("aqui", metadata={"arguments": {"item": "Cinema Pack", "amount": "25,50"}})
    assert talk.handed.transaction.arguments == {"item": "Cinema Pack", "amount": 25.5}


def test_several_values_in_one_answer_are_all_taken() -> None:
    talk = Talk()
    talk.say("quero contestar uma cobrança")
    talk.say("Cinema Pack, 25 reais")
    assert talk.handed.transaction.arguments == {"item": "Cinema Pack", "amount": 25}


def refunds() -> Talk:
    """A tool that takes a collection and then a reason."""
    items = {"type": "array", "label": "os pedidos", "user_prompt": "Quais pedidos?", "items": {"type": "string"}}
    reason = {"type": "string", "label": "o motivo", "user_prompt": "Qual o motivo?", "free_text": True}
    spec = {
        **TOOLS["devolver_pedido"]["spec"],
        "requires": ["ids", "reason"],
        "args_schema": {"ids": items, "reason": reason},
    }
    return Talk(tools={**TOOLS, "devolver_pedido": {**TOOLS["devolver_pedido"], "spec": spec}})


def test_also_adds_to_the_collection_while_something_else_is_asked_for() -> None:
    talk = refunds()
    talk.say("quero devolver os pedidos K-5 e K-6", agent_id="retail_orders")
    [again] = talk.say("e também o K-7", agent_id="retail_orders")
    talk.say("vieram quebrados", agent_id="retail_orders")
    assert again.text == "Qual o motivo?"
    assert talk.handed.transaction.arguments == {"ids": ["K-5", "K-6", "K-7"], "reason": "vieram quebrados"}


def test_reason_that_names_an_item_is_a_reason() -> None:
    talk = refunds()
    talk.say("quero devolver os pedidos K-5 e K-6", agent_id="retail_orders")
    talk.say("porque o K-6 veio quebrado", agent_id="retail_orders")
    assert talk.handed.transaction.arguments["ids"] == ["K-5", "K-6"]
    assert "quebrado" in talk.handed.transaction.arguments["reason"]


def test_second_request_of_a_message_waits_until_the_first_has_ended() -> None:
    talk = Talk()
    talk.say("cancela o Deezer e me mostra a fatura")
    assert [command.transaction.tool for command in talk.commands] == ["cancelar_produtos"]
    first = talk.handed.transaction

    talk.status(Status.COMPLETED)

    second = talk.handed.transaction
    assert second.tool == "consultar_fatura"
    assert first.arguments == {"items": ["Deezer"]}
    assert first.transaction_id != second.transaction_id
    assert talk.now_state.deferred == ()


def test_requests_that_do_not_fit_are_told() -> None:
    talk = Talk(limits=Limits(deferred_max=0))
    told = talk.say("cancela o Deezer e me mostra a fatura")
    assert "São muitos pedidos" in told[0].text


def test_mapped_identity_that_is_missing_is_never_asked_of_the_customer() -> None:

    spec = {**TOOLS["consultar_fatura"]["spec"], "requires": ["msisdn"]}
    talk = Talk(tools={**TOOLS, "consultar_fatura": {**TOOLS["consultar_fatura"], "spec": spec}})

    [told] = talk.say("qual o valor da minha fatura?")
    assert told.metadata.kind is ResponseKind.FINAL
    assert "identificar" in told.text
    assert talk.now_state.open is None

    assert talk.say("qual o valor da minha fatura?", business_context={"customer_key": "C-1"}) == []
    assert talk.handed.transaction.tool == "consultar_fatura"


def test_events_hold_no_argument_and_no_business_key() -> None:
    talk = Talk()
    talk.say("quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr", business_context={"customer_key": "11999999999"})
    for event in talk.events:
        assert not any(secret in event.model_dump_json() for secret in ("Neymar", "Aya", "11999999999"))
