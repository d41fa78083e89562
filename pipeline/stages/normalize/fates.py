"""The fate of every confirmed item, and of the transaction.

Invariants: every confirmed item has exactly one fate, in the confirmed order; what nobody confirmed was done is never called done; a
result that belongs to no confirmed item is told too, after them. Source: DESIGN 7 (Normalize).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contracts.channel_response import ItemFate
from contracts.normalize_command import CallFate, NormalizeCommand
from contracts.status import ItemOutcome, MultiItemStatus, Status
from pipeline.answers import (
    Reading,
    flag_of,
    flags_conflict,
    protocol_of,
    read_answer,
    reason_of,
    results_of,
)
from pipeline.matching import match, subject_of
from pipeline.stages.normalize.result import multi_item_status, normalize_result

NO_RESULT = "no_result"
CONFLICTING_FLAGS = "conflicting_flags"
OUTCOME_UNKNOWN = "outcome_unknown"
REASON_MAX = 300
"""Characters of a tool's reason that a record carries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What became of one item, and what the tool said of it."""

    item: ItemFate
    entry: Mapping[str, Any] | None = None

    @property
    def done(self) -> bool:
        return self.item.outcome is ItemOutcome.SUCCEEDED


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a transaction."""

    status: Status
    fates: tuple[Fate, ...]
    reading: Reading | None
    """The answer as a whole; None when there was none."""
    per_item: bool
    """Whether the tool itself gave results item by item."""
    secondary: bool = False
    """Whether something around the operation failed that does not change what was done."""

    @property
    def succeeded(self) -> int:
        return sum(fate.done for fate in self.fates)

    @property
    def unknown(self) -> int:
        return sum(fate.item.outcome is ItemOutcome.UNKNOWN for fate in self.fates)

    @property
    def summary(self) -> MultiItemStatus | None:
        """Of two or more items; None below, and when no fate is known."""
        known = len(self.fates) >= 2 and self.status is not Status.OUTCOME_UNKNOWN
        return multi_item_status(self.succeeded, len(self.fates)) if known else None


def outcome_of(command: NormalizeCommand, *, read_only: bool, unlisted: str) -> Outcome:
    """Judge a call; `unlisted`: name of a result that names nothing, with {number}."""
    match command.fate:
        case CallFate.REFUSED:
            return _alike(command, Status.FAILED, ItemOutcome.FAILED, command.reason)
        case CallFate.UNKNOWN:
            return _alike(command, Status.OUTCOME_UNKNOWN, ItemOutcome.UNKNOWN, OUTCOME_UNKNOWN)
        case CallFate.ANSWERED:
            return _answered(command, read_only=read_only, unlisted=unlisted)


def _alike(command: NormalizeCommand, status: Status, outcome: ItemOutcome, reason: str) -> Outcome:
    fates = tuple(Fate(item=ItemFate(subject=name, outcome=outcome, reason=reason or None)) for name in command.items)
    return Outcome(status=status, fates=fates, reading=None, per_item=False)


def _answered(command: NormalizeCommand, *, read_only: bool, unlisted: str) -> Outcome:
    tool, result = command.transaction.tool, command.result
    if result is None:
        return _alike(command, Status.FAILED, ItemOutcome.FAILED, NO_RESULT)
    answer = result.data
    reading = read_answer(answer, tool)
    if not result.ok and reading.ok and not reading.secondary_error:
        # is_error, or an execute stage that knows more than the payload says.
        reading = Reading(ok=False, body=reading.body, reason=reading.reason or result.error)
    evidence = results_of(answer, tool)
    if evidence is not None and any(flag_of(entry) is not None for entry in evidence.entries):
        fates = _per_item(command, evidence.entries, unlisted)
        normalized = normalize_result(result.model_dump(mode="json"), tool)
        secondary = normalized.get("original_ok") is False or reading.secondary_error is not None
        return Outcome(status=_status(fates, reading), fates=fates, reading=reading, per_item=True, secondary=secondary)
    return _as_a_whole(command, reading, read_only=read_only)


def _per_item(command: NormalizeCommand, entries: Sequence[Any], unlisted: str) -> tuple[Fate, ...]:
    items = command.item_values if len(command.item_values) == len(command.items) else command.items
    confirmed = match(items, entries)
    taken = {position for mine in confirmed for position in mine}
    told = [
        _fate(name, [entries[position] for position in mine])
        for name, mine in zip(command.items, confirmed, strict=True)
    ]
    extra = [
        _fate(subject_of(entry) or unlisted.format(number=position + 1), [entry])
        for position, entry in enumerate(entries)
        if position not in taken
    ]
    # One confirmed text may have named several items ("A, B, C" in one string): then the results name them.
    if len(command.items) == 1 and not confirmed[0] and len(extra) > 1:
        return tuple(extra)
    return (*told, *extra)


def _fate(name: str, entries: Sequence[Any]) -> Fate:
    flags = {flag_of(entry) for entry in entries}
    if not entries or flags == {None}:
        return Fate(item=ItemFate(subject=name, outcome=ItemOutcome.FAILED, reason=NO_RESULT))
    entry = entries[0]
    protocol = protocol_of(entry)
    if len(flags) > 1 or any(flags_conflict(mine) for mine in entries):
        item = ItemFate(subject=name, outcome=ItemOutcome.FAILED, protocol=protocol, reason=CONFLICTING_FLAGS)
    elif flags == {True}:
        item = ItemFate(subject=name, outcome=ItemOutcome.SUCCEEDED, protocol=protocol)
    else:
        reason = (reason_of(entry) or "")[:REASON_MAX] or None
        outcome = ItemOutcome.UNKNOWN if reason == OUTCOME_UNKNOWN else ItemOutcome.FAILED
        item = ItemFate(subject=name, outcome=outcome, protocol=protocol, reason=reason)
    return Fate(item=item, entry=entry)


def _status(fates: Sequence[Fate], reading: Reading) -> Status:
    if any(fate.done for fate in fates):
        return Status.COMPLETED
    if any(fate.item.outcome is ItemOutcome.UNKNOWN for fate in fates):
        return Status.OUTCOME_UNKNOWN
    return Status.COMPLETED if not fates and reading.ok else Status.FAILED


def _as_a_whole(command: NormalizeCommand, reading: Reading, *, read_only: bool) -> Outcome:
    """No results item by item: one answer for everything."""
    several = len(command.items) > 1
    if reading.ok and several and not read_only:
        # The set was confirmed item by item, and nothing says of any item that it was done.
        return _alike(command, Status.FAILED, ItemOutcome.FAILED, NO_RESULT)
    if reading.ok:
        protocol = protocol_of(reading.body)
        item_fates = [
            ItemFate(subject=name, outcome=ItemOutcome.SUCCEEDED, protocol=protocol) for name in command.items
        ]
    else:
        item_fates = [
            ItemFate(subject=name, outcome=ItemOutcome.FAILED, reason=(reading.reason or "")[:REASON_MAX] or None)
            for name in command.items
        ]
    fates = tuple(Fate(item=item) for item in item_fates)
    status = Status.COMPLETED if reading.ok else Status.FAILED
    secondary = reading.secondary_error is not None
    return Outcome(status=status, fates=fates, reading=reading, per_item=False, secondary=secondary)
