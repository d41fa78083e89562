"""The tool's own verb as a verb of request: "tranca inglês" where the tool "Tranca um ou mais cursos".

Owns: which words of a text are that verb.
Never: takes a noun for it (behind an article or a preposition), nor a name with a capital.
Source: language.json ITEMS-1: the request verb is no part of a name.
"""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.language.senses import Sense
from pipeline.language.signs import Sign
from pipeline.language.tokens import Token
from pipeline.language.word_lists import listed

__all__ = ["with_own_verb"]

_ENDINGS = listed(
    "a e o s ar er ir am em as es ando endo indo ei ou ed ing en ue uem ua que quem gue guem aria asse amento aron arme arlo ala alo elo"
)
_NOUNS = frozenset({Sense.UNKNOWN, Sense.TOPIC, Sense.PLACE, Sense.ABOUT})
"""What the verb is taken for where nobody lists it."""
_NOUN_BEFORE = frozenset(
    {Sense.ARTICLE, Sense.PREPOSITION, Sense.POSSESSIVE, Sense.DEMONSTRATIVE, Sense.UNKNOWN, Sense.QUANTITY, Sense.FOR}
)
"""Behind one of these a word is no verb, unless it is an infinitive."""


def with_own_verb(signs: Sequence[Sign], tokens: Sequence[Token], stems: Sequence[str]) -> tuple[Sign, ...]:
    """Return the signs with the tool's own verb, known by its stems, read as one; where it opens no clause it stays what it was."""
    if not stems:
        return tuple(signs)
    read: list[Sign] = []
    for before, sign in zip((None, *signs), signs, strict=False):
        word = sign.words[0]
        verb = (
            sign.sense in _NOUNS
            and len(sign.words) == 1
            and any(word.startswith(stem) and word[len(stem) :] in _ENDINGS for stem in stems)
            and (before is None or not tokens[sign.first].text[:1].isupper())
            and (before is None or before.sense not in _NOUN_BEFORE or word.endswith("r"))
        )
        read.append(replace(sign, sense=Sense.VERB, senses=(Sense.VERB, *sign.senses)) if verb else sign)
    return tuple(read)
