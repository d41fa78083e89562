"""Checks that need several calls: repeated, outlived, interrupted, asked about, malformed.

Invariants: every one leaves the sandbox as the scenario says; what is counted is counted before and after.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping
from typing import Any

from consumers.certify.calling import PAUSE_S, Caller, Recovered, unanswered
from consumers.certify.checks_items import effects_as_told, fates_as_expected, shown
from consumers.certify.findings import Fault, Finding, failed, passed, skipped
from consumers.certify.observation import Observation, Planned, observed
from consumers.certify.scenarios import ItemScenario, MalformedScenario, RestartScenario, SlowScenario
from consumers.certify.subject import kinds_of, properties_of, required_of
from contracts.status import ItemOutcome
from pipeline.decision import CallAnswer, CallOutcome
from pipeline.policy import RESERVED_ARGUMENTS, Recovery, Tool
from pipeline.stages.execute.status_answer import Known
from pipeline.tools.catalog import ListedTool

MALFORMED_MAX = 8
"""Calls with malformed arguments that are made from a schema."""
EMPTY = "an empty collection"
GONE = "the server did not come back from its restart"
NOT_COUNTED = "effects are not counted: the scenarios have no sandbox.effects"
UNPROVEN = Fault(
    "recovery is retry, and nothing shows that a repeated call has one effect",
    "add `duplicate` to the scenarios, or set recovery: status or report in tool_policies.yaml",
)
STATUS_SHAPE = 'answer {"status": "done", "result": …the answer of the call…}, {"status": "in_progress"} or {"status": "unknown_key"}'


async def duplicate(
    caller: Caller, tool: Tool, scenario: ItemScenario, call: Planned
) -> tuple[Finding, list[Observation]]:
    """The same call twice, with the same key."""
    check = "duplicate"
    first = await caller.send(tool, call)
    second = await caller.send(tool, call)
    grown = await caller.sandbox.grown()
    fault = fates_as_expected(scenario, first, tool) or repeated(first, second)
    if fault is None and (counted := effects_as_told(scenario, grown)) is not None:
        fault = Fault(
            f"two calls with one idempotency key: {counted.seen}",
            "keep the key and the answer with the effect, in one transaction, and answer the stored answer when the key comes "
            "again (argument idempotency_key, or `_meta` multi-item/idempotency-key)",
        )
    if fault is not None:
        return failed(check, fault), [first]
    detail = "the same result twice" + (f", {grown} effect(s)" if grown is not None else f"; {NOT_COUNTED}")
    return passed(check, detail), [first]


def repeated(first: Observation, second: Observation) -> Fault | None:
    """How the second answer to one key differs from the first, if it does."""
    way_out = (
        "store the answer under the idempotency key and give it again, unchanged; a repeated call is not a new order "
        "(argument idempotency_key, or `_meta` multi-item/idempotency-key)"
    )
    if not second.answered:
        return Fault(f"the second call with the same key: {unanswered(second).seen}", way_out)
    for one, other in zip(first.own_fates, second.own_fates, strict=True):
        if one.outcome is not other.outcome:
            why = f" ({other.reason})" if other.reason else ""
            return Fault(
                f"{one.subject} {one.outcome.lower()}, and with the same key again it is {other.outcome.lower()}{why}",
                way_out,
            )
        if one.protocol != other.protocol:
            return Fault(
                f"{one.subject} has protocol {one.protocol}, and with the same key again {other.protocol}: done twice",
                way_out,
            )
    return None


async def slow(caller: Caller, tool: Tool, status_tool: Tool | None, scenario: SlowScenario, call: Planned) -> Finding:
    """The caller gives up first; then the policy's way to the outcome."""
    check = "slow"
    hurried = call.entry.model_copy(update={"timeout_ms": scenario.deadline_ms})
    began = time.monotonic()
    answer = await caller.raw(_with(call, hurried), call.entry.arguments)
    if answer.outcome is not CallOutcome.UNKNOWN:
        waited_ms = round((time.monotonic() - began) * 1000)
        return failed(
            check,
            Fault(
                f"an answer came after {waited_ms} ms, within the deadline of {scenario.deadline_ms} ms: nothing was slow",
                "make the scenario slow (arguments, or `before` with a command that slows the sandbox down), or shorten its "
                "deadline_ms",
            ),
        )
    if not _is_recoverable(tool):
        return await _reported(check, caller, scenario, settle_s=scenario.settle_s)
    recovered = await caller.recover(tool, status_tool, call, settle_s=scenario.settle_s)
    if recovered.told[:1] == [Known.UNKNOWN_KEY]:
        return failed(
            check,
            Fault(
                "the status tool says unknown_key of a call that is running: it would be called again",
                "write the key down, durably, before the work begins, and answer in_progress until it is done",
            ),
        )
    grown = await caller.sandbox.grown()
    return _recovered(check, tool, scenario, recovered, grown)


async def restart(
    caller: Caller, tool: Tool, status_tool: Tool | None, scenario: RestartScenario, call: Planned
) -> Finding:
    """The server dies while it works; then the policy's way to the outcome."""
    check = "restart"
    running = asyncio.create_task(caller.send(tool, call))
    await asyncio.sleep(scenario.after_ms / 1000)
    problem = await caller.restart(running, seconds=scenario.settle_s)
    if problem is not None:
        return failed(
            check,
            Fault(
                f"the server did not come back within {scenario.settle_s:g} s ({problem})",
                "make it start again by itself, and finish or roll back what it had begun; or correct sandbox.restart",
            ),
        )
    if not _is_recoverable(tool):
        return await _reported(check, caller, scenario, settle_s=scenario.settle_s)
    recovered = await caller.recover(tool, status_tool, call, settle_s=scenario.settle_s)
    grown = await caller.sandbox.grown()
    return _recovered(check, tool, scenario, recovered, grown)


async def status(caller: Caller, tool: Tool, status_tool: Tool | None, known: Observation | None) -> Finding:
    """A key that nobody has seen, and one whose call is done."""
    check = "status_tool"
    name = tool.policy.status_tool
    if tool.recovery is not Recovery.STATUS or name is None:
        return skipped(check, f"recovery is {tool.recovery}")
    if status_tool is None:
        return failed(
            check,
            Fault(
                f"the policy's status_tool {name} is not on the server",
                f"serve {name} beside {tool.name}, or choose another recovery in tool_policies.yaml",
            ),
        )
    if caller.gone:
        return skipped(check, GONE)
    if known is None or not known.answered:
        return skipped(check, "no call was done that could be asked about")
    said, answer = await caller.status(
        status_tool, known.planned, key=f"{known.planned.entry.idempotency_key}-never-used"
    )
    if said.known is not Known.UNKNOWN_KEY:
        return failed(
            check,
            Fault(
                f"asked about a key that was never used, it says {_said(said.known, answer)}, not unknown_key",
                f"{STATUS_SHAPE}; an unknown key is an answer, no error: only it allows a call to be made again",
            ),
        )
    said, answer = await caller.status(status_tool, known.planned)
    if said.known is not Known.DONE:
        return failed(
            check,
            Fault(f"asked about a call that is done, it says {_said(said.known, answer)}, not done", STATUS_SHAPE),
        )
    told = await caller.recover(tool, status_tool, known.planned, settle_s=5)
    if told.observation is None or repeated(known, told.observation) is not None:
        return failed(
            check,
            Fault("its `result` is not the answer that the call itself gave", "store the answer and give it as it was"),
        )
    return passed(check, "unknown_key and done are told apart, with the stored answer")


async def malformed(
    caller: Caller, tool: Tool, listed: ListedTool, scenario: MalformedScenario, call: Planned
) -> Finding:
    """Arguments that break the schema: refused, nothing done, and the server goes on."""
    check = "malformed"
    if scenario.skip or caller.gone:
        return skipped(check, scenario.skip or GONE)
    good = {name: value for name, value in call.entry.arguments.items() if name not in RESERVED_ARGUMENTS}
    spoilt = [
        *spoilt_arguments(tool, listed, good),
        *((f"scenario {n + 1}", a) for n, a in enumerate(scenario.arguments)),
    ]
    for number, (what, arguments) in enumerate(spoilt):
        one = caller.plan(tool, f"malformed-{number}", arguments)
        keys = {name: value for name, value in one.entry.arguments.items() if name in RESERVED_ARGUMENTS}
        answer = await caller.raw(one, {**arguments, **keys})
        if (fault := accepted(observed(tool, one, answer), what)) is not None:
            return failed(check, fault)
    grown = await caller.sandbox.grown()
    if grown:
        return failed(
            check,
            Fault(
                f"refused, and yet the sandbox counted {grown} effect(s)",
                "check all arguments before the first effect",
            ),
        )
    return passed(check, f"{len(spoilt)} calls refused" + ("" if grown is not None else f"; {NOT_COUNTED}"))


def spoilt_arguments(tool: Tool, listed: ListedTool, good: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Good arguments with one thing wrong, made from the tool's own schema: left out, or of a wrong type."""
    made = 0
    for name in required_of(listed):
        if name in RESERVED_ARGUMENTS or made >= MALFORMED_MAX:
            continue
        kinds = kinds_of(properties_of(listed).get(name), listed.input_schema)
        yield f"without {name}", {key: value for key, value in good.items() if key != name}
        if kinds or name == tool.items_argument:
            wrong = next((value for kind, value in _WRONG if kind not in kinds), None)
            yield f"{name} of a wrong type", {**good, name: wrong}
        made += 2
    if tool.items_argument is not None:
        yield EMPTY, {**good, tool.items_argument: []}


_WRONG: tuple[tuple[str, Any], ...] = (("object", {"not": "as declared"}), ("boolean", True), ("array", [[]]))


def accepted(seen: Observation, what: str) -> Fault | None:
    """What is wrong with the answer to malformed arguments, if anything. An empty collection may be answered by no results."""
    answer = seen.answer
    if not seen.answered:
        return Fault(
            f"{what}: no readable refusal ({answer.code}: {answer.error})",
            "check the arguments against the schema first and answer isError with a text: an internal error or a cut connection "
            "is read as outcome unknown",
        )
    done = any(fate.outcome is ItemOutcome.SUCCEEDED for fate in seen.fates)
    agreed = seen.reading is not None and seen.reading.ok and not seen.entries and what != EMPTY
    if done or agreed:
        return Fault(
            f"{what}: carried out all the same ({shown(seen.fates) if done else 'the answer says ok'})",
            "declare types and required arguments in the input schema, and refuse what breaks it before anything is done",
        )
    return None


def _recovered(check: str, tool: Tool, scenario: ItemScenario, recovered: Recovered, grown: int | None) -> Finding:
    way = f"recovery {tool.recovery}" if tool.transactional else "read again"
    seen = recovered.observation
    if seen is None:
        return failed(
            check,
            Fault(
                f"the outcome did not get known by {way}"
                + (f" (last told: {recovered.told[-1]})" if recovered.told else ""),
                "finish or roll back what was begun when the server starts again, and tell it: by the status tool, or by the "
                "answer to the same key",
            ),
        )
    fault = fates_as_expected(scenario, seen, tool) or effects_as_told(scenario, grown)
    if fault is not None:
        return failed(
            check,
            Fault(
                f"afterwards, by {way}: {fault.seen}",
                "keep key, effect and answer in one transaction, so that the same key finds either nothing or everything done",
            ),
        )
    told = f", told {', '.join(recovered.told)}" if recovered.told else ""
    counted = f", {grown} effect(s)" if grown is not None else f"; {NOT_COUNTED}"
    return passed(check, f"by {way}{told}: {shown(seen.own_fates)}{counted}")


async def _reported(check: str, caller: Caller, scenario: ItemScenario, *, settle_s: float) -> Finding:
    """Nobody asks again: whatever comes late must come once at most."""
    said = "recovery is report: customers are told that the outcome is unknown"
    grown = await caller.sandbox.grown()
    if grown is None:
        return passed(check, said)
    wanted = scenario.succeeded if scenario.effects is None else scenario.effects
    until = time.monotonic() + settle_s
    while grown < wanted and time.monotonic() < until:
        await asyncio.sleep(PAUSE_S)
        grown += await caller.sandbox.grown() or 0
    if grown > wanted and (fault := effects_as_told(scenario, grown)) is not None:
        return failed(check, fault)
    return passed(check, f"{said}; {grown} effect(s) came late")


def _is_recoverable(tool: Tool) -> bool:
    return not tool.transactional or tool.recovery is not Recovery.REPORT


def _with(call: Planned, entry: Any) -> Planned:
    return Planned(check=call.check, command=call.command, entry=entry, items=call.items)


def _said(known: Known, answer: CallAnswer) -> str:
    if answer.outcome is not CallOutcome.OK:
        return f"nothing readable ({answer.code})"
    return "nothing that can be read as a status" if known is Known.NOT_TOLD else str(known)
