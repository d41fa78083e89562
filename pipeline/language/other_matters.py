"""Another request or question in the place of an answer.

Owns: what makes a text unmistakably about something else: a person asked for, another topic, a verb of another kind, the
router of the caller.
Never: chooses a tool. Source: rule ABANDON-4.
"""

from typing import Final

from pipeline.language.asked import Asked
from pipeline.language.clause_words import spelled_out
from pipeline.language.clauses import Clause, Role, read_clauses
from pipeline.language.collecting_words import TOPICS, TROUBLES, WHERE_FROM
from pipeline.language.lexemes import Kind, Lexeme, lex, word_set, words_of
from pipeline.language.operations import Operation
from pipeline.language.politeness import only_no_answer
from pipeline.language.request_words import ACT_OF, ASKS, GENERIC_VERBS, GIVES, WANTS
from pipeline.language.stems import stem


def asks_else(text: str, asked: Asked) -> str:
    """By what a text is unmistakably another request or question; "" when it is none."""
    if not text.strip():
        return ""
    lexemes = spelled_out(lex(text))
    if next(WHERE_FROM.find(lexemes), None) is not None:
        return ""
    own = asked.own_words
    for clause in read_clauses(text, infinitives=frozenset(ACT_OF)):
        if clause.role is Role.PERSON:
            return "asks for a person"
        if clause.role is Role.STATEMENT and not asked.free_text and _trouble(clause, own):
            return "tells of another trouble"
        if clause.role is not Role.REQUEST and not (clause.role is Role.QUIT and not asked.operation.cancels):
            continue
        if other := _other(clause, asked, own):
            return other
    if asked.routes is not None and not only_no_answer(text):
        route = asked.routes(text)
        framed = any(clause.role is Role.REQUEST for clause in read_clauses(text, infinitives=frozenset(ACT_OF)))
        if route.tool is not None and framed:
            return f"the router: {route.rule}"
    return ""


def without_other_matters(text: str, asked: Asked) -> tuple[str, str]:
    """The text without the clauses that ask for something else, and those: "o Babbel e quero ver minha fatura"."""
    clauses = read_clauses(text, infinitives=frozenset(ACT_OF))
    own = asked.own_words
    others = [clause for clause in clauses if clause.role is Role.REQUEST and _other(clause, asked, own)]
    if not others or len(others) == len(clauses) or others[0] is clauses[0]:
        return text, ""
    first = others[0]
    return text[: first.start].rstrip(" ,.;"), text[first.start : clauses[-1].end]


def _trouble(clause: Clause, own: frozenset[str]) -> bool:
    """A matter of its own that does not work: "minha internet caiu"."""
    pieces = tuple(Lexeme(word, Kind.WORD, 0, 0, False) for word in clause.words)
    return not TROUBLES.isdisjoint(clause.words) and any(
        stem(clause.words[phrase.start]) not in own for phrase in TOPICS.find(pieces)
    )


def _other(clause: Clause, asked: Asked, own: frozenset[str]) -> str:
    words = clause.words
    pieces = tuple(Lexeme(word, Kind.WORD, 0, 0, False) for word in words)
    topics = [
        phrase
        for phrase in TOPICS.find(pieces)
        if not own & {stem(word) for word in words[phrase.start : phrase.end] if len(word) > 2}
    ]
    operation_acts = frozenset().union(*(ACT_OF.get(word, frozenset()) for word in _verbs_of(asked.operation)))
    verbs = [
        word
        for word in words[:6]
        if word in ACT_OF
        and word not in GENERIC_VERBS
        and word not in ASKS
        and word not in GIVES
        and not asked.operation.is_own(word)
        and stem(word) not in own
    ]
    acting = [word for word in verbs if not (ACT_OF[word] & operation_acts) and ACT_OF[word] != frozenset({"see"})]
    known = {part for value in asked.known_values for part in words_of(value)}
    named = bool(known & set(words))
    wants = any(word in WANTS or word in GIVES for word in words[:4])
    if clause.question and not asked.free_text and _asks_of_others(clause, own, named=named):
        return "a question about something else"
    if clause.question and topics:
        return "a question about another matter"
    if topics and wants and not named:
        return "a request about another matter"
    if acting and not named and (wants or words[0] in acting or clause.question) and not asked.free_text:
        return "a request of another kind"
    return ""


_YOU: Final = word_set("voces vcs you ustedes")
_NEEDS: Final = word_set(
    "precisa precisam quer querem sabe sabem consegue conseguem pode podem tem have need want can necesitan"
)
_CAME: Final = word_set("saiu chegou caiu veio voltou salio llego")


def _asks_of_others(clause: Clause, own: frozenset[str], *, named: bool) -> bool:
    """vocês entregam em Recife?, saiu o resultado do exame?: nothing of what was asked for is in it."""
    words = clause.words
    about = [word for word in words[2:] if len(word) > 3 and stem(word) not in own]
    if named or not about or any(word.isdigit() for word in words):
        return False
    if words[0] in _YOU:
        return words[1] not in _NEEDS and stem(words[1]) not in own
    return words[0] in _CAME and all(stem(word) not in own for word in words)


def _verbs_of(operation: Operation) -> frozenset[str]:
    return frozenset(word for word in ACT_OF if operation.is_own(word))
