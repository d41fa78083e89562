"""What a text or an already typed value is as the value of a parameter, by JSON-Schema type and locale.

Owns: the type switch, arrays, objects; typed values from a gateway or a model are checked alike.
Invariants: pure and total: any `text` gives a Coerced or a CoerceError, never an exception; a bool is never a number;
a value that fails is never replaced by a default.
Never: routes, asks, reads a clock. Source: rules COERCE-1 to COERCE-8; behaviour.json REC-01, REC-02.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pipeline.language.coerce_values import Values
from pipeline.language.coerced import (
    AMBIGUOUS,
    MISSING,
    NOT_AN_ARRAY,
    NOT_AN_OBJECT,
    OUT_OF_BOUNDS,
    PATTERN_MISMATCH,
    Coerced,
    CoerceError,
)
from pipeline.language.items import read_items
from pipeline.language.lists import split_typed
from pipeline.language.literals import parse_literal
from pipeline.language.schemas import is_number, only_text_property, options_of, type_of

__all__ = [
    "AMBIGUOUS",
    "OUT_OF_BOUNDS",
    "PATTERN_MISMATCH",
    "CoerceError",
    "Coerced",
    "coerce",
    "options_of",
    "type_of",
]

MAX_TEXT: Final = 16_384
"""Characters read; a longer text is no value (the contract's own limit of a message)."""
_SHORT_NAME: Final = 3
"""Words of a text that is a name and nothing else."""


@dataclass(frozen=True, slots=True)
class _Reader(Values):
    """Reads a value of any type, its elements and properties too."""

    def read(self, raw: Any, schema: Mapping[str, Any]) -> Coerced | CoerceError:
        if raw is None or (isinstance(raw, str) and not raw.strip()):
            return CoerceError(MISSING, "blank")
        if isinstance(raw, str) and len(raw) > MAX_TEXT:
            return CoerceError(OUT_OF_BOUNDS, "longer than a message may be")
        kind = type_of(schema)
        if options_of(schema) and kind not in {"array", "object"}:
            return self._enum(raw, schema)
        match kind:
            case "number" | "integer":
                return self._number(raw, schema, whole=kind == "integer")
            case "boolean":
                return self._boolean(raw)
            case "date":
                return self._date(raw, schema)
            case "array":
                return self._array(raw, schema)
            case "object":
                return self._object(raw, schema)
            case _:
                return self._string(raw, schema)

    def _array(self, raw: Any, schema: Mapping[str, Any]) -> Coerced | CoerceError:
        element = schema.get("items")
        element_schema: Mapping[str, Any] = element if isinstance(element, Mapping) else {"type": "string"}
        parsed = parse_literal(raw) if isinstance(raw, str) else raw
        if isinstance(parsed, Mapping):
            parsed = [parsed]
        if isinstance(parsed, list | tuple):
            found, rule = list(parsed), "COERCE-6 a list"
        elif isinstance(raw, str):
            found, rule = self._split(raw, element_schema), "COERCE-6 text by the ITEMS rules"
        elif isinstance(raw, bool | int | float):
            found, rule = [raw], "COERCE-6 one value"
        else:
            return CoerceError(NOT_AN_ARRAY, "not a list nor text")
        if not found:
            return CoerceError(MISSING, "an empty list")
        values: list[Any] = []
        for one in found:
            coerced = self._element(one, element_schema)
            if isinstance(coerced, CoerceError):
                return coerced
            values.append(coerced.value)
        low, high = schema.get("minItems"), schema.get("maxItems")
        if (is_number(low) and len(values) < low) or (is_number(high) and len(values) > high):
            return CoerceError(OUT_OF_BOUNDS, "number of elements outside minItems and maxItems")
        return Coerced(values, rule)

    def _split(self, text: str, element: Mapping[str, Any]) -> list[Any]:
        kind = type_of(element)
        if kind not in {"string", "object"} or options_of(element):
            return split_typed(text, element, locale=self.locale, now=self.now, timezone=self.timezone)
        named = text.split()
        items = list(read_items(text, label=self.label, known_values=self.known_values, locale=self.locale).items)
        if len(items) < 2 and 1 < len(named) <= _SHORT_NAME and len(named[-1]) == 1 and named[-1].isalpha():
            return [" ".join(named)]  # the last letter of a name is no article: "Plan A", "Hepatite A"
        return items

    def _element(self, raw: Any, schema: Mapping[str, Any]) -> Coerced | CoerceError:
        kind = type_of(schema)
        if kind != "object":
            return self.read(raw, schema)
        if isinstance(raw, str):
            parsed = parse_literal(raw)
            if isinstance(parsed, Mapping):
                return self._object(parsed, schema)
            only = only_text_property(schema)
            if only is None:
                return CoerceError(NOT_AN_OBJECT, "COERCE-6 text for an object without one required text")
            return self._object({only: raw}, schema)
        return self._object(raw, schema)

    def _object(self, raw: Any, schema: Mapping[str, Any]) -> Coerced | CoerceError:
        parsed = parse_literal(raw) if isinstance(raw, str) else raw
        if not isinstance(parsed, Mapping) or any(not isinstance(key, str) for key in parsed):
            return CoerceError(NOT_AN_OBJECT, "not an object")
        properties = schema.get("properties")
        known: Mapping[str, Any] = properties if isinstance(properties, Mapping) else {}
        value: dict[str, Any] = dict(parsed)
        for name, part in known.items():
            if name in value and isinstance(part, Mapping):
                coerced = self.read(value[name], part)
                if isinstance(coerced, CoerceError):
                    return coerced
                value[name] = coerced.value
        required = schema.get("required")
        for name in required if isinstance(required, list | tuple) else ():
            if name not in value:
                return CoerceError(MISSING, "a required property is missing")
        return Coerced(value, "an object")


def coerce(
    text: Any,
    schema: Mapping[str, Any],
    *,
    locale: str = "pt-BR",
    now: datetime | None = None,
    timezone: str = "America/Sao_Paulo",
    known_values: Sequence[str] = (),
    label: str | None = None,
    question: str = "",
) -> Coerced | CoerceError:
    """Return the value of `text` for a parameter of this schema, or why it has none.

    `now` places relative dates ("amanhã"); without it they are `ambiguous`. `question`, when known, lets a bare "15"
    be a day where a day was asked for.
    """
    reader = _Reader(locale, now, timezone, tuple(known_values), label, question)
    try:
        return reader.read(text, schema)
    except RecursionError:  # a list of lists of lists from a gateway
        return CoerceError(OUT_OF_BOUNDS, "nested too deep")
