"""From words to senses: the longest phrase of the vocabulary at each place, with everyday spellings and one slip of the finger.

Owns: the phrase tree, the endings by which an unlisted verb of request is known, the tolerance for typing slips.
Invariants: the vocabulary is built once and never changes; looking a word up is bounded by the longest phrase.
Never: reads more than words and signs (mentions.py finds what the customer holds).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from rapidfuzz.distance import OSA

from pipeline.language.normalize import fold, spelled, unstretched
from pipeline.language.senses import Sense
from pipeline.language.verbs import mistyped_verb, verb_stem
from pipeline.language.vocabulary_frames import FRAMES
from pipeline.language.vocabulary_requests import ORDINALS, REQUESTS
from pipeline.language.vocabulary_verdicts import VERDICTS
from pipeline.language.word_lists import listed

__all__ = ["NUMBERS", "Entry", "is_listed", "longest", "plain_words", "respelled", "senses_of"]

NUMBERS: Mapping[str, int] = MappingProxyType(
    {
        word: value
        for value, words in {
            1: "um uma one",
            2: "dois duas two dos par dupla couple",
            3: "tres three trio",
            4: "quatro four cuatro",
            5: "cinco five",
            6: "seis six",
            7: "sete seven siete",
            8: "oito eight ocho",
            9: "nove nine nueve",
            10: "dez ten diez",
        }.items()
        for word in words.split()
    }
)
"""Small numbers as words, folded: what one counts items of a list with."""

_ACCENTED: Mapping[str, str] = MappingProxyType({"é": "eh", "eh": "eh", "dá": "dah", "sí": "sim"})
"""Words that folding would make others: the conjunction 'e', the preposition 'da', the condition 'si'."""

_TYPO_SENSES = frozenset(
    {
        Sense.COURTESY, Sense.ONLY, Sense.EXCEPT, Sense.ALL, Sense.KEEP, Sense.DROP, Sense.ADD, Sense.ALSO, Sense.SWAP, Sense.REST,
        Sense.HEDGE, Sense.WAIT, Sense.REFUSE, Sense.LAST, Sense.WANT, Sense.ORDINAL, Sense.PERSON,
    }
)  # fmt: skip
_TYPO_MIN = 6
"""Letters a word needs before one of them may be wrong: in shorter ones the slip is another word (claro, caro)."""
_TYPO_TRAPS = listed("contar cantar passar pensar mostre pessoa manter")
_TYPO_VERBS = ((Sense.DROP,), (Sense.KEEP,), (Sense.ADD,), (Sense.SWAP,))
"""Verbs need a letter more: portar is no slip of cortar."""
_TYPO_YES = listed(
    "confirmo confirma confirmar confirmado prosseguir prossiga autorizo concordo certeza beleza perfeito exatamente"
)
"""The only affirming words a slip is taken for: a yes that is guessed from a near word (banana, bacana) is a wrong yes."""


_UNSTRETCHED = ((Sense.ARTICLE,), (Sense.PREPOSITION,), (Sense.POSSESSIVE,))
"""Words nobody draws out: AAS is no stretched 'as'."""


@dataclass(slots=True)
class Entry:
    """One phrase: its senses, first the one that counts unless a grammar asks for another."""

    senses: tuple[Sense, ...] = ()
    number: int = 0
    """The position an ordinal names, the count a number word says."""
    next: dict[str, "Entry"] = field(default_factory=dict)


def plain_words(text: str) -> tuple[str, ...]:
    """Return the folded plain words of one token or phrase: "Pfv" -> ("por", "favor")."""
    words: list[str] = []
    for part in text.split():
        lowered = part.casefold()
        words.extend(
            [_ACCENTED[lowered]] if lowered in _ACCENTED else spelled(fold(part).rstrip(".") or fold(part)).split()
        )
    return tuple(words)


def _phrases() -> Iterator[tuple[tuple[str, ...], Sense, int]]:
    for table in (VERDICTS, REQUESTS, FRAMES):
        for sense, text in table.items():
            for phrase in text.split("|"):
                # a phrase is kept as it is spelled, apart from case and accents: the text is brought to it
                bare = tuple(fold(word) for word in phrase.split())
                words = tuple(_ACCENTED.get(word.casefold(), fold(word)) for word in phrase.split())
                for variant in dict.fromkeys(
                    (words, plain_words(phrase), bare if len(bare) > 1 and words[0] != "eh" else words)
                ):
                    if variant:
                        yield variant, sense, 0
    for position, text in ORDINALS.items():
        for phrase in text.split("|"):
            yield (fold(phrase),), Sense.ORDINAL, position
    for word, value in NUMBERS.items():
        yield (word,), Sense.NUMBER, value


def _tree() -> Entry:
    root = Entry()
    for words, sense, number in _phrases():
        node = root
        for word in words:
            node = node.next.setdefault(word, Entry())
        if sense not in node.senses:
            node.senses = (*node.senses, sense)
        node.number = node.number or number
    return root


_ROOT = _tree()
_WORDS = frozenset(word for words, _, _ in _phrases() for word in words)
"""Every word of the vocabulary, alone or inside a phrase: none of them is a slip of another."""
_TYPO_WORDS = tuple(
    sorted(
        word
        for word, entry in _ROOT.next.items()
        if word in _TYPO_YES
        or (
            len(word) >= _TYPO_MIN + (entry.senses[:1] in _TYPO_VERBS)
            and word not in _TYPO_TRAPS
            and entry.senses
            and entry.senses[0] in _TYPO_SENSES
        )
    )
)


def is_listed(word: str) -> bool:
    """Whether a folded word stands in the vocabulary by itself."""
    entry = _ROOT.next.get(word)
    return entry is not None and bool(entry.senses)


def senses_of(word: str) -> tuple[Sense, ...]:
    """Return the senses of one folded word standing alone."""
    entry = _ROOT.next.get(word)
    return entry.senses if entry else ()


@lru_cache(maxsize=4096)
def respelled(word: str) -> str:
    """Return the listed word a stretched or mistyped one stands for, or the word itself."""
    if word in _WORDS or not word.isalpha() or len(word) > 40:
        return word
    for candidate in unstretched(word):
        plain = spelled(candidate)
        if (plain.split()[0] in _WORDS and senses_of(plain)[:1] not in _UNSTRETCHED) or verb_stem(plain):
            return plain
    if _is_laughter(word):
        return "kkk"
    if verb_stem(word):
        return word
    if len(word) >= _TYPO_MIN:
        near = [
            known
            for known in _TYPO_WORDS
            if abs(len(known) - len(word)) <= 1 and OSA.distance(word, known, score_cutoff=1) <= 1
        ]
        if near and len({_ROOT.next[known].senses for known in near}) == 1:
            return near[0]
        verb = mistyped_verb(word)
        if verb:
            return verb
    return word


def _is_laughter(word: str) -> bool:
    letters = set(word)
    return len(word) >= 2 and (
        letters in ({"k"}, {"r", "s"}) or (letters <= {"h", "a", "e", "u"} and "h" in letters and len(word) >= 4)
    )


def longest(words: Sequence[str], start: int) -> tuple[Entry | None, int]:
    """Return the longest phrase that begins at `start` and the index after it; (None, start) where none does."""
    node = _ROOT
    best: Entry | None = None
    after = start
    for index in range(start, len(words)):
        following = node.next.get(words[index])
        if following is None:
            break
        node = following
        if node.senses:
            best, after = node, index + 1
    return best, after
