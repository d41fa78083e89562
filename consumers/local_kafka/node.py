"""One KRaft node, broker and controller in one: its folder, its server.properties, its command lines.

Owns: what Kafka is told. Pure: nothing here touches a file or starts a process.
Invariants: listens on 127.0.0.1 only; topics are never created by a broker on its own.
Source: measured on 4.2.2 with 2 cores: after a kill -9 the old registration must expire before the node serves again,
so broker.session.timeout.ms (default 9000) decides how soon; log.cleaner.backoff.ms and log.initial.task.delay.ms
let compaction and retention be seen in seconds.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from consumers.local_kafka.java import Java
from consumers.local_kafka.settings import LocalKafkaSettings

LOG4J = Path(__file__).with_name("log4j2.properties")


@dataclass(frozen=True, slots=True)
class Node:
    """Where one node keeps its things and listens."""

    node_id: int
    folder: Path
    port: int
    controller_port: int

    @property
    def properties(self) -> Path:
        """Its path stands in the JVM's command line, and is how a process is known to be this node's."""
        return self.folder / "server.properties"

    @property
    def data(self) -> Path:
        """Kafka's log.dirs."""
        return self.folder / "data"

    @property
    def temp(self) -> Path:
        """java.io.tmpdir, so that a killed JVM leaves its unpacked libraries where the next start sweeps."""
        return self.folder / "tmp"

    @property
    def log(self) -> Path:
        """Kafka's own log."""
        return self.folder / "kafka.log"

    @property
    def console(self) -> Path:
        """What the JVM itself says; empty unless something is very wrong."""
        return self.folder / "console.log"

    @property
    def pid_file(self) -> Path:
        """JSON, see process."""
        return self.folder / "kafka.pid"

    @property
    def stopping(self) -> Path:
        """There while, and after, it is stopped on purpose."""
        return self.folder / "stopping"


def nodes_of(settings: LocalKafkaSettings) -> tuple[Node, ...]:
    """All nodes of one name, in node.id order."""
    return tuple(
        Node(node_id, settings.data / f"node-{node_id}", *settings.ports_of(node_id)) for node_id in settings.node_ids
    )


def cluster_id(name: str) -> str:
    """The same for all nodes and all runs of one name, without a file to keep it in; 22 characters, never with a leading dash."""
    digest = b"\0" + hashlib.sha256(f"multi-item-pipeline local kafka {name}".encode()).digest()[:15]
    return base64.urlsafe_b64encode(digest).decode("ascii").rstrip("=")


def render_properties(node: Node, nodes: Sequence[Node]) -> str:
    """The text of server.properties."""
    replicas = len(nodes)
    in_sync = 2 if replicas > 2 else 1
    voters = ",".join(f"{peer.node_id}@127.0.0.1:{peer.controller_port}" for peer in nodes)
    settings: dict[str, object] = {
        "process.roles": "broker,controller",
        "node.id": node.node_id,
        "controller.quorum.voters": voters,
        "controller.listener.names": "CONTROLLER",
        "listeners": f"PLAINTEXT://127.0.0.1:{node.port},CONTROLLER://127.0.0.1:{node.controller_port}",
        "advertised.listeners": f"PLAINTEXT://127.0.0.1:{node.port}",
        "inter.broker.listener.name": "PLAINTEXT",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        "log.dirs": node.data,
        "auto.create.topics.enable": "false",
        "default.replication.factor": replicas,
        "min.insync.replicas": in_sync,
        "offsets.topic.replication.factor": replicas,
        "offsets.topic.num.partitions": 4,
        "transaction.state.log.replication.factor": replicas,
        "transaction.state.log.min.isr": in_sync,
        "transaction.state.log.num.partitions": 4,
        "share.coordinator.state.topic.replication.factor": replicas,
        "share.coordinator.state.topic.min.isr": in_sync,
        "log.message.timestamp.type": "CreateTime",  # topics that need LogAppendTime say so themselves
        "group.initial.rebalance.delay.ms": 0,
        "group.min.session.timeout.ms": 1000,
        "controlled.shutdown.enable": "true",
        "broker.session.timeout.ms": 1500 if replicas == 1 else 3000,
        "broker.heartbeat.interval.ms": 300,
        "num.network.threads": 2,
        "num.io.threads": 4,
        "log.cleaner.dedupe.buffer.size": 16 * 1024 * 1024,
        "log.cleaner.backoff.ms": 200,
        "log.initial.task.delay.ms": 1000,
    }
    return "".join(f"{key}={_escape(str(value))}\n" for key, value in settings.items())


def format_command(java: Java, jars: Sequence[Path], node: Node, cluster: str, *, aot: Path | None) -> list[str]:
    """Writes meta.properties into an empty data folder; leaves a formatted one alone."""
    return [
        *_jvm(java, aot=aot),
        "-Xmx128m",
        *_class_path(jars, node.folder / "format.log"),
        *("kafka.tools.StorageTool", "format", "--ignore-formatted"),
        *("-t", cluster, "-c", str(node.properties)),
    ]


def broker_command(
    java: Java, jars: Sequence[Path], node: Node, *, heap_mb: int, aot: Path | None, train: Path | None = None
) -> list[str]:
    """`train`: write a start-up cache there when the broker ends, which then takes some 7 s longer."""
    return [
        *_jvm(java, aot=aot),
        *([f"-XX:AOTCacheOutput={train}"] if train else []),
        *("-Xms64m", f"-Xmx{heap_mb}m"),
        f"-Djava.io.tmpdir={node.temp}",
        *_class_path(jars, node.log),
        *("kafka.Kafka", str(node.properties)),
    ]


def _jvm(java: Java, *, aot: Path | None) -> list[str]:
    # C1 only: half the memory and processor time of the default at this size, and no slower.
    flags = [str(java.path), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"]
    if aot is not None:  # a cache that does not fit is only a slower start: no word about it
        flags += [f"-XX:AOTCache={aot}", "-Xlog:disable", "-Xlog:all=error:stderr"]
    return flags


def _class_path(jars: Sequence[Path], log: Path) -> list[str]:
    return [
        f"-Dlog4j2.configurationFile={LOG4J}",
        f"-Dpipeline.kafka.log={log}",
        *("-cp", os.pathsep.join(str(jar) for jar in jars)),
    ]


def _escape(value: str) -> str:
    """As java.util.Properties reads it back: Latin-1, backslash escapes."""
    escaped = value.replace("\\", "\\\\")
    return "".join(
        char if " " <= char <= "~" else "".join(f"\\u{unit:04x}" for unit in _utf16(char)) for char in escaped
    )


def _utf16(char: str) -> tuple[int, ...]:
    encoded = char.encode("utf-16-be")
    return tuple(int.from_bytes(encoded[at : at + 2], "big") for at in range(0, len(encoded), 2))
