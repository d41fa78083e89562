"""One producer of one partition number: outputs, events, state and offsets commit together or not at all.

Owns: the order begin, send all, await all, offsets, shielded commit; the pause between a commit and the next begin.
Invariants: every send is awaited before the commit (an un-awaited failed send does not fail it: the record would be lost while the
offset advances); any failure drops the producer (a cancelled or timed-out commit may have committed: only a new takeover knows).
Never: retries, knows what the records mean. Source: KIP-98; notes on aiokafka sections 0, 3.
"""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.runtime.errors import Fatal, TaskError, TaskRestart, describe
from pipeline.runtime.ports import OutputRecord, Producer, TopicPartition


class Transactor:
    """Commits batches of one task through one transactional producer."""

    def __init__(self, producer: Producer, *, group: str, deadline_s: float, gap_s: float) -> None:
        self._producer = producer
        self._group = group
        self._deadline_s = deadline_s
        self._gap_s = gap_s
        self._last_commit = float("-inf")
        self._broken = False

    @property
    def is_broken(self) -> bool:
        """Whether a commit failed: this producer is of no use any more."""
        return self._broken

    async def start(self) -> None:
        """Fence the previous owner. Raises: TaskRestart, Fatal."""
        try:
            async with asyncio.timeout(self._deadline_s):
                await self._producer.start()
        except TaskError:
            raise
        except Exception as error:
            raise TaskRestart(f"producer did not start: {describe(error)}") from error

    async def commit(self, records: Sequence[OutputRecord], offsets: Mapping[TopicPartition, int]) -> None:
        """Commit all of it. Raises: TaskRestart; then nothing is known but that a takeover will tell."""
        assert not self._broken
        loop = asyncio.get_running_loop()
        pause = self._last_commit + self._gap_s - loop.time()
        if pause > 0:
            await asyncio.sleep(pause)  # too early a begin waits a fixed 20 ms inside the client
        try:
            async with asyncio.timeout(self._deadline_s):
                await self._run(records, offsets)
        except (Fatal, TaskRestart):
            self._broken = True
            raise
        except asyncio.CancelledError:
            self._broken = True
            raise
        except Exception as error:
            self._broken = True
            raise TaskRestart(f"transaction failed: {describe(error)}", poison=_is_poison(error)) from error
        self._last_commit = loop.time()

    async def _run(self, records: Sequence[OutputRecord], offsets: Mapping[TopicPartition, int]) -> None:
        await self._producer.begin_transaction()
        futures = []
        for record in records:
            future = asyncio.ensure_future(await self._producer.send(record))
            future.add_done_callback(_retrieve)  # a later send may raise: then nobody waits for this one
            futures.append(future)
        for outcome in await asyncio.gather(*futures, return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome
        if offsets:
            await self._producer.send_offsets_to_transaction(offsets, self._group)
        # A cancelled commit still commits; shielded, it can't be left half-told inside the client.
        commit = asyncio.ensure_future(self._producer.commit_transaction())
        commit.add_done_callback(_retrieve)
        await asyncio.shield(commit)

    async def close(self) -> None:
        """Close the producer; an open transaction is ended by the next owner's start."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(self._deadline_s):
                await self._producer.stop()


def _retrieve(future: "asyncio.Future[Any]") -> None:
    if not future.cancelled():
        future.exception()


def _is_poison(error: Exception) -> bool:
    """Whether the broker refused the content itself. By class name: the runtime's ports hide the client's classes."""
    return type(error).__name__ in {
        "MessageSizeTooLargeError",
        "RecordTooLargeError",
        "InvalidRecordError",
        "CorruptRecordException",
    }
