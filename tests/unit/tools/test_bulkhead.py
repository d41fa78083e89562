"""The bulkhead: order, cancellation, gate."""

import asyncio

import pytest

from pipeline.tools.breaker import Admission
from pipeline.tools.bulkhead import Bulkhead, BulkheadSlot
from pipeline.tools.errors import ToolsClosed


class Gate:
    """Open or closed by hand; counts what was given back."""

    def __init__(self) -> None:
        self.open = True
        self.back: list[Admission] = []

    def admit(self) -> Admission | None:
        return Admission() if self.open else None


def bulkhead_of(size: int, gate: Gate) -> Bulkhead:
    return Bulkhead(size, admit=gate.admit, give_up=gate.back.append)


async def settled() -> None:
    """Let every task run until it waits."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_bulkhead_serves_in_order_of_arrival_when_slots_come_back() -> None:
    bulkhead = bulkhead_of(1, Gate())
    held = await bulkhead.acquire()
    served: list[int] = []

    async def one(number: int) -> None:
        slot = await bulkhead.acquire()
        served.append(number)
        slot.release()

    tasks = [asyncio.create_task(one(number)) for number in range(5)]
    await settled()
    assert bulkhead.waiting == 5
    held.release()
    await asyncio.gather(*tasks)
    assert served == [0, 1, 2, 3, 4]
    assert bulkhead.taken == 0


async def test_bulkhead_passes_the_turn_on_when_the_one_whose_turn_it_is_was_cancelled() -> None:
    bulkhead = bulkhead_of(1, Gate())
    held = await bulkhead.acquire()
    first, second = (asyncio.create_task(bulkhead.acquire()) for _ in range(2))
    await settled()
    first.cancel()
    await settled()
    held.release()
    assert isinstance(await second, BulkheadSlot)
    assert bulkhead.taken == 1


async def test_bulkhead_takes_the_slot_back_when_it_is_cancelled_in_the_moment_it_is_granted() -> None:
    bulkhead = bulkhead_of(1, Gate())
    held = await bulkhead.acquire()
    task = asyncio.create_task(bulkhead.acquire())
    await settled()
    held.release()  # granted: the future is done, the task has not run yet
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert bulkhead.taken == 0


async def test_bulkhead_counts_a_slot_once_when_it_is_released_twice() -> None:
    gate = Gate()
    bulkhead = bulkhead_of(2, gate)
    slot = await bulkhead.acquire()
    slot.release()
    slot.release()
    assert bulkhead.taken == 0
    assert len(gate.back) == 1


async def test_bulkhead_grants_nothing_while_the_gate_is_closed() -> None:
    gate = Gate()
    gate.open = False
    bulkhead = bulkhead_of(3, gate)
    task = asyncio.create_task(bulkhead.acquire())
    await settled()
    assert not task.done()
    gate.open = True
    bulkhead.grant()
    assert isinstance(await task, BulkheadSlot)


async def test_bulkhead_refuses_those_who_wait_and_those_who_come_when_it_is_closed() -> None:
    bulkhead = bulkhead_of(1, Gate())
    await bulkhead.acquire()
    waiting = asyncio.create_task(bulkhead.acquire())
    await settled()
    bulkhead.close(ToolsClosed("closing"))
    with pytest.raises(ToolsClosed):
        await waiting
    with pytest.raises(ToolsClosed):
        await bulkhead.acquire()
