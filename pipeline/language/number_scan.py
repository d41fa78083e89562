"""Every number said in a text: numerals, number words, money, dozens, halves, scales.

Owns: the one pass over the lexemes; what is a piece of a code, a date, a clock time, and so no number of its own.
Invariants: mentions are in order and apart; values are exact decimals.
Never: decides which number of a text is meant (numbers.py does). Source: rules COERCE-2, COERCE-3.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from pipeline.language.lexemes import Kind, Lexeme, Sentence
from pipeline.language.number_words import (
    ASIDE_UNITS,
    CENTS,
    COUNTED,
    DAY_WORDS,
    DOZENS,
    FILLERS,
    HALVES,
    JOIN,
    JOINS,
    MAX_RUN,
    MONTHS,
    NUMBER_WORDS,
    ONES,
    POINTS,
    SCALE_WORDS,
    SCALES,
    UNITS,
    WHOLE_MONEY,
    languages,
    run_value,
)
from pipeline.language.numerals import MAX_DIGITS, read_numeral

DAY_OF_DATE: Final = "day of a date"


@dataclass(frozen=True, slots=True)
class Number:
    """A number said in a text, over the lexemes [start, end); value None: it has no single reading."""

    value: Decimal | None
    start: int
    end: int
    rule: str
    aside: bool = False
    """Said of something else (a day, a clock time, a piece of a code): counts only as "not what was asked"."""
    money: bool = False


class _Scan(Sentence):
    """One left-to-right pass over the lexemes of a text."""

    def __init__(self, lexemes: tuple[Lexeme, ...], locale: str, language: str) -> None:
        super().__init__(lexemes)
        self.locale = locale
        self.language = language
        self.words = NUMBER_WORDS[language] | SCALE_WORDS[language]
        self.ones = ONES[language]

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
        if piece.folded in HALVES and self.folded(index + 1) in DOZENS:
            return Number(Decimal(6), index, index + 2, "half a dozen")
        if piece.folded in HALVES and self.folded(index + 1) in SCALES:
            half = Decimal(SCALES[self.folded(index + 1)]) / 2
            return self._money(half, index, index + 2, "half of a scale", money=False)
        if piece.folded in self.words or piece.folded in self.ones:
            return self._words(index)
        if piece.folded in DOZENS and self.folded(index - 1) not in {"por", "per"}:
            return self._with_half(Decimal(12), index, index + 1, Decimal(12), "a dozen")
        return None

    # Numerals ---------------------------------------------------------------------------------------------------

    def _numeral(self, index: int) -> Number:
        start, end = index, index + 1
        raw = self.lexemes[index].folded
        tangled = self._tangled(index)
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
            return self._with_half(value * 12, start, end + 1, Decimal(12), "dozens")
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
        return self._extended(value, start, end, "numeral", money=money)

    def _tangled(self, index: int) -> int:
        """The end of the code, date or range this numeral is glued into; 0 when it stands alone."""
        before = self.glued(index) and (
            (self.kind(index - 1) is Kind.WORD and self.folded(index - 1) not in {"rs", "n"})
            or (
                self.folded(index - 1) in {"-", "/", "_", "#", ":"} and self.glued(index - 1) and self._solid(index - 2)
            )
            or self.folded(index - 1) in {"#", "_"}
        )
        end = index + 1
        after = False
        priced = self.kind(index - 1) is Kind.CURRENCY or "," in self.lexemes[index].folded
        if priced and self.folded(end) == "/" and self.kind(end + 1) is Kind.WORD:
            return 0  # "R$ 49,90/mês"
        while (
            self.glued(end)
            and self.folded(end) in {"-", "/", "_", ":", "⁄"}
            and self.glued(end + 1)
            and self._solid(end + 1)
        ):
            after = True
            end += 2
        return end if before or after else 0

    def _solid(self, index: int) -> bool:
        return self.kind(index) in {Kind.WORD, Kind.NUMERAL}

    # Number words -----------------------------------------------------------------------------------------------

    def _words(self, index: int) -> Number | None:
        words, end = self._run(index)
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
            end = self._end_of(index, len(words))
        if value is None:
            return Number(None, index, end, "number words without a reading")
        if self.folded(index - 1) in DAY_WORDS or (self.folded(end) in {"de", "of"} and self.folded(end + 1) in MONTHS):
            return Number(Decimal(value), index, end, DAY_OF_DATE, aside=True)
        if self.folded(end) in ASIDE_UNITS:
            return Number(Decimal(value), index, end + 1, "hours", aside=True)
        if self.folded(end) in DOZENS:
            return self._with_half(Decimal(value * 12), index, end + 1, Decimal(12), "dozens")
        if self.folded(index - 1) == "menos" and index == 1:
            value = -value
        return self._extended(Decimal(value), index, end, "number words", money=False)

    def _one(self, index: int) -> Number | None:
        """um, uma, one: a number only when nothing but fillers and a counted noun stands around it."""
        after = self.folded(index + 1)
        if after in DOZENS:
            return self._with_half(Decimal(12), index, index + 2, Decimal(12), "a dozen")
        if after in POINTS or after in WHOLE_MONEY or after in CENTS:
            return self._extended(Decimal(1), index, index + 1, "one of a currency", money=False)
        if after in JOINS and self.folded(index + 2) in HALVES:
            return self._extended(Decimal(1), index, index + 1, "one and a half", money=False)
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

    def _run(self, index: int) -> tuple[list[str], int]:
        """The number words from here on, joins left out, and where they end."""
        words: list[str] = []
        join = JOIN[self.language]
        place = index
        end = index
        while place < len(self.lexemes):
            word = self.folded(place)
            if word in self.words or (word in self.ones and (place == index or word not in {"a", "an"})):
                words.append(word)
                end = place + 1
            elif not (words and (word == join or (word == "-" and self.glued(place) and self.language == "en"))):
                break
            place += 1
        return words, end

    def _end_of(self, index: int, count: int) -> int:
        place = index
        while count:
            if self.folded(place) in self.words or self.folded(place) in self.ones:
                count -= 1
            place += 1
        return place

    # What may follow --------------------------------------------------------------------------------------------

    def _extended(self, value: Decimal, start: int, end: int, rule: str, *, money: bool) -> Number:
        scale = SCALES.get(self.folded(end))
        if scale is not None and rule == "numeral":
            value, end, rule = value * scale, end + 1, "numeral with a scale"
            rest_at = end + 1 if self.folded(end) in JOINS else end
            if self.folded(end) in JOINS and self.folded(rest_at) in HALVES:
                return self._money(value + Decimal(scale) / 2, start, rest_at + 1, "and a half", money=money)
            rest, rest_end = self._rest_below(rest_at, scale)
            if rest is not None:
                value, end = value + rest, rest_end
        elif self.folded(end) in POINTS and (decimals := self._decimals(end + 1)) is not None:
            digits, end = decimals
            value, rule = value + Decimal("0." + digits).copy_sign(value), "decimal mark in words"
        elif self.folded(end) in JOINS and self.folded(end + 1) in HALVES:
            previous = SCALES.get(self.folded(end - 1), 1)
            value, end, rule = value + Decimal(previous) / 2, end + 2, "and a half"
        if self.folded(end) == "%":
            end += 1
        return self._money(value, start, end, rule, money=money)

    def _rest_below(self, index: int, scale: int) -> tuple[Decimal | None, int]:
        if self.kind(index) is Kind.NUMERAL and not self._tangled(index) and not self.glued(index + 1):
            value = read_numeral(self.lexemes[index].folded, self.locale)
            return (value, index + 1) if value is not None and 0 < value < scale else (None, index)
        if self.folded(index) in self.words:
            words, end = self._run(index)
            below = run_value(tuple(words[:MAX_RUN]), self.language)
            return (Decimal(below), end) if below is not None and 0 < below < scale else (None, index)
        return None, index

    def _decimals(self, index: int) -> tuple[str, int] | None:
        if self.kind(index) is Kind.NUMERAL and self.folded(index).isdigit() and len(self.folded(index)) <= MAX_DIGITS:
            return self.folded(index), index + 1
        zeros = 0
        while self.folded(index) in {"zero", "cero", "oh"} and zeros < 4:
            zeros, index = zeros + 1, index + 1
        if self.folded(index) in self.words or self.folded(index) in self.ones:
            words, end = self._run(index)
            value = run_value(tuple(words[:MAX_RUN]), self.language)
            return ("0" * zeros + str(value), end) if value is not None else None
        return ("0" * zeros, index) if zeros else None

    def _money(self, value: Decimal, start: int, end: int, rule: str, *, money: bool) -> Number:
        named = self.folded(end)
        if named == "de" and self.folded(end + 1) in WHOLE_MONEY:
            end, named = end + 1, self.folded(end + 1)
        if named in CENTS:
            return Number(value / 100, start, end + 1, "cents", money=True)
        if named not in WHOLE_MONEY:
            return Number(value, start, end, rule, money=money)
        end += 1
        cents_at = end + 1 if self.folded(end) in JOINS else end
        cents: Decimal | None = None
        cents_end = cents_at
        if self.kind(cents_at) is Kind.NUMERAL and self.folded(cents_at).isdigit() and len(self.folded(cents_at)) <= 2:
            cents, cents_end = Decimal(self.folded(cents_at)), cents_at + 1
        elif cents_at < len(self.lexemes) and (
            self.folded(cents_at) in self.words or self.folded(cents_at) in self.ones
        ):
            words, cents_end = self._run(cents_at)
            said = run_value(tuple(words[:MAX_RUN]), self.language)
            cents = None if said is None else Decimal(said)
        if cents is not None and 0 <= cents < 100 and value == value.to_integral_value():
            has_word = self.folded(cents_end) in CENTS
            if has_word or (cents_end == len(self.lexemes) and cents_at > end and cents >= 1):
                return Number(value + cents / 100, start, cents_end + has_word, "money and cents", money=True)
        return Number(value, start, end, "money", money=True)

    def _with_half(self, value: Decimal, start: int, end: int, whole: Decimal, rule: str) -> Number:
        if self.folded(end) in JOINS and self.folded(end + 1) in HALVES:
            return Number(value + whole / 2, start, end + 2, rule)
        return Number(value, start, end, rule)


def find_numbers(lexemes: tuple[Lexeme, ...], locale: str) -> list[Number]:
    """Every number said; the words of the session's language first, another language only when it has none."""
    own: list[Number] | None = None
    for language in languages(locale):
        found = _Scan(lexemes, locale, language).numbers()
        if any(not number.aside for number in found):
            return found if own is None else sorted((*own, *found), key=lambda number: number.start)
        own = own if own is not None else found
    return own or []
