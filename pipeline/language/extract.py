"""The values of several parameters said in one message, the first of a request or a correction.

Owns: which part of the message belongs to which parameter by its kind: amounts, dates, options, codes by pattern; names and
reasons are extract_names.py's.
Invariants: a value passed `coerce`; nothing is taken from a label alone ("quero cancelar uns produtos"); a value of the kind
that is stated and unreadable gives an error, silence gives nothing.
Never: asks, routes. Source: DESIGN 7, Reconcile; behaviour.json REC-04 to REC-10.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from pipeline.language.calendar import Calendar
from pipeline.language.coerce import AMBIGUOUS, CoerceError, coerce
from pipeline.language.dates import local_day
from pipeline.language.days import DayScan
from pipeline.language.extract_names import fill_held, fill_names, fill_reason
from pipeline.language.extract_words import MONEY_LABELS
from pipeline.language.lexemes import Kind, Lexeme, lex, words_of
from pipeline.language.number_scan import Number, find_numbers
from pipeline.language.operations import operation_of
from pipeline.language.politeness import without_no_longer
from pipeline.language.schemas import matches, type_of
from pipeline.language.slots import Extraction, Slot, Work, slot_of
from pipeline.language.stems import stem

__all__ = ["Extraction", "extract"]

_VAGUE: Final = frozenset({"a time without a day", "a span without a day", "a month without a day"})


_PLAIN_CHOICES: Final = frozenset(
    {
        "an option named",
        "the option itself",
        "words of one option",
        "all words of one option",
        "the number of one option",
    }
)


def extract(
    text: str,
    schemas: Mapping[str, Mapping[str, Any]],
    *,
    required: Sequence[str] = (),
    locale: str = "pt-BR",
    now: datetime | None = None,
    timezone: str = "America/Sao_Paulo",
    known_values: Mapping[str, Sequence[str]] | None = None,
    operation: str = "",
) -> Extraction:
    """Take the values of `schemas` out of `text`; `required` comes first where two parameters could take the same words.

    `operation`: its noun; what is no longer wanted is what a cancellation is about.
    """
    text = without_no_longer(text) if operation_of(operation).cancels else text
    work = Work(text, locale, now, timezone, Extraction(), operation)
    order = [name for name in required if name in schemas] + [name for name in schemas if name not in required]
    slots = [slot_of(name, schemas[name], (known_values or {}).get(name, ())) for name in order]
    named = [slot for slot in slots if slot.kind in {"name", "names"}]
    fill_reason(work, [slot for slot in slots if slot.kind == "reason"])
    fill_held(work, [slot for slot in named if slot.known])
    for kind, fill in (("pattern", _pattern), ("date", _date), ("enum", _enum)):
        for slot in slots:
            if slot.kind == kind:
                fill(work, slot)
    _numbers(work, [slot for slot in slots if slot.kind == "number"], named=bool(named))
    fill_names(work, named)
    return work.found


def _pattern(work: Work, slot: Slot) -> None:
    pattern = str(slot.schema["pattern"])
    words = dict.fromkeys(word.strip(".,;:!?\"'()") for word in work.text.split()[:200])
    fitting = [word for word in words if word and any(char.isdigit() for char in word) and matches(pattern, word)]
    if len(fitting) > 1:
        work.fail(slot, AMBIGUOUS, "several words meet the pattern")
    elif fitting and work.fill(slot, fitting[0], "the word that meets the pattern"):
        at = work.text.find(fitting[0])
        work.take(at, at + len(fitting[0]))


def _date(work: Work, slot: Slot) -> None:
    lexemes = lex(work.text)
    direction = slot.schema.get("direction")
    calendar = Calendar(local_day(work.now, work.timezone), direction if isinstance(direction, str) else None)
    days = [day for day in DayScan(lexemes, work.locale, calendar).days() if day.rule not in _VAGUE]
    if not days:
        return
    if work.fill(slot, work.text, "the day said"):
        for day in days:
            work.take(lexemes[day.start].start, lexemes[day.end - 1].end)


def _enum(work: Work, slot: Slot) -> None:
    read = coerce(work.text, slot.schema, locale=work.locale)
    if isinstance(read, CoerceError):
        if (
            read.rule.removeprefix("COERCE-7 ") in {"two options named", "a number no option has"}
            and read.code == AMBIGUOUS
        ):
            work.fail(slot, read.code, read.rule)
    elif read.rule.removeprefix("COERCE-7 ") in _PLAIN_CHOICES:
        work.found.values[slot.name] = read.value
        work.found.rules[slot.name] = read.rule


def _numbers(work: Work, slots: Sequence[Slot], *, named: bool) -> None:
    lexemes = lex(work.text)
    free = [number for number in find_numbers(lexemes, work.locale) if not number.aside]
    for slot in slots:
        chosen = _for_slot(slot, free, lexemes, alone=len(slots) == 1, named=named)
        if not chosen:
            continue
        others = [number for number in free if number not in chosen]
        work.fill(slot, _blanked(work.text, lexemes, others), "the number said")
        for number in chosen:
            start = _with_lead(lexemes, number.start)
            work.take(lexemes[start].start, lexemes[number.end - 1].end)
        free = others


def _for_slot(
    slot: Slot, free: Sequence[Number], lexemes: tuple[Lexeme, ...], *, alone: bool, named: bool
) -> list[Number]:
    """The numbers that may be this parameter's: money for an amount, a count beside its noun for a count."""
    if MONEY_LABELS & (slot.words | set(words_of(str(slot.schema.get("description", ""))))):
        amounts = [number for number in free if number.money or _decimal(number, lexemes)]
        if amounts:
            return amounts
    about = {stem(word) for word in slot.words if len(word) > 2}
    beside = [
        number
        for number in free
        if any(stem(piece.folded) in about for piece in lexemes[max(0, number.start - 3) : number.end + 2])
    ]
    if beside:
        return beside
    if type_of(slot.schema) == "number" and alone:
        return list(free)
    return list(free) if alone and len(free) == 1 and not named else []


def _decimal(number: Number, lexemes: tuple[Lexeme, ...]) -> bool:
    return any(piece.kind is Kind.NUMERAL and "," in piece.folded for piece in lexemes[number.start : number.end])


def _with_lead(lexemes: tuple[Lexeme, ...], index: int) -> int:
    """The preposition and currency sign in front of an amount go with it: "de R$ 71,99"."""
    start = index
    while start > 0 and (
        lexemes[start - 1].kind is Kind.CURRENCY or lexemes[start - 1].folded in {"de", "of", "no", "valor", "por"}
    ):
        start -= 1
    return start


def _blanked(text: str, lexemes: tuple[Lexeme, ...], numbers: Sequence[Number]) -> str:
    for number in numbers:
        start, end = lexemes[number.start].start, lexemes[number.end - 1].end
        text = text[:start] + " " * (end - start) + text[end:]
    return text
