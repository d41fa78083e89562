"""What a task does between starting its producer (which fences the old owner) and its first batch.

Owns: restoring the state, reading the committed offsets, the first takeover of a number.
Invariants: it runs only after the producer has started: before that neither state nor committed offsets are final (an old owner's
commit may be under way). Source: DESIGN 4 (Tasks and takeover); KIP-98.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from contracts.checkpoint import Checkpoint
from pipeline.decision import Stage
from pipeline.runtime.changelog import (
    META_KEY,
    STATE_FORMAT,
    Meta,
    Restored,
    check_continuity,
    encode_checkpoint,
    state_record,
)
from pipeline.runtime.errors import Fatal, describe
from pipeline.runtime.pace import Pace
from pipeline.runtime.ports import Clients, GroupConsumer, TopicPartition
from pipeline.runtime.state_store import StateStore
from pipeline.runtime.task_clock import TaskClock
from pipeline.runtime.transaction import Transactor
from pipeline.settings import PipelineSettings


@dataclass(frozen=True, slots=True)
class Taken:
    """What a takeover found."""

    offsets: Mapping[TopicPartition, int]
    """Where each input goes on."""
    store: StateStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover:
    """One takeover of one number."""

    stage: Stage[Any]
    settings: PipelineSettings
    clients: Clients
    consumer: GroupConsumer
    transactor: Transactor
    inputs: tuple[TopicPartition, ...]
    state: TopicPartition
    partitions: int
    """Count of the state topic."""
    clock: TaskClock
    """Goes on from where the restored state was written."""

    async def run(self) -> Taken:
        """Restore. Raises: Fatal where state and offsets don't fit together or can't be read, TaskRestart, Retriable."""
        now = self.clock.tick()
        restored = Restored(checkpoints={})
        await self.clients.read_all(self.state, restored.apply)
        committed = {tp: await self.consumer.committed(tp) for tp in self.inputs}
        beginnings = await self.consumer.beginning_offsets(self.inputs)
        ends = await self.consumer.end_offsets(self.inputs)
        first = check_continuity(
            restored.meta, partitions=self.partitions, committed=committed, beginnings=beginnings, ends=ends
        )
        if first:
            await self._initialise(beginnings, now)
            return Taken(dict(beginnings), StateStore(self.stage, {}))
        known = {tp: offset for tp, offset in committed.items() if offset is not None}
        return Taken(known, await self._restore(restored.checkpoints))

    async def _restore(self, checkpoints: Mapping[str, Checkpoint]) -> StateStore:
        store, pace = StateStore(self.stage, {}), Pace()
        for key, checkpoint in checkpoints.items():
            try:
                store.restore(key, checkpoint)
            except Exception as error:  # the same value fails again each time: state is never skipped
                raise Fatal(f"state {key} can't be read: {describe(error)}; run the version that wrote it") from error
            self.clock.advance(checkpoint.written_at)
            await pace.breathe()
        return store

    async def _initialise(self, offsets: Mapping[TopicPartition, int], now: datetime) -> None:
        """Write `_meta` and the explicit start offsets together."""
        start = {self.settings.logical(tp.topic): offset for tp, offset in offsets.items()}
        checkpoint = Checkpoint(
            stage=self.stage.name,
            key=META_KEY,
            sequence=0,
            input_position="first takeover",
            written_at=now,
            format=STATE_FORMAT,
            body=Meta(partitions=self.partitions, format=STATE_FORMAT, start_offsets=start).model_dump(mode="json"),
        )
        record = state_record(self.state.topic, self.state.partition, META_KEY, encode_checkpoint(checkpoint))
        await self.transactor.commit([record], offsets)
