"""CloudEvents 1.0 on Kafka, both ways: attributes as headers on what we write, structured mode on what we read.

Owns: the content-type of a record from outside, unwrapping a structured event, the `ce_*` headers.
Invariants: the content-type alone tells structured from binary mode, as the binding says; `ce_*` headers of a request are tolerated and
have no say, but a type that names another major version of our contract; an id is unique within its source, and the same for
the same record decided again. Source: CloudEvents 1.0.2, its Kafka protocol binding and its JSON event format.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from contracts.base import Contract
from contracts.channel_response import ChannelResponse
from contracts.event_envelope import EventEnvelope
from contracts.identity import derived_id
from pipeline.runtime import strict_json
from pipeline.runtime.strict_json import Refused

STRUCTURED = "application/cloudevents+json"
CONTENT_TYPE = "headers.content-type"
"""How the field is named in a refusal."""

_CHARSETS = frozenset({"utf-8", "utf8", "us-ascii"})
_JSON = re.compile(r"(application|text)/(json|[a-z0-9.+-]+\+json)\Z")
_REQUIRED = ("id", "source", "type")


def is_structured(headers: Mapping[str, str]) -> bool:
    """Whether the value is a whole CloudEvent. Raises: Refused for another encoding of one, or of the text."""
    media, charset = _content_type(headers)
    if charset is not None and charset not in _CHARSETS:
        raise Refused(CONTENT_TYPE, "the charset of a value must be UTF-8")
    if media.startswith("application/cloudevents") and media != STRUCTURED:
        raise Refused(CONTENT_TYPE, f"of CloudEvents only single ones in JSON are read: {STRUCTURED}")
    return media == STRUCTURED


def _content_type(headers: Mapping[str, str]) -> tuple[str, str | None]:
    """Media type and charset, in small letters."""
    said = next((text for name, text in headers.items() if name.lower() == "content-type"), "")
    media, *parameters = (part.strip().lower() for part in said.split(";"))
    given = dict(part.partition("=")[::2] for part in parameters)
    charset = {name.strip(): value for name, value in given.items()}.get("charset")
    return media, None if charset is None else charset.strip().strip('"')


def unwrapped(event: Mapping[str, Any]) -> Any:
    """The data of a structured event; an attribute that is null is not set, as the JSON format says. Raises: Refused."""
    event = {name: value for name, value in event.items() if value is not None}
    version = event.get("specversion")
    if version != "1.0":
        said = "is required" if version is None else "of CloudEvents is not read"
        raise Refused("specversion", f"specversion {said}: it must be 1.0")
    for name in _REQUIRED:
        if not isinstance(event.get(name), str) or not event[name]:
            raise Refused(name, f"{name} of a CloudEvent is required, a string that is not empty")
    content = event.get("datacontenttype", "application/json")
    if not isinstance(content, str) or not _JSON.match(content.split(";")[0].strip().lower()):
        raise Refused("datacontenttype", "datacontenttype must be application/json")
    if "data_base64" not in event:
        return event.get("data")
    if "data" in event:
        raise Refused("data_base64", "data_base64 and data exclude each other")
    return _decoded(event["data_base64"])


def _decoded(text: Any) -> Any:
    try:
        return strict_json.loads(base64.b64decode(text, validate=True))
    except (TypeError, ValueError, binascii.Error) as error:
        raise Refused("data_base64", "data_base64 is not base64") from error


def attributes(value: Contract, *, source: str, cause: str, time: datetime) -> dict[str, str]:
    """The `ce_*` headers of a record of ours; `cause` names the input and the place among its outputs."""
    subject, event_id = _about(value)
    found = {
        "ce_specversion": "1.0",
        "ce_type": value.VERSION,
        "ce_source": source,
        "ce_id": event_id or derived_id("ce", subject, cause),
        "ce_time": time.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "ce_subject": subject,
    }
    return {name: text for name, text in found.items() if text}


def _about(value: Contract) -> tuple[str, str | None]:
    """The conversation, and the record's own id where it has one."""
    if isinstance(value, ChannelResponse):
        return value.session_id, value.metadata.response_id
    if isinstance(value, EventEnvelope):
        return value.conversation_key or "", value.event_id
    turn = getattr(value, "turn", None) or getattr(getattr(value, "command", None), "turn", None)
    return getattr(turn, "conversation_key", ""), None
