"""What a task tells operators: runtime events in its transactions, a log line and metrics of a commit.

Owns: the ids of runtime events (the same event has one id, however often its transaction is tried), the bound on log lines.
Invariants: an event of the runtime is written with the next transaction of its number, whichever task has it; a failure to say
why a number stops changes nothing. Never: decides.
"""

from typing import Any

import structlog

from pipeline.runtime.batch import Batch
from pipeline.runtime.errors import Fatal, TaskRestart
from pipeline.runtime.history import History
from pipeline.runtime.task_clock import TaskClock
from pipeline.runtime.task_context import TaskContext
from pipeline.runtime.transaction import Transactor

TOLD_MAX = 20
"""NOC events of one batch that are written to the log too: a flood of bad records must not become one of lines."""


class TaskEvents:
    """Of one task."""

    def __init__(self, number: int, context: TaskContext, history: History, clock: TaskClock) -> None:
        self._number = number
        self._c = context
        self._history = history
        self._clock = clock
        self._written = 0
        self._log = structlog.get_logger("pipeline.task").bind(stage=context.stage.name, number=number)

    @property
    def are_waiting(self) -> bool:
        """Whether there is something to write."""
        return bool(self._history.notes)

    def note(self, event_type: str, payload: dict[str, Any]) -> None:
        """Write it with the next transaction."""
        self._history.notes.append((event_type, payload))

    def add_to(self, batch: Batch) -> int:
        """Put what waits into a batch. Returns: how many events that were; `History.committed` takes them off."""
        for event_type, payload in self._history.notes:
            self._written += 1
            seed = f"{self._c.calls.incarnation}/{self._number}/{self._history.takeovers}/{self._written}"
            batch.note(event_type, payload, seed=seed, now=self._clock.tick())
        return len(self._history.notes)

    async def stopped(self, fatal: Fatal, batch: Batch, transactor: Transactor) -> None:
        """Say in the NOC topic, in an empty batch, why this number stops."""
        payload = {"number": self._number, "replica": self._c.replica, "reason": str(fatal)}
        seed = f"{self._c.calls.incarnation}/{self._number}/fatal"
        batch.note("NOC.RUNTIME_FAILED", payload, seed=seed, now=self._clock.tick())
        if transactor.is_broken:
            return
        try:
            await transactor.commit(batch.outputs(), {})
        except TaskRestart as error:
            self._log.warning("could not write the event", error=str(error))

    def committed(self, batch: Batch, inputs: int, decide_s: float, commit_s: float) -> None:
        """Count a commit, and log what the stage told operators with it."""
        metrics, stage = self._c.metrics, self._c.stage.name
        metrics.batches.labels(stage).observe(inputs)
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
