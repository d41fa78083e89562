"""Single values by type: numbers, booleans, options, dates, strings; typed ones are checked like text.

Owns: what each type accepts, its bounds and pattern.
Invariants: a bool is never a number; a value that fails is never replaced by a default.
Source: language.json COERCE-2 to COERCE-5, COERCE-7, COERCE-8.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from pipeline.language.booleans import read_boolean
from pipeline.language.coerced import (
    AMBIGUOUS,
    NOT_A_BOOLEAN,
    NOT_A_DATE,
    NOT_A_NUMBER,
    NOT_A_STRING,
    NOT_AN_INTEGER,
    NOT_IN_ENUM,
    OUT_OF_BOUNDS,
    PATTERN_MISMATCH,
    Coerced,
    CoerceError,
)
from pipeline.language.dates import read_date
from pipeline.language.enums import read_enum
from pipeline.language.lexemes import words_of
from pipeline.language.numbers import read_number
from pipeline.language.schemas import is_number, is_outside, matches, matching_words, options_of

__all__ = ["Values"]


@dataclass(frozen=True, slots=True)
class Values:
    """The circumstances of one reading, and the reading of one value in them."""

    locale: str
    now: datetime | None
    timezone: str
    known_values: tuple[str, ...]
    label: str | None
    asked: str

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
