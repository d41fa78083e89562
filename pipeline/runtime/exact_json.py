"""JSON read without loss: a number of twenty digits (a protocol, say) stays that number.

orjson is fast and strict, but reads an integer beyond 64 bits as a float, and refuses to write one. So where such a number may be,
the text is read again by the standard library. Invariants: what orjson refuses stays refused (NaN, lone surrogates, bad UTF-8).
"""

import json
import re
from typing import Any

import orjson

_MAY_BE_LARGE = re.compile(rb"[0-9]{19}")


def loads(text: bytes) -> Any:
    """Read a value. Raises: orjson.JSONDecodeError."""
    value = orjson.loads(text)
    if _MAY_BE_LARGE.search(text):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):  # more digits, or more levels, than Python reads: as orjson has it
            return value
    return value


def dumps(value: Any) -> bytes:
    """Write a value made of JSON's types. Raises: TypeError, ValueError."""
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
