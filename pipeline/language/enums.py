"""Which of the declared options a text chooses.

Owns: options named whole, by words that fit one only, or by a number that one only contains.
Invariants: the value is the option as declared; two options named, or words that fit several, give `ambiguous`;
a negated option is not chosen. Linear in the text for a bounded number of options.
Never: an option by its position. Source: rule COERCE-7.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from rapidfuzz.distance import OSA

from pipeline.language.lexemes import Kind, Lexeme, lex, squeeze, word_set
from pipeline.language.modality import CONDITIONAL, GUESSED, UNKNOWN, hear
from pipeline.language.number_scan import find_numbers
from pipeline.language.numerals import read_numeral

NOT_IN_ENUM: Final = "not_in_enum"
AMBIGUOUS: Final = "ambiguous"

_SMALL_WORDS: Final = word_set(
    "o a os as um uma de do da dos das no na nos nas em e ou com por para pra pro ao que eu me meu minha the of "
    "in on by with for to at my el la los las un una del con y al i it is an and or se"
)
_LONG_ENOUGH: Final = 5
"""Words shorter than this are never matched with a letter off."""
_LONGEST: Final = 400
"""Words of a text that are compared with the options; an answer is short."""


@dataclass(frozen=True, slots=True)
class EnumReading:
    value: Any
    error: str | None
    rule: str


@dataclass(frozen=True, slots=True)
class _Option:
    value: Any
    squeezed: str
    words: tuple[str, ...]
    numbers: frozenset[Decimal]


@lru_cache(maxsize=1024)
def _options(options: tuple[Any, ...], locale: str) -> tuple[_Option, ...]:
    return tuple(_option(option, locale) for option in options)


def _option(option: Any, locale: str) -> _Option:
    text = option if isinstance(option, str) else str(option).lower() if isinstance(option, bool) else str(option)
    pieces = lex(_spaced(text))
    numerals = (read_numeral(piece.folded, locale) for piece in pieces if piece.kind is Kind.NUMERAL)
    return _Option(
        value=option,
        squeezed=squeeze(text),
        words=tuple(piece.folded for piece in pieces if piece.kind in {Kind.WORD, Kind.NUMERAL}),
        numbers=frozenset(number for number in numerals if number is not None),
    )


def _spaced(text: str) -> str:
    """CamelCase and snake_case as words."""
    return "".join(
        " " + char if place and char.isupper() and text[place - 1].islower() else " " if char == "_" else char
        for place, char in enumerate(text)
    )


def read_enum(text: str, options: Sequence[Any], locale: str) -> EnumReading:
    """The option that `text` chooses. Order of trial: the whole text, options named in it, words, numbers, a letter off."""
    known = _options(tuple(options), locale)
    whole = squeeze(text)
    exact = [option for option in known if option.squeezed == whole and whole]
    if len(exact) == 1 and ("?" not in text or "?" in str(exact[0].value)):
        return EnumReading(exact[0].value, None, "the option itself")
    verbatim = [option for option in exact if str(option.value) == text.strip()]
    if verbatim:
        return EnumReading(verbatim[0].value, None, "the option itself, as declared")
    if len(exact) > 1:
        return EnumReading(None, AMBIGUOUS, "options that differ in signs only")
    lexemes = lex(text)[:_LONGEST]
    mentions = _mentions(lexemes, known, locale)
    if not mentions:
        return EnumReading(None, NOT_IN_ENUM, "no option named")
    said = hear(lexemes, locale)
    kept = [mentions[place] for place in said.kept([(mention.start, mention.end) for mention in mentions])]
    if not kept:
        return EnumReading(None, NOT_IN_ENUM, "the option named is negated")
    if (said.of(GUESSED, UNKNOWN) or lexemes[-1].folded == "?") and not _polite(lexemes):
        return EnumReading(None, AMBIGUOUS, "an unsure choice")
    if said.of(CONDITIONAL):
        return EnumReading(None, AMBIGUOUS, "a conditional choice")
    return _choose(kept, known)


def _polite(lexemes: tuple[Lexeme, ...]) -> bool:
    return lexemes[0].folded == "pode" and len(lexemes) > 1 and lexemes[1].folded == "ser"


@dataclass(frozen=True, slots=True)
class _Mention:
    """Words that fit the options `fits` over the lexemes [start, end); `whole`: they are all of one option's words."""

    start: int
    end: int
    fits: frozenset[int]
    whole: bool
    rule: str


def _mentions(lexemes: tuple[Lexeme, ...], known: tuple[_Option, ...], locale: str) -> list[_Mention]:
    by_word: dict[str, set[int]] = {}
    for place, option in enumerate(known):
        for word in option.words:
            if word not in _SMALL_WORDS or len(option.words) == 1:
                by_word.setdefault(word, set()).add(place)
    by_squeezed = {option.squeezed: place for place, option in enumerate(known) if option.squeezed}
    longest = max((len(squeezed) for squeezed in by_squeezed), default=0)
    numbers = {number.start: number for number in find_numbers(lexemes, locale) if number.value is not None}
    found: list[_Mention] = []
    index = 0
    while index < len(lexemes):
        mention = (
            _whole(lexemes, index, by_squeezed, longest)
            or _number(numbers.get(index), index, known)
            or _word(lexemes, index, by_word)
        )
        if mention is None:
            index += 1
        else:
            found.append(mention)
            index = mention.end
    return found or _near(lexemes, by_word)


def _whole(lexemes: tuple[Lexeme, ...], index: int, by_squeezed: dict[str, int], longest: int) -> _Mention | None:
    """The longest option whose letters are written from this lexeme on, however they are spaced or hyphenated."""
    best: _Mention | None = None
    letters = ""
    for end in range(index, min(len(lexemes), index + 24)):
        piece = lexemes[end]
        if piece.kind is Kind.MARK and piece.folded not in "-_./'&+" and end > index:
            break
        letters += squeeze(piece.folded)
        if len(letters) > longest:
            break
        glued_on = end + 1 < len(lexemes) and lexemes[end + 1].glued and lexemes[end + 1].kind is not Kind.MARK
        if letters in by_squeezed and not glued_on:
            best = _Mention(index, end + 1, frozenset({by_squeezed[letters]}), True, "an option named")
    return best


def _word(lexemes: tuple[Lexeme, ...], index: int, by_word: dict[str, set[int]]) -> _Mention | None:
    piece = lexemes[index]
    if piece.kind not in {Kind.WORD, Kind.NUMERAL}:
        return None
    fits = by_word.get(piece.folded)
    if fits is None and piece.kind is Kind.WORD and len(piece.folded) >= _LONG_ENOUGH:
        fits = by_word.get(piece.folded.removesuffix("s")) or by_word.get(piece.folded + "s")
    return None if fits is None else _Mention(index, index + 1, frozenset(fits), False, "words of one option")


def _number(number: Any, index: int, known: tuple[_Option, ...]) -> _Mention | None:
    if number is None or number.aside:
        return None
    fits = frozenset(place for place, option in enumerate(known) if number.value in option.numbers)
    if not fits and not any(option.numbers for option in known):
        return None
    rule = "the number of one option" if fits else "a number no option has"
    return _Mention(index, number.end, fits, False, rule)


def _near(lexemes: tuple[Lexeme, ...], by_word: dict[str, set[int]]) -> list[_Mention]:
    """Words one letter off (changed, added, missing, two swapped), when no option is named as spelled."""
    long_words = [word for word in by_word if len(word) >= _LONG_ENOUGH]
    found: list[_Mention] = []
    for index, piece in enumerate(lexemes[:64]):
        if piece.kind is not Kind.WORD or len(piece.folded) < _LONG_ENOUGH or len(piece.folded) > 40:
            continue
        near = [word for word in long_words if OSA.distance(piece.folded, word, score_cutoff=1) <= 1]
        fits: set[int] = set().union(*(by_word[word] for word in near)) if near else set()
        if fits:
            found.append(_Mention(index, index + 1, frozenset(fits), False, "an option a letter off"))
    return found


def _choose(mentions: list[_Mention], known: tuple[_Option, ...]) -> EnumReading:
    if any(not mention.fits for mention in mentions):
        return EnumReading(None, NOT_IN_ENUM, "a number no option has")
    wholes = {next(iter(mention.fits)) for mention in mentions if mention.whole}
    if len(wholes) > 1:
        return EnumReading(None, AMBIGUOUS, "two options named")
    common = frozenset.intersection(*(mention.fits for mention in mentions))
    if len(wholes) == 1:
        only = next(iter(wholes))
        if only in common:
            return EnumReading(known[only].value, None, "an option named")
        return EnumReading(None, AMBIGUOUS, "an option named and words of another")
    if len(common) == 1:
        return EnumReading(known[next(iter(common))].value, None, mentions[0].rule)
    if len(common) > 1:
        told = {index for mention in mentions for index in range(mention.start, mention.end)}
        complete = [place for place in common if len(known[place].words) <= len(told)]
        if len(complete) == 1:
            return EnumReading(known[complete[0]].value, None, "all words of one option")
        return EnumReading(None, AMBIGUOUS, "words that fit several options")
    return EnumReading(None, AMBIGUOUS, "words of several options")
