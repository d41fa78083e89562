"""Where a text names what the customer holds: known values found in running words.

Owns: what counts as the same name (case, accents, blanks, one letter off, whole words of exactly one value).
Invariants: mentions are in order and do not overlap; the longest value wins; a tie between two values is no mention;
work per token is bounded by the number of values.
Never: takes digits for slips (P-101 is not P-100), takes a word of the grammar alone for part of a name.
Source: language.json ITEMS-5, REPLY-3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.language.lexicon import senses_of
from pipeline.language.name_numbers import numbers_in_names, spoken_sizes
from pipeline.language.name_words import is_own_word, tells
from pipeline.language.normalize import fold, squash
from pipeline.language.senses import Sense
from pipeline.language.slips import SLIP_MIN, one_slip
from pipeline.language.tokens import Token, TokenKind, tokenize

__all__ = ["Mention", "Names", "find_mentions", "names_of"]

_WINDOW_MAX = 12
"""Words of the longest name looked for."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One name in a text."""

    first: int
    """Index of its first token."""
    last: int
    """Index of its last token."""
    value: int
    """Index of the value among the known ones."""
    whole: bool = True
    """False where only some words of the value were said."""


@dataclass(frozen=True, slots=True)
class Names:
    """Known values, prepared for looking up; made once for a list of values."""

    values: tuple[str, ...]
    exact: dict[str, tuple[int, ...]]
    """Squashed form -> values."""
    words: dict[str, tuple[int, ...]]
    """One word -> the values it is a word of."""
    lengths: dict[int, tuple[tuple[str, int], ...]]
    """Length of the squashed form -> those forms with their values: where slips are looked for."""
    longest: int
    """Tokens of the longest value, and one for a blank in the wrong place."""


@lru_cache(maxsize=1024)
def names_of(values: tuple[str, ...]) -> Names:
    """Prepare known values for `find_mentions`."""
    exact: dict[str, list[int]] = {}
    words: dict[str, list[int]] = {}
    lengths: dict[int, list[tuple[str, int]]] = {}
    sizes: dict[str, list[int]] = {}
    size = 1
    for index, value in enumerate(values):
        form = squash(value)
        exact.setdefault(form, []).append(index)
        if form.endswith("00") and form.startswith("r") and form[1:].isdigit() and len(form) > 3:
            exact.setdefault(f"{int(form[1:-2])}reais", []).append(index)
            words.setdefault(form[1:-2], []).append(index)
        if "&" in value:
            for joint in ("e", "and", "y"):
                exact.setdefault(squash(value.replace("&", f" {joint} ")), []).append(index)
        lengths.setdefault(len(form), []).append((form, index))
        for spoken in spoken_sizes(value):
            sizes.setdefault(spoken, []).append(index)
        sequence = tuple(squash(token.text) for token in tokenize(value) if squash(token.text))
        size = max(size, len(tokenize(value)) + 1)
        for word in dict.fromkeys(sequence):
            words.setdefault(word, []).append(index)
    for spoken, found in sizes.items():
        if len(found) == 1:
            exact.setdefault(spoken, found)
    return Names(
        values,
        {key: tuple(found) for key, found in exact.items() if key},
        {key: tuple(found) for key, found in words.items()},
        {key: tuple(found) for key, found in lengths.items()},
        min(size, _WINDOW_MAX),
    )


def find_mentions(tokens: Sequence[Token], names: Names) -> tuple[Mention, ...]:
    """Return the known values named in a text, in order: whole names first, then slips, then parts of names."""
    if not names.values:
        return ()
    taken = [False] * len(tokens)
    squashed = [squash(token.text) for token in tokens]
    found = _whole(tokens, squashed, names, taken)
    found += _slips(tokens, squashed, names, taken)
    numbers = numbers_in_names(tokens, squashed, names.words, names.values, taken)
    if not any(_goes_on(tokens, taken, index + 1, "", names) for index, _ in numbers):
        for index, value in numbers:
            taken[index] = True
            found.append(Mention(index, index, value, whole=False))
    found += _parts(tokens, squashed, names, taken)
    return tuple(sorted(found, key=lambda mention: mention.first))


def _whole(tokens: Sequence[Token], squashed: list[str], names: Names, taken: list[bool]) -> list[Mention]:
    found: list[Mention] = []
    first = 0
    while first < len(tokens):
        best: tuple[int, int] | None = None
        joined = signs = ""
        if squashed[first]:
            for last in range(first, min(len(tokens), first + names.longest)):
                if tokens[last].kind in (TokenKind.NEWLINE, TokenKind.EMOJI):
                    break
                if tokens[last].kind is TokenKind.SEPARATOR:
                    signs += tokens[last].text
                joined += squashed[last]
                candidates = names.exact.get(joined) if squashed[last] else None
                if candidates and all(sign in names.values[candidates[0]] for sign in signs):
                    best = (last, _spelled_alike(tokens, first, last, candidates, names))
        if best is not None and not _plain_article(tokens, first, best[0], names.values[best[1]]):
            last = _signs_after(tokens, best[0], names.values[best[1]])
            found.append(Mention(first, last, best[1]))
            taken[first : last + 1] = [True] * (last + 1 - first)
            first = last + 1
        else:
            first += 1
    return found


def _spelled_alike(tokens: Sequence[Token], first: int, last: int, candidates: tuple[int, ...], names: Names) -> int:
    """Of values that differ only in signs (Disney, Disney+) the one written so."""
    said = fold("".join(token.text for token in tokens[first : last + 1])).replace(" ", "")
    for index in candidates:
        if fold(names.values[index]).replace(" ", "") == said:
            return index
    return candidates[0]


def _plain_article(tokens: Sequence[Token], first: int, last: int, value: str) -> bool:
    """Whether a value of one letter ("O", "E") is here only the article or conjunction."""
    return first == last and len(squash(value)) == 1 and tokens[first].text.islower() and not value.islower()


def _signs_after(tokens: Sequence[Token], last: int, value: str) -> int:
    """Take signs that end the name with it: "S.A." , "Star +"."""
    if last + 1 < len(tokens) and value and not value[-1].isalnum() and tokens[last].text[-1:] != value[-1]:
        following = tokens[last + 1]
        if following.text == value[-1] and following.start == tokens[last].end:
            return last + 1
    return last


def _slips(tokens: Sequence[Token], squashed: list[str], names: Names, taken: list[bool]) -> list[Mention]:
    found: list[Mention] = []
    first = 0
    while first < len(tokens):
        mention = None if taken[first] or _joint(tokens[first]) else _slip_at(tokens, squashed, names, taken, first)
        if mention is None:
            first += 1
            continue
        found.append(mention)
        taken[mention.first : mention.last + 1] = [True] * (mention.last + 1 - mention.first)
        first = mention.last + 1
    return found


def _slip_at(
    tokens: Sequence[Token], squashed: list[str], names: Names, taken: list[bool], first: int
) -> Mention | None:
    best: Mention | None = None
    joined = ""
    for last in range(first, min(len(tokens), first + names.longest)):
        token = tokens[last]
        if taken[last] or token.kind in (TokenKind.NEWLINE, TokenKind.SEPARATOR, TokenKind.EMOJI):
            break
        joined += squashed[last]
        if len(joined) < SLIP_MIN or _joint(token) or (first == last and is_own_word(squashed[first])):
            continue
        size = len(joined)
        near = [
            index
            for n in (size - 1, size, size + 1)
            for form, index in names.lengths.get(n, ())
            if one_slip(joined, form)
        ]
        if len(near) == 1:
            best = Mention(first, last, near[0])
    return best


_PARTS_OF_NONE = frozenset(
    {Sense.ARTICLE, Sense.PREPOSITION, Sense.AND, Sense.OR, Sense.THAT, Sense.FOR, Sense.PRONOUN, Sense.POSSESSIVE}
)


def _joint(token: Token) -> bool:
    if token.kind is not TokenKind.WORD:
        return token.kind in (TokenKind.SEPARATOR, TokenKind.PUNCTUATION, TokenKind.NEWLINE, TokenKind.EMOJI)
    senses = senses_of(token.folded)
    return bool(senses) and any(sense in _PARTS_OF_NONE for sense in senses)


def _parts(tokens: Sequence[Token], squashed: list[str], names: Names, taken: list[bool]) -> list[Mention]:
    """Find words that belong to exactly one value: "Neymar" for "Neymar Jr"."""
    found: list[Mention] = []
    first = 0
    while first < len(tokens):
        mention = None if taken[first] else _part_at(tokens, squashed, names, taken, first)
        if mention is None:
            first += 1
            continue
        found.append(mention)
        taken[mention.first : mention.last + 1] = [True] * (mention.last + 1 - mention.first)
        first = mention.last + 1
    return found


def _part_at(
    tokens: Sequence[Token], squashed: list[str], names: Names, taken: list[bool], first: int
) -> Mention | None:
    candidates: set[int] | None = None
    best: tuple[int, int] | None = None
    telling = False
    for last in range(first, min(len(tokens), first + names.longest)):
        word = squashed[last]
        if taken[last] or not word or tokens[last].kind in (TokenKind.SEPARATOR, TokenKind.NEWLINE):
            break
        holders = set(names.words.get(word, ())) or _slipped_word(word, names)
        candidates = holders if candidates is None else candidates & holders
        if not candidates:
            break
        telling = telling or tells(tokens[last], word)
        if len(candidates) == 1 and telling:
            best = (last, next(iter(candidates)))
    if best is None or _goes_on(tokens, taken, best[0] + 1, names.values[best[1]], names):
        return None
    last = best[0]
    while last > first and _joint(tokens[last]) and not tells(tokens[last], squashed[last]):
        last -= 1
    while first < last and _joint(tokens[first]):
        first += 1
    return Mention(first, last, best[1], whole=False)


def _goes_on(tokens: Sequence[Token], taken: list[bool], index: int, value: str, names: Names) -> bool:
    """Whether another word of a name follows a part: 'Visa Infinite' is no part of "Visa Gold".

    The first word of another value begins that one: 'deezer hbo' names two.
    """
    if index >= len(tokens) or taken[index]:
        return False
    token = tokens[index]
    if token.kind in (TokenKind.CODE, TokenKind.NUMBER):
        return any(char.isdigit() for char in value)
    word = squash(token.text)
    if token.kind is not TokenKind.WORD or not token.folded.isalpha() or is_own_word(word):
        return False
    return not _begins_another(word, value, names)


def _begins_another(word: str, value: str, names: Names) -> bool:
    """Whether a word, or its slip, is the first one of exactly one value, and no word of the value before it."""
    holders = set(names.words.get(word, ())) or _slipped_word(word, names)
    if len(holders) != 1:
        return False
    (other,) = holders
    first = squash(tokenize(names.values[other])[0].text)
    return bool(value) and names.values[other] != value and (first == word or one_slip(word, first))


def _slipped_word(word: str, names: Names) -> set[int]:
    """Values with a word one letter off; long words only, and of one value only."""
    if len(word) < 5 or is_own_word(word):
        return set()
    near = {
        index
        for known, indexes in names.words.items()
        if len(known) >= 5 and one_slip(word, known)
        for index in indexes
    }
    return near if len(near) == 1 else set()
