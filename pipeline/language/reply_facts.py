"""What a reply says about the set that was shown: the facts, before anybody draws a verdict from them.

Owns: the words for it: which items are taken out, kept to, approved, added, replaced; what affirms, refuses, hedges, delays.
Never: weighs facts against each other (reply_judgement.py does), reads a text (reply_reader.py does).
Source: language.json REPLY-1 to REPLY-4.
"""

from dataclasses import dataclass, field
from enum import Enum, auto

from pipeline.language.senses import Sense

__all__ = ["Entry", "Facts", "Stance"]


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
    whole_removed: bool = False
    """The set was taken out as a whole: 'não cancela tudo'."""
    remarks: int = 0
    """Explanations that are whole by themselves: 'não uso mais'."""
    reasons: int = 0
    """Free reasons, which may hold anything."""
    strange: int = 0
    """Signs that nothing accounts for."""
    strange_after: int = 0
    """Those of them in clauses after an amendment, without any other fact."""
    rest: bool | None = None
    """'o resto': approved or left out."""
    rest_apart: bool = False
    """'o resto' has a clause and a verb of its own: set against the names before it, it may be."""
    dangling: bool = False
    """The text ends with a word that wants another."""
    entries: list[Entry] = field(default_factory=list)
    pairs: list[tuple[int, str]] = field(default_factory=list)
    """(place, replacement)."""

    def places(self, *stances: Stance) -> list[int]:
        """Places shown that have one of these stances, in the order said."""
        return list(
            dict.fromkeys(entry.place for entry in self.entries if entry.stance in stances and entry.place >= 0)
        )

    def strangers(self, *stances: Stance) -> list[Entry]:
        """Names that were not shown, with one of these stances."""
        return [entry for entry in self.entries if entry.stance in stances and entry.place < 0]
