"""Checks of answers: the fate of every item, the count and order of results, what each result carries. Pure: they judge what was seen."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from consumers.certify.calling import unanswered
from consumers.certify.findings import Fault, Finding, failed, judged, passed, skipped
from consumers.certify.observation import Observation, names
from consumers.certify.scenarios import ExpectedFate, ItemScenario
from contracts.channel_response import ItemFate
from contracts.status import ItemOutcome
from pipeline.answers import FLAGS, flag_of, flags_conflict, protocol_of, reason_of
from pipeline.decision import CallOutcome
from pipeline.matching import match, subject_of
from pipeline.policy import Tool
from pipeline.proposal import item_names
from pipeline.stages.normalize.fates import NO_RESULT

_RESULTS = (
    'answer {"ok": …, "result": {"results": [{"subject": …, "success": true or false, …}, …]}}, one entry per item'
)


def fates_as_expected(scenario: ItemScenario, seen: Observation, tool: Tool) -> Fault | None:
    """Every item has the fate that the scenario says."""
    several = len(seen.planned.items) > 1
    if not seen.answered:
        return unanswered(seen)
    if seen.answer.outcome is CallOutcome.TOOL_ERROR and not seen.entries:
        said = _words(seen.answer.payload)
        return Fault(
            f"the whole call failed ({seen.answer.code}{f': {said}' if said else ''}) where each item should have a fate",
            "catch what goes wrong with one item and answer it as that item's result (success: false and a reason); an error "
            "for the whole call hides what was done for the others",
        )
    if several and seen.evidence is None:
        return Fault(
            f"the answer has no results[] of {tool.name}: nothing says of any of {len(seen.planned.items)} items what became of it",
            _RESULTS,
        )
    for item, expected, fate in zip(item_names(seen.planned.items), scenario.fates, seen.own_fates, strict=False):
        if (fault := _unlike(item, expected, fate)) is not None:
            return fault
    return None


def effects_as_told(scenario: ItemScenario, grown: int | None) -> Fault | None:
    """What was done is what is told."""
    wanted = scenario.succeeded if scenario.effects is None else scenario.effects
    if grown is None or grown == wanted:
        return None
    return Fault(
        f"{wanted} effect(s) should have happened, and the sandbox counted {grown}",
        "write effect and result in one transaction: success only for what was done, and nothing done that is told as failed",
    )


def auxiliary(scenario: ItemScenario, seen: Observation, tool: Tool) -> Fault | None:
    """An auxiliary failure is told around the results and changes none of them."""
    fault = fates_as_expected(scenario, seen, tool)
    if fault is not None:
        return Fault(
            f"after a failed auxiliary step: {fault.seen}",
            "keep the results of the items as they are, and tell the auxiliary failure beside them (ok: false and error, or a "
            "step of its own in a workflow's output)",
        )
    if not seen.secondary:
        return Fault(
            "the answer does not tell that an auxiliary step failed",
            "say it beside the results: ok: false with an error, or a step of its own with success: false; or make the scenario "
            "really break the step",
        )
    return None


def order_and_count(observations: Iterable[Observation]) -> Finding:
    """One result an item, in the order of the items, none more."""
    check = "order_and_count"
    checked = 0
    for seen in observations:
        items, entries = seen.planned.items, seen.entries
        if len(items) < 2 or not entries:
            continue
        checked += 1
        if (fault := misplaced(items, entries)) is not None:
            return failed(check, Fault(f"in {seen.check}: {fault.seen}", fault.way_out))
    return passed(check, f"{checked} answers") if checked else skipped(check, "no answer had results of several items")


def misplaced(items: Sequence[Any], entries: Sequence[Any]) -> Fault | None:
    """Which result is not where it belongs, if one is not."""
    found, wanted = match(items, entries), item_names(items)
    for name, mine in zip(wanted, found, strict=True):
        if not mine:
            return Fault(f"{name} has no result", "answer a result for every item that was sent, failed ones too")
        if len(mine) > 1:
            return Fault(f"{name} has {len(mine)} results", "answer exactly one result per item: the last word on it")
    taken = {position for mine in found for position in mine}
    extra = [subject_of(entry) or f"result {place + 1}" for place, entry in enumerate(entries) if place not in taken]
    if extra:
        return Fault(
            f"{names(extra)}: a result of something that was not sent",
            "answer only the items of the call; what else happened goes beside results[]",
        )
    order = [mine[0] for mine in found]
    if order != sorted(order):
        shown = names([wanted[order.index(place)] for place in sorted(order)])
        return Fault(
            f"the results come in another order than the items ({shown})",
            "answer the results in the order in which the items were sent",
        )
    return None


def item_fields(tool: Tool, observations: Iterable[Observation]) -> Finding:
    """Every result says what it is about, a boolean fate, a protocol where something was done, a reason where not."""
    check = "item_fields"
    count = 0
    for seen in observations:
        if not seen.answered:
            continue
        single = len(seen.planned.items) <= 1 and not seen.entries
        for place, entry in enumerate((seen.reading.body,) if single and seen.reading else seen.entries):
            if single and not isinstance(entry, Mapping):
                continue
            count += 1
            name = subject_of(entry) or f"result {place + 1}"
            fault = lacking(entry, name, transactional=tool.transactional, single=single, reading=seen.reading)
            if fault is not None:
                return failed(check, Fault(f"in {seen.check}: {fault.seen}", fault.way_out))
    return passed(check, f"{count} results") if count else skipped(check, "no answer had results")


def lacking(entry: Any, name: str, *, transactional: bool, single: bool, reading: Any) -> Fault | None:
    """What a result lacks, if anything."""
    if not isinstance(entry, Mapping):
        return Fault(f"{name} is no object", "make every result an object with subject and success")
    odd = [flag for flag in FLAGS if entry.get(flag) is not None and not isinstance(entry[flag], bool)]
    if odd:
        return Fault(
            f"{name}: {odd[0]} is {entry[odd[0]]!r}, no JSON boolean",
            f"answer {odd[0]} as true or false, not as text or number: anything else is never read as done",
        )
    fate = flag_of(entry) if not single else (reading.ok if reading else None)
    if fate is None:
        return Fault(f"{name}: says neither success nor ok", "give every result a boolean `success`")
    if flags_conflict(entry):
        return Fault(f"{name}: success and ok disagree", "answer one of them only: a contradiction counts as failed")
    if not single and subject_of(entry) is None:
        return Fault(
            f"{name}: says not which item it is about", "put the item's id, or its name as `subject`, into its result"
        )
    if fate is False and reason_of(entry) is None and not (single and reading and reading.reason):
        return Fault(
            f"{name}: failed without a reason", "add `reason`, a code such as not_found: customers are told why"
        )
    if fate and transactional and protocol_of(entry) is None:
        return Fault(
            f"{name}: done without a protocol",
            "add `protocol`: the number under which the operation can be found again, per item",
        )
    return None


def unknown_item(scenario: ItemScenario, seen: Observation, tool: Tool) -> Finding:
    """An item that the tool does not know is a failed result with a reason; the others go on."""
    check = "unknown_item"
    if (fault := fates_as_expected(scenario, seen, tool)) is not None:
        return failed(check, fault)
    silent = [
        fate.subject
        for fate in seen.own_fates
        if fate.outcome is ItemOutcome.FAILED and not (fate.reason or "").strip()
    ]
    if silent:
        fault = Fault(f"{names(silent)}: failed without a reason", "answer why, as a code such as reason: not_found")
        return failed(check, fault)
    return judged(check, None, shown(seen.own_fates))


def shown(fates: Sequence[ItemFate]) -> str:
    """Fates for a sentence: how many were done, and why the others were not."""
    done = sum(fate.outcome is ItemOutcome.SUCCEEDED for fate in fates)
    reasons = dict.fromkeys(fate.reason or "no reason" for fate in fates if fate.outcome is not ItemOutcome.SUCCEEDED)
    return f"{done} of {len(fates)} succeeded" + (f" ({names(list(reasons))})" if reasons else "")


def _unlike(item: str, expected: ExpectedFate, fate: ItemFate) -> Fault | None:
    if fate.reason == NO_RESULT:
        return Fault(f"{item} has no result", "answer a result for every item that was sent, failed ones too")
    if fate.outcome is not expected.outcome:
        why = f" ({fate.reason})" if fate.reason else ""
        return Fault(
            f"{item} should have {expected}, and is {fate.outcome.lower()}{why}",
            "make the item's own `success` say what became of it, independent of the other items; or correct the scenario",
        )
    if expected.reason is not None and fate.reason != expected.reason:
        return Fault(
            f"{item} failed with {fate.reason or 'no reason'}, expected {expected.reason}",
            "answer the domain's own reason code in `reason`, the same every time; or correct the scenario",
        )
    return None


def _words(payload: Any) -> str:
    """The first words of an error for the whole call."""
    if not isinstance(payload, Mapping):
        return ""
    words = reason_of(payload) or payload.get("text")
    return " ".join(str(words or "").split())[:80]
