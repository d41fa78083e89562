"""The verdicts a reply can have. Source: language.json REPLY-0 to REPLY-5."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Reply", "Verdict"]


class Verdict(StrEnum):
    """What becomes of the proposal."""

    ACCEPT = "accept"
    DECLINE = "decline"
    AMEND = "amend"
    UNCLEAR = "unclear"
    NEW_INTENT = "new_intent"


@dataclass(frozen=True, slots=True)
class Reply:
    """One verdict on a whole set, and what of the message it leaves over."""

    verdict: Verdict
    items: tuple[str, ...] = ()
    """The whole set after an amendment; empty for other verdicts."""
    rule: str = ""
    """Which rule decided."""
    rest: str = ""
    """A separate request said besides the verdict, as written."""
    question: bool = False
    """The customer asked about the proposal itself."""
