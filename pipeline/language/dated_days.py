"""Days said with their month: 05/12, 5.12.2026, 2026-12-05, 5 do 12, 5 de dezembro, December 5th.

Owns: numeric dates by locale, months by name, the year beside them.
Invariants: en reads a numeric date only where one part exceeds 12 or both are equal; a two-digit year is 20yy.
Never: a month without a day becomes a day. Source: rule COERCE-5.
"""

from dataclasses import dataclass
from datetime import date

from pipeline.language.calendar import AMBIGUOUS, INVALID, NOT_A_DATE, Calendar, Resolved
from pipeline.language.calendar_words import (
    CLOCK_UNITS,
    DAY_LEADS,
    JOINS,
    MONTHS,
    MONTHS_OF_OTHER_SENSE,
    NEXT_YEAR,
    ORDINAL_DAYS,
    THIS_YEAR,
)
from pipeline.language.lexemes import Kind, Lexeme, Sentence
from pipeline.language.number_scan import find_numbers


@dataclass(frozen=True, slots=True)
class Day:
    """A day said over the lexemes [start, end): a value or an error."""

    start: int
    end: int
    value: date | None
    error: str | None
    rule: str
    weekday: int | None = None
    """0 Monday … 6 Sunday, where only a weekday was said: it may agree with another mention."""


def placed(start: int, end: int, resolved: Resolved, weekday: int | None = None) -> Day:
    return Day(start, end, resolved.value, resolved.error, resolved.rule, weekday)


class DatedScan(Sentence):
    """Dates that name their month, by number or by name."""

    def __init__(self, lexemes: tuple[Lexeme, ...], locale: str, calendar: Calendar) -> None:
        super().__init__(lexemes)
        self.english = locale.lower().startswith("en")
        self.calendar = calendar
        self.spoken = {number.start: number for number in find_numbers(lexemes, locale) if number.value is not None}

    # Numeric dates ---------------------------------------------------------------------------------------------------

    def _parts(self, index: int) -> tuple[list[str], str, int] | None:
        """The digit groups of a numeric date, its separator and its end."""
        piece = self.lexemes[index]
        if piece.kind is not Kind.NUMERAL:
            return None
        if piece.folded.count(".") in {1, 2} and "," not in piece.folded:
            groups = piece.folded.split(".")
            if not (len(groups[0]) <= 2 and len(groups[1]) <= 2) or self.folded(index + 1) in {"/", "-"}:
                return None
            # "05.12" alone is as good as an amount: only with a year, or after "dia"/"em".
            if len(groups) == 2 and self.folded(index - 1) not in DAY_LEADS:
                return None
            return groups, ".", index + 1
        if not piece.folded.isdigit():
            return None
        separator = self.folded(index + 1)
        if separator not in {"/", "-"}:
            return None
        groups = [piece.folded]
        end = index + 1
        while len(groups) < 4 and self.folded(end) == separator and self.folded(end + 1).isdigit():
            groups.append(self.folded(end + 1))
            end += 2
        return (groups, separator, end) if len(groups) > 1 else None

    def _numeric(self, index: int) -> Day | None:
        parts = self._parts(index)
        if parts is None:
            return None
        groups, separator, end = parts
        if self.glued(end) and self.folded(end) == "t" and self.kind(end + 1) is Kind.NUMERAL:
            end += 1  # an ISO instant: the clock time is passed over
            while end < len(self.lexemes) and self.glued(end):
                end += 1
        if self.glued(index) and self.kind(index - 1) is Kind.WORD:
            return None
        if len(groups) > 3 or any(len(group) > 4 for group in groups):
            return Day(index, end, None, NOT_A_DATE, "too many parts")
        if len(groups[0]) == 4:
            if len(groups) != 3:
                return None
            return placed(index, end, self.calendar.exact(int(groups[0]), int(groups[1]), int(groups[2]), "year first"))
        if len(groups[0]) > 2 or len(groups[1]) > 2:
            # mm/yyyy: a month without a day
            wrong = len(groups[0]) <= 2 and len(groups[1]) == 4 and len(groups) == 2 and 1 <= int(groups[0]) <= 12
            return Day(index, end, None, AMBIGUOUS if wrong else NOT_A_DATE, "not day and month")
        if (
            separator == "-"
            and len(groups) == 2
            and self.folded(index - 1) not in DAY_LEADS
            and self._range_like(groups)
        ):
            return Day(index, end, None, AMBIGUOUS, "a span or a date")
        first, second = int(groups[0]), int(groups[1])
        year = self._year(groups[2]) if len(groups) == 3 else None
        if len(groups) == 3 and year is None:
            return Day(index, end, None, INVALID, "no such year")
        if self.english:
            if first != second and first <= 12 and second <= 12:
                return Day(index, end, None, AMBIGUOUS, "day/month or month/day")
            if second > 12:
                first, second = second, first
        if year is not None:
            return placed(index, end, self.calendar.exact(year, second, first))
        return placed(index, end, self.calendar.day_of_year(second, first))

    def _worded(self, index: int) -> Day | None:
        """5 do 12, 5 de 12: the month by its number, said after the day."""
        day = self._day_number(index)
        if day is None or self.folded(day[1]) not in {"do", "de"}:
            return None
        month = self._day_number(day[1] + 1)
        if month is None or not 1 <= month[0] <= 12 or self.folded(month[1]) in MONTHS:
            return None
        return self._with_year(index, month[1], month[0], day[0])

    def _range_like(self, groups: list[str]) -> bool:
        return not (len(groups[1]) == 2 and 1 <= int(groups[1]) <= 12) or int(groups[0]) < int(groups[1])

    def _year(self, digits: str) -> int | None:
        if len(digits) == 2:
            return 2000 + int(digits)
        return int(digits) if len(digits) == 4 else None

    # Months by name --------------------------------------------------------------------------------------------------

    def _day_number(self, index: int) -> tuple[int, int] | None:
        """A day of the month in digits, as an ordinal, or in words; with its end."""
        if self.kind(index) is Kind.NUMERAL:
            digits = self.folded(index)
            if not digits.isdigit() or len(digits) > 2:
                return None
            end = index + 1
            if self.glued(end) and self.folded(end) in {"o", "a", "st", "nd", "rd", "th", "°", "er", "ro"}:
                end += 1
            return int(digits), end
        if self.folded(index) in ORDINAL_DAYS:
            ordinal = ORDINAL_DAYS[self.folded(index)]
            if ordinal in {20, 30} and self.folded(index + 1) in ORDINAL_DAYS:
                return ordinal + ORDINAL_DAYS[self.folded(index + 1)], index + 2
            return ordinal, index + 1
        number = self.spoken.get(index)
        if number is not None and number.value is not None and number.value == number.value.to_integral_value():
            end = number.end - (self.folded(number.end - 1) in {"a", "o"} and number.end - number.start > 1)
            return (int(number.value), end) if 0 <= number.value <= 99 else None
        if self.folded(index) in {"um", "uno", "one"}:
            return 1, index + 1
        return None

    def _named_month(self, index: int) -> Day | None:
        day = self._day_number(index)
        if day is not None:
            number, at = day
            while self.folded(at) in JOINS:
                at += 1
            at += self.folded(at) == "mes" and self.folded(at + 1) == "de"
            if self.folded(at) not in MONTHS:
                return None
            if self.folded(at) == "mar" and self.folded(at - 1) not in JOINS and self.kind(index) is not Kind.NUMERAL:
                return None
            return self._with_year(index, at + 1, MONTHS[self.folded(at)], number)
        if self.folded(index) in MONTHS and self.kind(index) is Kind.WORD:
            at = index + 1
            at += self.folded(at) == "."
            at += self.folded(at) == "the"
            followed = self._day_number(at)
            if followed is not None and self.folded(at + 1) != ":" and self._month_leads(index):
                return self._with_year(index, followed[1], MONTHS[self.folded(index)], followed[0])
            long_enough = len(self.folded(index)) > 3 or index == 0
            if long_enough and self.folded(index) not in MONTHS_OF_OTHER_SENSE:
                return Day(index, index + 1, None, AMBIGUOUS, "a month without a day")
        return None

    def _month_leads(self, index: int) -> bool:
        """English says the month first; elsewhere only "dezembro 5" does."""
        return self.folded(index) not in {"mar", "set", "ago", "out"} or self.english

    def _with_year(self, start: int, end: int, month: int, day: int) -> Day:
        at = end
        at += self.folded(at) == "."
        while self.folded(at) in JOINS or self.folded(at) == ",":
            at += 1
        for phrases, shift in ((NEXT_YEAR, 1), (THIS_YEAR, 0)):
            phrase = phrases.at(self.lexemes, at)
            if phrase is not None:
                return placed(start, phrase.end, self.calendar.in_year(shift, month, day))
        digits = self.folded(at)
        clock = self.folded(at + 1) in CLOCK_UNITS or self.folded(at + 1) == ":"
        if digits.isdigit() and not clock and (len(digits) == 4 or (len(digits) == 2 and self.folded(at - 1) != ",")):
            year = self._year(digits)
            if year is not None:
                return placed(start, at + 1, self.calendar.exact(year, month, day))
        spoken = self.spoken.get(at)
        if spoken is not None and spoken.value is not None and 1900 <= spoken.value <= 2100:
            return placed(start, spoken.end, self.calendar.exact(int(spoken.value), month, day))
        return placed(start, end, self.calendar.day_of_year(month, day, "day and month by name"))
