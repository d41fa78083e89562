"""How much the words of a clause speak for each tool, without any model.

Owns: the weighing of keyword verbs, phrases, nouns, hints and everyday verbs across the tools of an agent.
Invariants: a word that many tools share says little; whole tokens only; deterministic.
Never: decides. Source: rules ROUTE-1, ROUTE-2.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import OSA

from pipeline.language.clauses import Clause, Role
from pipeline.language.normalize import unstretched
from pipeline.language.request_words import ACT_OF, CONCEPTS, EMPTY_WORDS, GENERIC_VERBS, SAME
from pipeline.language.said_words import (
    DETERMINERS,
    HAPPENINGS,
    HAVING,
    SaidWords,
    brings,
    is_order,
    orders,
    said_words,
)
from pipeline.language.stems import is_infinitive, is_told, stem
from pipeline.language.tool_profile import Profile, RoutingTool, profile_of


@dataclass(frozen=True, slots=True)
class Evidence:
    """How much the words of a clause speak for one tool, 0 to 1, and by what."""

    score: float
    action: bool
    phrase: bool
    named: tuple[int, int]
    """Of tools that fit alike: telling words of the longest phrase, keywords said in their very form."""
    nouns: int
    hints: int
    act: bool
    coverage: float
    """Share of the telling words of the clause that the tool explains."""
    acting: bool
    """The tool changes something: words about its object alone do not ask for it."""
    happened: bool
    """The clause tells the very problem the tool exists for: "não serviu", "roubaram"."""
    verbatim: bool
    """The clause is one of the tool's examples, word for word."""
    state: bool
    """Something is as the tool's texts say of the trouble it exists for."""
    of_object: bool
    """It is asked for by verbs that mean nothing without their object: comprar, mudar."""
    mends: bool
    """It puts a trouble right."""
    kin: bool
    """A word of the family of a keyword: "vence" beside "vencimento"."""
    foreign: bool
    """A verb that the tool does not know says what is asked."""
    other_act: bool
    """Such a verb asks for what the tool does not do: "cancelar o seguro", of a tool that quotes."""
    apart: bool
    """What is asked and what the tool does are of different kinds."""
    rule: str

    @property
    def only_act(self) -> bool:
        return self.act and not (self.nouns or self.hints or self.action or self.phrase)


_ACTING: Final = frozenset({"end", "buy", "free", "block", "dispute", "return", "change", "transfer", "raise"})

_MENDING: Final = frozenset({"free", "report", "return", "track"})
_INFORMING: Final = frozenset({"see", "get"})


def _groups(acts: frozenset[str]) -> frozenset[str]:
    return frozenset("inform" if act in _INFORMING else act for act in acts)


def _foreign(content: tuple[tuple[str, str], ...], profile: "Profile") -> tuple[str, ...]:
    """Verbs in it that the tool does not know."""
    return tuple(
        word
        for word, stem_ in content
        if is_infinitive(word)
        and word not in GENERIC_VERBS
        and stem_ not in profile.hints | profile.actions | profile.nouns
        and not ACT_OF.get(word, frozenset()) & profile.acts
    )


class Profiles:
    def __init__(self, tools: Sequence[RoutingTool]) -> None:
        self.profiles = tuple(profile_of(tool) for tool in tools)
        self.request_words = frozenset().union(*(profile.action_words for profile in self.profiles))
        self.action_words = self.request_words
        acts = frozenset().union(*(profile.acts for profile in self.profiles)) - _INFORMING
        self.request_words |= {word for word, found in ACT_OF.items() if found & acts and orders(word)}
        self._actions = Counter(action for profile in self.profiles for action in profile.actions)
        self._nouns = Counter(noun for profile in self.profiles for noun in profile.nouns)
        self._hints = Counter(hint for profile in self.profiles for hint in profile.hints | profile.nouns)
        self._finders = sum(map(_finds, self.profiles))
        self._movers = sum(profile.dated and "change" in profile.acts for profile in self.profiles)
        self._frames = Counter(frame for profile in self.profiles for frame in profile.frames)
        self._acts = Counter(act for profile in self.profiles for act in profile.acts)
        self._keywords = frozenset().union(*(profile.action_words | profile.noun_words for profile in self.profiles))
        self._vocabulary = frozenset().union(
            *(
                profile.hints | profile.nouns | profile.actions | frozenset().union(*profile.phrases)
                for profile in self.profiles
            )
        )

    def evidence(self, clause: Clause, *, disowned: bool = False) -> list[Evidence]:
        """One entry a tool, in the order of the tools. `disowned`: the message says that something was never asked for."""
        words = tuple(self.known(word) for word in clause.words)
        nouns = self._named_nouns(clause, words)
        said = said_words(clause, words, nouns=nouns, vocabulary=self._vocabulary, disowned=disowned)
        found = [self._against(profile, said) for profile in self.profiles]
        found = [replace(one, score=one.score * 0.6) if one.only_act and one.of_object else one for one in found]
        if any(one.nouns or one.phrase for one in found):
            # What is asked for has a name here: a verb alone ("trocar a senha") speaks for the tool of that name.
            found = [
                replace(one, score=one.score * 0.6) if one.only_act and not one.of_object else one for one in found
            ]
        return found

    def _named_nouns(self, clause: Clause, words: tuple[str, ...]) -> frozenset[str]:
        """Words that are nouns here and verbs elsewhere, where another verb asks: "adianta minha reserva", "tenho consulta"."""
        looks = [
            index
            for index in range(1, len(words))
            if (words[index - 1] in DETERMINERS or words[index - 1] == "de")
            and not is_infinitive(words[index])
            and (orders(words[index]) or words[index].endswith("ing"))
        ]
        verbs = any(
            (orders(word) or word in self.request_words) and word not in GENERIC_VERBS and index not in looks
            for index, word in enumerate(words)
        )
        linked = frozenset(words[index] for index in looks if words[index - 1] == "de")
        if clause.role is Role.FRAGMENT and linked:
            return linked  # "o comprovante de matrícula"
        if not verbs and not is_order(words) and clause.words[0] not in HAVING:
            return frozenset()
        return frozenset(words[index] for index in looks)

    def _against(
        self,
        profile: Profile,
        said: SaidWords,
    ) -> Evidence:
        content, acts = said.content, said.acts
        missing = 1.0
        actions = profile.actions & said.asking
        for action in actions:
            missing *= 1 - 0.75 / self._actions[action]
        told_by = [size for stems, size in zip(profile.phrases, profile.telling, strict=True) if stems <= said.present]
        phrase = bool(told_by)
        if phrase:
            missing *= 1 - 0.75
        quits = (said.role is Role.QUIT or "end" in acts) and "end" in profile.acts and not actions
        if quits:
            missing *= 1 - 0.75 / self._acts["end"]
        nouns = {
            stem_
            for word, stem_ in content
            if stem_ in profile.nouns and word not in said.placed and word.removesuffix("s") in profile.noun_words
        }
        for noun in nouns - actions:
            missing *= 1 - 0.5 / self._nouns[noun] ** 2
        telling = said.role is Role.STATEMENT
        states = {stem_ for word, stem_ in content if stem_ in profile.states and (telling or is_told(word))}
        for _ in states:
            missing *= 1 - 0.5
        hints = {stem_ for _, stem_ in content if stem_ in profile.hints | profile.nouns} - nouns - actions - states
        for hint in hints:
            missing *= 1 - 0.25 / self._hints[hint] ** 2
        shared = profile.acts & acts
        if said.more and (nouns or hints):
            shared |= profile.acts & {"buy", "raise"}  # "quero mais 5 giga"
        sought = said.missed and _finds(profile)
        if sought:
            missing *= 1 - 0.75 / self._finders
        moved = said.moved and profile.dated and "change" in profile.acts
        if moved:
            missing *= 1 - 0.6 / self._movers
        owed = said.charged and "dispute" in profile.acts
        if owed:
            missing *= 1 - 0.75 / self._acts["dispute"]
        for act in shared:
            missing *= 1 - (0.35 if act in _INFORMING else 0.45) / self._acts[act]
        plain = not any(is_infinitive(word) and word not in GENERIC_VERBS for word, _ in content)
        if said.wanting and hints and plain and not (nouns or actions or shared):
            missing *= 1 - 0.2  # "preciso de um dermatologista"
        framed = said.words[:2] in profile.frames
        if framed:
            missing *= 1 - 0.7 / self._frames[said.words[:2]] ** 2
        if said.pairs & profile.example_pairs:
            missing *= 1 - 0.15
        rule = (
            "keyword verb"
            if actions
            else "keyword phrase"
            if phrase
            else "keyword"
            if nouns
            else "words of its examples"
        )
        foreign = _foreign(content, profile)
        told = {stem_ for word, stem_ in content if ACT_OF.get(word, frozenset()) & shared}
        explained = len(nouns | hints | actions | told | states) if not phrase else len(content)
        coverage = min(1.0, explained / len(content)) if content else 0.0
        return Evidence(
            score=1 - missing,
            action=bool(actions) or quits or sought or owed or moved or (framed and self._frames[said.words[:2]] == 1),
            phrase=phrase,
            named=(max(told_by, default=0), len(profile.forms.intersection(said.words))),
            nouns=len(nouns),
            hints=len(hints),
            # "quero um pacote", "quero mais limite": wanting the thing is asking for it.
            act=bool(shared)
            or ((said.wanting or brings(said.words)) and bool(nouns) and not profile.acts.isdisjoint({"buy", "raise"})),
            coverage=coverage,
            acting=bool(profile.acts & _ACTING),
            happened=bool(shared & HAPPENINGS) or bool(states),
            verbatim=said.words in profile.examples,
            state=bool(states),
            of_object=bool(shared) and shared <= {"buy", "raise", "change"},
            mends=not profile.acts.isdisjoint(_MENDING),
            kin=any(stem_ in profile.nouns for _, stem_ in content),
            foreign=bool(foreign),
            other_act=any(word in ACT_OF and not _groups(ACT_OF[word]) & _groups(profile.acts) for word in foreign),
            apart=bool(acts) and bool(profile.acts) and not _groups(acts) & _groups(profile.acts),
            rule=rule,
        )

    @lru_cache(maxsize=8192)  # noqa: B019 - the profiles live as long as the process's configuration
    def known(self, word: str) -> str:
        """The word, or what it stands for where no tool knows it: unstretched, translated, a letter off."""
        if len(word) < 4 or word in EMPTY_WORDS or stem(word) in self._vocabulary or word in ACT_OF:
            return word
        for plain in unstretched(word):
            if stem(plain) in self._vocabulary:
                return plain
        if word in SAME and stem(SAME[word]) in self._vocabulary:
            return SAME[word]
        for mate in CONCEPTS.get(word, ()):
            if stem(mate) in self._vocabulary:
                return mate
        if len(word) >= 6 and len(word) <= 30:
            near = [one for one in self._keywords if len(one) >= 6 and OSA.distance(word, one, score_cutoff=1) <= 1]
            if len(near) == 1:
                return near[0]
        return word


def _finds(profile: Profile) -> bool:
    """A tool that tells where a thing is, and changes nothing."""
    return "track" in profile.acts and profile.acts.isdisjoint(_ACTING)


@lru_cache(maxsize=256)
def profiles_of(tools: tuple[RoutingTool, ...]) -> Profiles:
    return Profiles(tools)
