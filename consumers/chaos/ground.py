"""What the replicas stand on: a Kafka, topics and MCP servers of this run alone.

Owns: the folder of a run, its ports, its environment. Invariants: nothing of it is shared with `dev`, with tests or with another run;
Kafka ends when this process ends, in whatever way.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from consumers.chaos.processes import Process, clean_environment, demo
from consumers.configuration import Configuration, load_configuration
from consumers.local_kafka import LocalKafkaSettings, kill, start, stop
from consumers.local_kafka.node import nodes_of
from consumers.local_kafka.ports import free_pair
from consumers.local_kafka.process import end
from consumers.local_kafka.settings import PROJECT
from pipeline.runtime.topics import TopicAdmin, wanted_topics
from pipeline.topology import TopicKind

Brokers = Literal[1, 3]

HOME = PROJECT / ".pipeline" / "chaos"
PREFIX = "chaos"
TIMES = {
    # Customers of a run must not wait as long as real ones; everything else is as it is shipped.
    "PIPELINE__TIMING__CONFIRMATION_TTL_MS": "15000",
    "PIPELINE__TIMING__COLLECTING_TTL_MS": "15000",
    "PIPELINE__TIMING__CLOCK_SKEW_MS": "1000",
}
COMPACTED = {"segment.ms": "8000", "min.cleanable.dirty.ratio": "0.01", "max.compaction.lag.ms": "8000"}
"""State topics of a run are compacted while it goes on: a restore meets every stage of it."""


@dataclass(slots=True, eq=False)
class Ground:
    """A run's own world."""

    folder: Path
    configuration: Configuration
    kafka: LocalKafkaSettings
    environment: Mapping[str, str]
    servers: Process
    ledger: Path

    @property
    def bootstrap(self) -> str:
        """Kafka's."""
        return self.kafka.bootstrap

    @property
    def logs(self) -> Path:
        """Of every life of every process."""
        return self.folder / "logs"

    @property
    def channels(self) -> tuple[str, ...]:
        """Configured channels."""
        return tuple(self.configuration.installation.channels)

    def kill_broker(self, pick: float) -> None:
        """As a power cut would."""
        kill(self.kafka, node_id=self.kafka.node_ids[int(pick * len(self.kafka.node_ids))])

    def term_broker(self, pick: float) -> None:
        """As a rolling upgrade would."""
        end([nodes_of(self.kafka)[int(pick * len(self.kafka.node_ids))]], grace_s=15)

    def start_brokers(self) -> None:
        """Bring back whatever is away."""
        start(self.kafka, bound=True)


@contextmanager
def ground(folder: Path, *, brokers: Brokers, config: Path) -> Iterator[Ground]:
    """A world for the length of a block; its servers are not started, its topics do not exist yet."""
    folder.mkdir(parents=True)
    port, controller_port = free_pair()
    demo_port = free_pair()[0]
    kafka = LocalKafkaSettings(
        bootstrap_servers=None,
        name="chaos",
        home=folder / "kafka",
        port=port,
        controller_port=controller_port,
        brokers=brokers,
        heap_mb=384,
    )
    ledger = folder / "ledger.sqlite3"
    environment = clean_environment(
        KAFKA_BOOTSTRAP_SERVERS=kafka.bootstrap,
        PIPELINE__PREFIX=PREFIX,
        PIPELINE__MEANING="false",  # keywords suffice for these customers; the encoder costs a second a start
        PIPELINE__KAFKA__REPLICATION_FACTOR=str(brokers),
        PIPELINE__KAFKA__MIN_INSYNC_REPLICAS="2" if brokers == 3 else "1",
        PIPELINE_DEMO_PORT=str(demo_port),
        PIPELINE_DEMO_LEDGER=str(ledger),
        **TIMES,
    )
    with _own_environment(environment):
        configuration = load_configuration(config)
    try:
        start(kafka, bound=True)
        servers = demo(demo_port, environment, folder / "logs")
        yield Ground(folder, configuration, kafka, environment, servers, ledger)
    finally:
        stop(kafka)
        shutil.rmtree(folder / "kafka", ignore_errors=True)


@contextmanager
def _own_environment(environment: Mapping[str, str]) -> Iterator[None]:
    """The run's settings are what this process reads too."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(environment)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


async def make_topics(under: Ground) -> None:
    """Create every topic, state topics with fast compaction."""
    settings = under.configuration.settings
    wanted = [
        replace(topic, config={**topic.config, **COMPACTED}) if topic.spec.kind is TopicKind.STATE else topic
        for topic in wanted_topics(settings, under.channels)
    ]
    async with TopicAdmin(settings, under.bootstrap) as admin:
        await admin.ensure(wanted)
