"""The choice of one tool for each clause that may ask for one.

Owns: words and nearest meaning together as one number, the threshold and the margin, ties, alternatives, details.
Invariants: a tie chooses nothing unless one tool is named more closely; at most `MAX_MEANT` clauses have their meaning asked for.
Never: cuts a message. Source: rules ROUTE-1 to ROUTE-5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pipeline.language.clauses import LIVE, Clause, Role
from pipeline.language.closeness import Nearest
from pipeline.language.evidence import Evidence, Profiles
from pipeline.language.extract_words import DISOWNED
from pipeline.language.lexemes import lex, word_set
from pipeline.language.request_words import NEGATIONS
from pipeline.language.what_there_is import asks_how_it_stands, asks_the_rules, is_offered, offers

__all__ = ["MAX_CHARACTERS", "TROUBLE", "Choice", "choices_of"]

THRESHOLD: Final = 0.45
MARGIN: Final = 0.1
WORDS_WEIGHT: Final = 0.8
MEANING_WEIGHT: Final = 0.6
MEANING_ALONE: Final = 0.5
"""Similarity from which meaning alone may choose a tool."""
TROUBLE: Final = NEGATIONS | word_set("sem without sin errado errada errados erradas problema defeito wrong")
"""Words that tell of a trouble where nothing is refused: "a linha não voltou", "tô sem linha"."""
_EVENTS: Final = ("ou", "eu", "iu", "aram", "eram", "iram", "ped", "sed", "led")
"""Ends of words that tell of something that happened."""
_MENDED: Final = frozenset({"voltou", "voltaram", "resolveu", "resolveram", "funcionou", "chegou"})
VERBATIM: Final = 2.0
MAX_MEANT: Final = 8
"""Clauses whose meaning is asked for; each costs about two milliseconds with the sentence encoder."""
MAX_CHARACTERS: Final = 400
"""Characters of a clause given to `nearest`."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A tool for a clause."""

    clause: Clause
    tool: int
    score: float
    evidence: Evidence
    rule: str


def choices_of(
    text: str, clauses: Sequence[Clause], profiles: Profiles, nearest: Nearest | None
) -> tuple[list[Choice], bool]:
    """The choices in order, and whether somewhere two tools fitted alike."""
    choices: list[Choice] = []
    vague = False
    asked = 0
    hypothetical = {clause.sentence for clause in clauses if clause.role is Role.HYPOTHETICAL}
    asking = {clause.sentence for clause in clauses if clause.role is Role.REQUEST}
    disowned = next(DISOWNED.find(lex(text)), None) is not None
    for clause in clauses:
        if clause.role not in LIVE or (clause.role is Role.DETAIL and clause.sentence in asking):
            continue
        if clause.role in {Role.PURPOSE, Role.DETAIL} and any(
            choice.clause.sentence == clause.sentence for choice in choices
        ):
            continue
        evidence = profiles.evidence(clause, disowned=disowned)
        meaning: Mapping[str, float] = {}
        if nearest is not None and asked < MAX_MEANT and len(clause.words) > 0:
            asked += 1
            meaning = nearest(
                text[clause.start : clause.end][:MAX_CHARACTERS], tuple(p.tool for p in profiles.profiles)
            )
        choice, tied = _choose(clause, evidence, meaning, profiles, supposed=clause.sentence in hypothetical)
        if choice is None:
            vague = vague or tied
            continue
        if clause.either and choices and choices[-1].tool != choice.tool:
            return [], True  # "cancelar ou trocar": the customer has not chosen
        if choices and _detail(choice, choices[-1]):
            continue
        choices.append(choice)
    return choices, vague


def _choose(
    clause: Clause, evidence: list[Evidence], meaning: Mapping[str, float], profiles: Profiles, *, supposed: bool
) -> tuple[Choice | None, bool]:
    scored = sorted(
        (
            (_score(clause, one, meaning.get(profile.tool.name), supposed=supposed), -place)
            for place, (one, profile) in enumerate(zip(evidence, profiles.profiles, strict=True))
        ),
        reverse=True,
    )
    best, place = scored[0][0], -scored[0][1]
    second = scored[1][0] if len(scored) > 1 else 0.0
    if best < THRESHOLD:
        return None, False
    if best - second < MARGIN:
        alike = [-other for score, other in scored if best - score < MARGIN]
        settled = _named_more_closely(alike, evidence)
        if settled is None:
            return None, True
        place = settled
    chosen = evidence[place]
    near = meaning.get(profiles.profiles[place].tool.name, 0.0)
    rule = f"ROUTE-1 {chosen.rule}" if chosen.score >= 0.3 else f"ROUTE-1 nearest meaning {near:.2f}"
    return Choice(clause, place, best, chosen, rule), False


def _named_more_closely(alike: Sequence[int], evidence: list[Evidence]) -> int | None:
    """Of tools for one thing the one whose keyword says more: "faturas de abril" before "fatura", "invoice" before "invoices"."""
    if not all(evidence[place].nouns or evidence[place].phrase for place in alike):
        return None
    first, second, *_ = sorted(alike, key=lambda place: evidence[place].named, reverse=True)
    return first if evidence[first].named > evidence[second].named else None


def _score(clause: Clause, evidence: Evidence, near: float | None, *, supposed: bool) -> float:
    if evidence.verbatim and clause.role is not Role.COMPLAINT:
        return VERBATIM
    words = evidence.score * (0.7 + 0.3 * evidence.coverage)
    firm = evidence.action or evidence.phrase
    if clause.role is Role.COMPLAINT and not evidence.action:
        return (near or 0.0) - 0.3
    trouble = clause.role is Role.STATEMENT and not TROUBLE.isdisjoint(clause.words)
    event = trouble or clause.words[0] in {"tem", "ha"} or any(map(_happened, clause.words)) or _suffered(clause.words)
    mends = event and clause.role is Role.STATEMENT and evidence.mends
    if evidence.acting and not (firm or evidence.act or mends):
        # Words about the object of a change do not ask for the change.
        words *= 0.7
        near = None if near is None else near * 0.8
    offered = is_offered(clause)
    if evidence.acting and (asks_the_rules(clause) or asks_how_it_stands(clause)):
        return 0.0  # "até quando posso pedir reembolso?"
    if supposed and offered:
        return 0.0  # "se eu perder o cartão um dia, vocês bloqueiam?"
    if supposed and not firm:
        return words * 0.5
    if offered and not (firm or evidence.act):
        # "vocês fazem seguro de vida?" asks what there is, not for it.
        words *= 0.6
        near = None if near is None else near * 0.8
    if offers(clause):
        words *= 0.5
        near = None if near is None else near * 0.8
    if evidence.foreign and not firm:
        words *= 0.5 if evidence.other_act else 0.7
        near = None if near is None else near * 0.85
    if evidence.apart and not firm:
        words *= 0.9
        near = None if near is None else near * 0.85
    if supposed and clause.words[:1] in {("vou",), ("vamos",)}:
        return 0.0  # "vou cancelar se continuar assim"
    telling = clause.role is Role.STATEMENT and not evidence.happened
    if telling and not firm:
        near = near if near is None or event else near * 0.75
        several = evidence.hints + evidence.nouns > 1 or evidence.act or trouble or mends
        words *= 0.7 if several else 0.4
    if near is None:
        return max(words, THRESHOLD + 0.01) if evidence.coverage == 1 and evidence.kin and clause.question else words
    explained = words if evidence.coverage == 1 and not telling else 0.0
    if explained and evidence.kin and clause.question:
        explained = max(explained, THRESHOLD + 0.01)
    alone = near - MEANING_ALONE + THRESHOLD if near >= MEANING_ALONE else 0.0
    return max(WORDS_WEIGHT * words + MEANING_WEIGHT * near, alone, explained)


def _happened(word: str) -> bool:
    return len(word) > 4 and word.endswith(_EVENTS) and word not in _MENDED


def _suffered(words: tuple[str, ...]) -> bool:
    """Minha linha foi cortada, tá bloqueada: something is done to a thing."""
    return any(
        before in {"foi", "foram", "ta", "esta", "estao", "was", "is"} and word.endswith(("ado", "ada", "ido", "ida"))
        for before, word in pairwise(words)
    )


def _detail(choice: Choice, before: Choice) -> bool:
    """A thing named on after a request of its own verb: "cancela o Deezer e o pacote de música"."""
    if choice.tool == before.tool or not choice.clause.joined:
        return False
    named = choice.evidence.action or choice.evidence.phrase
    return choice.clause.role is Role.FRAGMENT and before.evidence.action and not named
