"""Questions that ask what there is, or by which rules, and for nothing.

Owns: "vocês fazem seguro de vida?", "até quando posso devolver?", "cancelou mesmo?", "quais são minhas assinaturas?".
Never: knows a tool. Source: rules ROUTE-3, ROUTE-4.
"""

from itertools import pairwise
from typing import Final

from pipeline.language.clauses import Clause
from pipeline.language.lexemes import word_set
from pipeline.language.request_words import ACT_OF

__all__ = ["asks_how_it_stands", "asks_the_rules", "asks_what_there_is", "is_offered", "offers"]

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
_BEFORE_DONE: Final = word_set("ja e entao voce voces vc vcs already")
_DONE: Final = ("aram", "ou")
"""Endings of what somebody else did, of verbs in -ar."""
_WHICH: Final = word_set("quais qual que o what which cuales e")
_HAVE: Final = word_set("tenho tengo have")
_ARE: Final = word_set("sao son are")
_OF_MINE: Final = word_set("meus minhas mis my")
_OPENING: Final = 4
"""Words in which such a question says whose things it is about."""


def asks_how_it_stands(clause: Clause) -> bool:
    """Cancelou mesmo?, quais são minhas assinaturas?: what was ended or what is held, and no change of it."""
    return clause.question and (_asks_whether_ended(clause.words) or _asks_what_is_held(clause.words))


def _asks_whether_ended(words: tuple[str, ...]) -> bool:
    while len(words) > 1 and words[0] in _BEFORE_DONE:
        words = words[1:]
    if words[:2] == ("deu", "certo"):
        return True
    if words[:2] == ("did", "you"):
        return any(map(_ends, words[2:]))
    ending = next((end for end in _DONE if words[0].endswith(end)), "")
    return bool(ending) and _ends(f"{words[0].removesuffix(ending)}ar")


def _asks_what_is_held(words: tuple[str, ...]) -> bool:
    if words[0] not in _WHICH or any(map(_ends, words)):
        return False
    opening = words[1:_OPENING]
    mine = not _ARE.isdisjoint(opening) and not _OF_MINE.isdisjoint(opening)
    return mine or not _HAVE.isdisjoint(words[1:])


def _ends(word: str) -> bool:
    return "end" in ACT_OF.get(word, ())


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
