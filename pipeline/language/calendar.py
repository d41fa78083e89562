"""Which day is meant, as seen from today and from the direction asked for.

Owns: the arithmetic of days without a year, days of a month, weekdays and offsets.
Invariants: `future` takes the nearest day that is today or later, `past` today or earlier; without a direction, or against
it, nothing is chosen.
Never: looks at words. Source: rule COERCE-5.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

INVALID: Final = "invalid_date"
NOT_A_DATE: Final = "not_a_date"
AMBIGUOUS: Final = "ambiguous"


@dataclass(frozen=True, slots=True)
class Resolved:
    """A day, or the code why there is none, and by which rule."""

    value: date | None
    error: str | None
    rule: str


def make_day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Calendar:
    today: date | None
    """The customer's day; None: nothing relative can be placed."""
    direction: str | None
    """future, past, or anything else for none."""

    @property
    def step(self) -> int:
        return {"future": 1, "past": -1}.get(self.direction or "", 0)

    def exact(self, year: int, month: int, day: int, rule: str = "day, month and year") -> Resolved:
        value = make_day(year, month, day)
        return Resolved(value, None, rule) if value else Resolved(None, INVALID, "no such day")

    def day_of_year(self, month: int, day: int, rule: str = "day and month") -> Resolved:
        """A day and month without a year: the nearest one in the direction."""
        if not 1 <= month <= 12 or make_day(2000, month, day) is None:
            return Resolved(None, INVALID, "no such day")
        if self.today is None or not self.step:
            return Resolved(None, AMBIGUOUS, "a day without a year or a direction")
        for distance in range(9):  # 29 February comes within eight years
            value = make_day(self.today.year + self.step * distance, month, day)
            if value is not None and self._ahead(value):
                return Resolved(value, None, rule)
        return Resolved(None, INVALID, "no such day near")

    def day_of_month(self, day: int) -> Resolved:
        """A day without a month ("dia 5"): the nearest month in the direction that has it."""
        if not 1 <= day <= 31:
            return Resolved(None, INVALID, "no such day of a month")
        if self.today is None or not self.step:
            return Resolved(None, AMBIGUOUS, "a day without a month or a direction")
        first = self.today.year * 12 + self.today.month - 1
        for distance in range(13):
            month = first + self.step * distance
            value = make_day(month // 12, month % 12 + 1, day)
            if value is not None and self._ahead(value):
                return Resolved(value, None, "day of the month")
        return Resolved(None, INVALID, "no such day near")

    def day_of_shifted_month(self, day: int, months: int) -> Resolved:
        """A day of this month (0) or of the one `months` away."""
        if self.today is None:
            return Resolved(None, AMBIGUOUS, "a day without a now")
        month = self.today.year * 12 + self.today.month - 1 + months
        found = self.exact(month // 12, month % 12 + 1, day, "day of a month in words")
        against = found.value is not None and self.step and not self._ahead(found.value)
        return Resolved(None, AMBIGUOUS, "against the direction asked for") if against else found

    def in_year(self, years: int, month: int, day: int) -> Resolved:
        if self.today is None:
            return Resolved(None, AMBIGUOUS, "a year without a now")
        return self.exact(self.today.year + years, month, day, "day, month and year in words")

    def offset(self, days: int) -> Resolved:
        if self.today is None:
            return Resolved(None, AMBIGUOUS, "a relative day without a now")
        if days * self.step < 0:
            return Resolved(None, AMBIGUOUS, "against the direction asked for")
        try:
            return Resolved(self.today + timedelta(days=days), None, "relative day")
        except OverflowError:
            return Resolved(None, INVALID, "beyond the calendar")

    def weekday(self, weekday: int, modifier: str) -> Resolved:
        """Monday is 0; modifiers are those of calendar_words.WEEKDAY_MODIFIERS, or "bare"."""
        rule = f"weekday: {modifier}"
        offset = None if self.today is None else self._weekday_offset(weekday, modifier)
        if offset is None or self.today is None:
            return Resolved(None, AMBIGUOUS, rule)
        return Resolved(self.today + timedelta(days=offset), None, rule)

    def _weekday_offset(self, weekday: int, modifier: str) -> int | None:
        assert self.today is not None
        ahead = (weekday - self.today.weekday()) % 7
        back = ahead - 7 if ahead else 0
        offset: int | None
        match modifier:
            case "bare" | "this":
                return None if ahead == 0 else {1: ahead, -1: back}.get(self.step)
            case "next":
                return 7 if ahead == 0 and self.step >= 0 else None
            case "last":
                return (back or -7) if self.step <= 0 else None
            case "before last":
                return (back or -7) - 7 if self.step <= 0 else None
            case _:
                offset = self._in_week(weekday, {"next week": 1, "last week": -1}.get(modifier, 0))
                return None if offset is None or offset * self.step < 0 else offset

    def _in_week(self, weekday: int, weeks: int) -> int | None:
        """Days to a weekday of another week; None when weeks from Monday and from Sunday give different days."""
        assert self.today is not None
        monday = weekday - self.today.weekday() + 7 * weeks
        sunday = (weekday + 1) % 7 - (self.today.weekday() + 1) % 7 + 7 * weeks
        return monday if monday == sunday else None

    def _ahead(self, value: date) -> bool:
        assert self.today is not None
        return value >= self.today if self.step > 0 else value <= self.today
