"""One run from an empty folder to a judged history.

Owns: the order: Kafka, topics, processes, load and faults side by side, everything put right, rest, SIGTERM, reading, judging.
Invariants: whatever happens, no process of the run outlives it; the wait for rest is bounded.
"""

import asyncio
import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from consumers.chaos.conversations import scripts
from consumers.chaos.faults import Faults, Hit
from consumers.chaos.follower import Follower
from consumers.chaos.ground import HOME, Brokers, Ground, ground, make_topics
from consumers.chaos.load import Load, Published
from consumers.chaos.measures import Measures, measure
from consumers.chaos.plan import plan
from consumers.chaos.reading import history_of, takeovers
from consumers.chaos.rules import Violation, check
from consumers.chaos.trace import keep_all, keep_trace
from pipeline.topology import STAGES, StageName

READY_S = 180.0
REST_S = 150.0
GUARD_S = 1.0
TOLD_EVERY_S = 30.0

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a run is asked for."""

    minutes: float
    seed: int = 1
    replicas: int = 2
    brokers: Brokers = 1
    mutant: str | None = None
    per_second: float = 1.0
    """Conversations that begin in a second, on average."""
    process_per_stage: bool = False
    config: Path = Path("config")
    home: Path = HOME
    rest_s: float = REST_S
    keep_records: bool = False
    """Write every record of the run into records.jsonl."""


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What a run found."""

    folder: Path
    hits: Sequence[Hit]
    published: Published
    unfinished: str
    """Why the pipeline did not come to rest; empty: it did."""
    ended_s: Mapping[str, float]
    """SIGTERM at the end, seconds by replica."""
    measures: Measures
    violations: list[Violation]
    log_errors: Mapping[str, int]
    """Error lines in the replicas' logs, by text."""
    trace: Path | None = field(default=None)


async def run(options: Options, tell: Tell) -> Outcome:
    """Make it happen. Raises: LocalKafkaError, ConfigurationError, TimeoutError when the replicas never get ready."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    folder = options.home / f"{stamp}-seed{options.seed}-{os.getpid()}"
    tell(f"folder {folder}")
    with ground(folder, brokers=options.brokers, config=options.config) as under:
        await make_topics(under)
        groups = [[stage.value] for stage in StageName] if options.process_per_stage else [["all"]]
        faults = Faults(under, groups, options.replicas, options.mutant)
        try:
            faults.start()
            await ready(under, tell)
            return await _run(options, under, faults, tell)
        finally:
            faults.abandon()


async def ready(under: Ground, tell: Tell, seconds: float = READY_S) -> None:
    """Wait until every number of every stage has an owner. Raises: TimeoutError."""
    wanted = len(STAGES) * under.configuration.settings.kafka.partitions
    async with asyncio.timeout(seconds):
        while len({(takeover.stage, takeover.number) for takeover in takeovers(under.logs)}) < wanted:  # noqa: ASYNC110
            await asyncio.sleep(0.2)  # other processes' logs are looked at, nothing tells when they grow
    tell("every stage runs")


async def _run(options: Options, under: Ground, faults: Faults, tell: Tell) -> Outcome:
    seconds = options.minutes * 60
    session_s = under.configuration.settings.kafka.session_timeout_ms / 1000
    load = Load(under, options.seed)
    said = scripts(options.seed, seconds, per_second=options.per_second)
    coming = plan(options.seed, seconds, session_s=session_s)
    tell(f"{len(said)} conversations, {len(coming)} faults planned")
    guard = asyncio.create_task(_guard(faults, tell), name="guard")
    telling = asyncio.create_task(_tell_progress(load, faults, tell), name="progress")
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(load.play(said), name="load")
            group.create_task(faults.run(coming), name="faults")
        async with Follower(under) as follower:
            unfinished = await follower.rest(options.rest_s, tell)
            guard.cancel()
            tell("at rest" if not unfinished else f"not at rest: {unfinished}")
            ended = await faults.end()
            records = await follower.catch_up()
    finally:
        for task in (guard, telling):
            task.cancel()
        await asyncio.gather(guard, telling, return_exceptions=True)
    await asyncio.to_thread(under.servers.end, 5.0)
    history = history_of(under, records, faults.hits)
    violations = check(history)
    if unfinished:
        violations.append(Violation("rest", "", f"the pipeline did not come to rest: {unfinished}"))
    outcome = Outcome(
        folder=under.folder,
        hits=faults.hits,
        published=load.published,
        unfinished=unfinished,
        ended_s=ended,
        measures=measure(history, violations),
        violations=violations,
        log_errors=log_errors(under.logs),
    )
    if options.keep_records:
        keep_all(under.folder / "records.jsonl", records)
    if violations:
        outcome.trace = keep_trace(under.folder / "violation", violations, history, records)
    keep_report(outcome, options)
    return outcome


async def _guard(faults: Faults, tell: Tell) -> None:
    while True:
        await asyncio.sleep(GUARD_S)
        faults.revive(tell)


async def _tell_progress(load: Load, faults: Faults, tell: Tell) -> None:
    while True:
        await asyncio.sleep(TOLD_EVERY_S)  # a line of progress in its time, there is nothing to wait for
        published = load.published
        tell(
            f"{published.messages} messages published, {published.answers} answers seen, {len(faults.hits)} faults so far"
        )


def log_errors(logs: Path) -> Mapping[str, int]:
    """Error lines of the replicas, by logger and text."""
    found: Counter[str] = Counter()
    for path in logs.glob("r*.log"):
        for line in path.read_text("utf-8", "replace").splitlines():
            if not line.startswith("{"):
                found[f"(no log line) {line[:120]}"] += 1
                continue
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if said.get("level") in {"error", "critical"}:
                found[f"{said.get('logger')}: {str(said.get('message'))[:100]}"] += 1
    return dict(found.most_common(20))


def keep_report(outcome: Outcome, options: Options) -> None:
    """Write report.json into the run's folder."""
    report = {"options": asdict(options), **asdict(outcome)}
    text = json.dumps(report, ensure_ascii=False, indent=1, default=str)
    (outcome.folder / "report.json").write_text(text, encoding="utf-8")
