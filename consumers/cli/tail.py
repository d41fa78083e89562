"""`tail`: what is on topics, committed records only."""

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from consumers.cli.instants import instant
from consumers.cli.options import CONFIG, AsJson, Config, cluster_of, configuration
from consumers.cli.terminal import WRONG, CommandError, errors_in_one_sentence, out, run
from consumers.logs import LogFormat, setup

if TYPE_CHECKING:
    from pipeline.runtime.ports import RawRecord
    from pipeline.runtime.topic_io import Start
    from pipeline.settings import PipelineSettings


def command(
    topics: Annotated[list[str], typer.Argument(metavar="TOPIC…", help="With or without the installation's prefix.")],
    *,
    from_beginning: Annotated[
        bool, typer.Option("--from-beginning", help="All that is kept, then what comes.")
    ] = False,
    since: Annotated[
        str | None, typer.Option(metavar="WHEN", help="90s, 15m, 2h, 1d ago, or an instant such as 2026-01-31T10:00Z.")
    ] = None,
    exit_at_end: Annotated[bool, typer.Option("--exit-at-end", help="Stop at the end as it is now.")] = False,
    as_json: AsJson = False,
    key: Annotated[str | None, typer.Option(help="Only records of this key (a conversation).")] = None,
    config: Config = CONFIG,
) -> None:
    """Show the records of topics as they come; Ctrl-C ends it. Records of a dlq topic show why they are there.

    Of one conversation they are in order. Exits 1 when Kafka is not there, 2 when there is no such topic.
    """
    setup(LogFormat.AUTO, level=50)
    with errors_in_one_sentence():
        loaded = configuration(config)
        start = start_of(from_beginning=from_beginning, since=since, now=datetime.now(UTC))
        bootstrap = cluster_of(loaded.settings)
    run(_tail(loaded.settings, bootstrap, topics, start, exit_at_end=exit_at_end, as_json=as_json, key=key))


def start_of(*, from_beginning: bool, since: str | None, now: datetime) -> "Start":
    """Where to begin. Raises: CommandError."""
    if since is None:
        return "beginning" if from_beginning else "end"
    if from_beginning:
        raise CommandError("--since and --from-beginning exclude each other.", code=WRONG)
    return instant("--since", since, now)


async def _tail(
    settings: "PipelineSettings",
    bootstrap: str,
    topics: list[str],
    start: "Start",
    *,
    exit_at_end: bool,
    as_json: bool,
    key: str | None,
) -> None:
    from consumers.cli.records import topics_meant
    from pipeline.runtime.topic_io import TopicReader, topic_names

    names = topics_meant(topics, settings, await topic_names(settings, bootstrap))

    def show(records: "list[RawRecord]") -> None:
        for record in records:
            if key is None or record.key == key.encode():
                _show(record, settings.logical(record.topic), as_json=as_json)

    async with TopicReader(settings, bootstrap, names, start=start) as reader:
        if exit_at_end:
            async for records in reader.read_to_end():
                show(records)
            return
        while True:
            show(await reader.poll())


def _show(record: "RawRecord", logical: str, *, as_json: bool) -> None:
    from consumers.cli.records import DEAD_LETTERS, as_row, at, body, shortened, why_dead
    from pipeline.runtime.serde import text_headers

    if as_json:
        print(json.dumps(as_row(record, logical), ensure_ascii=False), flush=True)
        return
    key = (record.key or b"-").decode("utf-8", "backslashreplace")
    when = at(record).strftime("%H:%M:%S.%f")[:-3]
    value = body(record.value)
    title = value.get("event_type", "") if isinstance(value, dict) else ""
    out.print(
        f"[dim]{when}[/] [cyan]{escape(logical)}[/][dim]/{record.partition}/{record.offset}[/] {escape(key)}"
        + (f" [bold]{escape(str(title))}[/]" if title else "")
    )
    if logical.startswith(DEAD_LETTERS):
        out.print(f"    [red]{escape(why_dead(text_headers(record)))}[/]")
    shown = value.get("payload", value) if title and isinstance(value, dict) else value
    out.print(f"    {escape(shortened(shown) if shown is not None else '(tombstone)')}")
