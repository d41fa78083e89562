"""Messages of the AsyncAPI document: payload, key, headers, correlation and examples of each contract and each event.

Invariants: payload schemas come from the models, examples from contracts/examples, events from contracts/event_catalogue.
"""

import re
from collections.abc import Iterable
from typing import Any

from pydantic.json_schema import models_json_schema

from consumers.schemas.headers import ACCEPTED, DEAD_LETTER, STATE, WRITTEN, schema
from consumers.schemas.json_schema import tidied_definitions
from consumers.schemas.known_contracts import examples_of
from contracts.base import Contract
from contracts.channel_response import ChannelResponse
from contracts.checkpoint import Checkpoint
from contracts.event_catalogue import EVENTS, PAYLOAD, EventSpec
from contracts.event_envelope import EventEnvelope
from contracts.gateway_request import GatewayRequest
from pipeline.runtime.cloud_events import STRUCTURED

SCHEMA_REF = "#/components/schemas/{model}"
BINDING = "0.5.0"
JSON = "application/json"
DEAD_LETTER_MESSAGE = "DeadLetter"
STRUCTURED_MESSAGE = "GatewayRequestEvent"

CORRELATED: dict[type[Contract], str] = {
    GatewayRequest: "/payload/message_id",
    ChannelResponse: "/metadata/message_id",
    EventEnvelope: "/message_id",
}
"""Where the message id of the customer is; records between stages have it in their turn, a checkpoint has none."""

KEYS: dict[str, dict[str, Any]] = {
    "ConversationKey": {
        "type": "string",
        "description": "`tenant:agent:session`, each part percent-encoded: one conversation is one key, in every topic.",
        "pattern": "^[^:]+:[^:]+:[^:]+$",
        "examples": ["default:telecom_contas:session-001"],
    },
    "EventKey": {
        "type": "string",
        "description": "The conversation; of an event about no conversation, the stage.",
        "examples": ["default:telecom_contas:session-001", "reconcile"],
    },
    "StateKey": {
        "type": "string",
        "description": "A conversation, or conversation`#`transaction; `_meta` is the stage's own record.",
        "examples": ["default:telecom_contas:session-001#tx_5f0c2b7f4c1f2f2a9d0e1b3c", "_meta"],
    },
    "OriginalKey": {"description": "The key of the original record, as it was."},
}


def messages(contracts: Iterable[type[Contract]]) -> dict[str, Any]:
    """Every message by its name: a contract's class, an event's name, the dead letter."""
    made = {contract.__name__: _message(contract) for contract in contracts if contract is not EventEnvelope}
    made |= {event.name: _event(event) for event in EVENTS}
    return made | {STRUCTURED_MESSAGE: _structured(), DEAD_LETTER_MESSAGE: _dead_letter()}


def schemas(contracts: Iterable[type[Contract]]) -> dict[str, Any]:
    """Every schema that the messages refer to."""
    inputs: list[tuple[type[Contract], Any]] = [(contract, "serialization") for contract in contracts]
    _, made = models_json_schema(inputs, ref_template=SCHEMA_REF)
    plain: dict[str, Any] = _plain_discriminators(tidied_definitions(made["$defs"]))
    headers = {
        "RecordHeaders": schema(
            WRITTEN, "On every record that the pipeline writes, its own state aside; CloudEvents 1.0 in binary mode."
        ),
        "StateHeaders": schema(STATE, "On a value of a stage's state; a tombstone has none."),
        "RequestHeaders": schema(ACCEPTED, "What a gateway may send along."),
        "DeadLetterHeaders": schema(DEAD_LETTER, "Added to the headers of the original, which are kept."),
    }
    return {**plain, **headers}


def correlations() -> dict[str, Any]:
    """One meaning everywhere: the customer's message that a record is about."""
    places = {**{contract.__name__: place for contract, place in CORRELATED.items()}, "Turn": "/turn/message_id"}
    places["Command"] = "/command/turn/message_id"
    places[STRUCTURED_MESSAGE] = f"/data{CORRELATED[GatewayRequest]}"
    text = "The customer's message: the same id in the request, the records between stages, the events and the answer."
    return {name: {"description": text, "location": f"$message.payload#{place}"} for name, place in places.items()}


def _message(contract: type[Contract]) -> dict[str, Any]:
    key = "StateKey" if contract is Checkpoint else "ConversationKey"
    headers = {GatewayRequest: "RequestHeaders", Checkpoint: "StateHeaders"}.get(contract, "RecordHeaders")
    message = {
        "name": contract.VERSION,
        "title": contract.__name__,
        "summary": contract.__doc__ or "",
        "contentType": JSON,
        "payload": reference("schemas", contract.__name__),
        "bindings": _keyed(key),
        "examples": [
            {"name": example.path.stem, "payload": example.data}
            for example in examples_of(contract)
            if example.field is None
        ],
    }
    message["headers"] = reference("schemas", headers)
    if contract is not Checkpoint:
        message["correlationId"] = reference("correlationIds", _correlation(contract))
    return message


def _correlation(contract: type[Contract]) -> str:
    if contract in CORRELATED:
        return contract.__name__
    return "Turn" if "turn" in contract.model_fields else "Command"


def _event(event: EventSpec) -> dict[str, Any]:
    fields = {name: {**PAYLOAD[name].schema, "description": PAYLOAD[name].meaning} for name in event.payload}
    own = {
        "properties": {
            "event_type": {"const": event.name},
            "stage": {"enum": list(event.stages)},
            "payload": {"type": "object", "properties": fields},
        }
    }
    message = {
        "name": event.name,
        "title": event.name,
        "summary": event.meaning,
        "contentType": JSON,
        "headers": reference("schemas", "RecordHeaders"),
        "payload": {"allOf": [reference("schemas", EventEnvelope.__name__), own]},
        "correlationId": reference("correlationIds", EventEnvelope.__name__),
        "bindings": _keyed("EventKey"),
    }
    examples = [
        {"name": example.path.stem, "payload": example.data}
        for example in examples_of(EventEnvelope)
        if example.field is None and example.data["event_type"] == event.name
    ]
    return {**message, "examples": examples} if examples else message


def _structured() -> dict[str, Any]:
    """A request as a CloudEvent in structured mode: attributes and data in one JSON object."""
    texts = {
        "id": "Id of the event, unique within its source.",
        "source": "Who sends it, such as `/gateways/web`.",
        "type": "Kind of the event, such as `gateway-request-v1`; another major version of it is refused.",
    }
    attributes: dict[str, Any] = {
        name: {"type": "string", "minLength": 1, "description": text} for name, text in texts.items()
    }
    version = {"const": "1.0", "description": "Version of CloudEvents."}
    content = {"type": "string", "description": "`application/json`, or left out."}
    example: dict[str, Any] = {"specversion": "1.0", "id": "req-001", "source": "/gateways/web"}
    example |= {"type": GatewayRequest.VERSION, "data": next(examples_of(GatewayRequest)).data}
    return {
        "name": "gateway-request-v1 as a structured CloudEvent",
        "title": STRUCTURED_MESSAGE,
        "summary": "The same request as a CloudEvent 1.0 in structured mode; the header content-type tells it.",
        "contentType": STRUCTURED,
        "headers": {
            "type": "object",
            "required": ["content-type"],
            "properties": {"content-type": {"type": "string", "pattern": f"^{re.escape(STRUCTURED)}"}},
        },
        "payload": {
            "type": "object",
            "required": ["specversion", *texts, "data"],
            "properties": {
                "specversion": version,
                **attributes,
                "datacontenttype": content,
                "data": reference("schemas", GatewayRequest.__name__),
            },
        },
        "correlationId": reference("correlationIds", STRUCTURED_MESSAGE),
        "bindings": _keyed("ConversationKey"),
        "examples": [{"name": "structured", "payload": example}],
    }


def _dead_letter() -> dict[str, Any]:
    return {
        "name": "dead-letter",
        "title": DEAD_LETTER_MESSAGE,
        "summary": "A record that could not be read or decided: its own bytes, and in the headers why and where from.",
        "contentType": "application/octet-stream",
        "headers": reference("schemas", "DeadLetterHeaders"),
        "payload": {"description": "The bytes of the original, whatever they are."},
        "bindings": _keyed("OriginalKey"),
    }


def reference(section: str, name: str) -> dict[str, str]:
    """A reference into the components."""
    return {"$ref": f"#/components/{section}/{name}"}


def _keyed(key: str) -> dict[str, Any]:
    """The binding; the key's schema stands in it: the official schema refuses every reference there (oneOf, both match)."""
    return {"kafka": {"key": KEYS[key], "bindingVersion": BINDING}}


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
