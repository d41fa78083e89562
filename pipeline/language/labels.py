"""The noun of a parameter in all its forms: "os pedidos" -> pedido, pedidos.

Owns: plural and singular of the three languages, as far as a label needs them.
Source: language.json ITEMS-2.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from pipeline.language.lexicon import senses_of
from pipeline.language.normalize import fold
from pipeline.language.senses import Sense

__all__ = ["label_nouns", "singular"]

_PLURALS = (
    ("oes", "ao"), ("aes", "ao"), ("aos", "ao"), ("ais", "al"), ("eis", "el"), ("ois", "ol"), ("uis", "ul"), ("ns", "m"), ("res", "r"), ("zes", "z"),
    ("ses", "s"), ("les", "l"), ("ies", "y"), ("xes", "x"), ("ches", "ch"), ("iones", "ion"), ("nes", "n"), ("des", "d"), ("s", ""),
)  # fmt: skip
_JOINTS = frozenset(
    {
        Sense.ARTICLE,
        Sense.PREPOSITION,
        Sense.POSSESSIVE,
        Sense.AND,
        Sense.OR,
        Sense.QUANTITY,
        Sense.DEMONSTRATIVE,
        Sense.PRONOUN,
    }
)
_SAME: Mapping[str, str] = MappingProxyType({"invoice": "bill", "bill": "invoice"})
"""Another noun for the thing a label names."""


@lru_cache(maxsize=2048)
def singular(word: str) -> frozenset[str]:
    """Return a folded noun with every singular it may be the plural of."""
    forms = {word}
    for plural, single in _PLURALS:
        if word.endswith(plural) and len(word) > len(plural) + 1:
            forms.add(word[: -len(plural)] + single)
    return frozenset(forms)


@lru_cache(maxsize=1024)
def label_nouns(label: str | None) -> frozenset[str]:
    """Return the singular forms of the words of a label, its articles and joints left out."""
    nouns: set[str] = set()
    for word in fold(label or "").replace("/", " ").replace("(", " ").replace(")", " ").split():
        senses = senses_of(word)
        if not any(sense in _JOINTS for sense in senses):
            nouns |= singular(word)
    return frozenset(nouns | {_SAME[noun] for noun in nouns if noun in _SAME})
