"""A reply read sign by sign into facts.

Owns: which reading a sign gets; where what is said of names goes on and where it ends.
Invariants: every sign of a clause about the proposal becomes part of one fact or counts as strange; one pass.
Source: language.json REPLY-1 to REPLY-4.
"""

from collections.abc import Sequence

from pipeline.language.page import Page
from pipeline.language.reply_facts import Facts, Stance
from pipeline.language.reply_marks import Marks
from pipeline.language.reply_reasons import explains_taking_away
from pipeline.language.reply_segments import Clause, Matter, Proposal
from pipeline.language.senses import Sense
from pipeline.language.signs import Sign

__all__ = ["gather"]

_WANTS_MORE = frozenset(
    {
        Sense.ARTICLE,
        Sense.PREPOSITION,
        Sense.POSSESSIVE,
        Sense.THAT,
        Sense.AND,
        Sense.OR,
        Sense.FOR,
        Sense.BUT,
        Sense.BOTH_AND,
        Sense.COLON,
        Sense.INSTEAD,
        Sense.EXCEPT,
    }
)
_SET_SENSES = frozenset(
    {Sense.ONLY, Sense.EXCEPT, Sense.DROP, Sense.KEEP, Sense.ADD, Sense.ALSO, Sense.SWAP, Sense.INSTEAD, Sense.REST}
)

_DASHED = 2
"""Signs before a name that a dash parts from a yes."""


def gather(page: Page, parts: Sequence[Clause], proposal: Proposal, values: Sequence[str]) -> Facts:
    """Return the facts of the clauses that are about the proposal. `values`: the items shown, then other known ones."""
    reader = _Reader(page, proposal, values)
    for clause in parts:
        if clause.matter is Matter.PROPOSAL:
            reader.clause(clause)
        elif clause.matter is Matter.ASKS:
            reader.facts.asks = True
    reader.close()
    other = {
        index
        for clause in parts
        if clause.matter in (Matter.REQUEST, Matter.QUESTION)
        for index in range(clause.first, clause.after)
    }
    joints = {sign.sense for index, sign in enumerate(page.signs) if index not in other and index + 1 not in other}
    reader.facts.but = Sense.BUT in joints
    reader.facts.alternative = Sense.OR in joints or any(sign.word == "/" for sign in page.signs)
    reader.facts.asks = reader.facts.asks or _asks_about_it(page.signs, parts)
    last = page.signs[-1] if page.signs else None
    if (
        last is not None
        and last.sense in _WANTS_MORE
        and last.word not in ("o", "a")
        and not (last.word == "para" and reader.facts.refuses)
        and not (last.sense is Sense.POSSESSIVE and len(page.signs) > 1 and page.signs[-2].sense is Sense.ARTICLE)
    ):
        reader.facts.dangling = True
    return reader.facts


def _asks_about_it(signs: Sequence[Sign], parts: Sequence[Clause]) -> bool:
    """Whether a question mark stands anywhere but behind another matter."""
    ends = {clause.after: clause.matter for clause in parts}
    last: Matter | None = None
    for index, sign in enumerate(signs):
        last = ends.get(index, last)
        if sign.sense is Sense.QUESTION and last not in (Matter.REQUEST, Matter.QUESTION):
            return True
    return False


class _Reader(Marks):
    """Reads whole clauses."""

    __slots__ = ()

    def clause(self, clause: Clause) -> None:
        """Read one clause; what is being said goes on over commas and 'e', not over 'mas' and full stops."""
        self.clause_lead = clause.lead
        if self.once and clause.lead is Sense.COMMA:
            self.stance = Stance.NAMED
        self.once = False
        self.fresh = False
        if clause.lead in (Sense.BUT, Sense.STOP, Sense.BREAK, Sense.QUESTION):
            self.stance = Stance.NAMED
        if clause.lead not in (Sense.AND, Sense.OR, Sense.COLON):
            self.group += 1
        if clause.asks:
            self.facts.asks = True
        if self.taken_back is not None:
            self._set(self.taken_back)
            self.taken_back = None
        strange, begin, verdicts = self.facts.strange, len(self.facts.entries), (self.facts.affirms, self.facts.refuses)
        index = clause.first
        if self.proposal.operation.takes_away and explains_taking_away(self.signs[index : clause.after]):
            return
        while index < clause.after:
            index = self._step(index, clause.after)
        said = self.facts.entries[begin:]
        if verdicts == (self.facts.affirms, self.facts.refuses) and all(entry.place < 0 for entry in said):
            self.facts.strange_after += self.facts.strange - strange
            for entry in said:
                entry.aside = True

    def close(self) -> None:
        """Give the names that were to be replaced what was said in their place, in a later clause."""
        old = [entry for entry in self.facts.entries if entry.stance is Stance.OLD]
        if not old or self.facts.pairs:
            return
        new = [
            entry
            for entry in self.facts.entries
            if entry.stance in (Stance.NEW, Stance.ADDED, Stance.NAMED, Stance.APPROVED)
        ]
        for entry in new:
            entry.stance = Stance.NEW
        self._pair()

    def _step(self, index: int, after: int) -> int:
        sign = self.signs[index]
        if sign.sense is Sense.MENTION:
            if self._crossed_out(index):
                self._set(Stance.REMOVED)
                self.facts.ambiguous = self.facts.ambiguous or self.crossed
                self.crossed = True
            if self._behind_dash(index):
                self.facts.ambiguous = True  # 'sim - Neymar': with it alone, or without it?
            self._enter(sign.number if sign.number < self.proposal.size else -1, self.values[sign.number])
            return index + 1
        places = self._places(index, after)
        if places is not None and not self._is_amount(index, bare=places.bare):
            if not places.valid:
                self.facts.no_such_place = True
            if places.whole:
                self._whole()
            for place in () if places.whole else places.indexes:
                self._enter(place, "")
            counted = places.valid and any(
                sign.has(Sense.NUMBER) or sign.sense is Sense.CODE for sign in self.signs[index : places.after]
            )
            if counted and places.after < after and self._is_counted_noun(places.after):
                return places.after + 1
            return places.after
        if (
            sign.sense in (Sense.GIVE, Sense.UNKNOWN, Sense.SWAP, Sense.TOPIC, Sense.OUT, Sense.ADD, Sense.ABOUT)
            and self._is_own(sign)
            and not (sign.sense is Sense.SWAP and self._exchanges(index, after))
        ):
            return self._verb(index, after)
        if sign.sense in _SET_SENSES:
            return self._set_word(index, after)
        match sign.sense:
            case Sense.AFFIRM | Sense.YES_SIGN:
                self._yes(index, after)
            case Sense.CONSENT:
                return self._consent(index, after)
            case Sense.WANT if self._names_ahead(index + 1, after) or self._verb_ahead(index + 1, after):
                return self._consent(index, after)
            case Sense.NOT:
                return self._not(index, after)
            case Sense.REFUSE | Sense.NO_SIGN:
                return self._refuse(index, after)
            case Sense.NONE:
                self.facts.refuses = True
                return self._over_count(index + 1, after)
            case Sense.VERB:
                return self._verb(index, after)
            case _:
                return self._mark(index, after)
        return index + 1

    def _crossed_out(self, index: int) -> bool:
        """Whether a minus is glued to a name: '-Neymar'; several of them may be the bullets of a list."""
        if not index or self.signs[index - 1].sense is not Sense.DASH or (index > 1 and self._glued(index - 1)):
            return False
        return self._glued(index)

    def _behind_dash(self, index: int) -> bool:
        """Whether the only name stands behind a dash that stands behind something else."""
        if index < _DASHED or self.signs[index - 1].sense is not Sense.DASH or self._glued(index):
            return False
        alone = sum(sign.sense is Sense.MENTION for sign in self.signs) == 1
        return alone and self.signs[index - 2].sense in (Sense.AFFIRM, Sense.CONSENT, Sense.YES_SIGN)

    def _glued(self, index: int) -> bool:
        tokens = self.page.tokens
        return tokens[self.signs[index - 1].last].end == tokens[self.signs[index].first].start

    def _set_word(self, index: int, after: int) -> int:
        """Read a word that changes the set."""
        match self.signs[index].sense:
            case Sense.ONLY:
                return self._only(index, after)
            case Sense.EXCEPT if not self._names_ahead(index + 1, after) and self._own_noun_ahead(index + 1, after):
                self.facts.refuses = True  # 'sem cancelamento'
            case Sense.EXCEPT:
                self._set(Stance.REMOVED)
                if not self._names_ahead(index + 1, after):
                    self.facts.strange += 1
            case Sense.DROP:
                self._drop(index, after)
            case Sense.KEEP:
                self._keep(index, after)
            case Sense.ADD:
                self._set(Stance.ADDED)
                if not self._names_ahead(index + 1, after, strangers=True):
                    self.facts.strange += 1
            case Sense.ALSO:
                self._also(index, after)
            case Sense.SWAP:
                return self._swap(index, after)
            case Sense.INSTEAD:
                return self._instead(index, after)
            case Sense.REST:
                return self._rest(index, after)
        return index + 1
