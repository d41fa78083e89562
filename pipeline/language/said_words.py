"""What the words of a clause say by themselves, before any tool looks at them.

Owns: orders and wishes, where a thing is missed, prices, charges, what is moved or brought, nouns that only say where.
Invariants: whole tokens only; linear in the clause.
Never: knows a tool. Source: rules ROUTE-1, ROUTE-2.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pipeline.language.clauses import Clause, Role
from pipeline.language.lexemes import word_set
from pipeline.language.request_words import ACT_OF, ASKS, EMPTY_WORDS, WANTS
from pipeline.language.stems import is_first_person_past, is_infinitive, is_told, stem


@dataclass(frozen=True, slots=True)
class SaidWords:
    """The words of one clause, as every tool looks at them."""

    role: Role
    words: tuple[str, ...]
    wanting: bool
    more: bool
    asking: frozenset[str]
    """Stems of the words that can ask: not of what someone did."""
    present: frozenset[str]
    content: tuple[tuple[str, str], ...]
    """Telling words and their stems."""
    acts: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    placed: frozenset[str]
    missed: bool
    """It asks where something is: "cadê", "onde tá"."""
    moved: bool
    """It asks for another day: "passa pra sexta"."""
    charged: bool
    """It tells of a charge for what was never asked for."""


HAPPENINGS: Final = frozenset({"report", "block", "track", "dispute", "return", "change"})
"""Kinds of act that are also kinds of trouble, told as what happened."""
_ALL_ACTS: Final = frozenset(act for acts in ACT_OF.values() for act in acts)


def said_words(
    clause: Clause, words: tuple[str, ...], *, nouns: frozenset[str], vocabulary: frozenset[str], disowned: bool
) -> SaidWords:
    """Read a clause. `words`: its words as the tools know them; `nouns`: those that only look like verbs; `vocabulary`: the tools' stems."""
    stems = [stem(word) for word in words]
    asking = {
        stem_
        for word, stem_ in zip(words, stems, strict=True)
        if not (is_told(word) and clause.role is not Role.QUIT) and word not in nouns
    }
    content = [
        (word, stem_)
        for word, stem_ in zip(words, stems, strict=True)
        if word not in EMPTY_WORDS and word not in _WHEN and not word.isdigit()
    ]
    priced = next((word for word in _PRICES if stem(word) in vocabulary), None) if _asks_price(words) else None
    if priced is not None and stem(priced) not in stems:
        content.append((priced, stem(priced)))
    charged = disowned and any(word.startswith(_CHARGES) for word in words)
    return SaidWords(
        role=clause.role,
        words=clause.words,
        wanting=not WANTS.isdisjoint(words),
        more=_wants_more(words, clause.role),
        asking=frozenset(asking),
        present=frozenset(stems),
        content=tuple(content),
        acts=_acts(clause, words, nouns) | ({"dispute"} if charged else set()),
        pairs=frozenset(pairwise(stems)),
        placed=_placed_nouns(words, telling=clause.role in {Role.STATEMENT, Role.DETAIL}),
        missed=_asks_where(clause.words),
        moved=_moves(clause.words),
        charged=charged,
    )


def _acts(clause: Clause, words: tuple[str, ...], nouns: frozenset[str]) -> frozenset[str]:
    """What its verbs ask for, by kind."""
    if clause.role is Role.QUIT or clause.words[:2] in {("para", "de"), ("pare", "de"), ("parem", "de")}:
        acts = {"end"}  # "para de me mandar o Babbel" asks for no sending
    else:
        # What someone did ("cancelaram") asks for nothing; what happened ("acabou", "roubaram") may be the very problem.
        acts = {
            act
            for word in {*words, *clause.words} - nouns
            for act in ACT_OF.get(word, frozenset()) & (HAPPENINGS if is_told(word) else _ALL_ACTS)
        }
    pairs = set(pairwise(words))
    if any(word in WANTS and after == "que" for word, after in pairs) or _moves(clause.words):
        acts.add("change")  # "quero que a conta vença dia 20", "passa pra terça"
    if _joins(words):
        acts.add("book")
    if ("call", "off") in pairs:
        acts.add("end")
    if ("de", "volta") in pairs:
        acts.add("return")
    if words[:2] == ("how", "long"):
        acts.add("track")
    return frozenset(acts)


def orders(word: str) -> bool:
    """A verb that may order something: an infinitive, or the form without its r ("devolve")."""
    if is_told(word) or is_first_person_past(word):
        return False
    return is_infinitive(word) or word + "r" in ACT_OF or any(word[:-1] + end in ACT_OF for end in ("ar", "er", "ir"))


def _wants_more(words: tuple[str, ...], role: Role) -> bool:
    """Whether what a tool sells is asked for: "quero mais 5 giga", "acabou meu pacote"."""
    if role is Role.STATEMENT:
        return not {"acabou", "acabaram", "acabando"}.isdisjoint(words)
    return role is Role.REQUEST and "mais" in words and (not WANTS.isdisjoint(words) or words[:2] == ("me", "da"))


def _placed_nouns(words: tuple[str, ...], *, telling: bool) -> frozenset[str]:
    """Nouns that say where something is ("no meu cartão"): no object of the request."""
    found: set[str] = set()
    for index, word in enumerate(words[:-1]):
        if word in {"no", "na", "nos", "nas"}:
            at = index + 1
            if words[at] in {"meu", "minha", "meus", "minhas"} and at + 1 < len(words):
                found.add(words[at + 1])
            elif telling:
                found.add(words[at])
    return frozenset(found)


DETERMINERS: Final = word_set(
    "a as o os um uma meu minha meus minhas seu sua da do das dos na no essa esse esta este outra outro tenho tinha tem temos my the"
)
HAVING: Final = word_set("tenho tinha tem temos have")
_WHEN: Final = word_set(
    "amanha ontem hoje cedo tomorrow yesterday today manana quinta sexta sabado domingo terca quarta"
)
"""Words of time, which no tool explains."""
_MOVING: Final = word_set(
    "trocar troca troque mudar muda mude adiar adia adie remarcar remarca passa passar passe joga jogar jogue empurra empurrar deixa deixar"
)
_DAYS: Final = word_set(
    "segunda terca quarta quinta sexta sabado domingo amanha semana mes outro outra dia tarde manha noite"
)


def is_order(words: tuple[str, ...]) -> bool:
    """Opens with what can only be an order: "adianta minha reserva", "scrap the order"."""
    if len(words) < 2 or words[0] in EMPTY_WORDS or words[0] in ASKS:
        return False
    tail = words[0].endswith(("a", "e"))
    return (tail and words[1] in _OBJECTS) or words[1] in {"the", "my", "it"}


_OBJECTS: Final = word_set("o a os as um uma meu minha meus minhas esse essa")


def _asks_where(words: tuple[str, ...]) -> bool:
    """Cadê a moto, onde tá: a thing is missed; "onde fica a loja" asks for a place."""
    at = next((index for index, word in enumerate(words) if word in _WHERE), None)
    if at is None or not _SITES.isdisjoint(words):
        return False
    return words[at] == "cade" or words[at + 1 : at + 2] in _IS_AT


def brings(words: tuple[str, ...]) -> bool:
    """Manda ração, me traz um suco: an order for a thing."""
    return (
        words[0] in _BRINGING
        or words[:2] == ("me", "ve")
        or (words[0] == "me" and words[1:2] != () and words[1] in _BRINGING)
    )


_BRINGING: Final = word_set("manda mande traz traga envia envie bring send trae traeme manden")


def _asks_price(words: tuple[str, ...]) -> bool:
    """Quanto custa, quanto fica, how much is: the price of something is asked for."""
    return any(before in _HOW_MUCH and word in _COSTS for before, word in pairwise(words)) or words[:2] == (
        "how",
        "much",
    )


_HOW_MUCH: Final = word_set("quanto cuanto")
_COSTS: Final = word_set(
    "custa custam ta esta fica ficaria sai sairia eh e vale cobram cobra da deu cuesta sale es vai"
)
_PRICES: Final = ("preco", "cotacao", "price", "quote", "precio")
_CHARGES: Final = ("cobr", "charg", "debit", "descont", "lanc")
_WHERE: Final = word_set("cade onde where donde")
_IS_AT: Final = {(word,) for word in ("ta", "esta", "estao", "tao", "anda", "andam", "parou", "is", "are")}
_SITES: Final = word_set(
    "loja lojas agencia agencias escritorio endereco unidade unidades clinica hotel escola farmacia posto sede store shop office branch tienda oficina sucursal "
    "banheiro estacionamento academia app aplicativo botao opcao menu site link nota fatura conta boleto"
)
"""What one asks the way to, or the page of."""


def _joins(words: tuple[str, ...]) -> bool:
    """Me coloca na turma, quero botar a Manu na robótica: somebody is to take part in something."""
    at = next((index for index, word in enumerate(words) if word in _PUTTING), None)
    return at is not None and not _INTO.isdisjoint(words[at + 1 : at + 4])


_PUTTING: Final = word_set("coloca colocar coloque bota botar bote poe por ponha inscreve inscrever")
_INTO: Final = frozenset({"no", "na", "nos", "nas", "num", "numa", "em"})


def _moves(words: tuple[str, ...]) -> bool:
    """Passa pra terça: something is moved to another day."""
    return any(
        word in _MOVING and "para" in words[index + 1 :] and not _DAYS.isdisjoint(words[index + 2 :])
        for index, word in enumerate(words)
    )
