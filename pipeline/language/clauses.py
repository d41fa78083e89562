"""A message as clauses, each with what it does: asks, tells, denies, explains.

Owns: where a clause begins and ends; which clauses are no request (negated, past, hypothetical, a reason, an aside).
Invariants: clauses are in order, cover spans of the text and do not overlap; linear in the text.
Never: knows a tool. Source: rules ROUTE-3, ROUTE-5.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pipeline.language.lexemes import Kind, Lexeme, lex, word_set
from pipeline.language.normalize import SPELLINGS
from pipeline.language.request_words import (
    ASKS,
    COMPLAINTS,
    CONTINUATIONS,
    GIVES,
    NEGATIONS,
    OPENERS,
    PERSON,
    PURPOSE,
    QUIT_VERBS,
    REMOVED,
    WANTS,
    WISHES,
)
from pipeline.language.stems import is_first_person_past, is_infinitive, is_told, stem

MAX_CLAUSES: Final = 40
"""Clauses read; a longer message is a story, and its first clauses carry the request."""


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
    HYPOTHETICAL = "hypothetical"
    REASON = "reason"
    ASIDE = "aside"
    PERSON = "person"
    COMPLAINT = "complaint"


LIVE: Final = frozenset(
    {Role.REQUEST, Role.STATEMENT, Role.FRAGMENT, Role.QUIT, Role.PURPOSE, Role.DETAIL, Role.COMPLAINT}
)


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


def spelled_out(lexemes: tuple[Lexeme, ...]) -> tuple[Lexeme, ...]:
    """Everyday spellings as plain words; each keeps the span of what was written."""
    plain: list[Lexeme] = []
    for piece in lexemes:
        words = (
            piece.folded
            if piece.kind is not Kind.WORD or piece.folded == "eh"
            else SPELLINGS.get(piece.folded, piece.folded)
        )
        plain.extend(
            piece if word == piece.folded else Lexeme(word, piece.kind, piece.start, piece.end, piece.glued)
            for word in words.split()
        )
    return tuple(plain)


def read_clauses(text: str, *, infinitives: frozenset[str] = frozenset()) -> list[Clause]:
    """The clauses of a message. `infinitives`: request words of the tools ("cancela"), which may open a clause."""
    lexemes = _without(spelled_out(lex(text)))
    clauses: list[Clause] = []
    for draft in _drafts(lexemes):
        clause = _clause(draft, clauses[-1] if clauses else None, infinitives)
        if clause is not None:
            clauses.append(clause)
        if len(clauses) >= MAX_CLAUSES:
            break
    return clauses


def _without(lexemes: tuple[Lexeme, ...]) -> tuple[Lexeme, ...]:
    kept: list[Lexeme] = []
    index = 0
    while index < len(lexemes):
        phrase = REMOVED.at(lexemes, index)
        if phrase is None:
            kept.append(lexemes[index])
            index += 1
        else:
            if phrase.meaning == "polite" and kept and kept[-1].kind is Kind.WORD and phrase.start == 0:
                kept.append(_comma(lexemes[phrase.end - 1]))
            index = phrase.end
    return tuple(kept)


def _comma(after: Lexeme) -> Lexeme:
    return Lexeme(",", Kind.MARK, after.end, after.end, True)


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
            and is_infinitive(lexemes[index + 1].folded)
        ):
            yield draft
            draft = _Draft([], "purpose", sentence)
            index += 1
            continue
        draft.pieces.append(piece)
        index += 1
    yield draft


def _modal(draft: _Draft) -> bool:
    """Whether the infinitive after it is what is asked, no purpose: "dá pra trocar"."""
    return all(
        piece.folded in {"da", "tem", "como", "jeito", "eh", "possivel", "sera", "que", "nao", "ainda"}
        for piece in draft.pieces
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
    if meaning == "aside" and lexemes[index].folded in {"sem", "fora", "without", "sin"}:
        return end < len(lexemes) and is_infinitive(lexemes[end].folded)
    if meaning == "if" and lexemes[index].folded == "se":
        before = draft.pieces[-1].folded if draft.pieces else ""
        return before not in {"saber", "ver", "sei", "know"} and end < len(lexemes)
    return True


def _starts_wish(lexemes: tuple[Lexeme, ...], index: int, draft: _Draft) -> bool:
    """A wish opens a clause of its own even without a mark before it: "oi quero cancelar"."""
    if draft.opener in {"relative", "maybe"}:
        return False
    at = index
    while at < len(lexemes) and at < index + 3 and lexemes[at].folded in CONTINUATIONS - {"que", "a"}:
        at += 1
    if at >= len(lexemes) or lexemes[at].folded not in WANTS - {"want", "need", "quer"}:
        return False
    before = draft.pieces[-1].folded
    return before not in CONTINUATIONS and before not in WANTS


def _clause(draft: _Draft, before: Clause | None, infinitives: frozenset[str]) -> Clause | None:
    pieces = [piece for piece in draft.pieces if piece.kind is not Kind.MARK]
    if not pieces:
        return None
    words = tuple(piece.folded for piece in pieces)
    question = draft.ended_by == "?" or words[0] in ASKS
    role = _role(words, draft, before, question=question, verbs=infinitives)
    joined = draft.opener in {"and", ",", "but", "wish"}
    return Clause(words, pieces[0].start, pieces[-1].end, role, question, draft.sentence, joined, draft.opener == "or")


def _role(
    words: tuple[str, ...], draft: _Draft, before: Clause | None, *, question: bool, verbs: frozenset[str]
) -> Role:
    framed = _framed(words, verbs)
    if next(PERSON.find(tuple(draft.pieces)), None) is not None:
        return Role.PERSON
    opener = draft.opener
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
    if same and before is not None and opener == "and" and not framed:
        # A reason or a refusal goes on over "e": "porque é caro e ruim", "não quero cancelar e trocar".
        if before.role in {Role.REASON, Role.HYPOTHETICAL}:
            return before.role
        if before.role is Role.NEGATED and (is_infinitive(words[0]) or len(words) <= 3):
            return Role.NEGATED
    if (told := _denied_or_past(words, question=question, verbs=verbs)) is not None:
        return told
    if opener == "relative":
        return Role.DETAIL
    if framed or question:
        return Role.REQUEST
    if COMPLAINTS & set(words):
        return Role.COMPLAINT
    return Role.STATEMENT if _has_verb(words) else Role.FRAGMENT


def _framed(words: tuple[str, ...], verbs: frozenset[str]) -> bool:
    head = [word for word in words[:5] if word not in CONTINUATIONS - {"nao", "n", "nem", "no", "don't"}]
    if not head:
        return False
    if head[0] in WANTS or head[0] in GIVES or head[0] in verbs or head[0] in ASKS:
        return True
    return any(word in WANTS for word in head[:3]) or (
        head[0] in {"me", "da", "tem", "to", "i'd"}
        and len(head) > 1
        and (head[1] in GIVES | verbs | {"para", "como", "jeito", "like"})
    )


def _denied_or_past(words: tuple[str, ...], *, question: bool, verbs: frozenset[str]) -> Role | None:
    place = next((index for index, word in enumerate(words) if word in NEGATIONS), None)
    if place is not None:
        after = words[place + 1 :]
        if after and after[0].startswith(("esquec", "deix", "forget")):
            return None
        if question and after and after[0] in {"da", "tem", "pode", "consegue", "podem", "can", "quer"}:
            return None
        if place > 0 and words[place - 1] in {"porque", "pq", "why"}:
            return None
        if not after and place > 0 and any(word in WANTS or word in verbs for word in words):
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
            if (
                not quits
                and wish + 1 < len(after)
                and after[wish] in {"quero", "quiero"}
                and rest
                and rest[-1] == "mais"
            ):
                quits = True
            verb = next((word for word in rest[:4] if is_infinitive(word) or word in verbs), None)
            wants_thing = after[wish] in WANTS or after[wish] in {"want", "need", "quero"}
            if quits and wants_thing and len(rest) > 1 and (verb is None or verb in QUIT_VERBS):
                return Role.QUIT
            return Role.NEGATED
        if any(word in verbs and not is_told(word) for word in after[:3]) and not any(
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
    done = not {"ja", "already"}.isdisjoint(words)
    stems = {stem(verb) for verb in verbs}
    first_person = [word for word in words if is_first_person_past(word)]
    if any(done or word in _ASKED_BEFORE or stem(word) in stems for word in first_person if word not in _PROBLEMS):
        return Role.PAST
    if done and any(word.endswith(("aram", "eram", "iram", "ou")) and len(word) > 4 for word in words):
        return Role.PAST
    if done and any(word in {"tenho", "vi", "sei", "ta", "esta", "foi", "foram", "have", "tinha"} for word in words):
        return Role.PAST
    return None


_ASKED_BEFORE: Final = word_set(
    "pedi solicitei paguei recebi liguei falei comprei consultei quitei resolvi consegui asked paid received called requested bought pague pedi recibi"
)
"""What a customer did before: told, not asked for."""
_PROBLEMS: Final = word_set("desisti quebrei esqueci perdi mudei errei digitei bati cai")


def _has_verb(words: tuple[str, ...]) -> bool:
    return any(word in _COMMON_VERBS or _finite(word) for word in words)


def _finite(word: str) -> bool:
    return len(word) > 4 and word.endswith(
        ("ou", "eu", "iu", "ei", "aram", "eram", "iram", "ava", "avam", "ando", "endo", "indo", "ed")
    )


_COMMON_VERBS: Final = word_set(
    "e eh foi ta esta estou to tava era sou sao tem tenho ha fica ficou veio vem vai vou deu da caiu caem saiu "
    "chegou chega sumiu parou acabou funciona liga abre pega roubaram furtaram cortaram is are was has have came "
    "got stopped es esta tiene"
)
