"""`python -m consumers kafka …`: the local Kafka from a terminal. Mounted by the main command line.

Owns: wording and exit codes: 0 done, 1 cannot be done (one sentence says why), 3 status: not running.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.table import Table

from consumers.local_kafka import cluster
from consumers.local_kafka.errors import LocalKafkaError
from consumers.local_kafka.settings import LocalKafkaSettings, load_settings

NOT_RUNNING = 3

app = typer.Typer(
    name="kafka",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The local Apache Kafka: one node on 127.0.0.1, its data kept under .pipeline/kafka. "
    "Not needed when KAFKA_BOOTSTRAP_SERVERS names a cluster.",
    epilog="Example: python -m consumers kafka start",
)
_out = Console()
_err = Console(stderr=True)

Brokers = Annotated[
    int | None, typer.Option(help="1, or 3 for replication factor 3. Default: PIPELINE_KAFKA_BROKERS or 1.")
]


@app.command(epilog="Example: PIPELINE_KAFKA_PORT=21092 python -m consumers kafka start")
def start(brokers: Brokers = None) -> None:
    """Start it in the background and wait until clients can connect; nothing happens when it already runs.

    Should it be killed, it is brought back with its data, until `kafka stop`.
    """
    began = time.monotonic()
    with _errors_in_one_sentence(), _steps() as step:
        kafka = cluster.start(_settings(brokers), restart=True, progress=step)
    if kafka.external:
        _out.print(f"KAFKA_BOOTSTRAP_SERVERS is set: {kafka.bootstrap} is used, nothing was started.", highlight=False)
    else:
        word = f"started in {time.monotonic() - began:.1f} s" if kafka.started else "was running already"
        _out.print(f"Kafka {word}: {kafka.bootstrap} (pid {', '.join(map(str, kafka.pids))})", highlight=False)
        _out.print(f"log {kafka.log}", highlight=False, soft_wrap=True)


@app.command(epilog="Example: python -m consumers kafka stop")
def stop(brokers: Brokers = None) -> None:
    """Stop it and wait until it is gone; the data stays."""
    with _errors_in_one_sentence():
        settings = _settings(brokers)
        with _err.status("Kafka: stopping …"):
            stopped = cluster.stop(settings)
    if settings.bootstrap_servers:
        _out.print(f"KAFKA_BOOTSTRAP_SERVERS is set: {settings.bootstrap} is not ours to stop.", highlight=False)
    else:
        _out.print("Kafka stopped." if stopped else "Kafka was not running.")


@app.command(epilog="Example: python -m consumers kafka status --json")
def status(
    brokers: Brokers = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Tell whether it runs, and where; exits 3 when clients cannot connect."""
    with _errors_in_one_sentence():
        now = cluster.status(_settings(brokers))
    word = "running" if now.ready else "starting" if now.running else "not running"
    facts = {
        "state": word,
        "bootstrap": now.bootstrap,
        "external": now.external,
        "pids": list(now.pids),
        "log": str(now.log),
        "data": str(now.data),
    }
    if as_json:
        print(json.dumps(facts))
    else:
        table = Table(show_header=False, box=None, pad_edge=False)
        shown = ("state", "bootstrap") if now.external else ("state", "bootstrap", "pids", "log", "data")
        for name in shown:
            value = facts[name]
            table.add_row(name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        _out.print(table, highlight=False, soft_wrap=True)
    if not now.ready:
        raise typer.Exit(NOT_RUNNING)


@app.command(epilog="Example: python -m consumers kafka prepare")
def prepare() -> None:
    """Do what is slow and needs doing once: fetch and verify Apache Kafka, write the JVM's start-up cache."""
    with _errors_in_one_sentence(), _steps() as step:
        cluster.prepare(_settings(None), progress=step)
    _out.print("Kafka is ready to start.")


def _settings(brokers: int | None) -> LocalKafkaSettings:
    return load_settings(**({} if brokers is None else {"brokers": brokers}))


@contextmanager
def _steps() -> Iterator[Callable[[str], None]]:
    """A line that moves in a terminal, a line a step elsewhere."""
    if not _err.is_terminal:
        yield lambda step: _err.print(f"Kafka: {step} …", highlight=False, markup=False, soft_wrap=True)
        return
    with _err.status("Kafka …") as line:
        yield lambda step: line.update(f"Kafka: {step} …")


@contextmanager
def _errors_in_one_sentence() -> Iterator[None]:
    try:
        yield
    except LocalKafkaError as error:
        _fail(error)


def _fail(error: LocalKafkaError) -> NoReturn:
    _err.print(str(error), style="red", highlight=False, markup=False, soft_wrap=True)
    raise typer.Exit(1)
