"""What the words of a tool's name, keywords, description and examples say about a clause.

Owns: the profile of a tool, built once a set of tools; the evidence a clause gives for it, without any model.
Invariants: whole tokens only; a word that many tools share says little; deterministic.
Never: decides. Source: rules ROUTE-1, ROUTE-2.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from pipeline.language.clauses import Clause, Role, spelled_out
from pipeline.language.lexemes import Kind, lex
from pipeline.language.request_words import ACT_OF, EMPTY_WORDS
from pipeline.language.stems import is_infinitive, is_told, stem


@dataclass(frozen=True, slots=True)
class RoutingTool:
    """A tool as routing.yaml describes it to the router."""

    name: str
    description: str = ""
    keywords: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    tool: RoutingTool
    actions: frozenset[str]
    """Stems of the verbs that ask for it."""
    action_words: frozenset[str]
    nouns: frozenset[str]
    """Stems of its keywords and of the nouns of its name."""
    phrases: tuple[frozenset[str], ...]
    """Stems of each keyword of several words."""
    hints: frozenset[str]
    """Stems of its description and examples."""
    example_pairs: frozenset[tuple[str, str]]
    acts: frozenset[str]
    """What it does, by everyday verbs (request_words.ACT_OF)."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How much the words of a clause speak for one tool, 0 to 1, and by what."""

    score: float
    action: bool
    phrase: bool
    nouns: int
    hints: int
    act: bool
    rule: str


NOTHING: Final = Evidence(0.0, False, False, 0, 0, False, "")


class Profiles:
    def __init__(self, tools: Sequence[RoutingTool]) -> None:
        self.profiles = tuple(_profile(tool) for tool in tools)
        self.request_words = frozenset().union(*(profile.action_words for profile in self.profiles))
        self._actions = Counter(action for profile in self.profiles for action in profile.actions)
        self._nouns = Counter(noun for profile in self.profiles for noun in profile.nouns)
        self._hints = Counter(hint for profile in self.profiles for hint in profile.hints | profile.nouns)
        self._acts = Counter(act for profile in self.profiles for act in profile.acts)

    def evidence(self, clause: Clause) -> list[Evidence]:
        """One entry a tool, in the order of the tools."""
        words = clause.words
        stems = [stem(word) for word in words]
        asking = {
            stem_
            for word, stem_ in zip(words, stems, strict=True)
            if not (is_told(word) and clause.role is not Role.QUIT)
        }
        present = frozenset(stems)
        told = {word for word in words if is_told(word)}
        content = [
            (word, stem_) for word, stem_ in zip(words, stems, strict=True) if word not in EMPTY_WORDS and not word.isdigit()
        ]
        acts: set[str] = set().union(*(ACT_OF.get(word, frozenset()) for word in words if word not in told)) if words else set()
        if clause.role is Role.QUIT:
            acts.add("end")
        pairs = frozenset(pairwise(stems))
        return [
            self._against(profile, frozenset(asking), present, content, frozenset(acts), pairs)
            for profile in self.profiles
        ]

    def _against(
        self,
        profile: Profile,
        asking: frozenset[str],
        present: frozenset[str],
        content: list[tuple[str, str]],
        acts: frozenset[str],
        pairs: frozenset[tuple[str, str]],
    ) -> Evidence:
        missing = 1.0
        actions = profile.actions & asking
        for action in actions:
            missing *= 1 - 0.75 / self._actions[action]
        phrase = any(stems <= present for stems in profile.phrases)
        if phrase:
            missing *= 1 - 0.75
        nouns = {stem_ for _, stem_ in content if stem_ in profile.nouns}
        for noun in nouns - actions:
            missing *= 1 - 0.5 / self._nouns[noun] ** 2
        hints = {stem_ for _, stem_ in content if stem_ in profile.hints} - nouns - actions
        for hint in hints:
            missing *= 1 - 0.25 / self._hints[hint] ** 2
        shared = profile.acts & acts
        for act in shared:
            missing *= 1 - 0.3 / self._acts[act]
        if pairs & profile.example_pairs:
            missing *= 1 - 0.15
        rule = "keyword verb" if actions else "keyword phrase" if phrase else "keyword" if nouns else "words of its examples"
        return Evidence(1 - missing, bool(actions), phrase, len(nouns), len(hints), bool(shared), rule)


@lru_cache(maxsize=256)
def profiles_of(tools: tuple[RoutingTool, ...]) -> Profiles:
    return Profiles(tools)


def _words(text: str) -> list[str]:
    return [piece.folded for piece in spelled_out(lex(text.replace("_", " "))) if piece.kind is Kind.WORD]


def _profile(tool: RoutingTool) -> Profile:
    name = _words(tool.name)
    described = _words(tool.description)
    action_words: set[str] = set()
    nouns: set[str] = set()
    phrases: list[frozenset[str]] = []
    if name and (is_infinitive(name[0]) or name[0] in ACT_OF):
        action_words.add(name[0])
        nouns.update(stem(word) for word in name[1:] if word not in EMPTY_WORDS)
    else:
        nouns.update(stem(word) for word in name if word not in EMPTY_WORDS)
    verb_stems = {stem(word) for word in action_words}
    for keyword in tool.keywords:
        words = _words(keyword)
        if len(words) > 1:
            phrases.append(frozenset(stem(word) for word in words if word not in {"o", "a", "de", "da", "do"}))
        elif words and (is_infinitive(words[0]) or stem(words[0]) in verb_stems or words[0] in _ENGLISH_VERBS):
            action_words.add(words[0])
            verb_stems.add(stem(words[0]))
        elif words:
            nouns.add(stem(words[0]))
    texts = [described, *(_words(example) for example in tool.examples)]
    if described and (stem(described[0]) in verb_stems or described[0] in ACT_OF):
        action_words.add(described[0])
    hints = {stem(word) for words in texts for word in words if word not in EMPTY_WORDS}
    acts: set[str] = set()
    for word in [*action_words, *(name[:1]), *(described[:1]), *(word for keyword in tool.keywords for word in _words(keyword))]:
        acts |= ACT_OF.get(word, frozenset())
    generic = {"consult", "inform", "mostr", "envi", "get", "list", "show", "send", "faz", "abr", "solicit", "receb", "regist"}
    return Profile(
        tool=tool,
        actions=frozenset(stem(word) for word in action_words) - generic,
        action_words=frozenset(action_words),
        nouns=frozenset(nouns),
        phrases=tuple(phrases),
        hints=frozenset(hints),
        example_pairs=frozenset(
            pair
            for words in texts[1:]
            for pair in pairwise(stem(word) for word in words)
            if not (pair[0] in EMPTY_WORDS and pair[1] in EMPTY_WORDS)
        ),
        acts=frozenset(acts),
    )


_ENGLISH_VERBS: Final = frozenset("stop cancel remove dispute refund return list show send block unblock book schedule transfer track".split())
