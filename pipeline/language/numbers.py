"""The one number said in a sentence, by locale.

Owns: which of the numbers in a text is *the* number; guesses, bounds and spans that leave none.
Invariants: two different readings or values give `ambiguous`, never a choice.
Never: a number out of a code, a date, a clock time or a document ("P-100", "5/12", "10h30").
Source: rules COERCE-2, COERCE-3.
"""

from dataclasses import dataclass
from decimal import Decimal

from pipeline.language.lexemes import lex
from pipeline.language.modality import hear
from pipeline.language.number_scan import DAY_OF_DATE, find_numbers


@dataclass(frozen=True, slots=True)
class NumberReading:
    value: Decimal | None
    error: str | None
    rule: str


def read_number(text: str, locale: str, *, of_day: bool = False) -> NumberReading:
    """The one number of the text; error is a code of COERCE-1. `of_day`: the day of a date is a number too ("dia 10")."""
    lexemes = lex(text)
    numbers = [
        number
        for number in find_numbers(lexemes, locale)
        if not number.aside or (of_day and number.rule == DAY_OF_DATE)
    ]
    if not numbers:
        return NumberReading(None, "not_a_number", "no number said")
    said = hear(lexemes, locale)
    spans = [(number.start, number.end) for number in numbers]
    kept = [numbers[place] for place in said.kept(spans)]
    if not kept:
        return NumberReading(None, "ambiguous", "the number said is negated")
    unsure = said.unsure([(number.start, number.end) for number in kept])
    if unsure:
        return NumberReading(None, "ambiguous", f"{unsure} number")
    if lexemes[-1].folded == "+" and lexemes[-1].glued:
        return NumberReading(None, "ambiguous", "bounded number")
    if len({number.value for number in kept}) > 1:
        return NumberReading(None, "ambiguous", "two numbers")
    only = kept[0]
    if only.value is None:
        return NumberReading(None, "ambiguous", only.rule)
    return NumberReading(only.value, None, only.rule)
