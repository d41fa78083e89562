"""`evaluate`: how well a period went, from events and answers."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from consumers.cli.instants import instant
from consumers.cli.options import CONFIG, Config, cluster_of, configuration
from consumers.cli.terminal import FAILED, WRONG, CommandError, err, errors_in_one_sentence, out, run, say
from consumers.logs import LogFormat, setup

if TYPE_CHECKING:
    from consumers.configuration import Configuration
    from consumers.evaluate.counting import Period
    from consumers.evaluate.measures import Evaluation
    from consumers.evaluate.results import Report

STDOUT = Path("-")
REPORT_LOCALES = ("pt-BR", "en")


def command(
    *,
    since: Annotated[
        str, typer.Option("--from", metavar="WHEN", help="90s, 15m, 2h, 1d ago, or an instant: 2026-01-31T10:00Z.")
    ],
    until: Annotated[str, typer.Option("--to", metavar="WHEN", help="The same; transactions ended before it.")] = "now",
    agent: Annotated[str | None, typer.Option(metavar="AGENT", help="Only this agent's conversations.")] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the EvaluationRuns and results; - is stdout.")
    ] = None,
    html_file: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a report with charts, complete in itself.")
    ] = None,
    locale: Annotated[str, typer.Option(metavar="LOCALE", help="Language of the report: pt-BR or en.")] = "pt-BR",
    config: Config = CONFIG,
) -> None:
    """Evaluate the transactions that began and ended in a period: outcomes, questions, waits, and whether any item was lost.

    Reads committed events, answers and the arrival of requests; docs/evaluate.md defines every number. Exits 1 when an item was lost
    or a text does not name every item (or Kafka is not there), 2 for a wrong option, else 0.
    """
    setup(LogFormat.AUTO, level=50)
    with errors_in_one_sentence():
        if locale not in REPORT_LOCALES:
            raise CommandError(f"--locale {locale!r} is not one of {', '.join(REPORT_LOCALES)}.", code=WRONG)
        loaded = configuration(config)
        if agent is not None and agent not in loaded.installation.agents:
            known = ", ".join(sorted(loaded.installation.agents))
            raise CommandError(f"There is no agent {agent!r}: {known}.", code=WRONG)
        period = period_of(since, until, datetime.now(UTC))
        bootstrap = cluster_of(loaded.settings)
    evaluation = run(_evaluated(loaded, bootstrap, period, agent))
    with errors_in_one_sentence():
        _tell(evaluation, loaded, json_file=json_file, html_file=html_file, locale=locale)
    if evaluation.faults:
        raise typer.Exit(FAILED)


def period_of(since: str, until: str, now: datetime) -> "Period":
    """The period meant. Raises: CommandError."""
    from consumers.evaluate.counting import Period

    period = Period(
        since=instant("--from", since, now, ago="-15m"), until=instant("--to", until, now, ago="-15m"), read_at=now
    )
    if period.since >= period.until:
        raise CommandError(f"--from {since} is not before --to {until}.", code=WRONG)
    return period


async def _evaluated(loaded: "Configuration", bootstrap: str, period: "Period", agent: str | None) -> "Evaluation":
    from consumers.evaluate.counting import Counting
    from consumers.evaluate.measures import evaluate
    from consumers.evaluate.naming import Naming
    from consumers.evaluate.reading import read_period

    installation = loaded.installation
    counting = Counting(period, Naming(installation.channels, loaded.messages), agent=agent)
    with err.status("reading …") as line:
        await read_period(
            loaded.settings,
            bootstrap,
            tuple(installation.channels),
            period,
            counting,
            tell=lambda read: line.update(f"{read} records read …"),
        )
    return evaluate(counting.counted())


def _tell(
    evaluation: "Evaluation", loaded: "Configuration", *, json_file: Path | None, html_file: Path | None, locale: str
) -> None:
    from consumers.evaluate.results import reports
    from consumers.evaluate.table import tables

    runs = reports(evaluation, loaded.settings.prefix)
    if json_file != STDOUT:
        for table in tables(evaluation):
            out.print(table, soft_wrap=False)
    if json_file is not None:
        _write(json_file, _json(runs))
    if html_file is not None:
        from consumers.evaluate.report import html

        _write(html_file, html(evaluation, runs, installation=loaded.settings.prefix, locale=locale))


def _json(runs: "Sequence[Report]") -> str:
    """One document; every run and result in it is a contract."""
    return json.dumps({"runs": [report.as_json() for report in runs]}, ensure_ascii=False, indent=2) + "\n"


def _write(path: Path, text: str) -> None:
    if path == STDOUT:
        print(text, end="")
        return
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
    say(f"written: {path}")
