"""The kit for channel gateways, against the pipeline's own reading: what it builds is taken, what it reads is delivered once."""

from typing import Any

import pytest

from contracts.channel_response import ChannelResponse, ResponseKind
from contracts.gateway_kit import Freshness, GatewayRecord, Inbox, message_id, record, responses_topic
from contracts.gateway_request import GatewayRequest
from contracts.status import ItemOutcome
from pipeline import topology
from pipeline.runtime import serde
from pipeline.runtime.ports import RawRecord
from pipeline.testing.driver import Driver
from pipeline.testing.tools import ScriptedTools
from tests.installation import HELD, installation
from tests.stages import stages

TEXT = "quero cancelar TIM Fashion Mensal e Neymar Jr"
VALID = {"eligible": True, "transaction_decision": {"resolved_arguments": {}, "target_tool": "cancelar_produtos"}}
DONE = {"ok": True, "results": [{"name": HELD[0], "success": True, "protocol": "A1"}, {"name": HELD[2], "ok": False}]}


def made(text: str = TEXT, number: int = 1, **changes: Any) -> GatewayRecord:
    fields: dict[str, Any] = {
        "channel": "whatsapp",
        "tenant_id": "default",
        "agent_id": "telecom_contas",
        "session_id": "s:1",
        "channel_message_id": f"wamid.{number}",
        "text": text,
        "business_context": {"customer_key": "123"},
        **changes,
    }
    return record(**fields)


def taken(given: GatewayRecord) -> GatewayRequest:
    """As the first stage reads it."""
    raw = RawRecord("gateway.requests", 0, 0, 0, given.key, given.value, given.headers)
    value = serde.decode(raw, GatewayRequest, "gateway.requests", internal=False)
    assert isinstance(value, GatewayRequest), value
    return value


def talk(*said: GatewayRecord) -> list[bytes]:
    """What the five stages answer."""
    tools = ScriptedTools({"validar_produtos_cancelamento": [VALID], "cancelar_produtos": [DONE]})
    driver = Driver(installation(), stages(installation()), tools)
    for one in said:
        request = taken(one).model_dump(mode="json")
        driver.put_raw(request, headers=serde.text_headers(RawRecord("t", 0, 0, 0, None, None, one.headers)))
        driver.settle()
    assert {r.key for r in driver.records if isinstance(r.value, ChannelResponse)} == {said[0].key.decode()}
    return [serde.encode(response) for response in driver.responses]


def test_a_record_of_the_kit_is_what_the_first_stage_reads() -> None:
    given = made(locale="pt-BR", user_id="u-1", confirmation="tok", interrupted=True, traceparent="00-x")
    assert taken(given) == given.request
    assert given.key == b"default:telecom_contas:s%3A1"
    assert dict(given.headers)["contract_version"] == b"gateway-request-v1"
    assert given.request.payload.metadata.interrupted is True


def test_the_same_message_of_a_channel_is_the_same_record() -> None:
    assert made() == made()
    assert made().request.payload.message_id != made(number=2).request.payload.message_id
    assert message_id("web", "1") != message_id("voice", "1")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        pytest.param({"text": " "}, "message", id="nothing said"),
        pytest.param({"channel_message_id": ""}, "channel_message_id", id="no id of the channel"),
        pytest.param({"session_id": ""}, "session_id", id="no session"),
        pytest.param({"tenant_id": ""}, "tenant_id", id="no tenant"),
        pytest.param({"agent_id": " "}, "agent_id", id="no agent"),
        pytest.param({"channel": ""}, "channel", id="no channel"),
        pytest.param({"business_context": {"customer_key": 7}}, "customer_key", id="a key that is a number"),
    ],
)
def test_a_record_that_would_be_refused_is_not_made(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        made(**changes)


def test_topics_are_the_pipelines_own() -> None:
    assert responses_topic("web") == topology.responses("web")


def test_a_conversation_is_read_from_question_to_the_fate_of_every_item() -> None:
    inbox = Inbox()
    question, final = (inbox.take(value) for value in talk(made(), made("sim", 2)))
    assert (question.kind, question.awaits_reply, question.freshness) == (
        ResponseKind.CONFIRMATION,
        True,
        Freshness.NEW,
    )
    assert question.token
    assert {reply for _, reply in question.buttons} >= {"sim", "não"}
    assert (final.kind, final.awaits_reply, final.session_id) == (ResponseKind.FINAL, False, "s:1")
    assert [(item.subject, item.outcome) for item in final.items] == [
        (HELD[0], ItemOutcome.SUCCEEDED),
        (HELD[2], ItemOutcome.FAILED),
    ]


def test_what_is_read_again_is_not_delivered_again() -> None:
    values = talk(made(), made("sim", 2))
    inbox = Inbox()
    assert [inbox.take(value).freshness for value in values] == [Freshness.NEW] * 2
    assert [inbox.take(value).freshness for value in values] == [Freshness.REPEATED] * 2


def test_what_could_not_be_delivered_is_new_when_it_is_read_again() -> None:
    inbox = Inbox()
    for value in talk(made(), made("sim", 2)):
        inbox.forget(inbox.take(value))
        assert inbox.take(value).freshness is Freshness.NEW
        assert inbox.take(value).freshness is Freshness.REPEATED


def test_a_question_that_was_overtaken_is_not_asked_any_more() -> None:
    first, amended, final = talk(made(), made("tira o Neymar Jr", 2), made("sim", 3))
    inbox = Inbox()
    assert inbox.take(amended).freshness is Freshness.NEW
    assert inbox.take(first).freshness is Freshness.OVERTAKEN
    inbox = Inbox()
    assert inbox.take(final).freshness is Freshness.NEW
    assert [inbox.take(value).freshness for value in (first, amended)] == [Freshness.OVERTAKEN] * 2


def test_an_inbox_remembers_no_more_than_it_may() -> None:
    values = talk(made(), made("sim", 2))
    inbox = Inbox(remembered=1)
    assert [inbox.take(value).freshness for value in values] == [Freshness.NEW] * 2
    assert len(inbox._seen) == len(inbox._transactions) == 1


@pytest.mark.parametrize("value", [pytest.param(b"{", id="no JSON"), pytest.param(b"{}", id="another object")])
def test_what_is_no_response_is_refused(value: bytes) -> None:
    with pytest.raises(ValueError, match="ChannelResponse"):
        Inbox().take(value)
