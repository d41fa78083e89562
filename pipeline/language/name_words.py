"""Single words as names: which of them is a word of the grammar, which names a thing by itself.

Source: language.json ITEMS-5.
"""

from pipeline.language.lexicon import is_listed, plain_words, respelled, senses_of
from pipeline.language.senses import Sense
from pipeline.language.tokens import Token, TokenKind
from pipeline.language.verbs import verb_stem

__all__ = ["is_own_word", "tells"]


def is_own_word(word: str) -> bool:
    """Whether a word of the grammar is what it seems rather than a slip of a name."""
    plain = " ".join(plain_words(word))
    return is_listed(plain) or " " in plain or bool(verb_stem(plain)) or is_listed(respelled(plain))


def tells(token: Token, word: str) -> bool:
    """Whether a word can name a value alone: not a word of the grammar, no single letter, no bare small number."""
    if token.kind is TokenKind.NUMBER:
        return len(word) >= 3
    if token.kind is TokenKind.CODE:
        return True
    return len(word) > 1 and (not is_own_word(word) or _is_matter(word))


_MATTERS = frozenset({Sense.TOPIC, Sense.PLACE, Sense.ABOUT, Sense.PERSON})


def _is_matter(word: str) -> bool:
    """Whether a listed word is a noun that names are made of: casa, seguro, internet."""
    senses = senses_of(word)
    return bool(senses) and all(sense in _MATTERS for sense in senses)
