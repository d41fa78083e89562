"""Questions that ask what there is, or by which rules, and for nothing.

Owns: "vocês fazem seguro de vida?", "até quando posso devolver?".
Never: knows a tool. Source: rules ROUTE-3, ROUTE-4.
"""

from itertools import pairwise
from typing import Final

from pipeline.language.clauses import Clause
from pipeline.language.lexemes import word_set

__all__ = ["asks_the_rules", "asks_what_there_is", "is_offered", "offers"]

_MINE: Final = word_set("meu minha meus minhas mim me my")
_HOSTS: Final = frozenset({"voces", "voce", "you", "vcs"})
_OFFERS: Final = {
    *(
        (host, verb)
        for host in ("voces", "vcs")
        for verb in ("vendem", "fazem", "alugam", "oferecem", "trabalham", "aceitam")
    ),
    *(("you", verb) for verb in ("sell", "offer", "carry", "accept")),
}
_ASKS_THE_RULES: Final = {
    ("ate", "quando"),
    ("hasta", "cuando"),
    ("until", "when"),
    ("quantos", "dias"),
    ("quanto", "tempo"),
}


def asks_what_there_is(clause: Clause) -> bool:
    """Whether it only asks, whatever it is about."""
    return is_offered(clause) or asks_the_rules(clause)


def asks_the_rules(clause: Clause) -> bool:
    """Até quando posso pedir reembolso?: what would be allowed."""
    return clause.question and clause.words[:2] in _ASKS_THE_RULES


def is_offered(clause: Clause) -> bool:
    """Vocês fazem seguro de vida?, what phones do you sell?: asks what there is."""
    return clause.question and (clause.words[0] in _HOSTS or _offering(clause))


def offers(clause: Clause) -> bool:
    """Vocês vendem geladeira?: whether it is sold here at all; "vocês alugam a minha?" is about the customer's own."""
    return _offering(clause) and _MINE.isdisjoint(clause.words)


def _offering(clause: Clause) -> bool:
    return any(pair in _OFFERS for pair in pairwise(clause.words))
