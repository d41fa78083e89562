"""Amendments: what the set is after a reply.

Owns: whether a reply changes the set; names that were not shown and what they come for; the set afterwards, in the order shown.
Invariants: an empty set is a refusal, an unchanged one no amendment. Source: language.json REPLY-2, REPLY-3.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from pipeline.language.normalize import fold
from pipeline.language.page import Page
from pipeline.language.reply_facts import Entry, Facts, Stance
from pipeline.language.reply_segments import Clause, Proposal
from pipeline.language.reply_verdicts import Reply, Verdict
from pipeline.language.senses import Sense

__all__ = ["Amendment"]

_TOUCHES = (Stance.REMOVED, Stance.KEPT, Stance.ONLY, Stance.ADDED, Stance.OLD, Stance.NEW)


class Amendment(ABC):
    """The facts of one reply about one proposal, and what they make of its set."""

    __slots__ = ("facts", "page", "parts", "proposal", "values")

    def __init__(
        self, page: Page, parts: Sequence[Clause], facts: Facts, proposal: Proposal, values: Sequence[str]
    ) -> None:
        self.page = page
        self.parts = parts
        self.facts = facts
        self.proposal = proposal
        self.values = values

    def _settle_strangers(self) -> None:
        """Decide what names that were not shown do: come in the place of what was just refused, are added, or are not understood."""
        facts = self.facts
        for number, entry in enumerate(facts.entries):
            if entry.place >= 0 or entry.stance not in (Stance.NAMED, Stance.APPROVED, Stance.ONLY, Stance.REMOVED):
                continue
            before = self._denied_beside(number)
            alone = sum(other.place < 0 for other in facts.entries) == 1
            removed = [other for other in facts.entries if other.stance is Stance.REMOVED and other.place >= 0]
            if (
                entry.stance is Stance.NAMED
                and (entry.strong or entry.led)
                and before is not None
                and before.stance is Stance.REMOVED
                and before.place >= 0
                and alone
                and len(removed) == 1
                and not self._drops()
            ):
                facts.pairs.append((before.place, entry.text))
                before.stance = Stance.OLD
                entry.stance = Stance.NEW
            elif (
                entry.stance in (Stance.NAMED, Stance.APPROVED)
                and entry.strong
                and (entry.lead is Sense.AND or self._known(entry.text))
                and (facts.affirms or facts.own_verb)
                and not facts.refuses
                and self._joined(number)
            ):
                entry.stance = Stance.ADDED
            else:
                facts.strange += 1
                facts.strange_after += entry.aside

    def _denied_beside(self, number: int) -> Entry | None:
        """The item taken out right before a name, or right behind it ('é o Y, não o X')."""
        entries = self.facts.entries
        if number and entries[number - 1].stance is Stance.REMOVED:
            return entries[number - 1]
        if number + 1 < len(entries) and entries[number + 1].stance is Stance.REMOVED and number == 0:
            return entries[number + 1]
        return entries[number - 1] if number else None

    def _joined(self, number: int) -> bool:
        """Whether an unlisted name is said in addition: behind 'e'."""
        return self.facts.entries[number].lead is Sense.AND

    def _drops(self) -> bool:
        return any(sign.sense in (Sense.DROP, Sense.EXCEPT, Sense.KEEP) for sign in self.page.signs)

    def _known(self, text: str) -> bool:
        return text in self.values

    def _amends(self) -> bool:
        facts = self.facts
        if facts.pairs or facts.places(*_TOUCHES) or facts.strangers(Stance.ADDED) or facts.rest is False:
            return True
        chosen = facts.places(Stance.APPROVED, Stance.NAMED)
        return 0 < len(chosen) < self.proposal.size and not facts.whole and facts.rest is not True

    def _amended(self) -> Reply:
        facts = self.facts
        size = self.proposal.size
        removed = set(facts.places(Stance.REMOVED, Stance.KEPT))
        only = facts.places(Stance.ONLY)
        approved = facts.places(Stance.APPROVED)
        named = facts.places(Stance.NAMED)
        if facts.strange > facts.strange_after or (facts.strange_after and facts.but) or facts.alternative:
            return Reply(Verdict.UNCLEAR, rule="REPLY-4 not all understood")
        if removed & {*only, *approved, *named}:
            return Reply(Verdict.UNCLEAR, rule="REPLY-4 contradiction")
        if facts.refuses and facts.affirms:
            return Reply(Verdict.UNCLEAR, rule="REPLY-4 contradiction")
        chosen = {*only, *approved, *named}
        added = [entry.text for entry in facts.strangers(Stance.ADDED)]
        if only:
            kept = [place for place in range(size) if place in {*only, *approved}]
        elif facts.rest is False:
            kept = (
                [place for place in range(size) if place in chosen]
                if chosen
                else [place for place in range(size) if place not in removed]
            )
            if not chosen and not removed:
                return self._declined("REPLY-2 the rest left out")
            if not chosen:  # 'o X sai, o resto fica': off the list, or off the account?
                return Reply(Verdict.UNCLEAR, rule="REPLY-4 two readings")
        elif chosen and not removed and facts.rest is None and not facts.whole and not added and not facts.pairs:
            if named and not approved and facts.refuses:
                return Reply(Verdict.UNCLEAR, rule="REPLY-4 two readings")
            kept = [place for place in range(size) if place in chosen]
        elif chosen and removed and facts.rest is None and not facts.whole and len(chosen | removed) < size:
            return Reply(Verdict.UNCLEAR, rule="REPLY-4 says nothing of the others")
        else:
            kept = [place for place in range(size) if place not in removed]
        replaced = dict(facts.pairs)
        texts = [replaced.get(place, self.values[place]) for place in kept]
        result: dict[str, str] = {}
        for text in [*texts, *added]:
            if text:
                result.setdefault(fold(text), text)
        final = tuple(result.values())
        if not final:
            if facts.whole_removed and (facts.affirms or facts.but):
                return Reply(Verdict.UNCLEAR, rule="REPLY-4 two readings")  # 'sim, mas não cancela tudo'
            return self._declined("REPLY-2 every item taken out")
        if final == tuple(self.values[:size]):
            if facts.refuses:
                return Reply(Verdict.UNCLEAR, rule="REPLY-4 contradiction")
            if facts.places(Stance.ADDED) and not facts.affirms:
                return Reply(Verdict.UNCLEAR, rule="REPLY-4 already in the set")
            return (
                Reply(Verdict.UNCLEAR, rule="REPLY-4 changes nothing")
                if removed or (only and len(only) < size)
                else self._accepted()
            )
        return Reply(
            Verdict.AMEND, final, self._amendment_rule(removed, only, added), self._request(after_verdict=True)
        )

    def _amendment_rule(self, removed: set[int], only: list[int], added: list[str]) -> str:
        if self.facts.pairs:
            return "REPLY-3 replaced"
        if added:
            return "REPLY-3 added"
        if only or not removed:
            return "REPLY-3 restricted"
        return "REPLY-3 taken out"

    @abstractmethod
    def _accepted(self) -> Reply:
        """Return what a reply is that leaves the set as it was shown."""

    @abstractmethod
    def _declined(self, rule: str) -> Reply:
        """Return what a reply is that leaves nothing of the set."""

    @abstractmethod
    def _request(self, *, after_verdict: bool = False) -> str:
        """Return what else was asked for in the reply; empty when nothing was."""
