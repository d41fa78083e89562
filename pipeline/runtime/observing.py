"""What a worker sees of itself from outside: lag, gauges, stalls that raise nothing, partitions that an operator added.

Owns: the periods of looking, the lag (records, markers not counted). Invariants: a look that fails is repeated, it ends nothing;
a changed partition count ends the worker a moment after it was told, so that the event gets out. Never: reads, seeks.
Source: DESIGN 4 (Lag); aiokafka issues 1154, 847, 1124 (stalls).
"""

import asyncio
from collections.abc import Callable, Mapping

import structlog

from pipeline.metrics import Metrics
from pipeline.runtime.counts import recounted
from pipeline.runtime.errors import Fatal
from pipeline.runtime.polling import Polling
from pipeline.runtime.ports import Clients, GroupConsumer, TopicPartition
from pipeline.runtime.task_manager import TaskManager
from pipeline.runtime.watchdog import Watchdog
from pipeline.settings import PipelineSettings

OBSERVE_S = 2.0
"""Between two looks at end offsets, for lag and the watchdog."""
COUNTS_S, TOLD_S = 60.0, 1.0
"""Between two looks at partition counts (the client itself looks every five minutes); for the event that tells of a change."""


class Observer:
    """Of one worker, over the lives of its consumers."""

    def __init__(
        self,
        *,
        stage: str,
        replica: str,
        settings: PipelineSettings,
        clients: Clients,
        metrics: Metrics,
        polling: Polling,
    ) -> None:
        self._stage = stage
        self._replica = replica
        self._settings = settings
        self._clients = clients
        self._metrics = metrics
        self._polling = polling
        self._lags: dict[TopicPartition, int] = {}
        self._watchdog = Watchdog(settings.runtime.stall_ms / 1000)
        self.stalled = False
        """Whether the consumer is to be built again."""
        self.recounted: str | None = None
        """Which partition counts changed."""
        self._recounted_at = 0.0
        self._log = structlog.get_logger("pipeline.worker").bind(stage=stage, replica=replica)

    @property
    def lag(self) -> int:
        """Records behind, markers not counted."""
        return sum(self._lags.values())

    def reset(self) -> None:
        """A new consumer."""
        self.stalled = False
        self._watchdog.reset()

    def raise_recount(self) -> None:
        """Raises: Fatal once a changed partition count was told."""
        if self.recounted is not None and asyncio.get_running_loop().time() - self._recounted_at > TOLD_S:
            raise Fatal(self.recounted)

    async def run(
        self, consumer: Callable[[], GroupConsumer | None], tasks: TaskManager, counts: Mapping[str, int]
    ) -> None:
        """Look until cancelled. `counts`: of the topics that need one partition count, as they were at the start."""
        loop = asyncio.get_running_loop()
        counted_at = loop.time()
        while True:
            await asyncio.sleep(min(OBSERVE_S, COUNTS_S))  # a period, nothing to wait for
            try:
                reading = consumer()
                if reading is not None:
                    await self._look(reading, tasks)
                if loop.time() - counted_at >= COUNTS_S:
                    counted_at = loop.time()
                    await self._look_at_counts(tasks, counts)
            except Exception as error:
                self._log.debug("lag or counts are not to be had", error=f"{type(error).__name__}: {error}")

    async def _look_at_counts(self, tasks: TaskManager, counts: Mapping[str, int]) -> None:
        """Whether partitions were added while this runs."""
        if self.recounted is not None:
            return
        reason = recounted(counts, await self._clients.partition_counts(sorted(counts)))
        if reason is None:
            return
        self._log.error("the partition count changed; this replica stops", reason=reason)
        tasks.note("NOC.RUNTIME_FAILED", {"reason": reason, "replica": self._replica})
        self.recounted, self._recounted_at = reason, asyncio.get_running_loop().time()

    async def _look(self, consumer: GroupConsumer, tasks: TaskManager) -> None:
        assigned = consumer.assignment()
        self._show_lags(await self._find_lags(consumer, assigned, tasks))
        self._show_tasks(tasks)
        self._look_for_stall(assigned, tasks)

    async def _find_lags(
        self, consumer: GroupConsumer, assigned: frozenset[TopicPartition], tasks: TaskManager
    ) -> dict[TopicPartition, int]:
        ends = await consumer.end_offsets(sorted(assigned)) if assigned else {}
        positions = dict(self._polling.positions)
        for tp in assigned:
            # A number that never ran here has no position, and a stopped one would seem to have no lag.
            if tp.partition in tasks.stopped() and (offset := await consumer.committed(tp)) is not None:
                positions[tp] = offset
        return {tp: max(0, end - positions.get(tp, end)) for tp, end in ends.items()}

    def _show_lags(self, lags: dict[TopicPartition, int]) -> None:
        gauge = self._metrics.lag
        for tp in self._lags.keys() - lags.keys():  # another replica reports it now
            gauge.remove(self._stage, self._settings.logical(tp.topic), str(tp.partition))
        for tp, lag in lags.items():
            gauge.labels(self._stage, self._settings.logical(tp.topic), str(tp.partition)).set(lag)
        self._lags = lags

    def _show_tasks(self, tasks: TaskManager) -> None:
        metrics, stage, running = self._metrics, self._stage, tasks.running()
        metrics.tasks.labels(stage, "running").set(len(running))
        metrics.tasks.labels(stage, "stopped").set(len(tasks.fatal()))
        metrics.conversations.labels(stage).set(sum(task.conversations for task in running))
        metrics.waiting_bytes.labels(stage).set(sum(task.waiting_bytes for task in running))
        metrics.open_confirmations.labels(stage).set(sum(task.open_questions for task in running))

    def _look_for_stall(self, assigned: frozenset[TopicPartition], tasks: TaskManager) -> None:
        idle = self._polling.unread(assigned, tasks)
        lagging = {tp: self._polling.positions.get(tp, 0) for tp, lag in self._lags.items() if lag and tp not in idle}
        if self._watchdog.stalled(lagging, asyncio.get_running_loop().time()):
            self._log.error(
                "assigned and lagging without progress; the consumer is built again", partitions=sorted(lagging)
            )
            tasks.note("NOC.RUNTIME_FAILED", {"reason": "stall", "replica": self._replica, "partitions": len(lagging)})
            self.stalled = True
