"""The tasks of a worker: made, supervised, suspended and dropped as partition numbers come and go.

Owns: which numbers are assigned in the present generation, restarts with back-off, a number's history over its tasks.
Invariants: takeovers run beside the poll loop, never inside a rebalance callback; after a failure a task waits two heartbeats and
looks again whether the number is still ours before it fences anybody (a zombie that wakes must not fence the rightful owner for
ever); a number that comes back goes on with its producer and state. Source: DESIGN 4 (Tasks and takeover).
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog

from pipeline.runtime.errors import Fatal, Retriable, TaskError, TaskRestart, describe, trail
from pipeline.runtime.history import History
from pipeline.runtime.ports import TopicPartition
from pipeline.runtime.task import Phase, Task
from pipeline.runtime.task_context import TaskContext

RESTART_DELAYS_S = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Added to two heartbeats, by consecutive failures: start() of a producer does not wait for a broker."""
CALM_S = 3.0
"""How long a rebalance waits for a commit in flight; fencing makes it safe not to."""


@dataclass(slots=True, eq=False)
class Owned:
    """A partition number that is assigned to this worker."""

    number: int
    history: History = field(default_factory=History)
    task: Task | None = None
    supervisor: asyncio.Task[None] | None = None
    fatal: str | None = None


class TaskManager:
    """All numbers of a worker."""

    def __init__(self, context: TaskContext) -> None:
        self._context = context
        self._owned: dict[int, Owned] = {}
        self._assigned: frozenset[int] = frozenset()
        self._takeovers: dict[int, int] = {}
        self._settled = asyncio.Event()
        self._closing: set[asyncio.Task[None]] = set()
        self._log = structlog.get_logger("pipeline.tasks").bind(stage=context.stage.name)
        heartbeat = context.settings.kafka.heartbeat_interval_ms / 1000
        self._look_again_s = heartbeat * 2

    # --- rebalances ---

    async def revoke(self) -> None:
        """Everything is taken away, most of it will come back: wait for calls nobody could ask about, then hold still."""
        self._settled.clear()
        tasks = self.running()
        for task in tasks:
            task.drain(forward=True)
        calls = self._context.calls
        called = calls.running(side_effects=True) > 0
        if called:
            await calls.quiet(self._context.settings.runtime.handover_ms / 1000)
        await _hold_still(tasks, CALM_S, settle=called)

    def assign(self, partitions: Iterable[TopicPartition]) -> None:
        """A new generation: drop what is gone, go on with what came back, take over what is new. Never awaits."""
        self._assigned = frozenset(tp.partition for tp in partitions)
        for number in self._owned.keys() - self._assigned:
            self._drop(number)
        for number in sorted(self._assigned):
            owned = self._owned.get(number)
            if owned is None:
                self._owned[number] = owned = Owned(number)
                owned.supervisor = asyncio.get_running_loop().create_task(
                    self._supervise(owned), name=f"number {number}"
                )
            elif owned.task is not None:
                owned.task.resume()
        self._settled.set()

    def _drop(self, number: int) -> None:
        owned = self._owned.pop(number)
        if owned.supervisor is not None:
            owned.supervisor.cancel()
            self._closing.add(owned.supervisor)
            owned.supervisor.add_done_callback(self._closing.discard)
        self._log.info("number given up", number=number)

    # --- supervision ---

    async def _supervise(self, owned: Owned) -> None:
        while owned.number in self._assigned:
            try:
                await self._live(owned)
            except TaskRestart as error:
                await self._learn(owned, error)
            except Fatal as error:
                owned.fatal = str(error)
                self._log.error("number stopped; an operator has to decide", number=owned.number, reason=owned.fatal)
                self._park(owned.number)
                return
            else:
                return
            await self._settled.wait()

    async def _live(self, owned: Owned) -> None:
        history = owned.history
        # Counted beyond the life of `owned`: a number that is given up and comes back must not use the ids of its events again.
        history.takeovers = self._takeovers[owned.number] = self._takeovers.get(owned.number, 0) + 1
        task: Task | None = None
        try:
            owned.task = task = Task(owned.number, self._context, history)
            offsets = await task.take_over()
            if not self._settled.is_set():
                task.suspend()  # a rebalance began during the takeover; `assign` resumes it
            self._seek(offsets)
            await task.run()
        except TaskError:
            raise
        except asyncio.CancelledError as error:
            this = asyncio.current_task()
            if this is None or this.cancelling():
                raise
            # Nobody ended this task: something that it waited for was cancelled inside a client.
            raise TaskRestart("what the task waited for was cancelled") from error
        except Exception as error:
            self._log.error("defect in a task", number=owned.number, error=describe(error), trail=trail(error))
            raise TaskRestart(describe(error)) from error
        finally:
            owned.task = None
            if task is not None:
                await asyncio.shield(task.close())

    async def _learn(self, owned: Owned, error: TaskRestart) -> None:
        history = owned.history
        history.failed(poison=error.poison)
        delay = self._look_again_s + RESTART_DELAYS_S[min(history.failures, len(RESTART_DELAYS_S)) - 1]
        self._log.warning(
            "task restarts", number=owned.number, failures=history.failures, seconds=delay, reason=str(error)
        )
        self._context.metrics.restarts.labels(self._context.stage.name).inc()
        if history.failures == 1:
            payload = {"number": owned.number, "replica": self._context.replica, "reason": str(error)[:300]}
            history.notes.append(("NOC.TASK_RESTARTED", payload))
        await asyncio.sleep(delay)  # two heartbeats tell whether the number is still ours; the rest is back-off

    # --- the poll loop's side ---

    def task_of(self, partition: TopicPartition) -> Task | None:
        """The running task that reads this partition."""
        owned = self._owned.get(partition.partition)
        return owned.task if owned and owned.task and owned.task.phase is not Phase.TAKING_OVER else None

    def reseek(self) -> None:
        """Point the consumer at what each running task expects next: after a rebalance or any exception of getmany()."""
        for task in self.running():
            self._seek(task.seek_offsets())
        for number in self.stopped():
            self._park(number)

    def _park(self, number: int) -> None:
        """Give a stopped number's partitions, which stay paused, a position: without one every getmany() would raise for them."""
        topics = (self._context.settings.named(spec.topic) for spec in self._context.spec.inputs)
        self._seek({TopicPartition(topic, number): 0 for topic in topics})

    def _seek(self, offsets: Mapping[TopicPartition, int]) -> None:
        try:
            consumer = self._context.consumer()
        except Retriable:
            return  # the next consumer is seeked when it gets its assignment
        assigned = consumer.assignment()
        for partition, offset in offsets.items():
            if partition in assigned:
                consumer.seek(partition, offset)

    def wants_pause(self, assigned: Iterable[TopicPartition]) -> frozenset[TopicPartition]:
        """Which of the assigned partitions must not be read now."""
        pauses: set[TopicPartition] = set()
        for partition in assigned:
            task = self.task_of(partition)
            if task is None or partition in task.wants_pause():
                pauses.add(partition)
        return frozenset(pauses)

    def running(self) -> list[Task]:
        """Tasks that have taken over."""
        tasks = (owned.task for owned in self._owned.values())
        return [task for task in tasks if task is not None and task.phase in {Phase.RUNNING, Phase.SUSPENDED}]

    @property
    def is_settled(self) -> bool:
        """Whether no rebalance is under way."""
        return self._settled.is_set()

    def note(self, event_type: str, payload: dict[str, Any]) -> None:
        """Have any running task emit a runtime event; without one it is only logged."""
        for task in self.running():
            task.note(event_type, payload)
            return
        self._log.warning("runtime event without a task to write it", event_type=event_type, **payload)

    def problems(self) -> list[str]:
        """Why this worker is not ready; empty when it is."""
        found = []
        for number in sorted(self._assigned):
            owned = self._owned.get(number)
            if owned is None or (owned.task is None and owned.fatal is None):
                found.append(f"number {number} is restarting")
            elif owned.fatal is not None:
                found.append(f"number {number} stopped: {owned.fatal}")
            elif owned.task is not None and owned.task.phase is Phase.TAKING_OVER:
                found.append(f"number {number} is taking over")
            if owned is not None and owned.history.failures:
                found.append(f"number {number} failed {owned.history.failures} times since its last commit")
        return found

    def stopped(self) -> frozenset[int]:
        """Numbers that wait for an operator."""
        return frozenset(owned.number for owned in self._owned.values() if owned.fatal is not None)

    def fatal(self) -> list[str]:
        """Numbers an operator has to look at."""
        return [f"number {owned.number}: {owned.fatal}" for owned in self._owned.values() if owned.fatal is not None]

    # --- the end ---

    async def drain(self, calls_s: float, altogether_s: float) -> None:
        """SIGTERM: decide what running calls bring back, then stop deciding: what ends now needs no recovery later."""
        loop = asyncio.get_running_loop()
        until = loop.time() + altogether_s
        tasks = self.running()
        for task in tasks:
            task.drain(forward=False)
        await self._context.calls.quiet(calls_s, side_effects=False)
        await _hold_still(tasks, min(CALM_S, max(0.0, until - loop.time())), settle=True)

    async def close(self) -> None:
        """Stop every task and its producer."""
        self._assigned = frozenset()
        for number in list(self._owned):
            self._drop(number)
        await asyncio.gather(*self._closing, return_exceptions=True)


async def _hold_still(tasks: Iterable[Task], within_s: float, *, settle: bool) -> None:
    """Wait for what is being committed, with `settle` also for what calls have brought back; then begin nothing more."""
    loop, tasks = asyncio.get_running_loop(), list(tasks)
    until = loop.time() + within_s
    if settle:
        await asyncio.gather(*(task.settled(within_s) for task in tasks))
    for task in tasks:
        task.suspend()
    await asyncio.gather(*(task.calm(max(0.0, until - loop.time())) for task in tasks))
