"""One replica of one stage: group membership, health, and an orderly end.

Owns: the consumer (made anew when it stalls without raising anything), the group's callbacks, the SIGTERM order.
Invariants: the rebalance callbacks only pause and signal (assigned) or hold still (revoked); polling goes on, all paused, while the
worker drains. Source: DESIGN 4; notes on aiokafka section 5.
"""

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Any

import structlog

from pipeline.decision import Stage
from pipeline.metrics import Metrics
from pipeline.runtime.calls import CallRunner, Tools
from pipeline.runtime.ending import HURRY_S, Ending
from pipeline.runtime.errors import Retriable
from pipeline.runtime.observing import Observer
from pipeline.runtime.polling import Polling
from pipeline.runtime.ports import Clients, Clock, GroupConsumer, TopicPartition
from pipeline.runtime.refusal import Refusal
from pipeline.runtime.startup import Startup
from pipeline.runtime.task_context import TaskContext
from pipeline.runtime.task_manager import CALM_S, TaskManager
from pipeline.settings import PipelineSettings
from pipeline.topology import StageSpec


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
        self._refusal = Refusal(settings)
        self._polling = Polling(stage.name, replica, settings, self._ending)
        self._observer = Observer(
            stage=stage.name,
            replica=replica,
            settings=settings,
            clients=clients,
            metrics=metrics,
            polling=self._polling,
        )
        self._startup = Startup(stage.name, replica, self._ending, troubled=self._is_troubled)
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
        known = await self._startup.known_topics(self._clients, self._settings, self._channels)
        if known is None:
            return
        counts, tied = known
        self._tasks = tasks = TaskManager(
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
        observer = asyncio.get_running_loop().create_task(
            self._observer.run(lambda: self._consumer, tasks, tied), name=f"observe {self._stage.name}"
        )
        try:
            while not self._ending.has_begun:
                await self._session(tasks)
        finally:
            observer.cancel()
            await asyncio.gather(observer, return_exceptions=True)
            await self._end()

    def _is_troubled(self, reason: str | None) -> None:
        self._polling.error = reason

    def _current_consumer(self) -> GroupConsumer:
        if self._consumer is None:
            raise Retriable("no consumer at the moment")
        return self._consumer

    async def _session(self, tasks: TaskManager) -> None:
        """One consumer, from its start to its end."""
        consumer = self._clients.consumer(
            group=self._settings.named(self._spec.group),
            topics=[self._settings.named(spec.topic) for spec in self._spec.inputs],
            replica=self._replica,
            incarnation=self._incarnation,
            listener=self,
        )
        self._consumer = consumer
        self._observer.reset()
        try:
            await self._startup.start(consumer)
            while not self._ending.has_begun and not self._observer.stalled:
                self._refusal.raise_lasting()
                self._observer.raise_recount()
                await self._polling.poll(consumer, tasks)
            if self._ending.has_begun:
                await self._drain(consumer, tasks)
        finally:
            if not self._ending.has_begun:
                await tasks.revoke()
            self._consumer = None
            await self._stop_consumer(consumer)

    async def _stop_consumer(self, consumer: GroupConsumer) -> None:
        try:
            async with asyncio.timeout(self._ending.patience_s):
                await consumer.stop()
        except Exception as error:
            self._log.warning("the consumer did not stop cleanly", error=f"{type(error).__name__}: {error}")

    # --- the group's callbacks ---

    async def revoked(self, partitions: frozenset[TopicPartition]) -> None:
        """Hold still; getmany is blocked meanwhile."""
        self._refusal.generation_ended()
        if partitions and self._tasks is not None:
            await self._ending.unless_hurried(self._tasks.revoke())

    def assigned(self, partitions: frozenset[TopicPartition]) -> None:
        """Pause everything and signal; takeovers run beside the poll loop."""
        self._metrics.rebalances.labels(self._stage.name).inc()
        self._refusal.assigned()
        if self._consumer is not None and partitions:
            self._consumer.pause(sorted(partitions))
        self._polling.assigned(partitions)
        if self._tasks is not None and not self._ending.has_begun:
            self._tasks.assign(partitions)
        self._log.info("assigned", numbers=sorted({tp.partition for tp in partitions}))

    def refused(self, reason: str) -> None:
        """The leader refused this member."""
        if self._refusal.refused(reason):
            self._log.warning("the group refused this replica; waiting for a dead life of it to leave", reason=reason)

    # --- seen from outside ---

    @property
    def lag(self) -> int:
        """Records behind, markers not counted."""
        return self._observer.lag

    def note(self, event_type: str, payload: dict[str, Any]) -> None:
        """Emit a runtime event (of the MCP client, say)."""
        if self._tasks is not None:
            self._tasks.note(event_type, payload)

    def health(self) -> Health:
        """Live: the loop turns and nothing is stalled. Ready: every number runs and commits."""
        problems = list(self._tasks.problems()) if self._tasks is not None else ["not started"]
        problems += self._polling.problems()
        problems += [] if self._observer.recounted is None else [self._observer.recounted]
        if self._consumer is None or self._tasks is None or not self._tasks.is_settled:
            problems.append("no assignment yet")
        if self._ending.has_begun:
            problems.append("stopping")
        return Health(live=not self._observer.stalled, ready=not problems, problems=tuple(problems))

    # --- the end ---

    async def _drain(self, consumer: GroupConsumer, tasks: TaskManager) -> None:
        """Stop intake, keep polling (all paused), let running side effects end and be written."""
        self._calls.stop_intake()
        drained = asyncio.get_running_loop().create_task(tasks.drain(*self._ending.drain_s))
        while not drained.done() and not self._ending.is_hurried:
            await self._polling.poll_paused(consumer, drained)
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
