"""The AsyncAPI 3.0 document of an installation, made from the topology and the contracts.

Invariants: nothing is said twice: channels come from pipeline/topology, schemas from the models, descriptions from their docstrings.
Source: AsyncAPI 3.0.0; Kafka bindings 0.5.0.
"""

from collections.abc import Iterable
from typing import Any

from pydantic.json_schema import models_json_schema

from contracts.base import Contract
from pipeline import topology
from pipeline.topology import STAGES, TopicKind, TopicSpec

REF = "#/components/schemas/{model}"

READERS = {
    TopicKind.INPUT: "Read by one stage, in order of the conversation. Written by explicit partition.",
    TopicKind.STATE: "Private to the stage; compacted.",
    TopicKind.EVENTS: "Read with isolation.level=read_committed: what is not committed may still be taken back.",
    TopicKind.RESPONSES: "Read with isolation.level=read_committed: what is not committed may still be taken back.",
    TopicKind.DEAD_LETTERS: "Original bytes and headers; dlq_* headers say why and where from.",
}


def document(channels: tuple[str, ...], *, version: str, prefix: str = "") -> dict[str, Any]:
    """Build the document. `channels`: the channel names of agents.yaml."""
    specs = topology.topics(channels)
    contracts = {spec.contract for spec in specs if spec.contract is not None}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Multi-item pipeline",
            "version": version,
            "license": {"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
            "description": "One sentence about many items: one confirmed tool call, one answer for every item.",
        },
        "defaultContentType": "application/json",
        "channels": {_id(spec.name): _channel(spec, prefix) for spec in specs},
        "operations": _operations(specs),
        "components": {"messages": _messages(contracts), "schemas": _schemas(contracts)},
    }


def _id(name: str) -> str:
    return name.replace(".", "_").replace("-", "_")


def _channel(spec: TopicSpec, prefix: str) -> dict[str, Any]:
    messages = {} if spec.contract is None else {spec.contract.__name__: _message_ref(spec.contract)}
    return {
        "address": f"{prefix}.{spec.name}" if prefix else spec.name,
        "title": spec.name,
        "description": f"Key: {spec.key}. {READERS[spec.kind]}",
        "messages": messages,
        "bindings": {"kafka": {"topic": f"{prefix}.{spec.name}" if prefix else spec.name, "bindingVersion": "0.5.0"}},
    }


def _message_ref(contract: type[Contract]) -> dict[str, str]:
    return {"$ref": f"#/components/messages/{contract.__name__}"}


def _operations(specs: Iterable[TopicSpec]) -> dict[str, Any]:
    operations: dict[str, Any] = {}
    for stage in STAGES.values():
        for source in stage.inputs:
            operations[f"{_id(stage.name)}_reads_{_id(source.topic)}"] = _operation("receive", source.topic)
        for target in stage.outputs:
            operations[f"{_id(stage.name)}_writes_{_id(target)}"] = _operation("send", target)
    for spec in specs:
        if spec.kind in {TopicKind.EVENTS, TopicKind.RESPONSES, TopicKind.DEAD_LETTERS}:
            operations[f"pipeline_writes_{_id(spec.name)}"] = _operation("send", spec.name)
    return operations


def _operation(action: str, topic: str) -> dict[str, Any]:
    return {"action": action, "channel": {"$ref": f"#/channels/{_id(topic)}"}}


def _messages(contracts: Iterable[type[Contract]]) -> dict[str, Any]:
    return {
        contract.__name__: {
            "name": contract.VERSION,
            "title": contract.__name__,
            "summary": (contract.__doc__ or "").strip(),
            "contentType": "application/json",
            "payload": {"$ref": REF.format(model=contract.__name__)},
        }
        for contract in sorted(contracts, key=lambda contract: contract.__name__)
    }


def _schemas(contracts: Iterable[type[Contract]]) -> dict[str, Any]:
    inputs: list[tuple[type[Contract], Any]] = [
        (contract, "validation") for contract in sorted(contracts, key=lambda contract: contract.__name__)
    ]
    _, schema = models_json_schema(inputs, ref_template=REF)
    plain: dict[str, Any] = _plain_discriminators(schema["$defs"])
    return plain


def _plain_discriminators(value: Any) -> Any:
    """OpenAPI's discriminator is an object, AsyncAPI's the property's name."""
    if isinstance(value, dict):
        return {
            key: child["propertyName"]
            if key == "discriminator" and isinstance(child, dict)
            else _plain_discriminators(child)
            for key, child in value.items()
        }
    return [_plain_discriminators(child) for child in value] if isinstance(value, list) else value
