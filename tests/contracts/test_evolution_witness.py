"""An independent judge of the gate: messages that the writer's schema allows, put before the reader's schema by a validator.

Where the gate says that nobody breaks, no such message is refused; where it says that records are refused, one of them is.
Announced exceptions: a tolerant reader (open enums take any value), and rules about something no validator sees, such as meaning.
"""

import copy
import itertools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from contracts.evolution.gate import Verdict, compare
from contracts.evolution.rules import RULES

CHANGES = json.loads((Path(__file__).parents[1] / "data" / "evolution" / "changes.json").read_text(encoding="utf-8"))
DIRECTIONS = {"gateway-request-v1": ("old", "new"), "llm-request-v1": ("new", "old")}
"""Version: which schema writes, which reads."""

UNSEEN = {
    "renamed-optional",
    "default-changed",
    "meaning-changed",
    "keyword-unknown",
    "pattern-changed",
    "field-removed-required",
    "alias-removed",
}
"""Rules on what both schemas accept, or that forbid more than a validator sees."""
ACCEPTED_BY_VALIDATORS = {"renamed-with-alias"}
"""A validator knows no aliases: it refuses what our readers accept."""

PLAIN: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    3,
    4,
    5,
    6,
    7,
    12,
    2.5,
    "",
    "a",
    "abc",
    "Z9",
    "2026-11-30",
    "2026-11-30T13:00:00Z",
)


def tolerant(schema: Any) -> Any:
    """A reader's schema as a tolerant reader takes it: an open enum lists what is known, not what is accepted."""
    if isinstance(schema, dict):
        kept = {key: tolerant(value) for key, value in schema.items()}
        if kept.get("x-open") is True:
            kept.pop("enum", None)
            for option in kept.get("anyOf", ()):
                option.pop("$ref", None)
        return kept
    return [tolerant(each) for each in schema] if isinstance(schema, list) else schema


def values(schema: Any, root: Any, depth: int = 0) -> Iterator[Any]:
    """Candidates for a schema: plain ones, its own words, and objects and arrays built from those of its parts."""
    schema = {} if isinstance(schema, bool) else schema
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target.get(part, {})
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    yield from schema.get("enum", ())
    yield from (schema[key] for key in ("const", "default") if key in schema)
    yield from PLAIN
    for length in (schema[key] for key in ("minLength", "maxLength") if key in schema):
        yield from ("x" * size for size in (length - 1, length, length + 1, length * 2) if size >= 0)
    if depth > 4:
        return
    for option in itertools.chain(schema.get("anyOf", ()), schema.get("oneOf", ())):
        yield from values(option, root, depth + 1)
    for size in range(7):
        yield from ([value] * size for value in ("a", 1) if "prefixItems" not in schema)
    if isinstance(schema.get("items"), dict):
        yield from ([value] for value in values(schema["items"], root, depth + 1))
    if "prefixItems" in schema:
        yield from map(list, itertools.product(PLAIN, repeat=len(schema["prefixItems"])))
    yield from objects(schema, root, depth)


def objects(schema: Any, root: Any, depth: int) -> Iterator[Any]:
    fields = {name: list(values(field, root, depth + 1)) for name, field in schema.get("properties", {}).items()}
    validators = {name: validator(field, root) for name, field in schema.get("properties", {}).items()}
    base = {
        name: next((value for value in candidates if validators[name].is_valid(value)), None)
        for name, candidates in fields.items()
    }
    yield {f"x{place}": 1 for place in range(4)}
    yield {f"x{place}": 1 for place in range(2)}
    yield {"x": "a"}
    yield dict(base)
    yield {**base, "x_unknown": 1}
    for name in base:
        rest = {key: value for key, value in base.items() if key != name}
        yield rest
        yield from ({**base, name: value} for value in fields[name])
        yield from ({name: value} for value in fields[name])


def validator(schema: Mapping[str, Any] | bool, root: Mapping[str, Any]) -> Any:
    schema = {"allOf": [schema]} if isinstance(schema, bool) else schema
    return jsonschema_rs.Draft202012Validator({**schema, "$defs": root.get("$defs", {})}, validate_formats=True)


def refused(writer: Any, reader: Any, *, writer_is_open: bool) -> list[Any]:
    """Messages that the writer may send and the reader refuses."""
    written = tolerant(copy.deepcopy(writer)) if writer_is_open else writer
    taken = tolerant(copy.deepcopy(reader))
    sends, takes = validator(written, written), validator(taken, taken)
    known = set(names(writer))
    candidates = (value for schema in (writer, reader) for value in values(schema, schema))
    return [
        value
        for value in candidates
        if sends.is_valid(value) and not takes.is_valid(value) and known >= set(said(value))
    ]


def names(schema: Any) -> Iterator[str]:
    """Fields a writer knows: it does not write another one that happens to be the reader's."""
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
        for value in schema.values():
            yield from names(value)


def said(value: Any) -> Iterator[str]:
    """Field names in a message, those aside that nobody knows."""
    if isinstance(value, dict):
        yield from (name for name in value if not name.startswith("x"))
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from said(inner)


def breaks_somebody(verdicts: tuple[Verdict, ...]) -> bool:
    return any(verdict.grade.failing for verdict in verdicts)


CASES = [
    pytest.param(change, version, id=f"{change['change']}, {' to '.join(DIRECTIONS[version])}")
    for change in CHANGES
    for version in DIRECTIONS
    if not {each["rule"] for each in change["verdicts"][version]} & UNSEEN
]


@pytest.mark.parametrize(("change", "version"), CASES)
def test_the_gate_and_a_validator_agree(change: Mapping[str, Any], version: str) -> None:
    writer, reader = (change[side] for side in DIRECTIONS[version])
    verdicts = compare(change["old"], change["new"], version)
    rules = {verdict.rule for verdict in verdicts}
    # Readers of an enum that was open before expect anything; one that is only now declared open grows from the next release on.
    witnesses = refused(writer, reader, writer_is_open=DIRECTIONS[version][0] == "old")
    if breaks_somebody(verdicts):
        assert witnesses, "the gate says that somebody breaks, and no message shows it"
    elif not rules & ACCEPTED_BY_VALIDATORS:
        assert witnesses == [], "the gate says that nobody breaks"


def test_the_exceptions_are_rules() -> None:
    assert set(RULES) >= UNSEEN | ACCEPTED_BY_VALIDATORS
