"""One partition number with its producer and state: the unit of exactly once.

Owns: the order of its life (take over, run, hold still, close), the transaction of a batch, that what was committed enters the state.
Invariants: offsets, outputs, events and state commit in one transaction or not at all; no call runs inside it; after any failed
commit the task ends, because only a new takeover knows what was committed. Never: knows a stage by name. Source: KIP-98 (no KIP-447).
"""

import asyncio
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import structlog

from pipeline import topology
from pipeline.decision import Input
from pipeline.runtime.batch import Batch, Place
from pipeline.runtime.deciding import Decided, Decider, position
from pipeline.runtime.errors import Fatal, TaskRestart, describe
from pipeline.runtime.history import History
from pipeline.runtime.intake import Intake, Work
from pipeline.runtime.pace import Pace
from pipeline.runtime.pending import Pending
from pipeline.runtime.ports import RawRecord, TopicPartition
from pipeline.runtime.state_store import StateStore
from pipeline.runtime.stillness import Stillness
from pipeline.runtime.takeover import Takeover
from pipeline.runtime.task_clock import TaskClock
from pipeline.runtime.task_context import TaskContext
from pipeline.runtime.task_events import TaskEvents
from pipeline.runtime.transaction import Transactor

RETRY_PAUSE_S = 0.1
"""Before an input that failed is decided again."""


class Phase(StrEnum):
    """Where a task is."""

    TAKING_OVER = "taking over"
    RUNNING = "running"
    SUSPENDED = "suspended"
    CLOSED = "closed"


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
        self._stillness = Stillness()
        self._granting = True
        self._draining = False
        self._clock = TaskClock(context.clock)
        self._events = TaskEvents(number, context, history, self._clock)
        self._pending = Pending(number, context, self._events, sink=self, wake=self._stillness.wake)
        self._decider = Decider(number, context, history, self._clock, self._events)

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
            self._pending.follow_restored(conversation, self._store.get(conversation))
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
            stage=self._c.stage,
            settings=self._settings,
            clients=self._c.clients,
            consumer=self._c.consumer(),
            transactor=self._transactor,
            inputs=self.partitions,
            state=state,
            partitions=self._c.counts[state.topic],
            clock=self._clock,
        )
        try:
            taken = await takeover.run()
        except Fatal as fatal:
            await self._tell(fatal)
            raise
        self._store = taken.store
        return taken.offsets

    async def _tell(self, fatal: Fatal) -> None:
        await self._events.stopped(fatal, self._new_batch(), self._transactor)

    # --- intake: called without an await between getmany and here ---

    def offer(self, topic: str, records: Sequence[RawRecord]) -> None:
        """Take records of one input topic."""
        self._intake.offer(topic, records)
        self._stillness.wake.set()

    def observe(self, topic: str, position: int) -> None:
        """The consumer's position after what was offered."""
        self._intake.observe(topic, position)
        if self._intake.has_barriers:
            self._stillness.wake.set()

    def report(self, conversation: str, event: Input) -> None:
        """Take an input that is no record."""
        self._intake.report(Work(conversation=conversation, event=event))
        self._stillness.wake.set()

    def note(self, event_type: str, payload: dict[str, Any]) -> None:
        """Emit a runtime event with the next transaction."""
        self._events.note(event_type, payload)
        self._stillness.wake.set()

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
        self._stillness.wake.set()

    def drain(self, *, forward: bool) -> None:
        """Grant no further call; with `forward` False decide only what reports of running calls bring."""
        self._granting = False
        self._draining = not forward
        self._stillness.wake.set()

    async def calm(self, timeout_s: float) -> bool:
        """Wait until no batch runs. Returns: whether that was reached."""
        return await self._stillness.calm(timeout_s)

    async def settled(self, timeout_s: float) -> bool:
        """Wait until no batch runs and no report waits to be decided. Returns: whether that was reached."""
        return await self._stillness.settled(
            timeout_s, lambda: self.phase is Phase.RUNNING and self._intake.has_reports
        )

    async def close(self) -> None:
        """Stop for good."""
        self.phase = Phase.CLOSED
        self._pending.close()
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
            self._pending.fire(self._clock.tick(), self._intake, self._end_offsets)
            with self._stillness.broken():
                await self._run_batch()

    async def _wait(self) -> None:
        ready = not self._intake.is_empty(forward=not self._draining, grants=self._granting) or self._events.are_waiting
        if self.phase is Phase.RUNNING and ready:
            await asyncio.sleep(0)
            return
        await self._stillness.sleep(self._pending.sleep_s() if self.phase is Phase.RUNNING else None)

    async def _end_offsets(self) -> Mapping[TopicPartition, int]:
        return await self._c.consumer().end_offsets(self.partitions)

    # --- batches ---

    def _new_batch(self) -> Batch:
        place = Place(self.number, self._c.counts, self._c.clients.partition_of)
        return Batch(stage=self._c.stage, store=self._store, settings=self._settings, place=place)

    async def _run_batch(self) -> None:
        works = self._intake.take(
            max_records=self._decider.inputs_max,
            max_bytes=self._settings.runtime.batch_max_bytes,
            forward=not self._draining,
            grants=self._granting,
        )
        batch = self._new_batch()
        loop = asyncio.get_running_loop()
        started = loop.time()
        decided = self._decide(batch, works)
        notes = self._events.add_to(batch)
        decided_at = loop.time()
        if not batch.is_empty:
            self._history.alone = position(decided.works[0]) if len(decided.works) == 1 else None
            await self._transactor.commit(batch.outputs(), batch.offsets)
            self._committed(batch, decided.works, notes, decided_at - started, loop.time() - decided_at)
        if decided.failed:
            await asyncio.sleep(RETRY_PAUSE_S)  # the same input again at once would fail at once

    def _decide(self, batch: Batch, works: Sequence[Work]) -> Decided:
        decided = self._decider.decide(batch, works)
        self._intake.put_back(decided.left)
        return decided

    def _committed(self, batch: Batch, works: Sequence[Work], notes: int, decide_s: float, commit_s: float) -> None:
        self._history.committed(map(position, works), notes=notes)
        self._store.merge(batch.overlay)
        for conversation, agenda in batch.overlay.agendas.items():
            self._pending.follow(conversation, agenda)
        self._events.committed(batch, len(works), decide_s, commit_s)

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
        return self._pending.open_questions()


def _by_topic(offsets: Mapping[TopicPartition, int]) -> dict[str, int]:
    return {tp.topic: offset for tp, offset in offsets.items()}
