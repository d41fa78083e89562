"""The AsyncAPI document is valid, and says every topic, contract, event and header as they are."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema_rs
import orjson
import pytest

from consumers.schemas.asyncapi import Defaults, document
from consumers.schemas.headers import ACCEPTED, DEAD_LETTER, STATE, WRITTEN
from consumers.schemas.known_contracts import examples_of
from contracts.channel_response import ChannelResponse
from contracts.event_catalogue import EVENTS
from contracts.gateway_request import GatewayRequest
from pipeline import topology
from pipeline.decision import Position, Rejection
from pipeline.runtime import serde
from pipeline.runtime.changelog import state_record
from pipeline.runtime.moving import moved_headers
from pipeline.runtime.ports import RawRecord
from pipeline.settings import KafkaSettings
from pipeline.testing.driver import Driver
from tests.installation import installation
from tests.scripted import demo_tools
from tests.stages import stages

SCHEMA = orjson.loads((Path(__file__).parents[1] / "data" / "asyncapi-3.0.0.schema.json").read_bytes())
"""The official one, as published by the AsyncAPI Initiative (Apache-2.0)."""
AT = datetime(2026, 11, 30, 13, tzinfo=UTC)


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    settings = Defaults(prefix="x", kafka=KafkaSettings(partitions=16))
    return plain(document(version="0.1.0", settings=settings, channels=("web", "voice")))


@pytest.fixture(scope="module")
def published() -> dict[str, Any]:
    return plain(document(version="0.1.0"))


def plain(value: dict[str, Any]) -> dict[str, Any]:
    read: dict[str, Any] = orjson.loads(orjson.dumps(value))
    return read


def at(document: dict[str, Any], reference: str) -> Any:
    place: Any = document
    for part in reference.removeprefix("#/").split("/"):
        place = place[part]
    return place


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = list(value.values())
    if isinstance(value, list):
        for child in value:
            yield from references(child)


def test_documents_keep_to_the_official_schema(made: dict[str, Any], published: dict[str, Any]) -> None:
    jsonschema_rs.validate(SCHEMA, made)
    jsonschema_rs.validate(SCHEMA, published)


def test_every_topic_is_a_channel_and_every_reference_exists(made: dict[str, Any]) -> None:
    addresses = {channel["address"] for channel in made["channels"].values()}
    assert addresses == {f"x.{spec.name}" for spec in topology.topics(("web", "voice"))}
    for reference in references(made):
        assert at(made, reference) is not None


def test_every_component_is_referred_to(made: dict[str, Any]) -> None:
    used = set(references(made))
    parts = {f"#/components/{section}/{name}" for section, found in made["components"].items() for name in found}
    assert parts - used == set()


def test_operations_are_those_of_the_stages(made: dict[str, Any]) -> None:
    for stage in topology.STAGES.values():
        own = [operation for operation in made["operations"].values() if {"name": stage.name} in operation["tags"]]
        read = {
            at(made, operation["channel"]["$ref"])["title"] for operation in own if operation["action"] == "receive"
        }
        sent = {at(made, operation["channel"]["$ref"])["title"] for operation in own if operation["action"] == "send"}
        assert read == {spec.topic for spec in stage.inputs} | {topology.state(stage.name)}
        private = {topology.state(stage.name), topology.dead_letters(stage.name)}
        assert {*stage.outputs, *private, "channel.web.responses", topology.EVENTS_NOC} <= sent
        groups = [operation["bindings"]["kafka"]["groupId"] for operation in own if "bindings" in operation]
        assert [group["enum"] for group in groups] == [[f"x.{stage.group}"]] * len(stage.inputs)


def test_an_operation_names_messages_of_its_channel_alone(made: dict[str, Any]) -> None:
    for operation in made["operations"].values():
        for message in operation["messages"]:
            assert message["$ref"].startswith(f"{operation['channel']['$ref']}/messages/")


def test_topics_are_kept_as_the_runtime_creates_them(made: dict[str, Any]) -> None:
    bound = {channel["title"]: channel["bindings"]["kafka"] for channel in made["channels"].values()}
    assert bound["gateway.requests"]["partitions"] == 16
    assert bound["events.ic"]["partitions"] == 12
    assert bound["state.confirm"]["topicConfiguration"]["cleanup.policy"] == ["compact"]
    assert bound["gateway.requests"]["topicConfiguration"]["message.timestamp.type"] == "LogAppendTime"
    assert bound["channel.web.responses"]["topicConfiguration"]["retention.ms"] == 604_800_000


def test_every_event_is_a_message_of_its_family_s_topic(made: dict[str, Any]) -> None:
    for event in EVENTS:
        assert event.name in made["channels"][f"events_{event.family.lower()}"]["messages"]


def payload_of(message: dict[str, Any], document: dict[str, Any]) -> jsonschema_rs.Draft7Validator:
    """Definitions as draft 7 has them, since values are checked without an AsyncAPI library."""
    text = orjson.dumps({"allOf": [message["payload"]], "definitions": document["components"]["schemas"]}).decode()
    read = orjson.loads(text.replace("#/components/schemas/", "#/definitions/"))
    return jsonschema_rs.Draft7Validator(read, validate_formats=True)


def test_examples_keep_to_the_payloads_of_their_messages(made: dict[str, Any]) -> None:
    counted = 0
    for message in made["components"]["messages"].values():
        for example in message.get("examples", []):
            payload_of(message, made).validate(example["payload"])
            counted += 1
    assert counted >= 15


def test_everything_that_a_conversation_writes_keeps_to_a_message_of_its_topic(published: dict[str, Any]) -> None:
    chosen = installation()
    world = Driver(chosen, stages(chosen), demo_tools())
    world.put_raw({"channel": "web", "tenant_id": "default", "payload": {"message": "oi"}})
    for text in ("quero cancelar TIM Fashion e Neymar Jr", "tira o Neymar", "sim", "oi"):
        world.put(text, business_context={"customer_key": "11999999999", "contract_key": "3000131180"})
        world.settle()
    channels = {channel["title"]: channel["messages"] for channel in published["channels"].values()}
    validators = {name: payload_of(message, published) for name, message in published["components"]["messages"].items()}
    seen = set()
    for record in world.records:
        title = "channel.{channel}.responses" if record.topic.endswith(".responses") else record.topic
        value = orjson.loads(serde.encode(record.value))
        name = value.get("event_type", type(record.value).__name__)
        assert name in channels[title]
        validators[name].validate(value)
        seen.add(name)
    stage_records = {source.contract.__name__ for stage in topology.STAGES.values() for source in stage.inputs}
    assert stage_records - {"GatewayRequest"} <= seen
    assert {"ChannelResponse", "IC.AGENT_COMPLETED", "NOC.CONTRACT_REJECTED"} <= seen


def test_a_request_as_a_structured_event_is_read_as_the_request(published: dict[str, Any]) -> None:
    message = published["components"]["messages"]["GatewayRequestEvent"]
    (example,) = message["examples"]
    headers = {"content-type": message["contentType"]}
    jsonschema_rs.validate(message["headers"], headers)
    written = tuple((name, text.encode()) for name, text in headers.items())
    value = orjson.dumps(example["payload"])
    record = RawRecord(topic="r", partition=0, offset=0, timestamp_ms=1, key=None, value=value, headers=written)
    read = serde.decode(record, GatewayRequest, "r", internal=False)
    assert read == GatewayRequest.model_validate(example["payload"]["data"])


def test_a_request_s_reply_is_on_the_responses_of_its_channel(published: dict[str, Any], made: dict[str, Any]) -> None:
    reply = published["operations"]["reconcile_reads_gateway_requests"]["reply"]
    assert at(published, reply["channel"]["$ref"])["title"] == "channel.{channel}.responses"
    assert "reply" not in made["operations"]["reconcile_reads_gateway_requests"]


def test_correlation_is_where_the_examples_have_it(made: dict[str, Any]) -> None:
    correlated = [message for message in made["components"]["messages"].values() if "correlationId" in message]
    assert len(correlated) > len(EVENTS)
    found: dict[str, list[bool]] = {reference: [] for reference in made["components"]["correlationIds"]}
    for message in correlated:
        name = message["correlationId"]["$ref"].rsplit("/", 1)[-1]
        location = at(made, message["correlationId"]["$ref"])["location"].removeprefix("$message.payload#/")
        found[name] += [has(example["payload"], location.split("/")) for example in message.get("examples", [])]
    assert [name for name, examples in found.items() if not any(examples)] == []


def has(value: Any, path: list[str]) -> bool:
    for part in path:
        if not isinstance(value, dict) or part not in value:
            return False
        value = value[part]
    return True


def test_headers_are_those_that_the_runtime_writes(made: dict[str, Any]) -> None:
    response = next(
        ChannelResponse.model_validate(example.data)
        for example in examples_of(ChannelResponse)
        if example.path.stem == "partial-success"
    )
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    written = dict(serde.output_headers(response, source="/normalize", event_id="a#0", time=AT, trace_id=trace))
    assert set(written) == {header.name for header in WRITTEN}
    text = {name: value.decode() for name, value in written.items()}
    jsonschema_rs.validate(made["components"]["schemas"]["RecordHeaders"], text)


def test_headers_of_a_moved_record_are_among_those_of_a_request(made: dict[str, Any]) -> None:
    record = RawRecord(
        topic="gateway.requests", partition=3, offset=5, timestamp_ms=1_796_043_600_000, key=None, value=b"{}"
    )
    moved = {name: value.decode() for name, value in moved_headers(record, b"default:telecom_contas:s-1", "a secret")}
    assert set(moved) <= {header.name for header in ACCEPTED}
    jsonschema_rs.validate(made["components"]["schemas"]["RequestHeaders"], moved)


def test_every_message_says_its_headers(made: dict[str, Any]) -> None:
    messages = made["components"]["messages"]
    assert all("headers" in message for message in messages.values())


def test_headers_of_state_are_those_that_the_runtime_writes(made: dict[str, Any]) -> None:
    written = {name: value.decode() for name, value in state_record("state.confirm", 0, "k", b"{}").headers}
    assert set(written) == {header.name for header in STATE}
    jsonschema_rs.validate(made["components"]["schemas"]["StateHeaders"], written)
    assert state_record("state.confirm", 0, "k", None).headers == ()


def test_headers_of_a_dead_letter_are_those_that_the_runtime_adds(made: dict[str, Any]) -> None:
    rejection = Rejection(
        position=Position(topic="gateway.requests", partition=3, offset=5), at=AT, error="ContractViolation", text="no"
    )
    record = RawRecord(topic="gateway.requests", partition=3, offset=5, timestamp_ms=1, key=None, value=b"{")
    added = serde.dead_letter_headers(rejection, 1, record)
    assert {name for name, _ in added} | {"dlq_bytes_left_out"} == {header.name for header in DEAD_LETTER}
    text = {name: value.decode() for name, value in added}
    jsonschema_rs.validate(made["components"]["schemas"]["DeadLetterHeaders"], text)


@pytest.mark.parametrize("header", [*WRITTEN, *ACCEPTED, *DEAD_LETTER], ids=lambda header: header.name)
def test_a_header_s_example_keeps_to_its_pattern(header: Any) -> None:
    jsonschema_rs.validate({"type": "string", "pattern": header.pattern or ""}, header.example)


def test_readers_of_our_outputs_are_told_to_read_committed(made: dict[str, Any]) -> None:
    for name in ("channel_web_responses", "events_ic", "dlq_execute"):
        assert "read_committed" in made["channels"][name]["description"]


def test_the_published_document_does_not_depend_on_the_environment(
    published: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIPELINE__KAFKA__PARTITIONS", "99")
    monkeypatch.setenv("PIPELINE__PREFIX", "elsewhere")
    assert plain(document(version="0.1.0")) == published
    assert published["channels"]["channel_any_responses"]["address"] == "channel.{channel}.responses"
    assert list(published["channels"]["channel_any_responses"]["parameters"]) == ["channel"]
