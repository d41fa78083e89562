"""The final text: every item with its fate, protocol and reason, in the words of the customer.

Invariants: every fate is named; done is said only of what is known to be done; an unknown outcome is called unknown.
Never: shows a tool's name, a stack trace, an internal code that has words. Source: DESIGN 7 (Normalize).
"""

from collections.abc import Sequence

from contracts.normalize_command import CallFate, NormalizeCommand
from contracts.status import ItemOutcome, Status
from pipeline.answers import is_presentable
from pipeline.language.wording import Wording
from pipeline.matching import about_fields
from pipeline.policy import Tool
from pipeline.stages.normalize.data import details_of, lines_of, own_words
from pipeline.stages.normalize.fates import Fate, Outcome

DENIED = frozenset(
    {
        "tool_denied",
        "digest_mismatch",
        "confirmation_missing",
        "confirmation_of_another_proposal",
        "unauthorized",
        "forbidden",
    }
)
"""Reasons of a refusal that waiting does not change."""


def final_text(command: NormalizeCommand, outcome: Outcome, wording: Wording, tool: Tool | None) -> str:
    """Say what became of the transaction."""
    read_only = tool is not None and not tool.transactional
    match command.fate:
        case CallFate.REFUSED:
            return _refused(command, wording, tool, read_only=read_only)
        case CallFate.UNKNOWN:
            return _unknown(command, wording, tool, read_only=read_only)
        case CallFate.ANSWERED if _item_by_item(outcome, read_only=read_only):
            return _set(outcome, wording, tool, read_only=read_only)
        case CallFate.ANSWERED if read_only:
            return _query(command, outcome, wording, tool)
        case CallFate.ANSWERED:
            return _one(command, outcome, wording, tool)


def _item_by_item(outcome: Outcome, *, read_only: bool) -> bool:
    """Whether to write a list: not for a query that was answered as a whole, whose answer is then shown."""
    if read_only and (outcome.per_item or outcome.status is Status.COMPLETED):
        return outcome.per_item
    return len(outcome.fates) > 1


def _refused(command: NormalizeCommand, wording: Wording, tool: Tool | None, *, read_only: bool) -> str:
    if command.reason in DENIED:
        return wording.about("result.refused_denied", tool, command.items)
    if read_only:
        return wording.say("result.refused_read")
    return wording.about("result.refused", tool, command.items)


def _unknown(command: NormalizeCommand, wording: Wording, tool: Tool | None, *, read_only: bool) -> str:
    if read_only:
        return wording.say("result.unknown_read")
    advice = wording.say("result.unknown_advice")
    return wording.about("result.unknown", tool, command.items, tail=advice, count=max(1, len(command.items)))


def _set(outcome: Outcome, wording: Wording, tool: Tool | None, *, read_only: bool) -> str:
    lines = [_item_line(fate, wording, tool, read_only=read_only) for fate in outcome.fates]
    notes = ["result.secondary"] if outcome.secondary and outcome.succeeded else []
    notes += ["result.unknown_advice"] if outcome.unknown else []
    tail = " ".join(wording.say(note) for note in notes)
    return wording.listing(_head(outcome, wording, tool, read_only=read_only), lines, tail, more="list.more_results")


def _head(outcome: Outcome, wording: Wording, tool: Tool | None, *, read_only: bool) -> str:
    total, done = len(outcome.fates), outcome.succeeded
    if read_only:
        if done == total:
            return wording.say("result.read", count=total)
        return (
            wording.say("result.read_partial", count=done, total=total)
            if done
            else wording.say("result.read_failed", count=total)
        )
    operation = wording.operation(tool) or wording.say_inside("task.bare")
    if done == total:
        return wording.say("result.success", count=total, operation=operation)
    if done or outcome.unknown:
        return wording.say("result.partial", count=done, total=total, of_operation=wording.of_operation(tool))
    return wording.say("result.failed", count=total, operation=operation)


def _item_line(fate: Fate, wording: Wording, tool: Tool | None, *, read_only: bool) -> str:
    item, protocol = fate.item, fate.item.protocol
    if item.outcome is ItemOutcome.UNKNOWN:
        return wording.say_inside("result.item_unknown", item=item.subject)
    if item.outcome is ItemOutcome.SUCCEEDED and read_only:
        details = details_of(about_fields(fate.entry), wording, tool) if fate.entry else ""
        if details:
            return wording.say_inside("result.item_read", item=item.subject, details=details)
        return wording.say_inside("result.item_read_bare", item=item.subject)
    if item.outcome is ItemOutcome.SUCCEEDED:
        if protocol:
            return wording.say_inside("result.item_done_protocol", item=item.subject, protocol=protocol)
        return wording.say_inside("result.item_done", item=item.subject)
    reason = wording.reason(item.reason)
    if read_only:
        key = "result.item_unread" if reason else "result.item_unread_bare"
        return wording.say_inside(key, item=item.subject, **({"reason": reason} if reason else {}))
    if reason and protocol:
        return wording.say_inside("result.item_failed_protocol", item=item.subject, reason=reason, protocol=protocol)
    if reason:
        return wording.say_inside("result.item_failed", item=item.subject, reason=reason)
    return wording.say_inside("result.item_failed_bare", item=item.subject)


def _one(command: NormalizeCommand, outcome: Outcome, wording: Wording, tool: Tool | None) -> str:
    """Say what became of a call about one thing, or about nothing that has a name."""
    fate = outcome.fates[0].item if outcome.fates else None
    names: Sequence[str] = [fate.subject] if fate else command.items
    body = outcome.reading.body if outcome.reading else None
    if outcome.status is Status.OUTCOME_UNKNOWN:
        return _unknown(command, wording, tool, read_only=False)
    if outcome.status is Status.COMPLETED:
        protocol = fate.protocol if fate else None
        words = own_words(body, wording)
        said = [words] if words and is_presentable(words) else []
        tail = " ".join([*said, *([wording.say("result.secondary")] if outcome.secondary else [])])
        if protocol:
            return wording.about("result.one_done_protocol", tool, names, tail=tail, protocol=protocol)
        return wording.about("result.one_done", tool, names, tail=tail)
    reason = wording.reason(fate.reason if fate else outcome.reading.reason if outcome.reading else None)
    if reason is None:
        words = own_words(body, wording)
        return wording.about(
            "result.one_failed_bare", tool, names, tail=words if words and is_presentable(words) else ""
        )
    if fate and fate.protocol:
        return wording.about("result.one_failed_protocol", tool, names, reason=reason, protocol=fate.protocol)
    return wording.about("result.one_failed", tool, names, reason=reason)


def _query(command: NormalizeCommand, outcome: Outcome, wording: Wording, tool: Tool | None) -> str:
    """Say what a query answered."""
    reading = outcome.reading
    if reading is None or not reading.ok:
        reason = wording.reason(reading.reason if reading else None)
        return (
            wording.say("result.read_one_failed", reason=reason)
            if reason
            else wording.say("result.read_one_failed_bare")
        )
    words = own_words(reading.body, wording)
    if words is not None and not is_presentable(words, max_chars=wording.channel.max_chars, addresses=True):
        words = None
    lines = lines_of(reading.body, wording, tool)
    if words is not None:
        return wording.listing(words, lines)
    if not lines:
        return wording.say("result.read_nothing")
    head = (
        wording.say("result.read_one_of", items=list(command.items))
        if command.items
        else wording.say("result.read_one")
    )
    return wording.listing(head, lines, more="list.more_results")
