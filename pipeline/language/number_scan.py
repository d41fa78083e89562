"""Every number said in a text: numerals, number words, money, dozens, halves, scales.

Owns: the one pass over the lexemes; what is a piece of a code, a date, a clock time, and so no number of its own.
Invariants: mentions are in order and apart; values are exact decimals.
Never: decides which number of a text is meant (numbers.py does). Source: rules COERCE-2, COERCE-3.
"""

from decimal import Decimal

from pipeline.language.lexemes import Kind, Lexeme
from pipeline.language.number_parts import DAY_OF_DATE, Number, NumberParts
from pipeline.language.number_words import (
    ASIDE_UNITS,
    CENTS,
    COUNTED,
    DAY_WORDS,
    DOZENS,
    FILLERS,
    HALVES,
    JOINS,
    MAX_RUN,
    MONTHS,
    POINTS,
    SCALES,
    UNITS,
    WHOLE_MONEY,
    languages,
    run_value,
)
from pipeline.language.numerals import read_numeral

__all__ = ["DAY_OF_DATE", "Number", "find_numbers"]


class _Scan(NumberParts):
    """One left-to-right pass over the lexemes of a text."""

    def numbers(self) -> list[Number]:
        found: list[Number] = []
        index = 0
        while index < len(self.lexemes):
            number = self._at(index)
            if number is None:
                index += 1
                continue
            found.append(number)
            index = max(number.end, index + 1)
        return found

    def _at(self, index: int) -> Number | None:
        piece = self.lexemes[index]
        if piece.kind is Kind.NUMERAL:
            return self._numeral(index)
        if piece.kind is not Kind.WORD:
            return None
        if piece.folded in HALVES:
            return self._half(index)
        if piece.folded in self.words or piece.folded in self.ones:
            return self._words(index)
        if piece.folded in DOZENS and self.folded(index - 1) not in {"por", "per"}:
            return self.with_half(Decimal(12), index, index + 1, Decimal(12), "a dozen")
        return None

    def _half(self, index: int) -> Number | None:
        """Half of what follows: meia dúzia, meio milhão, half a million."""
        at = index + 1 + (self.folded(index + 1) in {"a", "an"})
        if self.folded(at) in DOZENS:
            return Number(Decimal(6), index, at + 1, "half a dozen")
        if self.folded(at) in SCALES:
            return self.money(Decimal(SCALES[self.folded(at)]) / 2, index, at + 1, "half of a scale", money=False)
        return None

    def _numeral(self, index: int) -> Number:
        start, end = index, index + 1
        raw = self.lexemes[index].folded
        tangled = self.tangled(index)
        if tangled > index + 1 and all(
            self.folded(place).isdigit() or (self.folded(place) == "-" and place > index)
            for place in range(index, tangled)
        ):
            return Number(None, start, tangled, "a range")
        if tangled:
            return Number(None, start, tangled, "piece of a code or date", aside=True)
        value = read_numeral(raw, self.locale)
        if self.glued(end) and self.kind(end) is Kind.WORD:
            unit = self.folded(end)
            coded = self.glued(end + 1) and self.kind(end + 1) is Kind.NUMERAL and unit not in ASIDE_UNITS
            if coded or (unit not in UNITS and unit not in WHOLE_MONEY):
                return Number(None, start, end + 1, "piece of a code", aside=True)
            if unit in ASIDE_UNITS:
                minutes = self.kind(end + 1) is Kind.NUMERAL and self.glued(end + 1)
                return Number(value, start, end + 1 + minutes, "clock time", aside=True)
            if unit not in SCALES and unit not in WHOLE_MONEY:
                end += 1
        negative = self.folded(index - 1) == "-" and self.glued(index) and not self.glued(index - 1)
        currency_at = index - 2 if negative else index - 1
        money = self.kind(currency_at) is Kind.CURRENCY or self.kind(end) is Kind.CURRENCY
        if self.folded(index - 1) == "-" and self.kind(index - 2) is Kind.CURRENCY:
            negative = True
        if (self.kind(index - 1) is Kind.CURRENCY and self.folded(index - 2) == "-") and (
            index < 3 or not self.glued(index - 2)
        ):
            negative = negative or self.glued(index - 1)
        if value is None:
            return Number(None, start, end, "numeral without a single reading", money=money)
        if self.folded(end) in DOZENS:
            return self.with_half(value * 12, start, end + 1, Decimal(12), "dozens")
        if self.folded(index - 1) in {"menos", "minus"} and index == 1:
            negative = True
        if negative:
            value = -value
        if self.folded(index - 1) in DAY_WORDS or (
            self.folded(end) in {"de", "of", "/"} and self.folded(end + 1) in MONTHS
        ):
            return Number(value, start, end, DAY_OF_DATE, aside=True)
        if self.folded(end) in ASIDE_UNITS:
            return Number(value, start, end + 1, "hours", aside=True)
        return self.extended(value, start, end, "numeral", money=money)

    def _words(self, index: int) -> Number | None:
        words, end = self.run(index)
        lone_one = len(words) == 1 and words[0] in self.ones
        if lone_one:
            return self._one(index)
        if self.folded(index - 1) == "por" and words[0] in {"cento", "ciento"}:
            return None
        if self.folded(index - 1) == "dos" and words[0] in SCALES:
            return Number(None, index, end, "two thousand in Spanish, of the thousand in Portuguese")
        language = self.language
        value: int | None = None
        while words and (value := run_value(tuple(words[:MAX_RUN]), language)) is None:
            if len(words) > MAX_RUN or len(words) == 1:
                break
            # The run is several numbers: the first one is read here, the next pass finds the others.
            words.pop()
            end = self.end_of(index, len(words))
        if value is None:
            return Number(None, index, end, "number words without a reading")
        if self.folded(index - 1) in DAY_WORDS or (self.folded(end) in {"de", "of"} and self.folded(end + 1) in MONTHS):
            return Number(Decimal(value), index, end, DAY_OF_DATE, aside=True)
        if self.folded(end) in ASIDE_UNITS:
            return Number(Decimal(value), index, end + 1, "hours", aside=True)
        if self.folded(end) in DOZENS:
            return self.with_half(Decimal(value * 12), index, end + 1, Decimal(12), "dozens")
        if self.folded(index - 1) == "menos" and index == 1:
            value = -value
        return self.extended(Decimal(value), index, end, "number words", money=False)

    def _one(self, index: int) -> Number | None:
        """um, uma, one: a number only when nothing but fillers and a counted noun stands around it."""
        after = self.folded(index + 1)
        if after in DOZENS:
            return self.with_half(Decimal(12), index, index + 2, Decimal(12), "a dozen")
        if after in POINTS or after in WHOLE_MONEY or after in CENTS:
            return self.extended(Decimal(1), index, index + 1, "one of a currency", money=False)
        if after in JOINS and self.folded(index + 2) in HALVES:
            return self.extended(Decimal(1), index, index + 1, "one and a half", money=False)
        if self.folded(index) in {"a", "an"}:
            return None
        alone = all(
            piece.kind is not Kind.WORD or piece.folded in FILLERS or piece.folded in COUNTED
            for place, piece in enumerate(self.lexemes[:64])
            if place != index
        )
        if alone and len(self.lexemes) <= 12 and not any(piece.kind is Kind.NUMERAL for piece in self.lexemes):
            return Number(Decimal(1), index, index + 1, "the word one")
        return None


def find_numbers(lexemes: tuple[Lexeme, ...], locale: str) -> list[Number]:
    """Every number said; the words of the session's language first, another language only when it has none."""
    own: list[Number] | None = None
    for language in languages(locale):
        found = _Scan(lexemes, locale, language).numbers()
        if any(not number.aside for number in found):
            return found if own is None else sorted((*own, *found), key=lambda number: number.start)
        own = own if own is not None else found
    return own or []
