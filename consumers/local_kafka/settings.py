"""Settings of the local Kafka: environment PIPELINE_KAFKA_*, and KAFKA_BOOTSTRAP_SERVERS to use another cluster.

Owns: where a node keeps its files and which loopback ports it listens on.
Invariants: every port is below 32768; no two listeners share one.
Source: a client that polls a closed port inside the ephemeral range (32768 and up on Linux) can connect to itself and
take that for a broker; below it, it cannot.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from consumers.local_kafka.errors import LocalKafkaError

PROJECT = Path(__file__).resolve().parents[2]

Port = Annotated[int, Field(ge=1024, lt=32768)]


class LocalKafkaSettings(BaseSettings):
    """One local Kafka; each field is overridden by PIPELINE_KAFKA_<FIELD>."""

    model_config = SettingsConfigDict(env_prefix="PIPELINE_KAFKA_", extra="ignore", frozen=True, populate_by_name=True)

    bootstrap_servers: Annotated[str | None, Field(validation_alias="KAFKA_BOOTSTRAP_SERVERS")] = None
    """host:port,… of a cluster to use instead; when set nothing is ever started or stopped."""
    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,40}$")] = "dev"
    """Each name has its own data, so two names are two clusters (on two pairs of ports)."""
    port: Port = 19092
    """Clients connect here, on 127.0.0.1. Node n of three uses port + 2 (n - 1)."""
    controller_port: Port = 19093
    """KRaft's own listener. Node n of three uses controller_port + 2 (n - 1)."""
    home: Path = PROJECT / ".pipeline" / "kafka"
    """Data, logs and pid files, kept between runs under home/name."""
    cache: Path = PROJECT / ".pipeline" / "cache" / "kafka"
    """Verified jars and the JVM's start-up cache; may be shared by all names, and deleted at any time."""
    brokers: Literal[1, 3] = 1
    """Three: replication factor 3 and min.insync.replicas 2, to kill a broker without an outage."""
    heap_mb: Annotated[int, Field(ge=128, le=16384)] = 512
    """-Xmx of each node."""
    start_timeout_s: Annotated[float, Field(gt=0, le=600)] = 60
    """From the JVM's start to an open client port."""
    stop_timeout_s: Annotated[float, Field(gt=0, le=600)] = 15
    """From SIGTERM to SIGKILL."""

    @field_validator("bootstrap_servers", mode="before")
    @classmethod
    def _blank_is_unset(cls, value: object) -> object:
        return None if isinstance(value, str) and not value.strip() else value

    @field_validator("home", "cache")
    @classmethod
    def _is_absolute_and_no_list(cls, value: Path) -> Path:
        if "," in str(value):  # Kafka's log.dirs and log4j's configuration file are comma-separated lists
            raise ValueError("must not contain a comma")
        return value.expanduser().absolute()

    @model_validator(mode="after")
    def _ports_differ(self) -> Self:
        ports = [port for node in self.node_ids for port in self.ports_of(node)]
        if len(set(ports)) != len(ports):
            raise ValueError(
                f"port and controller_port collide: {self.brokers} node(s) would listen on {sorted(ports)}"
            )
        if max(ports) >= 32768:
            raise ValueError(f"port and controller_port must leave all nodes below 32768, not {max(ports)}")
        return self

    @property
    def node_ids(self) -> tuple[int, ...]:
        """Kafka's node.id, from 1."""
        return tuple(range(1, self.brokers + 1))

    @property
    def data(self) -> Path:
        """The folder of this name: lock, and one folder a node."""
        return self.home / self.name

    @property
    def bootstrap(self) -> str:
        """What clients are given: the other cluster's, when one is set."""
        return self.bootstrap_servers or ",".join(f"127.0.0.1:{self.ports_of(node)[0]}" for node in self.node_ids)

    def ports_of(self, node_id: int) -> tuple[int, int]:
        """(clients, controller) of one node."""
        return self.port + 2 * (node_id - 1), self.controller_port + 2 * (node_id - 1)


def load_settings(**overrides: object) -> LocalKafkaSettings:
    """From the environment.

    Raises:
        LocalKafkaError: a value is not allowed; names the variable.

    """
    try:
        return LocalKafkaSettings(**overrides)  # type: ignore[arg-type]
    except ValidationError as invalid:
        first = invalid.errors()[0]
        field = str(first["loc"][0]).removeprefix("KAFKA_").lower() if first["loc"] else "port"
        variable = "KAFKA_BOOTSTRAP_SERVERS" if field == "bootstrap_servers" else f"PIPELINE_KAFKA_{field.upper()}"
        raise LocalKafkaError(f"{variable} is not usable: {first['msg'].removeprefix('Value error, ')}.") from None
