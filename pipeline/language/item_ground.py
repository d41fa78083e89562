"""Where a reader of a list stands: what lies around a word of the text.

Owns: looking ahead and back; the entries so far.
Invariants: nothing further away than `NEAR` signs is looked at, so that a paste stays linear.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.language.item_entries import Entry, Mode, Sentence
from pipeline.language.page import Page
from pipeline.language.senses import Sense
from pipeline.language.signs import Sign
from pipeline.language.verbs import verb_stem
from pipeline.language.word_lists import listed

__all__ = ["ALREADY", "NEAR", "RECENT", "REQUESTS", "SKIPPED", "ItemGround"]

ALREADY = listed("ja already ya")
NEAR = 12
"""Signs looked ahead or back for what belongs to a word: nothing further away does, and a paste stays linear."""
RECENT = 50
"""Names a later word can still change: the most items a request may hold (DESIGN 7)."""
_CLAUSE_SIGNS = 12
"""How far a clause is looked through on either side: a paste without stops must not cost its square."""
_CLAUSE_ENDS = frozenset({Sense.COMMA, Sense.STOP, Sense.BREAK, Sense.QUESTION, Sense.COLON, Sense.AND, Sense.BUT})
_NAME_SIGNS = 3
"""Words of a name nobody listed beside known ones; more of them are a remark."""
_TOLD = ("ei", "ou", "aram", "eram", "iram", "ava", "avam", "ando", "endo", "indo", "amos")
"""Endings of what was done or is being done; with a capital it is a name all the same."""
_AROUND_NAMES = frozenset({Sense.ARTICLE, Sense.COURTESY, Sense.ALSO, Sense.GREETING})
_FINITE = listed("ta esta estao to estou eh foi fui ficou fiquei veio vieram casou is was got")
"""Verbs that make an unlisted run of words a remark."""
_NOUNS = frozenset({Sense.UNKNOWN, Sense.PREPOSITION, Sense.CODE, Sense.PLACE, Sense.TOPIC})
REQUESTS = frozenset({Sense.VERB, Sense.DROP, Sense.WANT, Sense.GIVE, Sense.ADD, Sense.CONSENT, Sense.ASK, Sense.SWAP})
SKIPPED = frozenset(
    {
        Sense.ARTICLE,
        Sense.PREPOSITION,
        Sense.POSSESSIVE,
        Sense.ALSO,
        Sense.FILLER,
        Sense.PRONOUN,
        Sense.DEMONSTRATIVE,
        Sense.POSITION,
        Sense.AUXILIARY,
    }
)


@dataclass(slots=True)
class ItemGround:
    """The text being read, and what was said so far."""

    page: Page
    known: tuple[str, ...]
    ends: bool = False
    """Whether the tool is known to take away what is named: then 'não quero mais o X' asks for X."""
    entries: list[Entry] = field(default_factory=list)
    mode: Mode = Mode.WANTED
    group: int = 0
    sentences: list[Sentence] = field(default_factory=lambda: [Sentence()])
    everything: bool = False
    """All of the known values were asked for."""
    remainder: bool = False
    """'o resto' was asked for: the known values that are not spoken of."""
    only: bool = False
    rules: list[str] = field(default_factory=list)
    numbers_place: bool | None = None
    """Whether bare numbers are positions; None until somebody asks."""
    first_request: Sense | None = None
    """The kind of verb the first request was made with."""
    before_request: int = 0
    """Names said before the first request."""
    lead: Sense | None = None
    """The last joint."""
    foreign: int | None = None
    """Where a second request of another kind begins."""
    pair_open: bool = False
    """'tanto' was said: 'quanto' and 'como' join."""

    @property
    def signs(self) -> Sequence[Sign]:
        return self.page.signs

    def _last_in_sentence(self) -> bool:
        return bool(self.entries) and self.entries[-1].sentence == len(self.sentences) - 1

    def _new_statement(self, index: int) -> bool:
        """Whether what begins here says something of its own rather than going on with a list."""
        end = min(len(self.signs), index + NEAR)
        while index < end and self.signs[index].sense not in (Sense.COMMA, Sense.STOP, Sense.BREAK):
            if self.signs[index].sense in REQUESTS:
                return True
            index += 1
        return False

    def _goes_on_after_dot(self, index: int) -> bool:
        """An ellipsis or a dot before a small letter pauses, it does not end."""
        sign = self.signs[index]
        return sign.sense is Sense.STOP and (sign.word.startswith("..") or sign.word == "…")

    def _negated_before(self, index: int) -> bool:
        """Whether a negation of this clause reaches over its verbs: 'não quero cancelar o X'."""
        spot = index - 1
        while spot >= max(0, index - NEAR) and self.signs[spot].sense in REQUESTS | {
            Sense.AUXILIARY,
            Sense.PRONOUN,
            Sense.THAT,
            Sense.PREPOSITION,
            Sense.FILLER,
            Sense.DEMONSTRATIVE,
            Sense.ARTICLE,
            Sense.ALSO,
        }:
            spot -= 1
        return spot >= 0 and (self.signs[spot].sense in (Sense.NOT, Sense.REFUSE) or self._only_not(spot))

    def _only_not(self, index: int) -> bool:
        """Whether 'só não' stands here: what its verb names is excepted."""
        return self.signs[index].sense is Sense.EXCEPT and self.signs[index].words[-1] in ("nao", "no", "not")

    def _thing_follows(self, index: int) -> bool:
        """Whether what a denied verb is about comes next: an article, then the label or a known value."""
        while index < len(self.signs) and self.signs[index].sense in (Sense.ARTICLE, Sense.DEMONSTRATIVE, Sense.ALSO):
            index += 1
        return index < len(self.signs) and (self.page.is_label(index) or self.signs[index].sense is Sense.MENTION)

    def _names_follow(self, index: int) -> bool:
        """Whether the thing a remark speaks of follows it: 'não uso mais o Babbel'."""
        if index >= len(self.signs):
            return False
        if self.signs[index].sense is Sense.PREPOSITION and index + 1 < len(self.signs):
            return self.signs[index + 1].sense is Sense.MENTION
        if self.signs[index].sense is Sense.ARTICLE:
            index += 1
            return index < len(self.signs) and self.signs[index].sense in (
                Sense.MENTION,
                Sense.UNKNOWN,
                Sense.QUOTED,
                Sense.CODE,
            )
        return self.signs[index].sense is Sense.MENTION

    def _opens_name_after_article(self, index: int) -> bool:
        return index + 1 < len(self.signs) and self.signs[index + 1].sense is Sense.ARTICLE

    def _names_before(self, index: int) -> bool:
        """Whether a name ends right before a sign."""
        return bool(self.entries) and self._last_in_sentence() and self._after_name(index)

    def _after_name(self, index: int) -> bool:
        spot = index - 1
        while spot >= max(0, index - NEAR) and self.signs[spot].has(Sense.WANT, Sense.CONSENT):
            spot -= 1
        while spot >= max(0, index - NEAR) and self.signs[spot].sense in (
            Sense.FILLER,
            Sense.PRONOUN,
            Sense.ALSO,
            Sense.AUXILIARY,
            Sense.BRACKET,
            Sense.DASH,
        ):
            spot -= 1
        return (
            spot >= 0
            and self.signs[spot].sense
            not in (Sense.COMMA, Sense.STOP, Sense.BREAK, Sense.AND, Sense.OR, Sense.COLON, Sense.BUT, Sense.THAT)
            and (self.signs[spot].sense not in REQUESTS or self.page.protected(spot))
        )

    def _something_follows(self, index: int) -> bool:
        return any(
            sign.sense
            in (
                Sense.MENTION,
                Sense.UNKNOWN,
                Sense.CODE,
                Sense.QUOTED,
                Sense.ORDINAL,
                Sense.LAST,
                Sense.ALL,
                Sense.NUMBER,
                Sense.TOPIC,
                Sense.PLACE,
            )
            for sign in self.signs[index : index + NEAR]
        )

    def _resumes(self, index: int) -> bool:
        spot = index
        also = False
        while spot < min(len(self.signs), index + NEAR) and self.signs[spot].sense in SKIPPED | {
            Sense.AND,
            Sense.COURTESY,
            Sense.COMMA,
        }:
            also = also or self.signs[spot].sense is Sense.ALSO
            spot += 1
        if (
            also
            and spot < len(self.signs)
            and self.signs[spot].sense in (Sense.UNKNOWN, Sense.MENTION, Sense.CODE, Sense.QUOTED)
        ):
            return True
        if spot >= len(self.signs):
            return False
        sign = self.signs[spot]
        if (
            sign.sense in (Sense.VERB, Sense.DROP, Sense.WANT)
            or sign.has(Sense.WANT)
            or (
                sign.sense in (Sense.CONSENT, Sense.GIVE) and bool(verb_stem(sign.words[-1]) or sign.words[0] == "pode")
            )
        ):
            return True
        if sign.sense is Sense.UNKNOWN and any(other.sense is Sense.ALSO for other in self.signs[spot + 1 : spot + 4]):
            return True  # 'pois aumentou, e o Y também'
        if self._listed_after(spot):
            return True
        return sign.sense is Sense.MENTION and (self._ends_list(spot) or not self.known)

    def _listed_after(self, index: int) -> bool:
        """Whether an article and plain nouns to the end of the clause stand here: 'que veio quebrada e a cama'."""
        if (
            self.known
            or self.signs[index].sense is not Sense.UNKNOWN
            or self.signs[index - 1].sense is not Sense.ARTICLE
        ):
            return False
        if index < 2 or self.signs[index - 2].sense is not Sense.AND:
            return False
        while index < len(self.signs) and self.signs[index].sense in _NOUNS:
            index += 1
        return index >= len(self.signs) or self.signs[index].sense in (Sense.COMMA, Sense.STOP, Sense.BREAK)

    def _clause(self, first: int, after: int) -> tuple[int, int]:
        """Return where the clause around a run of signs begins and ends."""
        begin, end = max(0, first - _CLAUSE_SIGNS), min(len(self.signs), after + _CLAUSE_SIGNS)
        while first > begin and self.signs[first - 1].sense not in _CLAUSE_ENDS:
            first -= 1
        while after < end and self.signs[after].sense not in _CLAUSE_ENDS:
            after += 1
        return first, after

    def _tells(self, first: int, after: int) -> bool:
        """Whether the clause of an unlisted run of words holds a verb and no known value."""
        begin, end = self._clause(first, after)
        clause = self.signs[begin:end]
        return any(sign.word in _FINITE for sign in clause) and not any(sign.sense is Sense.MENTION for sign in clause)

    def _stands_alone(self, first: int, after: int) -> bool:
        """Whether the clause of an unlisted run of words is that name and nothing else, and no long one."""
        begin, end = self._clause(first, after)
        others = [*self.signs[begin:first], *self.signs[after:end]]
        told = any(
            self.signs[spot].word.endswith(_TOLD) and not self.page.is_title(spot) for spot in range(first, after)
        )
        return (
            not told
            and after - first <= _NAME_SIGNS
            and all(
                sign.sense in _AROUND_NAMES or (sign.sense in REQUESTS and index < first - begin)
                for index, sign in enumerate(others)
            )
        )

    def _ends_list(self, index: int) -> bool:
        """Whether a mention closes its clause or goes on as a list: then it is named, not talked about."""
        spot = index + 1
        return spot >= len(self.signs) or self.signs[spot].sense in (
            Sense.COMMA,
            Sense.STOP,
            Sense.AND,
            Sense.ALSO,
            Sense.BREAK,
            Sense.COURTESY,
            Sense.NOT,
        )
