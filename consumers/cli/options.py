"""Options that several commands have, and what they lead to: the configuration and the cluster.

Owns: which cluster is used: KAFKA_BOOTSTRAP_SERVERS, else kafka.bootstrap_servers of pipeline.yaml, else the local node that runs.
"""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from consumers.cli.terminal import CommandError
from consumers.logs import LogFormat

if TYPE_CHECKING:
    from consumers.configuration import Configuration
    from pipeline.settings import PipelineSettings

CONFIG = Path("config")
STARTING_S = 10.0
"""How long a local node that is just starting is waited for."""

Config = Annotated[Path, typer.Option("--config", metavar="DIR", help="Folder of the configuration files.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON lines instead of text for people.")]
Logs = Annotated[
    LogFormat, typer.Option("--log-format", help="auto: readable lines in a terminal, JSON lines elsewhere.")
]


def configuration(directory: Path) -> "Configuration":
    """Read everything. Raises: ConfigurationError."""
    from consumers.configuration import load_configuration

    return load_configuration(directory)


def cluster_of(settings: "PipelineSettings") -> str:
    """Bootstrap servers of the cluster to use. Raises: CommandError when there is none, LocalKafkaError."""
    if settings.bootstrap_servers:
        return settings.bootstrap_servers
    from consumers.local_kafka import load_settings, status

    local = load_settings()
    deadline = time.monotonic() + STARTING_S
    now = status(local)
    while now.running and not now.ready and time.monotonic() < deadline:
        time.sleep(0.1)  # another process starts it and announces nothing: its port is looked at
        now = status(local)
    if now.ready:
        return now.bootstrap
    raise CommandError(
        "No Kafka is running here and none is configured: start everything with `python -m consumers dev`, "
        "Kafka alone with `python -m consumers kafka start`, or set KAFKA_BOOTSTRAP_SERVERS."
    )
