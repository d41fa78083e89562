"""`run`: one or more stages as a process, until it is told to stop."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from consumers.cli.options import CONFIG, Config, Logs, cluster_of, configuration
from consumers.cli.terminal import WRONG, CommandError, errors_in_one_sentence, run
from consumers.logs import LogFormat, setup

if TYPE_CHECKING:
    from pipeline.topology import StageName

ALL = "all"


def stages_of(names: list[str]) -> "list[StageName]":
    """The stages meant, in flow order. Raises: CommandError naming those that exist."""
    from pipeline.topology import StageName

    known = {name.value: name for name in StageName}
    wrong = [name for name in names if name != ALL and name.replace("_", "-") not in known]
    if wrong:
        raise CommandError(f"There is no stage {wrong[0]!r}: choose from {', '.join(known)} or {ALL}.", code=WRONG)
    chosen = set(known) if ALL in names else {name.replace("_", "-") for name in names}
    return [stage for name, stage in known.items() if name in chosen]


@contextmanager
def ports_told(config: Path) -> Iterator[None]:
    """Say in a sentence that metrics and health cannot be served."""
    try:
        yield
    except OSError as error:
        raise CommandError(
            f"Metrics and health cannot be served ({error.strerror or error}): change http.ports in "
            f"{config / 'pipeline.yaml'}; 0 means any free port."
        ) from error


def command(
    stages: Annotated[
        list[str], typer.Argument(metavar="STAGE…", help="reconcile, pre-validate, confirm, execute, normalize or all.")
    ],
    replica: Annotated[
        str | None,
        typer.Option(help="Stable name of this replica, unique per stage. Default: host name and process id."),
    ] = None,
    config: Config = CONFIG,
    log_format: Logs = LogFormat.AUTO,
) -> None:
    """Run stages until SIGTERM or Ctrl-C, which end them in order: running calls are waited for, nothing is lost.

    A second SIGTERM or Ctrl-C waits for nothing: what runs is left to the next owner.

    A broker that is away is retried for ever and told in the log and in /health/ready. Exits 0 after a clean stop, 1 when only an
    operator can help, 2 when the command or the configuration is wrong.
    """
    setup(log_format)
    with errors_in_one_sentence():
        chosen = stages_of(stages)
        loaded = configuration(config)
        bootstrap = cluster_of(loaded.settings)

        from consumers.bootstrap import StageProcess

        process = StageProcess(loaded, chosen, bootstrap, replica=replica)

    async def main() -> None:
        process.stop_on_signals()
        with ports_told(config):
            await process.run()

    run(main())
