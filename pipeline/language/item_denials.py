"""What a negation reaches: the names behind it, the name before it, the verb, or nothing of the list.

Owns: "não o X", "o X não", "o X não cancela não", "não X, só Y", "não esquece o X".
Source: language.json ITEMS-7.
"""

from dataclasses import dataclass

from pipeline.language.item_entries import Mode
from pipeline.language.item_ground import NEAR, RECENT, REQUESTS, SKIPPED
from pipeline.language.item_turns import ItemTurns
from pipeline.language.senses import Sense
from pipeline.language.word_lists import listed

__all__ = ["ItemDenials"]

_MANAGES = listed("consigo consegue consegui conseguimos conseguem posso can could puedo pude")
"""Verbs whose denial is a complaint, not a wish."""
_DISOWNS = listed("reconheco reconhecemos recognize recognise reconozco")
"""Verbs whose denial names what a complaint is about."""
_CHOOSES = frozenset({Sense.ONLY, Sense.BUT, Sense.CORRECT, Sense.INSTEAD})
_OBJECTS = listed("o a os as lo la los las it")
"""Articles that are objects as well: 'não o cancela'."""


@dataclass(slots=True)
class ItemDenials(ItemTurns):
    """Reads negations."""

    def _negation(self, index: int) -> int:
        if self.signs[index].word == "nem" and self._names_before(index) and self.entries[-1].mode is Mode.WANTED:
            return index + 1  # 'não uso o X nem o Y, tira os dois'
        ahead = index + 1
        while ahead < min(len(self.signs), index + NEAR) and self.signs[ahead].sense in SKIPPED:
            ahead += 1
        following = self.signs[ahead] if ahead < len(self.signs) else None
        previous = self.signs[index - 1] if index else None
        if following is not None and self._forgets(ahead):
            self.mode = Mode.WANTED  # 'e não esquece o X'
            self.sentences[-1].continued = True
            return ahead + 1
        ended = self._no_longer_wanted(index + 1) if self.ends else 0
        if ended:
            self.sentences[-1].requested = True
            self.mode = Mode.WANTED
            return ended
        if (
            following is not None
            and following.sense in REQUESTS
            and not self.page.protected(ahead)
            and (following.sense is not Sense.CONSENT or self.signs[index].sense is Sense.NOT)
        ):
            denied = self._denied_verb(index + 1)
            if denied > index and self._names_before(index):
                self._negate_last()
                return denied
            self.mode = Mode.REFUSED
            self.group += 1
            self.rules.append("ITEMS-7 negated")
            return index + 1
        trailing = following is None or following.sense in (
            Sense.COMMA,
            Sense.STOP,
            Sense.AND,
            Sense.OR,
            Sense.BREAK,
            Sense.BUT,
            Sense.COURTESY,
            Sense.QUESTION,
            Sense.NOT,
            Sense.REASON,
        )
        if trailing and previous is not None and self._names_before(index):
            self._negate_last()
            return index + 1
        if (
            trailing
            and previous is not None
            and previous.sense in (Sense.COMMA, Sense.STOP, Sense.BREAK, Sense.DASH)
            and self.entries
        ):
            if self._something_follows(ahead):
                self._correct(index)
            else:
                self._negate_last()
            return index + 1
        if self._forgets(index):
            self.mode = Mode.REFUSED
            self.group += 1
            return index + 1
        if self.signs[index].sense is Sense.REFUSE:
            never = self.signs[index].words[-1] in ("never", "nunca", "jamais") and self.entries
            return self._reason(index) if never else index + 1
        if trailing:
            return index + 1
        if (
            following is not None
            and following.sense in (Sense.UNKNOWN, Sense.OWN)
            and not self.entries
            and (self._thing_follows(ahead + 1) or following.word in _DISOWNS)
        ):
            return ahead + 1  # 'não reconheço as cobranças de 12,90'
        if (
            following is not None
            and following.sense in (Sense.OWN, Sense.KEEP, Sense.UNKNOWN)
            and not self._opens_name_after_article(index)
            and not self._contrasts(ahead)
        ):
            return self._reason(index) if following.sense is not Sense.KEEP else ahead
        self.mode = Mode.NEGATED
        self.group += 1
        return index + 1

    def _no_longer_wanted(self, index: int) -> int:
        """Return where the name begins that is not wanted any more: 'não quero mais o X' asks an operation that ends things for X."""
        if index + 2 >= len(self.signs) or not self.signs[index].has(Sense.WANT):
            return 0
        more = self.signs[index + 1]
        if more.sense is not Sense.ALSO or more.words[0] != "mais" or self.signs[index + 2].sense in REQUESTS:
            return 0
        chosen = any(
            sign.sense in _CHOOSES or sign.has(Sense.WANT) for sign in self.signs[index + 2 : index + 2 + NEAR]
        )
        return 0 if chosen else index + 2  # 'não quero mais o X, só o Y'

    def _denied_verb(self, index: int) -> int:
        """Where the clause ends whose verb, with nothing behind it, is denied of the name before it: 'o X não cancela (não)', 0 elsewhere."""
        acts = False
        end = min(len(self.signs), index + NEAR)
        while index < end and (self.signs[index].sense in REQUESTS | SKIPPED or self.signs[index].sense is Sense.THAT):
            sign = self.signs[index]
            if sign.word in _MANAGES or (sign.sense is Sense.ARTICLE and sign.word not in _OBJECTS):
                return 0  # 'o X não consigo cancelar'
            acts = acts or sign.sense in (Sense.VERB, Sense.DROP, Sense.SWAP)
            index += 1
        if not acts or not self._closes_clause(index):
            return 0
        while index < end and self.signs[index].sense in (Sense.NOT, Sense.FILLER):
            index += 1
        return index

    def _contrasts(self, index: int) -> bool:
        """Whether what is denied is a name: it has a capital, or another is set against it ('not x, just y')."""
        if self.signs[index].sense is not Sense.UNKNOWN:
            return False
        if self.page.is_title(index):
            return True
        spot = index + 1
        while spot < min(len(self.signs), index + NEAR) and self.signs[spot].sense in (Sense.UNKNOWN, Sense.CODE):
            spot += 1
        if spot + 1 >= len(self.signs):
            return False
        return self.signs[spot].sense is Sense.BUT or (
            self.signs[spot].sense is Sense.COMMA and self.signs[spot + 1].sense is Sense.ONLY
        )

    def _negate_last(self) -> None:
        self.rules.append("ITEMS-7 negated")
        group = self.entries[-1].group
        whole_group = not self.sentences[-1].requested or any(
            entry.group != group and entry.mode is Mode.WANTED for entry in self.entries[-RECENT:]
        )
        for entry in reversed(self.entries[-RECENT:]):
            if entry.group != group:
                break
            entry.mode = Mode.NEGATED
            if not whole_group:
                break
        self.mode = Mode.WANTED
        self.group += 1
