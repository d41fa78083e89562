"""A text as a row of signs: every token with its sense, mentions and phrases as one sign each.

Owns: how tokens, known values and the vocabulary come together; the few words that their neighbours decide (no, si, para, é).
Invariants: signs are in order, cover every token exactly once, keep the span of what they cover.
Never: decides what the sentence means.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.language.lexicon import Entry, longest, plain_words, respelled
from pipeline.language.mentions import Mention, Names, find_mentions
from pipeline.language.senses import Sense
from pipeline.language.tokens import Token, TokenKind
from pipeline.language.verbs import verb_stem

__all__ = ["Sign", "read_signs"]


@dataclass(frozen=True, slots=True)
class Sign:
    """One step of a sentence."""

    sense: Sense
    """What it does, unless the grammar asks for another of `senses`."""
    words: tuple[str, ...]
    """The folded plain words."""
    first: int
    """Index of its first token."""
    last: int
    """Index of its last token."""
    senses: tuple[Sense, ...] = ()
    """All senses of the phrase, `sense` among them."""
    number: int = 0
    """Of a mention the index of the value, of a number or ordinal its value."""
    whole: bool = True
    """Of a mention: whether the whole name was said."""

    @property
    def word(self) -> str:
        """The words as one text."""
        return " ".join(self.words)

    def has(self, *senses: Sense) -> bool:
        """Whether the sign can have one of these senses."""
        if self.sense in senses:
            return True
        for sense in self.senses:  # noqa: SIM110 - a generator for each question costs more than the answer
            if sense in senses:
                return True
        return False


_COMMA_WITHIN = frozenset({Sense.GREETING, Sense.CORRECT})
"""Senses of phrases that are said with a comma inside as well: 'oi, tudo bem', 'não, espera'."""

_GOOD = "👍👌✅✔☑🆗💯🤝🙌👊✊🤙👏💪🫡"
_BAD = "👎✗✘❌🚫⛔✖🛑🙅🤚✋❎"
_DOUBT = "🤔🤷😕🧐🤨😬❓❔⁉🙃😖😟😧😨😱⏳⌛🕐😐😑🫤🤐🙄😒😤😡😠🤬"
_KIND = "🙏😊🙂😀😃😄😁😆😅😂🤣😉😍🥰😘😎🤗❤🧡💛💚💙💜🖤💕💖✨🎉🌹🌸🌻💐⭐🌟🥳🤩😇😌🏻🏼🏽🏾🏿♂♀😋🤭💓💗❣☺🔥🚀"


def read_signs(tokens: Sequence[Token], names: Names, *, locale: str = "pt-BR") -> tuple[Sign, ...]:
    """Return the signs of a text; `names` are the known values to find in it."""
    mentions = {mention.first: mention for mention in find_mentions(tokens, names)}
    words, owners = _words(tokens, mentions)
    signs: list[Sign] = []
    index = 0
    while index < len(words):
        owner = owners[index]
        token = tokens[owner]
        mention = mentions.get(owner)
        if mention is not None:
            signs.append(
                Sign(
                    Sense.MENTION,
                    (token.folded,),
                    mention.first,
                    mention.last,
                    (Sense.MENTION,),
                    mention.value,
                    mention.whole,
                )
            )
            index += 1
            continue
        if not words[index]:
            signs.append(_mark(token, owner))
            index += 1
            continue
        entry, after = _phrase(words, owners, tokens, index)
        if entry is not None and entry.senses:
            last = owners[after - 1]
            # a phrase that ends inside the words of one token takes the token: 'pfv' is one sign
            said = tuple(word for word in words[index:after] if word)
            sense = Sense.PREPOSITION if token.text.casefold() in _CONTRACTED and len(said) == 1 else entry.senses[0]
            signs.append(Sign(sense, said, owner, last, entry.senses, entry.number))
            index = after
            continue
        signs.append(_word(token, owner, words[index]))
        index += 1
    return tuple(_settled(signs, locale))


def _words(tokens: Sequence[Token], mentions: dict[int, Mention]) -> tuple[list[str], list[int]]:
    """Spread tokens over plain words; a mention and a mark is one empty word."""
    words: list[str] = []
    owners: list[int] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        mention = mentions.get(index)
        if mention is not None:
            words.append("")
            owners.append(index)
            index = mention.last + 1
            continue
        if token.kind in (TokenKind.WORD, TokenKind.CODE, TokenKind.NUMBER) and token.folded:
            for word in plain_words(token.text) or (token.folded,):
                named = index > 0 and token.text[:1].isupper() and not token.text.isupper()
                plain = word if named or token.kind is not TokenKind.WORD else respelled(word)
                for part in plain.split():
                    words.append(part)
                    owners.append(index)
        else:
            words.append("")
            owners.append(index)
        index += 1
    return words, owners


def _phrase(words: list[str], owners: list[int], tokens: Sequence[Token], start: int) -> tuple[Entry | None, int]:
    entry, after = longest(words, start)
    while entry is not None and after < len(words) and owners[after] == owners[after - 1]:
        # never cut a token: 'pro' is 'para o'
        after += 1
    commas = [i for i in range(start + 1, min(start + 3, len(words))) if not words[i] and tokens[owners[i]].text == ","]
    if commas:
        joined = [word for i, word in enumerate(words[start : start + 8]) if start + i != commas[0]]
        wider, length = longest(joined, 0)
        if (
            wider is not None
            and start + length > commas[0] - 0
            and length > commas[0] - start
            and wider.senses[0] in _COMMA_WITHIN
        ):
            return wider, start + length + 1
    return entry, after


def _word(token: Token, owner: int, word: str) -> Sign:
    if token.kind in (TokenKind.NUMBER, TokenKind.CODE):
        number = int(word) if word.isascii() and word.isdigit() and len(word) <= 3 else 0
        return Sign(Sense.CODE, (word,), owner, owner, (Sense.CODE,), number)
    if verb_stem(word):
        return Sign(Sense.VERB, (word,), owner, owner, (Sense.VERB,))
    return Sign(Sense.UNKNOWN, (word,), owner, owner, (Sense.UNKNOWN,))


def _mark(token: Token, owner: int) -> Sign:
    """Return the sign of a token that is no word."""
    text = token.text
    match token.kind:
        case TokenKind.QUOTED:
            sense = Sense.QUOTED
        case TokenKind.NEWLINE:
            sense = Sense.BREAK
        case TokenKind.SEPARATOR:
            sense = Sense.COMMA if text in ",;" else Sense.BREAK
        case TokenKind.EMOJI:
            sense = _emoji(text)
        case _ if "?" in text or "¿" in text:
            sense = Sense.QUESTION
        case _ if text[0] in ".!…¡":
            sense = Sense.STOP
        case _ if text == ":":
            sense = Sense.COLON
        case _ if text[0] in "-–—":
            sense = Sense.DASH
        case _:
            sense = Sense.BRACKET
    return Sign(sense, (text,), owner, owner, (sense,))


def _emoji(text: str) -> Sense:
    if text.isascii() and text[0] in "<:;=xX^":
        return Sense.DOUBT_SIGN if text[-1] in "(/|" else Sense.KIND_SIGN
    plain = [char for char in text if char not in "\ufe0f\u200d"]
    good, bad = any(char in _GOOD for char in plain), any(char in _BAD for char in plain)
    if any(char in _DOUBT for char in plain) or (good and bad):
        return Sense.DOUBT_SIGN
    if bad:
        return Sense.NO_SIGN
    if good:
        return Sense.YES_SIGN
    return Sense.KIND_SIGN if all(char in _KIND for char in plain) else Sense.OTHER_SIGN


_CONTRACTED = frozenset({"à", "às"})
"""Prepositions that only their accent tells from an article: 'frango à passarinho'."""
_NAMED = frozenset({Sense.MENTION, Sense.UNKNOWN, Sense.CODE, Sense.QUOTED})
_NOUN_FOLLOWS = frozenset({Sense.UNKNOWN, Sense.TOPIC, Sense.MENTION, Sense.CODE, Sense.PLACE, Sense.QUOTED})


def _settled(signs: list[Sign], locale: str) -> list[Sign]:
    """Settle the words that mean one thing in Portuguese and another in its neighbours."""
    settled: list[Sign] = []
    for index, sign in enumerate(signs):
        before = signs[index - 1] if index else None
        after = signs[index + 1] if index + 1 < len(signs) else None
        changed: Sense | None = None
        if sign.words == ("no",):
            place = (
                after is not None and after.sense in _NOUN_FOLLOWS and locale.startswith("pt") and before is not None
            )
            changed = Sense.PREPOSITION if place else Sense.NOT
        elif sign.words == ("si",):
            ends = after is None or after.sense in (
                Sense.COMMA,
                Sense.STOP,
                Sense.BREAK,
                Sense.AFFIRM,
                Sense.CONSENT,
                Sense.COURTESY,
                Sense.YES_SIGN,
                Sense.KIND_SIGN,
                Sense.BUT,
                Sense.QUESTION,
                Sense.NOT,
                Sense.FILLER,
                Sense.GREETING,
                Sense.ALL,
            )
            changed = (
                Sense.AFFIRM if ends or (before is not None and before.words[-1] in ("que", "claro")) else Sense.IF
            )
        elif (
            sign.words == ("y",)
            and before is None
            and locale.startswith("en")
            and (after is None or after.sense is Sense.STOP)
        ):
            changed = Sense.AFFIRM
        elif sign.words == ("num",) and after is not None and after.has(Sense.CONSENT, Sense.VERB, Sense.WANT):
            changed = Sense.NOT  # 'num quero'
        elif sign.words in (("pois",), ("pues",)):
            changed = Sense.FILLER if before is None or before.sense in (Sense.STOP, Sense.BREAK) else Sense.REASON
        elif sign.words == ("pode", "deixar") and before is not None and before.sense in _NAMED:
            changed = Sense.KEEP  # 'o X pode deixar'
        elif sign.words == ("dos",) and before is not None and before.words[-1] in ("las", "los"):
            changed = Sense.NUMBER
        elif sign.words == ("eh",):
            ends = (
                after is None or after.sense in (Sense.COMMA, Sense.AFFIRM, Sense.YES_SIGN) or after.word in (".", "!")
            )
            changed = Sense.AFFIRM if ends else Sense.AUXILIARY
        elif sign.words == ("o",) and locale.startswith("es") and before is not None and before.sense in _NAMED:
            changed = Sense.OR
        settled.append(
            sign if changed is None else Sign(changed, sign.words, sign.first, sign.last, (changed,), sign.number)
        )
    return settled
