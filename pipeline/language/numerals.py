"""One numeral by the marks of a locale: "1.234,56", "71.99", "2.300".

Owns: what a dot and a comma between digits mean.
Invariants: one reading or None; exact decimals.
Never: looks at the words around it. Source: rule COERCE-2.
"""

import re
from decimal import Decimal
from typing import Final

MAX_DIGITS: Final = 30
"""Characters of a numeral; a longer one is no amount and no count."""

_GROUP_DOT: Final = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?\Z")
_GROUP_COMMA: Final = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?\Z")
_TWO_MARKS_DOT: Final = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+,\d+\Z")
_TWO_MARKS_COMMA: Final = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+\.\d+\Z")
_PLAIN: Final = re.compile(r"\d+\Z")
_COMMA: Final = re.compile(r"\d+,\d+\Z")
_SHORT_DOT: Final = re.compile(r"\d+\.\d{1,2}\Z")
_DOT: Final = re.compile(r"\d+\.\d+\Z")


def read_numeral(raw: str, locale: str) -> Decimal | None:
    """A numeral by the marks of the locale; None when it has no reading, or more than one, there."""
    if len(raw) > MAX_DIGITS:
        return None
    if _PLAIN.match(raw):
        return Decimal(raw)
    if _TWO_MARKS_DOT.match(raw):  # both marks there: one reading in every locale
        return Decimal(raw.replace(".", "").replace(",", "."))
    if _TWO_MARKS_COMMA.match(raw):
        return Decimal(raw.replace(",", ""))
    if locale.lower().startswith("en"):
        if _GROUP_COMMA.match(raw):
            return Decimal(raw.replace(",", ""))
        return Decimal(raw) if _DOT.match(raw) else None
    if _GROUP_DOT.match(raw):
        return Decimal(raw.replace(".", "").replace(",", "."))
    if _COMMA.match(raw):
        return Decimal(raw.replace(",", "."))
    return Decimal(raw) if _SHORT_DOT.match(raw) else None
