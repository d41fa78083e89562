"""The hostile corpus: messages that no good gateway sends, written down one a line in tests/data/hostile/messages.json.

Owns: making the bytes, headers and key of an entry. What is huge is described there (`fill`, `nest`, `repeat`), not stored.
An entry says what becomes of it: accepted, or the field and a part of the reason of its dead letter, and whether the customer is told.
"""

import base64
import copy
import gzip
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from contracts.identity import conversation_key

FILE = Path(__file__).parent / "data" / "hostile" / "messages.json"
SECRETS = ("segredo-7a41", "cliente-3f9c")
"""What customers say and who they are: in no event and no log."""
NAME = "hostile"
"""Header that names the entry; dead letters and moved records keep it."""


@dataclass(frozen=True)
class Hostile:
    """One message."""

    name: str
    session: str
    message_id: str
    value: bytes | None = field(repr=False)
    key: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = field(repr=False)
    accepted: bool
    field: str | None
    reason: str
    told: bool
    """Of a dead letter: whether the customer gets an answer."""
    compressed: bool
    """Sent by a producer that compresses."""


def good(number: int) -> dict[str, Any]:
    """The request that an entry changes."""
    return {
        "channel": "web",
        "tenant_id": "default",
        "agent_id": "telecom_contas",
        "payload": {
            "message": "segredo-7a41",
            "session_id": f"h-{number}",
            "message_id": f"h-{number}-m",
            "business_context": {"customer_key": f"cliente-3f9c-{number}"},
            "metadata": {},
        },
        "metadata": {},
    }


def _set(data: dict[str, Any], path: str, value: Any) -> None:
    *parents, last = path.split(".")
    target: Any = data
    for parent in parents:
        target = target.setdefault(parent, {})
    target[last] = value


def _changed(entry: Mapping[str, Any], number: int) -> dict[str, Any]:
    data = good(number)
    for path, value in entry.get("set", {}).items():
        _set(data, path, copy.deepcopy(value))
    for path in entry.get("drop", ()):
        *parents, last = path.split(".")
        target: Any = data
        for parent in parents:
            target = target[parent]
        del target[last]
    for path, (unit, times) in entry.get("fill", {}).items():
        _set(data, path, unit * times)
    for path, levels in entry.get("nest", {}).items():
        deep: Any = 0
        for level in range(levels):
            deep = [deep] if level % 2 else {"k": deep}
        _set(data, path, deep)
    return data


def _text(entry: Mapping[str, Any], number: int) -> str:
    data = _changed(entry, number)
    if "event" in entry:
        event = {"specversion": "1.0", "id": str(number), "source": "/t", "type": "t", "data": data, **entry["event"]}
        if event.get("data_base64") == "the request":
            event["data_base64"] = base64.b64encode(json.dumps(data).encode()).decode()
            del event["data"]
        data = {name: value for name, value in event.items() if value is not None}
    text = json.dumps(data, ensure_ascii=False)
    return str(entry["text"]).replace("REQUEST", text).replace("NUMBER", str(number)) if "text" in entry else text


def _value(entry: Mapping[str, Any], number: int) -> bytes | None:
    if entry.get("null"):
        return None
    if "hex" in entry:
        return bytes.fromhex(entry["hex"]) * int(entry.get("times", 1))
    text = _text(entry, number)
    for old, new, times in entry.get("repeat", ()):
        text = text.replace(old, new * times)
    value = text.encode(entry.get("encoding", "utf-8"))
    for old, new in entry.get("bytes", {}).items():
        assert old.encode() in value
        value = value.replace(old.encode(), bytes.fromhex(new))
    match entry.get("pack"):
        case "gzip":
            value = gzip.compress(value, mtime=0)
        case "zlib":
            value = zlib.compress(value)
        case "base64":
            value = base64.b64encode(value)
    before = bytes.fromhex(entry.get("before", ""))
    return before + value[: entry.get("cut")]


def _header(text: str | None) -> bytes | None:
    if text is None:
        return None
    return bytes.fromhex(text[4:]) if text.startswith("hex:") else text.encode()


def _entry(entry: Mapping[str, Any], number: int) -> Hostile:
    payload = _changed(entry, number).get("payload")
    said = payload if isinstance(payload, dict) else {}
    session = entry.get("session", said.get("session_id"))
    session = session if isinstance(session, str) and session.strip() else f"h-{number}"
    message_id = said.get("message_id")
    key: bytes | None = conversation_key("default", "telecom_contas", session).encode()
    if "key" in entry:
        key = None if entry["key"] is None else bytes.fromhex(entry["key"])
    given = ((name, _header(text)) for name, text in entry.get("headers", ()))
    content = (
        (("content-type", b"application/cloudevents+json"),) if "event" in entry and "headers" not in entry else ()
    )
    return Hostile(
        name=entry["name"],
        session=session,
        message_id=message_id if isinstance(message_id, str) else "",
        value=_value(entry, number),
        key=key,
        headers=(*given, *content, (NAME, str(number).encode())),
        accepted=entry["expect"] == "accepted",
        field=entry.get("field"),
        reason=entry.get("reason", ""),
        told=entry.get("told", False),
        compressed=entry.get("compressed", False),
    )


@cache
def corpus() -> tuple[Hostile, ...]:
    """All of it, in the order of the file."""
    return tuple(_entry(entry, number) for number, entry in enumerate(json.loads(FILE.read_text(encoding="utf-8"))))
