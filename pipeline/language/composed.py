"""Whether a text that somebody else composed says what happened, item by item, and nothing more.

Owns: what a stretch of text claims of the item it speaks of; numbers and names that nobody gave.
Invariants: a text passes only when every item is named with its own fate and protocol; what is unclear does not pass; total on any
text, linear but for the number of items. Never: corrects a text. What it can't see: a lower-case name of something that is not there.
Source: DESIGN 7 (Normalize), issue "optional LLM".
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from pipeline.language.composed_pieces import Piece, Stretch, Told, mark_given, pieces_of, stretches_of, words_in
from pipeline.language.number_words import ONES, run_value
from pipeline.language.operations import Operation, operation_of
from pipeline.language.typography import language_of
from pipeline.language.vocabulary_outcomes import (
    ALL_WORDS,
    DONE_SIGNS,
    DONE_STEMS,
    DONE_WORDS,
    FAILED_SIGNS,
    FAILED_STEMS,
    JOINTS,
    MARKERS,
    NEGATORS,
    NEUTRAL_NAMES,
    OPEN_STEMS,
    OPEN_WORDS,
)

__all__ = ["Told", "fault_of"]

TEXT_MAX = 20_000
"""Characters of a text that are looked at."""


class Claim(StrEnum):
    """What a stretch of text says of what it speaks of."""

    DONE = "done"
    FAILED = "failed"
    UNCLEAR = "unclear"


_OPENS = frozenset(".!?:;…\n(-–—•*·\"“«‘'[¿¡,")
_QUOTES = frozenset('"“”«»‘`')
_LINK = re.compile(r"https?:|www\.|@\w", re.IGNORECASE)
_NOUN_ENDINGS = ("mento", "mentos", "cao", "coes", "sao", "soes", "cion", "ciones", "tion", "ation", "ment")


def fault_of(text: str, told: Sequence[Told], *, locale: str, operation: str, max_chars: int) -> str | None:
    """Return the code of what is wrong with a text, None when nothing is."""
    if not text.strip():
        return "empty"
    if len(text) > min(max_chars, TEXT_MAX):
        return "too_long"
    if _LINK.search(text):
        return "link"
    names = [words_in(item.subject) for item in told]
    if not all(names) or len(set(names)) < len(names):
        return "unnameable"
    pieces = pieces_of(text)
    mark_given(pieces, text, told, names)
    missing = set(range(len(told))) - {piece.item for piece in pieces}
    if missing:
        return "item_missing"
    reading = _Reading(told, language_of(locale), operation_of(operation))
    return (
        reading.of_language(pieces)
        or reading.of_protocols(pieces, text)
        or reading.of_names(pieces)
        or reading.of_fates(list(stretches_of(pieces)))
    )


class _Reading:
    """What a text claims, against what it has to say."""

    def __init__(self, told: Sequence[Told], language: str, operation: Operation) -> None:
        self._told = told
        self._language = language
        self._operation = operation
        self._done = sum(item.done for item in told)
        self._counts = {len(told), self._done, len(told) - self._done}

    # --- language, protocols, names ------------------------------------------------------------------------------------

    def of_language(self, pieces: Sequence[Piece]) -> str | None:
        """Whether it is written in another language, roughly: by its commonest words."""
        said = [piece.folded for piece in pieces if piece.word and not piece.given]
        counts = {language: sum(word in markers for word in said) for language, markers in MARKERS.items()}
        own = counts[self._language]
        return None if own and own >= max(counts.values()) else "wrong_language"

    def of_protocols(self, pieces: Sequence[Piece], text: str) -> str | None:
        """Whether every protocol stands by its own item."""
        for item in self._told:
            if item.protocol is None:
                continue
            places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(item.protocol)}(?!\w)", text)]
            if not places:
                return "protocol_missing"
            if any(self._told[self._owner(pieces, place)].protocol != item.protocol for place in places):
                return "protocol_of_another_item"
        return None

    @staticmethod
    def _owner(pieces: Sequence[Piece], place: int) -> int:
        """The item named last before a place of the text, else first after it."""
        before = [piece.item for piece in pieces if piece.item is not None and piece.start <= place]
        after = [piece.item for piece in pieces if piece.item is not None and piece.start > place]
        return before[-1] if before else after[0]

    def of_names(self, pieces: Sequence[Piece]) -> str | None:
        """Whether it holds a number or a name that nobody gave."""
        previous = "\n"
        for piece in pieces:
            if piece.word and not piece.given:
                if set(_numbers([piece.folded], self._language)) - self._counts or _is_mixed(piece.text):
                    return "unknown_number"
                capital = piece.text[0].isupper() and previous not in _OPENS and piece.folded not in NEUTRAL_NAMES
                if capital or previous in _QUOTES:
                    return "unknown_name"
            previous = piece.text
        return None

    # --- fates -----------------------------------------------------------------------------------------------------------

    def of_fates(self, stretches: Sequence[Stretch]) -> str | None:
        """Whether every item is said to have met its own fate, and the whole set too."""
        said: set[int] = set()
        heading: set[Claim] = set()
        last: Stretch | None = None
        for stretch, after in zip(stretches, [*stretches[1:], None], strict=True):
            items = stretch.items
            claims = self._claims(stretch, bare=bool(items) or stretch.goes_on)
            if not items:
                heads = stretch.pieces[-1].text == ":" and after is not None
                beside = last if last is not None and last.line == stretch.line else None
                fault = self._of_set(stretch, claims, beside=beside, heads=heads)
                if fault:
                    return fault
                heading = claims if heads else set()
                continue
            last = stretch
            if not claims and heading:
                claims = heading
            if stretch.asks:
                return "fate_unclear"
            if not claims:
                continue
            if Claim.UNCLEAR in claims or len(claims) > 1:
                return "fate_unclear"
            if self._fates(items) != claims:
                return "fate_changed"
            said.update(items)
        return None if len(said) == len(self._told) else "fate_not_said"

    def _fates(self, items: Sequence[int]) -> set[Claim]:
        return {Claim.DONE if self._told[item].done else Claim.FAILED for item in items}

    def _of_set(self, stretch: Stretch, claims: set[Claim], *, beside: Stretch | None, heads: bool) -> str | None:
        """Whether a stretch that names no item speaks wrongly of those before it on its line, or of all of them.

        Without a count or a list below it, it speaks of all: "o cancelamento foi concluído".
        """
        total = len(self._told)
        words = [piece.folded for piece in stretch.pieces if piece.word and not piece.given]
        numbers = set(_numbers(words, self._language))
        if not claims:
            return None
        if beside is not None and not numbers:
            return None if self._fates(beside.items) == claims else "fate_changed"
        some = (heads or bool(numbers) or len(words) == 1) and not any(word in ALL_WORDS for word in words)
        everything = not some or numbers == {total}
        for claim, count in ((Claim.DONE, self._done), (Claim.FAILED, total - self._done)):
            if claims == {claim} and (not count or (everything and count < total)):
                return "fate_changed"
        return None

    def _claims(self, stretch: Stretch, *, bare: bool) -> set[Claim]:
        """What a stretch claims; `bare`: a negation alone says that it failed."""
        claims: set[Claim] = set()
        negator: bool | None = None
        """Whether a negation reaches this far; None: there is none, False: one that found nothing to negate yet."""
        for piece in stretch.pieces:
            if not piece.word:
                claims |= _sign(piece.text)
                if piece.text in ",:()–—":
                    claims |= _left(negator, bare=bare)
                    negator = None
                continue
            if piece.given:
                continue
            word = piece.folded
            if word in JOINTS:
                claims |= _left(negator, bare=bare)
                negator = None
            elif word in NEGATORS[self._language] or word.endswith(("n't", "n’t")):
                negator = bool(negator)
            elif (meant := self._meaning(word)) is not None:
                if negator is None:
                    claims.add(meant)
                else:
                    negator = True
                    claims.add(Claim.FAILED if meant is Claim.DONE else Claim.UNCLEAR)
        return claims | _left(negator, bare=bare)

    def _meaning(self, word: str) -> Claim | None:
        if word.startswith(FAILED_STEMS):
            return Claim.FAILED
        if word in OPEN_WORDS[self._language] or word.startswith(OPEN_STEMS):
            return Claim.UNCLEAR
        if word in DONE_WORDS[self._language] or word.startswith(DONE_STEMS):
            return Claim.DONE
        if word.endswith(_NOUN_ENDINGS) or self._operation.is_noun(word):
            return None  # the noun of the operation only names it
        return Claim.DONE if self._operation.is_own(word) else None


def _left(negator: bool | None, *, bare: bool) -> set[Claim]:
    """A negation that found nothing to negate."""
    return {Claim.FAILED} if negator is False and bare else set()


def _sign(text: str) -> set[Claim]:
    if text in DONE_SIGNS:
        return {Claim.DONE}
    return {Claim.FAILED} if text in FAILED_SIGNS else set()


def _is_mixed(word: str) -> bool:
    """Whether digits are part of a word that is no plain number: P100, T1001."""
    return any(char.isdigit() for char in word) and not (word.isascii() and word.isdigit())


def _numbers(words: Sequence[str], language: str) -> Iterator[int]:
    """Numbers in digits and, above one, in words."""
    for word in words:
        if word.isascii() and word.isdigit():
            yield int(word[:9])
        elif word not in ONES[language] and word.isalpha():
            value = run_value((word,), language)
            if value is not None and value > 1:
                yield value
