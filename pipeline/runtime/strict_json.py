"""JSON from outside, read strictly: what two readers could understand differently is refused, and the refusal names the place.

Owns: depth, duplicate keys, numbers that no double holds, U+0000.
Invariants: an accepted value means the same to every reader of I-JSON (integers below 10**308 aside, which are kept digit by digit);
a refusal shows field names that look like names and nothing else of what was sent. Cost: about 10 µs for a usual request: orjson
reads it, the keys are counted twice; the standard library reads only what that leaves open. Source: RFC 8259 section 4, RFC 7493 (I-JSON); DESIGN 7 (Ingress).
"""

import json
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any, Never

import orjson

DEPTH_MAX = 64
"""Levels of objects and arrays that a value from outside may have: far below where writing it (255) would fail."""
SHOWN_PARTS = 8
"""Parts of a path that are shown; deeper ones add nothing for a reader."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}\Z")
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"(\s*:)?')
_SUSPICIOUS = re.compile(rb"[0-9.]{16}|[eE]-[0-9]{3}|\\u0000")
"""What the quick reading can not judge: a number with many digits, or too small for a double; U+0000."""
_FREE_TEXT = (("payload", "message"), ("data", "payload", "message"))
"""What a customer wrote: characters that nobody can read are taken out of it, it is not refused for them."""


class Refused(Exception):
    """A value that will not be read. `field` is a path, `value` where it is the whole of it."""

    def __init__(self, field: str, text: str, *, undecodable: bool = False, data: Any = None) -> None:
        super().__init__(text)
        self.field = field
        self.text = text
        self.undecodable = undecodable
        """It is no JSON at all."""
        self.data = data
        """As far as it can be read all the same: who sent it can be told."""


class _Repeated(dict[str, Any]):
    """An object in which a key occurs twice."""

    key = ""


class _Lossy(float):
    """A number with more digits than it has as a double."""


class _Reader:
    """One reading; knows afterwards whether anything has to be looked for."""

    def __init__(self) -> None:
        self.found = False

    def object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) == len(pairs):
            return made
        self.found = True
        repeated = _Repeated(made)
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                repeated.key = key
                break
            seen.add(key)
        return repeated

    def decimal(self, text: str) -> float:
        value = float(text)
        if _is_held(text, value):
            return value
        self.found = True
        return _Lossy(value)


def _is_held(text: str, value: float) -> bool:
    """Whether the double is the number: written shortest, in 17 digits, or in all of its digits, as languages do."""
    try:
        said = Decimal(text)
        return said in {Decimal(repr(value)), Decimal(f"{value:.17g}"), Decimal(value)}
    except InvalidOperation:
        return False


def loads(text: bytes) -> Any:
    """Read a value. Raises: Refused."""
    try:
        plain = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        _refuse(error)
    if _keys_within_depth(plain) == _keys_written(text) and not _SUSPICIOUS.search(text):
        return plain
    reader = _Reader()
    value = json.loads(text, object_pairs_hook=reader.object, parse_float=reader.decimal)
    if reader.found or b"\\u0000" in text:
        _look(value, plain)
    return value


def _keys_written(text: bytes) -> int:
    """How many keys the text holds, counted without reading it: a string is a key where a colon follows."""
    return sum(1 for found in _STRING.finditer(text) if found[1])


def _keys_within_depth(value: Any) -> int:
    """How many keys the value holds. Raises: Refused where it is nested too deep; without recursion."""
    keys = 0
    layer = [value] if isinstance(value, dict | list) else []
    for _ in range(DEPTH_MAX):
        inner: list[Any] = []
        for outer in layer:
            if isinstance(outer, dict):
                keys += len(outer)
                inner += [each for each in outer.values() if isinstance(each, dict | list)]
            else:
                inner += [each for each in outer if isinstance(each, dict | list)]
        if not inner:
            return keys
        layer = inner
    raise Refused("value", f"{_deepest(value)} is nested deeper than {DEPTH_MAX} levels of objects and arrays")


def _refuse(error: orjson.JSONDecodeError) -> Never:
    said = str(error)
    if "depth limit" in said:
        raise Refused("value", f"the value is nested deeper than {DEPTH_MAX} levels of objects and arrays") from error
    raise Refused("value", f"the value is not UTF-8 JSON: {said}", undecodable=True) from error


def _look(value: Any, plain: Any) -> None:
    """Refuse what was noticed, by its place."""
    for path, found in _walk(value):
        where = shown(path)
        if isinstance(found, _Repeated):
            field = shown((*path, found.key))
            raise Refused(field, f"{field} occurs twice in its object: nobody can tell which one is meant", data=plain)
        if isinstance(found, _Lossy):
            text = f"{where} has more digits than a JSON number keeps: send it as a string, or rounded"
            raise Refused(where, text, data=plain)
        if isinstance(found, dict) and any("\0" in key for key in found):
            raise Refused(where, f"{where} has a key with the character U+0000", data=plain)
        if isinstance(found, str) and "\0" in found and path not in _FREE_TEXT:
            raise Refused(where, f"{where} contains the character U+0000", data=plain)


def _walk(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every value with its path, outer ones first; the depth is bounded already."""
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _walk(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _walk(inner, (*path, index))


def _deepest(value: Any) -> str:
    """Where the deepest place lies, by the beginning of its path; without recursion."""
    layer: list[tuple[Any, tuple[str | int, ...]]] = [(value, ())]
    deepest = layer
    while layer:
        deepest = layer
        layer = [
            (inner, (*path, key) if len(path) <= SHOWN_PARTS else path)
            for outer, path in layer
            for key, inner in (outer.items() if isinstance(outer, dict) else enumerate(outer))
            if isinstance(inner, dict | list)
        ]
    return shown(deepest[0][1])


def shown(path: tuple[str | int, ...]) -> str:
    """A path as people write it, `value` for the whole; what does not look like a name is shown as `*`: it may be anything."""
    parts = [str(part) if isinstance(part, int) or _NAME.match(part) else "*" for part in path]
    more = ["…"] if len(parts) > SHOWN_PARTS else []
    return ".".join([*parts[:SHOWN_PARTS], *more]) or "value"
