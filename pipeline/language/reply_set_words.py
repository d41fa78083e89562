"""Words about the set: only, but, instead of, the rest; take out, leave, add, replace.

Owns: what each of them says of the names around it.
Source: language.json REPLY-3.
"""

from pipeline.language.reply_facts import Entry, Stance
from pipeline.language.reply_ground import Ground
from pipeline.language.senses import Sense
from pipeline.language.word_lists import listed

__all__ = ["SetWords"]

_LEAVES = listed("deixa deixe deixar deixem leave deja deje dejar")
"""'deixa só o X' before a cancellation: as the only one left, or as the only one to be cancelled?"""
_SHORT_KEEPS = frozenset(
    {
        "continua",
        "continuam",
        "continuar",
        "quero continuar",
        "fique",
        "ficar",
        "ficam",
        "stay",
        "stays",
        "queda",
        "se queda",
    }
)
_LETS_BE = listed("deixa deixe deixem")
"""Said alone they let the whole matter be."""
_THAT_ONE = listed("esse essa este esta ele ela it ese esa")
_JOINTS = frozenset({Sense.COMMA, Sense.STOP, Sense.BREAK, Sense.BUT, Sense.AND, Sense.FILLER})
_OUTSIDE = listed(
    "de fora|de lado|em paz|fora|quieto|out|out of it|off|alone|fuera|afuera|fora dessa|fora disso|fora da lista", "|"
)
"""Where something is left that is taken out: 'deixa o X de fora'."""


class SetWords(Ground):
    """Reads the words that change the set."""

    __slots__ = ()

    def _only(self, index: int, after: int) -> int:
        group = self._group_before(index)
        following = self._ahead(index + 1, after)
        if self.stance is Stance.REMOVED and self.fresh and not group:
            return index + 1  # 'tira só o X'
        if group and following is None:
            self._turn_group(group, Stance.ONLY)
            return index + 1
        if following is not None and following.sense in (Sense.DROP, Sense.EXCEPT, Sense.NOT):
            return index + 1
        if following is not None and following.sense is Sense.KEEP and self.proposal.operation.takes_away:
            leaves = following.words[-1] in _LEAVES and not self._outside(index, after)
            self.facts.ambiguous = self.facts.ambiguous or (leaves and not self.facts.affirms)
            return index + 1
        if self.stance is Stance.KEPT and (self.fresh or not self._names_ahead(index + 1, after)):
            leaves = any(word in _LEAVES for sign in self.signs[max(0, index - 3) : index] for word in sign.words)
            self.facts.ambiguous = self.facts.ambiguous or (leaves and not self._outside(index, after))
            return index + 1
        if not self._names_ahead(index + 1, after):
            self.facts.strange += 1
        if index and self.signs[index - 1].sense is Sense.NOT:
            self.facts.ambiguous = True
        self._set(Stance.ONLY)
        return index + 1

    def _outside(self, index: int, after: int) -> bool:
        """Whether the clause says that something is left out: 'de fora'."""
        return any(sign.sense is Sense.OUT and sign.word in _OUTSIDE for sign in self.signs[index:after])

    def _drop(self, index: int, after: int) -> None:
        group = self._group_before(index)
        own = self._is_own(self.signs[index])
        if any(
            self.proposal.operation.is_noun(word) for other in self.signs[index + 1 : after] for word in other.words
        ) and not self._names_ahead(index + 1, after):
            self.facts.refuses = True  # 'esquece o cancelamento'
            return
        if group and not self._names_ahead(index + 1, after):
            self._turn_group(group, Stance.REMOVED)
            self.facts.ambiguous = self.facts.ambiguous or own
            return
        if not self._names_ahead(index + 1, after, strangers=True):
            if own:
                self.facts.own_verb = True
                self.facts.affirms = self.facts.affirms or self.signs[index].words[0] in ("pode", "podem", "quero")
            else:
                self.facts.strange += 1
            return
        following = self._ahead(index + 1, after)
        if own and any(
            sign.sense in (Sense.ONLY, Sense.EXCEPT, Sense.ALL, Sense.NUMBER) for sign in self.signs[index:after]
        ):
            self.facts.own_verb = True  # 'remove só o X', 'remove todos' while a removal waits
            self._set(Stance.APPROVED)
            return
        if own or (
            self.proposal.operation.cancels
            and following is not None
            and following.sense is Sense.ALL
            and not self._excepted(index, after)
        ):
            # 'tira tudo' while a cancellation waits: off the list, or off the account?
            self.facts.ambiguous = True
        self._set(Stance.REMOVED)

    def _excepted(self, index: int, after: int) -> bool:
        return any(sign.sense is Sense.EXCEPT for sign in self.signs[index:after])

    def _keep(self, index: int, after: int) -> None:
        cancels = self.proposal.operation.takes_away
        group = self._group_before(index, over_wants=True)
        out = self._outside(index, after)
        if group and not self._names_ahead(index + 1, after):
            if cancels or out:
                self._turn_group(group, Stance.REMOVED)
            else:
                self._turn_group(group, Stance.APPROVED)
            return
        if not self._names_ahead(index + 1, after):
            if cancels and index and self.signs[index - 1].word in _THAT_ONE and self.proposal.size > 1:
                if self.facts.entries:
                    self.facts.entries[-1].stance = Stance.REMOVED  # 'o X não, esse fica'
                self.facts.strange += not self.facts.entries  # which one?
                return
            bare = self.signs[index].word in _LETS_BE and (index == 0 or self.signs[index - 1].sense in _JOINTS)
            if (bare and index + 1 == after) or (cancels and self.signs[index].word not in _SHORT_KEEPS):
                self.facts.refuses = True
            else:
                self.facts.strange += 1
            return
        if cancels or out:
            self._set(Stance.KEPT)
        else:
            if not any(sign.sense is Sense.ONLY for sign in self.signs[max(0, index - 1) : after]) and not any(
                sign.sense is Sense.REST for sign in self.signs[index:after]
            ):
                self.facts.ambiguous = True
            self._set(Stance.NAMED)

    def _also(self, index: int, after: int) -> None:
        group = self._group_before(index)
        if group and not self._names_ahead(index + 1, after, strangers=True):
            for entry in group:
                if entry.place < 0 and entry.stance in (Stance.NAMED, Stance.APPROVED):
                    entry.stance = Stance.ADDED
            return
        if self._names_ahead(index + 1, after, strangers=True):
            if self.stance in (Stance.NAMED, Stance.APPROVED):
                self._set(Stance.ADDED)
            return
        self.facts.strange += 0 if self.facts.entries else 1

    def _swap(self, index: int, after: int) -> int:
        """'troca X por Y': everything before the joint is old, everything behind it new."""
        joint = next((spot for spot in range(index + 1, after) if self._is_exchange_joint(spot)), None)
        if joint is None or not self._names_ahead(index + 1, joint):
            self.facts.strange += 1
            return index + 1
        self._set(Stance.OLD)
        spot = index + 1
        while spot < joint:
            spot = self._step(spot, joint)
        self._set(Stance.NEW)
        spot = joint + 1
        while spot < after:
            spot = self._step(spot, after)
        self._pair()
        return after

    def _exchanges(self, index: int, after: int) -> bool:
        return any(self._is_exchange_joint(spot) for spot in range(index + 1, after))

    def _is_exchange_joint(self, index: int) -> bool:
        sign = self.signs[index]
        return sign.sense is Sense.FOR or (
            sign.sense in (Sense.PREPOSITION, Sense.AUXILIARY, Sense.RANGE)
            and sign.words[0] in ("para", "com", "to", "a", "al", "into", "con")
        )

    def _pair(self) -> None:
        old = [entry for entry in self.facts.entries if entry.stance is Stance.OLD]
        new = [entry for entry in self.facts.entries if entry.stance is Stance.NEW]
        if not old or not new or any(entry.place < 0 for entry in old):
            self.facts.strange += 1
            return
        for number, entry in enumerate(old):
            if number < len(new):
                self.facts.pairs.append((entry.place, self._text(new[number])))
            else:
                self.facts.pairs.append((entry.place, ""))
        for entry in new[len(old) :]:
            entry.stance = Stance.ADDED
        self._set(Stance.NAMED)

    def _text(self, entry: Entry) -> str:
        return self.values[entry.place] if entry.place >= 0 else entry.text

    def _instead(self, index: int, after: int) -> int:
        """'Y em vez de X', 'em vez de X (coloca) Y'."""
        group = [
            entry
            for entry in self.facts.entries
            if entry.group == self.group and entry.stance in (Stance.NAMED, Stance.APPROVED, Stance.ADDED, Stance.ONLY)
        ]
        self._set(Stance.OLD)
        if not self._names_ahead(index + 1, after):
            self.facts.strange += 1
        spot = index + 1
        while (
            spot < after
            and self.signs[spot].sense not in (Sense.ADD, Sense.CONSENT, Sense.VERB)
            and self.signs[spot].word != "eh"
        ):
            spot = self._step(spot, after)
        if group:
            for entry in group:
                entry.stance = Stance.NEW
            self._pair()
            return max(spot, index + 1)
        self._set(Stance.NEW)
        return max(spot + (spot < after), index + 1)

    def _rest(self, index: int, after: int) -> int:
        following = self._ahead(index + 1, after)
        joined = self.clause_lead in (Sense.AND, None) or any(
            sign.sense is Sense.ALSO for sign in self.signs[index:after]
        )
        own = (index > 0 and self._is_own(self.signs[index - 1])) or (following is not None and self._is_own(following))
        self.facts.rest_apart = self.facts.rest_apart or (own and not joined and bool(self.facts.entries))
        if following is None:
            match self.stance:
                case Stance.KEPT | Stance.REMOVED:
                    self.facts.rest = index > 0 and self._is_own(self.signs[index - 1])  # 'tira o X e bloqueia o resto'
                case Stance.ONLY:
                    self.facts.strange += 1
                case _:
                    self.facts.rest = True
            return index + 1
        if following.sense in (Sense.AFFIRM, Sense.CONSENT, Sense.YES_SIGN) or self._is_own(following):
            negated = any(sign.sense is Sense.NOT for sign in self.signs[index:after])
            self.facts.rest = not negated
            return after
        if following.sense in (Sense.NOT, Sense.REFUSE, Sense.DROP) or (
            following.sense is Sense.KEEP and self.proposal.operation.takes_away
        ):
            self.facts.rest = False
            return after
        if following.sense is Sense.KEEP:
            self.facts.rest = True
            return after
        self.facts.rest = self.stance not in (Stance.KEPT, Stance.REMOVED)
        return index + 1
