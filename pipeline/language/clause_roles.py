"""What one clause does by its own words: frames a request, denies, tells what is done, names a thing.

Owns: request frames, refused wishes, what a customer did before.
Invariants: linear in the clause; a problem ("perdi", "não chegou") is told, not past.
Never: looks at the clauses around it. Source: rule ROUTE-3.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pipeline.language.clause_tells import (
    LATELY,
    PROBLEMS,
    TROUBLES,
    denies,
    done_in_another_tongue,
    is_abroad,
    is_long_ago,
    is_over,
)
from pipeline.language.lexemes import word_set
from pipeline.language.request_words import (
    ASKS,
    CONTINUATIONS,
    GIVES,
    QUIT_VERBS,
    WANTS,
    WISHES,
)
from pipeline.language.stems import is_first_person_past, is_infinitive, is_told, stem


class Role(StrEnum):
    """What a clause does for the choice of a tool."""

    REQUEST = "request"
    """Opens with a wish, an order or a question."""
    STATEMENT = "statement"
    """Tells something: a problem a tool exists for, or nothing."""
    FRAGMENT = "fragment"
    """Names a thing without a verb: "segunda via"."""
    QUIT = "quit"
    """A thing no longer wanted: "não quero mais o Babbel"."""
    PURPOSE = "purpose"
    """para cancelar: a request only where nothing before it is one."""
    DETAIL = "detail"
    NEGATED = "negated"
    PAST = "past"
    OVER = "over"
    """What was told is over or went well: "mas já voltou", "deu tudo certo"; what the message told before it asks for nothing."""
    HYPOTHETICAL = "hypothetical"
    REASON = "reason"
    ASIDE = "aside"
    PERSON = "person"
    COMPLAINT = "complaint"


LIVE: Final = frozenset(
    {Role.REQUEST, Role.STATEMENT, Role.FRAGMENT, Role.QUIT, Role.PURPOSE, Role.DETAIL, Role.COMPLAINT}
)


def is_framed(words: tuple[str, ...], verbs: frozenset[str]) -> bool:
    if len(words) > 1 and words[0] in _DETERMINERS and words[1] in GIVES | ASKS | verbs and not is_infinitive(words[1]):
        return any(word in WANTS for word in words[2:5])  # "a consulta de ontem" is a noun
    head = [word for word in words[:5] if word not in _LEADING]
    if not head:
        return False
    if head[0] in WANTS or head[0] in GIVES or head[0] in verbs or head[0] in ASKS:
        return True
    return any(word in WANTS for word in head[:3]) or (
        head[0] in {"me", "da", "tem", "to", "i'd"}
        and len(head) > 1
        and (head[1] in GIVES | verbs | {"para", "como", "jeito", "like"} or head[:2] == ["me", "da"])
    )


_LEADING: Final = CONTINUATIONS - {"nao", "n", "nem", "no", "don't"}
_DETERMINERS: Final = word_set("a as uma minha essa esta sua the")


@dataclass(frozen=True, slots=True)
class Verbs:
    """The verbs of the tools: those that may order, and those whose first person past says that it is done."""

    orders: frozenset[str]
    done: frozenset[str]


def denied_or_past(words: tuple[str, ...], *, question: bool, verbs: Verbs) -> Role | None:
    abroad = is_abroad(words)
    place = next((index for index in range(len(words)) if denies(words, index, abroad=abroad)), None)
    if place is not None:
        after = words[place + 1 :]
        if after and after[0].startswith(("esquec", "deix", "forget")):
            return None
        if question and after and after[0] in {"da", "tem", "pode", "consegue", "podem", "can", "quer"}:
            return None
        if place > 0 and words[place - 1] in {"porque", "pq", "why"}:
            return None
        if not after and place > 0 and any(word in WANTS or word in verbs.orders for word in words):
            return Role.NEGATED  # "quero cancelar não"
        wish = next((index for index, word in enumerate(after[:3]) if word in WISHES), None)
        if (
            wish is not None
            and after[wish] in {"vou", "vai"}
            and after[wish + 1 : wish + 2] in {("conseguir",), ("poder",), ("dar",)}
        ):
            return None
        if wish is not None:
            rest = after[wish + 1 :]
            quits = bool(rest) and (rest[0] in {"mais", "mas"} or bool({"anymore", "longer"} & set(rest)))
            quits = quits or (place > 0 and words[place - 1] == "ya")  # "ya no quiero el servicio"
            if (
                not quits
                and wish + 1 < len(after)
                and after[wish] in {"quero", "quiero"}
                and rest
                and rest[-1] == "mais"
            ):
                quits = True
            verb = next((word for word in rest[:4] if is_infinitive(word) or word in verbs.orders), None)
            quits = quits and not set(rest[1:]) <= {"nada", "isso", "nao", "nothing"}
            wants_thing = after[wish] in WANTS or after[wish] in {"want", "need", "quero"}
            if (
                quits
                and wants_thing
                and len(rest) > 1
                and (verb is None or verb in QUIT_VERBS or verb not in verbs.orders)
            ):
                return Role.QUIT
            return Role.NEGATED
        if place == 0 and after[:1] == ("eh",) and after[1:2] not in {("minha",), ("meu",), ("mine",)}:
            return Role.NEGATED  # "não é boleto que eu quero"
        if after[:2] in {("eh", "sobre"), ("e", "sobre"), ("es", "sobre")} or after[:1] == ("about",):
            return Role.NEGATED
        if any(word in PROBLEMS or word == "sem" or word.startswith(TROUBLES) for word in after[:3]):
            return Role.NEGATED  # "não bati o carro", "não foi roubado", "não tô sem luz": nothing happened
        if words[place] in {"nunca", "jamais", "never"} and after[:1] in {
            ("tive",),
            ("precisei",),
            ("sofri",),
            ("had",),
            ("needed",),
            ("tuve",),
        }:
            return Role.PAST
        if len(after) > 2 and after[0] in {"to", "ta", "esta"} and after[1] in {"com", "na"} and after[-1] == "nao":
            return Role.NEGATED  # "não tô com problema não"
        if any(word in verbs.orders and not is_told(word) for word in after[:3]) and not any(
            is_first_person_past(word) for word in after[:3]
        ):
            return Role.NEGATED
        if after[:2] in {("e", "para"), ("eh", "para"), ("era", "para"), ("foi", "para")}:
            return Role.NEGATED
        if words[place] == "nada" or after[:1] in {("precisa",), ("precisam",)}:
            return Role.NEGATED
        return None
    if question:
        return None
    if is_over(words):
        return Role.OVER
    if is_long_ago(words):
        return Role.PAST
    if done_in_another_tongue(words):
        return Role.PAST
    done = not {"ja", "already"}.isdisjoint(words)
    stems = {stem(verb) for verb in verbs.done}
    first_person = [
        word
        for place, word in enumerate(words)
        if is_first_person_past(word) and not (place > 2 and words[place - 1] == "i")  # "the bacon I paid for"
    ]
    if any(done or word in _ASKED_BEFORE or stem(word) in stems for word in first_person if word not in PROBLEMS):
        return Role.PAST
    if not LATELY.isdisjoint(words) and any(
        word not in PROBLEMS and not word.startswith(TROUBLES) for word in first_person
    ):
        return Role.PAST  # "voltei das férias ontem"
    if done and any(word.endswith(("aram", "eram", "iram", "ou")) and len(word) > 4 for word in words):
        return Role.PAST
    if done and any(word in {"tenho", "vi", "sei", "ta", "esta", "foi", "foram", "have", "tinha"} for word in words):
        return Role.PAST
    return None


_ASKED_BEFORE: Final = word_set(
    "pedi solicitei paguei recebi liguei falei comprei consultei quitei resolvi consegui asked paid received called requested bought pague pedi recibi"
)
"""What a customer did before: told, not asked for."""


def has_verb(words: tuple[str, ...]) -> bool:
    tells = len(words) > 2 and words[0] in _TELLERS
    return tells or any(word in _COMMON_VERBS or _finite(word) for word in words)


_TELLERS: Final = word_set("i we they he she eu nos ele ela eles elas yo nosotros")
"""Subjects: with more behind them they tell something."""


def _finite(word: str) -> bool:
    return len(word) > 4 and word.endswith(
        ("ou", "eu", "iu", "ei", "aram", "eram", "iram", "ava", "avam", "ando", "endo", "indo", "ed")
    )


_COMMON_VERBS: Final = word_set(
    "aparece continua consta segue vem e eh foi ta esta estou to tava era sou sao tem tenho ha fica ficou veio vem vai vou deu da caiu caem saiu "
    "chegou chega sumiu parou acabou funciona liga abre pega roubaram furtaram cortaram is are was has have came "
    "got stopped es esta tiene"
)
