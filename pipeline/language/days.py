"""Days said in any way: today, in three days, Friday, the 5th, with their month; clock times are passed over.

Owns: the one pass that finds every day in a text, and times without a day ("semana que vem").
Invariants: mentions are in order and apart; a mention is a day or says why it is none.
Never: chooses between two mentions (dates.py does). Source: rule COERCE-5.
"""

from collections.abc import Callable
from typing import Final

from pipeline.language.calendar import AMBIGUOUS
from pipeline.language.calendar_words import (
    AGO,
    AHEAD,
    CLOCK_LEADS,
    CLOCK_UNITS,
    COUNTED_IN_ORDER,
    DAY_LEADS,
    DAY_UNITS,
    FEASTS,
    LAST_MONTH,
    MONTHS,
    NEXT_MONTH,
    RELATIVE,
    SPELLED,
    THIS_MONTH,
    VAGUE,
    WEEKDAY_ABBREVIATIONS,
    WEEKDAY_MODIFIERS,
    WEEKDAY_ORDINALS,
    WEEKDAYS,
    WEEKS,
)
from pipeline.language.dated_days import DatedScan, Day, placed
from pipeline.language.lexemes import Kind

_MONTHS_AWAY: Final = ((NEXT_MONTH, 1), (THIS_MONTH, 0), (LAST_MONTH, -1))


class DayScan(DatedScan):
    """Every way to say a day; one left-to-right pass."""

    def days(self) -> list[Day]:
        readers: tuple[Callable[[int], Day | None], ...] = (
            self._relative,
            self._numeric,
            self._named_month,
            self._worded,
            self._spelled_ahead,
            self._weekday,
            self._feast,
            self._day_of_month,
            self._vague,
        )
        found: list[Day] = []
        index = 0
        while index < len(self.lexemes):
            skip = self._clock(index)
            if skip:
                index = skip
                continue
            day = next((day for read in readers if (day := read(index)) is not None), None)
            if day is None:
                index += 1
            else:
                found.append(day)
                index = max(day.end, index + 1)
        return found

    # Clock times: passed over ---------------------------------------------------------------------------------------

    def _clock(self, index: int) -> int:
        """The end of a clock time that starts here; 0 when none does."""
        lead = self.folded(index) in CLOCK_LEADS
        at = index + 1 if lead else index
        if self.folded(at) in {"las", "as", "o'clock"} and lead:
            at += 1
        if self.kind(at) is not Kind.NUMERAL or not self.folded(at).isdigit():
            spoken = self.spoken.get(at) if lead else None
            if (
                spoken is not None
                and spoken.value is not None
                and spoken.value <= 24
                and self.folded(index) in {"as", "at"}
            ):
                return spoken.end
            return 0
        hour = len(self.folded(at)) <= 2
        if hour and self.folded(at + 1) in {":", "h"} and self.glued(at + 1):
            end = at + 2
            if self.kind(end) is Kind.NUMERAL and self.glued(end):
                end += 1
                if self.folded(end) == ":" and self.kind(end + 1) is Kind.NUMERAL:
                    end += 2
            return end + 1 if self.folded(end) in {"h", "am", "pm", "min"} else end
        if hour and self.folded(at + 1) in CLOCK_UNITS:
            return at + 2
        if (
            lead
            and hour
            and self.folded(at + 1) not in {"/", "-", "de", "of", ".", "o"}
            and self.folded(at + 1) not in MONTHS
        ):
            return at + 1
        return 0

    # Relative days ---------------------------------------------------------------------------------------------------

    def _relative(self, index: int) -> Day | None:
        phrase = RELATIVE.at(self.lexemes, index)
        if phrase is None:
            return self._counted(index)
        if self._part_of_day(index, phrase.meaning):
            return None
        offset = int(phrase.meaning)
        return placed(index, phrase.end, self.calendar.offset(offset))

    def _part_of_day(self, index: int, meaning: str) -> bool:
        """Spanish "por la mañana", Portuguese "de manhã": a part of the day, not tomorrow."""
        return meaning == "1" and self.folded(index) == "manana" and self.folded(index - 1) in {"la", "de", "esta"}

    def _counted(self, index: int) -> Day | None:
        """Daqui a 3 dias, em 3 dias, há 3 dias, 3 dias atrás, in 3 days, 3 days ago."""
        ahead = AHEAD.at(self.lexemes, index)
        at = ahead.end if ahead else index
        number = self.spoken.get(at)
        value = number.value if number is not None else None
        end = number.end if number is not None else at + 1
        if number is None and self.folded(at) in {"um", "uma", "un", "una", "one", "a"}:
            value = None
            if self.folded(at + 1) not in DAY_UNITS:
                return None
            count = 1
        elif value is None or value != value.to_integral_value() or value > 40_000 or value < 0:
            return None
        else:
            count = int(value)
        before_unit = self.folded(end - 1) in DAY_UNITS  # "3dias": the unit is part of the number
        unit = self.folded(end - 1) if before_unit else self.folded(end)
        if unit not in DAY_UNITS:
            return None
        end = end if before_unit else end + 1
        if self.folded(end) in {"uteis", "util"} or self.folded(end - 2) in {"business", "working"}:
            return Day(index, end + 1, None, AMBIGUOUS, "working days")
        ago = AGO.at(self.lexemes, end) if end < len(self.lexemes) else None
        sign = 0
        if ahead is not None:
            sign = int(ahead.meaning)
        elif ago is not None:
            sign, end = int(ago.meaning), ago.end
        if ahead is not None and ago is not None:
            end = ago.end
        if not sign:
            return None
        if DAY_UNITS[unit] != "day":
            return Day(index, end, None, AMBIGUOUS, "weeks or months without a day")
        return placed(index, end, self.calendar.offset(sign * count))

    # A day of the month, spelled spans, weekdays, feasts ------------------------------------------------------------

    def _day_of_month(self, index: int) -> Day | None:
        if self.folded(index) not in DAY_LEADS:
            return None
        at = index + 1
        if self.folded(index) in {"o", "el", "the", "no", "on", "para", "pro", "em"}:
            if self.folded(at) not in {"dia", "day", "el", "the", "o"}:
                ordinal = self.folded(index) in {"the", "el"} and self.kind(at) is Kind.NUMERAL
                if not ordinal:
                    return None
                if self.folded(index) == "the" and self.folded(at + 1) not in {"st", "nd", "rd", "th"}:
                    return None
            else:
                return None  # the next lexeme starts it
        day = self._day_number(at)
        if day is None:
            return None
        number, end = day
        if self.folded(end) in {"/", "-"} and self.kind(end + 1) is Kind.NUMERAL:
            return None  # the numeric date starts at the next lexeme
        if self._named_month(at) is not None or self._worded(at) is not None:
            return None
        if self.folded(end) in {"dias", "dia", "days", "horas", "reais", "%"}:
            return None
        for phrases, months in _MONTHS_AWAY:
            phrase = phrases.at(self.lexemes, end)
            if phrase is not None:
                return placed(index, phrase.end, self.calendar.day_of_shifted_month(number, months))
            for lead in range(max(0, index - 5), index):
                if (before := phrases.at(self.lexemes, lead)) is not None and self._day_led(before.end) == index:
                    return placed(lead, end, self.calendar.day_of_shifted_month(number, months))
        return placed(index, end, self.calendar.day_of_month(number))

    def _spelled_ahead(self, index: int) -> Day | None:
        phrase = SPELLED.at(self.lexemes, index)
        return (
            None
            if phrase is None or self._leads(index)
            else Day(index, phrase.end, None, AMBIGUOUS, "a span without a day")
        )

    def _vague(self, index: int) -> Day | None:
        phrase = VAGUE.at(self.lexemes, index)
        return (
            None
            if phrase is None or self._leads(index)
            else Day(index, phrase.end, None, AMBIGUOUS, "a time without a day")
        )

    def _feast(self, index: int) -> Day | None:
        phrase = FEASTS.at(self.lexemes, index)
        if phrase is None:
            return None
        month, day = phrase.meaning.split("-")
        return self._with_year(index, phrase.end, int(month), int(day))

    def _leads(self, index: int) -> bool:
        """A week or month that a weekday or a day goes on with: "semana que vem, na quarta", "mês que vem, dia 5"."""
        if self._week_led(index) is not None:
            return True
        for phrases, _ in _MONTHS_AWAY:
            phrase = phrases.at(self.lexemes, index)
            if phrase is not None and self._day_led(phrase.end) is not None:
                return True
        return False

    def _day_led(self, at: int) -> int | None:
        """Where "dia" stands behind a month already named; None when it does not."""
        while self.folded(at) in {",", "no", "em"}:
            at += 1
        return at if self.folded(at) in {"dia", "day"} else None

    def _week_led(self, index: int) -> tuple[str, int] | None:
        """A week named in front of a weekday, and where the weekday stands: "semana que vem, na quarta"."""
        phrase = WEEKDAY_MODIFIERS.at(self.lexemes, index)
        if phrase is None or phrase.meaning not in WEEKS:
            return None
        at = phrase.end
        while self.folded(at) in {",", "na", "no", "on", "el"}:
            at += 1
        return (phrase.meaning, at) if WEEKDAYS.at(self.lexemes, at) is not None else None

    def _no_weekday(self, index: int, end: int) -> bool:
        """Words of another sense: "segunda via", "ter" in a sentence."""
        word = self.folded(index)
        if end == index + 1 and word in WEEKDAY_ORDINALS and self.folded(end) in COUNTED_IN_ORDER:
            return True
        if word in WEEKDAY_ABBREVIATIONS:
            led = self.folded(index - 1) in {"na", "no", "on", "esta", "nessa", "nesta", "essa", "this", ","}
            alone = len(self.lexemes) == 1 or (len(self.lexemes) == 2 and word != "ter")
            return not (alone or (led and word != "ter") or self.kind(end) is Kind.NUMERAL)
        return False

    def _weekday(self, index: int) -> Day | None:
        name = WEEKDAYS.at(self.lexemes, index)
        if name is None or self._no_weekday(index, name.end):
            return None
        weekday, start, end = int(name.meaning), index, name.end
        modifier = "bare"
        for lead in (index - 2, index - 1):
            before = WEEKDAY_MODIFIERS.at(self.lexemes, lead) if lead >= 0 else None
            if before is not None and before.end == index:
                modifier, start = before.meaning, lead
                break
        for lead in range(max(0, index - 6), index):
            if (led := self._week_led(lead)) is not None and led[1] == index:
                modifier, start = led[0], lead
                break
        after = WEEKDAY_MODIFIERS.at(self.lexemes, end + (self.folded(end) == ","))
        if after is not None and self.folded(end) == "," and after.meaning not in WEEKS:
            after = None
        if after is not None:
            modifier = after.meaning if modifier in {"bare", "this"} else modifier
            end = after.end
        found = self.calendar.weekday(weekday, modifier)
        return placed(start, end, found, weekday if modifier in {"bare", "this"} else None)
