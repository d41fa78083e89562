"""Positions in a list that was shown: "o segundo", "os dois primeiros", "do 1 ao 3", "todos", "os três".

Owns: how ordinals, numbers and counts name places of a list of known length.
Invariants: positions are indexes from 0 in the order said; a place that does not exist makes the reading invalid, never another place.
Source: language.json ITEMS-6, REPLY-1, REPLY-3, REPLY-4.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.language.senses import Sense
from pipeline.language.signs import Sign
from pipeline.language.word_lists import listed

__all__ = ["Places", "read_places"]


@dataclass(frozen=True, slots=True)
class Places:
    """Places named at one spot of a sentence."""

    indexes: tuple[int, ...]
    after: int
    """Index of the sign after them."""
    valid: bool = True
    """False where a place was named that the list does not have."""
    whole: bool = False
    """Whether the whole list was named as such (todos, os três)."""
    bare: bool = False
    """Whether only a number stands there, with nothing that makes it a position."""


_PHRASE_MAX = 16
"""Signs of the longest phrase that names places."""
_BEFORE = frozenset({Sense.ARTICLE, Sense.PREPOSITION, Sense.POSITION, Sense.DEMONSTRATIVE})

_BOTH = listed("ambos ambas both")
_PAIR = 2
_NEAR = 3
"""Signs behind 'both' in which the first of the two is named."""
_MIDDLE = listed("meio|middle|middle one|medio|del medio", "|")
"""The place in the middle, where there is one."""
_PLURALS = listed("os as dos das nos nas aos los las the todos todas all esses essas these")
"""Words before a number that make it a count: 'os 3'."""
_SINGULARS = listed("o a do da del no na numero item el la")
"""Words before a number word that make it a position: 'o três'."""


def read_places(signs: Sequence[Sign], start: int, count: int, end: int | None = None) -> Places | None:
    """Return the places named from `start` on, None where that sign names none.

    `count`: how many items were shown. `end`: index of the sign before which they end.
    """
    places = _read(signs, start, count)
    if places is not None and end is not None and places.after > end:
        return _read(signs[start:end], 0, count, offset=start) if end - start < _PHRASE_MAX else places
    return places


def _read(signs: Sequence[Sign], start: int, count: int, *, offset: int = 0) -> Places | None:
    places = _places(signs, start, count)
    if places is not None and offset:
        return Places(places.indexes, places.after + offset, places.valid, places.whole, places.bare)
    return places


def _places(signs: Sequence[Sign], start: int, count: int) -> Places | None:
    sign = signs[start]
    if sign.sense is Sense.ALL and sign.words[0] in _BOTH and count != _PAIR:
        # of three there is no 'both'; before names it only announces them
        named = any(other.sense is Sense.MENTION for other in signs[start + 1 : start + 1 + _NEAR])
        return Places((), start + 1, valid=named)
    if sign.sense is Sense.ALL:
        spot = _skip(signs, start + 1)
        following = (
            _places(signs, spot, count)
            if spot < len(signs) and signs[spot].has(Sense.NUMBER) and _value(signs, spot)
            else None
        )
        after = following.after if following is not None and following.whole else start + 1
        return Places(tuple(range(count)), after, whole=True)
    if sign.sense is Sense.POSITION:
        after = _skip(signs, start + 1)
        value = _value(signs, after)
        return _from(signs, after, value, count) if value else None
    if sign.has(Sense.LAST):
        return _last(signs, start, count)
    if sign.has(Sense.ORDINAL):
        return _ordinal(signs, start, count)
    if signs[start].word in _MIDDLE and start and count % 2 and signs[start - 1].words[-1] in _SINGULARS | {"the"}:
        return Places((count // 2,), start + 1)
    value = _value(signs, start)
    if not value:
        return _glued(sign, start, count)
    return _counted(signs, start, value, count)


def _glued(sign: Sign, start: int, count: int) -> Places | None:
    """Positions written without blanks: 1,2 and 1-3."""
    if sign.sense is not Sense.CODE or not any(mark in sign.word for mark in ",-/"):
        return None
    parts = sign.word.replace("-", ",").replace("/", ",").split(",")
    if not all(part.isascii() and part.isdigit() and len(part) == 1 and 0 < int(part) <= count for part in parts):
        return None
    places = [int(part) - 1 for part in parts]
    if "-" in sign.word and len(places) == 2:
        places = list(range(places[0], places[1] + 1))
    return Places(tuple(dict.fromkeys(places)), start + 1, bare=True)


def _skip(signs: Sequence[Sign], index: int) -> int:
    while index < len(signs) and signs[index].sense in (Sense.ARTICLE, Sense.PREPOSITION, Sense.BRACKET):
        index += 1
    return index


def _value(signs: Sequence[Sign], index: int) -> int:
    """Return the small number at `index`, 0 where none stands there ('um' only as a digit: it is an article)."""
    if index >= len(signs):
        return 0
    sign = signs[index]
    if sign.sense is Sense.CODE or (
        sign.has(Sense.NUMBER) and sign.sense is not Sense.ARTICLE and sign.words[0] not in ("um", "uma", "one")
    ):
        return sign.number
    return 0


def _last(signs: Sequence[Sign], start: int, count: int) -> Places:
    word = signs[start].words[0]
    back = (
        3
        if word.startswith("antepenult")
        else 2
        if word.startswith("penult") or signs[start].word in ("second to last", "last but one")
        else 1
    )
    following = _value(signs, start + 1)
    if back == 1 and following and _bounded(signs, start + 2):
        return Places(tuple(range(max(0, count - following), count)), start + 2, valid=following <= count)
    return Places((count - back,) if back <= count else (), start + 1, valid=back <= count)


def _bounded(signs: Sequence[Sign], index: int) -> bool:
    return index >= len(signs) or signs[index].sense not in (Sense.UNKNOWN, Sense.CODE)


def _ordinal(signs: Sequence[Sign], start: int, count: int) -> Places:
    position = signs[start].number
    following = _value(signs, start + 1)
    if start + 1 < len(signs) and signs[start + 1].word in ("one", "ones"):
        return _from(signs, start, position, count, width=2)
    if position == 1 and following and signs[start + 1].has(Sense.NUMBER):
        return Places(tuple(range(min(following, count))), start + 2, valid=following <= count)
    return _from(signs, start, position, count)


def _from(
    signs: Sequence[Sign], index: int, position: int, count: int, *, bare: bool = False, width: int = 1
) -> Places:
    """One position, or the range it opens."""
    end = position
    after = spot = index + width
    if (
        spot < len(signs)
        and (signs[spot].has(Sense.RANGE) or signs[spot].word in ("a", "ao", "to", "al"))
        and signs[spot].sense is not Sense.MENTION
    ):
        target = _skip(signs, spot + 1)
        closing = (
            signs[target].number
            if target < len(signs) and (signs[target].has(Sense.ORDINAL) or _value(signs, target))
            else 0
        )
        if target < len(signs) and signs[target].has(Sense.LAST):
            closing = count
        if closing > position:
            end, after, bare = closing, target + 1, False
    valid = 1 <= position <= count and end <= count
    return Places(tuple(range(position - 1, end)) if valid else (), after, valid=valid, bare=bare)


def _counted(signs: Sequence[Sign], start: int, value: int, count: int) -> Places | None:
    after = start + 1
    framed = start > 0 and signs[start - 1].sense in _BEFORE | {Sense.ALL}
    if after < len(signs):
        if signs[after].has(Sense.LAST):
            return Places(tuple(range(max(0, count - value), count)), after + 1, valid=value <= count)
        if signs[after].has(Sense.ORDINAL) and signs[after].number == 1:
            return Places(tuple(range(min(value, count))), after + 1, valid=value <= count)
    if signs[start].has(Sense.NUMBER):  # a word: 'os três' counts, 'o três' is the third
        singular = start > 0 and signs[start - 1].words[-1] in _SINGULARS
        if singular:
            return _from(signs, start, value, count)
        if framed or (start == 0 and after == len(signs)):
            whole = value == count
            return Places(tuple(range(count)) if whole else (), after, valid=whole, whole=whole)
        return None
    if framed and signs[start - 1].words[-1] in _PLURALS and value > 1 and _ends(signs, after):
        whole = value == count
        return Places(tuple(range(count)) if whole else (), after, valid=whole, whole=whole)
    if signs[start].sense is not Sense.CODE:
        return None
    return _from(signs, start, value, count, bare=True)


def _ends(signs: Sequence[Sign], after: int) -> bool:
    if after >= len(signs):
        return True
    if signs[after].sense in (Sense.AND, Sense.COMMA):
        return after + 1 >= len(signs) or signs[after + 1].sense is not Sense.CODE
    return signs[after].sense is not Sense.CODE
