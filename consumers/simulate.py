"""`simulate`: all five stages on an in-memory Kafka and a virtual clock, broken on purpose by the seed.

Exit codes: 0 every promise was kept (or, with a mutant, it was noticed), 1 one was broken (or the mutant was not noticed), 2 wrong usage.
"""

import time
from collections.abc import Iterator
from itertools import count, takewhile
from typing import TYPE_CHECKING, Annotated

import typer

from consumers.cli.terminal import err, out

if TYPE_CHECKING:
    from pipeline.testing.campaign import Outcome

SHOWN = 20
"""Failing seeds that are listed."""
TOLD_EVERY = 100
"""Seeds between two lines of progress where no terminal shows a bar."""


def simulate(  # noqa: PLR0917 - typer names options after parameters
    seeds: Annotated[int, typer.Option(min=1, help="How many seeds are run.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="The first one.")] = 0,
    minutes: Annotated[float | None, typer.Option(min=0.01, help="Go on for this long instead.")] = None,
    mutant: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Switch a deliberate bug on, which must be noticed; ? lists them."),
    ] = None,
    scenario: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Play one scenario by name or number; all plays all, ? lists them."),
    ] = None,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="The table: which seed notices each deliberate bug.")
    ] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Print the whole trace of the one seed or scenario.")] = False,
) -> None:
    """Run seeds of the simulation; a failing one prints the shortest story it can find.

    The real stages and the real task logic run on a Kafka in memory (transactions, fencing, generations, compaction), a virtual clock
    and scripted MCP servers, several customers at once. The seed draws crashes at any await point, zombies, rebalances, outages,
    transaction timeouts, clock jumps, lost and malformed answers, duplicated and misplaced requests. Every promise is checked with every
    commit and every call. The same seed gives the same trace, byte for byte.
    """
    if mutants:
        _table()
    elif scenario is not None:
        _play(scenario, trace=trace)
    elif trace:
        _trace(seed, mutant)
    else:
        _check_mutant(mutant)
        chosen = count(seed) if minutes is not None else iter(range(seed, seed + seeds))
        _seeds(chosen, seeds if minutes is None else None, minutes, mutant)


def _check_mutant(name: str | None) -> None:
    from pipeline.testing.mutants import MUTANTS

    if name is not None and name not in MUTANTS:
        listed = "".join(f"\n  {known.name}: {known.breaks}" for known in MUTANTS.values())
        raise typer.BadParameter(f"the mutants are:{listed}", param_hint="--mutant")


# --- seeds -----------------------------------------------------------------------------------------------------------------


def _seeds(chosen: Iterator[int], total: int | None, minutes: float | None, mutant: str | None) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from pipeline.testing.campaign import explained, run_seeds

    began = time.monotonic()
    if minutes is not None:
        until = began + minutes * 60
        chosen = takewhile(lambda _: time.monotonic() < until, chosen)
    outcomes: list[Outcome] = []
    failed: list[Outcome] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        bar = progress.add_task("seeds", total=total)
        for outcome in run_seeds(chosen, mutant):
            outcomes.append(outcome)
            progress.advance(bar)
            if not err.is_terminal and len(outcomes) % TOLD_EVERY == 0:
                err.print(f"{len(outcomes)} seeds, {len(failed)} failed", markup=False)
            if not outcome.ok:
                failed.append(outcome)
                progress.update(bar, description=f"seeds, {len(failed)} failed")
                if mutant is not None:
                    break
    took = time.monotonic() - began
    _summary(outcomes, took)
    failed.sort(key=lambda outcome: outcome.seed)
    for outcome in failed[:SHOWN]:
        out.print(f"seed {outcome.seed}: {outcome.violations[0]}", markup=False)
    if failed:
        err.print("looking for the shortest story …")
        out.print(explained(failed[0].seed, mutant), markup=False)
    if mutant is not None:
        noticed = f"was noticed by seed {failed[0].seed}" if failed else "was NOT noticed"
        out.print(f"the mutant {mutant} {noticed}", markup=False)
        raise typer.Exit(1)
    if failed:
        out.print(f"again: python -m consumers simulate --seed {failed[0].seed} --trace", markup=False)
        raise typer.Exit(1)


def _summary(outcomes: "list[Outcome]", took_s: float) -> None:
    runs = len(outcomes)
    steps, commits = sum(o.steps for o in outcomes), sum(o.commits for o in outcomes)
    messages, faults = sum(o.messages for o in outcomes), sum(o.faults for o in outcomes)
    virtual_h = sum(o.virtual_s for o in outcomes) / 3600
    broken = sum(not o.ok for o in outcomes)
    out.print(
        f"{runs} seeds, {broken} with a broken promise; {messages} messages, {commits} commits, {faults} faults, "
        f"{virtual_h:.1f} simulated hours in {took_s:.0f} s: {runs / took_s:.1f} seeds/s, {steps / took_s:,.0f} steps/s",
        markup=False,
    )


def _trace(seed: int, mutant: str | None) -> None:
    from pipeline.testing.mutants import applied
    from pipeline.testing.plan import draw
    from pipeline.testing.simulation import run

    _check_mutant(mutant)
    with applied(mutant):
        report = run(draw(seed))
    out.print(report.trace, markup=False)
    out.print(f"trace {report.digest}", markup=False)
    raise typer.Exit(0 if report.ok else 1)


# --- scenarios and mutants ---------------------------------------------------------------------------------------------------


def _play(asked: str, *, trace: bool) -> None:
    from pipeline.testing.campaign import pool, run_scenario
    from pipeline.testing.scenarios import SCENARIOS

    names = [name for name, known in SCENARIOS.items() if asked in {"all", name, str(known.number)}]
    if not names:
        listed = "".join(f"\n  {known.number:2} {known.name}: {known.tells}" for known in SCENARIOS.values())
        raise typer.BadParameter(f"the scenarios are:{listed}", param_hint="--scenario")
    if trace:
        for name in names:
            out.print(SCENARIOS[name].run().trace, markup=False)
    broken = 0
    with pool() as workers:
        for outcome in workers.map(run_scenario, names):
            told = "kept" if outcome.ok else f"BROKEN {outcome.violations[0]}"
            known = SCENARIOS[outcome.name]
            out.print(f"{known.number:2} {known.name} ({outcome.virtual_s:.0f} s simulated): {told}", markup=False)
            broken += not outcome.ok
    if broken:
        raise typer.Exit(1)


def _table() -> None:
    from rich import box
    from rich.table import Table

    from pipeline.testing.campaign import find_mutant, pool
    from pipeline.testing.mutants import MUTANTS

    table = Table(box=box.SIMPLE_HEAD)
    for column in ("mutant", "what is broken", "seeds needed", "allowed", "promise that broke"):
        table.add_column(column, overflow="fold")
    missed = 0
    with pool() as workers:
        for found in workers.map(find_mutant, MUTANTS):
            mutant = MUTANTS[found.name]
            needed = "NOT FOUND" if found.seed is None else str(found.tried)
            err.print(f"{found.name}: {needed}", markup=False)
            table.add_row(found.name, mutant.breaks, needed, str(mutant.within), found.promise)
            missed += found.seed is None
    out.print(table)
    if missed:
        raise typer.Exit(1)
