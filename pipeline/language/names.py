"""Names that nobody listed: where each begins and ends.

Owns: which words of a sentence are the thing itself.
Invariants: a name is a slice of the text as written; a quotation is a name as a whole.
Source: language.json ITEMS-1, ITEMS-4, ITEMS-9, ITEMS-10.
"""

import re
from dataclasses import dataclass

from pipeline.language.frames import CUTS, opens_name, opens_place, opens_purpose
from pipeline.language.page import Page
from pipeline.language.senses import Sense
from pipeline.language.verbs import verb_stem
from pipeline.language.word_lists import listed

__all__ = ["Run", "is_predicate", "read_run"]

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
_SPEAKERS = listed("ninguem|nobody|nadie|eu|nos|a gente|yo|i|we|nosotros", "|")
"""Who says something of the name before them: 'o X eu assisto'."""
_PREDICATES = listed(
    "saiu sairam morreu esta ta estao foi foram veio vieram chegou chegaram quebrou quebraram estragou parou rasgou ficou ficaram is are was were"
)
"""Verbs that say something of the name before them: 'a mesa veio quebrada'."""
_TOLD = ("aram", "eram", "iram", "uiu", "ebrou", "agou", "ancou", "avou", "elou", "ixou", "erou")
_TOLD_MIN = 5
_NOBODY = listed("ninguem nobody nadie")
_PAIR_MAX = 8
"""Signs between 'tanto' and 'quanto'."""
_DIGIT = re.compile(r"\d")
_WHOLE_CODE = 8
"""Digits of a number that is a whole code by itself; shorter ones may be parts of a telephone number."""
_SHORT_CODE = 3
"""Digits of numbers that are codes of their own only behind their plural."""
_COUNTED_MAX = 100
"""Codes looked back over to the noun in front of them."""
_DIALLED = listed("numeros telefones celulares linhas numbers phones lines telefonos lineas cartoes cards")
"""Things whose numbers are written in groups."""
_TAIL_WORDS = frozenset({"vai", "ta", "ok", "beleza", "sim", "certo", "isso", "pode", "claro que sim"})


def is_predicate(page: Page, index: int) -> bool:
    """Whether a verb stands here that says something of the name before it: 'a mesa veio quebrada'."""
    sign = page.signs[index]
    if page.is_title(index):
        return False
    told = sign.sense is Sense.UNKNOWN and len(sign.word) >= _TOLD_MIN and sign.word.endswith(_TOLD)
    return sign.word in _PREDICATES or told or sign.word in _NOBODY


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
    while after < len(signs) and not _cuts(page, after, article_led=article_led):
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
    framed = (following.sense is Sense.ARTICLE and not page.is_letter(index + 1)) or page.is_label(index + 1)
    fresh = page.starts(index) or (
        index > 0
        and page.signs[index - 1].sense
        in (Sense.WANT, Sense.AUXILIARY, Sense.THAT, Sense.PRONOUN, Sense.ASK, Sense.COURTESY, Sense.GREETING)
    )
    return framed and fresh and not page.is_title(index) and not page.protected(index + 1)


def _cuts(page: Page, index: int, *, article_led: bool) -> bool:
    signs = page.signs
    sign = signs[index]
    if (
        sign.sense in (Sense.COMMA, Sense.BREAK, Sense.STOP, Sense.QUESTION, Sense.COLON, Sense.MENTION)
        or index in page.numbering
    ):
        return True
    if page.protected(index) or page.is_letter(index):
        return False
    if sign.words[0] in ("quanto", "como") and any(
        other.sense is Sense.BOTH_AND for other in signs[max(0, index - _PAIR_MAX) : index]
    ):
        return True
    if sign.sense is Sense.CODE and signs[index - 1].sense is Sense.CODE and _alike(page, index - 1, index):
        return True
    if sign.sense in CUTS:
        return True
    if sign.sense is Sense.ARTICLE:
        return article_led and signs[index - 1].sense not in (Sense.PREPOSITION, Sense.FOR) and not page.shouting
    if sign.sense in (Sense.PREPOSITION, Sense.FOR, Sense.DEMONSTRATIVE):
        return opens_place(page, index) or opens_purpose(page, index)
    if sign.sense is Sense.POSSESSIVE or (sign.word in _SPEAKERS and not page.is_title(index)):
        return True
    if is_predicate(page, index):
        return True
    if sign.sense is Sense.GIVE and verb_stem(sign.words[-1]):
        return True
    return sign.sense is Sense.ASK and sign.word not in ("como", "qual")


def _alike(page: Page, one: int, other: int) -> bool:
    """Whether two codes next to each other are two, as a voice says them ("P-100 P-101"), not parts of one number."""
    shapes = {_DIGIT.sub("9", page.slice(index, index)) for index in (one, other)}
    (shape,) = shapes if len(shapes) == 1 else ("",)
    if any(char.isalpha() for char in shape) or len(shape) >= _WHOLE_CODE:
        return True
    return len(shape) >= _SHORT_CODE and _counted(page, one)


def _counted(page: Page, index: int) -> bool:
    """Whether the things that the codes name stand in front of them, several of them: "pedidos 100 101 e 102"."""
    first = max(0, index - _COUNTED_MAX)
    while index > first and page.signs[index].sense is Sense.CODE:
        index -= 1
    word = page.signs[index].word
    return page.is_label(index) and word.endswith("s") and word not in _DIALLED


def _trails(page: Page, index: int) -> bool:
    sign = page.signs[index]
    if page.protected(index) or page.is_letter(index):
        return False
    if sign.sense is Sense.BRACKET:
        return sign.word != ")" or True
    if sign.sense is Sense.UNKNOWN and sign.word in _PARTICIPLES:
        return True
    return sign.sense in _TAIL or (
        sign.sense is Sense.AFFIRM and (sign.word in _TAIL_WORDS or (len(sign.words) > 1 and not page.is_title(index)))
    )
