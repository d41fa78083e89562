"""One partition number with its producer and state: the unit of exactly once.

Owns: the takeover order (start the producer, which fences; restore state; read the committed offsets; run), the loop of batches,
timers and calls of its conversations.
Invariants: offsets, outputs, events and state commit in one transaction or not at all; no call runs inside it; after any failed
commit the task ends, because only a new takeover knows what was committed. Never: knows a stage by name. Source: KIP-98 (no KIP-447).
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import structlog

from pipeline import topology
from pipeline.decision import Agenda, Input, Stage
from pipeline.metrics import Metrics
from pipeline.runtime.alarms import Alarms
from pipeline.runtime.batch import ATTEMPTS, Batch, Place
from pipeline.runtime.calls import CallRunner
from pipeline.runtime.errors import Fatal, TaskRestart, describe, trail
from pipeline.runtime.intake import Intake, Work
from pipeline.runtime.pace import Pace
from pipeline.runtime.ports import Clients, Clock, GroupConsumer, RawRecord, TopicPartition
from pipeline.runtime.serde import NewerVersion, instant
from pipeline.runtime.state_store import StateStore
from pipeline.runtime.takeover import Takeover
from pipeline.runtime.transaction import Transactor
from pipeline.settings import PipelineSettings
from pipeline.topology import StageSpec

RETRY_PAUSE_S = 0.1
"""Before an input that failed is decided again."""
DECIDE_S = 0.1
"""A batch decides for this long at most: heartbeats, polls and other numbers wait meanwhile."""
TOLD_MAX = 20
"""NOC events of one batch that are written to the log too: a flood of bad records must not become one of lines."""
IDLE_S = 1.0
"""Longest sleep while a timer is armed: a clock that jumps is noticed after this."""


class Phase(StrEnum):
    """Where a task is."""

    TAKING_OVER = "taking over"
    RUNNING = "running"
    SUSPENDED = "suspended"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskContext:
    """What all tasks of a worker share."""

    stage: Stage[Any]
    spec: StageSpec
    settings: PipelineSettings
    clients: Clients
    consumer: Callable[[], GroupConsumer]
    clock: Clock
    calls: CallRunner
    metrics: Metrics
    counts: Mapping[str, int]
    """Partition count of every topic, named as on the cluster."""
    replica: str


@dataclass(slots=True, kw_only=True)
class History:
    """What a number's earlier tasks in this process teach the next one; kept by the task manager."""

    takeovers: int = 0
    """Tasks this number has had in this process."""
    failures: int = 0
    """Restarts since the last commit."""
    failed_batches: int = 0
    """Restarts since the last commit of an input: from two on, inputs are decided one by one."""
    poison: dict[str, int] = field(default_factory=dict)
    """Position → commits of it alone that the broker refused for their content."""
    alone: str | None = None
    """Position of the only input in the batch that failed last."""
    notes: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """Runtime events for the next transaction."""


class Task:
    """Decides and commits everything of one partition number."""

    def __init__(self, number: int, context: TaskContext, history: History) -> None:
        self.number = number
        self.phase = Phase.TAKING_OVER
        self._c = context
        self._history = history
        self._settings = context.settings
        self._stage_name = context.stage.name
        self._log = structlog.get_logger("pipeline.task").bind(stage=self._stage_name, number=number)
        self._transactor = Transactor(
            context.clients.producer(transactional_id=self._transactional_id),
            group=context.settings.named(context.spec.group),
            deadline_s=context.settings.runtime.deadline_ms / 1000,
            gap_s=context.settings.runtime.commit_gap_ms / 1000,
        )
        self._specs = {context.settings.named(spec.topic): spec for spec in context.spec.inputs}
        self._intake = Intake(dict.fromkeys(self._specs, 0), self._specs)
        self._store = StateStore(context.stage, {})
        self._wake = asyncio.Event()
        self._alarms = Alarms(
            incarnation=context.calls.incarnation,
            skew=timedelta(milliseconds=context.settings.timing.clock_skew_ms),
            deadline_s=context.settings.runtime.deadline_ms / 1000,
            wake=self._wake,
        )
        self._calm = asyncio.Event()
        self._calm.set()
        self._idle = asyncio.Event()
        self._granting = True
        self._now = context.clock.now()
        self._draining = False
        self._most = context.settings.runtime.batch_max_records
        """Inputs that are taken at once: as many as DECIDE_S allows, so that what is urgent comes first in every batch."""
        self._notes = 0

    @property
    def _transactional_id(self) -> str:
        return self._settings.named(f"{self._c.spec.group}-{self.number}")

    @property
    def partitions(self) -> tuple[TopicPartition, ...]:
        """Its input partitions."""
        return tuple(TopicPartition(topic, self.number) for topic in self._specs)

    # --- takeover ---

    async def take_over(self) -> Mapping[TopicPartition, int]:
        """Become the owner. Returns: where each input goes on. Raises: TaskRestart, Fatal."""
        started = asyncio.get_running_loop().time()
        await self._transactor.start()
        try:
            async with asyncio.timeout(self._settings.runtime.deadline_ms * 4 / 1000):
                offsets = await self._restore()
        except (Fatal, TaskRestart):
            raise
        except Exception as error:
            raise TaskRestart(f"restore failed: {describe(error)}") from error
        self._intake = Intake({tp.topic: offset for tp, offset in offsets.items()}, self._specs)
        pace = Pace()
        for conversation in self._store.conversations():
            self._refresh(conversation, self._restored_agenda(conversation))
            await pace.breathe()
        # From here to the caller's seek without an await: whoever polls must find both or neither.
        self.phase = Phase.RUNNING
        elapsed = asyncio.get_running_loop().time() - started
        self._c.metrics.takeover_time.labels(self._stage_name).observe(elapsed)
        self._log.info(
            "taken over", seconds=round(elapsed, 3), conversations=len(self._store), offsets=_by_topic(offsets)
        )
        return offsets

    async def _restore(self) -> Mapping[TopicPartition, int]:
        state = TopicPartition(self._settings.named(topology.state(self._stage_name)), self.number)
        takeover = Takeover(
            stage=self._stage_name,
            settings=self._settings,
            clients=self._c.clients,
            consumer=self._c.consumer(),
            transactor=self._transactor,
            inputs=self.partitions,
            state=state,
            partitions=self._c.counts[state.topic],
        )
        try:
            taken = await takeover.run(self._tick())
        except Fatal as fatal:
            await self._tell(fatal)
            raise
        store, pace = StateStore(self._c.stage, {}), Pace()
        for key, checkpoint in taken.checkpoints.items():
            try:
                store.restore(key, checkpoint)
            except Exception as error:  # the same value fails again each time: state is never skipped
                unreadable = Fatal(f"state {key} can't be read: {describe(error)}; run the version that wrote it")
                await self._tell(unreadable)
                raise unreadable from error
            self._now = max(self._now, checkpoint.written_at)
            await pace.breathe()
        self._store = store
        return taken.offsets

    async def _tell(self, fatal: Fatal) -> None:
        """Say in the NOC topic why this number stops; a failure to say it changes nothing."""
        batch = self._new_batch()
        payload = {"number": self.number, "replica": self._c.replica, "reason": str(fatal)}
        batch.note(
            "NOC.RUNTIME_FAILED", payload, seed=f"{self._c.calls.incarnation}/{self.number}/fatal", now=self._tick()
        )
        if self._transactor.is_broken:
            return
        try:
            await self._transactor.commit(batch.outputs(), {})
        except TaskRestart as error:
            self._log.warning("could not write the event", error=str(error))

    # --- intake: called without an await between getmany and here ---

    def offer(self, topic: str, records: Sequence[RawRecord]) -> None:
        """Take records of one input topic."""
        self._intake.offer(topic, records)
        self._wake.set()

    def observe(self, topic: str, position: int) -> None:
        """The consumer's position after what was offered."""
        self._intake.observe(topic, position)
        if self._intake.has_barriers:
            self._wake.set()

    def report(self, conversation: str, event: Input) -> None:
        """Take an input that is no record."""
        self._intake.report(Work(conversation=conversation, event=event))
        self._wake.set()

    def note(self, event_type: str, payload: dict[str, Any]) -> None:
        """Emit a runtime event with the next transaction."""
        self._history.notes.append((event_type, payload))
        self._wake.set()

    def seek_offsets(self) -> dict[TopicPartition, int]:
        """Where the consumer is to read on."""
        return {tp: self._intake.next_offset(tp.topic) for tp in self.partitions}

    def wants_pause(self) -> frozenset[TopicPartition]:
        """Inputs that are to be paused: all before the takeover, forward ones under back-pressure, never urgent ones."""
        if self.phase is not Phase.RUNNING or self._draining:
            return frozenset(self.partitions)
        runtime = self._settings.runtime
        # Timers that wait for the input (the expiry of a question, say) may be what frees the waiting bytes: they get it.
        full = self._store.waiting_bytes > runtime.waiting_max_bytes and not self._intake.has_barriers
        full = full or self._intake.buffered_bytes() > runtime.buffer_max_bytes
        forward = (TopicPartition(topic, self.number) for topic, spec in self._specs.items() if not spec.urgent)
        return frozenset(forward) if full else frozenset()

    # --- life ---

    def suspend(self) -> None:
        """A rebalance took the number away for now: begin no transaction."""
        if self.phase is Phase.RUNNING:
            self.phase = Phase.SUSPENDED

    def resume(self) -> None:
        """The number came back: go on with the same producer and state."""
        if self.phase is Phase.SUSPENDED:
            self.phase = Phase.RUNNING
        self._granting, self._draining = True, False
        self._wake.set()

    def drain(self, *, forward: bool) -> None:
        """Grant no further call; with `forward` False decide only what reports of running calls bring."""
        self._granting = False
        self._draining = not forward
        self._wake.set()

    async def calm(self, timeout_s: float) -> bool:
        """Wait until no batch runs. Returns: whether that was reached."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._calm.wait()
        except TimeoutError:
            return False
        return True

    async def settled(self, timeout_s: float) -> bool:
        """Wait until no batch runs and no report waits to be decided. Returns: whether that was reached."""
        try:
            async with asyncio.timeout(timeout_s):
                while self.phase is Phase.RUNNING and self._intake.has_reports:
                    self._idle.clear()
                    self._wake.set()
                    await self._idle.wait()
                await self._calm.wait()
        except TimeoutError:
            return False
        return True

    async def close(self) -> None:
        """Stop for good."""
        self.phase = Phase.CLOSED
        self._c.calls.detach(self)
        self._alarms.close()
        await self._transactor.close()

    async def run(self) -> None:
        """Decide and commit until closed. Raises: TaskRestart, Fatal."""
        try:
            await self._decide_until_closed()
        except Fatal as fatal:
            await self._tell(fatal)
            raise

    async def _decide_until_closed(self) -> None:
        while self.phase is not Phase.CLOSED:
            await self._wait()
            if self.phase is not Phase.RUNNING:
                continue
            self._alarms.fire(self._tick(), self._intake, self._end_offsets)
            self._calm.clear()
            try:
                await self._run_batch()
            finally:
                self._calm.set()

    async def _wait(self) -> None:
        ready = not self._intake.is_empty(forward=not self._draining, grants=self._granting) or self._history.notes
        if self.phase is Phase.RUNNING and ready:
            await asyncio.sleep(0)
            return
        self._wake.clear()
        self._idle.set()
        timeout: float | None = None
        due = self._alarms.next_due()
        if due is not None and self.phase is Phase.RUNNING:
            timeout = min(max((due - self._c.clock.now()).total_seconds(), 0.001), IDLE_S)
        try:
            async with asyncio.timeout(timeout):
                await self._wake.wait()
        except TimeoutError:
            pass

    async def _end_offsets(self) -> Mapping[TopicPartition, int]:
        return await self._c.consumer().end_offsets(self.partitions)

    def _refresh(self, conversation: str, agenda: Agenda) -> None:
        """Make calls and timers follow the state."""
        self._alarms.sync(conversation, agenda)
        self._c.calls.sync(self, conversation, agenda.calls)

    def _restored_agenda(self, conversation: str) -> Agenda:
        """What is to run for a restored state. Nothing for one that a stage can't read any more: it stands still alone."""
        try:
            return self._c.stage.agenda(self._store.get(conversation))
        except Exception as error:
            reason = describe(error)
            self._log.error("a conversation stands still", conversation=conversation, error=reason, trail=trail(error))
            payload = {"reason": "nothing can be run for a conversation's state; it stands still", "error": reason}
            self.note("NOC.RUNTIME_FAILED", {**payload, "conversation": conversation, "number": self.number})
            return Agenda()

    # --- batches ---

    def _tick(self) -> datetime:
        """Now, never going back."""
        self._now = max(self._now, self._c.clock.now())
        return self._now

    def _new_batch(self) -> Batch:
        place = Place(self.number, self._c.counts, self._c.clients.partition_of)
        return Batch(stage=self._c.stage, store=self._store, settings=self._settings, place=place)

    async def _run_batch(self) -> None:
        runtime = self._settings.runtime
        works = self._intake.take(
            max_records=1 if self._history.failed_batches >= 2 else self._most,
            max_bytes=runtime.batch_max_bytes,
            forward=not self._draining,
            grants=self._granting,
        )
        batch = self._new_batch()
        loop = asyncio.get_running_loop()
        started = loop.time()
        decided, failed = self._decide_all(batch, works)
        notes = self._add_notes(batch)
        decided_at = loop.time()
        if not batch.is_empty:
            self._history.alone = _position(decided[0]) if len(decided) == 1 else None
            await self._transactor.commit(batch.outputs(), batch.offsets)
            self._committed(batch, decided, notes, decided_at - started, loop.time() - decided_at)
        if failed:
            await asyncio.sleep(RETRY_PAUSE_S)  # the same input again at once would fail at once

    def _decide_all(self, batch: Batch, works: list[Work]) -> tuple[list[Work], bool]:
        decided: list[Work] = []
        loop = asyncio.get_running_loop()
        until = loop.time() + DECIDE_S
        for index, work in enumerate(works):
            position = _position(work)
            refused = self._history.poison.get(position, 0)
            if refused >= 2 * ATTEMPTS:
                raise Fatal(
                    f"{position}: the broker refuses its outputs, and its dead letter too; look at max.message.bytes"
                )
            work.condemned = refused >= ATTEMPTS
            now = self._tick()
            if work.record is not None:
                self._now = now = max(now, _record_time(work.record))
            try:
                batch.decide(work, now)
            except NewerVersion as error:
                if decided:  # what came before it is not to wait for an operator
                    self._intake.put_back(works[index:])
                    return decided, False
                raise Fatal(str(error)) from error
            except Exception as error:
                if not self._failed(batch, work, error, now):
                    self._intake.put_back(works[index:])
                    return decided, True
            decided.append(work)
            if loop.time() >= until:
                self._intake.put_back(works[index + 1 :])
                self._most = len(decided)
                return decided, False
        if loop.time() < until - DECIDE_S / 2:
            self._most = min(2 * self._most, self._settings.runtime.batch_max_records)
        return decided, False

    def _failed(self, batch: Batch, work: Work, error: Exception, now: datetime) -> bool:
        """Count a failure. Returns: whether the input was given up, so that the batch goes on."""
        work.failures += 1
        reason = describe(error)
        what = _position(work)
        self._log.warning("input failed", input=what, attempt=work.failures, error=reason, trail=trail(error))
        payload = {"input": what, "attempt": work.failures, "error": type(error).__name__, "number": self.number}
        if work.failures < ATTEMPTS:
            self._history.notes.append(("NOC.STAGE_RETRY", payload))
            return False
        try:
            batch.give_up(work, reason, now)
        except Exception as again:
            if work.record is not None:
                raise Fatal(f"{what} can neither be decided nor dead-lettered: {describe(again)}") from again
            self._history.notes.append(
                ("NOC.RUNTIME_FAILED", {**payload, "reason": "an outcome or timer can't be decided"})
            )
        return True

    def _add_notes(self, batch: Batch) -> int:
        for event_type, payload in self._history.notes:
            self._notes += 1
            seed = f"{self._c.calls.incarnation}/{self.number}/{self._history.takeovers}/{self._notes}"
            batch.note(event_type, payload, seed=seed, now=self._tick())
        return len(self._history.notes)

    def _committed(self, batch: Batch, works: list[Work], notes: int, decide_s: float, commit_s: float) -> None:
        del self._history.notes[:notes]
        self._history.failures = 0
        if works:
            # Events of the runtime alone prove nothing: a new task writes them before it meets the input that failed.
            self._history.failed_batches = 0
        for work in works:
            self._history.poison.pop(_position(work), None)
        self._store.merge(batch.overlay)
        for conversation, agenda in batch.overlay.agendas.items():
            self._refresh(conversation, agenda)
        metrics, stage = self._c.metrics, self._stage_name
        metrics.batches.labels(stage).observe(len(works))
        metrics.decide_time.labels(stage).observe(decide_s)
        metrics.transaction_time.labels(stage).observe(commit_s)
        for topic, count in batch.inputs.items():
            metrics.records.labels(stage, topic).inc(count)
        for error in batch.dead_letters:
            metrics.dead_letters.labels(stage, error).inc()
        for event in batch.told[:TOLD_MAX]:
            self._log.warning(
                event.event_type,
                conversation=event.conversation_key,
                transaction_id=event.transaction_id,
                payload=dict(event.payload),
            )

    @property
    def conversations(self) -> int:
        """Conversations in memory."""
        return len(self._store)

    @property
    def waiting_bytes(self) -> int:
        """Durable input that waits in the state."""
        return self._store.waiting_bytes

    @property
    def open_questions(self) -> int:
        """Questions that wait for a customer."""
        return self._alarms.open_questions()


def _record_time(record: RawRecord) -> datetime:
    return instant(record.timestamp_ms)


def _position(work: Work) -> str:
    if work.record is not None:
        return f"{work.record.topic}/{work.record.partition}/{work.record.offset}"
    return f"{type(work.event).__name__} of {work.conversation}"


def _by_topic(offsets: Mapping[TopicPartition, int]) -> dict[str, int]:
    return {tp.topic: offset for tp, offset in offsets.items()}
