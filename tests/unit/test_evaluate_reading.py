"""How records become counts: what is read of each topic, and what is no contract of ours."""

from dataclasses import replace

import pytest

from consumers.evaluate.counting import Counting, Period
from consumers.evaluate.measures import evaluate
from consumers.evaluate.reading import names_of, take
from contracts.base import Contract
from pipeline import topology
from pipeline.runtime.moving import moved_headers
from pipeline.runtime.ports import RawRecord
from pipeline.settings import PipelineSettings
from tests.unit.evaluated import NAMING, TALK, at, event, story

SECRET = "a secret of tests"
REQUEST = b'{"channel":"web","payload":{"message":"sim","session_id":"s-1","message_id":"m1"}}'


def record(
    value: bytes | None, *, seconds: float = 0, key: bytes = TALK.encode(), moved: float | None = None
) -> RawRecord:
    """`moved`: when the broker first saw it, where it was moved."""
    first = RawRecord("any", partition=0, offset=0, timestamp_ms=milliseconds(moved or 0), key=None, value=value)
    headers = () if moved is None else moved_headers(first, key, SECRET)
    return RawRecord(
        topic="any", partition=0, offset=0, timestamp_ms=milliseconds(seconds), key=key, value=value, headers=headers
    )


def milliseconds(seconds: float) -> int:
    return int(at(seconds).timestamp() * 1000)


def json_of(said: Contract) -> bytes:
    return said.model_dump_json().encode()


STRUCTURED = replace(
    record(b'{"specversion":"1.0","id":"1","source":"/web","type":"said","data":' + REQUEST + b"}", seconds=0.1),
    headers=(("content-type", b"application/cloudevents+json"),),
)


@pytest.fixture
def counting() -> Counting:
    return Counting(Period(since=at(-60), until=at(600), read_at=at(7_200)), NAMING)


def test_the_story_is_read_from_its_topics(counting: Counting) -> None:
    for seconds, said in story().values():
        topic = topology.responses("web") if hasattr(said, "text") else topology.EVENTS_IC
        take(topic, record(json_of(said), seconds=seconds), counting, SECRET)
    total = evaluate(counting.counted()).total
    assert (total.transactions, total.faults, counting.unreadable) == (1, [], 0)


@pytest.mark.parametrize(
    ("requests", "waited"),
    [
        pytest.param([record(REQUEST, seconds=0.1)], 0.4, id="by the broker"),
        pytest.param([record(REQUEST, seconds=0.15, moved=-2)], 2.5, id="a moved record by its first arrival"),
        pytest.param([record(REQUEST, seconds=0.1), record(REQUEST, seconds=5)], 0.4, id="sent twice, by the first"),
        pytest.param(
            [replace(record(REQUEST, seconds=0.1), headers=(("first_broker_time", b"0"),))],
            0.4,
            id="not by a time that a client wrote",
        ),
        pytest.param([STRUCTURED], 0.4, id="in a structured CloudEvent"),
        pytest.param([record(REQUEST, seconds=-9, key=b"somebody:else:s-1")], 0.3, id="not by another conversation's"),
    ],
)
def test_a_message_arrives(counting: Counting, requests: list[RawRecord], waited: float) -> None:
    for request in requests:
        take(topology.GATEWAY_REQUESTS, request, counting, SECRET)
    for seconds, said in story().values():
        take(
            topology.responses("web") if hasattr(said, "text") else "events.ic",
            record(json_of(said), seconds=seconds),
            counting,
            SECRET,
        )
    assert evaluate(counting.counted()).total.to_question_s == pytest.approx([waited])


@pytest.mark.parametrize("prefix", ["", "shop"])
def test_answers_of_a_channel_that_is_configured_no_longer_are_read_and_no_other_installation_s(prefix: str) -> None:
    settings = PipelineSettings(prefix=prefix)
    others = {"other.channel.web.responses", "other.channel.fax.responses", "channel.responses", "state.confirm"}
    present = {settings.named("channel.fax.responses"), settings.named("events.ic"), *others}
    if prefix:
        present |= {"channel.fax.responses", "shop2.channel.sms.responses"}
    assert names_of(settings, ("web",), present) == [
        settings.named(topic)
        for topic in (topology.GATEWAY_REQUESTS, *topology.EVENTS, "channel.fax.responses", "channel.web.responses")
    ]


@pytest.mark.parametrize("value", [b"{", b"[]", b"", None, b'{"event_type": "X"}', b"\xff"])
def test_a_record_that_is_no_contract_is_counted_on_our_topics_only(counting: Counting, value: bytes | None) -> None:
    for topic in (topology.EVENTS_IC, topology.responses("web"), topology.GATEWAY_REQUESTS):
        take(topic, record(value), counting, SECRET)
    assert counting.unreadable == 2


def test_unknown_events_of_a_later_version_are_passed_over(counting: Counting) -> None:
    _, later = event(1, "IC.SOMETHING_NEW")
    take(topology.EVENTS_IC, record(json_of(later)), counting, SECRET)
    found = evaluate(counting.counted())
    assert (found.total.transactions, found.traffic.began_before, counting.unreadable) == (0, 1, 0)
