"""What stands before and behind a name without being part of it: frames of a question, the label, places, purposes.

Owns: where a name can begin at all; "status dos pedidos" P-100, Deezer "da minha conta", Babbel "para economizar".
Source: language.json ITEMS-1, ITEMS-2.
"""

from pipeline.language.lexicon import senses_of
from pipeline.language.page import Page
from pipeline.language.senses import Sense
from pipeline.language.word_lists import listed

__all__ = ["CUTS", "opens_name", "opens_place", "opens_purpose", "place_end", "skip_frame"]

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
CUTS = frozenset(
    {
        Sense.COMMA, Sense.STOP, Sense.QUESTION, Sense.COLON, Sense.BREAK, Sense.AND, Sense.OR, Sense.BUT, Sense.ALSO, Sense.REASON, Sense.REMARK, Sense.THAT,
        Sense.NOT, Sense.CORRECT, Sense.INSTEAD, Sense.EXCEPT, Sense.KEEP, Sense.OWN, Sense.CONSENT, Sense.REFUSE, Sense.WANT, Sense.VERB, Sense.DROP,
        Sense.ADD, Sense.ONLY, Sense.COURTESY, Sense.KIND_SIGN, Sense.YES_SIGN, Sense.NO_SIGN, Sense.DOUBT_SIGN, Sense.OTHER_SIGN, Sense.MENTION,
        Sense.HEDGE, Sense.WAIT, Sense.IF, Sense.OUT, Sense.QUOTED,
    }
)  # fmt: skip
"""Senses that end a name."""
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
_CANCELLATIONS = listed("cancelamento cancelamentos cancellation cancelacion")
_OPERATIONS = listed(
    "devolucao devolucoes bloqueio contratacao agendamento desmarcacao exclusao troca reembolso return refund devolucion"
)
"""Nouns of operations: what they are of is the thing, 'a devolução é do X'."""
_INQUIRIES = listed("status situacao andamento posicao previsao estado situation progress rastreio rastreamento")
"""Nouns of what is asked of a thing: 'status do X'."""
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


def opens_name(page: Page, index: int) -> bool:
    """Whether a name can begin at a sign."""
    sign = page.signs[index]
    if sign.sense in (Sense.QUOTED, Sense.CODE):
        return True
    if page.protected(index):
        return True
    if sign.sense in _FRAME or sign.sense in CUTS or page.is_label(index):
        return False
    if sign.has(Sense.ABOUT) and (
        sign.has(Sense.ASK) or sign.words[0] in _PRICE_QUESTIONS or sign.words[-1] in _PRICE_QUESTIONS
    ):
        return False
    if (
        sign.sense is Sense.POSITION
        and page.labels
        and index + 1 < len(page.signs)
        and page.signs[index + 1].sense is Sense.CODE
    ):
        return False  # 'o protocolo de número 123'
    return sign.sense not in (Sense.LAST, Sense.ORDINAL, Sense.REST, Sense.NONE) or page.is_title(index)


def skip_frame(page: Page, start: int) -> int:
    """Return where the name itself begins, behind what only leads to it: 'status dos pedidos' P-100, 'valor do' plano X.

    The label's noun ends a frame; in a question so does the first preposition.
    """
    signs = page.signs
    limit = min(len(signs), start + _FRAME_MAX)
    for index in range(start, limit):
        if signs[index].sense in _HARD_CUTS or (signs[index].sense in CUTS and index > start):
            break
        if index > start and page.is_label(index) and _opens_after(page, index + 1):
            return index + 1
    noun = signs[start].word
    spot = start + 1
    copula = spot < limit and signs[spot].word in ("eh", "sao", "seria", "is", "es")
    spot += copula
    if (
        spot < limit
        and signs[spot].sense is Sense.PREPOSITION
        and not page.protected(start)
        and (noun in _CANCELLATIONS or noun in _INQUIRIES or (copula and noun in _OPERATIONS))
    ):
        return spot + 1
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


def opens_place(page: Page, index: int) -> bool:
    """Whether 'da minha conta', 'na fatura' begins here."""
    signs = page.signs
    word = signs[index].words[-1]
    if (word not in _PLACE_OPENERS and signs[index].words[0] not in _PLACE_OPENERS) or index + 1 >= len(signs):
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
    if page.signs[index].sense not in (Sense.PREPOSITION, Sense.FOR) or not opens_place(page, index):
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


def opens_purpose(page: Page, index: int) -> bool:
    """Whether 'para economizar' begins here."""
    signs = page.signs
    if signs[index].word not in ("para", "to") or index + 1 >= len(signs):
        return False
    word = signs[index + 1].word
    return not page.is_title(index + 1) and (
        word.endswith(("ar", "er", "ir")) or signs[index + 1].sense is Sense.PRONOUN
    )
