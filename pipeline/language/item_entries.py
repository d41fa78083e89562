"""The names a text was read to hold, with what was said of each, and the list that comes of them.

Owns: which of them the request acts on: wanted, not negated, not withdrawn, no comment.
Source: language.json ITEMS-6, ITEMS-7, ITEMS-8.
"""

from dataclasses import dataclass
from enum import Enum, auto

from pipeline.language.senses import Sense

__all__ = ["Entry", "ItemsReading", "Mode", "Sentence", "known_key"]


class Mode(Enum):
    """What is being said about the names that come now."""

    WANTED = auto()
    NEGATED = auto()
    """One name only: 'e não o X'."""
    REFUSED = auto()
    """A list of them: 'não cancela o X e o Y'."""
    EXCEPTED = auto()
    KEPT = auto()
    OWNED = auto()
    FOREIGN = auto()
    """Of another request: 'e me manda a fatura'."""
    REPLACED = auto()
    """'em vez do X': until the next comma."""


@dataclass(slots=True)
class Entry:
    key: str
    """What makes two entries the same: the folded text, or `known_key` of a known value."""
    text: str
    mode: Mode
    group: int
    """Names joined by 'e' share one; a trailing 'não' may speak of the group."""
    sentence: int
    position: bool = False
    strong: bool = True
    withdrawn: bool = False
    lead: Sense | None = None
    """The joint it stands behind."""
    tells: bool = False
    """Whether it holds a verb: a remark rather than a name."""
    alone: bool = False
    """Whether its clause says nothing else."""

    @property
    def known(self) -> bool:
        """Whether it is a known value."""
        return self.key.startswith("\0")

    @property
    def certain(self) -> bool:
        """Whether it is a known value or a number, in whatever sentence it stands."""
        return self.known or self.key.isdigit()


def known_key(index: int) -> str:
    """Return the key of a known value; no text folds to it."""
    return f"\0{index}"


@dataclass(slots=True)
class Sentence:
    requested: bool = False
    bulleted: bool = False
    continued: bool = False
    """Begins with 'e', or says 'também': goes on with the list."""
    asked: bool = False
    """Is a question."""
    listed: bool = False
    """Is a line of a list, not a sentence of its own."""


@dataclass(frozen=True, slots=True)
class ItemsReading:
    """What a text names, in order, and why."""

    items: tuple[str, ...]
    """Known values as they are known, other names as they were written."""
    rule: str
    """The rule that decided, the most special one that was needed."""
    rest: str = ""
    """A second request of another kind behind the first, as written."""
