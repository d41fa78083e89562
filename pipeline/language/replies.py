"""What a reply to one open question decides. Source: language.json REPLY-0 to REPLY-6."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Reply", "Verdict", "read_reply"]


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


def read_reply(
    text: str,
    *,
    items: Sequence[str],
    operation: str,
    locale: str = "pt-BR",
    question: str = "",
    known_values: Sequence[str] = (),
    interrupted: bool = False,
) -> Reply:
    """Return the verdict of a reply; until the grammar lands everything is unclear, the safe verdict."""
    del text, items, operation, locale, question, known_values, interrupted
    return Reply(Verdict.UNCLEAR, rule="REPLY-4 not understood")
