"""The in-memory driver of pipeline/testing: what it promises to notice."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from pydantic import BaseModel

from contracts.base import Contract
from contracts.checkpoint import Checkpoint
from contracts.event_envelope import EventEnvelope
from contracts.gateway_request import GatewayRequest
from contracts.identity import conversation_key
from pipeline import topology
from pipeline.decision import (
    Agenda,
    CallGranted,
    CallLost,
    CallReturned,
    ContractViolation,
    Decision,
    Input,
    Received,
    Record,
    Rejection,
    StateWrite,
    Timer,
    TimerFired,
)
from pipeline.ledger import LedgerEntry
from pipeline.testing.driver import Driver
from pipeline.testing.tools import Answer, ScriptedTools, answered, lost, not_sent
from tests.installation import installation, request

TTL = timedelta(seconds=10)


class Body(BaseModel):
    """Everything the toy stage keeps."""

    said: list[str] = []
    entry: LedgerEntry | None = None
    due_at: datetime | None = None
    ends: list[str] = []


@dataclass(frozen=True)
class Known:
    conversation: str
    body: Body = field(default_factory=Body)


class Toy:
    """Stands in the place of reconcile: remembers messages; "call" queues a call, "wait" sets a timer."""

    name = "reconcile"

    def conversation_of(self, value: Contract) -> str:
        assert isinstance(value, GatewayRequest)
        if value.tenant_id is None or value.agent_id is None:
            raise ContractViolation("tenant_id", "is required")
        return conversation_key(value.tenant_id, value.agent_id, value.payload.session_id)

    def initial(self, conversation: str) -> Known:
        return Known(conversation)

    def decide(self, state: Known, event: Input, now: datetime) -> Decision:
        body = state.body
        match event:
            case Received(value=GatewayRequest() as heard):
                text = heard.payload.message
                body = body.model_copy(update={"said": [*body.said, text]})
                if text == "call":
                    entry = LedgerEntry(
                        call_id="c-1", server="toys", tool="toy", idempotency_key="k-1", timeout_ms=1_000
                    )
                    body = body.model_copy(update={"entry": entry})
                if text == "wait":
                    body = body.model_copy(update={"due_at": now + TTL})
            case CallGranted(incarnation=incarnation):
                assert body.entry is not None
                body = body.model_copy(update={"entry": body.entry.calling(incarnation, now)})
            case CallReturned(answer=answer):
                body = self.settled(body, answer.outcome.value)
            case CallLost():
                body = self.settled(body, "lost")
            case TimerFired():
                body = body.model_copy(update={"due_at": None, "ends": [*body.ends, "fired"]})
        return Decision(writes=(StateWrite(key=state.conversation, sequence=1, body=body),))

    def settled(self, body: Body, how: str) -> Body:
        assert body.entry is not None
        return body.model_copy(update={"entry": body.entry.settled(), "ends": [*body.ends, how]})

    def reject(self, state: Known | None, rejection: Rejection, now: datetime) -> Decision:
        del state, now
        return Decision(dead_letter=rejection)

    def replay(self, state: Known, key: str, checkpoint: Checkpoint | None) -> Known:
        del key
        body = Body() if checkpoint is None else Body.model_validate(checkpoint.body)
        return replace(state, body=body)

    def agenda(self, state: Known) -> Agenda:
        timers = (Timer(timer_id="t", due_at=state.body.due_at),) if state.body.due_at else ()
        calls = state.body.entry.agenda().calls if state.body.entry else ()
        return Agenda(calls=calls, timers=timers)

    def waiting_bytes(self, state: Known) -> int:
        del state
        return 0

    def is_empty(self, state: Known) -> bool:
        return state.body == Body()


def world(stage: Any = None, *, answer: Any = None) -> Driver:
    return Driver(installation(), [stage or Toy()], ScriptedTools({"toy": [answer]}))


def body(driver: Driver) -> Body:
    state = driver.state("reconcile", "default:telecom_contas:s-1")
    assert isinstance(state, Known)
    return state.body


def test_driver_keeps_what_a_stage_wrote_over_a_crash() -> None:
    driver = world()
    driver.say("one")
    driver.crash("reconcile")
    driver.say("two")
    assert body(driver).said == ["one", "two"]


@pytest.mark.parametrize(
    ("answer", "end"),
    [
        pytest.param({"ok": True}, "ok", id="a bare value is a readable answer"),
        pytest.param(not_sent(), "not_sent", id="never sent"),
    ],
)
def test_driver_reports_what_a_tool_answers(answer: Any, end: str) -> None:
    driver = world(answer=answer)
    driver.say("call")
    assert body(driver).ends == [end]
    assert [call.idempotency_key for call in driver.calls] == ["k-1"]


def test_driver_delivers_a_slow_answer_when_its_time_has_come() -> None:
    driver = world(answer=answered({"ok": True}, after_ms=500))
    driver.say("call")
    driver.advance(400)
    assert body(driver).ends == []
    driver.advance(200)
    assert body(driver).ends == ["ok"]


def test_driver_reports_a_lost_call_after_its_deadline_and_the_clock_skew() -> None:
    driver = world(answer=lost())
    driver.say("call")
    driver.advance(1_000 + driver.installation.timing.clock_skew_ms - 100)
    assert body(driver).ends == []
    driver.advance(200)
    assert body(driver).ends == ["lost"]
    assert len(driver.calls) == 1


def test_driver_loses_a_running_call_with_its_process() -> None:
    driver = world(answer=answered({"ok": True}, after_ms=500))
    driver.say("call")
    driver.crash("reconcile")
    driver.advance(60_000)
    assert body(driver).ends == ["lost"]


def test_driver_fires_timers_on_the_virtual_clock() -> None:
    driver = world()
    driver.say("wait")
    driver.advance(9_000)
    assert body(driver).ends == []
    driver.advance(2_000)
    assert body(driver).ends == ["fired"]


def test_driver_hands_a_bad_record_to_reject() -> None:
    driver = world()
    driver.put_raw(request(tenant_id=None))
    driver.put_raw({"channel": "web"})
    driver.settle()
    assert [rejection.field for _, rejection in driver.dead_letters] == ["tenant_id", "payload"]


class Forgetful(Toy):
    """Live state is not what the checkpoints give."""

    def replay(self, state: Known, key: str, checkpoint: Checkpoint | None) -> Known:
        known = super().replay(state, key, checkpoint)
        return replace(known, body=known.body.model_copy(update={"said": [*state.body.said, *known.body.said]}))


class Moody(Toy):
    """Decides the same input in two ways."""

    turn = 0

    def decide(self, state: Known, event: Input, now: datetime) -> Decision:
        self.turn += 1
        return super().decide(state, event, now + timedelta(seconds=self.turn))


class Chatty(Toy):
    """Writes to a topic that is not its own."""

    def decide(self, state: Known, event: Input, now: datetime) -> Decision:
        envelope = EventEnvelope(
            event_type="IC.X", timestamp=now, tenant_id="", agent_id="", session_id="", trace_id=""
        )
        return Decision(records=(Record(topic=topology.EXECUTE, key=state.conversation, value=envelope),))


class Nosy(Toy):
    """Writes state of another conversation."""

    def decide(self, state: Known, event: Input, now: datetime) -> Decision:
        return Decision(writes=(StateWrite(key="a:b:c", sequence=1, body=Body(said=["x"])),))


class Stuck(Toy):
    """Leaves a fired timer in its agenda."""

    def decide(self, state: Known, event: Input, now: datetime) -> Decision:
        return Decision() if isinstance(event, TimerFired) else super().decide(state, event, now)


@pytest.mark.parametrize(
    ("stage", "text", "why"),
    [
        pytest.param(Forgetful(), "hello", "differs from the replayed one", id="live state is not the replayed one"),
        pytest.param(Moody(), "wait", "in two ways", id="a decision depends on something else"),
        pytest.param(Chatty(), "hello", "may not write to", id="a foreign topic"),
        pytest.param(Nosy(), "hello", "is not of", id="a foreign conversation"),
        pytest.param(Stuck(), "wait", "would fire for ever", id="a timer that stays due"),
    ],
)
def test_driver_notices(stage: Toy, text: str, why: str) -> None:
    driver = world(stage)

    def play() -> None:
        driver.say(text)
        driver.say("again")
        driver.advance(20_000)

    with pytest.raises(AssertionError, match=why):
        play()


def test_scripts_are_used_in_order_and_the_last_one_stays() -> None:
    driver = Driver(installation(), [Toy()], ScriptedTools({"toy": [{"n": 1}, {"n": 2}]}))
    for session in ("s-1", "s-2", "s-3"):
        driver.say("call", session_id=session)
    assert len(driver.calls) == 3
    assert isinstance(answered({}), Answer)
