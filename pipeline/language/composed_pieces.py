"""A composed text cut into words and signs, and into the stretches that speak of one thing.

Owns: which words were given: part of a name, a protocol or a reason.
Invariants: linear but for the number of items. Never: judges what a stretch claims (composed.py does).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from pipeline.language.normalize import fold
from pipeline.language.vocabulary_outcomes import BREAKS

__all__ = ["Piece", "Stretch", "Told", "mark_given", "pieces_of", "stretches_of", "words_in"]

_PIECE = re.compile(r"\w+(?:['’]\w+)?|\n|[^\w\s]")
_ENDS = frozenset(".!?;…")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a text has to say of one item."""

    subject: str
    done: bool
    protocol: str | None = None
    reason: str | None = None
    """In words; they may be repeated as they are."""


@dataclass(slots=True)
class Piece:
    text: str
    folded: str
    start: int
    end: int
    word: bool
    item: int | None = None
    """Place of the item whose name it is part of."""
    given: bool = False
    """Part of a name, a protocol or a reason that was given."""


@dataclass(slots=True)
class Stretch:
    """A sentence, or the part of one that speaks of one thing."""

    pieces: list[Piece] = field(default_factory=list)
    line: int = 0
    goes_on: bool = False
    """It is the turn of a sentence: "…, mas não como pedido"."""
    asks: bool = False

    @property
    def items(self) -> list[int]:
        return list(dict.fromkeys(piece.item for piece in self.pieces if piece.item is not None))


@lru_cache(maxsize=1024)
def words_in(text: str) -> tuple[str, ...]:
    return tuple(fold(word) for word in re.findall(r"\w+(?:['’]\w+)?", text) if fold(word))


def pieces_of(text: str) -> list[Piece]:
    return [
        Piece(
            text=match[0],
            folded=fold(match[0]),
            start=match.start(),
            end=match.end(),
            word=match[0][0].isalnum() or match[0][0] == "_",
        )
        for match in _PIECE.finditer(text)
    ]


def mark_given(pieces: list[Piece], text: str, told: Sequence[Told], names: Sequence[tuple[str, ...]]) -> None:
    """Say of every word whether it was given: longest names first, then protocols as they are, then reasons."""
    words = [piece for piece in pieces if piece.word]
    for place in sorted(range(len(told)), key=lambda place: -len(names[place])):
        for run in _runs(words, names[place]):
            for piece in run:
                piece.item, piece.given = place, True
    for item in told:
        if item.protocol:
            for run in _runs(words, words_in(item.protocol)):
                if text[run[0].start : run[-1].end] == item.protocol:
                    for piece in run:
                        piece.given = True
    for item in told:
        for run in _runs(words, words_in(item.reason or "")):
            for piece in run:
                piece.given = True


def _runs(words: Sequence[Piece], name: tuple[str, ...]) -> Iterator[list[Piece]]:
    """Yield the places where these words stand one after the other, not taken yet."""
    if not name:
        return
    size, place = len(name), 0
    while place + size <= len(words):
        run = list(words[place : place + size]) if words[place].folded == name[0] else []
        if run and tuple(piece.folded for piece in run) == name and not any(piece.given for piece in run):
            yield run
            place += size
        else:
            place += 1


def stretches_of(pieces: Sequence[Piece]) -> Iterator[Stretch]:
    line = 0
    current = Stretch()
    for piece in pieces:
        turns = piece.word and not piece.given and piece.folded in BREAKS
        if piece.text == "\n" or piece.text in _ENDS or turns:
            if current.pieces:
                current.asks = piece.text == "?"
                yield current
            line += piece.text == "\n"
            current = Stretch(line=line, goes_on=turns)
            continue
        current.pieces.append(piece)
    if current.pieces:
        yield current
