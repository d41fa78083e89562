"""`certify`: does an MCP tool keep the multi-item contract? For the teams that build tools, and for their CI."""

import asyncio
import signal
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from consumers.cli.options import CONFIG, Config, configuration
from consumers.cli.terminal import FAILED, CommandError, errors_in_one_sentence, out, run, say
from consumers.logs import LogFormat, setup

if TYPE_CHECKING:
    from consumers.certify.certifying import Certification, Order


def command(
    server: Annotated[
        str,
        typer.Argument(
            metavar="SERVER", help="A name of mcp_servers.yaml, an http(s) address, or the command of a stdio server."
        ),
    ],
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="Name of the tool, as the server lists it.")],
    *,
    scenarios: Annotated[
        Path, typer.Option("--scenarios", metavar="FILE", help="Arguments and expected fates; see docs/certify.md.")
    ],
    sandbox: Annotated[
        bool, typer.Option("--sandbox", help="Side effects may really happen there; the file's sandbox is used.")
    ] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the CertificationResult.")
    ] = None,
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML.")] = None,
    config: Config = CONFIG,
) -> None:
    """Call a tool as the pipeline would, and check that it keeps the multi-item contract; each failure comes with its way out.

    A tool with side effects is refused without --sandbox. A certificate counts for `config check` when it lies, by --json, in the folder
    certificates/ of the configuration. Exits 0 when every check passed, 1 when one failed or the server cannot be reached,
    2 when it was asked for wrongly.
    """
    setup(LogFormat.AUTO, level=50)
    with errors_in_one_sentence():
        order = _order(server, tool, scenarios, config, sandbox=sandbox)
    from consumers.certify.certifying import certify
    from consumers.certify.report import table, write_json, write_junit

    say(f"certifying {tool}, by {scenarios}; this takes some seconds")
    certification = run(ended_in_order(certify(order)))
    with errors_in_one_sentence():
        problems = []
        for path, write in ((json_file, write_json), (junit, write_junit)):
            try:
                if path is not None:
                    write(certification, path)
            except CommandError as error:
                problems.append(str(error))
        out.print(table(certification), soft_wrap=False)
        if problems:
            raise CommandError("\n".join(problems))
    if not certification.result.passed:
        raise typer.Exit(FAILED)
    if json_file is None and certification.result.declaration_hash is not None:
        from consumers.certify.certificates import file_of

        say(f"not kept; for `config check`: --json {file_of(config, certification.result.server, tool)}")


async def ended_in_order(certifying: "Coroutine[Any, Any, Certification]") -> "Certification":
    """SIGTERM, by which CI cancels, ends what was started here as Ctrl-C does."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await certifying


def _order(server: str, tool: str, scenarios: Path, config: Path, *, sandbox: bool) -> "Order":
    """What was asked for; without a folder of configuration, SERVER must be an address or a command. Raises: ConfigurationError."""
    from consumers.certify.certifying import Order
    from consumers.certify.scenarios import load_scenarios

    return Order(
        server=server,
        tool=tool,
        scenarios=load_scenarios(scenarios),
        file=str(scenarios),
        configuration=configuration(config) if config.is_dir() else None,
        sandbox=sandbox,
    )
