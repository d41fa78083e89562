"""Messages while another stage holds the transaction, statuses and their order. Source: DESIGN 4, notes: scenarios 11, 13, 23."""

from typing import Any

import pytest

from contracts.agent_state import AgentState, Holder
from contracts.channel_response import ResponseKind
from contracts.confirm_command import VerdictKind
from contracts.event_envelope import EventEnvelope
from contracts.status import Status
from contracts.transaction_status import TransactionStatus
from pipeline import topology
from pipeline.decision import Position, Rejection
from pipeline.policy import Limits
from tests.unit.stages.reconciling import Talk


def busy(**changes: Any) -> Talk:
    """A conversation whose transaction is with pre-validate."""
    talk = Talk(**changes)
    talk.say("quero cancelar o Deezer")
    return talk


def test_messages_wait_in_order_while_a_stage_holds_the_transaction() -> None:
    talk = busy()
    assert talk.say("primeiro") == []
    assert talk.say("segundo") == []
    assert [message.text for message in talk.now_state.waiting] == ["primeiro", "segundo"]
    assert talk.event_types()[-1] == "IC.MESSAGE_WAITING"


def test_full_waiting_list_is_answered() -> None:
    talk = busy(limits=Limits(waiting_max=1))
    talk.say("primeiro")
    [told] = talk.say("segundo")
    assert told.metadata.kind is ResponseKind.NOTICE
    assert "Ainda estou cuidando" in told.text
    assert [event.payload["kept"] for event in talk.events if event.event_type == "IC.MESSAGE_WAITING"] == [True, False]


def test_waiting_list_is_bounded_in_bytes() -> None:
    talk = busy(limits=Limits(waiting_max=1_000, payload_bytes=30_000))
    for _ in range(5):
        talk.say("x" * 10_000)
    assert len(talk.now_state.waiting) == 3


def test_waiting_bytes_count_what_waits() -> None:
    talk = busy()
    talk.say("é")
    stage = talk._hosts["reconcile"].stage
    assert stage.waiting_bytes(talk.now_state) == 2


def test_requests_deferred_behind_a_question_do_not_pause_the_input_that_frees_them() -> None:
    talk = Talk()
    talk.say("quero cancelar o Deezer e também me mostra a fatura")
    assert talk.now_state.deferred
    assert talk._hosts["reconcile"].stage.waiting_bytes(talk.now_state) == 0


def test_waiting_messages_are_drained_one_verdict_at_a_time() -> None:
    talk = busy()
    talk.say("tira o Deezer e põe o Babbel")
    talk.say("sim")
    talk.ask()
    assert len(talk.verdicts) == 1
    assert [message.text for message in talk.now_state.waiting] == ["sim"]


def test_several_waiting_messages_are_taken_up_at_once_when_each_ends_at_once() -> None:
    talk = busy()
    talk.say("meu gato")
    talk.say("meu cachorro")
    talk.say("qual o valor da minha fatura?")
    talk.status(Status.COMPLETED)
    assert talk.now_state.waiting == ()
    assert talk.handed.transaction.tool == "consultar_fatura"
    answered = [response.metadata.message_id for response in talk.responses]
    assert answered == ["m-2", "m-3"]


def test_kept_requests_come_before_waiting_messages() -> None:
    talk = Talk()
    talk.say("cancela o Deezer e me mostra a fatura")
    talk.say("quero contestar uma cobrança")
    talk.status(Status.COMPLETED)
    assert talk.handed.transaction.tool == "consultar_fatura"
    talk.status(Status.COMPLETED)
    assert talk.now_state.open is not None
    assert talk.now_state.open.tool == "contestar_cobranca"


def test_waiting_message_answers_the_validators_question() -> None:
    talk = Talk()
    talk.say("quero contestar uma cobrança")
    talk.say("Cinema Pack")
    talk.say("25 reais")
    talk.status(
        Status.COLLECTING_PARAMETERS,
        stage="pre-validate",
        arguments={"item": "Cinema Pack"},
        parameter="amount",
        parameter_message="Não achei esse valor. Qual foi?",
    )
    assert talk.now_state.open is not None
    assert talk.now_state.open.pending == "amount"
    talk.say("foi 19,90")
    assert talk.handed.transaction.arguments == {"item": "Cinema Pack", "amount": 19.9}
    assert talk.handed.transaction.revision == 2
    assert talk.handed.amended is False


def test_validators_own_question_is_what_is_asked_again() -> None:
    talk = busy()
    talk.status(Status.COLLECTING_PARAMETERS, arguments={}, parameter="items", parameter_message="O Mensal ou o Anual?")
    [again] = talk.say("não sei")
    assert again.text == "Desculpe, não entendi. O Mensal ou o Anual?"


def test_validators_question_expires_like_any_other() -> None:
    talk = busy()
    talk.status(Status.COLLECTING_PARAMETERS, arguments={}, parameter="items", parameter_message="Qual?")
    [told] = talk.advance(talk.installation.timing.collecting_ttl_ms + 1)
    assert told.metadata.status is Status.EXPIRED


def test_unannounced_question_of_the_validator_is_asked_by_reconcile() -> None:
    talk = busy()
    [told] = talk.status(Status.COLLECTING_PARAMETERS, arguments={}, parameter="items", announced=False)
    assert told.text == "Quais produtos você quer cancelar?"


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"transaction_id": "tx_other"}, id="of another transaction"),
        pytest.param({"revision": 1}, id="of an older revision"),
    ],
)
@pytest.mark.parametrize("status", [Status.COMPLETED, Status.EXECUTING, Status.EXPIRED])
def test_stale_status_changes_nothing(status: Status, fields: dict[str, object]) -> None:
    talk = busy()
    talk.ask()
    talk.say("sim, e também o Babbel")
    talk.grant(VerdictKind.AMEND)
    before, said = talk.now_state, len(talk.records)
    assert before.open is not None
    assert before.open.revision == 2

    talk.status(status, **fields)

    assert talk.now_state == before
    assert len(talk.records) == said


def test_status_of_a_conversation_nothing_is_known_of_changes_nothing() -> None:
    talk = busy()
    turn = talk.handed.turn.model_copy(
        update={"conversation_key": "default:telecom_contas:other", "session_id": "other"}
    )
    talk.status(Status.COMPLETED, turn=turn)
    assert talk.now_state.open is not None


@pytest.mark.parametrize(
    "status",
    [status for status in Status if status.terminal],
)
def test_terminal_status_frees_the_conversation(status: Status) -> None:
    talk = busy()
    assert talk.status(status) == []
    assert talk.now_state.open is None
    talk.say("qual o valor da minha fatura?")
    assert talk.handed.transaction.tool == "consultar_fatura"


def test_end_that_nobody_announced_is_told_by_reconcile() -> None:
    talk = busy()
    [told] = talk.status(Status.FAILED, announced=False)
    assert told.metadata.kind is ResponseKind.FINAL
    assert told.metadata.status is Status.FAILED


def test_moved_tool_is_followed() -> None:
    talk = busy()
    talk.ask(tool="contestar_cobranca", arguments={"item": "Deezer"})
    assert talk.now_state.open is not None
    assert (talk.now_state.open.tool, talk.now_state.open.requested_tool) == ("contestar_cobranca", "cancelar_produtos")


@pytest.mark.parametrize(
    ("status", "ends"),
    [
        pytest.param("COMPLETED", True, id="an end"),
        pytest.param("AWAITING_CONFIRMATION", True, id="a question"),
        pytest.param(None, True, id="anything at all"),
        pytest.param("EXECUTING", False, id="a stage in between"),
    ],
)
def test_conversation_does_not_hang_when_a_status_is_lost(status: str | None, ends: bool) -> None:
    talk = busy()
    stage = talk._hosts["reconcile"].stage
    rejection = Rejection(
        position=Position(topic=topology.STATUS, partition=0, offset=7),
        at=talk.now,
        error="UndecodableRecord",
        text="proposal: is missing",
        data={"status": status} if status else None,
        conversation=talk.conversation,
    )

    decision = stage.reject(talk.now_state, rejection, talk.now)

    assert decision.dead_letter is rejection
    events = [record.value for record in decision.records if isinstance(record.value, EventEnvelope)]
    assert [event.event_type for event in events] == ["NOC.DLQ"]
    [written] = decision.writes
    assert isinstance(written.body, AgentState)
    assert (written.body.open is None) is ends
    assert (len(decision.records) == 2) is ends


def test_status_tells_when_the_stage_was_last_known_to_begin() -> None:
    talk = busy()
    talk.ask()
    talk.say("sim")
    talk.advance(60_000)
    talk.grant(VerdictKind.ACCEPT)
    assert talk.now_state.open is not None
    assert talk.now_state.open.holder is Holder.STAGES
    assert talk.now_state.open.handed_on_at is not None
    assert (talk.now - talk.now_state.open.handed_on_at).total_seconds() < 1


def test_every_message_is_answered_or_handed_on() -> None:
    talk = busy()
    for text in ("a", "b", "c"):
        talk.say(text)
    talk.status(Status.COMPLETED)
    answered = {response.metadata.message_id for response in talk.responses}
    assert {"m-2", "m-3", "m-4"} <= answered


def test_interleaved_customers_do_not_see_each_other() -> None:
    talk = Talk()
    talk.say("quero cancelar", session_id="a")
    talk.say("quero contestar uma cobrança", session_id="b")
    talk.say("Deezer", session_id="a")
    talk.say("Cinema Pack", session_id="b")
    [command] = talk.commands
    assert command.turn.session_id == "a"
    assert command.transaction.arguments == {"items": ["Deezer"]}
    assert isinstance(talk.say("25", session_id="b"), list)
    assert talk.handed.transaction.arguments == {"item": "Cinema Pack", "amount": 25}
    assert not any(isinstance(record.value, TransactionStatus) for record in talk.records)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("sim", "prazo para confirmar já tinha acabado", id="a yes"),
        pytest.param("meu gato", "Não entendi", id="something else"),
    ],
)
def test_reply_that_crosses_the_expiry_is_answered(text: str, said: str) -> None:
    talk = busy()
    talk.ask()
    assert talk.say(text) == []
    [told] = talk.status(Status.EXPIRED)  # by its timer: the status is about the message that asked
    assert told.metadata.message_id == "m-2"
    assert said in told.text
