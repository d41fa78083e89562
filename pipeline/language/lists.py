"""A list of typed values in running text: "dez, vinte e dois e trinta", "amanhã e sexta".

Owns: the cut between values, never inside one ("vinte e dois", "15 reais e 50 centavos").
Invariants: parts are in order; a part without a value stays a part, so that a bad element is seen; linear in the text.
Never: lists of names (items.py). Source: rules COERCE-6, ITEMS-3, ITEMS-4.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from pipeline.language.calendar import Calendar
from pipeline.language.dates import local_day
from pipeline.language.days import DayScan
from pipeline.language.lexemes import Kind, Lexeme, lex, word_set
from pipeline.language.modality import hear
from pipeline.language.normalize import squash
from pipeline.language.number_scan import find_numbers
from pipeline.language.schemas import type_of

_WORDS: Final = word_set("e ou and or y mais plus tambem")
_MARKS: Final = frozenset(",;\n/+•|")
_AROUND: Final = word_set(
    "por favor pfv pf please obrigado obrigada valeu thanks gracias so isso nada quero queria preciso as os o a the el los las de do da em no na "
    "foi foram sao eh is are it was i want dias dia valores valor cobrancas cobranca reais oi ola bom boa tarde noite"
)
"""Words that may stand around the values of a list and are none."""


def split_typed(
    text: str, element: Mapping[str, Any], *, locale: str, now: datetime | None, timezone: str
) -> list[str]:
    """The parts of a list of numbers, days or options; each value is found first, so that "vinte e dois" is not two."""
    lexemes = lex(text)
    kind = type_of(element)
    spans: list[tuple[int, int]] = []
    if kind in {"number", "integer"}:
        numbers = find_numbers(lexemes, locale)
        if len(numbers) == 1 and numbers[0].value is None and text.count(",") > 1 and set(text) <= set("0123456789, "):
            return [part.strip() for part in text.split(",")]  # "1,2,3": no number has two decimal marks
        spans = [(number.start, number.end) for number in numbers]
    elif kind == "date":
        direction = element.get("direction")
        calendar = Calendar(local_day(now, timezone), direction if isinstance(direction, str) else None)
        spans = [(day.start, day.end) for day in DayScan(lexemes, locale, calendar).days()]
    values = distinct(split_values(text, lexemes, spans))
    hedged = bool(spans) and hear(lexemes, locale).unsure(spans) is not None
    return [text] if hedged and len(values) > 1 else values


def distinct(parts: Sequence[str]) -> list[str]:
    """Repeated mentions fold into the first (ITEMS-8)."""
    return list({squash(part) or part: part for part in reversed(parts)}.values())[::-1]


def split_values(text: str, lexemes: tuple[Lexeme, ...], values: Sequence[tuple[int, int]]) -> list[str]:
    """Cut `text` at separators outside the lexeme spans `values`; parts of nothing but courtesy and frame are left out."""
    inside = {index for start, end in values for index in range(start, end)}
    parts: list[list[int]] = [[]]
    for index, piece in enumerate(lexemes):
        line_break = index > 0 and "\n" in text[lexemes[index - 1].end : piece.start]
        if index not in inside and _separates(piece):
            parts.append([])
        elif line_break:
            parts.append([index])
        else:
            parts[-1].append(index)
    kept = [part for part in parts if any(not _empty(lexemes[index]) for index in part)]
    return [text[lexemes[part[0]].start : lexemes[part[-1]].end] for part in kept]


def _separates(piece: Lexeme) -> bool:
    return piece.folded in _MARKS if piece.kind is Kind.MARK else piece.folded in _WORDS


def _empty(piece: Lexeme) -> bool:
    return piece.kind is Kind.MARK or piece.folded in _AROUND
