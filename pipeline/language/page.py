"""A text with its signs, and what its capitals and articles say about them.

Owns: when a capital letter makes a word of the grammar part of a name; where sentences begin; the label's noun.
Source: language.json ITEMS-1, ITEMS-2.
"""

from collections.abc import Sequence

from pipeline.language.labels import singular
from pipeline.language.senses import Sense
from pipeline.language.signs import Sign
from pipeline.language.tokens import Token, TokenKind
from pipeline.language.word_lists import listed

__all__ = ["Page"]

_PROTECTED_BY_CAPITAL = frozenset(
    {
        Sense.ARTICLE, Sense.AND, Sense.OR, Sense.ALSO, Sense.EXCEPT, Sense.ALL, Sense.NOT, Sense.ONLY, Sense.OUT, Sense.FILLER, Sense.NOW, Sense.LATER,
        Sense.PREPOSITION, Sense.AFFIRM, Sense.NUMBER, Sense.OWN, Sense.THAT, Sense.FOR, Sense.LAST, Sense.ORDINAL, Sense.KEEP, Sense.CONSENT,
        Sense.REST, Sense.NONE, Sense.POSSESSIVE, Sense.DEMONSTRATIVE, Sense.PRONOUN, Sense.DROP, Sense.ADD, Sense.VERB, Sense.GIVE, Sense.SWAP, Sense.BUT, Sense.QUANTITY,
        Sense.AUXILIARY, Sense.IF, Sense.REASON, Sense.WANT, Sense.ASK, Sense.GREETING,
    }
)  # fmt: skip
_NOUNS_BY_ARTICLE = frozenset(
    {
        Sense.GIVE,
        Sense.VERB,
        Sense.AFFIRM,
        Sense.CONSENT,
        Sense.FILLER,
        Sense.GREETING,
        Sense.OWN,
        Sense.WAIT,
        Sense.HEDGE,
        Sense.NOW,
        Sense.OUT,
    }
)
_NEVER_NOUNS = listed(
    "assim fora dentro dai ativo ativos ativa ativas intacto quieto afuera fuera asi out alone mesmo mesma seguinte seguintes siguiente siguientes following lo mismo eh vai senhor senhora certo"
)
_CONTRACTED = listed("da do das dos na no nas nos del")
_CERTAIN_FRAMES = frozenset({Sense.WANT, Sense.COURTESY, Sense.AUXILIARY, Sense.POSSESSIVE})
_SAINTS = listed(
    "paulo jose luis bernardo carlos caetano vicente goncalo joao pedro miguel roque sebastiao tome mateus leopoldo "
    "gabriel lourenco francisco cristovao bento martinho jorge marcos antonio felix fidelis raimundo borja"
)
"""Names behind 'são' that make it the saint of a place rather than a verb."""
_ALONE = frozenset(
    {
        Sense.GIVE, Sense.VERB, Sense.NOW, Sense.LATER, Sense.KEEP, Sense.ADD, Sense.SWAP, Sense.DROP, Sense.LAST, Sense.OWN,
        Sense.NUMBER, Sense.GREETING,
    }
)  # fmt: skip
"""Senses of a word that is a name where it has a capital and an entry of a list to itself."""
_WHOLES = frozenset(
    {Sense.ALL, Sense.QUANTITY, Sense.POSSESSIVE, Sense.NUMBER, Sense.ORDINAL, Sense.ALSO, Sense.AFFIRM}
)
"""Senses of words that begin a name where every word of the text has a capital."""
_NEVER_NAMES = frozenset({Sense.COURTESY, Sense.NOT, Sense.REFUSE, Sense.AFFIRM, Sense.CONSENT, Sense.WANT})
_LABEL_JOINTS = frozenset({"o", "a", "os", "as", "de", "do", "da"})

_CLOSERS = frozenset(
    {Sense.COMMA, Sense.AND, Sense.OR, Sense.STOP, Sense.BREAK, Sense.QUESTION, Sense.COURTESY, Sense.BRACKET}
)
"""Senses behind which a name is over."""


class Page:
    """A text with its tokens and signs, and what its capitals are worth."""

    __slots__ = (
        "_labelled", "_starts", "capitals_tell", "entries", "labels", "numbering", "shouting", "signs", "text", "titles", "tokens",
    )  # fmt: skip

    def __init__(self, text: str, tokens: Sequence[Token], signs: Sequence[Sign], labels: frozenset[str]) -> None:
        self.text = text
        self.tokens = tokens
        self.signs = signs
        self.labels = labels
        self.numbering: frozenset[int] = frozenset()
        """Signs that number the entries of a list."""
        self.entries: frozenset[int] = frozenset()
        """Signs that open a numbered or dashed entry."""
        letters = [token.text for token in tokens if token.kind is TokenKind.WORD]
        upper = sum(word.isupper() for word in letters)
        self.shouting = (
            len(letters) > 1
            and upper * 2 > len(letters)
            and not any(len(word) > 3 and word.islower() for word in letters)
        )
        self._starts = _sentence_starts(signs)
        self._labelled = [self._names_label(sign) for sign in signs] if labels else [False] * len(signs)
        framed = any(
            self._capital(i) and sign.sense in _CERTAIN_FRAMES and sign.word != "sao"
            for i, sign in enumerate(signs)
            if not self._starts[i]
        )
        lower = any(word[:1].islower() for word in letters)
        self.capitals_tell = lower and not framed and not self.shouting
        self.titles = not lower and not framed and not self.shouting and len(letters) > 1
        """Whether every word has a capital: a bare list of names, it may be."""

    def _capital(self, index: int) -> bool:
        token = self.tokens[self.signs[index].first]
        return token.kind in (TokenKind.WORD, TokenKind.CODE) and token.text[:1].isupper()

    def starts(self, index: int) -> bool:
        """Whether a sign is the first of a sentence, line or listed entry."""
        return self._starts[index]

    def is_title(self, index: int) -> bool:
        """Whether the capital of a sign says that it belongs to a name."""
        if not self._capital(index) or not self.capitals_tell:
            return False
        if not self._starts[index]:
            return True
        following = (
            index + 1 < len(self.signs) and self._capital(index + 1) and self.signs[index + 1].sense is Sense.UNKNOWN
        )
        return (
            index > 0
            and following
            and self.signs[index].sense in (Sense.VERB, Sense.GIVE, Sense.SWAP, Sense.ALSO, Sense.ADD)
        )

    def is_letter(self, index: int) -> bool:
        """Whether a capital letter alone closes a name: 'Hepatite A', 'Vitamina E e …'."""
        token = self.tokens[self.signs[index].first]
        if not index or len(token.text) != 1 or not token.text.isupper() or self.shouting:
            return False
        if self.signs[index - 1].sense not in (Sense.UNKNOWN, Sense.PLACE, Sense.TOPIC):
            return False
        return index + 1 == len(self.signs) or self.signs[index + 1].sense in _CLOSERS

    def protected(self, index: int) -> bool:
        """Whether a word of the grammar is here part of a name, for its capital's sake."""
        sign = self.signs[index]
        if self._is_noun(index) or self._opens_number_name(index) or self._is_saint(index) or self._is_entry(index):
            return True
        if sign.sense not in _PROTECTED_BY_CAPITAL or not self.is_title(index):
            return False
        if self.starts(index):
            return True
        if self.signs[index - 1].sense is Sense.AND and sign.sense in (Sense.BUT, Sense.IF, Sense.NOT, Sense.THAT):
            return True  # 'Tempo Perdido e Mas que Nada'
        neighbour = index + 1 < len(self.signs) and self._capital(index + 1)
        previous = index > 0 and self._capital(index - 1)
        return neighbour or previous

    def _opens_number_name(self, index: int) -> bool:
        """Whether a number word and a noun have capitals: 'Quatro Rodas', 'Três Rios'."""
        if self.signs[index].sense is not Sense.NUMBER or not self._capital(index) or self.shouting:
            return False
        named = index + 1 < len(self.signs) and self.signs[index + 1].sense is Sense.UNKNOWN
        return named and self._capital(index + 1) and not self._labelled[index + 1]

    def _is_saint(self, index: int) -> bool:
        """Whether 'são' is the first word of a place: 'São José', 'campinas e sao carlos'."""
        if self.signs[index].word != "sao" or index + 1 >= len(self.signs):
            return False
        following = self.signs[index + 1]
        return following.sense is Sense.UNKNOWN and (
            following.word in _SAINTS or (self._capital(index) and self._capital(index + 1) and not self.shouting)
        )

    def _is_entry(self, index: int) -> bool:
        """Whether a word has an entry of a list to itself: '2) Veja', 'Semana, Hola e Placar'."""
        sign = self.signs[index]
        after = self.signs[index + 1].sense if index + 1 < len(self.signs) else None
        before = self.signs[index - 1].sense if index else None
        ends = after is None or after in _CLOSERS or index + 1 in self.numbering
        if index in self.entries and sign.sense not in _NEVER_NAMES:
            goes_on = after in (Sense.PREPOSITION, Sense.UNKNOWN) and sign.sense in (Sense.NOW, Sense.NUMBER)
            return (ends and after is not Sense.COURTESY) or (goes_on and self._capital(index) and not self.shouting)
        if self.titles and before in (Sense.COMMA, Sense.BREAK, Sense.AND) and sign.sense in _WHOLES:
            return self._title_follows(index + 1)  # 'Todateen, Toda Moda'
        if sign.sense not in _ALONE or not self._capital(index) or not (self.capitals_tell or self.titles):
            return False
        if not ends or after in (Sense.COURTESY, Sense.QUESTION, Sense.BRACKET):
            return False
        if self._starts[index]:  # 'Veja, Exame e Placar'
            return sign.sense is Sense.GIVE and after in (Sense.COMMA, Sense.AND) and self._title_follows(index + 2)
        return before in (Sense.AND, Sense.OR, Sense.BREAK) or (before is Sense.COMMA and sign.sense is not Sense.DROP)

    def _title_follows(self, index: int) -> bool:
        return index < len(self.signs) and self._capital(index) and self.signs[index].sense is Sense.UNKNOWN

    def _is_noun(self, index: int) -> bool:
        """Whether an article makes a noun of a word of the grammar: 'a Veja', 'o seguro celular', 'a Claro'."""
        sign = self.signs[index]
        if sign.sense not in _NOUNS_BY_ARTICLE or index == 0 or not self._makes_nouns(index - 1) or len(sign.words) > 1:
            return False
        word = sign.words[0]
        return word not in _NEVER_NOUNS and not (
            self.signs[index - 1].word == "a" and word.endswith(("ar", "er", "ir"))
        )

    def _makes_nouns(self, index: int) -> bool:
        """Whether what follows a sign is a noun: an article, a preposition with one, the label."""
        sign = self.signs[index]
        contracted = sign.sense is Sense.PREPOSITION and sign.words[-1] in _CONTRACTED
        return sign.sense is Sense.ARTICLE or contracted or self._labelled[index]

    def is_label(self, index: int) -> bool:
        """Whether a sign is the noun of the label."""
        return self._labelled[index]

    def _names_label(self, sign: Sign) -> bool:
        return all(singular(word) & self.labels or word in _LABEL_JOINTS for word in sign.words) and any(
            singular(word) & self.labels for word in sign.words
        )

    def slice(self, first: int, last: int) -> str:
        """Return the text from one sign to another as written, blanks collapsed."""
        start, end = self.tokens[self.signs[first].first].start, self.tokens[self.signs[last].last].end
        return " ".join(self.text[start:end].split())


def _sentence_starts(signs: Sequence[Sign]) -> list[bool]:
    starts: list[bool] = []
    fresh = True
    for sign in signs:
        starts.append(fresh)
        if sign.sense in (Sense.STOP, Sense.BREAK, Sense.QUESTION, Sense.COLON):
            fresh = True
        elif sign.sense not in (
            Sense.DASH,
            Sense.BRACKET,
            Sense.KIND_SIGN,
            Sense.YES_SIGN,
            Sense.NO_SIGN,
            Sense.DOUBT_SIGN,
            Sense.OTHER_SIGN,
        ):
            fresh = False
    return starts
