"""A text read sign by sign into named things, and the list they make.

Owns: which reading a sign gets; which of the named things are items in the end.
Source: language.json ITEMS-1 to ITEMS-8.
"""

from dataclasses import dataclass

from pipeline.language.frames import place_end, skip_frame
from pipeline.language.item_entries import Entry, ItemsReading, Mode, known_key
from pipeline.language.item_ground import NEAR, REQUESTS
from pipeline.language.item_joints import COUNT_DIGITS, ItemJoints
from pipeline.language.names import read_run
from pipeline.language.normalize import fold
from pipeline.language.positions import read_places
from pipeline.language.senses import Sense
from pipeline.language.word_lists import listed

__all__ = ["ItemReader"]

_LOSSES = listed("perdi perdemos roubaram furtaram clonaram fui fiquei casei mudei lost")
"""Verbs a reason before a request opens with."""


@dataclass(slots=True)
class ItemReader(ItemJoints):
    """Reads a whole text."""

    def read(self) -> None:
        self._mark_numbering()
        index = 0
        while index < len(self.signs):
            index = self._step(index)

    def _step(self, index: int) -> int:
        sign = self.signs[index]
        if self._is_numbering(index):
            self._break(bulleted=True)
            return index + 1
        if sign.sense is Sense.MENTION:
            self._enter(known_key(sign.number), self.known[sign.number])
            return index + 1
        if self.page.is_label(index) and self._frames(index):
            return index + 1
        place = place_end(self.page, index)
        if place > index and self._names_before(index):
            return place
        if self.known and not self.page.protected(index):
            places = read_places(self.signs, index, len(self.known))
            if (
                places is not None
                and not (places.bare and not self._bare_positions())
                and not (places.whole and self._quantifies(places.after))
            ):
                return self._enter_places(places.indexes, places.after, whole=places.whole)
        handled = None if self.page.protected(index) else self._turn(index)
        if handled is not None:
            return handled
        named = skip_frame(self.page, index)
        if named > index:
            return named
        run = read_run(self.page, index)
        if run is not None and not self._apposition(run.first, run.after, strong=run.strong):
            self._enter(
                fold(run.text).rstrip("."),
                run.text.rstrip(" ") if not run.text.endswith(".") or _abbreviated(run.text) else run.text[:-1],
                strong=run.strong,
            )
            if self.entries:
                self.entries[-1].tells = self._tells(run.first, run.after)
                self.entries[-1].alone = self._stands_alone(run.first, run.after)
            return run.after
        return max(run.after if run is not None else index + 1, index + 1)

    def _frames(self, index: int) -> bool:
        """Whether a label noun stands in front of something (a lone one is still no name)."""
        return not self.page.is_title(index) or index + 1 >= len(self.signs) or self.page.starts(index)

    def _turn(self, index: int) -> int | None:
        """Let a sign that is no name change what is being said; None where it opens a name or only frames one."""
        sign = self.signs[index]
        if (
            sign.has(Sense.CORRECT)
            and sign.sense is not Sense.CORRECT
            and self._last_in_sentence()
            and self.signs[index - 1].sense in (Sense.COMMA, Sense.STOP, Sense.DASH)
        ):
            self._correct(index)
            return index + 1
        match sign.sense:
            case Sense.COMMA:
                self._comma(index)
            case Sense.BREAK | Sense.KIND_SIGN | Sense.YES_SIGN | Sense.NO_SIGN | Sense.DOUBT_SIGN | Sense.OTHER_SIGN:
                self._break()
            case Sense.STOP | Sense.QUESTION:
                self._sentence(index)
            case Sense.COLON:
                self._colon()
            case Sense.AND | Sense.OR | Sense.ALSO:
                return self._joint(index)
            case Sense.BUT:
                self._turn_back()
            case Sense.NOT | Sense.REFUSE:
                return self._negation(index)
            case Sense.NONE:
                self.mode = Mode.REFUSED
            case Sense.EXCEPT:
                self.mode = Mode.EXCEPTED
                self.rules.append("ITEMS-6 all but")
            case Sense.KEEP:
                self._keep(index)
            case Sense.OWN:
                self._own(index)
            case Sense.CORRECT:
                self._correct(index)
            case Sense.INSTEAD:
                self._instead()
            case Sense.IF if index + 1 < len(self.signs) and self.signs[index + 1].sense in (
                Sense.AUXILIARY,
                Sense.CONSENT,
            ):
                pass  # 'queria ver se dá pra cancelar'
            case Sense.REASON if sign.words[0] == "que" and not self._last_in_sentence():
                pass  # 'os que eu quero cancelar são'
            case _ if sign.word == "como" and self.page.starts(index) and self._explains(index):
                return self._reason(index)
            case Sense.REASON | Sense.IF:
                return self._reason(index)
            case Sense.REMARK:
                if not self._names_follow(index + 1):
                    return self._reason(index)
            case Sense.ONLY:
                self._only(index)
            case Sense.REST:
                self._rest()
            case Sense.BOTH_AND:
                self.pair_open = True
            case _ if sign.sense in REQUESTS:
                return self._request(index)
            case Sense.THAT:
                if self.pair_open and sign.word == "como" and self.entries:
                    self.group += 1
                elif self.entries and self._last_in_sentence() and self._after_name(index):
                    return self._reason(index)
            case _:
                return None
        return index + 1

    def _enter(self, key: str, text: str, *, strong: bool = True, position: bool = False) -> None:
        if text:
            self.entries.append(
                Entry(key, text, self.mode, self.group, len(self.sentences) - 1, position, strong, lead=self.lead)
            )
        if self.mode is Mode.NEGATED:
            self.rules.append("ITEMS-7 negated")

    def _enter_places(self, indexes: tuple[int, ...], after: int, *, whole: bool) -> int:
        self.rules.append("ITEMS-6 all" if whole else "ITEMS-6 positions")
        if whole and self.mode in (Mode.WANTED, Mode.EXCEPTED):
            self.everything = True
        elif not whole or self.mode is not Mode.REFUSED:  # 'não é pra cancelar tudo' names none
            for place in indexes:
                self._enter(known_key(place), self.known[place], position=True)
        return after

    def _bare_positions(self) -> bool:
        """Whether bare numbers are positions: nothing else is named, and no known value is itself a number."""
        if self.numbers_place is None:
            self.numbers_place = self._numbers_are_positions()
        return self.numbers_place

    def _numbers_are_positions(self) -> bool:
        if any(sign.sense is Sense.MENTION for sign in self.signs):
            return False
        codes = [sign for sign in self.signs if sign.sense is Sense.CODE]
        return all(0 < sign.number <= len(self.known) for sign in codes) and not any(
            value.isdigit() for value in self.known
        )

    def _quantifies(self, after: int) -> bool:
        """Whether 'todos', 'os três' only announces the names that follow it."""
        spot = after
        while spot < min(len(self.signs), after + NEAR) and (
            self.signs[spot].sense in (Sense.ARTICLE, Sense.COLON, Sense.PREPOSITION, Sense.POSSESSIVE)
            or self.page.is_label(spot)
        ):
            spot += 1
        return spot < len(self.signs) and self.signs[spot].sense is Sense.MENTION

    def _apposition(self, first: int, after: int, *, strong: bool) -> bool:
        """Whether an unlisted word only stands beside a known value: 'o serviço Babbel', 'Babbel mensal'."""
        if strong and self.page.capitals_tell and self.signs[first].sense is not Sense.UNKNOWN:
            return False
        beside = (after < len(self.signs) and self.signs[after].sense is Sense.MENTION) or (
            first > 0 and self.signs[first - 1].sense is Sense.MENTION
        )
        spaced = (
            after < len(self.signs)
            and self.signs[after - 1].sense is Sense.PREPOSITION
            and self.signs[after].sense is Sense.MENTION
        )
        return beside or spaced

    def result(self) -> ItemsReading:
        live = [entry for entry in self._without_remarks() if not entry.withdrawn]
        live = self._without_comments(live)
        against = {
            entry.key
            for entry in live
            if entry.mode in (Mode.NEGATED, Mode.REFUSED, Mode.EXCEPTED, Mode.KEPT, Mode.REPLACED)
        }
        wanted = [entry for entry in live if entry.mode is Mode.WANTED]
        if not wanted and not self.everything and not self.remainder:
            wanted = [entry for entry in live if entry.mode is Mode.OWNED]
        excepted = any(entry.mode is Mode.EXCEPTED for entry in live)
        if self.remainder:
            against |= {entry.key for entry in live if entry.mode is Mode.OWNED}
        kept_only = self.only and any(entry.mode is Mode.KEPT for entry in live)
        chosen: dict[str, str] = {}
        if self.known and (self.everything or self.remainder or ((excepted or kept_only) and not wanted)):
            chosen = {known_key(index): value for index, value in enumerate(self.known)}
        for entry in wanted:
            chosen.setdefault(entry.key, entry.text)
        for key in against:
            chosen.pop(key, None)
        folded: dict[str, str] = {}
        for text in chosen.values():
            folded.setdefault(fold(text), text)
        items = tuple(folded.values())
        rest = self.page.slice(self.foreign, len(self.signs) - 1) if self.foreign is not None else ""
        return ItemsReading(items, self._rule(items), rest)

    def _without_remarks(self) -> list[Entry]:
        """Leave out, where known values are asked for, what only leads to the request or explains it behind it."""
        entries = self.entries
        first = self.before_request
        if not self.known:
            loss = first < len(entries) and any(sign.word in _LOSSES for sign in self.signs[:2])
            return [entry for number, entry in enumerate(entries) if not loss or entry.strong or number >= first]
        asked = any(entry.known and entry.mode is Mode.WANTED for entry in entries[first:]) or self.everything
        named = len({entry.key for entry in entries if entry.known and entry.mode is Mode.WANTED})
        kept = []
        behind = self.everything
        for number, entry in enumerate(entries):
            leads = number < first and asked and not entry.known
            questions = number < first and asked and self.sentences[entry.sentence].asked
            counts = entry.key.isdecimal() and len(entry.key) < COUNT_DIGITS and int(entry.key) == named
            explains = not entry.known and not entry.strong and entry.lead is Sense.COMMA and behind
            if not (leads or questions or counts or (explains and (self.everything or entry.tells))):
                kept.append(entry)
            behind = behind or entry.known
        return kept

    def _without_comments(self, live: list[Entry]) -> list[Entry]:
        """Leave out what unlisted words of other sentences seem to name: a comment is no list."""
        requested = {
            index
            for index, sentence in enumerate(self.sentences)
            if sentence.requested and any(entry.sentence == index for entry in live)
        }
        bulleted = any(sentence.bulleted for sentence in self.sentences)
        if bulleted:
            return [
                entry
                for entry in live
                if self.sentences[entry.sentence].bulleted
                or entry.certain
                or (self.sentences[entry.sentence].requested and entry.strong)
            ]
        first = min((entry.sentence for entry in live), default=0)
        mentioned = any(entry.known or (entry.certain and entry.sentence != first) for entry in live)
        kept: list[Entry] = []
        listed = {entry.sentence for entry in live if entry.known}
        for entry in live:
            sentence = self.sentences[entry.sentence]
            if (
                entry.certain
                or entry.mode in (Mode.REFUSED, Mode.EXCEPTED)
                or (entry.alone and not entry.tells and entry.sentence in listed)
                or sentence.requested
                or sentence.continued
                or sentence.listed
                or (not requested and not mentioned and entry.sentence == first)
            ):
                kept.append(entry)
        return kept

    def _rule(self, items: tuple[str, ...]) -> str:
        if not items:
            return "ITEMS-1 nothing named"
        if self.rules:
            return next((rule for rule in self.rules if rule.startswith(("ITEMS-6", "ITEMS-7"))), self.rules[0])
        if any(sign.sense is Sense.MENTION for sign in self.signs):
            return "ITEMS-5 known values"
        return "ITEMS-3 separators" if len(items) > 1 else "ITEMS-1 one name"


def _abbreviated(text: str) -> bool:
    """Whether the dot at the end belongs to the name: "S.A."."""
    return text.count(".") > 1
