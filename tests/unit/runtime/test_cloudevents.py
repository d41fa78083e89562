"""CloudEvents, by an independent reader and writer: the CNCF SDK understands what we write, we understand what it writes."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from cloudevents.core.bindings import kafka as binding
from cloudevents.core.v1.event import CloudEvent

from contracts.event_envelope import EventEnvelope
from contracts.gateway_request import GatewayRequest
from pipeline import topology
from pipeline.decision import Rejection
from pipeline.runtime import serde
from pipeline.runtime.ports import RawRecord
from pipeline.testing.invariants import Invariants
from pipeline.testing.plan import draw
from pipeline.testing.simulation import run
from pipeline.testing.world import World
from tests.installation import request

ATTRIBUTES: dict[str, Any] = {"id": "wamid.7", "source": "/gateways/whatsapp", "type": "br.example.message"}


@pytest.fixture(scope="module")
def written() -> dict[str, list[RawRecord]]:
    """Every committed record of a simulated day with all five stages, by topic without prefix."""
    found: dict[str, list[RawRecord]] = {}

    def collect(world: World, _: Invariants) -> None:
        for spec in topology.topics(tuple(world.installation.channels)):
            name = world.settings.named(spec.name)
            found[spec.name] = [r for tp, log in world.broker.logs.items() if tp.topic == name for r in log.records()]

    report = run(draw(14), finish=collect, retention=False)
    assert report.ok
    return found


def of_ours(written: dict[str, list[RawRecord]]) -> Iterator[tuple[str, RawRecord]]:
    """What a stage wrote as its own: not requests, state or dead letters."""
    for topic, records in written.items():
        if not topic.startswith(("gateway.", "state.", "dlq.")):
            yield from ((topic, record) for record in records)


def message(record: RawRecord) -> binding.KafkaMessage:
    return binding.KafkaMessage(headers=dict(record.headers), key=record.key, value=record.value or b"")


def test_every_record_of_ours_is_a_cloud_event_about_its_conversation(written: dict[str, list[RawRecord]]) -> None:
    topics = set()
    for topic, record in of_ours(written):
        topics.add(topic)
        event = binding.from_kafka_event(message(record))
        headers = serde.text_headers(record)
        assert event.get_specversion() == "1.0"
        assert event.get_type() == headers["contract_version"]
        assert event.get_source().split(".")[-1] in topology.STAGES
        assert event.get_datacontenttype() == "application/json"
        assert event.get_data() == json.loads(record.value or b"")
        assert (event.get_subject() or "") == (record.key or b"").decode() or event.get_subject() is None
        at = event.get_time()
        assert at is not None
        assert at.utcoffset() == timedelta(0)
        assert headers["ce_time"].endswith("Z")
    assert {"pipeline.confirm", "pipeline.normalize", "pipeline.status", "events.ic"} <= topics
    assert any(topic.startswith("channel.") for topic in topics)


def test_state_says_its_contract_and_is_no_event(written: dict[str, list[RawRecord]]) -> None:
    values = [
        r for topic, records in written.items() if topic.startswith("state.") for r in records if r.value is not None
    ]
    assert len(values) > 100
    said = {tuple(sorted(serde.text_headers(record).items())) for record in values}
    assert said == {(("content-type", "application/json"), ("contract_version", "checkpoint-v1"))}


def test_no_two_records_have_one_source_and_id(written: dict[str, list[RawRecord]]) -> None:
    seen = [(h["ce_source"], h["ce_id"]) for h in (serde.text_headers(record) for _, record in of_ours(written))]
    assert len(seen) > 200
    assert len(set(seen)) == len(seen)


def test_id_of_an_event_and_a_response_is_the_one_in_its_body(written: dict[str, list[RawRecord]]) -> None:
    for record in written["events.ic"]:
        assert serde.text_headers(record)["ce_id"] == json.loads(record.value or b"")["event_id"]
    responses = [record for topic, record in of_ours(written) if topic.startswith("channel.")]
    assert responses
    for record in responses:
        assert serde.text_headers(record)["ce_id"] == json.loads(record.value or b"")["metadata"]["response_id"]


def test_traceparent_is_one_that_w3c_allows_wherever_the_request_had_a_trace(
    written: dict[str, list[RawRecord]],
) -> None:
    for _, record in of_ours(written):
        if said := serde.text_headers(record).get("traceparent"):
            version, trace, span, flags = said.split("-")
            assert (version, len(trace), len(span), flags) == ("00", 32, 16, "01")
            assert int(trace, 16) > 0


def test_every_instant_of_ours_is_written_in_utc(written: dict[str, list[RawRecord]]) -> None:
    instants = [
        value
        for _, record in of_ours(written)
        for name, value in leaves(json.loads(record.value or b""))
        if name.endswith("_at") or name == "timestamp"
    ]
    assert len(instants) > 200
    assert not [value for value in instants if not value.endswith("Z")]


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, name)
    else:
        yield name, value


def test_ce_time_is_utc_whatever_the_clock_says() -> None:
    at = datetime(2026, 11, 30, 10, 0, tzinfo=timezone(timedelta(hours=-3)))
    event = EventEnvelope(event_type="IC.X", timestamp=at, tenant_id="", agent_id="", session_id="", trace_id="")
    headers = dict(serde.output_headers(event, source="/reconcile", event_id="c#0", time=at, trace_id="0" * 32))
    assert headers["ce_time"] == b"2026-11-30T13:00:00Z"
    assert "ce_subject" not in headers
    assert b"0" * 32 not in headers["traceparent"]


def test_a_dead_letter_is_a_cloud_event_when_the_original_was_and_stays_readable() -> None:
    original = binding.to_binary_event(CloudEvent({**ATTRIBUTES, "subject": "s-1"}, {"channel": "web"}))
    record = RawRecord("gateway.requests", 0, 1, 5_000, b"k", original.value, tuple(original.headers.items()))
    rejection = serde.decode(record, GatewayRequest, "gateway.requests", internal=False)
    assert isinstance(rejection, Rejection)
    letter = dict(serde.dead_letter_headers(rejection, 1, record))
    event = binding.from_kafka_event(binding.KafkaMessage(letter, b"k", original.value))
    assert (event.get_id(), event.get_data()) == (ATTRIBUTES["id"], {"channel": "web"})
    assert letter["dlq_field"] == b"payload"


# --- what others write --------------------------------------------------------------------------------------------------


def decoded(written: binding.KafkaMessage, **headers: str) -> GatewayRequest | Rejection:
    found = {**written.headers, **{name.replace("_", "-"): text.encode() for name, text in headers.items()}}
    record = RawRecord("gateway.requests", 0, 1, 5_000, None, written.value, tuple(found.items()))
    value = serde.decode(record, GatewayRequest, "gateway.requests", internal=False)
    assert isinstance(value, GatewayRequest | Rejection)
    return value


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(CloudEvent({**ATTRIBUTES}, request("oi")), id="without a datacontenttype"),
        pytest.param(CloudEvent({**ATTRIBUTES, "datacontenttype": "application/json"}, request("oi")), id="JSON"),
        pytest.param(
            CloudEvent({**ATTRIBUTES, "datacontenttype": "application/json"}, json.dumps(request("oi")).encode()),
            id="bytes, hence data_base64",
        ),
        pytest.param(
            CloudEvent(
                {
                    **ATTRIBUTES,
                    "datacontenttype": "application/vnd.example+json; charset=utf-8",
                    "time": datetime(2026, 11, 30, tzinfo=UTC),
                    "subject": "s-1",
                    "dataschema": "https://example.com/request.json",
                    "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                },
                request("oi"),
            ),
            id="every attribute and an extension",
        ),
        pytest.param(CloudEvent({**ATTRIBUTES, "type": "gateway-request-v1"}, request("oi")), id="our own type"),
    ],
)
def test_an_event_of_the_sdk_is_read_as_the_request_in_it_in_both_modes(event: CloudEvent) -> None:
    plain = GatewayRequest.model_validate(request("oi"))
    assert decoded(binding.to_structured_event(event)) == plain
    data = event.get_data()
    if not isinstance(data, bytes):
        assert decoded(binding.to_binary_event(event)) == plain


def envelope(**changes: Any) -> binding.KafkaMessage:
    event = {"specversion": "1.0", **ATTRIBUTES, "data": request("oi"), **changes}
    value = json.dumps({name: part for name, part in event.items() if part is not None}).encode()
    return binding.KafkaMessage({"content-type": b"application/cloudevents+json; charset=UTF-8"}, None, value)


@pytest.mark.parametrize(
    ("written", "field", "why"),
    [
        pytest.param(envelope(specversion="0.3"), "specversion", "must be 1.0", id="an older version"),
        pytest.param(envelope(specversion=1.0), "specversion", "must be 1.0", id="a version that is a number"),
        pytest.param(envelope(specversion=None), "specversion", "is required", id="no version"),
        pytest.param(envelope(id=None), "id", "is required", id="no id"),
        pytest.param(envelope(source=""), "source", "not empty", id="an empty source"),
        pytest.param(envelope(type=7), "type", "string", id="a type that is a number"),
        pytest.param(envelope(type="gateway-request-v2"), "type", "unsupported major version", id="a later major"),
        pytest.param(envelope(datacontenttype="text/xml"), "datacontenttype", "application/json", id="data in XML"),
        pytest.param(envelope(data=None), "data", "is required", id="no data"),
        pytest.param(envelope(data="{}"), "data", "must be a JSON object, not str", id="data as a string"),
        pytest.param(envelope(data_base64="e30="), "data_base64", "exclude each other", id="both kinds of data"),
        pytest.param(envelope(data=None, data_base64="%"), "data_base64", "not base64", id="no base64"),
        pytest.param(envelope(data=None, data_base64="e30"), "data_base64", "not base64", id="base64 cut off"),
        pytest.param(envelope(data=None, data_base64=7), "data_base64", "not base64", id="base64 that is a number"),
        pytest.param(envelope(data=None, data_base64="ew=="), "value", "not UTF-8 JSON", id="base64 of no JSON"),
        pytest.param(envelope(data=request(channel=None)), "channel", "is required", id="a request without channel"),
    ],
)
def test_a_structured_event_that_can_not_be_read_says_what_is_wrong(
    written: binding.KafkaMessage, field: str, why: str
) -> None:
    rejection = decoded(written)
    assert isinstance(rejection, Rejection)
    assert rejection.field == field
    assert why in rejection.text
    if "data" in json.loads(written.value) and field not in {"data", "data_base64"}:
        assert rejection.data is not None, "who sent it could not be told"
        assert rejection.data["payload"]["session_id"] == "s-1"


def test_an_attribute_that_is_null_is_not_set() -> None:
    event = {**json.loads(envelope().value), "datacontenttype": None, "data_base64": None, "subject": None}
    written = binding.KafkaMessage(envelope().headers, None, json.dumps(event).encode())
    assert decoded(written) == GatewayRequest.model_validate(request("oi"))


@pytest.mark.parametrize(
    ("content_type", "field"),
    [
        pytest.param("application/json", None, id="JSON"),
        pytest.param('APPLICATION/JSON; CHARSET="UTF-8"', None, id="in capitals, quoted"),
        pytest.param("text/plain", None, id="something else that says no charset"),
        pytest.param("", None, id="nothing"),
        pytest.param("application/json; charset=iso-8859-1", "headers.content-type", id="Latin 1"),
        pytest.param("application/json; charset = latin1", "headers.content-type", id="Latin 1 among blanks"),
        pytest.param("application/json;charset=utf-16", "headers.content-type", id="UTF-16"),
        pytest.param("application/cloudevents-batch+json", "headers.content-type", id="a batch"),
        pytest.param("application/cloudevents+avro", "headers.content-type", id="Avro"),
        pytest.param("application/cloudevents+json", "specversion", id="structured, but it is not"),
    ],
)
def test_content_type_of_a_plain_request_is_read(content_type: str, field: str | None) -> None:
    value = decoded(binding.KafkaMessage({}, None, json.dumps(request()).encode()), Content_Type=content_type)
    assert (value.field if isinstance(value, Rejection) else None) == field
    assert not isinstance(value, Rejection) or value.data is not None, "who sent it could not be told"


def test_a_structured_event_without_its_content_type_is_told_which_header_it_lacks() -> None:
    rejection = decoded(binding.KafkaMessage({}, None, envelope().value))
    assert isinstance(rejection, Rejection)
    assert rejection.field == "headers.content-type"
    assert "application/cloudevents+json" in rejection.text
