"""One replica of one stage: group membership, the poll loop, health, and an orderly end.

Owns: the consumer (made anew when it stalls without raising anything), pause and resume, lag, the SIGTERM order.
Invariants: records and positions pass from getmany() to the tasks in one step without an await; the rebalance callbacks only pause
and signal (assigned) or hold still (revoked); polling goes on, all paused, while the worker drains.
Source: DESIGN 4; notes on aiokafka section 5.
"""

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import structlog

from pipeline import topology
from pipeline.decision import Stage
from pipeline.metrics import Metrics
from pipeline.runtime.calls import CallRunner, Tools
from pipeline.runtime.counts import recounted, tied_counts
from pipeline.runtime.ending import HURRY_S, Ending
from pipeline.runtime.errors import Fatal, Retriable, describe
from pipeline.runtime.ports import Clients, Clock, GroupConsumer, TopicPartition
from pipeline.runtime.task import Phase
from pipeline.runtime.task_context import TaskContext
from pipeline.runtime.task_manager import CALM_S, TaskManager
from pipeline.runtime.unreadable import Unreadable
from pipeline.runtime.watchdog import Watchdog
from pipeline.settings import PipelineSettings
from pipeline.topology import StageSpec

POLL_MS = 100
"""Longest wait of one getmany: how soon a pause or a finished takeover takes effect."""
POLL_RECORDS = 1_000
WAIT_FOR_BROKER_S = (0.2, 0.5, 1.0, 2.0, 5.0)
MISSING_LOOKS, MISSING_S = 4, 0.5
"""How often, and how far apart, topics that are missing are looked for again."""
OBSERVE_S = 2.0
"""Between two looks at end offsets, for lag and the watchdog."""
COUNTS_S, TOLD_S = 60.0, 1.0
"""Between two looks at partition counts (the client itself looks every five minutes); for the event that tells of a change."""


@dataclass(frozen=True, slots=True)
class Health:
    """What /health tells."""

    live: bool
    ready: bool
    problems: tuple[str, ...]


class Worker:
    """Runs one stage until stopped."""

    def __init__(
        self,
        *,
        stage: Stage[Any],
        spec: StageSpec,
        settings: PipelineSettings,
        clients: Clients,
        clock: Clock,
        tools: Tools,
        metrics: Metrics,
        channels: tuple[str, ...],
        replica: str,
        incarnation: str,
    ) -> None:
        self._stage = stage
        self._spec = spec
        self._settings = settings
        self._clients = clients
        self._clock = clock
        self._metrics = metrics
        self._channels = channels
        self._replica = replica
        self._incarnation = incarnation
        self._calls = CallRunner(tools, stage=stage.name, incarnation=incarnation, clock=clock, metrics=metrics)
        self._consumer: GroupConsumer | None = None
        self._tasks: TaskManager | None = None
        self._ending = Ending(
            handover_s=settings.runtime.handover_ms / 1000,
            calm_s=CALM_S,
            deadline_s=settings.runtime.deadline_ms / 1000,
        )
        self._refused: str | None = None
        self._refused_since: float | None = None
        self._counts: Mapping[str, int] = {}
        """Of the topics that need one partition count, as they were at the start."""
        self._recounted: tuple[float, str] | None = None
        self._reseek = False
        self._unreadable = Unreadable()
        self._polling_error: str | None = "not started"
        self._positions: dict[TopicPartition, int] = {}
        self._lags: dict[TopicPartition, int] = {}
        self._watchdog = Watchdog(settings.runtime.stall_ms / 1000)
        self._rebuild = False
        self._log = structlog.get_logger("pipeline.worker").bind(stage=stage.name, replica=replica)

    # --- life ---

    def stop(self) -> None:
        """End in order; `run` returns when that is done."""
        self._ending.begin()

    def hurry(self) -> None:
        """End now: nothing is waited for. What was not committed is the next owner's, calls that run are its to recover."""
        self._ending.hurry()

    async def run(self) -> None:
        """Work until stopped. Raises: Fatal."""
        self._ending.attach()
        counts = await self._known_topics()
        if counts is None:
            return
        self._tasks = TaskManager(
            TaskContext(
                stage=self._stage,
                spec=self._spec,
                settings=self._settings,
                clients=self._clients,
                consumer=self._current_consumer,
                clock=self._clock,
                calls=self._calls,
                metrics=self._metrics,
                counts=counts,
                replica=self._replica,
            )
        )
        observer = asyncio.get_running_loop().create_task(self._observe(), name=f"observe {self._stage.name}")
        try:
            while not self._ending.has_begun:
                await self._session()
        finally:
            observer.cancel()
            await asyncio.gather(observer, return_exceptions=True)
            await self._end()

    async def _known_topics(self) -> Mapping[str, int] | None:
        """Partition counts of every topic, checked. Returns None when stopped first. Raises: Fatal."""
        wanted = {self._settings.named(spec.name): spec for spec in topology.topics(self._channels)}
        attempt = looks = 0
        while not self._ending.has_begun:
            try:
                counts = await self._ending.unless_begun(self._clients.partition_counts(sorted(wanted)))
            except Retriable as error:
                await self._wait_for_broker(attempt, error)
                attempt += 1
                continue
            if counts is None:
                return None
            missing = sorted(wanted.keys() - counts.keys())
            if missing and looks < MISSING_LOOKS:
                # A broker that has just started, or topics that have just been made: it may not know them yet.
                looks += 1
                await self._ending.pause(MISSING_S)
                continue
            self._counts = tied_counts(wanted, counts)
            return counts
        return None

    async def _wait_for_broker(self, attempt: int, error: Exception) -> None:
        delay = WAIT_FOR_BROKER_S[min(attempt, len(WAIT_FOR_BROKER_S) - 1)]
        self._polling_error = f"the broker is not reachable: {error}"
        self._log.warning("the broker is not reachable; trying again", seconds=delay, error=str(error))
        await self._ending.pause(delay)

    def _current_consumer(self) -> GroupConsumer:
        if self._consumer is None:
            raise Retriable("no consumer at the moment")
        return self._consumer

    async def _session(self) -> None:
        """One consumer, from its start to its end."""
        consumer = self._clients.consumer(
            group=self._settings.named(self._spec.group),
            topics=[self._settings.named(spec.topic) for spec in self._spec.inputs],
            replica=self._replica,
            incarnation=self._incarnation,
            listener=self,
        )
        self._consumer = consumer
        self._rebuild = False
        self._watchdog.reset()
        try:
            await self._start(consumer)
            while not self._ending.has_begun and not self._rebuild:
                self._raise_refusal()
                self._raise_recount()
                await self._poll(consumer)
            if self._ending.has_begun:
                await self._drain(consumer)
        finally:
            if not self._ending.has_begun and self._tasks is not None:
                await self._tasks.revoke()
            self._consumer = None
            await self._stop_consumer(consumer)

    async def _start(self, consumer: GroupConsumer) -> None:
        attempt = 0
        while not self._ending.has_begun:
            try:
                # The client's start returns with the first assignment only: a group that does not answer may never give one.
                await self._ending.unless_begun(consumer.start())
            except Retriable as error:
                await self._wait_for_broker(attempt, error)
                attempt += 1
            else:
                self._polling_error = None
                return

    async def _stop_consumer(self, consumer: GroupConsumer) -> None:
        try:
            async with asyncio.timeout(self._ending.patience_s):
                await consumer.stop()
        except Exception as error:
            self._log.warning("the consumer did not stop cleanly", error=f"{type(error).__name__}: {error}")

    def _raise_refusal(self) -> None:
        """A killed life of this replica may still be a member: only a refusal that outlasts its session is a second process."""
        if self._refused is None or self._refused_since is None:
            return
        # The dead life goes with its session; the rebalance after it waits for the handover of the others.
        patience_s = (2 * self._settings.kafka.session_timeout_ms + self._settings.runtime.handover_ms) / 1000
        if asyncio.get_running_loop().time() - self._refused_since > patience_s:
            raise Fatal(f"the group refused this replica: {self._refused}")

    def _raise_recount(self) -> None:
        if self._recounted is not None and asyncio.get_running_loop().time() - self._recounted[0] > TOLD_S:
            raise Fatal(self._recounted[1])

    # --- polling ---

    async def _poll(self, consumer: GroupConsumer) -> None:
        tasks = self._tasks
        assert tasks is not None
        if self._reseek and tasks.is_settled:
            self._reseek = False
            tasks.reseek()
        self._apply_pauses(consumer, tasks)
        try:
            batches = await consumer.getmany(timeout_ms=POLL_MS, max_records=POLL_RECORDS)
        except Exception as error:
            # What it had drained from other partitions is lost and the positions have moved.
            self._reseek = True
            if type(error).__name__ != "NoOffsetForPartitionError":  # normal until the first takeover committed
                self._polling_error = describe(error)
                self._log.warning("getmany failed; every partition is seeked again", error=self._polling_error)
                self._suspect(self._polling_error, consumer, tasks)
            await self._ending.pause(POLL_MS / 1000)
            return
        for partition, records in batches.items():
            task = tasks.task_of(partition)
            if task is not None:
                task.offer(partition.topic, records)
        self._polling_error = None
        self._unreadable.polled()
        await self._note_positions(consumer, tasks)

    def _suspect(self, error: str, consumer: GroupConsumer, tasks: TaskManager) -> None:
        found = self._unreadable.failed(error, consumer.assignment(), asyncio.get_running_loop().time())
        if found is None:
            return
        self._log.error("a partition can't be read; it stops alone", partition=str(found), error=error)
        where = f"{self._settings.logical(found.topic)}/{found.partition}"
        payload = {"reason": "a partition can't be read", "partition": where, "replica": self._replica, "error": error}
        tasks.note("NOC.RUNTIME_FAILED", payload)

    async def _note_positions(self, consumer: GroupConsumer, tasks: TaskManager) -> None:
        """Right after getmany, so that a position tells what the tasks hold."""
        for partition in consumer.assignment():
            task = tasks.task_of(partition)
            if task is None or task.phase is not Phase.RUNNING or self._reseek:
                continue
            position = await consumer.position(partition)
            if position is not None:
                self._positions[partition] = position
                task.observe(partition.topic, position)

    def _apply_pauses(self, consumer: GroupConsumer, tasks: TaskManager) -> None:
        assigned = consumer.assignment()
        wanted = tasks.wants_pause(assigned)
        wanted |= self._unreadable.pauses(assigned, asyncio.get_running_loop().time())
        if not tasks.is_settled or self._reseek:
            wanted = assigned
        paused = consumer.paused() & assigned
        if wanted - paused:
            consumer.pause(sorted(wanted - paused))
        if paused - wanted:
            consumer.resume(sorted(paused - wanted))

    # --- the group's callbacks ---

    async def revoked(self, partitions: frozenset[TopicPartition]) -> None:
        """Hold still; getmany is blocked meanwhile."""
        self._refused = None  # this generation is over; the next assignment says it again or not
        if partitions and self._tasks is not None:
            await self._ending.unless_hurried(self._tasks.revoke())

    def assigned(self, partitions: frozenset[TopicPartition]) -> None:
        """Pause everything and signal; takeovers run beside the poll loop."""
        self._metrics.rebalances.labels(self._stage.name).inc()
        if self._refused is None:
            self._refused_since = None
        if self._consumer is not None and partitions:
            self._consumer.pause(sorted(partitions))
        self._reseek = True
        self._unreadable = Unreadable()
        self._positions = {tp: position for tp, position in self._positions.items() if tp in partitions}
        if self._tasks is not None and not self._ending.has_begun:
            self._tasks.assign(partitions)
        self._log.info("assigned", numbers=sorted({tp.partition for tp in partitions}))

    def refused(self, reason: str) -> None:
        """The leader refused this member."""
        self._refused = reason
        if self._refused_since is None:
            self._refused_since = asyncio.get_running_loop().time()
            self._log.warning("the group refused this replica; waiting for a dead life of it to leave", reason=reason)

    # --- watching ---

    async def _observe(self) -> None:
        loop = asyncio.get_running_loop()
        counted_at = loop.time()
        while True:
            await asyncio.sleep(min(OBSERVE_S, COUNTS_S))  # a period, nothing to wait for
            try:
                await self._look()
                if loop.time() - counted_at >= COUNTS_S:
                    counted_at = loop.time()
                    await self._look_at_counts()
            except Exception as error:
                self._log.debug("lag or counts are not to be had", error=f"{type(error).__name__}: {error}")

    async def _look_at_counts(self) -> None:
        """Whether partitions were added while this runs."""
        if self._recounted is not None:
            return
        reason = recounted(self._counts, await self._clients.partition_counts(sorted(self._counts)))
        if reason is None:
            return
        self._log.error("the partition count changed; this replica stops", reason=reason)
        if self._tasks is not None:
            self._tasks.note("NOC.RUNTIME_FAILED", {"reason": reason, "replica": self._replica})
        self._recounted = (asyncio.get_running_loop().time(), reason)

    async def _look(self) -> None:
        consumer, tasks, stage = self._consumer, self._tasks, self._stage.name
        if consumer is None or tasks is None:
            return
        assigned = consumer.assignment()
        ends = await consumer.end_offsets(sorted(assigned)) if assigned else {}
        positions = dict(self._positions)
        for tp in assigned:
            # A number that never ran here has no position, and a stopped one would seem to have no lag.
            if tp.partition in tasks.stopped() and (offset := await consumer.committed(tp)) is not None:
                positions[tp] = offset
        lags = {tp: max(0, end - positions.get(tp, end)) for tp, end in ends.items()}
        for tp in self._lags.keys() - lags.keys():  # another replica reports it now
            self._metrics.lag.remove(stage, self._settings.logical(tp.topic), str(tp.partition))
        for tp, lag in lags.items():
            self._metrics.lag.labels(stage, self._settings.logical(tp.topic), str(tp.partition)).set(lag)
        self._lags = lags
        running = tasks.running()
        self._metrics.tasks.labels(stage, "running").set(len(running))
        self._metrics.tasks.labels(stage, "stopped").set(len(tasks.fatal()))
        self._metrics.conversations.labels(stage).set(sum(task.conversations for task in running))
        self._metrics.waiting_bytes.labels(stage).set(sum(task.waiting_bytes for task in running))
        self._metrics.open_confirmations.labels(stage).set(sum(task.open_questions for task in running))
        now_s = asyncio.get_running_loop().time()
        idle = tasks.wants_pause(assigned) | self._unreadable.pauses(assigned, now_s)
        lagging = {tp: self._positions.get(tp, 0) for tp, lag in self._lags.items() if lag and tp not in idle}
        if self._watchdog.stalled(lagging, now_s):
            self._log.error(
                "assigned and lagging without progress; the consumer is built again", partitions=sorted(lagging)
            )
            tasks.note("NOC.RUNTIME_FAILED", {"reason": "stall", "replica": self._replica, "partitions": len(lagging)})
            self._rebuild = True

    @property
    def lag(self) -> int:
        """Records behind, markers not counted."""
        return sum(self._lags.values())

    def note(self, event_type: str, payload: dict[str, Any]) -> None:
        """Emit a runtime event (of the MCP client, say)."""
        if self._tasks is not None:
            self._tasks.note(event_type, payload)

    def health(self) -> Health:
        """Live: the loop turns and nothing is stalled. Ready: every number runs and commits."""
        problems = list(self._tasks.problems()) if self._tasks is not None else ["not started"]
        if self._polling_error:
            problems.append(self._polling_error)
        problems += self._unreadable.problems()
        problems += [] if self._recounted is None else [self._recounted[1]]
        if self._consumer is None or self._tasks is None or not self._tasks.is_settled:
            problems.append("no assignment yet")
        if self._ending.has_begun:
            problems.append("stopping")
        return Health(live=not self._rebuild, ready=not problems, problems=tuple(problems))

    # --- the end ---

    async def _drain(self, consumer: GroupConsumer) -> None:
        """Stop intake, keep polling (all paused), let running side effects end and be written."""
        tasks = self._tasks
        assert tasks is not None
        self._calls.stop_intake()
        drained = asyncio.get_running_loop().create_task(tasks.drain(*self._ending.drain_s))
        while not drained.done() and not self._ending.is_hurried:
            assigned = consumer.assignment()
            if assigned:
                consumer.pause(sorted(assigned))
            try:
                await consumer.getmany(timeout_ms=POLL_MS, max_records=1)
            except Exception as error:
                self._log.debug("getmany while draining", error=str(error))
                await asyncio.wait({drained}, timeout=POLL_MS / 1000)
        if self._ending.is_hurried:
            drained.cancel()
            await asyncio.wait({drained}, timeout=HURRY_S)
        else:
            await drained
        await self._close_tasks(tasks)

    async def _close_tasks(self, tasks: TaskManager) -> None:
        try:
            async with asyncio.timeout(self._ending.patience_s):
                await tasks.close()
        except TimeoutError:
            self._log.warning("the tasks did not close in time: is the broker away?")

    async def _end(self) -> None:
        if self._tasks is not None:
            await self._close_tasks(self._tasks)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._ending.patience_s):
                await self._calls.close()
        self._log.info("stopped")
