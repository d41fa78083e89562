"""Which tool a message asks for: none, one, or several in order of mention.

Owns: the choice among the tools of an agent, clause by clause: words first, then nearest meaning, with a threshold and a
margin.
Invariants: a negated, past or hypothetical clause, a reason or an aside chooses nothing; a tie chooses nothing.
Never: loads a model (`nearest` is given), reads arguments. Source: rules ROUTE-1 to ROUTE-5; DESIGN 7, Reconcile.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from pipeline.language.clause_roles import tells_of_trouble
from pipeline.language.clauses import LIVE, Clause, Role, is_laughter, read_clauses
from pipeline.language.closeness import Nearest, closest
from pipeline.language.evidence import Evidence, Profiles, profiles_of
from pipeline.language.extract_words import DISOWNED
from pipeline.language.lexemes import lex, word_set
from pipeline.language.request_words import NEGATIONS
from pipeline.language.tool_profile import RoutingTool

__all__ = ["MULTIPLE", "Nearest", "Route", "RoutingTool", "route"]

MULTIPLE: Final = "multiple"

THRESHOLD: Final = 0.45
MARGIN: Final = 0.1
WORDS_WEIGHT: Final = 0.8
MEANING_WEIGHT: Final = 0.6
MEANING_ALONE: Final = 0.5
"""Similarity from which meaning alone may choose a tool."""
_TROUBLE: Final = NEGATIONS | word_set("sem without sin errado errada errados erradas problema defeito wrong")
"""Words that tell of a trouble where nothing is refused: "a linha não voltou", "tô sem linha"."""
_EVENTS: Final = ("ou", "eu", "iu", "aram", "eram", "iram", "ped", "sed", "led")
"""Ends of words that tell of something that happened."""
_MENDED: Final = frozenset({"voltou", "voltaram", "resolveu", "resolveram", "funcionou", "chegou"})
HALF: Final = 0.5
"""Share of the words of a joke that a tool has to explain more than: "vou bloquear meu ex kkk" is none."""
VERBATIM: Final = 2.0
MAX_MEANT: Final = 8
"""Clauses whose meaning is asked for; each costs about two milliseconds with the sentence encoder."""
MAX_CHARACTERS: Final = 400
"""Characters of a clause given to `nearest`."""


@dataclass(frozen=True, slots=True)
class Route:
    tool: str | None
    """A tool's name, "multiple", or None: nothing asked for that a tool covers."""
    tools: tuple[str, ...] = ()
    """With "multiple", the tools in order of mention."""
    parts: tuple[str, ...] = ()
    """The text of each request, in the order of `tools` (or of the one tool)."""
    rule: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True)
class _Choice:
    clause: Clause
    tool: int
    score: float
    evidence: Evidence
    rule: str


def route(text: str, tools: Sequence[RoutingTool], *, nearest: Nearest | None = None, locale: str = "pt-BR") -> Route:
    """Choose among `tools`. `nearest` may be None: words decide alone."""
    del locale  # customers mix languages; the words of all three are read
    known = tuple(tools)
    if not known or not text.strip():
        return Route(None, rule="nothing to choose from")
    profiles = profiles_of(known)
    joking = any(is_laughter(piece.folded) for piece in lex(text))
    clauses = read_clauses(text, infinitives=profiles.request_words, actions=profiles.action_words)
    over = max((place for place, clause in enumerate(clauses) if clause.role is Role.OVER), default=0)
    clauses = [
        clause
        for place, clause in enumerate(clauses)
        if not _goes_off(clause, clauses[place + 1 : place + 2], profiles)
        and not (place < over and clause.role in _TOLD)
    ]
    choices, vague = _choices(text, clauses, profiles, nearest)
    if joking:
        choices = [choice for choice in choices if choice.evidence.verbatim or choice.evidence.coverage > HALF]
    if not choices:
        # The very problem told as a reason: "tô sem sinal porque bloquearam".
        told = [replace(clause, role=Role.STATEMENT) for clause in clauses if clause.role is Role.REASON]
        choices = [choice for choice in _choices(text, told, profiles, nearest)[0] if _troubled(choice)]
    if not choices:
        whole = _whole(clauses)
        if whole is not None:
            choices, _ = _choices(text, [whole], profiles, nearest)
    if not choices:
        found = _closest(text, clauses, profiles, nearest) if nearest is not None and not joking else None
        return found or Route(None, rule="two tools fit alike" if vague else _why_none(clauses))
    if nearest is not None and not joking:
        choices = _with_further(choices, clauses, profiles, nearest)
    order: dict[int, list[_Choice]] = {}
    for choice in choices:
        order.setdefault(choice.tool, []).append(choice)
    names = tuple(known[tool].name for tool in order)
    parts = tuple(
        text[min(choice.clause.start for choice in chosen) : max(choice.clause.end for choice in chosen)]
        for chosen in order.values()
    )
    best = max(choices, key=lambda choice: choice.score)
    if len(names) == 1:
        return Route(names[0], (), (text.strip(),), best.rule, round(best.score, 3))
    return Route(MULTIPLE, names, parts, "two requests", round(min(choice.score for choice in choices), 3))


def _closest(text: str, clauses: Sequence[Clause], profiles: Profiles, nearest: Nearest) -> Route | None:
    """The tool that the message as a whole comes close to, where every clause of it may ask."""
    asked = [clause for clause in clauses if clause.role not in {Role.NEGATED, Role.ASIDE}]
    live = all(clause.role in LIVE and clause.role is not Role.COMPLAINT and not clause.either for clause in asked)
    denied = len(asked) < len(clauses) and not any(clause.role is Role.REQUEST for clause in asked)
    if not 0 < len(asked) <= _MAX_CLOSE or not live or denied or any(_asks_only(clause) for clause in asked):
        return None
    if not _THANKS.isdisjoint(piece.folded for piece in lex(text)):
        return None
    tools = tuple(profile.tool for profile in profiles.profiles)
    spans = [asked] if len(asked) == 1 else [asked, *([clause] for clause in asked[:2])]
    for span in spans:
        if sum(len(clause.words) for clause in span) < 2:
            continue
        said = " ".join(word for clause in span for word in clause.words)[:MAX_CHARACTERS]
        wanting = any(clause.role is Role.REQUEST for clause in span)
        troubled = not wanting and any(tells_of_trouble(clause.words) for clause in span)
        troubles = [profile.troubles for profile in profiles.profiles] if troubled else []
        found = closest(said, tools, nearest, troubles)
        if found is not None:
            place, close = found
            if wanting or not _WANTED & profiles.profiles[place].acts:
                return Route(
                    tools[place].name, (), (text.strip(),), f"ROUTE-1 closest meaning {close:.2f}", round(close, 3)
                )
    return None


def _with_further(
    choices: list[_Choice], clauses: Sequence[Clause], profiles: Profiles, nearest: Nearest
) -> list[_Choice]:
    """The choices, with those of the requests beside them that only come close to a tool."""
    chosen = {choice.clause for choice in choices}
    further = [
        clause for clause in clauses if clause.role is Role.REQUEST and clause not in chosen and not clause.either
    ]
    found = list(choices)
    for clause in further[:_MAX_FURTHER]:
        said = " ".join(clause.words)[:MAX_CHARACTERS]
        close = closest(said, tuple(p.tool for p in profiles.profiles), nearest)
        if close is not None and len(clause.words) > 2 and not _asks_only(clause):
            evidence = profiles.evidence(clause)[close[0]]
            found.append(_Choice(clause, close[0], close[1], evidence, "ROUTE-1 closest meaning"))
    return sorted(found, key=lambda choice: choice.clause.start)


_MAX_FURTHER: Final = 2
_TOLD: Final = frozenset({Role.STATEMENT, Role.FRAGMENT, Role.DETAIL, Role.COMPLAINT})
"""What asks for nothing once it is over: "fiquei sem sinal mas já voltou"."""


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
_MAX_CLOSE: Final = 4
"""Clauses of a message that is looked at as a whole; a longer one is a story."""
_WANTED: Final = frozenset({"end", "buy"})
"""What has to be asked for; telling something that comes close to it is not asking."""


def _asks_only(clause: Clause) -> bool:
    return _offered(clause) or (clause.question and clause.words[:2] in _ASKS_THE_RULES)


def _offered(clause: Clause) -> bool:
    """Vocês fazem seguro de vida?, what phones do you sell?: asks what there is."""
    if not clause.question:
        return False
    return clause.words[0] in _HOSTS or any(pair in _OFFERS for pair in pairwise(clause.words))


_THANKS: Final = word_set(
    "gratidao grato grata agradeco obrigado obrigada brigado brigada valeu vlw obg parabens thanks thank gracias"
)


def _troubled(choice: _Choice) -> bool:
    """The very problem a tool exists for: "porque bloquearam", "é que tô sem sinal"."""
    return choice.evidence.state or (choice.evidence.phrase and not _TROUBLE.isdisjoint(choice.clause.words))


def _whole(clauses: Sequence[Clause]) -> Clause | None:
    """The live clauses of a message taken together, where each alone was too little."""
    live = [clause for clause in clauses if clause.role in LIVE and clause.role is not Role.COMPLAINT]
    if len(live) < 2 or len(live) != len(clauses) or any(clause.either for clause in live):
        return None
    roles = {clause.role for clause in live}
    role = Role.REQUEST if Role.REQUEST in roles else Role.STATEMENT
    words = tuple(word for clause in live for word in clause.words)
    return Clause(words, live[0].start, live[-1].end, role, any(clause.question for clause in live), 0)


def _why_none(clauses: Sequence[Clause]) -> str:
    roles = {clause.role for clause in clauses} - LIVE
    return f"only {', '.join(sorted(roles))}" if roles else "no tool covers it"


def _choices(
    text: str, clauses: Sequence[Clause], profiles: Profiles, nearest: Nearest | None
) -> tuple[list[_Choice], bool]:
    choices: list[_Choice] = []
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
) -> tuple[_Choice | None, bool]:
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
    return _Choice(clause, place, best, chosen, rule), False


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
    trouble = clause.role is Role.STATEMENT and not _TROUBLE.isdisjoint(clause.words)
    event = trouble or clause.words[0] in {"tem", "ha"} or any(map(_happened, clause.words)) or _suffered(clause.words)
    mends = event and clause.role is Role.STATEMENT and evidence.mends
    if evidence.acting and not (firm or evidence.act or mends):
        # Words about the object of a change do not ask for the change.
        words *= 0.7
        near = None if near is None else near * 0.8
    offered = _offered(clause)
    if clause.question and clause.words[:2] in _ASKS_THE_RULES and evidence.acting:
        return 0.0  # "até quando posso pedir reembolso?"
    if supposed and offered:
        return 0.0  # "se eu perder o cartão um dia, vocês bloqueiam?"
    if supposed and not firm:
        return words * 0.5
    if offered and not (firm or evidence.act):
        # "vocês fazem seguro de vida?" asks what there is, not for it.
        words *= 0.6
        near = None if near is None else near * 0.8
    if any(pair in _OFFERS for pair in pairwise(clause.words)) and _MINE.isdisjoint(clause.words):
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


def _goes_off(clause: Clause, following: Sequence[Clause], profiles: Profiles) -> bool:
    """Vou sair pra almoçar: a plan whose purpose has nothing to do with the agent."""
    return (
        clause.words[0] in {"vou", "vamos", "i'll"}
        and bool(following)
        and following[0].role is Role.PURPOSE
        and not any(one.score for one in profiles.evidence(following[0]))
    )


def _happened(word: str) -> bool:
    return len(word) > 4 and word.endswith(_EVENTS) and word not in _MENDED


def _suffered(words: tuple[str, ...]) -> bool:
    """Minha linha foi cortada, tá bloqueada: something is done to a thing."""
    return any(
        before in {"foi", "foram", "ta", "esta", "estao", "was", "is"} and word.endswith(("ado", "ada", "ido", "ida"))
        for before, word in pairwise(words)
    )


def _detail(choice: _Choice, before: _Choice) -> bool:
    """A thing named on after a request of its own verb: "cancela o Deezer e o pacote de música"."""
    if choice.tool == before.tool or not choice.clause.joined:
        return False
    named = choice.evidence.action or choice.evidence.phrase
    return choice.clause.role is Role.FRAGMENT and before.evidence.action and not named
