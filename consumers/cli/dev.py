"""`dev`: Kafka, topics, the demo MCP servers and all five stages, in one go.

Owns: the order of start (Kafka and the demo side by side, topics, stages) and of end (stages, demo, Kafka), and that one cluster and
prefix has one `dev` of this folder at a time. Invariants: nothing that was started here outlives this process, however it ends.
"""

import asyncio
import contextlib
import fcntl
import os
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from consumers.cli.options import CONFIG, Config, Logs, configuration
from consumers.cli.run import ports_told
from consumers.cli.terminal import CommandError, err, errors_in_one_sentence, run, say
from consumers.logs import LogFormat, setup

if TYPE_CHECKING:
    from consumers.bootstrap import StageProcess
    from consumers.configuration import Configuration

READY_S = 120.0
LOOK_S = 0.05
LOCKS = ".pipeline/dev"

Progress = Callable[[str], None]


class AlreadyRunning(CommandError):
    """Another `dev` has this cluster."""

    def __init__(self, pid: str, bootstrap: str) -> None:
        super().__init__(
            f"A `dev` already runs on this Kafka (pid {pid}): talk to it with `python -m consumers chat`, or stop it with "
            "Ctrl-C first."
        )
        self.pid = pid
        self.bootstrap = bootstrap


@dataclass(frozen=True, slots=True)
class Ground:
    """What the stages stand on."""

    configuration: "Configuration"
    bootstrap: str


def command(config: Config = CONFIG, log_format: Logs = LogFormat.AUTO) -> None:
    """Run everything until Ctrl-C: Kafka (unless KAFKA_BOOTSTRAP_SERVERS is set), the demo MCP servers, the five stages.

    In another terminal: `python -m consumers chat`. Exits 0 after Ctrl-C or SIGTERM, 1 when something cannot start.
    """
    setup(log_format)
    with errors_in_one_sentence():
        loaded = configuration(config)
        with ground(loaded, say) as under:
            run(_serve(under))


async def _serve(under: Ground) -> None:
    async with stages(under, say, own_signals=True) as (process, work):
        if not work.done() and process.is_ready:
            say(
                "Everything runs. Be a customer: `.venv/bin/python -m consumers chat` in another terminal. Ctrl-C ends it all."
            )
        await work


@contextmanager
def progress(title: str) -> Iterator[Progress]:
    """A line that moves in a terminal, a line a step elsewhere."""
    if not err.is_terminal:
        yield lambda step: say(f"{step} …")
        return
    with err.status(f"{title} …") as line:
        yield lambda step: line.update(f"{step} …")


@contextmanager
def ground(loaded: "Configuration", tell: Progress) -> Iterator[Ground]:
    """Kafka and the demo for the length of a block. Raises: AlreadyRunning, CommandError, LocalKafkaError."""
    from consumers.cli.demo import demo_servers
    from consumers.cli.topics import create_topics
    from consumers.local_kafka import load_settings, running

    settings = loaded.settings
    with contextlib.ExitStack() as stack:
        local = None if settings.bootstrap_servers else load_settings()
        bootstrap = settings.bootstrap_servers or (local.bootstrap if local else "")
        stack.enter_context(_alone(bootstrap, settings.prefix))
        demo = stack.enter_context(demo_servers())
        loading = _loading(loaded)
        kafka = stack.enter_context(running(local, progress=lambda step: tell(f"Kafka: {step}"))) if local else None
        tell(f"Kafka: {bootstrap}{' was running' if kafka is not None and not kafka.started else ''}")
        asyncio.run(create_topics(loaded, bootstrap))
        tell(demo.wait_ready())
        loading.join()
        yield Ground(loaded, bootstrap)


def _loading(loaded: "Configuration") -> threading.Thread:
    """What is slow to load (the MCP client, the sentence encoder and its vectors) is loaded while Kafka and the demo start."""

    def load() -> None:
        with contextlib.suppress(Exception):  # the stages meet the same error, and tell it
            import consumers.bootstrap
            from pipeline.topology import StageName

            consumers.bootstrap.BUILDERS[StageName.RECONCILE](loaded)  # what it computes is kept for the process

    thread = threading.Thread(target=load, name="load", daemon=True)
    thread.start()
    return thread


@asynccontextmanager
async def stages(
    under: Ground, tell: Progress, *, own_signals: bool
) -> "AsyncIterator[tuple[StageProcess, asyncio.Task[None]]]":
    """All five for the length of a block, ready when it begins unless they were stopped. Raises: CommandError, Fatal."""
    from consumers.bootstrap import StageProcess
    from pipeline.topology import StageName

    process = StageProcess(under.configuration, list(StageName), under.bootstrap)
    if own_signals:
        process.stop_on_signals()

    async def running() -> None:
        with ports_told(under.configuration.directory):
            await process.run()

    work = asyncio.create_task(running(), name="stages")
    try:
        await _ready(process, work, tell)
        yield process, work
    finally:
        process.stop()
        await work


async def _ready(process: "StageProcess", work: "asyncio.Task[None]", tell: Progress) -> None:
    from pipeline.topology import StageName

    deadline = time.monotonic() + READY_S
    told = -1
    while not process.is_ready and not work.done():
        health = process.health()
        ready = [name for name, its in health.items() if its.ready]
        if len(ready) != told:
            tell(f"stages ready: {len(ready)} of {len(StageName)}")
            told = len(ready)
        if time.monotonic() > deadline:
            problems = sorted({f"{name}: {problem}" for name, its in health.items() for problem in its.problems})
            raise CommandError(f"The stages were not ready within {READY_S:g} s ({'; '.join(problems)}).")
        await asyncio.wait({work}, timeout=LOOK_S)
    tell("stages ready: all" if process.is_ready else "stages stopped")


@contextmanager
def _alone(bootstrap: str, prefix: str) -> Iterator[None]:
    """Hold the lock of this cluster and prefix; the kernel's, so that a killed holder leaves nothing behind."""
    name = re.sub(r"[^A-Za-z0-9.-]+", "_", f"{bootstrap}-{prefix}")[:120]
    path = Path(LOCKS) / f"{name}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            pid = file.read().strip() or "unknown"
            raise AlreadyRunning(pid, bootstrap) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
