"""Bugs in takeovers: fencing, restoring, seeking, giving up."""

from typing import Any

from pipeline.runtime.intake import Intake
from pipeline.runtime.ports import TopicPartition
from pipeline.runtime.task import Phase, Task
from pipeline.runtime.task_manager import TaskManager
from pipeline.testing.clients import SimulatedClients
from pipeline.testing.mutants.mutant import Mutant, Patch
from pipeline.testing.producer import SimulatedProducer


def _no_fencing() -> list[Patch]:
    def own_id(self: Task) -> str:
        life = self._c.calls.incarnation.replace("/", "_")
        return self._settings.named(f"{self._c.spec.group}-{life}-{self.number}")

    return [(Task, "_transactional_id", property(own_id))]


def _restore_before_producer() -> list[Patch]:
    """The producer starts with its first transaction."""
    start, begin = SimulatedProducer.start, SimulatedProducer.begin_transaction

    async def late(self: SimulatedProducer) -> None:
        self._late = True  # type: ignore[attr-defined]

    async def begin_transaction(self: SimulatedProducer) -> None:
        if getattr(self, "_late", False):
            self._late = False  # type: ignore[attr-defined]
            await start(self)
        await begin(self)

    return [(SimulatedProducer, "start", late), (SimulatedProducer, "begin_transaction", begin_transaction)]


def _committed_before_producer() -> list[Patch]:
    """The committed offset is read first: it is the old one while the old owner's commit is pending."""
    was = Task.take_over

    async def take_over(self: Task) -> Any:
        consumer = self._c.consumer()
        early = {tp: await consumer.committed(tp) for tp in self.partitions}
        offsets = dict(await was(self))
        offsets |= {tp: offset for tp, offset in early.items() if offset is not None}
        self._intake = Intake({tp.topic: offset for tp, offset in offsets.items()}, self._specs)
        return offsets

    return [(Task, "take_over", take_over)]


def _restore_reads_uncommitted() -> list[Patch]:
    async def read_all(self: SimulatedClients, partition: TopicPartition, apply: Any) -> None:
        log = self._network.broker.log(partition)
        entries = await self._network.request("restore", lambda: list(log.entries))
        for entry in entries:
            if entry.record is not None:
                apply(entry.record)

    return [(SimulatedClients, "read_all", read_all)]


def _resume_without_reseek() -> list[Patch]:
    return [(TaskManager, "reseek", lambda self: None)]  # noqa: ARG005


def _tasks_run_through_a_rebalance() -> list[Patch]:
    """A number that is gone is not dropped: its task goes on beside the new owner's, each fencing the other."""
    was = Task.seek_offsets

    def drop(self: TaskManager, number: int) -> None:  # noqa: ARG001
        return None

    def running(self: TaskManager) -> list[Task]:
        tasks = (owned.task for owned in self._owned.values())
        return [task for task in tasks if task is not None and task.phase in {Phase.RUNNING, Phase.SUSPENDED}]

    assert was is not None
    return [(TaskManager, "_drop", drop), (TaskManager, "running", running)]


TAKEOVERS: tuple[Mutant, ...] = (
    Mutant(
        name="no-fencing",
        breaks="every life of a worker has a transactional id of its own",
        within=100,
        patches=_no_fencing,
    ),
    Mutant(
        name="restore-before-producer",
        breaks="state and offsets are read before the producer has fenced the owner before",
        within=200,
        patches=_restore_before_producer,
    ),
    Mutant(
        name="committed-before-producer",
        breaks="the committed offset is read before the producer has fenced the owner before",
        within=200,
        patches=_committed_before_producer,
    ),
    Mutant(
        name="restore-reads-uncommitted",
        breaks="state is restored from open and aborted transactions too",
        within=100,
        patches=_restore_reads_uncommitted,
    ),
    Mutant(
        name="resume-without-reseek",
        breaks="after a rebalance or a failed getmany nobody seeks",
        within=100,
        patches=_resume_without_reseek,
    ),
    Mutant(
        name="numbers-not-dropped",
        breaks="a number that went to another replica is not given up",
        within=100,
        patches=_tasks_run_through_a_rebalance,
    ),
)
