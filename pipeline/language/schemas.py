"""The parts of a JSON Schema that say how a value is read and checked.

Owns: the type that rules, options, bounds, patterns (jsonschema-rs: its expressions run in linear time), the one text of an
object.
Never: reads a text for its value.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeGuard

import jsonschema_rs


def type_of(schema: Mapping[str, Any]) -> str:
    """The type that rules: `list` means array, a nullable type its other name, a string of format date a date."""
    declared = schema.get("type")
    if isinstance(declared, list | tuple):
        declared = next((one for one in declared if one != "null"), None)
    if declared == "list":
        return "array"
    if declared in {"string", None} and schema.get("format") in {"date", "date-time"}:
        return "date"
    if declared is None:
        return "array" if "items" in schema else "object" if "properties" in schema else "string"
    return str(declared)


def options_of(schema: Mapping[str, Any]) -> tuple[Any, ...]:
    for key in ("enum", "options"):
        options = schema.get(key)
        if isinstance(options, list | tuple):
            return tuple(options)
    return ()


def is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_outside(value: Decimal, schema: Mapping[str, Any]) -> bool:
    """Whether a number is beyond minimum, maximum or their exclusive kinds."""
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    return (
        (is_number(low) and value < low)
        or (is_number(high) and value > high)
        or (is_number(above) and value <= above)
        or (is_number(below) and value >= below)
    )


@lru_cache(maxsize=512)
def _pattern(pattern: str) -> jsonschema_rs.Validator | None:
    try:
        return jsonschema_rs.validator_for({"type": "string", "pattern": pattern})
    except ValueError:
        return None


def matches(pattern: str, value: str) -> bool:
    """A JSON-Schema pattern, searched for as JSON Schema says; one that is no expression matches nothing."""
    validator = _pattern(pattern)
    return validator is not None and validator.is_valid(value)


def matching_words(pattern: str, text: str) -> list[str]:
    """The words of a short sentence that meet the pattern by themselves, ends trimmed of signs."""
    words = dict.fromkeys(word.strip(".,;:!?\"'()") for word in text.split()[:64])
    return [word for word in words if word and matches(pattern, word)]


def only_text_property(schema: Mapping[str, Any]) -> str | None:
    """The one required property that takes text, where there is exactly one required string property."""
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, Mapping) or not isinstance(required, list | tuple):
        return None
    texts = [
        name
        for name in required
        if isinstance(properties.get(name), Mapping) and properties[name].get("type") == "string"
    ]
    return texts[0] if len(texts) == 1 and len(required) == 1 else None
