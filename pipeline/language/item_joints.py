"""What cuts a list, ends a sentence and numbers entries.

Owns: commas and conjunctions, line breaks, full stops, colons, numbering.
Source: language.json ITEMS-1, ITEMS-3.
"""

from dataclasses import dataclass

from pipeline.language.item_denials import ItemDenials
from pipeline.language.item_entries import Mode, Sentence
from pipeline.language.item_ground import RECENT
from pipeline.language.senses import Sense

__all__ = ["COUNT_DIGITS", "ItemJoints"]

COUNT_DIGITS = 3
"""Digits of a number too long to count the things of a list."""


@dataclass(slots=True)
class ItemJoints(ItemDenials):
    """Reads what cuts."""

    def _comma(self, index: int) -> None:
        if self.mode in (Mode.NEGATED, Mode.REPLACED) and self.entries and self.entries[-1].mode is self.mode:
            self.mode = Mode.WANTED
        if self.mode is Mode.KEPT and self._new_statement(index + 1):
            self.mode = Mode.WANTED
        if self.mode is Mode.REFUSED and self._names_what_is(index + 1):
            self.mode = Mode.WANTED
        self.group += 1
        self.lead = Sense.COMMA

    def _names_what_is(self, index: int) -> bool:
        """Whether 'é o X' stands here: the one that is meant instead."""
        ahead = self.signs[index : index + 3]
        return (
            len(ahead) > 2
            and ahead[0].word in ("eh", "is", "es")
            and ahead[1].sense in (Sense.ARTICLE, Sense.PREPOSITION)
            and ahead[2].sense is Sense.MENTION
        )

    def _joint(self, index: int) -> int:
        sign = self.signs[index]
        self.lead = sign.sense
        if sign.word == "quanto" and not self.pair_open:
            return self._request(index)
        if sign.sense is Sense.ALSO:
            self.sentences[-1].continued = True
            if self.mode is Mode.NEGATED:
                self.mode = Mode.WANTED
            if index and self.signs[index - 1].sense is not Sense.AND:
                self.group += 1
            return index + 1
        if not self._last_in_sentence():
            self.sentences[-1].continued = self.sentences[-1].continued or self._opens_sentence(index)
        if self.mode is Mode.NEGATED and self.entries and self.entries[-1].mode is Mode.NEGATED:
            self.mode = Mode.WANTED
        return index + 1

    def _opens_sentence(self, index: int) -> bool:
        """Whether nothing but fillers stands before a sign: 'Ah, e o X'."""
        while not self.page.starts(index) and self.signs[index - 1].sense in (
            Sense.FILLER,
            Sense.COMMA,
            Sense.COURTESY,
        ):
            index -= 1
        return self.page.starts(index)

    def _break(self, *, bulleted: bool = False) -> None:
        if self.mode in (Mode.NEGATED, Mode.REPLACED, Mode.OWNED, Mode.KEPT):
            self.mode = Mode.WANTED
        self.group += 1
        last = self.sentences[-1]
        self.sentences.append(Sentence(listed=True, bulleted=bulleted, requested=last.requested and bulleted))

    def _sentence(self, index: int) -> None:
        if self._goes_on_after_dot(index):
            return
        self.mode = Mode.WANTED
        self.group += 1
        self.lead = None
        self.sentences[-1].asked = self.signs[index].sense is Sense.QUESTION
        self.sentences.append(Sentence())

    def _colon(self) -> None:
        """What announces a list is no part of it."""
        current = len(self.sentences) - 1
        for entry in self.entries[-RECENT:]:
            counts = (
                entry.key.isdigit()
                and len(entry.key) < COUNT_DIGITS
                and (bool(self.known) or (self.sentences[-1].requested and len(self.entries) == 1))
            )
            if entry.sentence == current and (counts or (not entry.certain and not entry.strong)):
                entry.withdrawn = True
        self.group += 1

    def _mark_numbering(self) -> None:
        expected = 1
        numbering: set[int] = set()
        for index, sign in enumerate(self.signs):
            counts = sign.sense is Sense.CODE and sign.number == expected
            letters = (
                sign.word == chr(ord("a") + expected - 1)
                and index + 1 < len(self.signs)
                and self.signs[index + 1].word == ")"
            )
            if (counts or letters) and self._is_marker(index, first=expected == 1):
                numbering.add(index)
                expected += 1
        self.page.numbering = frozenset(numbering)
        marks = [self._is_numbering(index) for index in range(len(self.signs))]
        self.page.entries = frozenset(index for index in range(1, len(marks)) if marks[index - 1] and not marks[index])

    def _is_marker(self, index: int, *, first: bool) -> bool:
        """Whether a number is followed by ')' , '.' or '-' and then by something: '1) ', '2. ', '3 - '."""
        if index + 2 >= len(self.signs):
            return False
        following = self.signs[index + 1]
        glued = self.page.tokens[following.first].start == self.page.tokens[self.signs[index].last].end
        line_start = index == 0 or self.signs[index - 1].sense in (Sense.BREAK, Sense.COLON, Sense.STOP)
        if following.word in (")", "°", "º"):
            return glued
        if following.word == ".":
            return glued
        return following.sense is Sense.DASH and (line_start or not first)

    def _is_numbering(self, index: int) -> bool:
        if index in self.page.numbering:
            return True
        if (
            index
            and index - 1 in self.page.numbering
            and self.signs[index].sense in (Sense.BRACKET, Sense.STOP, Sense.DASH)
        ):
            return True
        if (
            self.signs[index].sense is Sense.DASH
            and self.page.starts(index)
            and (index == 0 or self.signs[index - 1].sense is not Sense.STOP)
        ):
            return index + 1 < len(self.signs)
        return False
