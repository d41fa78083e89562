"""What a JSON Schema accepts, as a list of alternatives of one JSON type each.

Owns: following `$ref`, spreading `anyOf`, `oneOf`, a list of types, and the one schema of an `allOf`.
Invariants: keywords beside a `$ref`, a union or an `allOf` hold as well as those inside (words such as descriptions win over them): where
they say different things, both stay, as an `allOf` that no rule reads; an alternative keeps only what restricts its own type.
Never: changes a schema it was given. Source: JSON Schema 2020-12.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]

ANY = "any"
"""Kind of an alternative that does not say its type."""

ANNOTATIONS = frozenset(
    {"$schema", "$id", "$anchor", "$comment", "$defs", "title", "description", "examples", "default", "deprecated"}
)
"""Keywords that restrict nothing."""

UNION = ("anyOf", "oneOf")

UNION_DEPTH = 8
"""Unions of unions that are spread: a union of itself says nothing."""

STRICTER: Mapping[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(("minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum"), max),
    **dict.fromkeys(("maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum"), min),
}
"""Which of two bounds holds where both are said."""

OF_TYPE: Mapping[str, frozenset[str]] = {
    "string": frozenset({"minLength", "maxLength", "pattern", "format"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
    "array": frozenset({"items", "prefixItems", "minItems", "maxItems", "uniqueItems"}),
    "object": frozenset({"properties", "required", "additionalProperties", "minProperties", "maxProperties"}),
}
"""Keywords that restrict one type only; those of a number restrict an integer."""

OF_ANY = frozenset(
    {"type", "enum", "const", "$ref", "allOf", "discriminator", "x-open", "x-meaning", "x-aliases", *UNION}
)

KNOWN = ANNOTATIONS | OF_ANY | frozenset(keyword for keywords in OF_TYPE.values() for keyword in keywords)
"""Every keyword that a rule is written for."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way for a value to be right."""

    kind: str
    """A JSON type, or `any`."""
    schema: Schema
    """Resolved: no reference and no union at its top."""
    name: str = ""
    """Name of the definition it came from; empty: it was written in place."""

    @property
    def values(self) -> tuple[Any, ...] | None:
        """The only values it accepts; None: any of its kind."""
        if "const" in self.schema:
            return (self.schema["const"],)
        return tuple(self.schema["enum"]) if "enum" in self.schema else None


def resolved(schema: Any, root: Schema) -> tuple[Schema, str]:
    """The schema with its references followed, and the name of the last definition."""
    name = ""
    schema = as_schema(schema)
    for _ in range(64):  # a reference to itself says nothing; it ends here
        parts = schema.get("allOf", ())
        if "$ref" in schema:
            reference = str(schema["$ref"])
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            name = reference.rsplit("/", 1)[-1]
            schema = both(as_schema(_at(root, reference)), beside)
        elif len(parts) == 1:
            beside = {key: value for key, value in schema.items() if key != "allOf"}
            schema = both(as_schema(parts[0]), beside)
        else:
            break
    return schema, name


def both(one: Schema, other: Schema) -> Schema:
    """What two schemas of one value say together. Both restrict it; of two wordings the other's is taken."""
    shared = [key for key in one if key in other and one[key] != other[key]]
    restricting = [key for key in shared if key not in ANNOTATIONS and not key.startswith("x-")]
    merged: dict[str, Any] = {**one, **other}
    for key, stricter in STRICTER.items():
        if key in restricting:
            restricting.remove(key)
            merged[key] = stricter(one[key], other[key])
    for key in ("required", "allOf"):
        if key in restricting:
            restricting.remove(key)
            merged[key] = [*one[key], *(each for each in other[key] if each not in one[key])]
    if "properties" in restricting and not set(one["properties"]) & set(other["properties"]):
        restricting.remove("properties")
        merged["properties"] = {**one["properties"], **other["properties"]}
    if restricting:
        parts = [{key: schema[key] for key in restricting} for schema in (one, other)]
        merged["allOf"] = [*merged.get("allOf", ()), *parts]
    return merged


def as_schema(schema: Any) -> Schema:
    """`true` accepts everything and is an empty schema; `false` accepts nothing."""
    if schema is True:
        return {}
    if schema is False:
        return {"enum": []}
    return schema if isinstance(schema, Mapping) else {"x-unreadable": schema}


def _at(root: Schema, reference: str) -> Any:
    place: Any = root
    if not reference.startswith("#"):
        return {"x-unreadable": reference}
    for part in filter(None, reference.removeprefix("#").split("/")):
        key = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(place, Mapping) or key not in place:
            return {"x-unreadable": reference}
        place = place[key]
    return place


def spelled_out(value: Any, root: Schema, depth: int = 0) -> Any:
    """A value with every reference in it replaced by what it names, as deep as 16 levels: for comparing only."""
    if isinstance(value, Mapping):
        plain = resolved(value, root)[0] if "$ref" in value else value
        return {key: spelled_out(each, root, depth + 1) for key, each in plain.items()} if depth < 16 else dict(plain)
    return [spelled_out(each, root, depth + 1) for each in value] if isinstance(value, list | tuple) else value


def alternatives(schema: Any, root: Schema, depth: int = 0) -> Iterator[Alternative]:
    """Every way for a value to be right, of one JSON type each."""
    plain, name = resolved(schema, root)
    unions = [key for key in UNION if key in plain]
    spread = unions[0] if unions and depth < UNION_DEPTH else None
    kept = {key: plain[key] for key in unions if key != spread}
    if kept:  # of two unions one is spread; the other is kept as it is, where a difference is told
        plain = {key: value for key, value in plain.items() if key not in kept}
        plain["allOf"] = [*plain.get("allOf", ()), kept]
    if spread is not None:
        beside = {
            key: value for key, value in plain.items() if key != spread and key not in ANNOTATIONS | {"discriminator"}
        }
        for option in plain[spread]:
            for each in alternatives(option, root, depth + 1):
                merged = both(beside, each.schema)
                for kind in _kinds(merged) if each.kind == ANY else (each.kind,):
                    yield Alternative(kind, _only(merged, kind), each.name)
        return
    for kind in _kinds(plain):
        yield Alternative(kind, _only(plain, kind), name)


def _kinds(schema: Schema) -> tuple[str, ...]:
    said = schema.get("type")
    if isinstance(said, str):
        return (said,)
    if isinstance(said, list | tuple):
        return tuple(said)
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    return tuple(dict.fromkeys(kind_of(value) for value in values)) if values is not None else (ANY,)


def kind_of(value: Any) -> str:
    """JSON type of a value."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list() | tuple():
            return "array"
        case _:
            return "object"


def _only(schema: Schema, kind: str) -> Schema:
    if kind == ANY:
        return schema
    own = OF_TYPE.get("number" if kind == "integer" else kind, frozenset())
    others = frozenset(keyword for keywords in OF_TYPE.values() for keyword in keywords) - own
    kept = {key: value for key, value in schema.items() if key not in others}
    if "enum" in kept:
        fitting = ("integer", "number") if kind == "number" else (kind,)
        kept["enum"] = [value for value in kept["enum"] if kind_of(value) in fitting]
    return kept
