"""A reply read sign by sign into facts.

Owns: which reading a sign gets; names that were not shown; what nothing accounts for.
Invariants: every sign of a clause about the proposal becomes part of one fact or counts as strange; one pass.
Source: language.json REPLY-1 to REPLY-4.
"""

from collections.abc import Sequence

from pipeline.language.names import read_run
from pipeline.language.page import Page
from pipeline.language.reply_facts import Facts, Stance
from pipeline.language.reply_segments import Clause, Matter, Proposal
from pipeline.language.reply_verdict_words import VerdictWords
from pipeline.language.senses import Sense
from pipeline.language.signs import Sign
from pipeline.language.word_lists import listed

__all__ = ["gather"]

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
_SET_NOUNS = listed("produtos itens servicos items products services productos servicios")
"""Plural nouns that stand for whatever was shown."""
_WANTS_MORE = frozenset(
    {
        Sense.ARTICLE,
        Sense.PREPOSITION,
        Sense.POSSESSIVE,
        Sense.THAT,
        Sense.AND,
        Sense.OR,
        Sense.FOR,
        Sense.BUT,
        Sense.BOTH_AND,
        Sense.COLON,
        Sense.INSTEAD,
        Sense.EXCEPT,
    }
)
_USES = listed("uso usamos adoro use like")
_SURE = listed("claro|obvio|logico|eh claro|mas eh claro|claro que sim|evidente|obviamente|mas claro", "|")
"""Words that 'né' only stresses ('claro, né'); behind others it asks."""

_SET_SENSES = frozenset(
    {Sense.ONLY, Sense.EXCEPT, Sense.DROP, Sense.KEEP, Sense.ADD, Sense.ALSO, Sense.SWAP, Sense.INSTEAD, Sense.REST}
)


def gather(page: Page, parts: Sequence[Clause], proposal: Proposal, values: Sequence[str]) -> Facts:
    """Return the facts of the clauses that are about the proposal. `values`: the items shown, then other known ones."""
    reader = _Reader(page, proposal, values)
    for clause in parts:
        if clause.matter is Matter.PROPOSAL:
            reader.clause(clause)
        elif clause.matter is Matter.ASKS:
            reader.facts.asks = True
    reader.close()
    other = {
        index
        for clause in parts
        if clause.matter in (Matter.REQUEST, Matter.QUESTION)
        for index in range(clause.first, clause.after)
    }
    joints = {sign.sense for index, sign in enumerate(page.signs) if index not in other and index + 1 not in other}
    reader.facts.but = Sense.BUT in joints
    reader.facts.alternative = Sense.OR in joints or any(sign.word == "/" for sign in page.signs)
    reader.facts.asks = reader.facts.asks or _asks_about_it(page.signs, parts)
    last = page.signs[-1] if page.signs else None
    if (
        last is not None
        and last.sense in _WANTS_MORE
        and last.word not in ("o", "a")
        and not (last.word == "para" and reader.facts.refuses)
    ):
        reader.facts.dangling = True
    return reader.facts


def _asks_about_it(signs: Sequence[Sign], parts: Sequence[Clause]) -> bool:
    """Whether a question mark stands anywhere but behind another matter."""
    ends = {clause.after: clause.matter for clause in parts}
    last: Matter | None = None
    for index, sign in enumerate(signs):
        last = ends.get(index, last)
        if sign.sense is Sense.QUESTION and last not in (Matter.REQUEST, Matter.QUESTION):
            return True
    return False


class _Reader(VerdictWords):
    """Reads whole clauses."""

    __slots__ = ()

    def clause(self, clause: Clause) -> None:
        """Read one clause; what is being said goes on over commas and 'e', not over 'mas' and full stops."""
        self.clause_lead = clause.lead
        if self.once and clause.lead is Sense.COMMA:
            self.stance = Stance.NAMED
        self.once = False
        self.fresh = False
        if clause.lead in (Sense.BUT, Sense.STOP, Sense.BREAK, Sense.QUESTION):
            self.stance = Stance.NAMED
        if clause.lead not in (Sense.AND, Sense.OR, Sense.COLON):
            self.group += 1
        if clause.asks:
            self.facts.asks = True
        strange, begin, verdicts = self.facts.strange, len(self.facts.entries), (self.facts.affirms, self.facts.refuses)
        index = clause.first
        while index < clause.after:
            index = self._step(index, clause.after)
        said = self.facts.entries[begin:]
        if verdicts == (self.facts.affirms, self.facts.refuses) and all(entry.place < 0 for entry in said):
            self.facts.strange_after += self.facts.strange - strange
            for entry in said:
                entry.aside = True

    def close(self) -> None:
        """Give the names that were to be replaced what was said in their place, in a later clause."""
        old = [entry for entry in self.facts.entries if entry.stance is Stance.OLD]
        if not old or self.facts.pairs:
            return
        new = [
            entry
            for entry in self.facts.entries
            if entry.stance in (Stance.NEW, Stance.ADDED, Stance.NAMED, Stance.APPROVED)
        ]
        for entry in new:
            entry.stance = Stance.NEW
        self._pair()

    def _step(self, index: int, after: int) -> int:
        sign = self.signs[index]
        if sign.sense is Sense.MENTION:
            self._enter(sign.number if sign.number < self.proposal.size else -1, self.values[sign.number])
            return index + 1
        places = self._places(index, after)
        if places is not None and not self._is_amount(index, bare=places.bare):
            if not places.valid:
                self.facts.no_such_place = True
            if places.whole:
                self._whole()
            for place in () if places.whole else places.indexes:
                self._enter(place, "")
            counted = places.valid and any(
                sign.has(Sense.NUMBER) or sign.sense is Sense.CODE for sign in self.signs[index : places.after]
            )
            if counted and places.after < after and self._is_counted_noun(places.after):
                return places.after + 1
            return places.after
        if (
            sign.sense in (Sense.GIVE, Sense.UNKNOWN, Sense.SWAP, Sense.TOPIC, Sense.OUT, Sense.ADD, Sense.ABOUT)
            and self._is_own(sign)
            and not (sign.sense is Sense.SWAP and self._exchanges(index, after))
        ):
            return self._verb(index, after)
        if sign.sense in _SET_SENSES:
            return self._set_word(index, after)
        match sign.sense:
            case Sense.AFFIRM | Sense.YES_SIGN:
                self._yes(index)
            case Sense.CONSENT:
                return self._consent(index, after)
            case Sense.WANT if self._names_ahead(index + 1, after) or self._verb_ahead(index + 1, after):
                return self._consent(index, after)
            case Sense.NOT:
                return self._not(index, after)
            case Sense.REFUSE | Sense.NO_SIGN:
                return self._refuse(index, after)
            case Sense.NONE:
                self.facts.refuses = True
            case Sense.VERB:
                return self._verb(index, after)
            case _:
                return self._mark(index, after)
        return index + 1

    def _set_word(self, index: int, after: int) -> int:
        """Read a word that changes the set."""
        match self.signs[index].sense:
            case Sense.ONLY:
                return self._only(index, after)
            case Sense.EXCEPT if not self._names_ahead(index + 1, after) and self._own_noun_ahead(index + 1, after):
                self.facts.refuses = True  # 'sem cancelamento'
            case Sense.EXCEPT:
                self._set(Stance.REMOVED)
                if not self._names_ahead(index + 1, after):
                    self.facts.strange += 1
            case Sense.DROP:
                self._drop(index, after)
            case Sense.KEEP:
                self._keep(index, after)
            case Sense.ADD:
                self._set(Stance.ADDED)
                if not self._names_ahead(index + 1, after, strangers=True):
                    self.facts.strange += 1
            case Sense.ALSO:
                self._also(index, after)
            case Sense.SWAP:
                return self._swap(index, after)
            case Sense.INSTEAD:
                return self._instead(index, after)
            case Sense.REST:
                return self._rest(index, after)
        return index + 1

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
                if sign.word == "que nao" and index + 1 == after and self._group_before(index):
                    self._turn_group(self._group_before(index), Stance.REMOVED)  # 'só o X que não'
                    return after
                self.facts.remarks += 1
                return after
            case Sense.REMARK:
                self.facts.remarks += 1
                self.facts.strange += 0 if self.facts.affirms or self.facts.refuses else 1
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
                elif sign.word not in _SILENT_AUXILIARIES:
                    only = index + 1 < after and self.signs[index + 1].sense is Sense.ONLY  # 'era só o X'
                    self.facts.strange += 0 if only or self._verb_ahead(index + 1, after) else 1
            case Sense.CORRECT:
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
