"""What item retries add to the evidence: which items are open, and results merged in the original order.

Invariants: a finished item is never sent again and never loses its result; an item whose retry has an unknown outcome is neither done
nor failed. Source: DESIGN 7 (Execute: item_retry), the multi-item guide section 9.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from contracts.tool_result import ToolResult
from pipeline.answers import FLAGS, flag_of, protocol_of, read_answer, reason_of, results_of, said_ok, with_results
from pipeline.matching import match

OUTCOME_UNKNOWN = "outcome_unknown"
"""Reason of an item of which nobody knows whether it was done."""


def open_items(result: ToolResult, tool: str, items: Sequence[Any], reasons: Sequence[str]) -> tuple[int, ...]:
    """Return the positions of items that failed for one of the reasons."""
    evidence = results_of(result.data, tool)
    if evidence is None or not items:
        return ()
    found = match(items, evidence.entries)
    return tuple(
        number
        for number, mine in enumerate(found)
        if len(mine) == 1 and _failed_for(evidence.entries[mine[0]], reasons)
    )


def _failed_for(entry: Any, reasons: Sequence[str]) -> bool:
    return flag_of(entry) is False and isinstance(entry, Mapping) and reason_of(entry) in reasons


def merged(before: ToolResult, retried: ToolResult, tool: str, items: Sequence[Any], sent: Sequence[int]) -> ToolResult:
    """Put the results of a retry in the place of the earlier ones."""
    evidence = results_of(before.data, tool)
    if evidence is None:
        return before
    entries = list(evidence.entries)
    places = match(items, entries)
    newer = results_of(retried.data, tool)
    answers = match([items[number] for number in sent], newer.entries) if newer else tuple(() for _ in sent)
    for number, mine in zip(sent, answers, strict=True):
        if not places[number]:
            continue
        place = places[number][0]
        if newer and len(mine) == 1:
            entries[place] = newer.entries[mine[0]]
        elif newer is None and len(sent) == 1 and retried.ok:
            entries[place] = _succeeded(entries[place], retried, tool)
        elif newer is not None or retried.ok:
            # The retry was answered without a word about this item: it may be done by now.
            entries[place] = _unknown(entries[place])
    data = with_results(before.data, evidence.path, entries)
    return before.model_copy(update=_wrapper(before, retried, data))


def unknown(before: ToolResult, tool: str, items: Sequence[Any], sent: Sequence[int]) -> ToolResult:
    """Mark the items of a retry whose outcome is unknown."""
    evidence = results_of(before.data, tool)
    if evidence is None:
        return before
    entries = list(evidence.entries)
    places = match(items, entries)
    for number in sent:
        for place in places[number]:
            entries[place] = _unknown(entries[place])
    return before.model_copy(update={"data": with_results(before.data, evidence.path, entries)})


def _unknown(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Write the entry of an item of which nobody knows whether it was done."""
    return {**entry, **{name: False for name in FLAGS if name in entry}, "reason": OUTCOME_UNKNOWN}


def _succeeded(entry: Mapping[str, Any], retried: ToolResult, tool: str) -> dict[str, Any]:
    """Write the entry of a single item whose retry was answered without results."""
    protocol = protocol_of(read_answer(retried.data, tool).body)
    kept = {key: value for key, value in entry.items() if key not in {*FLAGS, "reason", "error"}}
    return {**kept, "success": True, **({"protocol": protocol} if protocol else {})}


def _wrapper(before: ToolResult, retried: ToolResult, data: Any) -> dict[str, Any]:
    """The retry has the last word on ok and error: the first answer's complaint was about items that are done now."""
    if not retried.ok or before.ok or not isinstance(data, Mapping) or said_ok(data) is not False:
        return {"data": data}
    cleared = {key: value for key, value in data.items() if key != "error"}
    return {"data": {**cleared, "ok": True}, "ok": True, "error": None}
