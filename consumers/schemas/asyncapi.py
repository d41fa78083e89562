"""The AsyncAPI 3.0 document, made from the topology, the contracts and the settings.

Invariants: nothing is said twice: channels come from pipeline/topology, how topics are kept from pipeline/runtime/topics,
schemas from the models, descriptions from their docstrings. The application it describes is the pipeline: it receives what
gateways send. Source: AsyncAPI 3.0.0; its Kafka bindings 0.5.0.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from consumers.schemas import messages
from consumers.schemas.messages import BINDING, DEAD_LETTER_MESSAGE, STRUCTURED_MESSAGE
from contracts.event_catalogue import EVENTS
from contracts.gateway_request import GatewayRequest
from pipeline import topology
from pipeline.runtime.topics import Wanted, wanted_topics
from pipeline.settings import PipelineSettings
from pipeline.topology import STAGES, StageSpec, TopicKind, TopicSpec

ANY_CHANNEL = "{channel}"
"""In place of the channels of an installation: a parameter of the address."""

INFO = """One sentence of a customer about many items: one confirmed call of a tool, one answer that tells the fate of every item.

A channel gateway writes GatewayRequest to `gateway.requests` and reads ChannelResponse from its own
`channel.<channel>.responses`. Five stages, each its own consumer group, work in between; `pipeline.*` and `state.*` are theirs alone.

Readers must use `isolation.level=read_committed`: what is not committed may still be taken back.

CloudEvents 1.0, binary mode: the attributes are the headers `ce_specversion`, `ce_type` (the contract's version), `ce_source` (the
stage), `ce_id`, `ce_time`, `ce_subject` (the conversation) and `content-type`; the value is the event's data. Requests are read in
structured mode, too (`application/cloudevents+json`). W3C Trace Context: the header `traceparent`."""

COMMITTED = "Read it with isolation.level=read_committed: what is not committed may still be taken back."
ABOUT = {
    TopicKind.INPUT: "Written by partition number, in order of the conversation; read by one stage.",
    TopicKind.STATE: "Private to the stage, read by it alone when it takes a partition over. A tombstone ends a key's life.",
    TopicKind.EVENTS: COMMITTED,
    TopicKind.RESPONSES: f"Read by the channel's gateway. {COMMITTED}",
    TopicKind.DEAD_LETTERS: f"For operators: what a stage could not read or decide. {COMMITTED}",
}
FAMILIES = {
    topology.EVENTS_IC: "Business control points. ",
    topology.EVENTS_NOC: "Operations: what wants attention. ",
    topology.EVENTS_GRL: "Guardrails: what was not allowed. ",
}
TAGS = {
    TopicKind.INPUT: "flow",
    TopicKind.STATE: "state",
    TopicKind.EVENTS: "observation",
    TopicKind.RESPONSES: "flow",
    TopicKind.DEAD_LETTERS: "observation",
}
TAGGED = {
    "flow": "From the customer's message to the answer.",
    "observation": "Events and dead letters.",
    "state": "What the stages remember.",
    "gateways": "What a channel gateway writes or reads.",
}


class Defaults(PipelineSettings):
    """The settings as they are without a file, whatever the environment says: what is published must not depend on it."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - the library's signature
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Nothing but what the caller gives."""
        return (init_settings,)


def document(
    *, version: str, settings: PipelineSettings | None = None, channels: tuple[str, ...] = (ANY_CHANNEL,)
) -> dict[str, Any]:
    """Build the document; without settings and channels (of agents.yaml) it is about any installation."""
    settings = settings or Defaults()
    wanted = wanted_topics(settings, channels)
    contracts = sorted({topic.spec.contract for topic in wanted if topic.spec.contract}, key=lambda each: each.__name__)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Multi-item pipeline",
            "version": version,
            "description": INFO,
            "license": {"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
            "tags": [{"name": name, "description": text} for name, text in TAGGED.items()],
        },
        "defaultContentType": messages.JSON,
        "servers": {"kafka": _server()},
        "channels": {identifier(topic.spec.name): _channel(topic, settings) for topic in wanted},
        "operations": dict(_operations(settings, [topic.spec for topic in wanted])),
        "components": {
            "messages": messages.messages(contracts),
            "schemas": messages.schemas(contracts),
            "correlationIds": messages.correlations(),
        },
    }


def _server() -> dict[str, Any]:
    return {
        "host": "{bootstrap}",
        "protocol": "kafka",
        "description": "The cluster of the installation; KAFKA_BOOTSTRAP_SERVERS, or a local node.",
        "variables": {"bootstrap": {"default": "127.0.0.1:9092", "description": "host:port of a broker."}},
    }


def identifier(name: str) -> str:
    """Name of a topic's channel within the document."""
    return name.replace(ANY_CHANNEL, "any").replace(".", "_").replace("-", "_")


def _channel(topic: Wanted, settings: PipelineSettings) -> dict[str, Any]:
    spec = topic.spec
    channel: dict[str, Any] = {
        "address": topic.name,
        "title": spec.name,
        "description": f"{FAMILIES.get(spec.name, '')}Key: {spec.key}. {ABOUT[spec.kind]}",
        "messages": {name: messages.reference("messages", name) for name in _messages_on(spec)},
        "tags": [{"name": name} for name in _tags(spec)],
        "bindings": {
            "kafka": {
                "topic": topic.name,
                "partitions": topic.partitions,
                "replicas": settings.kafka.replication_factor,
                "topicConfiguration": _configuration(topic),
                "bindingVersion": BINDING,
            }
        },
    }
    if ANY_CHANNEL in spec.name:
        what = "Name of the channel, as in `channel` of its requests."
        channel["parameters"] = {"channel": {"description": what, "examples": ["web", "whatsapp", "voice"]}}
    return channel


def _tags(spec: TopicSpec) -> Iterator[str]:
    yield TAGS[spec.kind]
    if spec.name == topology.GATEWAY_REQUESTS or spec.kind is TopicKind.RESPONSES:
        yield "gateways"


def _configuration(topic: Wanted) -> dict[str, Any]:
    """The broker's own settings of the topic, typed as the bindings want them."""
    typed: dict[str, Any] = {"cleanup.policy": ["delete"]}
    for name, text in topic.config.items():
        if name == "cleanup.policy":
            typed[name] = [text]
        else:
            typed[name] = int(text) if text.isdigit() else text
    return typed


def _messages_on(spec: TopicSpec) -> list[str]:
    if spec.kind is TopicKind.EVENTS:
        return [event.name for event in EVENTS if topology.events(event.name) == spec.name]
    if spec.name == topology.GATEWAY_REQUESTS:
        return [GatewayRequest.__name__, STRUCTURED_MESSAGE]
    return [DEAD_LETTER_MESSAGE if spec.contract is None else spec.contract.__name__]


def _operations(settings: PipelineSettings, specs: list[TopicSpec]) -> Iterator[tuple[str, Any]]:
    by_name = {spec.name: spec for spec in specs}
    for stage in STAGES.values():
        for source in stage.inputs:
            name, operation = _operation(settings, stage, "receive", source.topic, _messages_on(by_name[source.topic]))
            if source.from_outside:
                operation |= _reply(specs)
            yield name, operation
        for target in stage.outputs:
            yield _operation(settings, stage, "send", target, _messages_on(by_name[target]))
        for spec in specs:
            sent = [name for name in _messages_on(spec) if name in _sent_by(stage, spec)]
            if sent:
                yield _operation(settings, stage, "send", spec.name, sent)
            if spec.name == topology.state(stage.name):
                yield _operation(settings, stage, "receive", spec.name, sent)


def _reply(specs: list[TopicSpec]) -> dict[str, Any]:
    """Where a request is answered; the document has a word for it only where all channels are one with a parameter."""
    answers = [spec for spec in specs if spec.kind is TopicKind.RESPONSES]
    if len(answers) != 1:
        return {}
    channel = f"#/channels/{identifier(answers[0].name)}"
    names = [f"{channel}/messages/{name}" for name in _messages_on(answers[0])]
    return {"reply": {"channel": {"$ref": channel}, "messages": [{"$ref": name} for name in names]}}


def _sent_by(stage: StageSpec, spec: TopicSpec) -> set[str]:
    """Messages that a stage writes besides its outputs: any of them may have to answer a record that it can't take."""
    match spec.kind:
        case TopicKind.EVENTS:
            return {event.name for event in EVENTS if stage.name in event.stages}
        case TopicKind.RESPONSES:
            return set(_messages_on(spec))
        case TopicKind.STATE | TopicKind.DEAD_LETTERS:
            return set(_messages_on(spec)) if spec.name.endswith(f".{stage.name}") else set()
        case TopicKind.INPUT:
            return set()


def _operation(
    settings: PipelineSettings, stage: StageSpec, action: str, topic: str, names: Iterable[str]
) -> tuple[str, dict[str, Any]]:
    channel = f"#/channels/{identifier(topic)}"
    verb = "reads" if action == "receive" else "writes"
    operation: dict[str, Any] = {
        "action": action,
        "title": f"{stage.name} {verb} {topic}",
        "channel": {"$ref": channel},
        "messages": [{"$ref": f"{channel}/messages/{name}"} for name in names],
        "tags": [{"name": stage.name.value}],
    }
    if action == "receive" and topic != topology.state(stage.name):
        group = {"type": "string", "enum": [settings.named(stage.group)], "description": "The stage's consumer group."}
        operation["bindings"] = {"kafka": {"groupId": group, "bindingVersion": BINDING}}
    return f"{identifier(stage.name)}_{verb}_{identifier(topic)}", operation
