"""Whole conversations through all five stages, in memory: what the customer reads, what is called, how it ends."""

from datetime import timedelta
from typing import Any

import pytest

from contracts.channel_response import ChannelResponse, ResponseKind
from contracts.status import ItemOutcome, MultiItemStatus, Status
from pipeline.policy import Timing
from pipeline.testing.driver import Driver, texts
from pipeline.testing.tools import Script, answered, lost, not_sent
from tests.installation import installation
from tests.scripted import cancel_products, demo_tools, validate
from tests.stages import stages

CUSTOMER = {"customer_key": "11999999999", "contract_key": "3000131180"}
OPENING = "quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr"


class World(Driver):
    """Customers of the demo."""

    def __init__(self, *, scripts: dict[str, Script] | None = None, **changes: Any) -> None:
        chosen = installation(**changes)
        super().__init__(chosen, stages(chosen), demo_tools(**(scripts or {})))

    def put(self, text: str, **fields: Any) -> str:
        """Every message carries the business context, as gateways do."""
        return super().put(text, **{"business_context": CUSTOMER, **fields})

    def called(self, tool: str) -> list[dict[str, Any]]:
        """Arguments of every call of a tool."""
        return [dict(call.arguments) for call in self.tools.calls_of(tool)]

    def ends(self) -> list[Status]:
        """Terminal statuses, in order."""
        return [status.status for status in self.statuses if status.status.terminal]


def names(response: ChannelResponse) -> dict[str, ItemOutcome]:
    """Fates by item."""
    return {item.subject: item.outcome for item in response.metadata.items}


def items(*ids: str) -> list[dict[str, str]]:
    """Canonical items."""
    by_id = {
        "1001": "TIM Fashion Mensal",
        "1002": "Aya Audiobooks Premium",
        "1003": "Neymar Jr",
        "1004": "Deezer Premium",
    }
    return [{"name": by_id[one], "id": one} for one in ids]


def cancelled_orders() -> dict[str, Any]:
    """Both orders of a request are cancelled."""
    results = [{"order_id": one, "success": True, "protocol": f"X-{one}"} for one in ("P-100", "P-102")]
    return {"ok": True, "result": {"results": results}}


def validated(*ids: str) -> dict[str, Any]:
    """The validator's yes to these items."""
    decision = {"resolved_arguments": {"items": items(*ids)}, "target_tool": "cancelar_produtos"}
    return {"eligible": True, "transaction_decision": decision}


def test_three_items_one_question_one_yes_one_call() -> None:
    world = World()

    [question] = world.say(OPENING)
    [final] = world.say("sim")

    assert question.metadata.kind is ResponseKind.CONFIRMATION
    assert all(name in question.text for name in ("TIM Fashion Mensal", "Aya Audiobooks Premium", "Neymar Jr"))
    assert world.called("cancelar_produtos") == [{"customer_id": "11999999999", "items": items("1001", "1002", "1003")}]
    assert final.metadata.kind is ResponseKind.FINAL
    assert final.metadata.multi_item_status is MultiItemStatus.PARTIAL_SUCCESS
    assert names(final) == {
        "TIM Fashion Mensal": ItemOutcome.SUCCEEDED,
        "Aya Audiobooks Premium": ItemOutcome.FAILED,
        "Neymar Jr": ItemOutcome.SUCCEEDED,
    }
    assert world.ends() == [Status.COMPLETED]


def test_declined_set_is_not_called() -> None:
    world = World()
    world.say(OPENING)
    [final] = world.say("não")
    assert (final.metadata.kind, final.metadata.status) == (ResponseKind.FINAL, Status.CANCELLED)
    assert world.called("cancelar_produtos") == []
    assert world.ends() == [Status.CANCELLED]


@pytest.mark.parametrize(
    ("text", "called"),
    [
        pytest.param("tira o Aya", items("1001", "1003"), id="one removed"),
        pytest.param("troca o Neymar pelo Deezer", items("1001", "1002", "1004"), id="one replaced"),
        pytest.param("sim, e também o Deezer", items("1001", "1002", "1003", "1004"), id="one added"),
        pytest.param("só o primeiro", items("1001"), id="only one"),
    ],
)
def test_amended_set_is_asked_again_and_executed_as_amended(text: str, called: list[dict[str, str]]) -> None:
    world = World()
    [first] = world.say(OPENING)
    [second] = world.say(text)
    world.say("sim")

    assert second.metadata.kind is ResponseKind.CONFIRMATION
    assert (first.metadata.revision, second.metadata.revision) == (1, 2)
    assert all(item["name"] in second.text for item in called)
    assert [call["items"] for call in world.called("cancelar_produtos")] == [called]
    assert world.ends() == [Status.COMPLETED]


def test_yes_after_the_expiry_is_told_so_and_calls_nothing() -> None:
    world = World(timing=Timing(confirmation_ttl_ms=3_000))
    world.say(OPENING)
    [expired] = world.advance(4_000)
    [late] = world.say("sim")
    assert expired.metadata.status is Status.EXPIRED
    assert late.metadata.kind is ResponseKind.NOTICE
    assert "nada foi feito" in late.text
    assert world.called("cancelar_produtos") == []
    assert world.ends() == [Status.EXPIRED]


def test_yes_of_the_last_instant_wins_over_the_expiry() -> None:
    world = World(timing=Timing(confirmation_ttl_ms=3_000))
    [question] = world.say(OPENING)
    assert question.metadata.confirmation is not None
    expires_at = question.metadata.confirmation.expires_at
    world.advance(2_000)
    world.put("sim", at=expires_at)
    world.now = expires_at + timedelta(seconds=1)
    world.settle()
    assert world.ends() == [Status.COMPLETED]
    assert len(world.called("cancelar_produtos")) == 1


def test_missing_parameter_is_asked_for_and_then_confirmed() -> None:
    world = World()
    assert texts(world.say("quero cancelar")) == ["Quais produtos você quer cancelar?"]
    [question] = world.say("TIM Fashion e Neymar Jr")
    assert question.metadata.kind is ResponseKind.CONFIRMATION
    world.say("pode sim")
    assert world.called("cancelar_produtos")[0]["items"] == items("1001", "1003")


def test_new_intent_in_the_middle_closes_says_so_and_goes_on() -> None:
    world = World()
    world.say(OPENING)
    told = world.say("qual o valor da minha fatura?")
    assert told[0].metadata.status is Status.CANCELLED
    assert "249,90" in told[-1].text
    assert world.called("cancelar_produtos") == []
    assert world.called("consultar_fatura") == [{"msisdn": "11999999999", "invoice_id": "3000131180"}]
    assert world.ends() == [Status.CANCELLED, Status.COMPLETED]


def test_question_about_the_proposal_leaves_it_open() -> None:
    world = World()
    world.say(OPENING)
    [told] = world.say("quanto vou pagar?")
    assert told.metadata.status is Status.AWAITING_CONFIRMATION
    world.say("sim")
    assert world.ends() == [Status.COMPLETED]


def test_duplicates_of_every_message_change_nothing() -> None:
    world = World()
    for text, message_id in ((OPENING, "a"), (OPENING, "a"), ("sim", "b"), ("sim", "b"), (OPENING, "a")):
        world.say(text, message_id=message_id)
    assert len(world.called("cancelar_produtos")) == 1
    assert [response.metadata.kind for response in world.responses] == [ResponseKind.CONFIRMATION, ResponseKind.FINAL]
    assert world.event_types().count("IC.MESSAGE_DUPLICATE") == 3


def test_interleaved_customers_get_their_own_answers() -> None:
    world = World()
    for text in (OPENING, "sim"):
        world.put(text, session_id="a")
        world.put(text.replace("TIM Fashion, ", ""), session_id="b")
        world.settle()
    by_session = {session: [r for r in world.responses if r.metadata.session_id == session] for session in ("a", "b")}
    assert [len(told) for told in by_session.values()] == [2, 2]
    assert len(by_session["a"][-1].metadata.items) == 3
    assert len(by_session["b"][-1].metadata.items) == 2
    assert sorted(len(call["items"]) for call in world.called("cancelar_produtos")) == [2, 3]


def test_two_intents_are_done_one_after_the_other() -> None:
    world = World()
    [question] = world.say("cancela o Deezer e me mostra a fatura")
    told = world.say("sim")
    assert question.metadata.kind is ResponseKind.CONFIRMATION
    assert [response.metadata.intent for response in told] == ["cancelar_produtos", "consultar_fatura"]
    assert world.ends() == [Status.COMPLETED, Status.COMPLETED]


def test_second_request_after_a_yes_leaves_the_yes_standing() -> None:
    world = World()
    world.say(OPENING)
    told = world.say("sim, e me manda a fatura")
    assert [response.metadata.intent for response in told] == ["cancelar_produtos", "consultar_fatura"]
    assert len(world.called("cancelar_produtos")) == 1


@pytest.mark.parametrize(
    ("locale", "opening", "yes", "words"),
    [
        pytest.param("en", "I want to cancel orders P-100, P-101 and P-102", "yes, please", "shipped", id="English"),
        pytest.param("es", "quiero cancelar los pedidos P-100, P-101 y P-102", "sí, adelante", "P-101", id="Spanish"),
        pytest.param(
            "pt-BR", "quero cancelar os pedidos P-100, P-101 e P-102", "sim", "já foi enviado", id="Portuguese"
        ),
    ],
)
def test_customer_is_served_in_their_language(locale: str, opening: str, yes: str, words: str) -> None:
    world = World()
    [question] = world.say(opening, locale=locale, agent_id="retail_orders")
    [final] = world.say(yes, agent_id="retail_orders")
    assert question.metadata.kind is ResponseKind.CONFIRMATION
    assert world.called("cancelar_pedidos") == [{"order_ids": ["P-100", "P-101", "P-102"]}]
    assert final.metadata.multi_item is not None
    counts = final.metadata.multi_item
    assert (counts.items_count, counts.items_succeeded_count, counts.items_failed_count) == (3, 2, 1)
    assert all(word in final.text for word in ("P-100", "P-101", "P-102", "ABC1", "ABC3", words))


def test_messages_during_a_call_wait_and_are_taken_up_after_it() -> None:
    world = World(scripts={"cancelar_produtos": lambda call: answered(cancel_products(call), after_ms=8_000)})
    world.say(OPENING)
    assert world.say("sim") == []
    assert world.say("qual o valor da minha fatura?") == []
    assert world.event_types()[-1] == "IC.MESSAGE_WAITING"

    told = world.advance(9_000)

    assert [response.metadata.intent for response in told] == ["cancelar_produtos", "consultar_fatura"]
    assert world.ends() == [Status.COMPLETED, Status.COMPLETED]


def test_second_yes_during_the_call_does_not_call_again() -> None:
    world = World(scripts={"cancelar_produtos": lambda call: answered(cancel_products(call), after_ms=8_000)})
    world.say(OPENING)
    world.say("sim")
    world.say("sim")
    told = world.advance(9_000)
    assert len(world.called("cancelar_produtos")) == 1
    assert [response.metadata.kind for response in told] == [ResponseKind.FINAL, ResponseKind.NOTICE]


def test_yes_typed_before_the_question_is_asked_again() -> None:
    world = World(scripts={"validar_produtos_cancelamento": lambda call: answered(validate(call), after_ms=5_000)})
    world.say(OPENING)
    world.say("sim")
    told = world.advance(6_000)
    assert [response.metadata.kind for response in told] == [ResponseKind.CONFIRMATION] * 2
    assert world.called("cancelar_produtos") == []
    world.say("sim")
    assert len(world.called("cancelar_produtos")) == 1


def test_set_that_is_not_eligible_ends_before_any_question() -> None:
    world = World()
    [final] = world.say("quero cancelar Netflix e Spotify")
    assert (final.metadata.kind, final.metadata.status) == (ResponseKind.FINAL, Status.OUT_OF_SCOPE)
    assert world.called("cancelar_produtos") == []


def test_amended_set_that_is_refused_says_that_nothing_was_done() -> None:
    world = World()
    world.say(OPENING)
    [final] = world.say("troca tudo por Netflix")
    assert world.called("cancelar_produtos") == []
    assert final.metadata.status in {Status.OUT_OF_SCOPE, Status.AWAITING_CONFIRMATION}


@pytest.mark.parametrize("stage", ["reconcile", "pre-validate", "confirm", "execute", "normalize"])
def test_crash_of_a_stage_between_two_messages_is_not_noticed(stage: str) -> None:
    world = World()
    world.say(OPENING)
    world.crash(stage)
    world.say("tira o Aya")
    world.crash(stage)
    [final] = world.say("sim")
    assert names(final) == {"TIM Fashion Mensal": ItemOutcome.SUCCEEDED, "Neymar Jr": ItemOutcome.SUCCEEDED}
    assert len(world.called("cancelar_produtos")) == 1


def test_disputed_charge_collects_item_then_amount_then_confirms() -> None:
    world = World()
    assert texts(world.say("quero contestar uma cobrança")) == ["Qual produto foi cobrado?"]
    assert texts(world.say("Cinema Pack")) == ["Qual o valor da cobrança?"]
    [question] = world.say("R$ 25,00")
    [again] = world.say("não, o valor é 19,90")
    world.say("isso mesmo")
    assert "25,00" in question.text
    assert "19,90" in again.text
    assert world.called("contestar_cobranca") == [{"customer_id": "11999999999", "item": "Cinema Pack", "amount": 19.9}]


def test_read_only_set_is_not_confirmed() -> None:
    world = World()
    [final] = world.say("quero consultar os pedidos P-100 e P-999", agent_id="retail_orders")
    assert final.metadata.multi_item_status is MultiItemStatus.PARTIAL_SUCCESS
    assert "IC.TRANSACTION_CONFIRMATION_SKIPPED" in world.event_types()


def test_customer_and_items_appear_in_no_event() -> None:
    world = World()
    world.say(OPENING)
    world.say("tira o Aya")
    world.say("sim")
    for event in world.events:
        said = event.model_dump_json()
        assert not any(secret in said for secret in ("11999999999", "3000131180", "Neymar", "Aya", "TIM"))


def test_call_lost_with_its_process_is_repeated_under_retry_with_the_same_key() -> None:
    world = World(scripts={"cancelar_pedidos": [lost(), cancelled_orders()]})
    world.say("quero cancelar os pedidos P-100 e P-102", agent_id="retail_orders")
    world.say("sim", agent_id="retail_orders")
    told = world.advance(60_000)
    assert [response.metadata.status for response in told] == [Status.COMPLETED]
    assert len({call.idempotency_key for call in world.calls}) == 1
    assert len(world.calls) == 2


def test_call_lost_with_its_process_is_asked_about_under_status() -> None:
    world = World(scripts={"cancelar_produtos": [lost()], "consultar_operacao": lambda _call: {"found": False}})
    world.say("quero cancelar o Neymar Jr")
    world.say("sim")
    world.advance(600_000)
    assert len(world.called("cancelar_produtos")) >= 1
    assert world.called("consultar_operacao") != []
    assert len(world.ends()) == 1


def test_call_lost_with_its_process_is_honestly_unknown_under_report() -> None:
    world = World(scripts={"contestar_cobranca": [lost()]})
    for text in ("quero contestar uma cobrança", "Cinema Pack", "25 reais", "sim"):
        world.say(text)
    [told] = world.advance(60_000)
    assert told.metadata.status is Status.OUTCOME_UNKNOWN
    assert len(world.called("contestar_cobranca")) == 1
    [late] = world.say("sim")
    assert "não vou repetir" in late.text
    assert len(world.called("contestar_cobranca")) == 1


def test_validator_that_can_not_be_reached_is_no_refusal() -> None:
    world = World(scripts={"validar_produtos_cancelamento": [not_sent()]})
    world.say(OPENING)
    world.advance(120_000)
    assert world.ends() == [Status.PREVALIDATION_ERROR]
    assert world.called("cancelar_produtos") == []


def test_validators_question_is_answered_and_validated_again() -> None:
    asks = {
        "eligible": False,
        "status": "NEEDS_PARAMETER",
        "parameter": "items",
        "message": "Qual deles, o Mensal ou o Anual?",
    }
    world = World(scripts={"validar_produtos_cancelamento": [asks, validated("1001")]})
    [question] = world.say("quero cancelar o TIM Fashion")
    [again] = world.say("o TIM Fashion Mensal")
    assert (question.text, question.metadata.kind) == ("Qual deles, o Mensal ou o Anual?", ResponseKind.QUESTION)
    assert again.metadata.kind is ResponseKind.CONFIRMATION
    world.say("sim")
    assert world.ends() == [Status.COMPLETED]


def test_everything_is_forgotten_in_the_end() -> None:
    world = World()
    world.say(OPENING)
    world.say("sim")
    world.advance(world.installation.timing.session_retention_ms * 2)
    assert [host.states for host in world._hosts.values()] == [{}, {}, {}, {}, {}]
