"""A contract's fields as rows of a table: path, type in words, whether it is required, what it means.

Invariants: a part that only one contract has is unfolded in its table; a contract or a part that several have is named instead.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from consumers.schemas.known_contracts import ALL, schema_of

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One field."""

    path: str
    """Dotted; `[]` after a list."""
    kind: str
    """A word for its type, to be translated, or the title of the part or enum it is."""
    listed: bool
    """Whether it is a list of that."""
    required: bool
    """Whether it has to be there wherever the object is that it belongs to."""
    meaning: str


@dataclass(frozen=True, slots=True)
class Fields:
    """One table; `of`: the part of the contract it is about, where the contract has alternatives."""

    of: str | None
    rows: tuple[Row, ...]


class Catalogue:
    """All contracts with the parts and enums that they share."""

    def __init__(self) -> None:
        self.schemas = {contract.__name__: schema_of(contract) for contract in ALL}
        self.definitions: dict[str, Schema] = {}
        for schema in self.schemas.values():
            self.definitions |= schema.get("$defs", {})
        self.enums = {name: part for name, part in self.definitions.items() if "enum" in part}
        self.shared = {name: self.definitions[name] for name in self._shared()}
        """Parts that stand in several tables."""

    def _shared(self) -> list[str]:
        users: dict[str, set[str]] = {}
        for owner, schema in (*self.schemas.items(), *self.definitions.items()):
            for name in _references(schema.get("properties", {})):
                users.setdefault(name, set()).add(owner)
        parts = {name for name in self.definitions if name not in self.schemas and name not in self.enums}
        return sorted(name for name in parts if len(users.get(name, ())) > 1)

    def is_named(self, name: str) -> bool:
        """Whether it has a section of its own."""
        return name in self.schemas or name in self.enums or name in self.shared

    def tables(self, name: str) -> list[Fields]:
        """The tables of a contract or a shared part: one, and one more for each alternative."""
        schema = self.schemas.get(name) or self.definitions[name]
        rows = tuple(self._rows(schema, ""))
        return [Fields(None, rows), *self._alternatives(schema)]

    def _alternatives(self, schema: Schema) -> Iterator[Fields]:
        for field, said in schema["properties"].items():
            for option in said.get("oneOf", ()):
                part = self.definitions[_title(option)]
                kind = part["properties"]["kind"]["const"]
                yield Fields(kind, tuple(self._rows(part, f"{field}.")))

    def _rows(self, schema: Schema, prefix: str) -> Iterator[Row]:
        required = set(schema.get("required", ()))
        for field, said in schema["properties"].items():
            kind, listed = self._kind(said)
            path = f"{prefix}{field}"
            folded = kind in self.definitions and not self.is_named(kind)
            yield Row(path, "object" if folded else kind, listed, field in required, said.get("description", ""))
            if folded:
                yield from self._rows(self.definitions[kind], f"{path}{'[]' if listed else ''}.")

    def _kind(self, said: Schema) -> tuple[str, bool]:
        if "$ref" in said:
            return _title(said), False
        if "oneOf" in said:
            return "object", False
        if "anyOf" in said:
            (option,) = (option for option in said["anyOf"] if option.get("type") != "null")
            return self._kind(option)
        if "const" in said:
            return f"`{said['const']}`", False
        if said.get("type") == "array":
            kind, nested = self._kind(said.get("items", {}))
            return "list" if nested else kind, True
        return WORDS.get(said.get("format", ""), WORDS.get(said.get("type", ""), "anything")), False


WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "date-time": "instant",
    "array": "list",
}


def _title(said: Schema) -> str:
    return str(said["$ref"]).rsplit("/", 1)[-1]


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if isinstance(value.get("$ref"), str):
            yield _title(value)
        value = list(value.values())
    if isinstance(value, list):
        for child in value:
            yield from _references(child)
