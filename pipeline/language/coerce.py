"""What a text or an already typed value is as the value of a parameter, by JSON-Schema type and locale.

Owns: the type switch, arrays, objects, strings, bounds; typed values from a gateway or a model are checked alike.
Invariants: pure and total: any `text` gives a Coerced or a CoerceError, never an exception; a bool is never a number;
a value that fails is never replaced by a default.
Never: routes, asks, reads a clock. Source: rules COERCE-1 to COERCE-8; behaviour.json REC-01, REC-02.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from pipeline.language.booleans import read_boolean
from pipeline.language.dates import read_date
from pipeline.language.enums import read_enum
from pipeline.language.items import read_items
from pipeline.language.lexemes import words_of
from pipeline.language.lists import split_typed
from pipeline.language.literals import parse_literal
from pipeline.language.numbers import read_number
from pipeline.language.schemas import (
    is_number,
    is_outside,
    matches,
    matching_words,
    only_text_property,
    options_of,
    type_of,
)

__all__ = [
    "AMBIGUOUS",
    "MISSING",
    "NOT_AN_ARRAY",
    "NOT_AN_INTEGER",
    "NOT_AN_OBJECT",
    "NOT_A_BOOLEAN",
    "NOT_A_DATE",
    "NOT_A_NUMBER",
    "NOT_A_STRING",
    "NOT_IN_ENUM",
    "OUT_OF_BOUNDS",
    "PATTERN_MISMATCH",
    "CoerceError",
    "Coerced",
    "coerce",
    "options_of",
    "type_of",
]

MISSING: Final = "missing"


NOT_A_NUMBER: Final = "not_a_number"


NOT_AN_INTEGER: Final = "not_an_integer"


NOT_A_BOOLEAN: Final = "not_a_boolean"


NOT_A_DATE: Final = "not_a_date"


NOT_IN_ENUM: Final = "not_in_enum"


NOT_AN_OBJECT: Final = "not_an_object"


NOT_A_STRING: Final = "not_a_string"


NOT_AN_ARRAY: Final = "not_an_array"


AMBIGUOUS: Final = "ambiguous"


OUT_OF_BOUNDS: Final = "out_of_bounds"


PATTERN_MISMATCH: Final = "pattern_mismatch"


MAX_TEXT: Final = 16_384
"""Characters read; a longer text is no value (the contract's own limit of a message)."""


_SHORT_NAME: Final = 3
"""Words of a text that is a name and nothing else."""


@dataclass(frozen=True, slots=True)
class Coerced:
    value: Any
    rule: str
    """Which rule read it, for the event payload and `trace`."""


@dataclass(frozen=True, slots=True)
class CoerceError:
    code: str
    """A code of COERCE-1, or not_a_string, not_an_array, out_of_bounds, pattern_mismatch."""
    rule: str


@dataclass(frozen=True, slots=True)
class _Reader:
    """The circumstances of one reading, handed down to elements and properties."""

    locale: str
    now: datetime | None
    timezone: str
    known_values: tuple[str, ...]
    label: str | None
    asked: str

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

    # Numbers -----------------------------------------------------------------------------------------------------

    def _number(self, raw: Any, schema: Mapping[str, Any], *, whole: bool) -> Coerced | CoerceError:
        if isinstance(raw, str):
            reading = read_number(raw, self.locale, of_day=self._about_day())
            if reading.error is not None or reading.value is None:
                return CoerceError(reading.error or NOT_A_NUMBER, reading.rule)
            exact, rule = reading.value, f"COERCE-2 {reading.rule}"
        elif (
            isinstance(raw, int | float) and not isinstance(raw, bool) and (isinstance(raw, int) or math.isfinite(raw))
        ):
            exact, rule = Decimal(raw) if isinstance(raw, int) else Decimal(repr(raw)), "a typed number"
        else:
            return CoerceError(NOT_A_NUMBER, "not a number nor text")
        if whole and exact != exact.to_integral_value():
            return CoerceError(NOT_AN_INTEGER, "COERCE-3 not whole")
        integral = whole or (isinstance(raw, int) and not isinstance(raw, bool)) or abs(exact) >= 2**53
        value: int | float = int(exact) if integral and exact == exact.to_integral_value() else float(exact)
        if is_outside(exact, schema):
            return CoerceError(OUT_OF_BOUNDS, "outside minimum and maximum")
        return Coerced(value, rule)

    def _about_day(self) -> bool:
        """The number asked for is a day of the month ("o dia de vencimento")."""
        return not {"dia", "day", "vencimento"}.isdisjoint(words_of(self.label or ""))

    # Booleans, options, dates, strings ---------------------------------------------------------------------------

    def _boolean(self, raw: Any) -> Coerced | CoerceError:
        if isinstance(raw, bool):
            return Coerced(raw, "a typed boolean")
        if not isinstance(raw, str):
            return CoerceError(NOT_A_BOOLEAN, "not a boolean nor text")
        reading = read_boolean(raw, self.locale)
        if reading.value is None:
            return CoerceError(NOT_A_BOOLEAN, f"COERCE-4 {reading.rule}")
        return Coerced(reading.value, f"COERCE-4 {reading.rule}")

    def _enum(self, raw: Any, schema: Mapping[str, Any]) -> Coerced | CoerceError:
        options = options_of(schema)
        for option in options:
            if type(option) is type(raw) and option == raw:
                return Coerced(option, "COERCE-7 the option itself")
        if isinstance(raw, int | float) and not isinstance(raw, bool):
            raw = str(raw)
        if not isinstance(raw, str):
            return CoerceError(NOT_IN_ENUM, "not an option nor text")
        hashable = [option for option in options if isinstance(option, str | int | float | bool)]
        reading = read_enum(raw, hashable, self.locale)
        if reading.error is not None:
            return CoerceError(reading.error, f"COERCE-7 {reading.rule}")
        return Coerced(reading.value, f"COERCE-7 {reading.rule}")

    def _date(self, raw: Any, schema: Mapping[str, Any]) -> Coerced | CoerceError:
        if not isinstance(raw, str):
            return CoerceError(NOT_A_DATE, "not text")
        direction = schema.get("direction")
        asked_day = bool({"dia", "data", "day", "date", "fecha"} & set(words_of(self.asked)))
        reading = read_date(
            raw,
            locale=self.locale,
            now=self.now,
            timezone=self.timezone,
            direction=direction if isinstance(direction, str) else None,
            asked_day=asked_day,
        )
        if reading.value is None:
            return CoerceError(reading.error or NOT_A_DATE, f"COERCE-5 {reading.rule}")
        value = reading.value.isoformat()
        low, high = schema.get("minimum"), schema.get("maximum")
        if (isinstance(low, str) and value < low) or (isinstance(high, str) and value > high):
            return CoerceError(OUT_OF_BOUNDS, "outside minimum and maximum")
        return Coerced(value, f"COERCE-5 {reading.rule}")

    def _string(self, raw: Any, schema: Mapping[str, Any]) -> Coerced | CoerceError:
        if isinstance(raw, int) and not isinstance(raw, bool):
            raw = str(raw) if abs(raw) < 10**30 else ""
        if not isinstance(raw, str) or not raw:
            return CoerceError(NOT_A_STRING, "not text")
        value = raw.strip()
        low, high = schema.get("minLength"), schema.get("maxLength")
        pattern = schema.get("pattern")
        if isinstance(pattern, str) and not matches(pattern, value):
            inside = matching_words(pattern, value)
            if len(inside) != 1:
                code = AMBIGUOUS if inside else PATTERN_MISMATCH
                return CoerceError(code, "pattern not met" if not inside else "several words meet the pattern")
            value = inside[0]
        if (is_number(low) and len(value) < low) or (is_number(high) and len(value) > high):
            return CoerceError(OUT_OF_BOUNDS, "length outside minLength and maxLength")
        return Coerced(value, "COERCE-8 text as written")

    # Arrays and objects ------------------------------------------------------------------------------------------

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
