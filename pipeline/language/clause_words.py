"""A message as the words that clauses are cut from.

Owns: everyday spellings and contractions as plain words, politeness and idioms taken out, laughter.
Invariants: each word keeps the span of what was written.
Never: cuts a clause. Source: rule ROUTE-2.
"""

from typing import Final

from pipeline.language.lexemes import Kind, Lexeme
from pipeline.language.normalize import SPELLINGS
from pipeline.language.request_words import REMOVED

__all__ = ["is_laughter", "spelled_out", "without_politeness_and_idioms"]

_CONTRACTIONS: Final = {
    **{f"{word}'s": f"{word} is" for word in ("where", "what", "how", "when", "who", "there", "it", "that", "here")},
    "i'm": "i am", "we're": "we are", "they're": "they are", "you're": "you are", "i've": "i have", "wheres": "where is", "whats": "what is",
}  # fmt: skip
"""English words written together, as plain words."""


def _plain(piece: Lexeme) -> str:
    if piece.kind is not Kind.WORD or piece.folded == "eh":
        return piece.folded
    return SPELLINGS.get(piece.folded) or _CONTRACTIONS.get(piece.folded, piece.folded)


def spelled_out(lexemes: tuple[Lexeme, ...]) -> tuple[Lexeme, ...]:
    """Everyday spellings as plain words; each keeps the span of what was written."""
    plain: list[Lexeme] = []
    for piece in lexemes:
        words = _plain(piece)
        if piece.folded == "via" and len(plain) > 1 and plain[-2].folded == "2" and plain[-1].folded in {"a", "o"}:
            plain[-2:] = [Lexeme("segunda", Kind.WORD, plain[-2].start, plain[-1].end, plain[-2].glued)]
        plain.extend(
            piece if word == piece.folded else Lexeme(word, piece.kind, piece.start, piece.end, piece.glued)
            for word in words.split()
        )
    return tuple(plain)


def without_politeness_and_idioms(lexemes: tuple[Lexeme, ...]) -> tuple[Lexeme, ...]:
    kept: list[Lexeme] = []
    index = 0
    while index < len(lexemes):
        phrase = REMOVED.at(lexemes, index)
        if is_laughter(lexemes[index].folded):
            kept.append(_comma(lexemes[index]))
            index += 1
        elif phrase is None:
            kept.append(lexemes[index])
            index += 1
        else:
            if phrase.meaning == "polite" and kept and kept[-1].kind is Kind.WORD and phrase.start == 0:
                kept.append(_comma(lexemes[phrase.end - 1]))
            index = phrase.end
    return tuple(kept)


def is_laughter(word: str) -> bool:
    return word == "lol" or (len(word) > 2 and set(word) in _LAUGHS and len(word) > len(set(word)))


_LAUGHS: Final = ({"k"}, {"h", "a"}, {"r", "s"}, {"h", "e"}, {"j", "a"}, {"h", "u"})
"""Letters of laughter, each set by itself: kkk, haha, rsrs."""


def _comma(after: Lexeme) -> Lexeme:
    return Lexeme(",", Kind.MARK, after.end, after.end, True)
