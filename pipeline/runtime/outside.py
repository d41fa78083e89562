"""A value of gateway.requests, from its bytes to the JSON of one request: everything that any client in the world may have sent.

Owns: size before reading, content type, structured CloudEvents, NFC of what people wrote.
Invariants: a refusal names the field and carries what can be read all the same, so that the customer can be told; ids and keys stay
exactly as they were given, only words of people become NFC: `é` of one letter and `e` with an accent are one product.
Source: DESIGN 3 and 7 (Ingress); Unicode TR 15.
"""

import contextlib
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from contracts.gateway_request import GatewayRequest
from pipeline.runtime import cloud_events, strict_json
from pipeline.runtime.strict_json import Refused
from pipeline.settings import READ_MAX_BYTES

_FAMILY, _, _MAJOR = GatewayRequest.VERSION.rpartition("-v")
_OUR_TYPE = re.compile(rf"{_FAMILY}-v(?P<major>[0-9]{{1,9}})(\.[0-9]+)*\Z")


def request_data(value: bytes | None, headers: Mapping[str, str]) -> dict[str, Any]:
    """Read a value. Raises: Refused."""
    if not value:
        raise Refused("value", "the value is empty", undecodable=True)
    if len(value) > READ_MAX_BYTES:
        raise Refused("value", f"the value has {len(value)} bytes, at most {READ_MAX_BYTES} are read")
    seen: Any = None
    try:
        structured = cloud_events.is_structured(headers)
        seen = strict_json.loads(value)
        return _normalized(_request_in(seen, headers, structured=structured))
    except Refused as refused:
        refused.data = _readable(refused, seen, value)
        raise


def _request_in(data: Any, headers: Mapping[str, str], *, structured: bool) -> dict[str, Any]:
    value = _object(data, "value")
    _check_type("headers.ce_type", headers.get("ce_type"))
    if structured:
        _check_type("type", value.get("type"))
        return _object(cloud_events.unwrapped(value), "data")
    if "specversion" in value and "payload" not in value:
        text = f"the value is a whole CloudEvent, and no content-type says so: {cloud_events.STRUCTURED}"
        raise Refused(cloud_events.CONTENT_TYPE, text)
    return value


def _object(data: Any, field: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        what = "is required" if data is None else f"must be a JSON object, not {type(data).__name__}"
        raise Refused(field, f"the {field} {what}")
    return data


def _check_type(field: str, said: Any) -> None:
    """A CloudEvents type of our own family says a version, as the header contract_version does."""
    named = _OUR_TYPE.match(said) if isinstance(said, str) else None
    if named is not None and not 1 <= int(named["major"]) <= int(_MAJOR):
        raise Refused(field, f"{named[0]} is an unsupported major version (supported: {GatewayRequest.VERSION})")


def _readable(refused: Refused, seen: Any, value: bytes) -> dict[str, Any] | None:
    """The request in what was refused, as far as there is one."""
    data = seen if refused.data is None else refused.data
    if data is None and refused.field == cloud_events.CONTENT_TYPE:
        with contextlib.suppress(Refused):
            data = strict_json.loads(value)
    if isinstance(data, dict) and "payload" not in data:
        data = data.get("data")
    return data if isinstance(data, dict) else None


def _normalized(data: dict[str, Any]) -> dict[str, Any]:
    """Words of people as NFC: the message, and arguments that were given beside it."""
    payload = data.get("payload")
    if not isinstance(payload, dict):
        return data
    changed = dict(payload)
    if "message" in payload:
        changed["message"] = _nfc(payload["message"])
    metadata = payload.get("metadata")
    if isinstance(metadata, dict) and "arguments" in metadata:
        changed["metadata"] = {**metadata, "arguments": _nfc(metadata["arguments"])}
    return {**data, "payload": changed}


def _nfc(value: Any) -> Any:
    match value:
        case str():
            return unicodedata.normalize("NFC", value)
        case dict():
            return {key: _nfc(inner) for key, inner in value.items()}
        case list():
            return [_nfc(inner) for inner in value]
        case _:
            return value
