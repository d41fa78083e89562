"""`chaos`: the command, its options and its report. Exit codes: 0 every promise held, 1 one did not, 2 asked for wrongly."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from consumers.chaos.running import Outcome

SHOWN = 20


def chaos(  # noqa: PLR0917 - typer names options after parameters
    minutes: Annotated[float, typer.Option(min=0.1, max=1440, help="How long load and faults go on.")] = 10,
    seed: Annotated[int, typer.Option(help="Conversations and faults are a function of it.")] = 1,
    replicas: Annotated[int, typer.Option(min=1, max=8, help="Replicas of every stage.")] = 2,
    brokers: Annotated[int, typer.Option(help="1, or 3 with replication factor 3.")] = 1,
    mutant: Annotated[
        str | None, typer.Option(metavar="NAME", help="Switch a deliberate bug on, which must be found; ? lists them.")
    ] = None,
    rate: Annotated[float, typer.Option(min=0.01, max=50, help="Conversations that begin in a second.")] = 1.0,
    process_per_stage: Annotated[
        bool, typer.Option("--process-per-stage", help="Five processes a replica: about 110 MB each, a fault hits one.")
    ] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Keep every record of the run in records.jsonl.")] = False,
    config: Annotated[Path, typer.Option("--config", metavar="DIR", help="Folder of the configuration files.")] = Path(
        "config"
    ),
) -> None:
    """Break a real pipeline on purpose while customers talk to it, then check every promise.

    Starts a Kafka, MCP servers and replicas of its own (own ports, data under .pipeline/chaos), plays an open-loop load and makes
    faults by the seed: kill -9, SIGTERM, SIGSTOP beyond the session timeout, scale up and down, broker and MCP servers killed, stopped,
    losing answers. One process runs all five stages of a replica, so that two cores suffice. Afterwards every topic and the MCP servers'
    own ledger are read and judged. Exits 0 when every promise held, 1 when one did not: the trace of the first is kept.
    """
    from consumers.chaos.mutants import MUTANTS
    from consumers.chaos.running import Options, run
    from consumers.local_kafka import LocalKafkaError
    from pipeline.settings import ConfigurationError

    if brokers not in {1, 3}:
        raise typer.BadParameter("1 or 3 brokers can be run", param_hint="--brokers")
    if mutant is not None and mutant not in MUTANTS:
        listed = "".join(f"\n  {name}: {each.bug}" for name, each in MUTANTS.items())
        raise typer.BadParameter(f"the mutants are:{listed}", param_hint="--mutant")
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)  # of customers whose broker is killed: every second a page
    began = time.monotonic()

    def tell(text: str) -> None:
        typer.echo(f"[{time.monotonic() - began:6.1f} s] {text}", err=True)

    options = Options(
        minutes=minutes,
        seed=seed,
        replicas=replicas,
        brokers=3 if brokers == 3 else 1,
        mutant=mutant,
        per_second=rate,
        process_per_stage=process_per_stage,
        config=config.absolute(),
        keep_records=keep,
    )
    try:
        outcome = asyncio.run(run(options, tell))
    except ConfigurationError as error:
        typer.echo("\n".join(error.problems), err=True)
        raise typer.Exit(2) from None
    except (LocalKafkaError, TimeoutError) as error:
        typer.echo(str(error) or "the replicas did not get ready; see the logs in the run's folder", err=True)
        raise typer.Exit(1) from None
    for line in report(outcome):
        typer.echo(line)
    raise typer.Exit(1 if outcome.violations else 0)


def report(outcome: "Outcome") -> list[str]:
    """The report, a line a fact."""
    measures = outcome.measures
    by_kind = Counter(hit.kind for hit in outcome.hits)
    of_processes = sum(count for kind, count in by_kind.items() if kind.of_process)
    terms = [hit.ended_s for hit in outcome.hits if hit.ended_s is not None] + list(outcome.ended_s.values())
    counted = f"{measures.duplicates} duplicates, {measures.moved} moved to their place, {measures.refused} refused"
    lines = [
        f"process faults        {of_processes}",
        f"broker or MCP faults  {len(outcome.hits) - of_processes}",
        *(f"  {kind.value:<40}{count}" for kind, count in sorted(by_kind.items(), key=lambda item: -item[1])),
        f"requests              {measures.requests} ({counted})",
        f"answered              {measures.answered}",
        f"lost                  {measures.lost}",
        f"duplicated            {measures.duplicated}",
        f"out of order          {measures.out_of_order}",
        f"transactions          {_listed(measures.transactions)}",
        f"tool effects          {measures.effects}",
        f"double effects        {measures.double_effects}",
        f"unknown outcomes      {sum(measures.settled.values())}",
        *(f"  {how:<50}{count}" for how, count in sorted(measures.settled.items())),
        f"events                {measures.events}",
        f"longest stall         {measures.stall_s:.1f} s (a message accepted and not received)",
        "time to an answer     p50 {:.2f} s, p99 {:.1f} s, longest {:.1f} s".format(*measures.answer_s),
        "recovery              p50 {:.2f} s, p99 {:.1f} s, longest {:.1f} s (process fault to the last takeover)".format(
            *measures.recovery_s
        ),
        "  of single faults    p50 {:.2f} s, p99 {:.1f} s, longest {:.1f} s (nothing else was broken meanwhile)".format(
            *measures.single_recovery_s
        ),
        *(
            f"  {kind:<40}{len(times)} times, longest {max(times):.1f} s"
            for kind, times in sorted(measures.recoveries.items())
        ),
        f"SIGTERM               {len(terms)} times, longest {max(terms, default=0):.1f} s",
        *(f"log error             {count} x {text}" for text, count in outcome.log_errors.items()),
        f"violations            {len(outcome.violations)}",
        *(f"  {v.rule}: {v.conversation}: {v.text}" for v in outcome.violations[:SHOWN]),
    ]
    if outcome.trace is not None:
        lines.append(f"trace                 {outcome.trace}")
    return [*lines, f"report                {outcome.folder / 'report.json'}"]


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items(), key=lambda item: -item[1]))
