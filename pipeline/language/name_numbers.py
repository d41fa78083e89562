"""Numbers inside names: "o 42" for "Tênis 42", "o de 5 giga" for "Pacote 5GB".

Owns: how the size of a plan is said; when a lone number stands for the one name that holds it.
Invariants: a number that two names hold, or beside which one stands that no name holds, is left to be a position.
Source: language.json ITEMS-5, REPLY-3, COERCE-7.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from pipeline.language.normalize import fold, squash
from pipeline.language.tokens import Token

__all__ = ["numbers_in_names", "spoken_sizes"]

_SIZES = re.compile(r"(?<!\d)(\d+)\s*(gb|gigas?|mb|megas?)\b")
_UNITS = {"g": ("gb", "giga", "gigas"), "m": ("mb", "mega", "megas")}
_SINGULARS = frozenset({"o", "a", "do", "da", "el", "la"})
_OF = frozenset({"de", "das", "dos", "at"})
_RANGES = frozenset({"a", "ao", "ate", "al", "to"})


def spoken_sizes(value: str) -> Iterator[str]:
    """Return the ways a size in a name is said, squashed: "Pacote 5GB" -> 5gb, 5giga, 5gigas."""
    form = squash(value)
    for size, unit in _SIZES.findall(fold(value)):
        yield from (size + spoken for spoken in _UNITS[unit[0]] if size + spoken != form)


def _of_one(tokens: Sequence[Token], index: int) -> bool:
    """Whether 'a de', 'o das' stands before a number: the one that has it."""
    return index > 0 and tokens[index].folded in _OF and tokens[index - 1].folded in _SINGULARS


def numbers_in_names(
    tokens: Sequence[Token],
    squashed: Sequence[str],
    words: Mapping[str, tuple[int, ...]],
    values: Sequence[str],
    taken: Sequence[bool],
) -> tuple[tuple[int, int], ...]:
    """Return the tokens of lone numbers with the one value each is a word of; nothing unless all of them are, behind an article."""
    digits = [index for index, word in enumerate(squashed) if word.isascii() and word.isdigit() and not taken[index]]
    found: list[tuple[int, int]] = []
    for index in digits:
        holders = words.get(squashed[index], ())
        ranged = index + 1 < len(tokens) and tokens[index + 1].folded in _RANGES
        led = index > 0 and (tokens[index - 1].folded in _SINGULARS or _of_one(tokens, index - 1))
        if len(holders) != 1 or ranged or not led or squash(values[holders[0]]) == squashed[index]:
            return ()
        found.append((index, holders[0]))
    return tuple(found)
