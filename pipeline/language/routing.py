"""Which tool a message asks for: none, one, or several in order of mention.

Owns: what is made of the choices of its clauses: jokes, what is over, a problem told as a reason, the message as a whole, further
requests, the order of mention.
Invariants: a negated, past or hypothetical clause, a reason or an aside chooses nothing; a tie chooses nothing.
Never: loads a model (`nearest` is given), reads arguments. Source: rules ROUTE-1 to ROUTE-5; DESIGN 7, Reconcile.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from pipeline.language.choices import MAX_CHARACTERS, TROUBLE, Choice, choices_of
from pipeline.language.clause_tells import tells_of_trouble
from pipeline.language.clause_words import is_laughter
from pipeline.language.clauses import LIVE, Clause, Role, read_clauses
from pipeline.language.closeness import Nearest, closest
from pipeline.language.evidence import Profiles, profiles_of
from pipeline.language.lexemes import lex, word_set
from pipeline.language.opposites import asks_the_opposite
from pipeline.language.tool_profile import RoutingTool
from pipeline.language.what_there_is import asks_how_it_stands, asks_what_there_is

__all__ = ["MULTIPLE", "Nearest", "Route", "RoutingTool", "route"]

MULTIPLE: Final = "multiple"

HALF: Final = 0.5
"""Share of the words of a joke that a tool has to explain more than: "vou bloquear meu ex kkk" is none."""


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
    choices, vague = choices_of(text, clauses, profiles, nearest)
    if joking:
        choices = [choice for choice in choices if choice.evidence.verbatim or choice.evidence.coverage > HALF]
    if not choices:
        # The very problem told as a reason: "tô sem sinal porque bloquearam".
        told = [replace(clause, role=Role.STATEMENT) for clause in clauses if clause.role is Role.REASON]
        choices = [choice for choice in choices_of(text, told, profiles, nearest)[0] if _troubled(choice)]
    if not choices:
        whole = _whole(clauses)
        if whole is not None:
            choices, _ = choices_of(text, [whole], profiles, nearest)
    if not choices:
        found = _closest(text, clauses, profiles, nearest) if nearest is not None and not joking else None
        return found or Route(None, rule="two tools fit alike" if vague else _why_none(clauses))
    if nearest is not None and not joking:
        choices = _with_further(choices, clauses, profiles, nearest)
    said = _said_for(text, clauses, choices)
    names = tuple(known[tool].name for tool in said)
    best = max(choices, key=lambda choice: choice.score)
    if len(names) == 1:
        return Route(names[0], (), (text.strip(),), best.rule, round(best.score, 3))
    return Route(
        MULTIPLE, names, tuple(said.values()), "two requests", round(min(choice.score for choice in choices), 3)
    )


def _said_for(text: str, clauses: Sequence[Clause], choices: Sequence[Choice]) -> dict[int, str]:
    """What was said for each tool, in order of mention: its requests, each with what follows up to the next request.

    A clause that chooses no tool goes on with the names of the request before it ("P-100, P-101 e P-102"): left out, its items
    would be lost.
    """
    spans: dict[int, list[tuple[int, int]]] = {}
    last: int | None = None
    for place, choice in enumerate(choices):
        until = choices[place + 1].clause.start if place + 1 < len(choices) else len(text)
        behind = (c.end for c in clauses if c.role in LIVE and choice.clause.end <= c.start and c.end <= until)
        start, end = choice.clause.start, max([choice.clause.end, *behind])
        mine = spans.setdefault(choice.tool, [])
        if last == choice.tool:
            start, _ = mine.pop()
        mine.append((start, end))
        last = choice.tool
    return {tool: ", ".join(text[start:end] for start, end in mine) for tool, mine in spans.items()}


def _closest(text: str, clauses: Sequence[Clause], profiles: Profiles, nearest: Nearest) -> Route | None:
    """The tool that the message as a whole comes close to, where every clause of it may ask."""
    asked = [clause for clause in clauses if clause.role not in {Role.NEGATED, Role.ASIDE}]
    live = all(clause.role in LIVE and clause.role is not Role.COMPLAINT and not clause.either for clause in asked)
    denied = len(asked) < len(clauses) and not any(clause.role is Role.REQUEST for clause in asked)
    if not 0 < len(asked) <= _MAX_CLOSE or not live or denied or any(asks_what_there_is(clause) for clause in asked):
        return None
    if any(asks_how_it_stands(clause) for clause in asked):
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
            if asks_the_opposite(span, profiles.profiles[place]):
                return None
            if wanting or not _WANTED & profiles.profiles[place].acts:
                return Route(
                    tools[place].name, (), (text.strip(),), f"ROUTE-1 closest meaning {close:.2f}", round(close, 3)
                )
    return None


def _with_further(
    choices: list[Choice], clauses: Sequence[Clause], profiles: Profiles, nearest: Nearest
) -> list[Choice]:
    """The choices, with those of the requests beside them that only come close to a tool."""
    chosen = {choice.clause for choice in choices}
    further = [
        clause for clause in clauses if clause.role is Role.REQUEST and clause not in chosen and not clause.either
    ]
    found = list(choices)
    for clause in further[:_MAX_FURTHER]:
        said = " ".join(clause.words)[:MAX_CHARACTERS]
        close = closest(said, tuple(p.tool for p in profiles.profiles), nearest)
        if close is not None and len(clause.words) > 2 and not asks_what_there_is(clause):
            evidence = profiles.evidence(clause)
            if evidence[close[0]].score + _WORDS_AGAINST >= max(one.score for one in evidence):
                found.append(Choice(clause, close[0], close[1], evidence[close[0]], "ROUTE-1 closest meaning"))
    return sorted(found, key=lambda choice: choice.clause.start)


_MAX_FURTHER: Final = 2
_WORDS_AGAINST: Final = 0.3
"""How much more the words of a further request may speak for another tool than for the closest one."""
_TOLD: Final = frozenset({Role.STATEMENT, Role.FRAGMENT, Role.DETAIL, Role.COMPLAINT})
"""What asks for nothing once it is over: "fiquei sem sinal mas já voltou"."""


_MAX_CLOSE: Final = 4
"""Clauses of a message that is looked at as a whole; a longer one is a story."""
_WANTED: Final = frozenset({"end", "buy"})
"""What has to be asked for; telling something that comes close to it is not asking."""


_THANKS: Final = word_set(
    "gratidao grato grata agradeco obrigado obrigada brigado brigada valeu vlw obg parabens thanks thank gracias"
)


def _troubled(choice: Choice) -> bool:
    """The very problem a tool exists for: "porque bloquearam", "é que tô sem sinal"."""
    return choice.evidence.state or (choice.evidence.phrase and not TROUBLE.isdisjoint(choice.clause.words))


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


def _goes_off(clause: Clause, following: Sequence[Clause], profiles: Profiles) -> bool:
    """Vou sair pra almoçar: a plan whose purpose has nothing to do with the agent."""
    return (
        clause.words[0] in {"vou", "vamos", "i'll"}
        and bool(following)
        and following[0].role is Role.PURPOSE
        and not any(one.score for one in profiles.evidence(following[0]))
    )
