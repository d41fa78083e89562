"""The pipeline as processes on a Kafka of their own: killed, ended and stopped while customers talk. Source: docs/guarantees.md."""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from consumers.chaos.conversations import Script, scripts
from consumers.chaos.faults import Faults, Hit
from consumers.chaos.follower import Follower
from consumers.chaos.ground import Ground, ground, make_topics
from consumers.chaos.history import Takeover
from consumers.chaos.load import Load
from consumers.chaos.measures import owned_at
from consumers.chaos.plan import Kind
from consumers.chaos.processes import Process
from consumers.chaos.reading import history_of, last_values, takeovers
from consumers.chaos.rules import check
from consumers.chaos.running import ready
from consumers.local_kafka.settings import PROJECT
from pipeline import topology
from pipeline.topology import StageName

pytestmark = pytest.mark.kafka

SIGTERM_S = 10.0
TAKEOVER_SLACK_S = 2.0
"""Beyond the session timeout."""


def chaos(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the command."""
    command = [sys.executable, "-m", "consumers.chaos", *arguments]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=330)


def figure(report: str, name: str) -> int:
    """A number of the report."""
    found = re.search(rf"^{name}\s+(\d+)", report, re.MULTILINE)
    assert found, report
    return int(found.group(1))


@pytest.mark.timeout(340)
def test_seventy_seconds_of_chaos_break_no_promise() -> None:
    ended = chaos("--minutes", "1.2", "--seed", "1")
    assert ended.returncode == 0, ended.stdout + ended.stderr[-3000:]
    assert figure(ended.stdout, "process faults") >= 6
    assert figure(ended.stdout, "broker or MCP faults") >= 1
    assert figure(ended.stdout, "requests") >= 60
    for promise in ("lost", "duplicated", "out of order", "double effects", "violations"):
        assert figure(ended.stdout, promise) == 0


@pytest.mark.timeout(340)
def test_checker_catches_a_pipeline_that_calls_again_after_a_lost_answer() -> None:
    ended = chaos("--minutes", "0.6", "--seed", "1", "--mutant", "call-inside-retry")
    assert ended.returncode == 1, ended.stdout
    assert "called again" in ended.stdout or "times and its policy" in ended.stdout, ended.stdout
    trace = re.search(r"^trace\s+(.+)$", ended.stdout, re.MULTILINE)
    assert trace, ended.stdout
    assert (Path(trace.group(1)) / "trace.jsonl").stat().st_size > 0


@pytest.fixture
def under(tmp_path: Path) -> Iterator[Ground]:
    with ground(tmp_path / "run", brokers=1, config=PROJECT / "config") as made:
        yield made


@asynccontextmanager
async def two_replicas(under: Ground) -> AsyncIterator[Faults]:
    """Both replicas of all stages, ready."""
    await make_topics(under)
    faults = Faults(under, [["all"]], 2)
    try:
        faults.start()
        await ready(under, lambda _: None)
        await both_own(under, faults)
        yield faults
    finally:
        faults.abandon()


async def both_own(under: Ground, faults: Faults) -> None:
    """Wait until each replica is owner of something."""
    async with asyncio.timeout(60):
        while not all(owned(under, process) for process in faults.members.values()):
            await asyncio.sleep(0.1)


def owned(under: Ground, process: Process) -> set[tuple[str, int]]:
    """What it owns by now."""
    return owned_at(takeovers(under.logs), datetime.now(UTC), process.name, process.lives)


def load_of(seconds: float) -> tuple[Script, ...]:
    """Customers of whom none has a call that takes longer than an orderly end may take."""
    return tuple(s for s in scripts(7, seconds, per_second=4) if not s.customer.startswith("falha-lenta-12"))


@pytest.mark.timeout(180)
async def test_sigterm_under_load_ends_within_ten_seconds_and_leaves_nothing_to_recover(under: Ground) -> None:
    async with two_replicas(under) as faults:
        load = Load(under, 7)
        playing = asyncio.create_task(load.play(load_of(9)))
        async with asyncio.timeout(40):
            while load.published.answers < 10:
                await asyncio.sleep(0.05)
        process = faults.members["r1"]
        seconds = await faults._term(process)
        assert process.child is not None
        assert process.child.returncode == 0
        assert seconds < SIGTERM_S
        async with Follower(under) as follower:
            records = await follower.catch_up()
            for stage in (StageName.EXECUTE, StageName.PRE_VALIDATE):
                for checkpoint in last_values(records.get(topology.state(stage), ())).values():
                    assert f"-r1-{process.child.pid}" not in checkpoint.model_dump_json()
            await playing
            assert await follower.rest(90, lambda _: None) == ""
            history = history_of(under, await follower.catch_up(), ())
        assert check(history) == []


@pytest.mark.timeout(180)
async def test_partitions_of_a_killed_replica_work_again_within_the_session_timeout_and_two_seconds(
    under: Ground,
) -> None:
    async with two_replicas(under) as faults:
        load = Load(under, 7)
        playing = asyncio.create_task(load.play(load_of(10)))
        async with asyncio.timeout(40):
            while load.published.answers < 10:
                await asyncio.sleep(0.05)
        process = faults.members["r1"]
        places = owned(under, process)
        at = datetime.now(UTC)
        process.child.kill()  # type: ignore[union-attr]
        after = await taken_over(under, places, at)
        session_s = under.configuration.settings.kafka.session_timeout_ms / 1000
        assert max((takeover.at - at).total_seconds() for takeover in after) <= session_s + TAKEOVER_SLACK_S
        assert {takeover.replica for takeover in after} == {"r2"}
        await playing
        async with Follower(under) as follower:
            assert await follower.rest(90, lambda _: None) == ""
            killed = Hit(Kind.KILL, "r1", at, after[-1].at, life=1)
            history = history_of(under, await follower.catch_up(), [killed])
        assert check(history) == []


async def taken_over(under: Ground, places: set[tuple[str, int]], at: datetime) -> list[Takeover]:
    """The first takeover of each place after an instant."""
    async with asyncio.timeout(40):
        while True:
            first: dict[tuple[str, int], Takeover] = {}
            for takeover in takeovers(under.logs):
                if takeover.at > at and (takeover.stage, takeover.number) in places:
                    first.setdefault((takeover.stage, takeover.number), takeover)
            if first.keys() == places:
                return list(first.values())
            await asyncio.sleep(0.1)
