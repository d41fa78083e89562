"""Words, numerals, currency signs and marks of one text, folded, with their place in it.

Owns: the cut of a text for reading values (numbers, dates, options); phrases looked up over that cut.
Invariants: one pass, linear in the text; `start` and `end` index the original text; never raises on any `str`.
Never: knows a value, a verdict or a locale.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final


def word_set(words: str) -> frozenset[str]:
    """Words separated by blanks, as a set: vocabulary is read better as text."""
    return frozenset(words.split())


class Kind(StrEnum):
    WORD = "word"
    NUMERAL = "numeral"
    CURRENCY = "currency"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class Lexeme:
    """One piece of the text; `folded` is lower case, without accents, compatibility forms resolved."""

    folded: str
    kind: Kind
    start: int
    end: int
    glued: bool
    """No blank between this piece and the one before it ("10GB", "P-100")."""


_PIECE: Final = re.compile(
    r"(?P<currency>(?:r|us|u|a)?\$|[€£¥]|(?<![^\W_])(?:brl|usd|eur)(?![^\W\d_]))"
    r"|(?P<numeral>\d+(?:[.,]\d+)*)"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)"
    r"|(?P<mark>[^\w\s]|_)"
)
_DASHES: Final = str.maketrans("‐‑‒–—−", "------")
_DIGITS: Final = re.compile(r"[^\W\d_]|\d")


def fold_with_places(text: str) -> tuple[str, list[int] | None]:
    """The folded text and, for each of its characters, the index in `text` it came from (None: the same index)."""
    if text.isascii():
        return text.lower(), None
    out: list[str] = []
    places: list[int] = []
    for index, char in enumerate(text):
        if char.isascii():
            out.append(char.lower())
            places.append(index)
            continue
        for part in unicodedata.normalize("NFKD", char).lower():
            if unicodedata.combining(part) or part in "\u200b\u200c\u200d\ufe0f\ufeff":
                continue
            # Digits of other scripts are read as numerals by their value.
            value = unicodedata.decimal(part, None)
            out.append(str(value) if value is not None else part)
            places.append(index)
    return "".join(out).translate(_DASHES).replace("’", "'"), places


@lru_cache(maxsize=32)  # one message is read for several questions; few are kept, a paste is large
def lex(text: str) -> tuple[Lexeme, ...]:
    folded, places = fold_with_places(text)
    pieces: list[Lexeme] = []
    last_end = -1
    for match in _PIECE.finditer(folded):
        begin, end = match.span()
        kind = Kind(match.lastgroup or "mark")
        start_at, end_at = (begin, end) if places is None else (places[begin], places[end - 1] + 1)
        word = match.group()
        if word == "e" and text[start_at:end_at] in {"é", "É"}:
            word = "eh"  # is, not and
        pieces.append(Lexeme(word, kind, start_at, end_at, begin == last_end))
        last_end = end
    return tuple(pieces)


class Sentence:
    """Lexemes read by index: outside the text there is the empty word, of no kind."""

    def __init__(self, lexemes: tuple[Lexeme, ...]) -> None:
        self.lexemes = lexemes

    def folded(self, index: int) -> str:
        return self.lexemes[index].folded if 0 <= index < len(self.lexemes) else ""

    def kind(self, index: int) -> Kind | None:
        return self.lexemes[index].kind if 0 <= index < len(self.lexemes) else None

    def glued(self, index: int) -> bool:
        return 0 <= index < len(self.lexemes) and self.lexemes[index].glued


def words_of(text: str) -> tuple[str, ...]:
    """The folded words and numerals of a text, marks left out."""
    return tuple(piece.folded for piece in lex(text) if piece.kind in {Kind.WORD, Kind.NUMERAL})


def squeeze(text: str) -> str:
    """The folded letters and digits of a text and nothing else: blanks, hyphens, underscores and signs do not count."""
    folded, _ = fold_with_places(text)
    return "".join(_DIGITS.findall(folded))


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase found: what it means and the lexemes [start, end) it covers."""

    meaning: str
    start: int
    end: int


class Phrases:
    """Phrases by meaning, found over lexemes, the longest first; linear for phrases of bounded length."""

    def __init__(self, phrases_by_meaning: Mapping[str, str]) -> None:
        """Values hold phrases separated by '|'."""
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for meaning, phrases in phrases_by_meaning.items():
            for phrase in phrases.split("|"):
                folded = tuple(piece.folded for piece in lex(phrase))
                if folded:
                    self._by_first.setdefault(folded[0], []).append((folded, meaning))
        for candidates in self._by_first.values():
            candidates.sort(key=lambda candidate: -len(candidate[0]))

    def at(self, lexemes: tuple[Lexeme, ...], index: int) -> Phrase | None:
        if not 0 <= index < len(lexemes):
            return None
        for folded, meaning in self._by_first.get(lexemes[index].folded, ()):
            end = index + len(folded)
            if end <= len(lexemes) and all(lexemes[index + k].folded == folded[k] for k in range(1, len(folded))):
                return Phrase(meaning, index, end)
        return None

    def find(self, lexemes: tuple[Lexeme, ...]) -> Iterator[Phrase]:
        index = 0
        while index < len(lexemes):
            phrase = self.at(lexemes, index)
            if phrase is None:
                index += 1
            else:
                yield phrase
                index = phrase.end
