"""Where a reader of a reply stands: the clause around a word, the names before it, the stance it speaks in.

Owns: looking ahead and back within a clause; what a group of names is; giving a group its stance.
Invariants: nothing is looked for outside the clause.
"""

from collections.abc import Sequence

from pipeline.language.operations import CALL_OFF
from pipeline.language.page import Page
from pipeline.language.positions import Places, read_places
from pipeline.language.reply_facts import Entry, Facts, Stance
from pipeline.language.reply_segments import Proposal
from pipeline.language.senses import Sense
from pipeline.language.signs import Sign
from pipeline.language.verbs import verb_stem

__all__ = ["LOOSE", "Ground", "open_for_verdict"]

LOOSE = frozenset(
    {
        Sense.ARTICLE,
        Sense.PREPOSITION,
        Sense.PRONOUN,
        Sense.FILLER,
        Sense.AUXILIARY,
        Sense.ALSO,
        Sense.DEMONSTRATIVE,
        Sense.THAT,
        Sense.POSITION,
        Sense.NOW,
        Sense.COURTESY,
        Sense.POSSESSIVE,
    }
)
"""Senses that stand between words that belong together."""


class Ground:
    """The clause being read, and what was said so far."""

    __slots__ = (
        "clause_lead",
        "crossed",
        "facts",
        "fresh",
        "group",
        "once",
        "page",
        "proposal",
        "signs",
        "stance",
        "taken_back",
        "values",
    )

    def __init__(self, page: Page, proposal: Proposal, values: Sequence[str]) -> None:
        self.page = page
        self.signs = page.signs
        self.proposal = proposal
        self.values = values
        self.facts = Facts()
        self.stance = Stance.NAMED
        self.group = 0
        self.fresh = False
        """Whether this clause said by itself what it says of its names."""
        self.once = False
        """Whether a bare negation reaches only to the next comma: 'não o X, o Y'."""
        self.clause_lead: Sense | None = None
        self.crossed = False
        """Whether a name with a minus before it was read."""
        self.taken_back: Stance | None = None
        """What was said of the names a self-correction withdrew: it holds for those that come in the next clause."""

    def _step(self, index: int, after: int) -> int:
        """Read what stands at a sign; return the index after it."""
        raise NotImplementedError

    def _enter(self, place: int, text: str, *, strong: bool = True) -> None:
        self.facts.entries.append(
            Entry(self.stance, place, text, self.group, strong, self.clause_lead, inherited=not self.fresh)
        )

    def _set(self, stance: Stance) -> None:
        self.stance = stance
        self.group += 1
        self.fresh = True

    def _places(self, index: int, after: int) -> Places | None:
        return read_places(self.signs, index, self.proposal.size, after)

    def _spot(self, index: int, after: int) -> int:
        """Return the index of the next sign that says something, -1 where the clause ends first."""
        while index < after and self.signs[index].sense in LOOSE and not self._place_at(index, after):
            index += 1
        return index if index < after else -1

    def _ahead(self, index: int, after: int) -> Sign | None:
        spot = self._spot(index, after)
        return self.signs[spot] if spot >= 0 else None

    def _place_at(self, index: int, after: int) -> bool:
        return self.signs[index].sense is Sense.POSITION and self._places(index, after) is not None

    def _names_ahead(self, index: int, after: int, *, strangers: bool = False) -> bool:
        """Whether items, places or the whole set are named further on in the clause."""
        for spot in range(index, after):
            sign = self.signs[spot]
            if sign.sense in (Sense.MENTION, Sense.ALL, Sense.REST, Sense.LAST, Sense.ORDINAL):
                return True
            if self._places(spot, after) is not None:
                return True
            if strangers and sign.sense in (Sense.UNKNOWN, Sense.QUOTED, Sense.CODE, Sense.TOPIC, Sense.PLACE):
                return True
        return False

    def _verb_ahead(self, index: int, after: int) -> bool:
        sign = self._ahead(index, after)
        return sign is not None and (
            self._is_own(sign) or sign.sense in (Sense.DROP, Sense.CONSENT, Sense.KEEP, Sense.ADD, Sense.SWAP)
        )

    def _is_own(self, sign: Sign) -> bool:
        return sign.sense in (
            Sense.VERB,
            Sense.GIVE,
            Sense.UNKNOWN,
            Sense.ABOUT,
            Sense.ADD,
            Sense.DROP,
            Sense.SWAP,
            Sense.TOPIC,
            Sense.OUT,
        ) and self.proposal.operation.is_own(sign.words[-1])

    def _calls_off(self, sign: Sign) -> bool:
        return not self.proposal.operation.cancels and any(verb_stem(word) in CALL_OFF for word in sign.words)

    def _own_noun_ahead(self, index: int, after: int) -> bool:
        return any(self.proposal.operation.is_noun(word) for sign in self.signs[index:after] for word in sign.words)

    def _group_before(self, index: int, *, over_wants: bool = False) -> list[Entry]:
        """The entries that a verdict right behind them speaks of: 'o TIM e o Aya não', 'o Aya eu quero manter'."""
        if not self.facts.entries or self.facts.entries[-1].group != self.group:
            return []
        spot = index - 1
        while over_wants and spot >= 0 and self.signs[spot].has(Sense.WANT, Sense.CONSENT):
            spot -= 1
        while spot >= 0 and self.signs[spot].sense in (
            Sense.FILLER,
            Sense.PRONOUN,
            Sense.AUXILIARY,
            Sense.ALSO,
            Sense.THAT,
            Sense.COURTESY,
            Sense.COLON,
            Sense.DASH,
        ):
            spot -= 1
        named = spot >= 0 and (
            self.signs[spot].sense
            in (Sense.MENTION, Sense.ORDINAL, Sense.LAST, Sense.CODE, Sense.NUMBER, Sense.UNKNOWN)
            or self.signs[spot].has(Sense.NUMBER, Sense.LAST, Sense.ORDINAL)
        )
        if not named:
            return []
        return [entry for entry in self.facts.entries if entry.group == self.group]

    def _turn_group(self, group: list[Entry], stance: Stance) -> None:
        """Give a group the verdict said behind it; after an opening verb ('cancela o TIM e o Aya não') only its last one."""
        opened = [entry for entry in group if entry.stance is Stance.APPROVED]
        for entry in group[-1:] if opened and stance is Stance.REMOVED and len(group) > 1 else group:
            entry.stance = stance
        self._set(Stance.NAMED)


def open_for_verdict(group: list[Entry]) -> bool:
    """Whether nothing was said yet of names in the clause that names them."""
    return all(entry.stance is Stance.NAMED or entry.inherited for entry in group)
