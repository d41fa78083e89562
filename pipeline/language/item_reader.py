"""A text read sign by sign into named things.

Owns: which reading a sign gets.
Source: language.json ITEMS-1 to ITEMS-8.
"""

from dataclasses import dataclass

from pipeline.language.frames import place_end, skip_frame
from pipeline.language.item_entries import Entry, Mode, known_key
from pipeline.language.item_ground import ALREADY, NEAR, RECENT, REQUESTS
from pipeline.language.item_list import ItemList
from pipeline.language.names import is_predicate, read_run
from pipeline.language.normalize import fold
from pipeline.language.positions import Places, read_places
from pipeline.language.senses import Sense
from pipeline.language.word_lists import listed

__all__ = ["ItemReader"]

_BOTH = listed("ambos ambas both")
_GOES = listed("vou vamos vai vao")


@dataclass(slots=True)
class ItemReader(ItemList):
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
                if self._refers_back(index, places):
                    return places.after
                return self._enter_places(places.indexes, places.after, whole=places.whole)
        named_so_far = self._said_place(index)
        if named_so_far:
            return named_so_far
        handled = None if self.page.protected(index) else self._turn(index)
        if handled is not None:
            return handled
        named = skip_frame(self.page, index)
        if named > index:
            return named
        run = read_run(self.page, index)
        if run is not None and self._announces(run.first, run.after):
            return run.after
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
                self._except()
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
            case Sense.REMARK if self._names_follow(index + 1):
                pass  # 'não uso mais o X'
            case Sense.REASON | Sense.IF | Sense.REMARK:
                return self._reason(index)
            case Sense.ONLY:
                self._only(index)
            case Sense.REST:
                self._rest()
            case Sense.BOTH_AND:
                self.pair_open = True
            case _ if sign.sense in REQUESTS:
                return self._request(index)
            case _ if self._predicates(index):
                return self._predicate(index)
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

    def _said_place(self, index: int) -> int:
        """Read 'o primeiro', 'os dois últimos' of the names said so far, where nothing is known; the index after it, 0 where it is none."""
        ahead = self.signs[index : index + 2]
        counted = ahead[0].has(Sense.NUMBER) and ahead[-1].has(Sense.ORDINAL, Sense.LAST)
        if self.known or not (counted or ahead[0].has(Sense.ORDINAL, Sense.LAST)) or self.page.is_title(index):
            return 0
        named = [entry for entry in self.entries[-RECENT:] if not entry.withdrawn]
        places = read_places(self.signs, index, len(named)) if len(named) > 1 else None
        if places is None or not places.valid or not places.indexes or self.mode not in (Mode.WANTED, Mode.EXCEPTED):
            return 0
        for number, entry in enumerate(named):
            if self.mode is Mode.EXCEPTED:
                entry.mode = Mode.EXCEPTED if number in places.indexes else entry.mode
            else:
                entry.mode = Mode.WANTED if number in places.indexes else Mode.OWNED
        return places.after

    def _refers_back(self, index: int, places: Places) -> bool:
        """Whether a count means the things named before it ('não uso o X nem o Y, cancela os dois'): they are wanted then."""
        if (places.indexes and not places.whole) or self.signs[
            min(places.after, len(self.signs) - 1)
        ].sense is Sense.REST:
            return False
        signs = self.signs[index : places.after]
        said = 2 if signs[0].word in _BOTH else next((sign.number for sign in signs if sign.has(Sense.NUMBER)), 0)
        named = [entry for entry in self.entries[-RECENT:] if not entry.withdrawn]
        if said < 2 or len({entry.key for entry in named}) != said or self.mode is not Mode.WANTED:
            return False
        for entry in named:
            entry.mode = Mode.WANTED
        return True

    def _predicates(self, index: int) -> bool:
        """Whether a verb says something of the name before it: 'a mesa veio quebrada', 'o X eu vou'."""
        word = self.signs[index].word
        goes = word in ("vou", "vamos") and self._speaker(index) and self._closes_clause(index + 1)
        return (goes or is_predicate(self.page, index) or self._lives_on(index)) and self._names_before(index)

    def _lives_on(self, index: int) -> bool:
        """Whether 'vai' and how stand behind a name: 'o Rex vai normal'."""
        if self.signs[index].word not in _GOES or index + 1 >= len(self.signs):
            return False
        return self.signs[index + 1].sense in (Sense.UNKNOWN, Sense.FILLER)

    def _predicate(self, index: int) -> int:
        if self.signs[index].word in _GOES or (index and self.signs[index - 1].word in ALREADY):
            self._owned_group()  # 'o Rex vai normal', 'o 500 já foi entregue'
        return self._reason(index)

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
        return spaced or (beside and not self._in_a_row(first, after))


def _abbreviated(text: str) -> bool:
    """Whether the dot at the end belongs to the name: "S.A."."""
    return text.count(".") > 1
