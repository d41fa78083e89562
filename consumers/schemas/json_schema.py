"""JSON Schema of the contracts as pydantic makes it, tidied for readers.

Invariants: same meaning, fewer words: no field is titled with its own name, and the values of an enum say what they mean.
"""

from collections.abc import Mapping
from typing import Any

from consumers.schemas.enumerations import KEYWORD, meanings

FIRST = ("title", "description", "type", "required", "properties")
"""What a reader of a schema wants to see first."""


def tidied(name: str, part: Mapping[str, Any]) -> dict[str, Any]:
    """A model's or enum's schema, `name` being its title."""
    ordered = {**{key: part[key] for key in FIRST if key in part}, **part}
    if "properties" in part:
        fields = part["properties"].items()
        ordered["properties"] = {
            field: {key: said for key, said in schema.items() if key != "title"} for field, schema in fields
        }
    if "enum" in part and name in meanings():
        ordered[KEYWORD] = meanings()[name]
    return ordered


def tidied_definitions(parts: Mapping[str, Any]) -> dict[str, Any]:
    """The same of every definition."""
    return {name: tidied(name, part) for name, part in parts.items()}
