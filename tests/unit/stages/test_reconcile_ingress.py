"""What reconcile takes in, refuses, and recognises as already seen. Source: DESIGN 7 (Ingress and isolation)."""

from datetime import timedelta
from typing import Any

import pytest

from contracts.channel_response import ResponseKind
from contracts.gateway_request import GatewayRequest
from contracts.status import Status
from pipeline.decision import ContractViolation
from pipeline.policy import Limits
from pipeline.stages.reconcile import Reconcile
from tests.installation import catalogue, installation, request
from tests.unit.stages.reconciling import Talk

LONG = "a" * 16_385


@pytest.mark.parametrize(
    ("changes", "headers", "field", "answered"),
    [
        pytest.param({"channel": None}, {}, "channel", False, id="a missing channel"),
        pytest.param({"channel": ""}, {}, "channel", False, id="an empty channel"),
        pytest.param({"channel": "fax"}, {}, "channel", False, id="an unknown channel"),
        pytest.param({"tenant_id": None}, {}, "tenant_id", False, id="a missing tenant where none is configured"),
        pytest.param({"tenant_id": ""}, {}, "tenant_id", False, id="an empty tenant"),
        pytest.param({"tenant_id": "other"}, {}, "tenant_id", True, id="an unknown tenant"),
        pytest.param({"agent_id": None}, {}, "agent_id", False, id="a missing agent without global routing"),
        pytest.param({"agent_id": "nobody"}, {}, "agent_id", True, id="an unknown agent"),
        pytest.param({"payload": "oi"}, {}, "payload", False, id="a payload that is no object"),
        pytest.param({"payload__message": None}, {}, "payload.message", True, id="a missing message"),
        pytest.param({"payload__message": " \n"}, {}, "payload.message", True, id="a blank message"),
        pytest.param({"payload__message": LONG}, {}, "payload.message", True, id="a message above 16 kB"),
        pytest.param({"payload__session_id": None}, {}, "payload.session_id", False, id="a missing session"),
        pytest.param({"payload__session_id": " "}, {}, "payload.session_id", False, id="a blank session"),
        pytest.param(
            {"payload__session_id": "ç" * 200}, {}, "payload.session_id", False, id="a session too long for a key"
        ),
        pytest.param({"payload__message_id": None}, {}, "payload.message_id", True, id="a missing message id"),
        pytest.param({"payload__extra": "x" * 262_145}, {}, "payload", True, id="a request above 256 kB"),
        pytest.param(
            {"payload__metadata": {"contract_version": "gateway-request-v2"}},
            {},
            "payload.metadata.contract_version",
            True,
            id="an unknown major version",
        ),
        pytest.param(
            {"payload__metadata": {"contract_version": "gateway-request-v1"}},
            {"contract_version": "gateway-request-v2"},
            "headers.contract_version",
            True,
            id="a header that disagrees with the body",
        ),
        pytest.param(
            {},
            {"contract_version": "gateway-request-v2"},
            "headers.contract_version",
            True,
            id="a header that disagrees with a body without version",
        ),
        pytest.param(
            {"payload__metadata": {"arguments": {"items": ["x" * 16_384]}}},
            {},
            "payload.metadata.arguments",
            True,
            id="arguments above 16 kB",
        ),
        pytest.param({"payload__locale": "x" * 513}, {}, "payload.locale", True, id="a locale that is no locale"),
        pytest.param(
            {"payload__metadata": {"interrupted": "false"}},
            {},
            "payload.metadata.interrupted",
            True,
            id="a flag that is a text",
        ),
    ],
)
def test_request_is_refused_with_its_field_named(
    changes: dict[str, Any], headers: dict[str, str], field: str, answered: bool
) -> None:
    talk = Talk()

    talk.put_raw(request(**changes), headers=headers)
    talk.settle()

    [(stage, rejection)] = talk.dead_letters
    assert (stage, rejection.field) == ("reconcile", field)
    [event] = talk.events
    assert event.event_type == "NOC.CONTRACT_REJECTED"
    assert event.payload["field"] == field
    assert [response.metadata.kind for response in talk.responses] == [ResponseKind.NOTICE] * answered


@pytest.mark.parametrize(
    ("changes", "headers"),
    [
        pytest.param({}, {}, id="without a version"),
        pytest.param({"payload__metadata": {"contract_version": "gateway-request-v1"}}, {}, id="v1 in the body"),
        pytest.param(
            {"payload__metadata": {"contract_version": "gateway-request-v1.4"}}, {}, id="a newer minor version"
        ),
        pytest.param({}, {"contract_version": "gateway-request-v1"}, id="v1 in the header alone"),
        pytest.param(
            {"payload__metadata": {"contract_version": "gateway-request-v1.4"}},
            {"contract_version": "gateway-request-v1"},
            id="a header of the same major version",
        ),
        pytest.param({"payload__message": "a" * 16_384}, {}, id="a message of exactly 16 kB"),
        pytest.param({"something": 1, "payload__other": [1]}, {}, id="unknown fields"),
    ],
)
def test_request_is_taken(changes: dict[str, Any], headers: dict[str, str]) -> None:
    talk = Talk()

    talk.put_raw(request(**changes), headers=headers)
    talk.settle()

    assert talk.dead_letters == []
    assert talk.event_types()[0] == "IC.GATEWAY_RECEIVED"


@pytest.mark.parametrize(
    ("configured", "changes", "key"),
    [
        pytest.param({}, {}, "default:telecom_contas:s-1", id="as it is given"),
        pytest.param(
            {"default_tenant": "globex"}, {"tenant_id": None}, "globex:telecom_contas:s-1", id="default tenant"
        ),
        pytest.param(
            {"default_agent_id": "retail_orders"}, {"agent_id": None}, "default:retail_orders:s-1", id="global routing"
        ),
        pytest.param(
            {}, {"payload__session_id": "a:b c%"}, "default:telecom_contas:a%3Ab%20c%25", id="encoded, not cleaned"
        ),
    ],
)
def test_conversation_is_read_from_a_request(configured: dict[str, Any], changes: dict[str, Any], key: str) -> None:
    stage = Reconcile(installation(**configured), catalogue())
    assert stage.conversation_of(GatewayRequest.model_validate(request(**changes))) == key


def test_agent_is_refused_when_the_tenant_does_not_have_it() -> None:
    configured = installation(
        agents={
            "telecom_contas": {"tools": ["consultar_fatura"], "tenants": ["globex"]},
        }
    )
    stage = Reconcile(configured, catalogue())
    with pytest.raises(ContractViolation) as refused:
        stage.conversation_of(GatewayRequest.model_validate(request()))
    assert refused.value.field == "agent_id"


def test_bad_record_leaves_the_next_good_one_alone() -> None:
    talk = Talk()
    talk.put_raw(["no", "object"])
    talk.put_raw(request(channel=None))
    assert talk.say("quero cancelar")[-1].metadata.status is Status.COLLECTING_PARAMETERS
    assert len(talk.dead_letters) == 2


def test_rejected_request_is_answered_in_its_own_language() -> None:
    talk = Talk()
    talk.put_raw(request(payload__message=None, payload__locale="en"))
    talk.settle()
    assert talk.responses[0].text == "I could not read your message, and nothing was done. Could you send it again?"


# --- duplicates ---------------------------------------------------------------------------------------------------------


def test_duplicate_has_an_event_and_no_effect() -> None:
    talk = Talk()
    talk.say("quero cancelar", message_id="same")
    before = talk.now_state

    told = talk.say("quero cancelar", message_id="same")

    assert told == []
    assert talk.event_types()[-1] == "IC.MESSAGE_DUPLICATE"
    volatile = {"sequence", "touched_at"}
    assert talk.now_state.model_dump(exclude=volatile) == before.model_dump(exclude=volatile)


def test_duplicate_is_recognised_when_only_its_delivery_differs() -> None:
    talk = Talk()
    talk.say("quero cancelar", message_id="same", metadata={"request_id": "r-1"})
    talk.say("quero cancelar", message_id="same", metadata={"request_id": "r-2"})
    assert talk.event_types()[-1] == "IC.MESSAGE_DUPLICATE"
    assert talk.dead_letters == []


def test_message_id_used_again_for_other_content_is_refused() -> None:
    talk = Talk()
    talk.say("quero cancelar", message_id="same")

    told = talk.say("qual o valor da minha fatura?", message_id="same")

    assert [rejection.field for _, rejection in talk.dead_letters] == ["payload.message_id"]
    assert talk.event_types("NOC") == ["NOC.CONTRACT_REJECTED"]
    assert told[0].metadata.kind is ResponseKind.NOTICE
    assert talk.commands == []


def test_message_ids_are_remembered_up_to_the_limit() -> None:
    talk = Talk(limits=Limits(seen_max=2))
    for number in range(4):
        talk.say("oi", message_id=f"id-{number}")
    assert [message_id for message_id, _ in talk.now_state.seen] == ["id-2", "id-3"]


def test_same_message_id_in_another_conversation_is_another_message() -> None:
    talk = Talk()
    talk.say("quero cancelar", message_id="same")
    assert talk.say("quero cancelar", message_id="same", session_id="s-2")
    assert talk.say("quero cancelar", message_id="same", tenant_id="globex")
    assert "IC.MESSAGE_DUPLICATE" not in talk.event_types()


# --- identity -------------------------------------------------------------------------------------------------------------


def test_business_keys_once_given_stay() -> None:
    talk = Talk()
    talk.say("oi", business_context={"customer_key": "C-1", "metadata": {"source": "web"}})
    talk.say("oi", business_context={"customer_key": "C-2", "contract_key": "F-9", "metadata": {"page": "2"}})

    context = talk.now_state.session.business_context if talk.now_state.session else None
    assert context is not None
    assert (context.customer_key, context.contract_key) == ("C-1", "F-9")
    assert context.metadata == {"source": "web", "page": "2"}
    [changed] = [event for event in talk.events if event.event_type == "GRL.BUSINESS_KEY_CHANGED"]
    assert changed.payload["key"] == "customer_key"
    assert "C-1" not in str(changed)
    assert "C-2" not in str(changed)


def test_business_context_of_a_session_stays_bounded() -> None:
    talk = Talk()
    for number in range(40):
        talk.say("oi", business_context={"metadata": {f"k{number}": "x" * 1_000}})
    session = talk.now_state.session
    assert session is not None
    assert len(session.business_context.metadata) < 20


def test_callers_arguments_outside_the_schema_are_dropped() -> None:
    given = {"items": ["Deezer Premium"], "confirmed": True, "customer_id": "C-2", "drop": "table"}
    talk = Talk()
    talk.say("pode fazer", metadata={"tool_name": "cancelar_produtos", "arguments": given, "confirmed": True})
    assert talk.handed.transaction.arguments == {"items": ["Deezer Premium"]}


def test_tool_that_the_agent_does_not_list_is_denied() -> None:
    talk = Talk()
    told = talk.say("faz aí", metadata={"tool_name": "cancelar_pedidos"})
    assert "GRL.TOOL_DENIED" in talk.event_types()
    assert told[-1].metadata.guardrails == ["GRL.TOOL_DENIED"]
    assert talk.commands == []


def test_validator_can_not_be_asked_for_by_a_gateway() -> None:
    talk = Talk()
    talk.say("faz aí", metadata={"tool_name": "validar_produtos_cancelamento"})
    assert "GRL.TOOL_DENIED" in talk.event_types()


def test_message_without_a_readable_character_is_blocked() -> None:
    talk = Talk()
    told = talk.say("\u202e\u0007\u0001")
    assert talk.event_types("GRL") == ["GRL.INPUT_BLOCKED"]
    assert told[0].metadata.kind is ResponseKind.QUESTION


def test_locale_is_the_messages_else_the_sessions_else_the_agents() -> None:
    talk = Talk()
    assert talk.say("hmm")[0].text.startswith("Não entendi bem")
    assert talk.say("hmm", locale="es-MX")[0].text.startswith("No entendí bien")
    assert talk.say("hmm")[0].text.startswith("No entendí bien")


def test_trace_id_is_the_w3c_one_else_the_gateways_request_id() -> None:
    talk = Talk()
    trace = "0af7651916cd43dd8448eb211c80319c"
    talk.say("oi", headers={"traceparent": f"00-{trace}-b7ad6b7169203331-01"}, metadata={"request_id": "r-1"})
    talk.say("oi", metadata={"request_id": "r-2"})
    traces = [event.trace_id for event in talk.events if event.event_type == "IC.GATEWAY_RECEIVED"]
    assert traces == [trace, "r-2"]


# --- retention --------------------------------------------------------------------------------------------------------------


def test_quiet_conversation_is_forgotten() -> None:
    talk = Talk()
    talk.say("oi")
    kept = talk.installation.timing.session_retention_ms

    talk.advance(kept - 1_000)
    before = talk.now_state.session
    talk.advance(2_000)
    assert before is not None
    assert talk.now_state.session is None
    assert talk.agenda("reconcile", talk.conversation).timers == ()


def test_sequence_of_a_forgotten_conversation_begins_above_its_old_numbers() -> None:
    talk = Talk()
    talk.say("oi")
    talk.advance(talk.installation.timing.session_retention_ms + 1)
    talk.say("oi")
    numbers = [event.sequence for event in talk.events if event.sequence is not None]
    assert numbers == sorted(set(numbers))


def test_conversation_is_not_forgotten_while_a_stage_holds_its_transaction() -> None:
    talk = Talk()
    talk.say("quero cancelar o Deezer Premium")
    talk.advance(talk.installation.timing.session_retention_ms * 2)
    assert talk.now_state.open is not None


def test_operator_is_told_once_when_a_stage_holds_a_transaction_too_long() -> None:
    talk = Talk()
    talk.say("quero cancelar o Deezer Premium")
    talk.advance(talk.installation.timing.handed_on_ttl_ms * 5)
    assert talk.event_types("NOC") == ["NOC.RUNTIME_FAILED"]


def test_restored_state_goes_on_where_the_live_one_was() -> None:
    talk = Talk()
    talk.say("quero cancelar")
    talk.crash("reconcile")
    talk.say("o Deezer Premium")
    assert talk.handed.transaction.arguments == {"items": ["Deezer Premium"]}


def test_broker_time_of_the_opening_message_is_kept() -> None:
    talk = Talk()
    at = talk.now - timedelta(minutes=3)
    talk.say("quero cancelar o Deezer Premium", at=at)
    assert talk.handed.transaction.opened_at == at
