"""`topics`: created, checked, listed."""

import asyncio
from typing import TYPE_CHECKING

import typer
from rich import box
from rich.table import Table

from consumers.cli.options import CONFIG, AsJson, Config, cluster_of, configuration
from consumers.cli.terminal import FAILED, CommandError, errors_in_one_sentence, out, run, say
from consumers.logs import LogFormat, setup

if TYPE_CHECKING:
    from consumers.configuration import Configuration
    from pipeline.runtime.topics import Wanted

SHOWN_S = 15.0
LOOK_S = 0.05

app = typer.Typer(
    name="topics",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The topics of this installation. The broker never creates one by itself.",
    epilog="Example: python -m consumers topics ensure",
)


@app.callback()
def _quiet() -> None:
    setup(LogFormat.AUTO, level=50)


@app.command(epilog="Example: PIPELINE__KAFKA__PARTITIONS=8 python -m consumers topics ensure")
def ensure(config: Config = CONFIG) -> None:
    """Create what is missing, then check; exits 1 when a topic is not as it should be."""
    with errors_in_one_sentence():
        loaded = configuration(config)
        problems = run(_ensured(loaded, cluster_of(loaded.settings)))
    _tell(problems)


@app.command(epilog="Example: python -m consumers topics check")
def check(config: Config = CONFIG) -> None:
    """Tell what differs from how topics should be; changes nothing; exits 1 when something does."""
    with errors_in_one_sentence():
        loaded = configuration(config)
        problems = run(_checked(loaded, cluster_of(loaded.settings)))
    _tell(problems)


@app.command("list", epilog="Example: python -m consumers topics list --json")
def list_(config: Config = CONFIG, as_json: AsJson = False) -> None:
    """Show every topic: what is on it, its key, its partitions as configured and as they are."""
    import json

    with errors_in_one_sentence():
        loaded = configuration(config)
        wanted = _wanted(loaded)
        counts = run(_counts(loaded, cluster_of(loaded.settings), wanted))
    table = Table(box=box.SIMPLE_HEAD)
    for column in ("topic", "partitions", "kind", "contract", "key"):
        table.add_column(column, overflow="fold")
    for topic in wanted:
        contract = topic.spec.contract.VERSION if topic.spec.contract else "original bytes"
        count = counts.get(topic.name)
        if as_json:
            row = {"topic": topic.name, "partitions": count, "wanted_partitions": topic.partitions}
            print(json.dumps({**row, "kind": topic.spec.kind.value, "contract": contract, "key": topic.spec.key}))
        else:
            said = f"missing ({topic.partitions})" if count is None else str(count)
            table.add_row(topic.name, said, topic.spec.kind.value, contract, topic.spec.key)
    if not as_json:
        out.print(table, soft_wrap=False)


def _wanted(loaded: "Configuration") -> "list[Wanted]":
    from pipeline.runtime.topics import wanted_topics

    return wanted_topics(loaded.settings, tuple(loaded.installation.channels))


async def _ensured(loaded: "Configuration", bootstrap: str) -> list[str]:
    created = await create_topics(loaded, bootstrap)
    say(f"created {len(created)}: {', '.join(created)}" if created else "every topic exists")
    return await _checked(loaded, bootstrap)


async def create_topics(loaded: "Configuration", bootstrap: str) -> list[str]:
    """Create what is missing, and wait until the broker shows it: metadata follow a creation by some milliseconds.

    Returns: the names created. Raises: CommandError with the broker's words, Retriable.
    """
    from pipeline.runtime.topics import TopicAdmin

    wanted = _wanted(loaded)
    async with TopicAdmin(loaded.settings, bootstrap) as admin:
        try:
            created = await admin.ensure(wanted)
        except ValueError as error:
            raise CommandError(f"Kafka refused a topic: {error}.") from None
        try:
            async with asyncio.timeout(SHOWN_S):
                while created and not set(created) <= (await admin.partition_counts(created)).keys():  # noqa: ASYNC110
                    await asyncio.sleep(LOOK_S)  # the broker sends no word
        except TimeoutError:
            raise CommandError(
                f"Kafka accepted topics and does not show them after {SHOWN_S:g} s: look into the broker's log, then try again."
            ) from None
        return created


async def _checked(loaded: "Configuration", bootstrap: str) -> list[str]:
    from pipeline.runtime.topics import TopicAdmin

    async with TopicAdmin(loaded.settings, bootstrap) as admin:
        return await admin.check(_wanted(loaded))


async def _counts(loaded: "Configuration", bootstrap: str, wanted: "list[Wanted]") -> dict[str, int]:
    from pipeline.runtime.topics import TopicAdmin

    async with TopicAdmin(loaded.settings, bootstrap) as admin:
        return await admin.partition_counts([topic.name for topic in wanted])


def _tell(problems: list[str]) -> None:
    for problem in problems:
        say(problem)
    if problems:
        raise typer.Exit(FAILED)
    say("all topics are as they should be")
