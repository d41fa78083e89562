"""A tool as the router knows it: the words of its name, keywords, description and examples, sorted by what they say.

Owns: RoutingTool, and its profile: verbs that ask for it, nouns it is about, hints, the kind of thing it does.
Never: looks at a message. Source: rules ROUTE-1, ROUTE-2.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pipeline.language.clause_tells import tells_of_trouble
from pipeline.language.clause_words import spelled_out
from pipeline.language.lexemes import Kind, lex, word_set
from pipeline.language.request_words import ACT_OF, EMPTY_WORDS, GENERIC_VERBS
from pipeline.language.stems import is_infinitive, stem


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
    noun_words: frozenset[str]
    """The same as words, without a plural s: a keyword is that word, not a verb made of it."""
    phrases: tuple[frozenset[str], ...]
    """Stems of each keyword of several words."""
    telling: tuple[int, ...]
    """How many of the words of each say something."""
    forms: frozenset[str]
    """Keywords of one word, in the form they are written in."""
    hints: frozenset[str]
    """Stems of its description and examples."""
    example_pairs: frozenset[tuple[str, str]]
    states: frozenset[str]
    """Stems of participles it names: the trouble it exists for ("linha bloqueada")."""
    examples: frozenset[tuple[str, ...]]
    """The words of each example."""
    frames: frozenset[tuple[str, ...]]
    """How its examples ask for what it tells: "vocês têm", "quanto tá"."""
    dated: bool
    """It is about a day or an hour: what may be moved to another one."""
    troubles: bool
    """It is told of troubles: "sem sinal", "o ar não funciona", "veio errado"."""
    acts: frozenset[str]
    """What it does, by everyday verbs (request_words.ACT_OF)."""


def _words(text: str) -> list[str]:
    return [piece.folded for piece in spelled_out(lex(text.replace("_", " "))) if piece.kind is Kind.WORD]


def profile_of(tool: RoutingTool) -> Profile:
    name = _words(tool.name)
    described = _words(tool.description)
    action_words: set[str] = set()
    nouns: set[str] = set()
    noun_words: set[str] = set()
    phrases: list[frozenset[str]] = []
    telling: list[int] = []
    if name and (is_infinitive(name[0]) or name[0] in ACT_OF):
        action_words.add(name[0])
        noun_words.update(word for word in name[1:] if word not in EMPTY_WORDS)
    else:
        noun_words.update(word for word in name if word not in EMPTY_WORDS)
    verb_stems = {stem(word) for word in action_words}
    for keyword in tool.keywords:
        words = _words(keyword)
        if len(words) > 1:
            telling.append(len(set(words) - EMPTY_WORDS - GENERIC_VERBS))
            phrases.append(frozenset(stem(word) for word in words if word not in {"o", "a", "de", "da", "do"}))
        elif words and (is_infinitive(words[0]) or stem(words[0]) in verb_stems or words[0] in _ENGLISH_VERBS):
            action_words.add(words[0])
            verb_stems.add(stem(words[0]))
        elif words:
            noun_words.add(words[0])
    nouns.update(stem(word) for word in noun_words)
    texts = [described, *(_words(example) for example in tool.examples)]
    if described and (stem(described[0]) in verb_stems or described[0] in ACT_OF):
        action_words.add(described[0])
    hints = {stem(word) for words in texts for word in words if word not in EMPTY_WORDS}
    acts: set[str] = set()
    for word in [
        *action_words,
        *(name[:1]),
        *(described[:1]),
        *(word for keyword in tool.keywords for word in _words(keyword)),
    ]:
        acts |= ACT_OF.get(word, frozenset())
    for words in texts[1:]:
        for word in words:
            acts |= ACT_OF.get(word, frozenset()) & _TOLD_IN_EXAMPLES
    generic = {
        "consult",
        "inform",
        "mostr",
        "envi",
        "get",
        "list",
        "show",
        "send",
        "faz",
        "abr",
        "solicit",
        "receb",
        "regist",
    }
    return Profile(
        tool=tool,
        actions=frozenset(stem(word) for word in action_words) - generic,
        action_words=frozenset(action_words),
        nouns=frozenset(nouns),
        noun_words=frozenset(word.removesuffix("s") for word in noun_words),
        phrases=tuple(phrases),
        telling=tuple(telling),
        forms=frozenset(words[0] for keyword in tool.keywords if len(words := _words(keyword)) == 1),
        hints=frozenset(hints),
        example_pairs=frozenset(
            pair
            for words in texts[1:]
            for pair in pairwise(stem(word) for word in words)
            if not (pair[0] in EMPTY_WORDS and pair[1] in EMPTY_WORDS)
        ),
        states=frozenset(
            stem(word)
            for words in (*texts, *(_words(keyword) for keyword in tool.keywords))
            for word in words
            if word.endswith(("ado", "ada", "ido", "ida", "enso", "ensa", "ando", "endo", "indo")) and len(word) > 5
        ),
        examples=frozenset(tuple(words) for words in texts[1:]),
        frames=frozenset(tuple(words[:2]) for words in texts[1:] if len(words) > 2 and words[0] in _TELLING_FRAMES),
        dated=any(word in _DATES for words in (name, *texts, *map(_words, tool.keywords)) for word in words),
        troubles=any(
            tells_of_trouble(tuple(words)) for words in (*texts, *(_words(keyword) for keyword in tool.keywords))
        ),
        acts=frozenset(acts),
    )


_ENGLISH_VERBS: Final = word_set(
    "stop cancel remove dispute refund return list show send block unblock book schedule transfer track"
)
_DATES: Final = word_set(
    "data datas dia dias hora horas horario amanha segunda terca quarta quinta sexta sabado domingo date dates day days hour fecha fechas remarcar adiar reschedule"
)
_TELLING_FRAMES: Final = word_set("quanto quantos quantas voces voce vcs do how")
_TOLD_IN_EXAMPLES: Final = frozenset({"track", "report", "dispute", "return", "block"})
"""Kinds of trouble that an example tells of by an everyday verb."""
