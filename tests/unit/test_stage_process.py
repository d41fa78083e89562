"""One process, several workers: what ends one of them does not cancel the calls of the others."""

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from consumers.bootstrap import StageProcess
from consumers.configuration import load_configuration
from pipeline.runtime.errors import Fatal
from pipeline.topology import StageName


class Failing:
    """Ends by itself."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def stop(self) -> None: ...

    async def run(self) -> None:
        raise self._error


class Draining:
    """Needs some turns of the loop to end in order."""

    def __init__(self) -> None:
        self._stopping = asyncio.Event()
        self.drained = False

    def stop(self) -> None:
        self._stopping.set()

    async def run(self) -> None:
        await self._stopping.wait()
        for _ in range(10):
            await asyncio.sleep(0)
        self.drained = True


@pytest.mark.parametrize(
    ("error", "said"),
    [
        pytest.param(Fatal("topics are missing"), "topics are missing", id="fatal"),
        pytest.param(ValueError("12345678900"), "a worker ended by a defect: ValueError at", id="a defect"),
    ],
)
async def test_worker_that_fails_ends_the_others_in_order(error: Exception, said: str) -> None:
    process = StageProcess(load_configuration(Path("config")), [StageName.CONFIRM, StageName.NORMALIZE], "127.0.0.1:1")
    workers: dict[StageName, Any] = {StageName.CONFIRM: Failing(error), StageName.NORMALIZE: Draining()}
    setattr(process, "_build", workers.__getitem__)  # noqa: B010
    with pytest.raises(Fatal, match=said) as caught:
        async with asyncio.timeout(20):
            await process.run()
    assert workers[StageName.NORMALIZE].drained
    assert "12345678900" not in str(caught.value)


class Busy(Draining):
    """Waits for a call that does not end, until it is hurried."""

    def __init__(self) -> None:
        super().__init__()
        self._hurried = asyncio.Event()

    def hurry(self) -> None:
        self._hurried.set()

    async def run(self) -> None:
        await self._hurried.wait()
        self.drained = self._stopping.is_set()


async def test_second_signal_hurries_the_workers_that_the_first_one_stopped() -> None:
    process = StageProcess(load_configuration(Path("config")), [StageName.CONFIRM], "127.0.0.1:1")
    worker = Busy()
    setattr(process, "_build", lambda name: worker)  # noqa: B010
    process.stop_on_signals()
    async with asyncio.timeout(20):
        run = asyncio.create_task(process.run(on_started=lambda: os.kill(os.getpid(), signal.SIGTERM)))
        await worker._stopping.wait()
        os.kill(os.getpid(), signal.SIGINT)
        await run
    assert worker.drained
