"""`config check`: the whole configuration, as a stage would read it, and the broker it leads to."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from consumers.cli.options import CONFIG, Config, cluster_of, configuration
from consumers.cli.terminal import FAILED, CommandError, err, out
from consumers.logs import LogFormat, setup

if TYPE_CHECKING:
    from consumers.configuration import Configuration

app = typer.Typer(
    name="config",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The configuration files.",
    epilog="Example: python -m consumers config check",
)

MARKERS_LOST_IN = ("4.3", "4.4")
MARKERS_LOST = (
    "Kafka {release} with replication factor 1 can lose transaction markers after an unclean stop (KAFKA-20734): "
    "duplicates or invisible records may follow; use 4.2.2, a release with the fix, or replication factor 3"
)
"""Source: notes on aiokafka section 0.1, measured."""


@app.command(epilog="Example: python -m consumers config check --strict")
def check(
    *,
    config: Config = CONFIG,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail the check too.")] = False,
    offline: Annotated[bool, typer.Option("--offline", help="Ask neither broker nor MCP servers.")] = False,
) -> None:
    """Read every file and the environment, tell each problem with file, key and way out, and what deserves a look.

    Exits 0 when it can be used, 1 when not, or with --strict when there are warnings.
    """
    import consumers.configuration
    import pipeline.behaviour_files
    from consumers.certify.certificates import warnings as certificate_warnings
    from consumers.local_kafka import LocalKafkaError

    setup(LogFormat.AUTO, level=50)
    try:
        loaded = configuration(config)
    except pipeline.settings.ConfigurationError as error:
        for problem in error.problems:
            err.print(f"problem: {problem}", style="red", markup=False)
        out.print(f"{len(error.problems)} problem(s) in {config}", markup=False)
        raise typer.Exit(FAILED) from None
    except LocalKafkaError as error:
        err.print(f"problem: {error}", style="red", markup=False)
        raise typer.Exit(FAILED) from None
    found = [*pipeline.behaviour_files.warnings(loaded.installation), *consumers.configuration.doubts(loaded)]
    found += certificate_warnings(loaded, offline=offline)
    found += [] if offline else _broker_warnings(loaded)
    for warning in found:
        err.print(f"warning: {warning}", style="yellow", markup=False)
    out.print(_summary(loaded, config, len(found)), markup=False)
    if strict and found:
        raise typer.Exit(FAILED)


def _summary(loaded: "Configuration", config: Path, warnings: int) -> str:
    installation = loaded.installation
    return (
        f"{config} can be used: {len(installation.agents)} agent(s), {len(installation.tools)} tool(s) on "
        f"{len(loaded.servers)} MCP server(s), {len(installation.channels)} channel(s), {warnings} warning(s)"
    )


def _broker_warnings(loaded: "Configuration") -> list[str]:
    """What the reachable broker deserves; a broker that is not there is no problem of the configuration."""
    from consumers.local_kafka import LocalKafkaError
    from pipeline.runtime.broker_release import broker_release

    try:
        release = asyncio.run(broker_release(cluster_of(loaded.settings)))
    except (CommandError, LocalKafkaError):
        return []
    return broker_warnings(release, loaded.settings.kafka.replication_factor)


def broker_warnings(release: str | None, replication_factor: int) -> list[str]:
    """Warnings for a broker of this release."""
    return [MARKERS_LOST.format(release=release)] if release in MARKERS_LOST_IN and replication_factor == 1 else []
