"""The list of things a sentence acts on: "cancela o Babbel e o Deezer, o Aya não".

Owns: which named things are meant and which are negated, withdrawn, kept or only owned; their order.
Invariants: first mention first, nothing twice; a known value is returned as it is known, everything else as it was written.
Never: invents a name, corrects one without known values.
Source: language.json ITEMS-1 to ITEMS-10.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from pipeline.language.labels import label_nouns
from pipeline.language.lexicon import verb_stem
from pipeline.language.mentions import names_of
from pipeline.language.names import place_end, read_run, skip_frame
from pipeline.language.normalize import fold
from pipeline.language.page import Page
from pipeline.language.positions import read_places
from pipeline.language.senses import Sense
from pipeline.language.signs import Sign, read_signs
from pipeline.language.tokens import tokenize

__all__ = ["ItemsReading", "read_items"]


@dataclass(frozen=True, slots=True)
class ItemsReading:
    """What a text names, in order, and why."""

    items: tuple[str, ...]
    """Known values as they are known, other names as they were written."""
    rule: str
    """The rule that decided, the most special one that was needed."""
    rest: str = ""
    """Sentences of the text that name nothing and frame nothing, as written."""


class _Mode(Enum):
    """What is being said about the names that come now."""

    WANTED = auto()
    NEGATED = auto()
    """One name only: 'e não o X'."""
    REFUSED = auto()
    """A list of them: 'não cancela o X e o Y'."""
    EXCEPTED = auto()
    KEPT = auto()
    OWNED = auto()
    REPLACED = auto()
    """'em vez do X': until the next comma."""


@dataclass(slots=True)
class _Entry:
    key: str
    text: str
    mode: _Mode
    group: int
    """Names joined by 'e' share one; a trailing 'não' may speak of the group."""
    sentence: int
    position: bool = False
    strong: bool = True
    withdrawn: bool = False


@dataclass(slots=True)
class _Sentence:
    requested: bool = False
    bulleted: bool = False
    continued: bool = False
    """Begins with 'e', or says 'também': goes on with the list."""
    listed: bool = False
    """Is a line of a list, not a sentence of its own."""


_NEAR = 12
"""Signs looked ahead or back for what belongs to a word: nothing further away does, and a paste stays linear."""
_RECENT = 50
"""Names a later word can still change: the most items a request may hold (DESIGN 7)."""
_REQUESTS = frozenset({Sense.VERB, Sense.DROP, Sense.WANT, Sense.GIVE, Sense.ADD, Sense.CONSENT, Sense.ASK, Sense.SWAP})
_BULLET_DASH = frozenset({Sense.DASH})
_ENDS = frozenset({Sense.STOP, Sense.QUESTION})
_SKIPPED = frozenset(
    {Sense.ARTICLE, Sense.PREPOSITION, Sense.POSSESSIVE, Sense.ALSO, Sense.FILLER, Sense.PRONOUN, Sense.DEMONSTRATIVE, Sense.POSITION, Sense.AUXILIARY}
)


def read_items(
    text: str,
    *,
    label: str | None = None,
    known_values: Sequence[str] = (),
    locale: str = "pt-BR",
    description: str | None = None,
) -> ItemsReading:
    """Return the items a text names.

    `label` is the parameter's label ("os pedidos"), `known_values` what the customer holds in the order shown,
    `description` the tool's; its verb is a verb of request too.
    """
    tokens = tokenize(text)
    signs = read_signs(tokens, names_of(tuple(known_values)), locale=locale)
    reader = _Reader(Page(text, tokens, signs, label_nouns(label)), tuple(known_values), description)
    reader.read()
    return reader.result()


@dataclass(slots=True)
class _Reader:
    page: Page
    known: tuple[str, ...]
    description: str | None
    entries: list[_Entry] = field(default_factory=list)
    mode: _Mode = _Mode.WANTED
    group: int = 0
    sentences: list[_Sentence] = field(default_factory=lambda: [_Sentence()])
    everything: bool = False
    """All of the known values were asked for."""
    remainder: bool = False
    """'o resto' was asked for: the known values that are not spoken of."""
    only: bool = False
    rules: list[str] = field(default_factory=list)
    numbers_place: bool | None = None
    """Whether bare numbers are positions; None until somebody asks."""
    pair_open: bool = False
    """'tanto' was said: 'quanto' and 'como' join."""

    @property
    def signs(self) -> Sequence[Sign]:
        return self.page.signs

    # walking ---------------------------------------------------------------------------------------------------

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
            self._enter(str(sign.number), self.known[sign.number])
            return index + 1
        if self.page.is_label(index) and self._frames(index):
            return index + 1
        place = place_end(self.page, index)
        if place > index and self._names_before(index):
            return place
        if self.known and not self.page.protected(index):
            places = read_places(self.signs, index, len(self.known))
            if places is not None and not (places.bare and not self._bare_positions()) and not (places.whole and self._quantifies(places.after)):
                return self._enter_places(index, places.indexes, places.after, whole=places.whole)
        handled = None if self.page.protected(index) else self._turn(index)
        if handled is not None:
            return handled
        named = skip_frame(self.page, index)
        if named > index:
            return named
        run = read_run(self.page, index)
        if run is not None and not self._apposition(run.first, run.after, strong=run.strong):
            self._enter(fold(run.text).rstrip("."), run.text.rstrip(" ") if not run.text.endswith(".") or _abbreviated(run.text) else run.text[:-1], strong=run.strong)
            return run.after
        return max(run.after if run is not None else index + 1, index + 1)

    def _frames(self, index: int) -> bool:
        """Whether a label noun stands in front of something (a lone one is still no name)."""
        return not self.page.is_title(index) or index + 1 >= len(self.signs) or self.page.starts(index)

    def _turn(self, index: int) -> int | None:
        """Let a sign that is no name change what is being said; None where it opens a name or only frames one."""
        sign = self.signs[index]
        if sign.has(Sense.CORRECT) and sign.sense is not Sense.CORRECT and self._last_in_sentence() and self.signs[index - 1].sense in (Sense.COMMA, Sense.STOP, Sense.DASH):
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
                self.mode = _Mode.WANTED
                self.group += 1
            case Sense.NOT | Sense.REFUSE:
                return self._negation(index)
            case Sense.NONE:
                self.mode = _Mode.REFUSED
            case Sense.EXCEPT:
                self.mode = _Mode.EXCEPTED
                self.rules.append("ITEMS-6 all but")
            case Sense.KEEP:
                self._keep(index)
            case Sense.OWN:
                self._own(index)
            case Sense.CORRECT:
                self._correct(index)
            case Sense.INSTEAD:
                self._instead()
            case Sense.IF if index + 1 < len(self.signs) and self.signs[index + 1].sense in (Sense.AUXILIARY, Sense.CONSENT):
                pass  # 'queria ver se dá pra cancelar'
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
            case _ if sign.sense in _REQUESTS:
                return self._request(index)
            case Sense.THAT:
                if self.pair_open and sign.word == "como" and self.entries:
                    self.group += 1
                elif self.entries and self._last_in_sentence() and self._after_name(index):
                    return self._reason(index)
            case _:
                return None
        return index + 1

    # names -----------------------------------------------------------------------------------------------------

    def _enter(self, key: str, text: str, *, strong: bool = True, position: bool = False) -> None:
        if text:
            self.entries.append(_Entry(key, text, self.mode, self.group, len(self.sentences) - 1, position, strong))
        if self.mode is _Mode.NEGATED:
            self.rules.append("ITEMS-7 negated")

    def _enter_places(self, index: int, indexes: tuple[int, ...], after: int, *, whole: bool) -> int:
        del index
        self.rules.append("ITEMS-6 all" if whole else "ITEMS-6 positions")
        if whole and self.mode is _Mode.WANTED:
            self.everything = True
        else:
            for place in indexes:
                self._enter(str(place), self.known[place], position=True)
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
        return all(0 < sign.number <= len(self.known) for sign in codes) and not any(value.isdigit() for value in self.known)

    def _quantifies(self, after: int) -> bool:
        """Whether 'todos', 'os três' only announces the names that follow it."""
        spot = after
        while spot < min(len(self.signs), after + _NEAR) and (self.signs[spot].sense in (Sense.ARTICLE, Sense.COLON, Sense.PREPOSITION, Sense.POSSESSIVE) or self.page.is_label(spot)):
            spot += 1
        return spot < len(self.signs) and self.signs[spot].sense is Sense.MENTION

    def _apposition(self, first: int, after: int, *, strong: bool) -> bool:
        """Whether an unlisted word only stands beside a known value: 'o serviço Babbel', 'Babbel mensal'."""
        if strong and self.page.capitals_tell and self.signs[first].sense is not Sense.UNKNOWN:
            return False
        beside = (after < len(self.signs) and self.signs[after].sense is Sense.MENTION) or (first > 0 and self.signs[first - 1].sense is Sense.MENTION)
        spaced = after < len(self.signs) and self.signs[after - 1].sense is Sense.PREPOSITION and self.signs[after].sense is Sense.MENTION
        return beside or spaced

    # joints ----------------------------------------------------------------------------------------------------

    def _comma(self, index: int) -> None:
        if self.mode in (_Mode.NEGATED, _Mode.REPLACED) and self.entries and self.entries[-1].mode is self.mode:
            self.mode = _Mode.WANTED
        if self.mode is _Mode.KEPT and self._new_statement(index + 1):
            self.mode = _Mode.WANTED
        self.group += 1

    def _new_statement(self, index: int) -> bool:
        """Whether what begins here says something of its own rather than going on with a list."""
        end = min(len(self.signs), index + _NEAR)
        while index < end and self.signs[index].sense not in (Sense.COMMA, Sense.STOP, Sense.BREAK):
            if self.signs[index].sense in _REQUESTS:
                return True
            index += 1
        return False

    def _joint(self, index: int) -> int:
        sign = self.signs[index]
        if sign.word == "quanto" and not self.pair_open:
            return self._request(index)
        if sign.sense is Sense.ALSO:
            self.sentences[-1].continued = True
            if self.mode is _Mode.NEGATED:
                self.mode = _Mode.WANTED
            if index and self.signs[index - 1].sense is not Sense.AND:
                self.group += 1
            return index + 1
        if not self._last_in_sentence():
            self.sentences[-1].continued = self.sentences[-1].continued or self.page.starts(index)
        if self.mode is _Mode.NEGATED and self.entries and self.entries[-1].mode is _Mode.NEGATED:
            self.mode = _Mode.WANTED
        return index + 1

    def _break(self, *, bulleted: bool = False) -> None:
        if self.mode in (_Mode.NEGATED, _Mode.REPLACED, _Mode.OWNED, _Mode.KEPT):
            self.mode = _Mode.WANTED
        self.group += 1
        last = self.sentences[-1]
        self.sentences.append(_Sentence(listed=True, bulleted=bulleted, requested=last.requested and bulleted))

    def _sentence(self, index: int) -> None:
        if self._goes_on_after_dot(index):
            return
        self.mode = _Mode.WANTED
        self.group += 1
        self.sentences.append(_Sentence())

    def _goes_on_after_dot(self, index: int) -> bool:
        """An ellipsis or a dot before a small letter pauses, it does not end."""
        sign = self.signs[index]
        return sign.sense is Sense.STOP and (sign.word.startswith("..") or sign.word == "…")

    def _colon(self) -> None:
        """What announces a list is no part of it."""
        current = len(self.sentences) - 1
        for entry in self.entries[-_RECENT:]:
            if entry.sentence == current and not entry.key.isdigit() and not entry.strong:
                entry.withdrawn = True
        self.group += 1

    # turns -----------------------------------------------------------------------------------------------------

    def _request(self, index: int) -> int:
        if self.signs[index].sense in (Sense.WANT, Sense.CONSENT) and index + 1 < len(self.signs) and self.signs[index + 1].sense is Sense.KEEP:
            return index + 1
        self.sentences[-1].requested = True
        before = self.signs[index - 1] if index else None
        if before is not None and (before.sense in (Sense.NOT,) or (before.sense is Sense.REFUSE and before.words[0] in ("nao", "no", "don't", "nem"))):
            return index + 1
        if self.mode is not _Mode.WANTED and not self._negated_before(index):
            self.mode = _Mode.WANTED
            self.group += 1
        return index + 1

    def _negated_before(self, index: int) -> bool:
        """Whether a negation of this clause reaches over its verbs: 'não quero cancelar o X'."""
        spot = index - 1
        while spot >= max(0, index - _NEAR) and self.signs[spot].sense in _REQUESTS | {Sense.AUXILIARY, Sense.PRONOUN, Sense.THAT, Sense.PREPOSITION, Sense.FILLER, Sense.DEMONSTRATIVE, Sense.ARTICLE, Sense.ALSO}:
            spot -= 1
        return spot >= 0 and self.signs[spot].sense in (Sense.NOT, Sense.REFUSE)

    def _negation(self, index: int) -> int:
        ahead = index + 1
        while ahead < min(len(self.signs), index + _NEAR) and self.signs[ahead].sense in _SKIPPED:
            ahead += 1
        following = self.signs[ahead] if ahead < len(self.signs) else None
        previous = self.signs[index - 1] if index else None
        if following is not None and following.sense in _REQUESTS and (following.sense is not Sense.CONSENT or self.signs[index].sense is Sense.NOT):
            self.mode = _Mode.REFUSED
            self.group += 1
            self.rules.append("ITEMS-7 negated")
            return index + 1
        trailing = following is None or following.sense in (Sense.COMMA, Sense.STOP, Sense.AND, Sense.OR, Sense.BREAK, Sense.BUT, Sense.COURTESY, Sense.QUESTION, Sense.NOT, Sense.REASON)
        if trailing and previous is not None and self._names_before(index):
            self._negate_last()
            return index + 1
        if trailing and previous is not None and previous.sense in (Sense.COMMA, Sense.STOP, Sense.BREAK, Sense.DASH) and self.entries:
            if self._something_follows(ahead):
                self._correct(index)
            else:
                self._negate_last()
            return index + 1
        if self.signs[index].sense is Sense.REFUSE:
            return index + 1
        if trailing:
            return index + 1
        if following is not None and following.sense in (Sense.UNKNOWN, Sense.OWN) and not self.entries and self._thing_follows(ahead + 1):
            return ahead + 1  # 'não reconheço as cobranças de 12,90'
        if following is not None and following.sense in (Sense.OWN, Sense.KEEP, Sense.UNKNOWN) and not self._opens_name_after_article(index):
            return self._reason(index) if following.sense is not Sense.KEEP else ahead
        self.mode = _Mode.NEGATED
        self.group += 1
        return index + 1

    def _thing_follows(self, index: int) -> bool:
        """Whether what a denied verb is about comes next: an article, then the label or a known value."""
        while index < len(self.signs) and self.signs[index].sense in (Sense.ARTICLE, Sense.DEMONSTRATIVE, Sense.ALSO):
            index += 1
        return index < len(self.signs) and (self.page.is_label(index) or self.signs[index].sense is Sense.MENTION)

    def _names_follow(self, index: int) -> bool:
        """Whether the thing a remark speaks of follows it: 'não uso mais o Babbel'."""
        if index >= len(self.signs):
            return False
        if self.signs[index].sense is Sense.ARTICLE:
            index += 1
            return index < len(self.signs) and self.signs[index].sense in (Sense.MENTION, Sense.UNKNOWN, Sense.QUOTED, Sense.CODE)
        return self.signs[index].sense is Sense.MENTION

    def _opens_name_after_article(self, index: int) -> bool:
        return index + 1 < len(self.signs) and self.signs[index + 1].sense is Sense.ARTICLE

    def _names_before(self, index: int) -> bool:
        """Whether a name ends right before a sign."""
        return bool(self.entries) and self._last_in_sentence() and self._after_name(index)

    def _after_name(self, index: int) -> bool:
        spot = index - 1
        while spot >= max(0, index - _NEAR) and self.signs[spot].has(Sense.WANT, Sense.CONSENT):
            spot -= 1
        while spot >= max(0, index - _NEAR) and self.signs[spot].sense in (Sense.FILLER, Sense.PRONOUN, Sense.ALSO, Sense.AUXILIARY, Sense.BRACKET, Sense.DASH):
            spot -= 1
        return spot >= 0 and self.signs[spot].sense not in (Sense.COMMA, Sense.STOP, Sense.BREAK, Sense.AND, Sense.OR, Sense.COLON, Sense.BUT, Sense.THAT) and (
            self.signs[spot].sense not in _REQUESTS
        )

    def _something_follows(self, index: int) -> bool:
        return any(sign.sense in (Sense.MENTION, Sense.UNKNOWN, Sense.CODE, Sense.QUOTED, Sense.ORDINAL, Sense.LAST, Sense.ALL, Sense.NUMBER, Sense.TOPIC, Sense.PLACE) for sign in self.signs[index : index + _NEAR])

    def _negate_last(self) -> None:
        self.rules.append("ITEMS-7 negated")
        group = self.entries[-1].group
        whole_group = not self.sentences[-1].requested or any(entry.group != group and entry.mode is _Mode.WANTED for entry in self.entries[-_RECENT:])
        for entry in reversed(self.entries[-_RECENT:]):
            if entry.group != group:
                break
            entry.mode = _Mode.NEGATED
            if not whole_group:
                break
        self.mode = _Mode.WANTED
        self.group += 1

    def _keep(self, index: int) -> None:
        ahead = index + 1
        self.only = self.only or (index > 0 and self.signs[index - 1].sense is Sense.ONLY)
        while ahead < min(len(self.signs), index + _NEAR) and self.signs[ahead].sense in _SKIPPED | {Sense.ONLY}:
            self.only = self.only or self.signs[ahead].sense is Sense.ONLY
            ahead += 1
        self.rules.append("ITEMS-7 kept")
        following = self.signs[ahead] if ahead < len(self.signs) else None
        names_follow = following is not None and following.sense in (Sense.MENTION, Sense.UNKNOWN, Sense.CODE, Sense.QUOTED, Sense.ORDINAL, Sense.LAST, Sense.REST)
        if names_follow and following is not None and following.sense is Sense.UNKNOWN and not self._opens_name_after_article(index):
            names_follow = not self._names_before(index)
        if not names_follow and self._names_before(index):
            for entry in self.entries[-_RECENT:]:
                if entry.group == self.entries[-1].group:
                    entry.mode = _Mode.KEPT
            self.mode = _Mode.WANTED
        else:
            self.mode = _Mode.KEPT
        self.group += 1

    def _own(self, index: int) -> None:
        before = self.signs[index - 1] if index else None
        if before is not None and before.sense is Sense.THAT:
            return
        names_before = self._names_before(index)
        if names_before and not self.sentences[-1].requested:
            for entry in self.entries[-_RECENT:]:
                if entry.sentence == len(self.sentences) - 1:
                    entry.mode = _Mode.OWNED
            return
        self.mode = _Mode.OWNED
        self.group += 1

    def _correct(self, index: int) -> None:
        if not any(entry.mode is _Mode.WANTED and not entry.withdrawn for entry in self.entries[-_RECENT:]) or not self._something_follows(index + 1):
            return
        self.rules.append("ITEMS-7 self-correction")
        only_follows = any(sign.sense is Sense.ONLY for sign in self.signs[index + 1 : index + 4])
        verb_follows = any(sign.sense is Sense.VERB for sign in self.signs[index + 1 : index + 5])
        if self.everything:
            self.everything = False
        for entry in reversed(self.entries[-_RECENT:]):
            if entry.mode is _Mode.WANTED and not entry.withdrawn:
                entry.withdrawn = True
                if not (only_follows or verb_follows):
                    break
        self.mode = _Mode.WANTED
        self.group += 1

    def _instead(self) -> None:
        self.rules.append("ITEMS-7 instead of")
        self.mode = _Mode.REPLACED
        self.group += 1

    def _only(self, index: int) -> None:
        before = self.signs[index - 1] if index else None
        if before is not None and before.sense in (Sense.CORRECT, Sense.NOT, Sense.REFUSE) or (before is not None and before.sense is Sense.COMMA and index > 1 and self.signs[index - 2].sense in (Sense.NOT, Sense.CORRECT)):
            for entry in self.entries[-_RECENT:]:
                entry.withdrawn = True
            self.everything = False

    def _rest(self) -> None:
        self.rules.append("ITEMS-6 the rest")
        if self.mode is _Mode.WANTED:
            self.remainder = True

    def _reason(self, index: int) -> int:
        """Skip an explanation: to the end of its sentence, or to where a request or a known name begins again."""
        self.rules.append("ITEMS-1 reason left out")
        spot = index + 1
        while spot < len(self.signs):
            sense = self.signs[spot].sense
            if sense in _ENDS | {Sense.BREAK} and not self._goes_on_after_dot(spot):
                return spot
            if sense in (Sense.COMMA, Sense.AND, Sense.BUT, Sense.FILLER, Sense.ALSO) and self._resumes(spot + (sense is not Sense.ALSO)):
                self.mode = _Mode.WANTED
                return spot
            spot += 1
        return spot

    def _resumes(self, index: int) -> bool:
        spot = index
        also = False
        while spot < min(len(self.signs), index + _NEAR) and self.signs[spot].sense in _SKIPPED | {Sense.AND, Sense.COURTESY, Sense.COMMA}:
            also = also or self.signs[spot].sense is Sense.ALSO
            spot += 1
        if also and spot < len(self.signs) and self.signs[spot].sense in (Sense.UNKNOWN, Sense.MENTION, Sense.CODE, Sense.QUOTED):
            return True
        if spot >= len(self.signs):
            return False
        sign = self.signs[spot]
        if sign.sense in (Sense.VERB, Sense.DROP, Sense.WANT) or (sign.sense in (Sense.CONSENT, Sense.GIVE) and bool(verb_stem(sign.words[-1]) or sign.words[0] == "pode")):
            return True
        return sign.sense is Sense.MENTION and (self._ends_list(spot) or not self.known)

    def _ends_list(self, index: int) -> bool:
        """Whether a mention closes its clause or goes on as a list: then it is named, not talked about."""
        spot = index + 1
        return spot >= len(self.signs) or self.signs[spot].sense in (Sense.COMMA, Sense.STOP, Sense.AND, Sense.ALSO, Sense.BREAK, Sense.COURTESY, Sense.NOT)

    # numbering -------------------------------------------------------------------------------------------------

    def _mark_numbering(self) -> None:
        expected = 1
        numbering: set[int] = set()
        for index, sign in enumerate(self.signs):
            counts = sign.sense is Sense.CODE and sign.number == expected
            letters = sign.word == chr(ord("a") + expected - 1) and index + 1 < len(self.signs) and self.signs[index + 1].word == ")"
            if (counts or letters) and self._is_marker(index, first=expected == 1):
                numbering.add(index)
                expected += 1
        self.page.numbering = frozenset(numbering)

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
        return following.sense is Sense.DASH and (line_start or (glued and not first))

    def _is_numbering(self, index: int) -> bool:
        if index in self.page.numbering:
            return True
        if index and index - 1 in self.page.numbering and self.signs[index].sense in (Sense.BRACKET, Sense.STOP, Sense.DASH):
            return True
        if self.signs[index].sense is Sense.DASH and self.page.starts(index) and (index == 0 or self.signs[index - 1].sense is not Sense.STOP):
            return index + 1 < len(self.signs)
        return False

    # result ----------------------------------------------------------------------------------------------------

    def _last_in_sentence(self) -> bool:
        return bool(self.entries) and self.entries[-1].sentence == len(self.sentences) - 1

    def result(self) -> ItemsReading:
        live = [entry for entry in self.entries if not entry.withdrawn]
        live = self._without_comments(live)
        against = {entry.key for entry in live if entry.mode in (_Mode.NEGATED, _Mode.REFUSED, _Mode.EXCEPTED, _Mode.KEPT, _Mode.REPLACED)}
        wanted = [entry for entry in live if entry.mode is _Mode.WANTED]
        if not wanted and not self.everything and not self.remainder:
            wanted = [entry for entry in live if entry.mode is _Mode.OWNED]
        excepted = any(entry.mode is _Mode.EXCEPTED for entry in live)
        kept_only = self.only and any(entry.mode is _Mode.KEPT for entry in live)
        chosen: dict[str, str] = {}
        if self.known and (self.everything or self.remainder or ((excepted or kept_only) and not wanted)):
            chosen = {str(index): value for index, value in enumerate(self.known)}
        for entry in wanted:
            chosen.setdefault(entry.key, entry.text)
        for key in against:
            chosen.pop(key, None)
        folded: dict[str, str] = {}
        for text in chosen.values():
            folded.setdefault(fold(text), text)
        items = tuple(folded.values())
        return ItemsReading(items, self._rule(items), "")

    def _without_comments(self, live: list[_Entry]) -> list[_Entry]:
        """Leave out what unlisted words of other sentences seem to name: a comment is no list."""
        requested = {index for index, sentence in enumerate(self.sentences) if sentence.requested and any(entry.sentence == index for entry in live)}
        bulleted = any(sentence.bulleted for sentence in self.sentences)
        mentioned = any(entry.key.isdigit() for entry in live)
        if bulleted:
            return [entry for entry in live if self.sentences[entry.sentence].bulleted or entry.key.isdigit() or (self.sentences[entry.sentence].requested and entry.strong)]
        first = min((entry.sentence for entry in live), default=0)
        kept: list[_Entry] = []
        for entry in live:
            sentence = self.sentences[entry.sentence]
            if entry.key.isdigit() or sentence.requested or sentence.continued or sentence.listed:
                kept.append(entry)
            elif not requested and not mentioned and entry.sentence == first:
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
