"""What a reply says besides its verdict: doubts, delays, reasons, self-corrections, names that were not shown.

Owns: which fact each such sign becomes.
Invariants: a sign that nothing accounts for counts as strange. Source: language.json REPLY-3, REPLY-4.
"""

from pipeline.language.names import read_run
from pipeline.language.reply_facts import Stance
from pipeline.language.reply_reasons import explains_taking_away
from pipeline.language.reply_refusal_words import RefusalWords
from pipeline.language.senses import Sense
from pipeline.language.word_lists import listed

__all__ = ["Marks"]

_ACCOUNTED = frozenset(
    {
        Sense.GREETING, Sense.COURTESY, Sense.FILLER, Sense.NOW, Sense.KIND_SIGN, Sense.ARTICLE, Sense.PREPOSITION, Sense.PRONOUN, Sense.FOR,
        Sense.DEMONSTRATIVE, Sense.THAT, Sense.DASH, Sense.BRACKET, Sense.COLON, Sense.COMMA, Sense.STOP, Sense.BREAK, Sense.AND,  Sense.QUESTION,
    }
)  # fmt: skip
_SILENT_AUXILIARIES = listed("eh esta estao ta sao vamos is are es i'm am let's to i am estoy estou tambem")
_PLURAL_SET = listed(
    "esses essas estes estas aqueles aquelas eles elas deles delas desses dessas destes destas these those them esos esas estos estas ellos ellas"
)
_NEEDING = listed("precisando querendo")
_SET_NOUNS = listed("produtos itens servicos items products services productos servicios")
"""Plural nouns that stand for whatever was shown."""
_NEAR = 8
"""Signs behind a self-correction in which what holds instead is said."""
_SAYS_AGAIN = frozenset({Sense.ONLY, Sense.EXCEPT, Sense.DROP, Sense.KEEP, Sense.VERB, Sense.NOT, Sense.CONSENT})
_TURNS = frozenset({Sense.NOT, Sense.REFUSE, Sense.AFFIRM, Sense.CONSENT, Sense.VERB, Sense.DROP, Sense.KEEP})
_DENIED = ("nao", "no ", "i don't")
_USES = listed("uso usamos adoro use like assisto assistimos leio lemos escuto ouco watch read veo")
_SURE = listed("claro|obvio|logico|eh claro|mas eh claro|claro que sim|evidente|obviamente|mas claro", "|")
"""Words that 'né' only stresses ('claro, né'); behind others it asks."""


class Marks(RefusalWords):
    """Reads the words beside the verdict."""

    __slots__ = ()

    def _mark(self, index: int, after: int) -> int:
        """Note what a sign says besides: a doubt, a delay, a reason, nothing."""
        sign = self.signs[index]
        match sign.sense:
            case Sense.OUT:
                self.facts.out = True
            case Sense.OWN if (
                self.proposal.operation.takes_away and sign.words[-1] in _USES and self._group_before(index)
            ):
                self._turn_group(self._group_before(index), Stance.REMOVED)  # 'o X eu ainda uso'
            case Sense.FILLER if (
                sign.word == "ne" and not self.facts.refuses and not any(other.word in _SURE for other in self.signs)
            ):
                self.facts.hedges = True
            case Sense.REASON:
                return self._reason(index, after)
            case Sense.REMARK:
                self._remark(index, after)
            case Sense.POSITION | Sense.BOTH_AND:
                led = index > 0 and self.signs[index - 1].sense in (Sense.ARTICLE, Sense.DEMONSTRATIVE)
                if sign.word in _SET_NOUNS and led:
                    self.facts.whole = self.facts.whole or self.facts.own_verb
                elif not self._names_ahead(index + 1, after):
                    self.facts.strange += 1
            case Sense.HEDGE:
                self.facts.hedges = True
            case Sense.WAIT:
                self.facts.waits = True
            case Sense.IF | Sense.BEFORE:
                self.facts.conditions = True
            case Sense.PUZZLED | Sense.DOUBT_SIGN | Sense.OTHER_SIGN:
                self.facts.puzzled = True
            case Sense.LATER:
                self.facts.later = True
            case Sense.ASK:
                self.facts.asks = True
            case Sense.AUXILIARY:
                if any(self.proposal.operation.is_noun(word) for word in sign.words):
                    self.facts.own_verb = True  # 'dar de baja'
                elif sign.words[-1] in _NEEDING and self._verb_ahead(index + 1, after):
                    self.facts.affirms = True  # 'tô precisando cancelar'
                elif sign.word not in _SILENT_AUXILIARIES:
                    only = index + 1 < after and self.signs[index + 1].sense is Sense.ONLY  # 'era só o X'
                    self.facts.strange += 0 if only or self._verb_ahead(index + 1, after) else 1
            case Sense.CORRECT:
                self._take_back(index, after)
                opens = not (self.facts.affirms or self.facts.entries)
                self.facts.refuses = self.facts.refuses or (opens and sign.words[-1] == "nao")
                self.facts.corrects = True
            case Sense.PREPOSITION if sign.word == "para" and self._stands_alone(index):
                self.facts.refuses = True  # 'não, para!'
            case _ if sign.sense in _ACCOUNTED:
                if (
                    sign.sense is Sense.DEMONSTRATIVE
                    and self.facts.own_verb
                    and any(word in _PLURAL_SET for word in sign.words)
                ):
                    self.facts.whole = True
            case _:
                return self._other(index, after)
        return index + 1

    def _reason(self, index: int, after: int) -> int:
        if self.signs[index].word == "que nao" and index + 1 == after and self._group_before(index):
            self._turn_group(self._group_before(index), Stance.REMOVED)  # 'só o X que não'
        elif not (self.proposal.operation.takes_away and explains_taking_away(self.signs[index:after])):
            self.facts.reasons += 1
        return after

    def _remark(self, index: int, after: int) -> None:
        self.facts.remarks += 1
        if self.signs[index].word.startswith(_DENIED) and self._whole_ahead(index + 1, after):
            self.facts.ambiguous = True  # 'não uso tudo'
        self.facts.strange += 0 if self.facts.affirms or self.facts.refuses else 1

    def _take_back(self, index: int, after: int) -> None:
        """'quer dizer': the names said last are withdrawn where others come in their place, and what was said of them goes on."""
        facts = self.facts
        end = min(len(self.signs), index + 1 + _NEAR)
        following = self.signs[index + 1 : end]
        if facts.pairs and any(sign.sense in (Sense.MENTION, Sense.UNKNOWN, Sense.FOR) for sign in following):
            facts.ambiguous = True
        facts.ambiguous = facts.ambiguous or facts.whole_removed
        if all(entry.place < 0 for entry in facts.entries) or any(sign.sense is Sense.ALSO for sign in following):
            return
        if not self._names_ahead(index + 1, end):
            facts.contradicts = facts.contradicts or any(sign.sense in _TURNS for sign in following)
            return
        last = facts.entries[-1]
        group = [entry for entry in facts.entries if entry.group == last.group and entry.stance is last.stance]
        if len(group) > 1 and not any(sign.sense in _SAYS_AGAIN for sign in following):
            facts.ambiguous = True  # 'tira o X e o Y, digo, o Z': for both, or for the last?
        facts.entries = [entry for entry in facts.entries if entry not in group]
        self._set(last.stance)
        if not self._names_ahead(index + 1, after):
            self.taken_back = last.stance

    def _stands_alone(self, index: int) -> bool:
        ends = (Sense.COMMA, Sense.STOP, Sense.BREAK)
        opened = index == 0 or self.signs[index - 1].sense in ends
        return opened and (index + 1 == len(self.signs) or self.signs[index + 1].sense in ends)

    def _other(self, index: int, after: int) -> int:
        sign = self.signs[index]
        operation = self.proposal.operation
        if any(operation.is_noun(word) for word in sign.words):
            self.facts.own_noun = True
            return index + 1
        if (
            self.proposal.is_echo(sign)
            and sign.sense is not Sense.CODE
            and self.stance not in (Stance.ADDED, Stance.NEW)
        ):
            return index + 1
        if (
            sign.word in _SET_NOUNS
            and (self.facts.own_verb or self.facts.own_noun)
            and index
            and self._stands_for_the_set(index - 1)
        ):
            self.facts.whole = True
            return index + 1
        run = read_run(self.page, index)
        if (
            run is not None
            and run.after <= after
            and self.stance in (Stance.ADDED, Stance.NEW, Stance.OLD, Stance.NAMED, Stance.APPROVED, Stance.REMOVED)
        ):
            self._enter(-1, run.text, strong=run.strong)
            led = index > 0 and (self.signs[index - 1].sense is Sense.ARTICLE or self.signs[index - 1].word == "eh")
            self.facts.entries[-1].led = led
            return max(run.after, index + 1)
        self.facts.strange += 1
        return index + 1

    def _stands_for_the_set(self, index: int) -> bool:
        """Whether the word before a plural noun makes it the set: 'os', 'esses', 'todos esses', 'dos'."""
        sign = self.signs[index]
        return sign.sense in (Sense.ARTICLE, Sense.DEMONSTRATIVE, Sense.ALL) or sign.word in ("dos", "das", "de los")

    def _is_counted_noun(self, index: int) -> bool:
        """Whether the noun of a count stands here: 'as quatro assinaturas', 'os 3 itens'."""
        sign = self.signs[index]
        return (
            sign.sense in (Sense.UNKNOWN, Sense.TOPIC, Sense.PLACE, Sense.POSITION)
            and len(sign.words) == 1
            and sign.word.endswith("s")
        )

    def _whole(self) -> None:
        """'todos', 'os três' by what is being said of them."""
        match self.stance:
            case Stance.REMOVED | Stance.KEPT:
                self.facts.whole_removed = True
                for place in range(self.proposal.size):
                    self._enter(place, "")
            case Stance.OLD | Stance.NEW:
                self.facts.strange += 1
            case _:
                self.facts.whole = True

    def _is_amount(self, index: int, *, bare: bool) -> bool:
        """Whether a bare number belongs to a name or amount beside it rather than being a position."""
        if not bare:
            return False
        following = self.signs[index + 1] if index + 1 < len(self.signs) else None
        return self.stance in (Stance.ADDED, Stance.NEW) or (
            following is not None and following.sense in (Sense.UNKNOWN, Sense.TOPIC)
        )
