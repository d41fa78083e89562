"""The virtual loop: time, processes that are killed and stopped."""

import asyncio

import pytest

from pipeline.testing.loop import Deadlock, Life, Process, VirtualLoop


def test_loop_jumps_to_the_next_timer_when_nothing_is_ready() -> None:
    loop, seen = VirtualLoop(), []

    async def sleeper() -> None:
        await asyncio.sleep(3_600)
        seen.append(loop.time())

    loop.run_until_complete(sleeper())
    loop.bury([])
    assert seen == [3_600.0]


def test_loop_says_so_when_nothing_will_ever_happen() -> None:
    loop = VirtualLoop()

    async def waiter() -> None:
        await loop.create_future()

    with pytest.raises(Deadlock):
        loop.run_until_complete(waiter())
    loop.bury([])


def _process(loop: VirtualLoop, seen: list[str]) -> Process:
    process = Process("p")

    async def work() -> None:
        try:
            for turn in range(4):
                await asyncio.sleep(1.0)
                seen.append(f"turn {turn}")
        finally:
            seen.append("cleaned up")

    loop.spawn(process, work())
    return process


def test_killed_process_runs_no_cleanup() -> None:
    loop, seen = VirtualLoop(), []  # type: ignore[var-annotated]
    process = _process(loop, seen)

    def kill() -> None:
        process.life = Life.DEAD

    loop.later(2.5, kill)
    loop.later(10.0, loop.stop)
    loop.run_forever()
    assert seen == ["turn 0", "turn 1"]
    loop.bury([process])


def test_stopped_process_gets_its_callbacks_when_it_goes_on() -> None:
    loop, seen = VirtualLoop(), []  # type: ignore[var-annotated]
    process = _process(loop, seen)

    def stop() -> None:
        process.life = Life.STOPPED

    loop.later(1.5, stop)
    loop.later(7.0, lambda: seen.append(f"asleep until {loop.time():.0f}"))
    loop.later(7.0, loop.go_on, process)
    loop.later(20.0, loop.stop)
    loop.run_forever()
    loop.bury([process])
    assert seen == ["turn 0", "asleep until 7", "turn 1", "turn 2", "turn 3", "cleaned up"]


def test_process_can_be_killed_before_any_callback() -> None:
    loop, seen = VirtualLoop(), []  # type: ignore[var-annotated]
    process = _process(loop, seen)

    def kill() -> None:
        process.life = Life.DEAD

    process.on_step[3] = kill
    loop.later(10.0, loop.stop)
    loop.run_forever()
    assert process.steps == 2
    loop.bury([process])
