"""Many seeds on all cores, the table of mutants: what `python -m consumers simulate` runs.

Owns: worker processes (fresh ones, spawned), what comes back from them. Invariants: a seed comes to the same in every process.
"""

import multiprocessing
import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass

from pipeline.testing.mutants import MUTANTS, applied
from pipeline.testing.plan import draw
from pipeline.testing.scenarios import SCENARIOS
from pipeline.testing.shrink import shrunk, story
from pipeline.testing.simulation import Report, run

SEEDS_A_PROCESS = 300
"""Then a fresh one takes its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a seed or a scenario came to."""

    seed: int
    name: str = ""
    violations: tuple[str, ...] = ()
    promise: str = ""
    digest: str = ""
    steps: int = 0
    commits: int = 0
    messages: int = 0
    faults: int = 0
    virtual_s: float = 0.0
    real_s: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether every promise was kept."""
        return not self.violations


def outcome_of(report: Report, name: str = "") -> Outcome:
    """What is worth carrying between processes."""
    return Outcome(
        seed=report.plan.seed,
        name=name,
        violations=tuple(str(violation) for violation in report.violations),
        promise=report.violations[0].promise if report.violations else "",
        digest=report.digest,
        steps=report.steps,
        commits=report.commits,
        messages=report.messages,
        faults=len(report.struck),
        virtual_s=report.virtual_s,
        real_s=report.real_s,
    )


def run_seed(seed: int, mutant: str | None = None) -> Outcome:
    """One seed."""
    with applied(mutant):
        return outcome_of(run(draw(seed)))


def run_scenario(name: str) -> Outcome:
    """One scenario."""
    return outcome_of(SCENARIOS[name].run(), name)


def explained(seed: int, mutant: str | None = None, *, runs_max: int = 120) -> str:
    """The shortest story of a failing seed."""
    with applied(mutant):
        report = run(draw(seed))
        return story(shrunk(report, runs_max=runs_max) if report.violations else report)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Whether the simulator noticed a mutant."""

    name: str
    seed: int | None
    """The first that noticed; None: none did."""
    tried: int
    promise: str
    what: str
    real_s: float


def find_mutant(name: str) -> Found:
    """Try seeds from 0 until one notices."""
    began = time.perf_counter()
    within = MUTANTS[name].within
    for seed in range(within):
        outcome = run_seed(seed, name)
        if not outcome.ok:
            took = time.perf_counter() - began
            what = outcome.violations[0].removeprefix(f"{outcome.promise}: ")
            return Found(name=name, seed=seed, tried=seed + 1, promise=outcome.promise, what=what, real_s=took)
    return Found(name=name, seed=None, tried=within, promise="", what="", real_s=time.perf_counter() - began)


def pool(processes: int | None = None) -> ProcessPoolExecutor:
    """Fresh processes, one a core."""
    os.environ.setdefault("PYTHONHASHSEED", "0")
    return ProcessPoolExecutor(
        processes or os.cpu_count() or 1,
        mp_context=multiprocessing.get_context("spawn"),
        max_tasks_per_child=SEEDS_A_PROCESS,
    )


def run_seeds(seeds: Iterable[int], mutant: str | None = None, *, processes: int | None = None) -> Iterator[Outcome]:
    """Every seed on all cores, in the order they end; stop iterating to stop."""
    with pool(processes) as workers:
        running: set[Future[Outcome]] = set()
        left = iter(seeds)
        try:
            while True:
                while len(running) < 8:
                    seed = next(left, None)
                    if seed is None:
                        break
                    running.add(workers.submit(run_seed, seed, mutant))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            for future in running:
                future.cancel()
