"""Tool calls of a worker: granted when a slot is in hand, sent once by one incarnation, reported back.

Owns: the link between an agenda's calls and what is on the wire. Calls belong to the worker, not to the task: after a task restart
the same incarnation re-attaches a running call and starts one that was never started.
Invariants: a call of this incarnation that is CALLING and unknown here was never sent while now < not_after (jobs are kept at least
that long); nothing is sent after not_after; a report is repeated until the state no longer asks for it.
Never: decides what an outcome means. Source: DESIGN 4 (Calls).
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Protocol

import structlog

from pipeline.decision import Call, CallAnswer, CallGranted, CallLost, CallOutcome, CallPhase, CallReturned, Input
from pipeline.metrics import Metrics
from pipeline.runtime.errors import describe
from pipeline.runtime.ports import Clock

KEEP = timedelta(minutes=10)
"""How long after not_after an unclaimed outcome is kept."""


class Slot(Protocol):
    """A place at a server's bulkhead."""

    def release(self) -> None:
        """Give it back; twice is harmless."""


class Tools(Protocol):
    """The MCP client as the runtime needs it."""

    async def acquire(self, server: str) -> Slot:
        """Wait for a slot and a closed breaker."""

    async def call(self, call: Call, *, deadline_s: float) -> CallAnswer:
        """Send; never raises for an outcome."""


class Sink(Protocol):
    """The task that a report goes to."""

    def report(self, conversation: str, event: Input) -> None:
        """Take an input that is no record."""


class JobPhase(StrEnum):
    """Where a job is."""

    ACQUIRING = "acquiring"
    HELD = "held"
    RUNNING = "running"
    DONE = "done"


@dataclass(slots=True, eq=False)
class Job:
    """One attempt of one call."""

    call: Call
    conversation: str
    sink: Sink | None
    phase: JobPhase = JobPhase.ACQUIRING
    slot: Slot | None = None
    work: asyncio.Task[None] | None = None
    outcome: CallReturned | None = None
    granted: bool = False
    """Whether the state says CALLING, so that it may be sent."""

    def release(self) -> None:
        """Give the slot back."""
        if self.slot is not None:
            self.slot.release()
            self.slot = None


Key = tuple[str, int]


class CallRunner:
    """Runs the calls of all tasks of a worker."""

    def __init__(self, tools: Tools, *, stage: str, incarnation: str, clock: Clock, metrics: Metrics) -> None:
        self._tools = tools
        self._stage = stage
        self.incarnation = incarnation
        self._clock = clock
        self._metrics = metrics
        self._jobs: dict[Key, Job] = {}
        self._by_conversation: dict[str, set[Key]] = {}
        self._closing = False
        self._changed = asyncio.Event()
        self._log = structlog.get_logger("pipeline.calls").bind(stage=stage)

    def sync(self, sink: Sink, conversation: str, calls: Iterable[Call]) -> None:
        """Make these the calls of the conversation."""
        wanted = {(call.call_id, call.attempt): call for call in calls}
        for key in self._by_conversation.get(conversation, set()) - wanted.keys():
            self._drop(key)
        for key, call in wanted.items():
            if call.phase is CallPhase.CALLING and call.incarnation != self.incarnation:
                continue  # another incarnation's: the task arms the timer that ends its turn
            self._want(sink, conversation, key, call)
        self._prune()

    def _want(self, sink: Sink, conversation: str, key: Key, call: Call) -> None:
        job = self._jobs.get(key)
        if job is None:
            self._begin(sink, conversation, key, call)
            return
        attached = job.sink is sink
        job.sink = sink
        job.call = call
        if call.phase is CallPhase.CALLING:
            job.granted = True
        match job.phase:
            case JobPhase.HELD if job.granted:
                self._send(key, job)
            case JobPhase.HELD if not attached:
                self._report_grant(job)
            case JobPhase.DONE if not attached and job.outcome is not None:
                sink.report(conversation, job.outcome)
            case _:
                pass

    def _begin(self, sink: Sink, conversation: str, key: Key, call: Call) -> None:
        granted = call.phase is CallPhase.CALLING
        if granted and call.not_after is not None and self._clock.now() >= call.not_after:
            # Its job may have been forgotten: whether it was sent is no longer known.
            sink.report(conversation, CallLost(call_id=call.call_id, attempt=call.attempt))
            return
        if self._closing and not granted:
            return
        job = Job(call, conversation, sink, granted=granted)
        self._jobs[key] = job
        self._by_conversation.setdefault(conversation, set()).add(key)
        job.work = asyncio.get_running_loop().create_task(self._acquire(key, job), name=f"acquire {key}")

    async def _acquire(self, key: Key, job: Job) -> None:
        slot = await self._slot(job)
        if self._jobs.get(key) is not job:
            if slot is not None:
                slot.release()
            return
        job.slot = slot
        job.phase = JobPhase.HELD
        if job.granted:
            self._send(key, job)
        else:
            self._report_grant(job)

    async def _slot(self, job: Job) -> Slot | None:
        """Wait for a slot. None: there will be none (in time); the call then says why it was not sent.

        Nobody but this process ends a call of this incarnation that is CALLING: it may wait for a slot until not_after only.
        """
        not_after = job.call.not_after if job.granted else None
        left = None if not_after is None else (not_after - self._clock.now()).total_seconds()
        try:
            async with asyncio.timeout(left):
                return await self._tools.acquire(job.call.server)
        except Exception as error:
            if not isinstance(error, TimeoutError):
                self._log.warning("there is no slot", server=job.call.server, error=describe(error))
            return None

    def _report_grant(self, job: Job) -> None:
        if job.sink is not None:
            event = CallGranted(call_id=job.call.call_id, attempt=job.call.attempt, incarnation=self.incarnation)
            job.sink.report(job.conversation, event)

    def _send(self, key: Key, job: Job) -> None:
        job.phase = JobPhase.RUNNING
        self._metrics.calls_running.labels(self._stage).inc()
        job.work = asyncio.get_running_loop().create_task(self._call(job), name=f"call {key}")

    async def _call(self, job: Job) -> None:
        call = job.call
        try:
            answer = await self._ask(call)
        finally:
            job.release()
            self._metrics.calls_running.labels(self._stage).dec()
        self._metrics.calls.labels(self._stage, call.tool, _label(answer)).inc()
        self._metrics.call_time.labels(self._stage, call.tool).observe(answer.latency_ms / 1000)
        job.outcome = CallReturned(call_id=call.call_id, attempt=call.attempt, answer=answer)
        job.phase = JobPhase.DONE
        self._changed.set()
        if job.sink is not None:
            job.sink.report(job.conversation, job.outcome)

    async def _ask(self, call: Call) -> CallAnswer:
        assert call.not_after is not None
        left = (call.not_after - self._clock.now()).total_seconds()
        if left <= 0:
            return CallAnswer(
                outcome=CallOutcome.NOT_SENT, code="too_late", error="not_after had passed before it was sent"
            )
        try:
            return await self._tools.call(call, deadline_s=left)
        except Exception as error:  # the client promises not to; a defect there must not lose the call
            return CallAnswer(outcome=CallOutcome.UNKNOWN, code="client_defect", error=describe(error))

    def _drop(self, key: Key) -> None:
        job = self._jobs[key]
        if job.phase is JobPhase.RUNNING:
            job.sink = None  # it goes on; its report is nobody's, its key must not be taken for unsent
            return
        if job.work is not None and job.phase is JobPhase.ACQUIRING:
            job.work.cancel()
        self._forget(key)

    def _forget(self, key: Key) -> None:
        job = self._jobs.pop(key)
        job.release()
        keys = self._by_conversation.get(job.conversation)
        if keys is not None:
            keys.discard(key)
            if not keys:
                del self._by_conversation[job.conversation]

    def _prune(self) -> None:
        if len(self._jobs) < 256:
            return
        now = self._clock.now()
        for key, job in list(self._jobs.items()):
            over = job.call.not_after is not None and now > job.call.not_after + KEEP
            if job.phase is JobPhase.DONE and job.sink is None and over:
                self._forget(key)

    def detach(self, sink: Sink) -> None:
        """A task is gone: slots go back, running side effects go on (the number may come back to this incarnation)."""
        for key, job in list(self._jobs.items()):
            if job.sink is not sink:
                continue
            job.sink = None
            if job.phase in {JobPhase.ACQUIRING, JobPhase.HELD}:
                self._drop(key)

    def running(self, sink: Sink | None = None, *, side_effects: bool = False) -> int:
        """Calls on the wire (of one task)."""
        return sum(
            job.phase is JobPhase.RUNNING
            and (sink is None or job.sink is sink)
            and (job.call.side_effects or not side_effects)
            for job in self._jobs.values()
        )

    async def quiet(self, timeout_s: float, *, side_effects: bool = True) -> bool:
        """Wait until no call runs, or none whose outcome can't be asked for. Returns: whether that was reached."""
        try:
            async with asyncio.timeout(timeout_s):
                while self.running(side_effects=side_effects):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return False
        return True

    def stop_intake(self) -> None:
        """Ask for no further slot. What is held may be CALLING in a batch that is being committed: it is still sent."""
        self._closing = True
        for key, job in list(self._jobs.items()):
            if job.phase is JobPhase.ACQUIRING and not job.granted:
                self._drop(key)

    async def close(self) -> None:
        """Cancel what still runs (its outcome is for the next owner to find out)."""
        works = [job.work for job in self._jobs.values() if job.work is not None and not job.work.done()]
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)
        for key in list(self._jobs):
            self._forget(key)


def _label(answer: CallAnswer) -> str:
    """Outcome as a metric's label; a server chooses JSON-RPC codes freely, each would be a time series of its own."""
    code = answer.code or answer.outcome.value
    return "rpc_error" if code.startswith("rpc_") else code
