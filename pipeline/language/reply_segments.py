"""The clauses of a reply, and which of them ask for something else than the proposal.

Owns: where a clause begins and ends; the difference between a question about the proposal and another matter.
Invariants: clauses cover all signs in order.
Never: gives a verdict.
Source: language.json REPLY-4, REPLY-5; DESIGN 7 Confirm.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from pipeline.language.labels import singular
from pipeline.language.operations import CALL_OFF, Operation
from pipeline.language.senses import Sense
from pipeline.language.signs import Sign
from pipeline.language.verbs import verb_stem
from pipeline.language.word_lists import listed

__all__ = ["Clause", "Matter", "Proposal", "clauses"]


class Matter(Enum):
    """What a clause is about."""

    PROPOSAL = auto()
    """A verdict, an amendment, or nothing."""
    ASKS = auto()
    """A question about the proposal: price, date, reason."""
    REQUEST = auto()
    """Another matter, asked for."""
    QUESTION = auto()
    """Another matter, as a question."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What was shown, as far as understanding a reply needs it."""

    size: int
    """Number of items shown; mentions with a smaller number are of them."""
    operation: Operation
    echoes: frozenset[str]
    """Singular forms of the words of the question: nouns of the proposal, not other matters."""

    def is_echo(self, sign: Sign) -> bool:
        """Whether a sign only repeats words of the question."""
        echoed = [bool(singular(word) & self.echoes) for word in sign.words]
        return any(echoed) and all(same or len(word) <= 2 for same, word in zip(echoed, sign.words, strict=True))


@dataclass(frozen=True, slots=True)
class Clause:
    """A run of signs between two joints."""

    first: int
    after: int
    lead: Sense | None
    """The joint before it; None at the beginning."""
    asks: bool
    """Whether a question mark ends it, right behind it."""
    matter: Matter


_JOINTS = frozenset({Sense.COMMA, Sense.STOP, Sense.BREAK, Sense.BUT, Sense.QUESTION, Sense.AND, Sense.OR, Sense.COLON})
_SET_TALK = frozenset(
    {
        Sense.MENTION,
        Sense.REST,
        Sense.ONLY,
        Sense.EXCEPT,
        Sense.ALL,
        Sense.NONE,
        Sense.ADD,
        Sense.INSTEAD,
        Sense.DROP,
        Sense.SWAP,
    }
)
_VERDICTS = frozenset({Sense.AFFIRM, Sense.REFUSE, Sense.HEDGE, Sense.WAIT, Sense.PUZZLED, Sense.IF, Sense.BEFORE})
_FRAMES = frozenset({Sense.FILLER, Sense.GREETING, Sense.COURTESY, Sense.ARTICLE, Sense.PRONOUN, Sense.NOW, Sense.AND})
_CHANGES = listed(
    "diminui diminuir reduz reduzir economizar economia muda mudar altera alterar aumenta aumentar sobe cai baixa barata barato cara caro change drop increase cambia baja sube"
)
_WHERE_IS = listed("cade|onde|onde esta|onde ta|where|where is|where's|donde|donde esta", "|")
"""What asks where a thing is that the proposal does not speak of."""
_DEPENDS = listed("depende|vai depender|depende de|it depends|depends|depende del", "|")
"""What makes a condition of the matter behind it: 'depende do horário'."""
_BARE_GIVES = frozenset({"manda", "mande", "mandar", "envia", "passa", "resolve", "resolver", "send"})
_CHARGED = frozenset({"na", "no", "nessa", "nesta", "proxima", "mesma", "on", "in", "en", "pela", "pelo"})
_CONTENT = frozenset({Sense.UNKNOWN, Sense.CODE, Sense.QUOTED, Sense.VERB, Sense.OWN, Sense.PLACE, Sense.LATER})


def clauses(signs: Sequence[Sign], proposal: Proposal) -> tuple[Clause, ...]:
    """Cut a reply into clauses and say what each is about."""
    cut: list[tuple[int, int, Sense | None]] = []
    lead: Sense | None = None
    first = 0
    for index, sign in enumerate([*signs, None]):
        if sign is not None and sign.sense not in _JOINTS:
            continue
        if index > first:
            cut.append((first, index, lead))
            lead = None
        if sign is not None:
            lead = sign.sense if lead not in (Sense.BUT, Sense.AND) or sign.sense in (Sense.BUT, Sense.STOP) else lead
        first = index + 1
    asked = [after < len(signs) and signs[after].sense is Sense.QUESTION for _, after, _ in cut]
    found: list[Clause] = []
    for number, (begin, after, joint) in enumerate(cut):
        matter = _matter(signs[begin:after], proposal, asks=asked[number])
        if (
            matter is Matter.PROPOSAL
            and found
            and found[-1].matter in (Matter.REQUEST, Matter.QUESTION)
            and _goes_on(signs[begin:after], joint)
        ):
            matter = found[-1].matter
        found.append(Clause(begin, after, joint, asked[number], matter))
    return tuple(found)


def _goes_on(signs: Sequence[Sign], joint: Sense | None) -> bool:
    """Whether a clause goes on with the request before it: only nouns and frames, no verdict, nothing of the set."""
    if joint not in (Sense.AND, Sense.COMMA, Sense.OR):
        return False
    return not any(sign.sense in _SET_TALK | _VERDICTS | {Sense.NOT, Sense.CONSENT} for sign in signs)


def _matter(signs: Sequence[Sign], proposal: Proposal, *, asks: bool) -> Matter:
    talk = any(sign.sense in _SET_TALK and not _drops_elsewhere(sign, signs) for sign in signs)
    own = any(_is_own(sign, proposal) for sign in signs)
    asking = asks or _asks(signs)
    topics = [
        index
        for index, sign in enumerate(signs)
        if sign.has(Sense.TOPIC)
        and not _is_own(sign, proposal)
        and not proposal.is_echo(sign)
        and not (_charged(signs, index) and (asking or own))
        and not _this(signs, index)
    ]
    person = any(sign.has(Sense.PERSON) and not proposal.is_echo(sign) for sign in signs)
    if talk and not (person and not any(sign.sense is Sense.MENTION for sign in signs)):
        return Matter.ASKS if asking else Matter.PROPOSAL
    opening = next((sign for sign in signs if sign.sense not in _FRAMES), None)
    if opening is not None and (opening.sense in (Sense.IF, Sense.BEFORE) or opening.word in _DEPENDS):
        return Matter.ASKS if asks else Matter.PROPOSAL
    if (
        asking
        and topics
        and any(word in _CHANGES for sign in signs for word in sign.words)
        and not any(sign.has(Sense.WANT) for sign in signs)
    ):
        return Matter.ASKS
    if (
        any(sign.sense in (Sense.HEDGE, Sense.WAIT, Sense.IF, Sense.BEFORE) for sign in signs)
        and not topics
        and not person
    ):
        return Matter.ASKS if asks else Matter.PROPOSAL
    other = Matter.QUESTION if asking else Matter.REQUEST
    if person or topics:
        return other
    about = any(sign.has(Sense.ABOUT, Sense.TOPIC) and sign.sense not in _VERDICTS for sign in signs)
    content = [
        sign
        for sign in signs
        if sign.sense in _CONTENT
        and not _is_own(sign, proposal)
        and not _is_call_off(sign)
        and not proposal.is_echo(sign)
        and not (sign.sense is Sense.CODE and 0 < sign.number <= proposal.size)
    ]
    if asking and opening is not None and opening.word in _WHERE_IS and (content or about) and not own:
        return Matter.QUESTION
    if asking:
        many = (
            len(content) > 1
            or any("voces" in sign.words for sign in signs)
            or any(sign.sense is Sense.POSSESSIVE for sign in signs)
        )
        foreign = (
            content
            and many
            and not about
            and not own
            and not any(sign.has(Sense.DEMONSTRATIVE, Sense.CONSENT, Sense.AFFIRM, Sense.NOT) for sign in signs)
        )
        return Matter.QUESTION if foreign else Matter.ASKS
    if (
        not content
        and not asking
        and all(sign.sense in _FRAMES or (sign.sense is Sense.GIVE and sign.word in _BARE_GIVES) for sign in signs)
    ):
        return Matter.PROPOSAL
    gives = any(sign.sense is Sense.GIVE and not proposal.operation.is_own(sign.words[-1]) for sign in signs)
    wants = any(sign.has(Sense.WANT) for sign in signs) and not any(sign.sense is Sense.NOT for sign in signs)
    if about and gives:
        return Matter.ASKS
    if gives and (content or not own) and not any(sign.sense in _VERDICTS or sign.sense is Sense.NOT for sign in signs):
        return (
            Matter.REQUEST
            if content
            or any(sign.sense is Sense.GIVE and len(sign.words) > 0 and verb_stem(sign.words[-1]) for sign in signs)
            else Matter.ASKS
        )
    if wants and any(sign.sense is Sense.ALSO for sign in signs) and not gives:
        return Matter.PROPOSAL
    if wants and content and not own and not any(sign.sense is Sense.VERB and _is_call_off(sign) for sign in signs):
        return Matter.REQUEST
    if wants and about and not own:
        return Matter.ASKS
    return Matter.PROPOSAL


def _drops_elsewhere(sign: Sign, signs: Sequence[Sign]) -> bool:
    """Whether a verb of the set stands with another matter: 'muda o meu endereço', 'inclui meu CPF na nota'."""
    return (
        sign.sense in (Sense.DROP, Sense.SWAP, Sense.ADD, Sense.ONLY, Sense.EXCEPT)
        and any(other.has(Sense.TOPIC) for other in signs)
        and not any(other.sense is Sense.MENTION for other in signs)
    )


def _is_own(sign: Sign, proposal: Proposal) -> bool:
    return sign.sense is not Sense.MENTION and any(
        proposal.operation.is_own(word) or proposal.operation.is_noun(word) for word in sign.words
    )


def _is_call_off(sign: Sign) -> bool:
    return any(verb_stem(word) in CALL_OFF for word in sign.words)


def _charged(signs: Sequence[Sign], index: int) -> bool:
    """Whether a matter is only where something will show: 'vem na fatura', 'na próxima conta'."""
    return any(word in _CHARGED for sign in signs[max(0, index - 2) : index] for word in sign.words)


def _this(signs: Sequence[Sign], index: int) -> bool:
    """Whether 'esse pedido' is said: the proposal itself."""
    return index > 0 and signs[index - 1].sense is Sense.DEMONSTRATIVE


def _asks(signs: Sequence[Sign]) -> bool:
    """Whether a clause is a question without its mark."""
    for sign in signs:
        if sign.sense is Sense.ASK:
            return True
        if sign.sense not in (
            Sense.FILLER,
            Sense.GREETING,
            Sense.COURTESY,
            Sense.PREPOSITION,
            Sense.AFFIRM,
            Sense.ALSO,
            Sense.AUXILIARY,
            Sense.THAT,
            Sense.ARTICLE,
        ):
            return False
    return False
