"""What a reply says about the set that was shown: the facts, before anybody draws a verdict from them.

Owns: which items are taken out, kept to, approved, added, replaced; which words affirm, refuse, hedge, delay.
Invariants: every sign of a clause about the proposal is accounted for by one fact, or counted as not understood.
Never: weighs facts against each other (replies.py does).
Source: language.json REPLY-1 to REPLY-4.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from pipeline.language.lexicon import verb_stem
from pipeline.language.names import Page, read_run
from pipeline.language.operations import CALL_OFF
from pipeline.language.positions import Places, read_places
from pipeline.language.reply_segments import Clause, Matter, Proposal
from pipeline.language.senses import Sense
from pipeline.language.signs import Sign

__all__ = ["Entry", "Facts", "Stance", "gather"]


class Stance(Enum):
    """What is said of the items that come now."""

    NAMED = auto()
    """Only named."""
    APPROVED = auto()
    REMOVED = auto()
    ONLY = auto()
    ADDED = auto()
    OLD = auto()
    """To be replaced."""
    NEW = auto()
    """The replacement."""
    KEPT = auto()
    """'mantém', 'deixa': out of a cancellation, no change of anything else."""


@dataclass(slots=True)
class Entry:
    stance: Stance
    place: int
    """Index of the item shown, -1 for something else."""
    text: str
    group: int
    strong: bool = True
    lead: Sense | None = None
    inherited: bool = False
    """Whether its stance was set in an earlier clause and goes on: a verdict behind it may still change it."""
    led: bool = False
    """Whether an article or 'é' stands before it: a thing, not a verb."""
    aside: bool = False
    """Said in a clause that says nothing else: a remark, it may be."""


@dataclass(slots=True)
class Facts:
    """Everything a reply says about the proposal."""

    affirms: bool = False
    refuses: bool = False
    own_verb: bool = False
    own_noun: bool = False
    calls_off: bool = False
    """A verb that calls an operation off, where the operation is not a cancellation."""
    hedges: bool = False
    waits: bool = False
    conditions: bool = False
    puzzled: bool = False
    asks: bool = False
    later: bool = False
    but: bool = False
    alternative: bool = False
    """'ou' between what is no list."""
    contradicts: bool = False
    out: bool = False
    """'como está', 'assim', 'fora': says how things stay; no part of a yes."""
    corrects: bool = False
    """'quer dizer', 'na verdade': takes back what was said before it."""
    no_such_place: bool = False
    ambiguous: bool = False
    """Something that two people would read differently."""
    whole: bool = False
    """The set was named as a whole."""
    remarks: int = 0
    strange: int = 0
    """Signs that nothing accounts for."""
    strange_after: int = 0
    """Those of them in clauses after an amendment, without any other fact."""
    rest: bool | None = None
    """'o resto': approved or left out."""
    dangling: bool = False
    """The text ends with a word that wants another."""
    entries: list[Entry] = field(default_factory=list)
    pairs: list[tuple[int, str]] = field(default_factory=list)
    """(place, replacement)."""
    bare_verb: bool = False

    def places(self, *stances: Stance) -> list[int]:
        """Places shown that have one of these stances, in the order said."""
        return list(dict.fromkeys(entry.place for entry in self.entries if entry.stance in stances and entry.place >= 0))

    def strangers(self, *stances: Stance) -> list[Entry]:
        """Names that were not shown, with one of these stances."""
        return [entry for entry in self.entries if entry.stance in stances and entry.place < 0]


_ACCOUNTED = frozenset(
    {
        Sense.GREETING, Sense.COURTESY, Sense.FILLER, Sense.NOW, Sense.KIND_SIGN, Sense.ARTICLE, Sense.PREPOSITION, Sense.PRONOUN, Sense.FOR,
        Sense.DEMONSTRATIVE, Sense.THAT, Sense.DASH, Sense.COLON, Sense.COMMA, Sense.STOP, Sense.BREAK, Sense.AND, Sense.POSITION, Sense.QUESTION, Sense.BOTH_AND,
    }
)  # fmt: skip
_SILENT_AUXILIARIES = frozenset("eh esta estao ta sao vamos is are es i'm am let's to i am estoy estou tambem".split())
_PLURAL_SET = frozenset("esses essas estes estas aqueles aquelas eles elas deles delas desses dessas destes destas these those them esos esas estos estas ellos ellas".split())
_SET_NOUNS = frozenset("produtos itens servicos items products services productos servicios".split())
"""Plural nouns that stand for whatever was shown."""
_LOOSE = frozenset({Sense.ARTICLE, Sense.PREPOSITION, Sense.PRONOUN, Sense.FILLER, Sense.AUXILIARY, Sense.ALSO, Sense.DEMONSTRATIVE, Sense.THAT, Sense.POSITION, Sense.NOW, Sense.COURTESY, Sense.POSSESSIVE})
_WANTS_MORE = frozenset({Sense.ARTICLE, Sense.PREPOSITION, Sense.POSSESSIVE, Sense.THAT, Sense.AND, Sense.OR, Sense.FOR, Sense.BUT, Sense.BOTH_AND, Sense.COLON, Sense.INSTEAD, Sense.EXCEPT})
_NEGATIONS = frozenset({"nao", "no", "nem", "don't", "not", "ni", "i", "do", "please"})
_USES = frozenset("uso usamos adoro use like".split())
_SURE = frozenset("claro|obvio|logico|eh claro|mas eh claro|claro que sim|evidente|obviamente|mas claro".split("|"))
"""Words that 'né' only stresses ('claro, né'); behind others it asks."""
_LEAVES = frozenset("deixa deixe deixar deixem leave deja deje dejar".split())
"""'deixa só o X' before a cancellation: as the only one left, or as the only one to be cancelled?"""
_SHORT_KEEPS = frozenset({"continua", "continuam", "continuar", "quero continuar", "fique", "ficar", "ficam", "stay", "stays", "queda", "se queda"})


def gather(page: Page, parts: Sequence[Clause], proposal: Proposal, values: Sequence[str]) -> Facts:
    """Return the facts of the clauses that are about the proposal. `values`: the items shown, then other known ones."""
    reader = _Reader(page, proposal, values)
    for clause in parts:
        if clause.matter is Matter.PROPOSAL:
            reader.clause(clause)
        elif clause.matter is Matter.ASKS:
            reader.facts.asks = True
    reader.close()
    other = {index for clause in parts if clause.matter in (Matter.REQUEST, Matter.QUESTION) for index in range(clause.first, clause.after)}
    joints = {sign.sense for index, sign in enumerate(page.signs) if index not in other and index + 1 not in other}
    reader.facts.but = Sense.BUT in joints
    reader.facts.alternative = Sense.OR in joints
    reader.facts.asks = reader.facts.asks or _asks_about_it(page.signs, parts)
    last = page.signs[-1] if page.signs else None
    if last is not None and last.sense in _WANTS_MORE and last.word not in ("o", "a") and not (last.word == "para" and reader.facts.refuses):
        reader.facts.dangling = True
    return reader.facts


def _open(group: list[Entry]) -> bool:
    """Whether nothing was said yet of names in the clause that names them."""
    return all(entry.stance is Stance.NAMED or entry.inherited for entry in group)


def _asks_about_it(signs: Sequence[Sign], parts: Sequence[Clause]) -> bool:
    """Whether a question mark stands anywhere but behind another matter."""
    ends = {clause.after: clause.matter for clause in parts}
    last: Matter | None = None
    for index, sign in enumerate(signs):
        last = ends.get(index, last)
        if sign.sense is Sense.QUESTION and last not in (Matter.REQUEST, Matter.QUESTION):
            return True
    return False


class _Reader:
    __slots__ = ("clause_lead", "facts", "fresh", "group", "once", "page", "proposal", "signs", "stance", "values")

    def __init__(self, page: Page, proposal: Proposal, values: Sequence[str]) -> None:
        self.page = page
        self.signs = page.signs
        self.proposal = proposal
        self.values = values
        self.facts = Facts()
        self.stance = Stance.NAMED
        self.group = 0
        self.fresh = False
        """Whether this clause said by itself what it says of its names."""
        self.once = False
        """Whether a bare negation reaches only to the next comma: 'não o X, o Y'."""
        self.clause_lead: Sense | None = None

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
        new = [entry for entry in self.facts.entries if entry.stance in (Stance.NEW, Stance.ADDED, Stance.NAMED, Stance.APPROVED)]
        for entry in new:
            entry.stance = Stance.NEW
        self._pair()

    # one sign --------------------------------------------------------------------------------------------------

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
            counted = places.valid and any(sign.has(Sense.NUMBER) or sign.sense is Sense.CODE for sign in self.signs[index : places.after])
            if counted and places.after < after and self._is_counted_noun(places.after):
                return places.after + 1
            return places.after
        if sign.sense in (Sense.GIVE, Sense.UNKNOWN, Sense.SWAP, Sense.TOPIC, Sense.OUT) and self._is_own(sign) and not (sign.sense is Sense.SWAP and self._exchanges(index, after)):
            return self._verb(index, after)
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
            case Sense.ONLY:
                return self._only(index, after)
            case Sense.EXCEPT if not self._names_ahead(index + 1, after) and self._own_noun_ahead(index + 1, after):
                self.facts.refuses = True  # 'sem cancelamento'
            case Sense.OUT:
                self.facts.out = True
            case Sense.OWN if self.proposal.operation.takes_away and sign.words[-1] in _USES and self._group_before(index):
                self._turn_group(self._group_before(index), Stance.REMOVED)  # 'o X eu ainda uso'
            case Sense.FILLER if sign.word == "ne" and not self.facts.refuses and not any(other.word in _SURE for other in self.signs):
                self.facts.hedges = True
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
            case Sense.REASON:
                if sign.word == "que nao" and index + 1 == after and self._group_before(index):
                    self._turn_group(self._group_before(index), Stance.REMOVED)  # 'só o X que não'
                    return after
                self.facts.remarks += 1
                return after
            case Sense.REMARK:
                self.facts.remarks += 1
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
                if sign.word not in _SILENT_AUXILIARIES:
                    self.facts.strange += 0 if self._verb_ahead(index + 1, after) else 1
            case Sense.CORRECT:
                self.facts.corrects = True
            case Sense.PREPOSITION if sign.word == "para" and self._stands_alone(index):
                self.facts.refuses = True  # 'não, para!'
            case _ if sign.sense in _ACCOUNTED:
                if sign.sense is Sense.DEMONSTRATIVE and self.facts.own_verb and any(word in _PLURAL_SET for word in sign.words):
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
        if self.proposal.is_echo(sign) and sign.sense is not Sense.CODE and self.stance not in (Stance.ADDED, Stance.NEW):
            return index + 1
        if sign.word in _SET_NOUNS and self.facts.own_verb and index and self.signs[index - 1].sense in (Sense.ARTICLE, Sense.DEMONSTRATIVE):
            self.facts.whole = True
            return index + 1
        run = read_run(self.page, index)
        if run is not None and run.after <= after and self.stance in (Stance.ADDED, Stance.NEW, Stance.OLD, Stance.NAMED, Stance.APPROVED, Stance.REMOVED):
            self._enter(-1, run.text, strong=run.strong)
            led = index > 0 and (self.signs[index - 1].sense is Sense.ARTICLE or self.signs[index - 1].word == "eh")
            self.facts.entries[-1].led = led
            return max(run.after, index + 1)
        self.facts.strange += 1
        return index + 1

    def _enter(self, place: int, text: str, *, strong: bool = True) -> None:
        self.facts.entries.append(Entry(self.stance, place, text, self.group, strong, self.clause_lead, inherited=not self.fresh))

    def _is_counted_noun(self, index: int) -> bool:
        """Whether the noun of a count stands here: 'as quatro assinaturas', 'os 3 itens'."""
        sign = self.signs[index]
        return sign.sense in (Sense.UNKNOWN, Sense.TOPIC, Sense.PLACE, Sense.POSITION) and len(sign.words) == 1 and sign.word.endswith("s")

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
        return self.stance in (Stance.ADDED, Stance.NEW) or (following is not None and following.sense in (Sense.UNKNOWN, Sense.TOPIC))

    # looking around --------------------------------------------------------------------------------------------

    def _set(self, stance: Stance) -> None:
        self.stance = stance
        self.group += 1
        self.fresh = True

    def _places(self, index: int, after: int) -> Places | None:
        return read_places(self.signs, index, self.proposal.size, after)

    def _spot(self, index: int, after: int) -> int:
        """Return the index of the next sign that says something, -1 where the clause ends first."""
        while index < after and self.signs[index].sense in _LOOSE and not self._place_at(index, after):
            index += 1
        return index if index < after else -1

    def _ahead(self, index: int, after: int) -> Sign | None:
        spot = self._spot(index, after)
        return self.signs[spot] if spot >= 0 else None

    def _place_at(self, index: int, after: int) -> bool:
        return self.signs[index].sense is Sense.POSITION and self._places(index, after) is not None

    def _names_ahead(self, index: int, after: int, *, strangers: bool = False) -> bool:
        """Whether items, places or the whole set are named further on in the clause."""
        for spot in range(index, after):
            sign = self.signs[spot]
            if sign.sense in (Sense.MENTION, Sense.ALL, Sense.REST, Sense.LAST, Sense.ORDINAL):
                return True
            if self._places(spot, after) is not None:
                return True
            if strangers and sign.sense in (Sense.UNKNOWN, Sense.QUOTED, Sense.CODE, Sense.TOPIC, Sense.PLACE):
                return True
        return False

    def _verb_ahead(self, index: int, after: int) -> bool:
        sign = self._ahead(index, after)
        return sign is not None and (self._is_own(sign) or sign.sense in (Sense.DROP, Sense.CONSENT, Sense.KEEP, Sense.ADD, Sense.SWAP))

    def _is_own(self, sign: Sign) -> bool:
        return sign.sense in (Sense.VERB, Sense.GIVE, Sense.UNKNOWN, Sense.DROP, Sense.SWAP, Sense.TOPIC, Sense.OUT) and self.proposal.operation.is_own(sign.words[-1])

    def _group_before(self, index: int, *, over_wants: bool = False) -> list[Entry]:
        """The entries that a verdict right behind them speaks of: 'o TIM e o Aya não', 'o Aya eu quero manter'."""
        if not self.facts.entries or self.facts.entries[-1].group != self.group:
            return []
        spot = index - 1
        while over_wants and spot >= 0 and self.signs[spot].has(Sense.WANT, Sense.CONSENT):
            spot -= 1
        while spot >= 0 and self.signs[spot].sense in (Sense.FILLER, Sense.PRONOUN, Sense.AUXILIARY, Sense.ALSO, Sense.THAT, Sense.COURTESY, Sense.COLON, Sense.DASH):
            spot -= 1
        named = spot >= 0 and (self.signs[spot].sense in (Sense.MENTION, Sense.ORDINAL, Sense.LAST, Sense.CODE, Sense.NUMBER, Sense.UNKNOWN) or self.signs[spot].has(Sense.NUMBER, Sense.LAST, Sense.ORDINAL))
        if not named:
            return []
        return [entry for entry in self.facts.entries if entry.group == self.group]

    def _turn_group(self, group: list[Entry], stance: Stance) -> None:
        """Give a group the verdict said behind it; after an opening verb ('cancela o TIM e o Aya não') only its last one."""
        opened = [entry for entry in group if entry.stance is Stance.APPROVED]
        for entry in group[-1:] if opened and stance is Stance.REMOVED and len(group) > 1 else group:
            entry.stance = stance
        self._set(Stance.NAMED)

    # verdict words ---------------------------------------------------------------------------------------------

    def _yes(self, index: int) -> None:
        group = self._group_before(index)
        before = self.signs[index - 1] if index else None
        if before is not None and (self._is_own(before) or self._calls_off(before)) and self.signs[index].word in ("isso", "isso ai", "ta", "ok", "eso"):
            return  # 'cancela isso': the object; 'cancela tá': a tag
        if group and _open(group):
            self._turn_group(group, Stance.APPROVED)
        else:
            self.facts.affirms = True
            if self.stance is not Stance.ONLY:
                self._set(Stance.NAMED)

    def _consent(self, index: int, after: int) -> int:
        sign = self.signs[index]
        group = self._group_before(index)
        following = self._ahead(index + 1, after)
        if self._closes_with_not(index + 1, after):
            # 'quero não', 'o Aya pode não'
            if group:
                self._turn_group(group, Stance.REMOVED)
            else:
                self.facts.refuses = True
            return after
        if group and _open(group):
            if following is None and sign.words[-1] in ("quero", "quiero", "want") and self.proposal.operation.takes_away:
                self.facts.ambiguous = True  # 'o X eu quero': to have it, or to have it cancelled?
            if following is None or self._is_own(following) or following.sense in (Sense.AFFIRM, Sense.CONSENT):
                self._turn_group(group, Stance.APPROVED)
                return index + 1
            if following.sense in (Sense.DROP, Sense.KEEP):
                return index + 1
            self.facts.ambiguous = True
            return index + 1
        if following is not None and self._calls_off(following):
            return index + 1
        if following is not None and following.sense in (Sense.DROP, Sense.KEEP, Sense.ADD, Sense.SWAP, Sense.EXCEPT) and sign.has(Sense.WANT, Sense.CONSENT):
            if following.sense is Sense.EXCEPT:
                self.facts.affirms = True
            return index + 1
        if self.stance in (Stance.ONLY, Stance.ADDED):
            return index + 1
        self.facts.affirms = True
        if sign.has(Sense.WANT) and following is not None and following.sense in (Sense.MENTION, Sense.ORDINAL, Sense.LAST) and self.proposal.operation.cancels:
            # 'quero o Deezer' before a cancellation: to have it, or to have it cancelled?
            self.facts.ambiguous = True
        self._set(Stance.APPROVED)
        return index + 1

    def _closes_with_not(self, index: int, after: int) -> bool:
        """Whether the clause ends with a negation: 'quero não', 'cancela não'."""
        spot = self._spot(index, after)
        return 0 <= spot and self.signs[spot].sense is Sense.NOT and self._spot(spot + 1, after) < 0

    def _calls_off(self, sign: Sign) -> bool:
        return not self.proposal.operation.cancels and any(verb_stem(word) in CALL_OFF for word in sign.words)

    def _verb(self, index: int, after: int) -> int:
        sign = self.signs[index]
        if self._calls_off(sign):
            self.facts.calls_off = True
            self._set(Stance.REMOVED)
            if not self._names_ahead(index + 1, after):
                self.facts.refuses = True
                return index + 1
            return index + 1
        if not self.proposal.operation.is_own(sign.words[-1]):
            self.facts.strange += 1
            return index + 1
        spot = self._spot(index + 1, after)
        if spot >= 0 and verb_stem(sign.words[-1]) in CALL_OFF and any(self.proposal.operation.is_noun(word) for word in self.signs[spot].words):
            self.facts.refuses = True  # 'cancela o cancelamento'
            return spot + 1
        self.facts.own_verb = True
        group = self._group_before(index)
        if group and _open(group):
            following = self._ahead(index + 1, after)
            if following is not None and following.sense is Sense.NOT:
                self._turn_group(group, Stance.REMOVED)
                return after
            self._turn_group(group, Stance.APPROVED)
            return index + 1
        following = self._ahead(index + 1, after)
        if self._closes_with_not(index + 1, after):
            self.facts.refuses = True  # 'cancela não'
            return after
        if self.stance not in (Stance.ONLY, Stance.REMOVED, Stance.ADDED):
            self._set(Stance.APPROVED)
        return index + 1

    def _not(self, index: int, after: int) -> int:
        """A negation: of the names before it, of the verb or names behind it, or of everything."""
        group = self._group_before(index)
        following = self._ahead(index + 1, after)
        if group and (following is None or following.sense in (Sense.NOT, Sense.COURTESY, Sense.REASON, Sense.REMARK, Sense.FILLER)):
            self._turn_group(group, Stance.REMOVED)
            return index + 1
        if group and following is not None and self._negatable(following) and not self._names_ahead(index + 1, after):
            self._turn_group(group, Stance.REMOVED)
            return self._over_verbs(index + 1, after)
        if following is None or following.sense in (Sense.KIND_SIGN, Sense.DOUBT_SIGN, Sense.OTHER_SIGN, Sense.NO_SIGN, Sense.GREETING):
            self.facts.refuses = True
            return index + 1
        if group and all(entry.stance is Stance.REMOVED for entry in group) and self._names_ahead(index + 1, after):
            self._set(Stance.REMOVED)  # 'nem o X nem o Y'
            return index + 1
        if group:
            # 'o TIM não o Aya sim': the negation closes the names before it
            self._turn_group(group, Stance.REMOVED)
            return index + 1
        if self._negatable(following):
            return self._negated_verb(index, after)
        match following.sense:
            case Sense.AFFIRM | Sense.YES_SIGN:
                self.facts.contradicts = True
            case Sense.NOT | Sense.REFUSE:
                self.facts.refuses = True
            case Sense.MENTION | Sense.ORDINAL | Sense.LAST:
                self._set(Stance.REMOVED)
                self.once = True
            case Sense.NONE:
                self.facts.refuses = True
            case Sense.REMARK | Sense.REASON:
                self.facts.refuses = True
            case _ if self._places(self._spot(index + 1, after), after) is not None:
                self._set(Stance.REMOVED)
            case _:
                self.facts.strange += 1
        return index + 1

    def _negatable(self, sign: Sign) -> bool:
        return sign.sense is Sense.CONSENT or self._is_own(sign) or self._calls_off(sign) or sign.has(Sense.WANT)

    def _over_verbs(self, index: int, after: int) -> int:
        while index < after and (self._negatable(self.signs[index]) or self.signs[index].sense in _LOOSE - {Sense.ARTICLE, Sense.POSITION, Sense.DEMONSTRATIVE}):
            index += 1
        return index

    def _negated_verb(self, index: int, after: int) -> int:
        """'não cancela o X' takes X out, 'não quero cancelar' refuses."""
        spot = index + 1
        verbs: list[Sign] = []
        while spot < after and (self._negatable(self.signs[spot]) or self.signs[spot].sense in _LOOSE - {Sense.ARTICLE, Sense.POSITION, Sense.DEMONSTRATIVE}):
            if self._negatable(self.signs[spot]):
                verbs.append(self.signs[spot])
            spot += 1
        own = any(self._is_own(verb) for verb in verbs)
        if any(self._calls_off(verb) for verb in verbs):
            self.facts.ambiguous = True
            return spot
        if own:
            self.facts.own_verb = True
        if not self._names_ahead(spot, after):
            if self.signs[spot - 1].words[-1:] == ("mais",) and self.proposal.operation.cancels and not own and not self._own_noun_ahead(spot, after):
                # 'não quero mais': the products, or the cancellation?
                self.facts.ambiguous = True
            self.facts.refuses = True
            return spot
        if not own and self.proposal.operation.cancels and any(verb.has(Sense.WANT) for verb in verbs):
            self.facts.ambiguous = True
        self._set(Stance.REMOVED)
        return spot

    def _own_noun_ahead(self, index: int, after: int) -> bool:
        return any(self.proposal.operation.is_noun(word) for sign in self.signs[index:after] for word in sign.words)

    def _refuse(self, index: int, after: int) -> int:
        sign = self.signs[index]
        group = self._group_before(index)
        if group and all(entry.stance in (Stance.NAMED, Stance.APPROVED) for entry in group):
            self._turn_group(group, Stance.REMOVED)
            return self._over_verbs(index + 1, after)
        following = self._ahead(index + 1, after)
        if following is not None and following.sense is Sense.DROP and {"nao", "no", "not"} & set(sign.words):
            self.facts.ambiguous = True  # 'não precisa tirar o X': it stays, or it is not cancelled?
        if following is not None and (sign.words[0] in _NEGATIONS or {"nao", "not"} & set(sign.words)) and (self._is_own(following) or following.sense is Sense.CONSENT or following.has(Sense.WANT)):
            return self._negated_verb(index, after)
        if following is not None and (following.sense in (Sense.MENTION, Sense.ORDINAL, Sense.LAST) or self._places(self._spot(index + 1, after), after) is not None):
            self._set(Stance.REMOVED)
            return index + 1
        self.facts.refuses = True
        self._set(Stance.NAMED)
        return index + 1

    # set words -------------------------------------------------------------------------------------------------

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
            self.facts.ambiguous = self.facts.ambiguous or following.words[-1] in _LEAVES
            return index + 1
        if self.stance is Stance.KEPT:
            self.facts.ambiguous = self.facts.ambiguous or any(word in _LEAVES for sign in self.signs[max(0, index - 3) : index] for word in sign.words)
            return index + 1
        if not self._names_ahead(index + 1, after):
            self.facts.strange += 1
        if index and self.signs[index - 1].sense is Sense.NOT:
            self.facts.ambiguous = True
        self._set(Stance.ONLY)
        return index + 1

    def _drop(self, index: int, after: int) -> None:
        group = self._group_before(index)
        own = self._is_own(self.signs[index])
        if any(self.proposal.operation.is_noun(word) for other in self.signs[index + 1 : after] for word in other.words) and not self._names_ahead(index + 1, after):
            self.facts.refuses = True  # 'esquece o cancelamento'
            return
        if group and not self._names_ahead(index + 1, after):
            self._turn_group(group, Stance.REMOVED)
            self.facts.ambiguous = self.facts.ambiguous or own
            return
        if not self._names_ahead(index + 1, after, strangers=True):
            if own:
                self.facts.own_verb = True
            else:
                self.facts.strange += 1
            return
        following = self._ahead(index + 1, after)
        if own or (self.proposal.operation.cancels and following is not None and following.sense is Sense.ALL and not self._excepted(index, after)):
            # 'tira tudo' while a cancellation waits: off the list, or off the account?
            self.facts.ambiguous = True
        self._set(Stance.REMOVED)

    def _excepted(self, index: int, after: int) -> bool:
        return any(sign.sense is Sense.EXCEPT for sign in self.signs[index:after])

    def _keep(self, index: int, after: int) -> None:
        cancels = self.proposal.operation.takes_away
        group = self._group_before(index, over_wants=True)
        out = any(sign.sense is Sense.OUT and sign.word in ("de fora", "de lado", "em paz", "fora", "quieto", "out", "out of it", "off", "alone", "fuera", "afuera", "fora dessa", "fora disso", "fora da lista") for sign in self.signs[index:after])
        if group and not self._names_ahead(index + 1, after):
            if cancels or out:
                self._turn_group(group, Stance.REMOVED)
            else:
                self._turn_group(group, Stance.APPROVED)
            return
        if not self._names_ahead(index + 1, after):
            if cancels and self.signs[index].word not in _SHORT_KEEPS:
                self.facts.refuses = True
            else:
                self.facts.strange += 1
            return
        if cancels or out:
            self._set(Stance.KEPT)
        else:
            if not any(sign.sense is Sense.ONLY for sign in self.signs[max(0, index - 1) : after]) and not any(sign.sense is Sense.REST for sign in self.signs[index:after]):
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
        return sign.sense is Sense.FOR or (sign.sense in (Sense.PREPOSITION, Sense.AUXILIARY, Sense.RANGE) and sign.words[0] in ("para", "com", "to", "a", "al", "into", "con"))

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
        group = [entry for entry in self.facts.entries if entry.group == self.group and entry.stance in (Stance.NAMED, Stance.APPROVED, Stance.ADDED, Stance.ONLY)]
        self._set(Stance.OLD)
        spot = index + 1
        while spot < after and self.signs[spot].sense not in (Sense.ADD, Sense.CONSENT, Sense.VERB) and self.signs[spot].word != "eh":
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
        if following is None:
            match self.stance:
                case Stance.KEPT | Stance.REMOVED:
                    self.facts.rest = False
                case Stance.ONLY:
                    self.facts.strange += 1
                case _:
                    self.facts.rest = True
            return index + 1
        if following.sense in (Sense.AFFIRM, Sense.CONSENT, Sense.YES_SIGN) or self._is_own(following):
            negated = any(sign.sense is Sense.NOT for sign in self.signs[index:after])
            self.facts.rest = not negated
            return after
        if following.sense in (Sense.NOT, Sense.REFUSE, Sense.DROP) or (following.sense is Sense.KEEP and self.proposal.operation.takes_away):
            self.facts.rest = False
            return after
        if following.sense is Sense.KEEP:
            self.facts.rest = True
            return after
        self.facts.rest = self.stance not in (Stance.KEPT, Stance.REMOVED)
        return index + 1
