"""The local Kafka as a whole: started, used, asked after and stopped; one node, or three.

Owns: the order verify jars, claim ports, format, spawn, wait for the client port.
Invariants: whatever two processes do at the same time, one name has at most one process a node; nothing is started or
stopped when KAFKA_BOOTSTRAP_SERVERS names another cluster; data outlives every stop and every kill -9.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from consumers.local_kafka.errors import LocalKafkaError
from consumers.local_kafka.jars import KAFKA_VERSION, ensure_jars
from consumers.local_kafka.java import find_java
from consumers.local_kafka.launch import Launch, claim_ports, format_storage, wait_ready
from consumers.local_kafka.node import Node, broker_command, nodes_of
from consumers.local_kafka.ports import is_open
from consumers.local_kafka.process import Keep, end, lock_of, locked, running_node, spawn
from consumers.local_kafka.settings import LocalKafkaSettings
from consumers.local_kafka.start_cache import start_cache, train

Progress = Callable[[str], None]

_FETCH_TIMEOUT_S = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalKafka:
    """A cluster that can be used now."""

    bootstrap: str
    pid: int | None
    """The first node's; None for another cluster."""
    pids: tuple[int, ...] = ()
    """All nodes', in node.id order."""
    log: Path
    data: Path
    external: bool
    started: bool
    """True: by this call. False: it was there already, and is not the caller's to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What is there, without touching it."""

    bootstrap: str
    external: bool
    running: bool
    """Every node's process lives; for another cluster: one of its hosts accepts connections."""
    ready: bool
    """Running, and its client ports are open."""
    pids: tuple[int, ...]
    log: Path
    data: Path


def start(
    settings: LocalKafkaSettings,
    *,
    bound: bool = False,
    bound_to: int | None = None,
    restart: bool = False,
    progress: Progress = lambda _: None,
) -> LocalKafka:
    """Returns when clients can connect; at once when it already runs.

    bound: it ends when this process ends, however that happens. bound_to: when the process of that pid ends.
    restart: when it is killed it is brought back, until it is stopped. What already runs stays as it was started.

    Raises:
        LocalKafkaError: one sentence, with the way out.

    """
    if settings.bootstrap_servers:
        return _usable(settings, {}, started=False)
    nodes = nodes_of(settings)
    lock = locked(lock_of(settings.data), timeout_s=settings.start_timeout_s + _FETCH_TIMEOUT_S)
    with _usable_files(), lock:
        running = _running(nodes)
        missing = [node for node in nodes if node not in running]
        if missing:
            for node in missing:
                claim_ports(node, settings)
            launch = _launch(settings, progress)
            for node in missing:
                format_storage(node, launch)
            progress(f"starting Apache Kafka {KAFKA_VERSION}")
            keep = Keep(
                bound_to=bound_to if bound_to is not None else os.getpid() if bound else None,
                restart=restart,
                grace_s=settings.stop_timeout_s,
            )
            try:
                for node in missing:
                    command = broker_command(launch.java, launch.jars, node, heap_mb=settings.heap_mb, aot=launch.aot)
                    running[node] = spawn(command, node, keep=keep)
                wait_ready(running, settings)
            except BaseException:  # Ctrl-C too: nobody would know of a half-started one
                end(missing, grace_s=2)
                raise
        else:
            wait_ready(running, settings)  # its starter may have been killed while it waited
        return _usable(settings, {node: running[node] for node in nodes}, started=bool(missing))


def stop(settings: LocalKafkaSettings) -> bool:
    """Returns when every node is gone; False when none was running, and always for another cluster.

    Raises:
        LocalKafkaError: a process survives SIGKILL, or another process holds the lock for too long.

    """
    if settings.bootstrap_servers or not settings.data.exists():
        return False
    with _usable_files(), locked(lock_of(settings.data), timeout_s=settings.start_timeout_s):
        return end(_all_nodes(settings), grace_s=settings.stop_timeout_s)


def kill(settings: LocalKafkaSettings, *, node_id: int = 1) -> None:
    """As a power cut would: SIGKILL to one node, and returns when it is gone. For tests; `start` brings it back."""
    end([node for node in nodes_of(settings) if node.node_id == node_id], grace_s=0)


def status(settings: LocalKafkaSettings) -> Status:
    """Never waits for a lock: tells what is so at this moment."""
    if settings.bootstrap_servers:
        pids: tuple[int, ...] = ()
        running = any(is_open(*_host_port(server)) for server in settings.bootstrap_servers.split(","))
        ready = running
    else:
        found = [running_node(node) for node in nodes_of(settings)]
        pids = tuple(node.pid for node in found if node)
        running = all(found)
        ready = running and all(is_open("127.0.0.1", node.port) for node in found if node)
    return Status(
        bootstrap=settings.bootstrap,
        external=settings.bootstrap_servers is not None,
        running=running,
        ready=ready,
        pids=pids,
        log=nodes_of(settings)[0].log,
        data=settings.data,
    )


@contextlib.contextmanager
def running(settings: LocalKafkaSettings, *, progress: Progress = lambda _: None) -> Iterator[LocalKafka]:
    """A cluster for the length of a block: started when none runs, and stopped only then.

    Brought back when it is killed, ended when this process ends in whatever way.
    """
    kafka = start(settings, bound=True, restart=True, progress=progress)
    try:
        yield kafka
    finally:
        if kafka.started:
            stop(settings)


def prepare(settings: LocalKafkaSettings, *, progress: Progress = lambda _: None) -> None:
    """All that is slow and needs doing once: the jars, and the JVM's start-up cache (a start then takes 0.8 s, not 2).

    Raises:
        LocalKafkaError: no Java, or no jars. A start-up cache that cannot be made is no error.

    """
    if settings.bootstrap_servers:
        return
    with _usable_files():
        java, jars = find_java(), _jars(settings, progress)
        target = start_cache(settings, java)
        if target is None or target.exists():
            return
        progress("writing the start-up cache (10 s, once)")
        with locked(settings.cache / ".training.lock", timeout_s=_FETCH_TIMEOUT_S):
            if not target.exists():
                train(settings, java, jars, target)


@contextlib.contextmanager
def _usable_files() -> Iterator[None]:
    try:
        yield
    except OSError as failure:
        raise LocalKafkaError(
            f"The local Kafka cannot use its files ({failure.strerror}: {failure.filename}): put that right, "
            "or set PIPELINE_KAFKA_HOME and PIPELINE_KAFKA_CACHE to folders it can write to."
        ) from failure


def _usable(settings: LocalKafkaSettings, pids: Mapping[Node, int], *, started: bool) -> LocalKafka:
    return LocalKafka(
        bootstrap=settings.bootstrap,
        pid=next(iter(pids.values()), None),
        pids=tuple(pids.values()),
        log=nodes_of(settings)[0].log,
        data=settings.data,
        external=settings.bootstrap_servers is not None,
        started=started,
    )


def _running(nodes: Sequence[Node]) -> dict[Node, int]:
    """Refuses one that runs on other ports than are wanted now."""
    found = {node: running for node in nodes if (running := running_node(node))}
    for node, running in found.items():
        if (running.port, running.controller_port) != (node.port, node.controller_port):
            raise LocalKafkaError(
                f"The local Kafka '{node.folder.parent.name}' already runs on ports {running.port} and "
                f"{running.controller_port} (pid {running.pid}), not on {node.port} and {node.controller_port}: stop it "
                "first (python -m consumers kafka stop), or set PIPELINE_KAFKA_NAME to have a second one."
            )
    return {node: running.pid for node, running in found.items()}


def _jars(settings: LocalKafkaSettings, progress: Progress) -> tuple[Path, ...]:
    with locked(settings.cache / ".lock", timeout_s=_FETCH_TIMEOUT_S):
        return ensure_jars(settings.cache, progress)


def _launch(settings: LocalKafkaSettings, progress: Progress) -> Launch:
    java, jars = find_java(), _jars(settings, progress)
    aot = start_cache(settings, java)
    return Launch(settings, java, jars, aot if aot is not None and aot.exists() else None)


def _all_nodes(settings: LocalKafkaSettings) -> tuple[Node, ...]:
    """Those on disk too: the number of brokers may have been changed while it ran."""
    return nodes_of(settings.model_copy(update={"brokers": 3}))


def _host_port(server: str) -> tuple[str, int]:
    host, _, port = server.strip().rpartition(":")
    try:
        return host.strip("[]"), int(port)
    except ValueError:
        raise LocalKafkaError(f"KAFKA_BOOTSTRAP_SERVERS is not usable: '{server.strip()}' is not host:port.") from None
