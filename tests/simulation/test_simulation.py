"""The simulation itself: the same seed tells the same story; seeds, scenarios and regressions keep every promise; mutants are noticed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from pipeline.testing.campaign import outcome_of, run_seeds
from pipeline.testing.mutants import MUTANTS, applied
from pipeline.testing.plan import Plan, draw
from pipeline.testing.scenarios import SCENARIOS
from pipeline.testing.shrink import shrunk, smaller, story
from pipeline.testing.simulation import run

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SMOKE = 200
"""Seeds that `make test` runs."""

REGRESSIONS: list[dict[str, Any]] = json.loads((HERE / "regressions.json").read_text())
"""Whole plans, not seeds: what a seed draws changes when the drawing does."""
NOTICED: dict[str, int] = json.loads((HERE / "noticed.json").read_text())
"""Mutant → the first seed that notices it, as `simulate --mutants` found."""


def _digest_elsewhere(seed: int, hash_seed: str) -> str:
    code = (
        "from pipeline.testing.plan import Plan, draw; from pipeline.testing.simulation import run; "
        f"print(run(draw({seed})).digest)"
    )
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("seed", [3, 14])
def test_trace_is_the_same_in_every_process_whatever_the_hash_seed(seed: int) -> None:
    assert _digest_elsewhere(seed, "1") == _digest_elsewhere(seed, "4711") == run(draw(seed)).digest


def test_trace_differs_when_the_seed_does() -> None:
    assert run(draw(3)).digest != run(draw(4)).digest


@pytest.mark.timeout(900)
def test_seeds_keep_every_promise() -> None:
    broken = [f"seed {outcome.seed}: {outcome.violations[0]}" for outcome in run_seeds(range(SMOKE)) if not outcome.ok]
    assert not broken, "\n".join([*broken, "python -m consumers simulate --seed N tells the shortest story"])


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario_keeps_every_promise(name: str) -> None:
    report = SCENARIOS[name].run()
    assert report.ok, story(report)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in REGRESSIONS])
def test_plan_that_once_failed_keeps_every_promise(case: dict[str, Any]) -> None:
    report = run(TypeAdapter(Plan).validate_python(case["plan"]))
    assert report.ok, f"{case['fault']}\n{story(report)}"


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_noticed(name: str) -> None:
    """By the seed that noticed it last; when the drawing of plans changes, `simulate --mutants` finds the new one."""
    assert NOTICED[name] < MUTANTS[name].within
    with applied(name):
        assert run(draw(NOTICED[name])).violations, (
            f"python -m consumers simulate --mutant {name} --seeds {MUTANTS[name].within}"
        )


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_leaves_nothing_behind(name: str) -> None:
    patches = MUTANTS[name].patches()
    before = [vars(target).get(attribute) for target, attribute, _ in patches]
    with applied(name):
        assert [vars(target).get(attribute) for target, attribute, _ in patches] != before
    assert [vars(target).get(attribute) for target, attribute, _ in patches] == before


def test_shrinking_finds_a_shorter_story_of_the_same_promise() -> None:
    with applied("waiting-dropped"):
        failed = run(draw(NOTICED["waiting-dropped"]))
        short = shrunk(failed, runs_max=25)
    assert short.violations[0].promise == failed.violations[0].promise
    assert short.plan.size < failed.plan.size
    assert story(short).startswith(f"seed {failed.plan.seed}: {short.violations[0]}")


def test_every_smaller_plan_differs_from_the_whole_one() -> None:
    plan = draw(14)
    less = list(smaller(plan))
    assert plan not in less
    assert all(one.size <= plan.size for one in less)


def test_outcome_tells_what_a_run_came_to() -> None:
    outcome = outcome_of(run(draw(3)))
    assert outcome.ok
    assert outcome.messages > 0
    assert outcome.commits > 0
