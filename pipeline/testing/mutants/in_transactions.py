# ruff: noqa: SLF001 - a mutant reaches into what it breaks
"""Bugs in transactions: offsets, sends, what is kept after an abort."""

from collections.abc import Mapping
from typing import Any

from pipeline.runtime.batch import Batch
from pipeline.runtime.errors import TaskRestart
from pipeline.runtime.ports import OutputRecord, TopicPartition
from pipeline.runtime.task import Task
from pipeline.runtime.transaction import Transactor
from pipeline.testing.mutants.mutant import Mutant, Patch


def _offsets_first() -> list[Patch]:
    was = Transactor._run

    async def run(self: Transactor, records: list[OutputRecord], offsets: Mapping[TopicPartition, int]) -> None:
        if offsets:
            await was(self, [], offsets)
        await was(self, records, {})

    return [(Transactor, "_run", run)]


def _offsets_of_everything_read() -> list[Patch]:
    was = Task._decide

    def decide(self: Task, batch: Batch, works: Any) -> Any:
        result = was(self, batch, works)
        for partition in batch.offsets:
            batch.offsets[partition] = self._intake.next_offset(partition.topic)
        return result

    return [(Task, "_decide", decide)]


def _unawaited_send() -> list[Patch]:
    async def run(self: Transactor, records: list[OutputRecord], offsets: Mapping[TopicPartition, int]) -> None:
        await self._producer.begin_transaction()
        for record in records:
            await self._producer.send(record)
        if offsets:
            await self._producer.send_offsets_to_transaction(offsets, self._group)
        await self._producer.commit_transaction()

    return [(Transactor, "_run", run)]


def _same_task_after_failed_commit() -> list[Patch]:
    """Keep the overlay, take a new producer, go on."""
    was = Task._run_batch

    async def run_batch(self: Task) -> None:
        batches: list[Batch] = []
        make = self._new_batch

        def new_batch() -> Batch:
            batches.append(make())
            return batches[-1]

        self._new_batch = new_batch  # type: ignore[method-assign]
        try:
            await was(self)
        except TaskRestart:
            self._store.merge(batches[-1].overlay)
            self._transactor = Transactor(
                self._c.clients.producer(transactional_id=self._transactional_id),
                group=self._transactor._group,
                deadline_s=self._transactor._deadline_s,
                gap_s=self._transactor._gap_s,
            )
            await self._transactor.start()
            for conversation, agenda in batches[-1].overlay.agendas.items():
                self._pending.follow(conversation, agenda)
        finally:
            del self._new_batch

    return [(Task, "_run_batch", run_batch)]


TRANSACTIONS: tuple[Mutant, ...] = (
    Mutant(
        name="offsets-first",
        breaks="offsets are committed in a transaction of their own, before the outputs",
        within=100,
        patches=_offsets_first,
    ),
    Mutant(
        name="offsets-of-everything-read",
        breaks="the offset of what was read is committed, not of what was decided",
        within=100,
        patches=_offsets_of_everything_read,
    ),
    Mutant(
        name="unawaited-send",
        breaks="sends are not awaited before the commit",
        within=100,
        patches=_unawaited_send,
    ),
    Mutant(
        name="overlay-kept-after-abort",
        breaks="after a failed commit the task goes on with what it had decided",
        within=100,
        patches=_same_task_after_failed_commit,
    ),
)
