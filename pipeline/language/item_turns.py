"""Words that turn what is said of names: not, rather, only, instead of, keep, I have, because.

Owns: what each of them says of the names before and behind it.
Source: language.json ITEMS-1, ITEMS-6, ITEMS-7.
"""

from dataclasses import dataclass

from pipeline.language.item_entries import Mode
from pipeline.language.item_ground import NEAR, RECENT, REQUESTS, SKIPPED, ItemGround
from pipeline.language.senses import Sense

__all__ = ["ItemTurns"]

_ENDS = frozenset({Sense.STOP, Sense.QUESTION, Sense.BREAK})


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
        return index + 1

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

    def _negation(self, index: int) -> int:
        if self.signs[index].word == "nem" and self._names_before(index) and self.entries[-1].mode is Mode.WANTED:
            return index + 1  # 'não uso o X nem o Y, tira os dois'
        ahead = index + 1
        while ahead < min(len(self.signs), index + NEAR) and self.signs[ahead].sense in SKIPPED:
            ahead += 1
        following = self.signs[ahead] if ahead < len(self.signs) else None
        previous = self.signs[index - 1] if index else None
        if (
            following is not None
            and following.sense in REQUESTS
            and (following.sense is not Sense.CONSENT or self.signs[index].sense is Sense.NOT)
        ):
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
        if self.signs[index].sense is Sense.REFUSE:
            never = self.signs[index].words[-1] in ("never", "nunca", "jamais") and self.entries
            return self._reason(index) if never else index + 1
        if trailing:
            return index + 1
        if (
            following is not None
            and following.sense in (Sense.UNKNOWN, Sense.OWN)
            and not self.entries
            and self._thing_follows(ahead + 1)
        ):
            return ahead + 1  # 'não reconheço as cobranças de 12,90'
        if (
            following is not None
            and following.sense in (Sense.OWN, Sense.KEEP, Sense.UNKNOWN)
            and not self._opens_name_after_article(index)
        ):
            return self._reason(index) if following.sense is not Sense.KEEP else ahead
        self.mode = Mode.NEGATED
        self.group += 1
        return index + 1

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
        if names_before and not self.sentences[-1].requested:
            for entry in self.entries[-RECENT:]:
                if entry.sentence == len(self.sentences) - 1:
                    entry.mode = Mode.OWNED
            if not self._names_follow(index + 1):
                return  # unlike 'minha esposa usa o X'
        self.mode = Mode.OWNED
        self.group += 1

    def _correct(self, index: int) -> None:
        if not any(
            entry.mode is Mode.WANTED and not entry.withdrawn for entry in self.entries[-RECENT:]
        ) or not self._something_follows(index + 1):
            return
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

    def _instead(self) -> None:
        self.rules.append("ITEMS-7 instead of")
        self.mode = Mode.REPLACED
        self.group += 1

    def _only(self, index: int) -> None:
        before = self.signs[index - 1] if index else None
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

    def _opens_clause(self, index: int) -> bool:
        while index and self.signs[index - 1].sense in (Sense.AUXILIARY, Sense.FILLER):
            index -= 1
        return index > 0 and self.signs[index - 1].sense is Sense.COMMA

    def _rest(self) -> None:
        self.rules.append("ITEMS-6 the rest")
        if self.mode is Mode.WANTED:
            self.remainder = True

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
