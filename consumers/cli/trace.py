"""`trace`: one conversation across all topics."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from consumers.cli.options import CONFIG, AsJson, Config, cluster_of, configuration
from consumers.cli.terminal import WRONG, CommandError, err, errors_in_one_sentence, out, run
from consumers.logs import LogFormat, setup

if TYPE_CHECKING:
    from consumers.cli.trace_rows import Row
    from consumers.configuration import Configuration
    from pipeline.runtime.ports import RawRecord

STYLES = {
    "request": "bold cyan",
    "response": "bold green",
    "event": "",
    "record": "dim",
    "call": "magenta",
    "dead letter": "red",
}
FAMILIES = {"NOC.": "yellow", "GRL.": "red"}


def command(
    key: Annotated[
        str, typer.Argument(metavar="KEY", help="tenant:agent:session, or the session alone when only one has it.")
    ],
    *,
    transaction: Annotated[
        str | None, typer.Option(metavar="ID", help="Only what belongs to this transaction.")
    ] = None,
    show_content: Annotated[
        bool, typer.Option("--show-content", help="Show business keys, tool arguments and tool answers: personal data.")
    ] = False,
    as_json: AsJson = False,
    config: Config = CONFIG,
) -> None:
    """Show one conversation in order of time, across topics: what came in, events, records between stages, calls, answers.

    The customer's own words are shown; business keys, tool arguments and tool answers only with --show-content. Exits 1 when nothing
    is known of the conversation or Kafka is not there.
    """
    setup(LogFormat.AUTO, level=50)
    with errors_in_one_sentence():
        loaded = configuration(config)
        bootstrap = cluster_of(loaded.settings)
    rows = run(_found(loaded, bootstrap, key, transaction, show_content=show_content))
    for row in rows if as_json else ():
        print(json.dumps(row.as_json(), ensure_ascii=False))
    if not as_json:
        out.print(as_table(rows), soft_wrap=False)


async def _found(
    loaded: "Configuration", bootstrap: str, key: str, transaction: str | None, *, show_content: bool
) -> "list[Row]":
    from consumers.cli.trace_rows import rows_of

    conversation = await resolve(loaded, bootstrap, key)
    records = await collect(loaded, bootstrap, conversation)
    rows = rows_of(records, transaction=transaction, show_content=show_content)
    if not rows:
        known = "" if transaction is None else f" and transaction {transaction}"
        raise CommandError(
            f"Nothing is known of conversation {conversation}{known}: it was never there, or is older than what the topics keep."
        )
    return rows


async def resolve(loaded: "Configuration", bootstrap: str, key: str) -> str:
    """The conversation meant. Raises: CommandError when no conversation or several have that session."""
    from contracts.identity import conversation_parts
    from pipeline import topology
    from pipeline.runtime.topic_io import TopicReader

    if key.count(":") == 2:
        return key
    if ":" in key:
        raise CommandError(f"{key!r} is neither tenant:agent:session nor a session id.", code=WRONG)
    found: set[str] = set()
    topics = [loaded.settings.named(topic) for topic in (topology.GATEWAY_REQUESTS, topology.EVENTS_IC)]
    async with TopicReader(loaded.settings, bootstrap, topics) as reader:
        async for records in reader.read_to_end():
            for record in records:
                text = (record.key or b"").decode("utf-8", "replace")
                try:
                    if conversation_parts(text)[2] == key:
                        found.add(text)
                except ValueError:
                    continue
    if len(found) > 1:
        raise CommandError(f"Several conversations have session {key!r}: {', '.join(sorted(found))}.", code=WRONG)
    if not found:
        raise CommandError(f"No conversation has session {key!r}: is it older than what the topics keep?")
    return found.pop()


async def collect(loaded: "Configuration", bootstrap: str, conversation: str) -> "list[tuple[str, RawRecord]]":
    """Every record of a conversation but checkpoints, as (logical topic, record). Raises: Retriable."""
    from pipeline import topology
    from pipeline.runtime.kafka import KafkaClients
    from pipeline.runtime.topic_io import TopicReader, topic_names
    from pipeline.topology import TopicKind

    settings, key = loaded.settings, conversation.encode()
    present = await topic_names(settings, bootstrap)
    clients = KafkaClients(settings, bootstrap)
    requests = settings.named(topology.GATEWAY_REQUESTS)
    counts = await clients.partition_counts([requests])
    number = clients.partition_of(key, counts.get(requests, 1))
    wanted: dict[str, list[int] | None] = {}
    for spec in topology.topics(tuple(loaded.installation.channels)):
        name = settings.named(spec.name)
        if spec.kind is not TopicKind.STATE and name in present:
            anywhere = spec.name == topology.GATEWAY_REQUESTS or spec.kind is TopicKind.DEAD_LETTERS
            wanted[name] = None if anywhere else [number]
    kept: list[tuple[str, RawRecord]] = []
    read = 0
    with err.status("reading …") as line:
        async with TopicReader(settings, bootstrap, wanted) as reader:
            async for records in reader.read_to_end():
                read += len(records)
                line.update(f"{read} records read, {len(kept)} of the conversation …")
                kept += [(settings.logical(record.topic), record) for record in records if record.key == key]
    return kept


def as_table(rows: "Sequence[Row]") -> RenderableType:
    """Rows as a table, a rule before each message of the customer."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=False)
    table.add_column("+ms", justify="right", no_wrap=True)
    table.add_column("where", no_wrap=True)
    table.add_column("what", overflow="fold")
    table.add_column("detail", overflow="fold")
    start = rows[0].at if rows else None
    for place, row in enumerate(rows):
        if row.kind == "request" and place:
            table.add_section()
        style = next((colour for family, colour in FAMILIES.items() if row.what.startswith(family)), STYLES[row.kind])
        passed = int((row.at - start).total_seconds() * 1000) if start else 0
        table.add_row(
            str(passed), row.where, Text(row.what, style=style), Text(row.detail, style=style and STYLES[row.kind])
        )
    return table
