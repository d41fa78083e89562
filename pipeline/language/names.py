"""Names that nobody listed: which words of a sentence are the thing itself, and which only frame it.

Owns: where an unlisted name begins and ends; the frames and places around it.
Invariants: a name is a slice of the text as written; a quotation is a name as a whole.
Source: language.json ITEMS-1, ITEMS-2, ITEMS-4, ITEMS-9, ITEMS-10.
"""

from dataclasses import dataclass

from pipeline.language.lexicon import senses_of, verb_stem
from pipeline.language.page import Page
from pipeline.language.senses import Sense

__all__ = ["Run", "place_end", "read_run", "skip_frame"]

_FRAME = frozenset(
    {
        Sense.GREETING, Sense.COURTESY, Sense.FILLER, Sense.NOW, Sense.LATER, Sense.AUXILIARY, Sense.ARTICLE, Sense.PREPOSITION, Sense.POSSESSIVE,
        Sense.PRONOUN, Sense.DEMONSTRATIVE, Sense.QUANTITY, Sense.BOTH_AND, Sense.WANT, Sense.GIVE, Sense.VERB, Sense.DROP, Sense.ADD, Sense.ALSO,
        Sense.ONLY, Sense.ASK, Sense.CONSENT, Sense.AFFIRM, Sense.THAT, Sense.FOR, Sense.HEDGE, Sense.WAIT, Sense.PUZZLED, Sense.REFUSE,
        Sense.DASH, Sense.BRACKET, Sense.SWAP, Sense.BEFORE, Sense.OUT, Sense.NUMBER, Sense.KIND_SIGN, Sense.YES_SIGN, Sense.NO_SIGN,
        Sense.DOUBT_SIGN, Sense.OTHER_SIGN, Sense.RANGE, Sense.IF, Sense.ALL,
    }
)  # fmt: skip
"""Senses that open no name."""
_CUTS = frozenset(
    {
        Sense.COMMA, Sense.STOP, Sense.QUESTION, Sense.COLON, Sense.BREAK, Sense.AND, Sense.OR, Sense.BUT, Sense.ALSO, Sense.REASON, Sense.REMARK, Sense.THAT,
        Sense.NOT, Sense.CORRECT, Sense.INSTEAD, Sense.EXCEPT, Sense.KEEP, Sense.OWN, Sense.CONSENT, Sense.REFUSE, Sense.WANT, Sense.VERB, Sense.DROP,
        Sense.ADD, Sense.ONLY, Sense.COURTESY, Sense.KIND_SIGN, Sense.YES_SIGN, Sense.NO_SIGN, Sense.DOUBT_SIGN, Sense.OTHER_SIGN, Sense.MENTION,
        Sense.HEDGE, Sense.WAIT, Sense.IF, Sense.OUT, Sense.QUOTED,
    }
)  # fmt: skip
"""Senses that end a name."""
_TAIL = frozenset(
    {
        Sense.FILLER, Sense.NOW, Sense.LATER, Sense.GREETING, Sense.PREPOSITION, Sense.ARTICLE, Sense.POSSESSIVE, Sense.PRONOUN, Sense.DEMONSTRATIVE,
        Sense.AUXILIARY, Sense.DASH, Sense.FOR, Sense.GIVE, Sense.ASK, Sense.QUANTITY, Sense.PUZZLED, Sense.BOTH_AND,
    }
)  # fmt: skip
"""Senses that a name does not end with."""
_PARTICIPLES = frozenset(
    f"{stem}{end}"
    for stem in (
        "vinculad",
        "cadastrad",
        "ligad",
        "contratad",
        "associad",
        "atrelad",
        "registrad",
        "linked",
        "attached",
        "vinculad",
    )
    for end in ("o", "a", "os", "as", "")
)
"""What a name is tied to ('vinculados ao meu CPF') is a place."""
_TAIL_WORDS = frozenset({"ta", "ok", "beleza", "sim", "certo", "isso", "pode", "claro que sim"})
_PLACE_OPENERS = frozenset(
    {
        "da",
        "do",
        "na",
        "no",
        "das",
        "dos",
        "nas",
        "nos",
        "de",
        "em",
        "from",
        "on",
        "in",
        "of",
        "del",
        "en",
        "desta",
        "dessa",
        "ao",
        "aos",
        "to",
    }
)
_BARE_PLACES = frozenset(
    {
        "conta",
        "fatura",
        "linha",
        "cadastro",
        "cpf",
        "account",
        "bill",
        "cuenta",
        "factura",
        "line",
        "linea",
        "lista",
        "cartao",
    }
)
_FRAME_MAX = 10
"""Signs of the longest frame in front of a name."""
_HARD_CUTS = frozenset(
    {
        Sense.COMMA,
        Sense.BREAK,
        Sense.STOP,
        Sense.QUESTION,
        Sense.COLON,
        Sense.MENTION,
        Sense.AND,
        Sense.OR,
        Sense.BUT,
        Sense.QUOTED,
    }
)
_PRICE_QUESTIONS = frozenset({"quanto", "custa", "custam", "cuesta", "cuestan"})


@dataclass(frozen=True, slots=True)
class Run:
    """A name as it stands in the text."""

    text: str
    first: int
    """Index of its first sign."""
    after: int
    """Index of the sign after it."""
    strong: bool
    """Whether it looks like a name or code by itself: quoted, with digits, or with a telling capital."""


def skip_frame(page: Page, start: int) -> int:
    """Return where the name itself begins, behind what only leads to it: 'status dos pedidos' P-100, 'valor do' plano X.

    The label's noun ends a frame; in a question so does the first preposition.
    """
    signs = page.signs
    limit = min(len(signs), start + _FRAME_MAX)
    for index in range(start, limit):
        if signs[index].sense in _HARD_CUTS or (signs[index].sense in _CUTS and index > start):
            break
        if index > start and page.is_label(index) and _opens_after(page, index + 1):
            return index + 1
    if not _in_question(page, start) and not signs[start].has(Sense.ABOUT):
        return start
    for index in range(start + 1, limit):
        if signs[index].sense in _HARD_CUTS or page.is_title(index) or signs[index].sense is Sense.CODE:
            break
        if signs[index].sense is Sense.PREPOSITION and not page.is_title(start) and _opens_after(page, index + 1):
            return index + 1
    return start


def _opens_after(page: Page, index: int) -> bool:
    """Whether a name begins at `index` or behind its articles and prepositions, number signs among them."""
    while index < len(page.signs) and page.signs[index].sense in (
        Sense.ARTICLE,
        Sense.PREPOSITION,
        Sense.POSITION,
        Sense.POSSESSIVE,
        Sense.BRACKET,
        Sense.COLON,
    ):
        index += 1
    return index < len(page.signs) and (page.signs[index].sense is Sense.MENTION or opens_name(page, index))


def _in_question(page: Page, index: int) -> bool:
    """Whether the sentence of a sign begins as a question, and nothing was named in it so far."""
    for spot in range(index - 1, max(-1, index - _FRAME_MAX), -1):
        sense = page.signs[spot].sense
        if sense is Sense.ASK:
            return True
        if sense in (Sense.UNKNOWN, Sense.MENTION, Sense.CODE, Sense.QUOTED, Sense.STOP, Sense.BREAK):
            return False
    return False


def opens_name(page: Page, index: int) -> bool:
    """Whether a name can begin at a sign."""
    sign = page.signs[index]
    if sign.sense in (Sense.QUOTED, Sense.CODE):
        return True
    if page.protected(index):
        return True
    if sign.sense in _FRAME or sign.sense in _CUTS or page.is_label(index):
        return False
    if sign.has(Sense.ABOUT) and (
        sign.has(Sense.ASK) or sign.words[0] in _PRICE_QUESTIONS or sign.words[-1] in _PRICE_QUESTIONS
    ):
        return False
    return sign.sense not in (Sense.LAST, Sense.ORDINAL, Sense.REST, Sense.NONE) or page.is_title(index)


def read_run(page: Page, start: int) -> Run | None:
    """Return the name that begins at a sign, None where none does."""
    signs = page.signs
    if not opens_name(page, start):
        return None
    if signs[start].sense is Sense.QUOTED:
        token = page.tokens[signs[start].first]
        return Run(" ".join(token.text.split()), start, start + 1, strong=True)
    if _is_verb_here(page, start):
        return None
    article_led = start > 0 and signs[start - 1].sense is Sense.ARTICLE
    after = start + 1
    while after < len(signs) and not _cuts(page, start, after, article_led=article_led):
        after += 1
    last = after - 1
    while last > start and _trails(page, last):
        last -= 1
    begin = start
    while begin > 0 and _belongs_before(page, begin):
        begin -= 1
    end = last
    if last + 1 < after and _closes_bracket(page, last + 1, begin, last):
        end = last + 1
    text = page.slice(begin, end).strip(" *_~-–—")
    if not any(char.isalnum() for char in text):
        return Run("", start, after, strong=False)
    strong = any(signs[i].sense is Sense.CODE or page.is_title(i) for i in range(start, last + 1))
    return Run(text, start, after, strong)


def _belongs_before(page: Page, index: int) -> bool:
    """Signs glued before a code: the bracket of an area code, '#'."""
    sign = page.signs[index - 1]
    return (
        sign.sense is Sense.BRACKET
        and page.tokens[sign.last].text == "("
        and page.tokens[sign.last].end == page.tokens[page.signs[index].first].start
        and page.signs[index].sense is Sense.CODE
    )


def _closes_bracket(page: Page, index: int, first: int, last: int) -> bool:
    return page.signs[index].word == ")" and any(page.signs[i].word == "(" for i in range(first, last + 1))


def _is_verb_here(page: Page, index: int) -> bool:
    """Whether an unlisted word is the verb of the request: first in its sentence or after a frame, an article or the label behind it."""
    sign = page.signs[index]
    if sign.sense is not Sense.UNKNOWN or index + 1 >= len(page.signs):
        return False
    following = page.signs[index + 1]
    word = sign.word
    led = index > 0 and page.signs[index - 1].sense in (
        Sense.WANT,
        Sense.AUXILIARY,
        Sense.CONSENT,
        Sense.THAT,
        Sense.PREPOSITION,
        Sense.PRONOUN,
        Sense.ASK,
    )
    if led and word.endswith(("ar", "er", "ir")) and not page.is_title(index):
        return True
    framed = following.sense is Sense.ARTICLE or page.is_label(index + 1)
    fresh = page.starts(index) or (
        index > 0
        and page.signs[index - 1].sense
        in (Sense.WANT, Sense.AUXILIARY, Sense.THAT, Sense.PRONOUN, Sense.ASK, Sense.COURTESY, Sense.GREETING)
    )
    return framed and fresh and not page.is_title(index) and not page.protected(index + 1)


def _cuts(page: Page, start: int, index: int, *, article_led: bool) -> bool:
    signs = page.signs
    sign = signs[index]
    if (
        sign.sense in (Sense.COMMA, Sense.BREAK, Sense.STOP, Sense.QUESTION, Sense.COLON, Sense.MENTION)
        or index in page.numbering
    ):
        return True
    if page.protected(index):
        return False
    if sign.sense in _CUTS:
        return True
    if sign.sense is Sense.ARTICLE:
        return article_led and signs[index - 1].sense not in (Sense.PREPOSITION, Sense.FOR) and not page.shouting
    if sign.sense in (Sense.PREPOSITION, Sense.FOR, Sense.DEMONSTRATIVE):
        return _opens_place(page, index) or _opens_purpose(page, index)
    if sign.sense is Sense.POSSESSIVE:
        return True
    if sign.sense is Sense.GIVE and verb_stem(sign.words[-1]):
        return True
    return sign.sense is Sense.ASK and sign.word not in ("como", "qual")


def _opens_place(page: Page, index: int) -> bool:
    """Whether 'da minha conta', 'na fatura' begins here."""
    signs = page.signs
    word = signs[index].words[-1]
    if word not in _PLACE_OPENERS and signs[index].words[0] not in _PLACE_OPENERS or index + 1 >= len(signs):
        return False
    spot = index + 1
    if signs[spot].sense is Sense.ARTICLE and spot + 1 < len(signs):
        spot += 1
    if signs[spot].sense in (Sense.POSSESSIVE, Sense.DEMONSTRATIVE) or Sense.POSSESSIVE in senses_of(
        signs[spot].words[0]
    ):
        return True
    if page.is_title(spot):
        return False
    if signs[spot].word in _BARE_PLACES and word not in ("de", "of"):
        return spot + 1 >= len(signs) or signs[spot + 1].sense not in (Sense.UNKNOWN, Sense.CODE)
    return False


def place_end(page: Page, index: int) -> int:
    """Return the index after a place ('da minha conta') that begins at a sign, the sign's own where none does."""
    if page.signs[index].sense not in (Sense.PREPOSITION, Sense.FOR) or not _opens_place(page, index):
        return index
    spot = index + 1
    while spot < len(page.signs) and page.signs[spot].sense in (Sense.ARTICLE, Sense.POSSESSIVE, Sense.DEMONSTRATIVE):
        spot += 1
    if spot < len(page.signs) and page.signs[spot - 1].sense is Sense.POSSESSIVE:
        spot += 1
    while (
        spot < len(page.signs)
        and page.signs[spot].sense in (Sense.UNKNOWN, Sense.TOPIC, Sense.PLACE, Sense.CODE, Sense.ABOUT)
        and not page.is_title(spot)
    ):
        spot += 1
    return max(spot, index + 1)


def _opens_purpose(page: Page, index: int) -> bool:
    """Whether 'para economizar' begins here."""
    signs = page.signs
    if signs[index].word not in ("para", "to") or index + 1 >= len(signs):
        return False
    word = signs[index + 1].word
    return not page.is_title(index + 1) and (
        word.endswith(("ar", "er", "ir")) or signs[index + 1].sense is Sense.PRONOUN
    )


def _trails(page: Page, index: int) -> bool:
    sign = page.signs[index]
    if page.protected(index):
        return False
    if sign.sense is Sense.BRACKET:
        return sign.word != ")" or True
    if sign.sense is Sense.UNKNOWN and sign.word in _PARTICIPLES:
        return True
    return sign.sense in _TAIL or (sign.sense is Sense.AFFIRM and sign.word in _TAIL_WORDS)
