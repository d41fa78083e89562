"""Sends of one transaction: all are awaited, and what fails leaves nothing unheard behind."""

import asyncio
import gc
from collections.abc import Awaitable, Mapping
from typing import Any

import pytest

from pipeline.runtime.errors import TaskRestart
from pipeline.runtime.ports import OutputRecord, TopicPartition
from pipeline.runtime.transaction import Transactor


class Producer:
    """Fences from the second send on, as the client does: the first fails in the background, the second raises."""

    def __init__(self, *, raises_at: int | None) -> None:
        self.done: list[str] = []
        self._raises_at = raises_at
        self._sent = 0

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    async def begin_transaction(self) -> None:
        self.done.append("begin")

    async def send(self, record: OutputRecord) -> Awaitable[object]:
        del record
        self._sent += 1
        if self._sent == self._raises_at:
            raise RuntimeError("not in a transaction any more")
        future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        future.set_exception(RuntimeError("fenced"))
        return future

    async def send_offsets_to_transaction(self, offsets: Mapping[TopicPartition, int], group: str) -> None:
        del offsets, group
        self.done.append("offsets")

    async def commit_transaction(self) -> None:
        self.done.append("commit")

    async def abort_transaction(self) -> None: ...


@pytest.mark.parametrize(
    "raises_at", [pytest.param(None, id="a send fails later"), pytest.param(2, id="the next send raises")]
)
async def test_failed_send_commits_nothing_and_is_not_left_unheard(raises_at: int | None) -> None:
    unheard: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unheard.append(context))
    producer = Producer(raises_at=raises_at)
    transactor = Transactor(producer, group="g", deadline_s=1, gap_s=0)
    records = [OutputRecord("t", 0, b"k", b"v"), OutputRecord("t", 0, b"k", b"v")]
    with pytest.raises(TaskRestart):
        await transactor.commit(records, {TopicPartition("in", 0): 1})
    gc.collect()
    await asyncio.sleep(0)
    assert producer.done == ["begin"]
    assert unheard == []
