"""When an answer is the expected one.

Owns: the comparison rules of the case files. Source: language.json GENERAL-2, COERCE-1.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from tests.cases.reading import Case, Got

__all__ = ["passes", "same"]


def passes(case: Case, got: Got) -> bool:
    """Whether the answer is the expected one or one of its alternatives."""
    expect = case.expect
    alternatives: Sequence[Any] = expect.get("also_ok") or case.also_ok
    match case.kind:
        case "items":
            return any(same(wanted, got.get("items")) for wanted in (expect["items"], *alternatives))
        case "reply":
            if got.get("verdict") == expect["verdict"]:
                sets = (expect.get("items"), *(other for other in alternatives if not isinstance(other, str)))
                return expect["verdict"] != "amend" or any(same(wanted, got.get("items")) for wanted in sets)
            return got.get("verdict") in alternatives
        case "coerce":
            if "error" in expect:
                return "error" in got or any(_is_value(wanted, got) for wanted in alternatives)
            return "value" in got and any(same(wanted, got["value"]) for wanted in (expect["value"], *alternatives))
        case "route":
            if got.get("tool") == "multiple" and expect["tool"] == "multiple":
                return list(got.get("tools", [])) == list(expect.get("tools", []))
            return got.get("tool") == expect["tool"] or got.get("tool") in alternatives
        case "abandon":
            if got.get("verdict") == expect["verdict"]:
                return "value" not in expect or same(expect["value"], got.get("value"))
            return got.get("verdict") in alternatives
        case _:
            return False


def _is_value(wanted: Any, got: Got) -> bool:
    return "value" in got and same(wanted, got["value"])


def same(wanted: Any, got: Any) -> bool:
    """Compare by GENERAL-2: texts without case, accents and a final full stop, numbers by value, booleans as themselves."""
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    if isinstance(wanted, (int, float)) and isinstance(got, (int, float)):
        return abs(wanted - got) < 1e-9
    if isinstance(wanted, str) and isinstance(got, str):
        return _plain(wanted) == _plain(got)
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        return wanted.keys() == got.keys() and all(same(value, got[key]) for key, value in wanted.items())
    if (
        isinstance(wanted, Sequence)
        and isinstance(got, Sequence)
        and not isinstance(wanted, str)
        and not isinstance(got, str)
    ):
        return len(wanted) == len(got) and all(same(one, other) for one, other in zip(wanted, got, strict=True))
    return bool(wanted == got)


def _plain(text: str) -> str:
    spread = unicodedata.normalize("NFD", unicodedata.normalize("NFC", text).casefold())
    bare = " ".join("".join(char for char in spread if not unicodedata.combining(char)).split())
    return bare[:-1].rstrip() if bare.endswith(".") else bare
