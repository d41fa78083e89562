"""One batch: nothing that a client can write stops a partition number, and what fails leaves nothing behind."""

from datetime import UTC, datetime, timedelta

import pytest

from contracts.gateway_request import GatewayRequest
from pipeline.decision import CallAnswer, CallOutcome, CallReturned, Decision, Input, Received, TimerFired
from pipeline.runtime.batch import Batch, Place, PoisonRecord
from pipeline.runtime.intake import Work
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.serde import MOVED_AT
from pipeline.runtime.state_store import StateStore
from pipeline.topology import GATEWAY_REQUESTS, STAGES, StageName
from tests.unit.runtime.echo import CONVERSATION, LARGEST, SETTINGS, TOPICS, EchoStage, Seen, request

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SPEC = next(spec for spec in STAGES[StageName.RECONCILE].inputs if spec.topic == GATEWAY_REQUESTS)
NUMBER = 1
KEY = CONVERSATION.encode()


class Dating(EchoStage):
    """Notes when what it decides was received."""

    def __init__(self) -> None:
        super().__init__()
        self.received: list[datetime] = []

    def decide(self, state: Seen, event: Input, now: datetime) -> Decision:
        assert isinstance(event, Received)
        self.received.append(event.at)
        return super().decide(state, event, now)


def batch(stage: EchoStage | None = None) -> Batch:
    stage = stage or EchoStage()
    place = Place(NUMBER, TOPICS, lambda _, __: NUMBER)
    return Batch(stage=stage, store=StateStore(stage, {}), settings=SETTINGS, place=place)


def work(value: bytes, *headers: tuple[str, bytes], key: bytes | None = KEY, condemned: bool = False) -> Work:
    record = RawRecord(GATEWAY_REQUESTS, NUMBER, 7, 5_000, key, value, headers)
    return Work(spec=SPEC, record=record, condemned=condemned)


def topics(made: Batch) -> list[str]:
    return [record.topic for record in made.outputs()]


def deep(levels: int) -> bytes:
    return request().replace(b'"metadata":{}}', b'"metadata":{"x":' + b"[" * levels + b"]" * levels + b"}}")


@pytest.mark.parametrize(
    "poison",
    [
        pytest.param(work(deep(300)), id="nested deeper than can be written"),
        pytest.param(work(deep(900)), id="nested deeper than can be walked"),
        pytest.param(work(b"{", (MOVED_AT, "\u00b2".encode())), id="a header that only looks like digits"),
        pytest.param(work(request(), key=None, condemned=True), id="refused in its right place"),
        pytest.param(work(request("x" * 3 * LARGEST), key=None), id="came compressed, too large to be moved"),
    ],
)
def test_whatever_a_client_writes_becomes_a_dead_letter_and_the_offset_goes_on(poison: Work) -> None:
    made = batch()
    made.decide(poison, NOW)
    assert topics(made) == ["dlq.reconcile"]
    assert list(made.offsets.values()) == [8]
    assert made.inputs == {GATEWAY_REQUESTS: 1}


def test_a_record_in_the_wrong_place_is_moved_as_long_as_it_fits() -> None:
    made = batch()
    made.decide(work(request(), key=None), NOW)
    assert topics(made) == [GATEWAY_REQUESTS]


def test_moved_record_is_decided_at_its_first_broker_time_and_a_header_alone_changes_nothing() -> None:
    stage, made = Dating(), batch()
    made.decide(work(request(), key=None), NOW)
    (moved,) = made.outputs()
    arrived = RawRecord(GATEWAY_REQUESTS, NUMBER, 8, 9_000, moved.key, moved.value, moved.headers)
    told = batch(stage)
    told.decide(Work(spec=SPEC, record=arrived), NOW)
    told.decide(work(request(), (MOVED_AT, b"1000")), NOW)
    assert [at.timestamp() for at in stage.received] == [5, 5]


def test_giving_up_a_record_that_can_not_be_shown_still_dead_letters_it() -> None:
    made, stage = batch(), EchoStage()
    made = batch(stage)
    made.give_up(work(deep(50)), "it failed", NOW)
    unwritable: dict[str, object] = {}
    unwritable["x"] = unwritable
    value = GatewayRequest.model_validate_json(request()).model_copy(update={"metadata": unwritable})
    rejection = made._rejection(work(request()), "PoisonRecord", "it failed", value)
    assert rejection.data is None
    assert topics(made) == ["dlq.reconcile"]


def test_a_dead_letter_that_is_larger_than_the_client_sends_keeps_its_origin_and_leaves_its_bytes() -> None:
    made = batch()
    made.decide(work(b"[" + b" " * 3 * LARGEST + b"]", ("h", b"x" * 10)), NOW)
    (letter,) = made.outputs()
    headers = dict(letter.headers)
    assert letter.value is None
    assert (headers["dlq_origin_offset"], headers["dlq_error"]) == (b"7", b"ContractViolation")
    assert int(headers["dlq_bytes_left_out"]) > 3 * LARGEST


def test_a_dead_letter_of_the_usual_size_keeps_its_bytes() -> None:
    made = batch()
    value = b"[" + b" " * LARGEST + b"]"
    made.decide(work(value, ("h", b"x")), NOW)
    (letter,) = made.outputs()
    assert (letter.value, dict(letter.headers)["h"]) == (value, b"x")


def test_failure_leaves_the_batch_as_it_was() -> None:
    made = batch()
    made.decide(work(request("first")), NOW)
    before = (made.outputs(), dict(made.offsets))
    with pytest.raises(ValueError, match="raise"):
        made.decide(work(request("raise it")), NOW)
    with pytest.raises(PoisonRecord):
        made.decide(work(request("x" * 70_000)), NOW)
    assert (made.outputs(), made.offsets) == before


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(TimerFired(timer_id="t", due_at=NOW + timedelta(1)), id="a timer"),
        pytest.param(
            CallReturned(call_id="c", attempt=1, answer=CallAnswer(outcome=CallOutcome.UNKNOWN)), id="unknown already"
        ),
    ],
)
def test_giving_up_what_has_nothing_in_its_place_is_said_and_not_passed_over(event: TimerFired | CallReturned) -> None:
    with pytest.raises(PoisonRecord):
        batch().give_up(Work(conversation=CONVERSATION, event=event), "it failed", NOW)


class Listening(EchoStage):
    """Takes outcomes, and notes them."""

    def __init__(self) -> None:
        super().__init__()
        self.outcomes: list[CallOutcome] = []

    def decide(self, state: Seen, event: Input, now: datetime) -> Decision:
        del state, now
        assert isinstance(event, CallReturned)
        self.outcomes.append(event.answer.outcome)
        return Decision()


def test_an_outcome_whose_commit_the_broker_refuses_counts_as_unknown_and_does_not_stop_the_number() -> None:
    stage = Listening()
    returned = CallReturned(call_id="c", attempt=1, answer=CallAnswer(outcome=CallOutcome.OK))
    batch(stage).decide(Work(conversation=CONVERSATION, event=returned, condemned=True), NOW)
    assert stage.outcomes == [CallOutcome.UNKNOWN]
