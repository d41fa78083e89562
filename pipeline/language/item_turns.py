"""Words that turn what is said of names: forget, rather, only, instead of, keep, I have, because.

Owns: what each of them says of the names before and behind it.
Source: language.json ITEMS-1, ITEMS-6, ITEMS-7.
"""

from dataclasses import dataclass

from pipeline.language.item_entries import Mode
from pipeline.language.item_ground import ALREADY, NEAR, RECENT, REQUESTS, SKIPPED, ItemGround
from pipeline.language.senses import Sense
from pipeline.language.word_lists import listed

__all__ = ["ItemTurns"]

_ENDS = frozenset({Sense.STOP, Sense.QUESTION, Sense.BREAK})
_CLAUSE_ENDS = _ENDS | {Sense.COMMA, Sense.AND, Sense.BUT, Sense.COURTESY}
_THEM = listed("eles elas esses essas estes estas them ellos ellas los esos")
_IT = listed("ele ela esse essa este esta it ese esa")
_OTHERS_USE = listed("usa usam assiste assistem")
_FORGETS = listed(
    "esquece esqueca esquecer esqueçam desconsidera desconsidere desconsiderar ignora ignore forget olvida olvide"
)


@dataclass(slots=True)
class ItemTurns(ItemGround):
    """Reads the words that turn."""

    def _request(self, index: int) -> int:
        if (
            self.signs[index].sense in (Sense.WANT, Sense.CONSENT)
            and index + 1 < len(self.signs)
            and self.signs[index + 1].sense is Sense.KEEP
        ):
            return index + 1
        if self._asks_for_something_else(index):
            self.mode = Mode.FOREIGN
            self.foreign = self.foreign if self.foreign is not None else index
            return index + 1
        if self._forgets(index):
            self.mode = Mode.REFUSED
            self.group += 1
            self.rules.append("ITEMS-7 withdrawn")
            return index + 1
        self._refer(index + 1)
        if self.first_request in (None, Sense.ASK):
            self.before_request = len(self.entries)
        self.first_request = self.first_request or self.signs[index].sense
        self.sentences[-1].requested = True
        before = self.signs[index - 1] if index else None
        if before is not None and (
            before.sense is Sense.NOT
            or (before.sense is Sense.REFUSE and before.words[0] in ("nao", "no", "don't", "nem"))
        ):
            return index + 1
        if self.mode is not Mode.WANTED and not self._negated_before(index):
            self.mode = Mode.WANTED
            self.group += 1
        elif self._closes_clause(index + 1) and self._names_before(index):
            self.group += 1  # 'o X sai e o Y fica'
        return index + 1

    def _refer(self, index: int) -> None:
        """'remove ele', 'cancela esses': the names before the verb are what it acts on."""
        if index >= len(self.signs) or not self.entries or not self._closes_clause(index + 1):
            return
        word = self.signs[index].word
        named = self.entries[-RECENT:] if word in _THEM else self.entries[-1:] if word in _IT else ()
        for entry in named:
            entry.mode = Mode.WANTED if entry.mode in (Mode.NEGATED, Mode.REFUSED, Mode.OWNED) else entry.mode

    def _forgets(self, index: int) -> bool:
        """Whether a verb takes names out of the list whatever the request does with the rest: 'esquece o X'."""
        sign = self.signs[index]
        return sign.sense in (Sense.DROP, Sense.REFUSE) and sign.words[0] in _FORGETS

    def _closes_clause(self, index: int) -> bool:
        end = min(len(self.signs), index + NEAR)
        while index < end and self.signs[index].sense in (Sense.NOT, Sense.FILLER, Sense.NOW):
            index += 1
        return index >= len(self.signs) or self.signs[index].sense in _CLAUSE_ENDS

    def _asks_for_something_else(self, index: int) -> bool:
        """Whether, after names of one request, a verb of another kind begins a second: 'e me manda a fatura'."""
        sign = self.signs[index]
        if sign.sense is not Sense.GIVE:
            return False
        named = any(entry.mode is Mode.WANTED and not entry.withdrawn for entry in self.entries[-RECENT:])
        return named and self.first_request in (Sense.VERB, Sense.DROP, Sense.CONSENT, Sense.WANT)

    def _explains(self, index: int) -> bool:
        """Whether 'como …' is a reason: what it explains comes behind a comma."""
        spot = index + 1
        while spot < min(len(self.signs), index + NEAR) and self.signs[spot].sense not in (
            Sense.STOP,
            Sense.QUESTION,
            Sense.BREAK,
        ):
            if self.signs[spot].sense is Sense.COMMA:
                return self._resumes(spot + 1)
            spot += 1
        return False

    def _turn_back(self) -> None:
        """'mas': what was said of the names before it does not go on."""
        self.mode = Mode.WANTED
        self.group += 1

    def _keep(self, index: int) -> None:
        ahead = index + 1
        self.only = self.only or (index > 0 and self.signs[index - 1].sense is Sense.ONLY)
        while ahead < min(len(self.signs), index + NEAR) and self.signs[ahead].sense in SKIPPED | {Sense.ONLY}:
            self.only = self.only or self.signs[ahead].sense is Sense.ONLY
            ahead += 1
        self.rules.append("ITEMS-7 kept")
        following = self.signs[ahead] if ahead < len(self.signs) else None
        names_follow = following is not None and following.sense in (
            Sense.MENTION,
            Sense.UNKNOWN,
            Sense.CODE,
            Sense.QUOTED,
            Sense.ORDINAL,
            Sense.LAST,
            Sense.REST,
        )
        if (
            names_follow
            and following is not None
            and following.sense is Sense.UNKNOWN
            and not self._opens_name_after_article(index)
        ):
            names_follow = not self._names_before(index)
        if not names_follow and self._names_before(index):
            for entry in self.entries[-RECENT:]:
                if entry.group == self.entries[-1].group:
                    entry.mode = Mode.KEPT
            self.mode = Mode.WANTED
        else:
            self.mode = Mode.KEPT
        self.group += 1

    def _own(self, index: int) -> None:
        before = self.signs[index - 1] if index else None
        if before is not None and before.sense is Sense.THAT:
            return
        names_before = self._names_before(index)
        said = self.signs[index].words
        if names_before and (
            self._speaker(index)
            or said[0] in ALREADY
            or (said[-1] in _OTHERS_USE and not self._names_follow(index + 1))
        ):
            self._owned_group()  # 'o X eu ainda uso', 'o X já chegou'
            return
        if names_before and not self.sentences[-1].requested:
            for entry in self.entries[-RECENT:]:
                if entry.sentence == len(self.sentences) - 1:
                    entry.mode = Mode.OWNED
            if not self._names_follow(index + 1):
                return  # unlike 'minha esposa usa o X'
        self.mode = Mode.OWNED
        self.group += 1

    def _owned_group(self) -> None:
        group = self.entries[-1].group
        for entry in self.entries[-RECENT:]:
            if entry.group == group:
                entry.mode = Mode.OWNED
        self.group += 1

    def _speaker(self, index: int) -> bool:
        """Whether who speaks stands before a verb, behind a name: 'o X eu ainda uso'."""
        while index and self.signs[index - 1].sense is Sense.FILLER:
            index -= 1
        return index > 0 and self.signs[index - 1].sense is Sense.PRONOUN

    def _correct(self, index: int) -> None:
        if not any(
            entry.mode is Mode.WANTED and not entry.withdrawn for entry in self.entries[-RECENT:]
        ) or not self._something_follows(index + 1):
            return
        if any(self._forgets(spot) for spot in range(index + 1, min(len(self.signs), index + 4))):
            return  # 'não, esquece o X' says itself what is taken back
        self.rules.append("ITEMS-7 self-correction")
        only_follows = any(sign.sense is Sense.ONLY for sign in self.signs[index + 1 : index + 4])
        verb_follows = any(sign.sense is Sense.VERB for sign in self.signs[index + 1 : index + 5])
        if self.everything:
            self.everything = False
        for entry in reversed(self.entries[-RECENT:]):
            if entry.mode is Mode.WANTED and not entry.withdrawn:
                entry.withdrawn = True
                if not (only_follows or verb_follows):
                    break
        self.mode = Mode.WANTED
        self.group += 1

    def _except(self) -> None:
        self.mode = Mode.EXCEPTED
        self.rules.append("ITEMS-6 all but")

    def _instead(self) -> None:
        self.rules.append("ITEMS-7 instead of")
        self.mode = Mode.REPLACED
        self.group += 1

    def _only(self, index: int) -> None:
        before = self.signs[index - 1] if index else None
        if self._restricts(index):
            for entry in self.entries[-RECENT:]:
                entry.mode = Mode.OWNED if entry.mode is Mode.WANTED else entry.mode
            self.everything = False
        if self.mode in (Mode.REFUSED, Mode.NEGATED) and self._opens_clause(index):
            self._turn_back()  # 'não é pra cancelar o X, só o Y'
        if (before is not None and before.sense in (Sense.CORRECT, Sense.NOT, Sense.REFUSE)) or (
            before is not None
            and before.sense is Sense.COMMA
            and index > 1
            and self.signs[index - 2].sense in (Sense.NOT, Sense.CORRECT)
        ):
            for entry in self.entries[-RECENT:]:
                entry.withdrawn = True
            self.everything = False

    def _restricts(self, index: int) -> bool:
        """Whether the first request comes with an 'only': what was named before it is only owned ('faço A e B, tranca só o B')."""
        if not self.entries or not self._something_follows(index + 1):
            return False
        if self.first_request is None:
            return index + 1 < len(self.signs) and self.signs[index + 1].sense in REQUESTS
        asked = index > 0 and self.signs[index - 1].sense in REQUESTS
        return asked and self.first_request is not Sense.ASK and self.before_request == len(self.entries)

    def _opens_clause(self, index: int) -> bool:
        while index and self.signs[index - 1].sense in (Sense.AUXILIARY, Sense.FILLER):
            index -= 1
        return index > 0 and self.signs[index - 1].sense is Sense.COMMA

    def _rest(self) -> None:
        self.rules.append("ITEMS-6 the rest")
        if self.mode is Mode.WANTED:
            self.remainder = True
            for entry in self.entries[: self.before_request] if self.first_request not in (None, Sense.ASK) else ():
                entry.mode = Mode.OWNED if entry.mode is Mode.WANTED else entry.mode  # 'vou no X, cancela o resto'

    def _reason(self, index: int) -> int:
        """Skip an explanation: to the end of its sentence, or to where a request or a known name begins again."""
        self.rules.append("ITEMS-1 reason left out")
        spot = index + 1
        while spot < len(self.signs):
            sense = self.signs[spot].sense
            if sense in _ENDS and not self._goes_on_after_dot(spot):
                return spot
            if sense in (Sense.COMMA, Sense.AND, Sense.BUT, Sense.FILLER, Sense.ALSO) and self._resumes(
                spot + (sense is not Sense.ALSO)
            ):
                self.mode = Mode.WANTED
                return spot
            spot += 1
        return spot
