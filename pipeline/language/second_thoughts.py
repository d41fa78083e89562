"""A name that was not shown, said in the place of the one that was, or beside those that were: "não, o Deezer", "e o Neymar".

Owns: the few words such a reply may hold besides the name.
Invariants: only a name the customer is known to hold counts, and only where nothing else is said; what comes of it is asked about
again, so it never confirms. Source: DESIGN 7 (Confirm), issue 4: a change of mind loses nothing the customer said.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from pipeline.language.lexemes import Kind, lex, word_set, words_of

WORDS_MAX: Final = 12
"""Words of a reply; a longer one says more than a name."""

_INSTEAD: Final = word_set(
    "nao pensando melhor verdade mudei quis espera ops opa alias desculpa no nope actually rather meant sorry mejor perdon realidad"
)
"""One of these says that the name comes in the place of the other."""
_MEANT: Final = word_set("era quis dizer meant quise decir was")
"""With one of them the name is what was meant all along, however many were shown."""
_NO: Final = word_set("nao no nope")
_BESIDE: Final = word_set("e ah mais tambem and also plus y ademas tambien")
_ARTICLES: Final = word_set("o a os as the el la los las")
_LINKS: Final = word_set(
    "do da um uma e eh ah bem na de ideia dizer quero queria cancelar cancela cancele esse essa por favor "
    "i to want cancel instead please en de cancelo quise decir quiero era fue was it"
)


def second_thought(text: str, shown: Sequence[str], known_values: Sequence[str]) -> tuple[str, ...]:
    """The set after the reply; () where the reply asks, says more than a name, or names nothing new."""
    words = words_of(text)
    if "?" in text or len(words) > WORDS_MAX:
        return ()
    named = _named(words, known_values)
    if len(named) != 1 or named[0] in shown:
        return ()
    own = set(words_of(named[0]))
    rest = [word for word in words if word not in own]
    if rest[:1] and rest[0] in _BESIDE and set(rest) <= _BESIDE | _ARTICLES:
        return (*shown, named[0])
    instead = _INSTEAD & set(rest) and set(rest) <= _INSTEAD | _LINKS | _ARTICLES
    meant = _MEANT & set(rest)
    if (len(shown) == 1 or meant) and instead and not _denies(text):
        return (named[0],)
    return ()


def _denies(text: str) -> bool:
    """Whether a no belongs to what follows it ("não quero cancelar o Deezer") instead of standing for itself ("não, o Deezer")."""
    pieces = lex(text)
    return any(
        piece.folded in _NO
        and index + 1 < len(pieces)
        and pieces[index + 1].kind is not Kind.MARK
        and pieces[index + 1].folded not in _INSTEAD
        for index, piece in enumerate(pieces)
    )


def _named(words: Sequence[str], known_values: Sequence[str]) -> list[str]:
    """The known values of which a word stands there that no other known value has; joints and articles tell nothing."""
    own = [set(words_of(value)) - _BESIDE - _LINKS - _ARTICLES for value in known_values]
    holders = Counter(word for one in own for word in one)
    said = set(words)
    return [
        value for value, one in zip(known_values, own, strict=True) if any(holders[word] == 1 for word in one & said)
    ]
