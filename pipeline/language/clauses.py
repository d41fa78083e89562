"""A message as clauses, each with what it does: asks, tells, denies, explains.

Owns: where a clause begins and ends; which clauses are no request (negated, past, hypothetical, a reason, an aside).
Invariants: clauses are in order, cover spans of the text and do not overlap; linear in the text.
Never: knows a tool. Source: rules ROUTE-3, ROUTE-5.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pipeline.language.clause_roles import LIVE, Role, Verbs, denied_or_past, has_verb, is_framed
from pipeline.language.clause_words import spelled_out, without_politeness_and_idioms
from pipeline.language.lexemes import Kind, Lexeme, lex, word_set
from pipeline.language.request_words import (
    ASKS,
    COMPLAINTS,
    CONTINUATIONS,
    GIVES,
    OPENERS,
    PERSON,
    PURPOSE,
    WANTS,
)
from pipeline.language.stems import is_infinitive

__all__ = ["LIVE", "Clause", "Role", "read_clauses"]

MAX_CLAUSES: Final = 40
"""Clauses read; a longer message is a story, and its first clauses carry the request."""


@dataclass(frozen=True, slots=True)
class Clause:
    words: tuple[str, ...]
    """Folded, everyday spellings resolved, politeness and idioms left out."""
    start: int
    end: int
    """Characters [start, end) of the message."""
    role: Role
    question: bool
    sentence: int
    """Which sentence of the message it stands in."""
    joined: bool = False
    """It goes on from the clause before it with "e" or a comma."""
    either: bool = False
    """It is an alternative ("ou trocar")."""


@dataclass(slots=True)
class _Draft:
    pieces: list[Lexeme]
    opener: str
    sentence: int
    ended_by: str = ""


def read_clauses(
    text: str, *, infinitives: frozenset[str] = frozenset(), actions: frozenset[str] | None = None
) -> list[Clause]:
    """The clauses of a message. `infinitives`: verbs that may open a request ("cancela"); `actions`: those whose past says
    that it is done ("já cancelei"), all of them where not given.
    """
    return list(_read(text, Verbs(infinitives, infinitives if actions is None else actions)))


@lru_cache(maxsize=32)
def _read(text: str, verbs: Verbs) -> tuple[Clause, ...]:
    lexemes = without_politeness_and_idioms(spelled_out(lex(text)))
    clauses: list[Clause] = []
    for draft in _drafts(lexemes):
        clause = _clause(draft, clauses[-1] if clauses else None, verbs)
        if clause is not None:
            clauses.append(clause)
        if len(clauses) >= MAX_CLAUSES:
            break
    return tuple(clauses)


def _drafts(lexemes: tuple[Lexeme, ...]) -> Iterator[_Draft]:
    sentence = 0
    draft = _Draft([], "", sentence)
    index = 0
    while index < len(lexemes):
        piece = lexemes[index]
        if piece.kind is Kind.MARK and piece.folded in ",;:.!?\n()—-/" and not (piece.folded in "-/." and piece.glued):
            draft.ended_by = piece.folded
            yield draft
            sentence += piece.folded in ".!?;"
            draft = _Draft([], "," if piece.folded in ",:()-—/" else ".", sentence)
            index += 1
            continue
        phrase = OPENERS.at(lexemes, index)
        if phrase is not None and _opens(phrase.meaning, draft, lexemes, index, phrase.end):
            yield draft
            draft = _Draft([], phrase.meaning, sentence)
            if phrase.meaning in {"maybe", "relative"}:
                draft.pieces.extend(lexemes[phrase.start : phrase.end])
            index = phrase.end
            continue
        if draft.pieces and _starts_wish(lexemes, index, draft):
            yield draft
            draft = _Draft([], "wish", sentence)
        elif (
            draft.pieces
            and piece.folded in PURPOSE
            and not _modal(draft)
            and index + 1 < len(lexemes)
            and (is_infinitive(lexemes[index + 1].folded) or lexemes[index + 1].folded in {"eu", "que"})
        ):
            yield draft
            draft = _Draft([], "purpose", sentence)
            index += 1
            continue
        draft.pieces.append(piece)
        index += 1
    yield draft


def _modal(draft: _Draft) -> bool:
    """Whether the infinitive after it is what is asked, no purpose: "dá pra trocar", "quero ver se dá pra trocar"."""
    words = [piece.folded for piece in draft.pieces]
    asked = words[words.index("se") + 1 :] if "se" in words else words
    return bool(asked) and all(
        word in {"da", "tem", "como", "jeito", "eh", "possivel", "sera", "que", "nao", "ainda"} for word in asked
    )


def _opens(meaning: str, draft: _Draft, lexemes: tuple[Lexeme, ...], index: int, end: int) -> bool:
    if meaning == "relative":
        # "quero que não cobrem": what is wanted, not a detail of a thing
        return len(draft.pieces) > 1 and draft.pieces[-1].folded not in WANTS | {
            "saber",
            "para",
            "ver",
            "diz",
            "sei",
            "acho",
            "espero",
            "eh",
            "tem",
        }
    if (
        meaning == "reason"
        and end < len(lexemes)
        and index == 0
        and lexemes[index].folded in {"porque", "pq", "afinal"}
    ):
        return False  # "porque minha conta veio alta?" asks
    if meaning == "but" and draft.pieces and lexemes[index].folded in _MERELY:
        return draft.pieces[-1].folded not in WANTS | CONTINUATIONS  # "quero só diminuir o plano" is one wish
    if meaning == "aside" and draft.pieces and draft.pieces[-1].folded in PURPOSE:
        return False  # "passa para depois do dia 7"
    if meaning == "aside" and lexemes[index].folded in {"sem", "fora", "without", "sin"}:
        return end < len(lexemes) and is_infinitive(lexemes[end].folded)
    if meaning == "if" and lexemes[index].folded == "se" and _befell(lexemes, end):
        return False
    if meaning == "if" and lexemes[index].folded == "se":
        before = draft.pieces[-1].folded if draft.pieces else ""
        return before not in _ASKS_WHETHER and end < len(lexemes)
    return True


def _befell(lexemes: tuple[Lexeme, ...], index: int) -> bool:
    """Se me cayó, se rompió: Spanish for what happened, no condition."""
    if index < len(lexemes) and lexemes[index].folded in {"me", "le", "nos", "te", "les"}:
        index += 1
    return index < len(lexemes) and lexemes[index].folded.endswith(("io", "yo", "corto", "apago", "quedo", "fue"))


def _starts_wish(lexemes: tuple[Lexeme, ...], index: int, draft: _Draft) -> bool:
    """A wish opens a clause of its own even without a mark before it: "oi quero cancelar"."""
    if draft.opener in {"relative", "maybe"}:
        return False
    before = draft.pieces[-1].folded
    asks_for = lexemes[index].folded == "me" and index + 1 < len(lexemes) and lexemes[index + 1].folded in GIVES
    if asks_for and before not in _CARRYING:
        return True  # "ao invés do boleto me manda a fatura"
    at = index
    while at < len(lexemes) and at < index + 3 and lexemes[at].folded in _LEADING:
        at += 1
    if at >= len(lexemes) or lexemes[at].folded not in _WISHING:
        return False
    return before not in CONTINUATIONS and before not in WANTS


_ASKS_WHETHER: Final = word_set(
    "saber ver sei know ve veja vejam olha olhe confere confira conferir checa checar verifica verifique verificar diz diga dizer fala fale falar informa "
    "informe pergunta perguntar check see tell say dime diga decir ver mira"
)
"""Before "se" they make it a question, no condition: "vê se meu exame saiu"."""
_MERELY: Final = frozenset({"so", "somente", "apenas", "just", "only", "solo", "solamente"})
_LEADING: Final = CONTINUATIONS - {"que", "a"}
_WISHING: Final = WANTS - {"want", "need", "quer"}
_CARRYING: Final = CONTINUATIONS | GIVES | WANTS


def _clause(draft: _Draft, before: Clause | None, verbs: Verbs) -> Clause | None:
    pieces = [piece for piece in draft.pieces if piece.kind is not Kind.MARK]
    if not pieces:
        return None
    words = tuple(piece.folded for piece in pieces)
    question = draft.ended_by == "?" or words[0] in ASKS
    role = _role(words, draft, before, question=question, verbs=verbs)
    joined = draft.opener in {"and", ",", "but", "wish"}
    return Clause(words, pieces[0].start, pieces[-1].end, role, question, draft.sentence, joined, draft.opener == "or")


def _role(words: tuple[str, ...], draft: _Draft, before: Clause | None, *, question: bool, verbs: Verbs) -> Role:
    framed = is_framed(words, verbs.orders)
    if next(PERSON.find(tuple(draft.pieces)), None) is not None:
        return Role.PERSON
    opener = draft.opener
    thanked = words[0] == "por" and words[1:2] in _THANKED_FOR
    if (thanked or words[0] in {"pela", "pelo", "pelas", "pelos", "for"}) and not framed and len(words) > 1:
        return Role.ASIDE  # "obrigado pela aula": thanks are taken out before
    match opener:
        case "reason":
            return Role.REASON
        case "aside":
            return Role.ASIDE
        case "if" | "maybe":
            return Role.HYPOTHETICAL
        case "purpose":
            return Role.PURPOSE
    same = before is not None and before.sentence == draft.sentence
    if same and before is not None and before.role is Role.PURPOSE and opener == "and" and is_infinitive(words[0]):
        return Role.PURPOSE
    if opener != "but" and words[0] == "como" and words[1:2] and words[1] in _SUBJECTS and draft.ended_by == ",":
        return Role.REASON  # "como a fatura veio cara, …"
    if same and before is not None and opener == "and" and not framed:
        # A reason or a refusal goes on over "e": "porque é caro e ruim", "não quero cancelar e trocar".
        if before.role in {Role.REASON, Role.HYPOTHETICAL}:
            return before.role
        if before.role is Role.NEGATED and (is_infinitive(words[0]) or len(words) <= 3):
            return Role.NEGATED
    if same and before is not None and before.role is Role.HYPOTHETICAL and words[0].startswith("desist"):
        return Role.HYPOTHETICAL  # "pensei em contratar mas desisti": nothing was asked for
    if (told := denied_or_past(words, question=question, verbs=verbs)) is not None:
        return told
    if opener == "relative":
        return Role.DETAIL
    instead = before is not None and before.role in {Role.NEGATED, Role.DETAIL} and words[0] == "eh"
    if words[0] == "como" and draft.ended_by != "?" and not COMPLAINTS.isdisjoint(words):
        return Role.COMPLAINT  # "como é caro esse seguro"
    goes_on = same and before is not None and before.role is Role.REQUEST and opener == "and" and len(words) > 1
    if framed or question or instead or (goes_on and is_infinitive(words[0])):
        return Role.REQUEST
    if COMPLAINTS & set(words) or (words[0] == "que" and words[-1] in {"hein", "hem"}):
        return Role.COMPLAINT
    return Role.STATEMENT if has_verb(words) else Role.FRAGMENT


_THANKED_FOR: Final = {(word,) for word in ("el", "la", "los", "las", "su", "tu", "todo", "toda")}
"""Behind "gracias por": what was given."""
_SUBJECTS: Final = frozenset({"o", "a", "os", "as", "eu", "meu", "minha", "voces", "nao", "ja", "esta", "esse", "essa"})
"""Words that open the subject of a reason with "como"."""
