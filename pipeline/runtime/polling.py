"""Reading for all tasks of a worker, one getmany() at a time.

Owns: what is paused, when every partition is seeked again, the positions seen, partitions that can't be read.
Invariants: records and positions pass from getmany() to the tasks in one step without an await; after a rebalance, or any exception
of getmany(), each partition is seeked to its task's next offset before anything is taken. Never: commits, decides.
Source: DESIGN 4 (Tasks and takeover); notes on aiokafka section 5.
"""

import asyncio
from collections.abc import Iterable, Mapping

import structlog

from pipeline.runtime.ending import Ending
from pipeline.runtime.errors import describe
from pipeline.runtime.ports import GroupConsumer, TopicPartition
from pipeline.runtime.task import Phase
from pipeline.runtime.task_manager import TaskManager
from pipeline.runtime.unreadable import Unreadable
from pipeline.settings import PipelineSettings

POLL_MS = 100
"""Longest wait of one getmany: how soon a pause or a finished takeover takes effect."""
POLL_RECORDS = 1_000


class Polling:
    """Of one worker, over the lives of its consumers."""

    def __init__(self, stage: str, replica: str, settings: PipelineSettings, ending: Ending) -> None:
        self._replica = replica
        self._settings = settings
        self._ending = ending
        self._reseek = False
        self._unreadable = Unreadable()
        self._positions: dict[TopicPartition, int] = {}
        self.error: str | None = "not started"
        """Why nothing is read at the moment."""
        self._log = structlog.get_logger("pipeline.worker").bind(stage=stage, replica=replica)

    @property
    def positions(self) -> Mapping[TopicPartition, int]:
        """Where the consumer stood after the last poll."""
        return self._positions

    def assigned(self, partitions: frozenset[TopicPartition]) -> None:
        """A new generation. Never awaits."""
        self._reseek = True
        self._unreadable = Unreadable()
        self._positions = {tp: position for tp, position in self._positions.items() if tp in partitions}

    async def poll(self, consumer: GroupConsumer, tasks: TaskManager) -> None:
        """Read once, for every task that runs."""
        if self._reseek and tasks.is_settled:
            self._reseek = False
            tasks.reseek()
        self._apply_pauses(consumer, tasks)
        try:
            batches = await consumer.getmany(timeout_ms=POLL_MS, max_records=POLL_RECORDS)
        except Exception as error:
            self._failed(error, consumer, tasks)
            await self._ending.pause(POLL_MS / 1000)
            return
        for partition, records in batches.items():
            task = tasks.task_of(partition)
            if task is not None:
                task.offer(partition.topic, records)
        self.error = None
        self._unreadable.polled()
        await self._note_positions(consumer, tasks)

    async def poll_paused(self, consumer: GroupConsumer, drained: "asyncio.Task[None]") -> None:
        """Stay a member of the group while `drained` is under way, and read nothing."""
        assigned = consumer.assignment()
        if assigned:
            consumer.pause(sorted(assigned))
        try:
            await consumer.getmany(timeout_ms=POLL_MS, max_records=1)
        except Exception as error:
            self._log.debug("getmany while draining", error=str(error))
            await asyncio.wait({drained}, timeout=POLL_MS / 1000)

    def unread(self, assigned: Iterable[TopicPartition], tasks: TaskManager) -> frozenset[TopicPartition]:
        """What must not be read now: its task does not want it, or it can't be read."""
        now_s = asyncio.get_running_loop().time()
        return tasks.wants_pause(assigned) | self._unreadable.pauses(assigned, now_s)

    def problems(self) -> list[str]:
        """Why this worker is not ready; empty when everything is read."""
        return ([self.error] if self.error else []) + self._unreadable.problems()

    def _apply_pauses(self, consumer: GroupConsumer, tasks: TaskManager) -> None:
        assigned = consumer.assignment()
        wanted = self.unread(assigned, tasks)
        if not tasks.is_settled or self._reseek:
            wanted = assigned
        paused = consumer.paused() & assigned
        if wanted - paused:
            consumer.pause(sorted(wanted - paused))
        if paused - wanted:
            consumer.resume(sorted(paused - wanted))

    def _failed(self, error: Exception, consumer: GroupConsumer, tasks: TaskManager) -> None:
        """What getmany() had drained from other partitions is lost and the positions have moved."""
        self._reseek = True
        if type(error).__name__ == "NoOffsetForPartitionError":  # normal until the first takeover committed
            return
        self.error = describe(error)
        self._log.warning("getmany failed; every partition is seeked again", error=self.error)
        found = self._unreadable.failed(self.error, consumer.assignment(), asyncio.get_running_loop().time())
        if found is None:
            return
        self._log.error("a partition can't be read; it stops alone", partition=str(found), error=self.error)
        where = f"{self._settings.logical(found.topic)}/{found.partition}"
        payload = {"reason": "a partition can't be read", "partition": where, "replica": self._replica}
        tasks.note("NOC.RUNTIME_FAILED", {**payload, "error": self.error})

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
