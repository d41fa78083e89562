"""Calls belong to the worker: granted, sent once, reported until the state has heard it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pipeline.decision import Call, CallAnswer, CallGranted, CallLost, CallOutcome, CallPhase, CallReturned, Input
from pipeline.metrics import Metrics
from pipeline.runtime.calls import CallRunner

START = datetime(2026, 11, 30, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.at = START

    def now(self) -> datetime:
        return self.at


class Slot:
    def __init__(self, tools: "Tools") -> None:
        self._tools = tools
        self._held = True

    def release(self) -> None:
        self._tools.free += self._held
        self._held = False


class Tools:
    def __init__(self, slots: int = 9) -> None:
        self.free = slots
        self.sent: list[tuple[str, int]] = []
        self.gate = asyncio.Event()

    async def acquire(self, server: str) -> Slot:
        del server
        while not self.free:  # noqa: ASYNC110 - a test gives slots by setting a number
            await asyncio.sleep(0)
        self.free -= 1
        return Slot(self)

    async def call(self, call: Call, *, deadline_s: float) -> CallAnswer:
        assert deadline_s > 0
        self.sent.append((call.call_id, call.attempt))
        await self.gate.wait()
        return CallAnswer(outcome=CallOutcome.OK)


class Sink:
    def __init__(self) -> None:
        self.events: list[Input] = []

    def report(self, conversation: str, event: Input) -> None:
        assert conversation == "c"
        self.events.append(event)


def call(phase: CallPhase, *, attempt: int = 1, incarnation: str | None = None, seconds: float = 10) -> Call:
    return Call(
        call_id="x",
        phase=phase,
        attempt=attempt,
        server="s",
        tool="t",
        arguments={},
        idempotency_key="k",
        timeout_ms=10_000,
        incarnation=incarnation,
        not_after=START + timedelta(seconds=seconds) if phase is CallPhase.CALLING else None,
        side_effects=True,
    )


QUEUED = call(CallPhase.QUEUED)
CALLING = call(CallPhase.CALLING, incarnation="me")


def runner(tools: Tools, clock: Clock | None = None) -> CallRunner:
    return CallRunner(tools, stage="execute", incarnation="me", clock=clock or Clock(), metrics=Metrics())


async def turns(count: int = 10) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_a_queued_call_is_granted_and_sent_only_when_the_state_says_calling() -> None:
    tools, sink = Tools(), Sink()
    calls = runner(tools)
    calls.sync(sink, "c", [QUEUED])
    await turns()
    assert sink.events == [CallGranted(call_id="x", attempt=1, incarnation="me")]
    assert tools.sent == []
    calls.sync(sink, "c", [CALLING])
    await turns()
    assert tools.sent == [("x", 1)]
    tools.gate.set()
    await turns()
    assert isinstance(sink.events[-1], CallReturned)
    assert tools.free == 9


async def test_a_call_that_is_no_longer_wanted_gives_its_slot_back_unsent() -> None:
    tools, sink = Tools(1), Sink()
    calls = runner(tools)
    calls.sync(sink, "c", [QUEUED])
    await turns()
    calls.sync(sink, "c", [])
    assert tools.free == 1
    assert tools.sent == []


async def test_a_running_call_is_attached_to_the_task_that_comes_after_and_not_sent_again() -> None:
    tools, before, after = Tools(), Sink(), Sink()
    calls = runner(tools)
    calls.sync(before, "c", [QUEUED])
    await turns()
    calls.sync(before, "c", [CALLING])
    await turns()
    calls.detach(before)
    calls.sync(after, "c", [CALLING])
    tools.gate.set()
    await turns()
    assert tools.sent == [("x", 1)]
    assert [type(event) for event in after.events] == [CallReturned]


async def test_an_outcome_nobody_took_is_told_to_the_next_task() -> None:
    tools, before, after = Tools(), Sink(), Sink()
    calls = runner(tools)
    calls.sync(before, "c", [QUEUED])
    await turns()
    calls.sync(before, "c", [CALLING])
    calls.detach(before)
    tools.gate.set()
    await turns()
    calls.sync(after, "c", [CALLING])
    assert [type(event) for event in after.events] == [CallReturned]
    assert tools.sent == [("x", 1)]


async def test_a_call_of_this_incarnation_that_was_never_started_is_started() -> None:
    tools, sink = Tools(), Sink()
    calls = runner(tools)
    calls.sync(sink, "c", [CALLING])
    await turns()
    assert tools.sent == [("x", 1)]


async def test_a_forgotten_call_past_its_deadline_is_lost_and_never_claimed_unsent() -> None:
    tools, sink, clock = Tools(), Sink(), Clock()
    clock.at = START + timedelta(seconds=11)
    runner(tools, clock).sync(sink, "c", [CALLING])
    await turns()
    assert sink.events == [CallLost(call_id="x", attempt=1)]
    assert tools.sent == []


async def test_nothing_is_sent_after_not_after() -> None:
    tools, sink, clock = Tools(0), Sink(), Clock()
    calls = runner(tools, clock)
    calls.sync(sink, "c", [CALLING])
    await turns()
    clock.at = START + timedelta(seconds=11)
    tools.free = 1
    await turns()
    assert tools.sent == []
    (event,) = sink.events
    assert isinstance(event, CallReturned)
    assert event.answer.outcome is CallOutcome.NOT_SENT


async def test_a_call_of_another_incarnation_is_left_alone() -> None:
    tools, sink = Tools(), Sink()
    runner(tools).sync(sink, "c", [call(CallPhase.CALLING, incarnation="other")])
    await turns()
    assert (tools.sent, sink.events) == ([], [])


async def test_sigterm_asks_for_no_slot_but_sends_what_is_already_calling() -> None:
    tools, sink = Tools(), Sink()
    calls = runner(tools)
    calls.sync(sink, "c", [QUEUED])
    await turns()
    calls.stop_intake()
    calls.sync(sink, "c", [CALLING])  # the grant was in a batch that was being committed
    await turns()
    assert tools.sent == [("x", 1)]
    assert not await calls.quiet(0.01)
    tools.gate.set()
    assert await calls.quiet(1)


async def test_waiting_for_calls_means_those_with_side_effects_or_all_of_them() -> None:
    tools, sink = Tools(), Sink()
    calls = runner(tools)
    calls.sync(sink, "c", [replace(CALLING, side_effects=False)])
    await turns()
    assert await calls.quiet(0.01)
    assert not await calls.quiet(0.01, side_effects=False)
    tools.gate.set()
    assert await calls.quiet(1, side_effects=False)


async def test_an_item_retry_is_another_attempt_with_a_report_of_its_own() -> None:
    tools, sink = Tools(), Sink()
    tools.gate.set()
    calls = runner(tools)
    calls.sync(sink, "c", [CALLING])
    await turns()
    calls.sync(sink, "c", [call(CallPhase.CALLING, attempt=2, incarnation="me")])
    await turns()
    assert tools.sent == [("x", 1), ("x", 2)]


class NoServer(Tools):
    """Its `acquire` fails: the server is not (any more) configured and enabled."""

    async def acquire(self, server: str) -> Slot:
        raise KeyError(server)

    async def call(self, call: Call, *, deadline_s: float) -> CallAnswer:
        del deadline_s
        self.sent.append((call.call_id, call.attempt))
        return CallAnswer(outcome=CallOutcome.NOT_SENT, code="unknown_server")


async def test_a_call_to_a_server_that_is_not_there_ends_instead_of_waiting_for_ever() -> None:
    tools, sink = NoServer(), Sink()
    calls = runner(tools)
    calls.sync(sink, "c", [QUEUED])
    await turns()
    assert sink.events == [CallGranted(call_id="x", attempt=1, incarnation="me")]
    calls.sync(sink, "c", [CALLING])
    await turns()
    outcome = sink.events[-1]
    assert isinstance(outcome, CallReturned)
    assert outcome.answer.code == "unknown_server"


async def test_a_calling_call_that_gets_no_slot_before_not_after_is_reported_as_not_sent() -> None:
    tools, sink, clock = Tools(slots=0), Sink(), Clock()
    calls = runner(tools, clock)
    # After a restart of its task: CALLING of this incarnation, not known here, hence never sent. The server is away.
    calls.sync(sink, "c", [call(CallPhase.CALLING, incarnation="me", seconds=0.05)])
    async with asyncio.timeout(5):
        while not sink.events:
            clock.at = START + timedelta(seconds=1)
            await asyncio.sleep(0.01)
    outcome = sink.events[-1]
    assert isinstance(outcome, CallReturned)
    assert outcome.answer.outcome is CallOutcome.NOT_SENT
    assert tools.sent == []


class Inventive(Tools):
    """Answers every call with another JSON-RPC code."""

    async def call(self, call: Call, *, deadline_s: float) -> CallAnswer:
        del deadline_s
        self.sent.append((call.call_id, call.attempt))
        return CallAnswer(outcome=CallOutcome.TOOL_ERROR, code=f"rpc_{call.attempt}")


async def test_codes_that_a_server_invents_are_one_label() -> None:
    sink, metrics = Sink(), Metrics()
    calls = CallRunner(Inventive(), stage="execute", incarnation="me", clock=Clock(), metrics=metrics)
    for attempt in range(1, 6):
        calls.sync(sink, "c", [call(CallPhase.CALLING, attempt=attempt, incarnation="me")])
        await turns()
    outcomes = {sample.labels["outcome"] for family in metrics.calls.collect() for sample in family.samples}
    assert outcomes == {"rpc_error"}
