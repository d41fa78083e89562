"""The one day said in a sentence, by locale, as seen from a given `now`.

Owns: which of the days in a text is meant; guesses, spans, bounds and conditions that leave none.
Invariants: the same text and `now` give the same day; two different days give `ambiguous`.
Never: reads the clock. Source: rule COERCE-5.
"""

from datetime import date, datetime
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from pipeline.language.calendar import AMBIGUOUS, NOT_A_DATE, Calendar, Resolved
from pipeline.language.dated_days import Day
from pipeline.language.days import DayScan
from pipeline.language.lexemes import Kind, Lexeme, lex
from pipeline.language.modality import CONDITIONAL, hear


def local_day(now: datetime | None, timezone: str) -> date | None:
    """The customer's day at `now`; the timezone of `now` itself where `timezone` names none."""
    if now is None:
        return None
    zone = _zone(timezone)
    return now.date() if zone is None or now.tzinfo is None else now.astimezone(zone).date()


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None


def read_date(
    text: str, *, locale: str, now: datetime | None, timezone: str, direction: str | None, asked_day: bool = False
) -> Resolved:
    """The one day of the text; `asked_day`: the question asked for a day, so that a bare "15" is the 15th."""
    lexemes = lex(text)
    calendar = Calendar(local_day(now, timezone), direction)
    days = DayScan(lexemes, locale, calendar).days()
    if not days and (ordinal := _lone_ordinal(lexemes)) is not None:
        day = calendar.day_of_month(ordinal)
        return Resolved(day.value, day.error, "day of the month")
    if not days:
        bare = _bare_day(lexemes) if asked_day else None
        if bare is not None:
            day = calendar.day_of_month(bare)
            return Resolved(day.value, day.error, "bare day of the month")
        return Resolved(None, NOT_A_DATE, "no day said")
    said = hear(lexemes, locale)
    spans = [(day.start, day.end) for day in days]
    kept = [days[place] for place in said.kept(spans)]
    if not kept:
        return Resolved(None, AMBIGUOUS, "the day said is negated")
    unsure = said.unsure([(day.start, day.end) for day in kept])
    if unsure == "asked" and _proposes(lexemes):
        unsure = None
    if unsure:
        return Resolved(None, AMBIGUOUS, f"{unsure} day")
    if said.of(CONDITIONAL):
        return Resolved(None, AMBIGUOUS, "conditional day")
    taken = {index for day in days for index in range(day.start, day.end)}
    if any(_linked_number(lexemes, day, taken) for day in kept):
        return Resolved(None, AMBIGUOUS, "a span of days")
    return _agree(kept, lexemes)


def _proposes(lexemes: tuple[Lexeme, ...]) -> bool:
    """Whether a day is proposed in the form of a question: "pode ser amanhã?", "dia 10, pode ser?"."""
    words = [piece.folded for piece in lexemes if piece.kind is not Kind.MARK]
    return words[:2] == ["pode", "ser"] or words[-2:] == ["pode", "ser"] or words[-1:] in (["ok"], ["ta"], ["viu"])


def _linked_number(lexemes: tuple[Lexeme, ...], day: Day, taken: set[int]) -> bool:
    """Another day number hangs on this day: "dia 10 ou 11", "de 5 a 10 de dezembro"."""

    def free_numeral(index: int) -> bool:
        return (
            0 <= index < len(lexemes)
            and index not in taken
            and lexemes[index].kind is Kind.NUMERAL
            and len(lexemes[index].folded) <= 2
        )

    def link(index: int) -> bool:
        return 0 <= index < len(lexemes) and lexemes[index].folded in _SPAN_LINKS

    before = link(day.start - 1) and free_numeral(day.start - 2)
    after = link(day.end) and free_numeral(day.end + 1)
    lead = link(day.start - 2) and free_numeral(day.start - 3)
    return before or after or lead


_SPAN_LINKS: Final = frozenset({"ou", "or", "o", "e", "y", "and", "a", "ate", "al", "to", "-", "till", "until"})


def _lone_ordinal(lexemes: tuple[Lexeme, ...]) -> int | None:
    """A lone "15th" or "on the 15th": an English ordinal in digits is a day of the month."""
    words = [piece.folded for piece in lexemes if piece.folded not in {"on", "the", ".", "please", "!"}]
    if len(words) == 2 and words[0].isdigit() and len(words[0]) <= 2 and words[1] in {"st", "nd", "rd", "th"}:
        return int(words[0])
    return None


def _bare_day(lexemes: tuple[Lexeme, ...]) -> int | None:
    numerals = [piece for piece in lexemes if piece.kind is Kind.NUMERAL]
    others = [piece.folded for piece in lexemes if piece.kind is not Kind.NUMERAL]
    allowed = {"o", "no", "pode", "ser", "para", "pro", ".", "!", "the", "el", "e", "em", "on", "por", "favor"}
    if len(numerals) == 1 and numerals[0].folded.isdigit() and len(numerals[0].folded) <= 2 and set(others) <= allowed:
        day = int(numerals[0].folded)
        return day if 1 <= day <= 31 else None
    return None


def _agree(days: list[Day], lexemes: tuple[Lexeme, ...]) -> Resolved:
    """One day out of the mentions: equal ones fold, a weekday may name the day of a date, all else is ambiguous."""
    dated = [day for day in days if day.weekday is None]
    weekdays = [day for day in days if day.weekday is not None]
    if dated and weekdays:
        said = {day.value.weekday() if day.value else None for day in dated}
        if any({weekday.weekday} != said for weekday in weekdays):
            failed = next((day for day in dated if day.error), None)
            return Resolved(None, failed.error if failed else AMBIGUOUS, "weekday and date disagree")
        days = dated
    if len(days) > 1 and not {"ou", "or"}.isdisjoint(piece.folded for piece in lexemes):
        return Resolved(None, AMBIGUOUS, "one day or another")
    values = {(day.value, day.error) for day in days}
    if len(values) > 1:
        return Resolved(None, AMBIGUOUS, "two days")
    return Resolved(days[0].value, days[0].error, days[0].rule)
