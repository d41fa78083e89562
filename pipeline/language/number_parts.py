"""What belongs to a number: the words it runs over, scales, decimals in words, money and cents, the code it is glued into.

Owns: where a number ends, given where it starts.
Invariants: values are exact decimals; a run of words longer than MAX_RUN is no number.
Never: looks for numbers (number_scan.py does). Source: rules COERCE-2, COERCE-3.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from pipeline.language.lexemes import Kind, Lexeme, Sentence
from pipeline.language.number_words import (
    CENTS,
    HALVES,
    JOIN,
    JOINS,
    MAX_RUN,
    NUMBER_WORDS,
    ONES,
    POINTS,
    SCALE_WORDS,
    SCALES,
    WHOLE_MONEY,
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


class NumberParts(Sentence):
    """The parts of a number, read at an index."""

    def __init__(self, lexemes: tuple[Lexeme, ...], locale: str, language: str) -> None:
        super().__init__(lexemes)
        self.locale = locale
        self.language = language
        self.words = NUMBER_WORDS[language] | SCALE_WORDS[language]
        self.ones = ONES[language]

    def run(self, index: int) -> tuple[list[str], int]:
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

    def end_of(self, index: int, count: int) -> int:
        place = index
        while count:
            if self.folded(place) in self.words or self.folded(place) in self.ones:
                count -= 1
            place += 1
        return place

    def extended(self, value: Decimal, start: int, end: int, rule: str, *, money: bool) -> Number:
        scale = SCALES.get(self.folded(end))
        if scale is not None and rule == "numeral":
            value, end, rule = value * scale, end + 1, "numeral with a scale"
            rest_at = end + 1 if self.folded(end) in JOINS else end
            if self.folded(end) in JOINS and self.folded(rest_at) in HALVES:
                return self.money(value + Decimal(scale) / 2, start, rest_at + 1, "and a half", money=money)
            rest, rest_end = self.rest_below(rest_at, scale)
            if rest is not None:
                value, end = value + rest, rest_end
        elif self.folded(end) in POINTS and (decimals := self.decimals(end + 1)) is not None:
            digits, end = decimals
            value, rule = value + Decimal("0." + digits).copy_sign(value), "decimal mark in words"
        elif self.folded(end) in JOINS and self.folded(end + 1) in HALVES:
            previous = SCALES.get(self.folded(end - 1), 1)
            value, end, rule = value + Decimal(previous) / 2, end + 2, "and a half"
        if self.folded(end) == "%":
            end += 1
        return self.money(value, start, end, rule, money=money)

    def rest_below(self, index: int, scale: int) -> tuple[Decimal | None, int]:
        if self.kind(index) is Kind.NUMERAL and not self.tangled(index) and not self.glued(index + 1):
            value = read_numeral(self.lexemes[index].folded, self.locale)
            return (value, index + 1) if value is not None and 0 < value < scale else (None, index)
        if self.folded(index) in self.words:
            words, end = self.run(index)
            below = run_value(tuple(words[:MAX_RUN]), self.language)
            return (Decimal(below), end) if below is not None and 0 < below < scale else (None, index)
        return None, index

    def decimals(self, index: int) -> tuple[str, int] | None:
        if self.kind(index) is Kind.NUMERAL and self.folded(index).isdigit() and len(self.folded(index)) <= MAX_DIGITS:
            return self.folded(index), index + 1
        zeros = 0
        while self.folded(index) in {"zero", "cero", "oh"} and zeros < 4:
            zeros, index = zeros + 1, index + 1
        if self.folded(index) in self.words or self.folded(index) in self.ones:
            words, end = self.run(index)
            value = run_value(tuple(words[:MAX_RUN]), self.language)
            return ("0" * zeros + str(value), end) if value is not None else None
        return ("0" * zeros, index) if zeros else None

    def money(self, value: Decimal, start: int, end: int, rule: str, *, money: bool) -> Number:
        named = self.folded(end)
        if named == "de" and self.folded(end + 1) in WHOLE_MONEY:
            end, named = end + 1, self.folded(end + 1)
        if named in CENTS:
            return Number(value / 100, start, end + 1, "cents", money=True)
        signed = (
            money and self.folded(end) in JOINS and self.kind(end + 1) is Kind.NUMERAL and self.folded(end + 2) in CENTS
        )
        if named not in WHOLE_MONEY and not signed:
            return Number(value, start, end, rule, money=money)
        end += not signed
        cents_at = end + 1 if self.folded(end) in JOINS else end
        cents: Decimal | None = None
        cents_end = cents_at
        if self.kind(cents_at) is Kind.NUMERAL and self.folded(cents_at).isdigit() and len(self.folded(cents_at)) <= 2:
            cents, cents_end = Decimal(self.folded(cents_at)), cents_at + 1
        elif cents_at < len(self.lexemes) and (
            self.folded(cents_at) in self.words or self.folded(cents_at) in self.ones
        ):
            words, cents_end = self.run(cents_at)
            said = run_value(tuple(words[:MAX_RUN]), self.language)
            cents = None if said is None else Decimal(said)
        if cents is not None and 0 <= cents < 100 and value == value.to_integral_value():
            has_word = self.folded(cents_end) in CENTS
            if has_word or (cents_end == len(self.lexemes) and cents_at > end and cents >= 1):
                return Number(value + cents / 100, start, cents_end + has_word, "money and cents", money=True)
        return Number(value, start, end, "money", money=True)

    def with_half(self, value: Decimal, start: int, end: int, whole: Decimal, rule: str) -> Number:
        if self.folded(end) in JOINS and self.folded(end + 1) in HALVES:
            return Number(value + whole / 2, start, end + 2, rule)
        return Number(value, start, end, rule)

    def tangled(self, index: int) -> int:
        """The end of the code, date or range this numeral is glued into; 0 when it stands alone."""
        before = self.glued(index) and (
            (self.kind(index - 1) is Kind.WORD and self.folded(index - 1) not in {"rs", "n"})
            or (self.folded(index - 1) in {"-", "/", "_", "#", ":"} and self.glued(index - 1) and self.solid(index - 2))
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
            and self.solid(end + 1)
        ):
            after = True
            end += 2
        return end if before or after else 0

    def solid(self, index: int) -> bool:
        return self.kind(index) in {Kind.WORD, Kind.NUMERAL}
