"""What comes of reading a value: the value and the rule, or the error and the rule.

Owns: the codes of errors.
Source: language.json COERCE-1.
"""

from dataclasses import dataclass
from typing import Any, Final

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
