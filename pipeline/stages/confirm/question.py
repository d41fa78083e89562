"""The words of the one question, and of what is said about it.

Invariants: every item of the set is named; the validator's wording is used when it is complete and fits, else our own is built from
labels and all items. Never: decides. Source: DESIGN 7 (Confirm: wording).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.language.normalize import fold
from pipeline.language.wording import INLINE_ITEMS, Wording
from pipeline.policy import Tool

_LEAVES_IT = ("delay", "takes leave")
"""Ends of the rules by which a reply puts the answer off."""
_ALREADY_IN = "already in the set"


def question_text(
    wording: Wording, tool: Tool, arguments: Mapping[str, Any], items: Sequence[str], message: str | None
) -> str:
    """Ask for one confirmation of the whole set."""
    if message:
        text = _validators_question(wording, wording.foreign(message), items)
        if text is not None and len(text) <= wording.channel.max_chars:
            return text
    return _own_question(wording, tool, arguments, items)


def _validators_question(wording: Wording, message: str, items: Sequence[str]) -> str | None:
    """Take the validator's words; items they leave out are appended, all of them, so that the set stays in one place."""
    if not message:
        return None
    parts = [message]
    if not _names_all(message, items):
        parts.append(wording.say("confirm.items_named", items=list(items)))
    if not message.rstrip(' .\n*_"”)').endswith("?"):
        parts.append(wording.say("confirm.unclear_plainly"))
    return " ".join(parts)


def _names_all(message: str, items: Sequence[str]) -> bool:
    """Whether every item is named, each by words of its own: HBO is not named by HBO Max."""
    left = f" {_words(message)} "
    for item in sorted(items, key=len, reverse=True):
        name = f" {_words(item)} "
        if name not in left:
            return False
        left = left.replace(name, "  ", 1)
    return True


def _words(text: str) -> str:
    return re.sub(r"[^\w]+", " ", fold(text)).strip()


def _own_question(wording: Wording, tool: Tool, arguments: Mapping[str, Any], items: Sequence[str]) -> str:
    details = details_of(wording, tool, arguments, items)
    inline = len(items) <= INLINE_ITEMS or wording.form == "speech"
    task = wording.task(tool, items, counted=not inline)
    if inline:
        text = wording.say("confirm.ask", task=f"{task} ({details})" if details else task)
        if len(text) <= wording.channel.max_chars:
            return text
    head = wording.say("confirm.ask", task=wording.task(tool, items, counted=True))
    return wording.listing(head, items, f"({details})" if details else "")


def details_of(wording: Wording, tool: Tool, arguments: Mapping[str, Any], items: Sequence[str]) -> str:
    """Write the other arguments the customer gave: valor: R$ 71,99."""
    shown = [tool.items_argument, *(name for name, value in arguments.items() if value in items)]
    return "; ".join(wording.details(tool, arguments, without=shown))


def asked_again(wording: Wording, proposal_text: str, *, times: int, rule: str = "") -> str:
    """Ask once more, the second time plainly; a customer who takes leave or puts it off is only told that it stays open."""
    if rule.endswith(_LEAVES_IT):
        return wording.say("confirm.left_open")
    if rule.endswith(_ALREADY_IN):
        return _within(wording, wording.say("confirm.already_in"), proposal_text)
    lead = wording.say("confirm.unclear" if times <= 1 else "confirm.unclear_plainly")
    return _within(wording, lead, proposal_text)


def about_proposal(
    wording: Wording, tool: Tool | None, arguments: Mapping[str, Any], items: Sequence[str], text: str
) -> str:
    """Answer a question about the proposal from the proposal, as far as it goes, and ask again."""
    details = details_of(wording, tool, arguments, items) if tool else ""
    known = (
        [wording.say("confirm.about_details", details=details), wording.say("confirm.about_unknown")]
        if details
        else [wording.say("confirm.about_nothing")]
    )
    return _within(wording, " ".join([wording.say("confirm.about"), *known]), text)


def stale(wording: Wording, text: str) -> str:
    """Say that a reply was about another question, and ask the one that is open."""
    return _within(wording, wording.say("confirm.stale"), text)


def _within(wording: Wording, lead: str, question: str) -> str:
    """Put a sentence before the question where both fit; the question itself is never cut for it."""
    text = f"{lead} {question}"
    return text if len(text) <= wording.channel.max_chars else question
