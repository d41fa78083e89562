"""One start of a node: its ports claimed, its storage formatted, its client port waited for, its death explained.

Owns: the wording of what can go wrong while a node starts.
"""

from __future__ import annotations

import re
import subprocess
import textwrap
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from consumers.local_kafka.errors import LocalKafkaError
from consumers.local_kafka.java import Java
from consumers.local_kafka.node import Node, cluster_id, format_command, nodes_of, render_properties
from consumers.local_kafka.ports import is_free, is_open
from consumers.local_kafka.process import exit_code, java_environment, running_node
from consumers.local_kafka.settings import LocalKafkaSettings

_POLL_S = 0.02


@dataclass(frozen=True, slots=True)
class Launch:
    """All that every node of one start has in common."""

    settings: LocalKafkaSettings
    java: Java
    jars: Sequence[Path]
    aot: Path | None


_RELEASE_S = 3.0
"""A killed JVM is gone from the process table before the kernel has closed the last of its sockets."""


def claim_ports(node: Node, settings: LocalKafkaSettings) -> None:
    deadline = time.monotonic() + _RELEASE_S
    for port, field in ((node.port, "port"), (node.controller_port, "controller_port")):
        while not is_free(port):
            if time.monotonic() > deadline:
                raise _taken(port, field, settings)
            time.sleep(_POLL_S)  # the kernel does not tell when it has closed a dead process's socket


def _taken(port: int, field: str, settings: LocalKafkaSettings) -> LocalKafkaError:
    return LocalKafkaError(
        f"Port {port} on 127.0.0.1 is taken by another process, so the local Kafka '{settings.name}' cannot start: "
        f"free it, or set PIPELINE_KAFKA_{field.upper()} to a free port below 32768."
    )


def format_storage(node: Node, launch: Launch) -> None:
    node.data.mkdir(parents=True, exist_ok=True)
    node.properties.write_text(render_properties(node, nodes_of(launch.settings)), encoding="ascii")
    if (node.data / "meta.properties").exists():
        return
    command = format_command(launch.java, launch.jars, node, cluster_id(launch.settings.name), aot=launch.aot)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=node.folder, env=java_environment())
    if done.returncode != 0:
        raise LocalKafkaError(
            f"Kafka's storage could not be formatted in {node.data} "
            f"({_last_words(done.stderr or done.stdout)}): check that the disk has room and the folder is yours."
        )


def wait_ready(pids: Mapping[Node, int], settings: LocalKafkaSettings) -> None:
    deadline = time.monotonic() + settings.start_timeout_s
    waiting = dict(pids)
    while waiting:
        for node, pid in list(waiting.items()):
            if is_open("127.0.0.1", node.port):
                del waiting[node]
            running = running_node(node)
            if running is None or running.pid != pid:
                raise _died(node, pid, settings)
        if waiting and time.monotonic() > deadline:
            raise LocalKafkaError(
                f"The local Kafka '{settings.name}' did not open port {next(iter(waiting)).port} within "
                f"{settings.start_timeout_s:.0f} s: see {next(iter(waiting)).log}, or raise PIPELINE_KAFKA_START_TIMEOUT_S."
            )
        time.sleep(_POLL_S)  # a JVM tells nobody that it listens: its port is tried


def _died(node: Node, pid: int, settings: LocalKafkaSettings) -> LocalKafkaError:
    text = _tail(node.log) + _tail(node.console)
    if "Address already in use" in text.rsplit("Initializing", 1)[-1]:
        for port, field in ((node.port, "port"), (node.controller_port, "controller_port")):
            if not is_free(port):
                return _taken(port, field, settings)
    code = exit_code(pid)
    return LocalKafkaError(
        f"The local Kafka '{settings.name}' ended while starting (exit code {code}; {_last_words(text)}): see {node.log}."
    )


def _last_words(text: str) -> str:
    """The last error of a log, without its stack."""
    telling = [
        line
        for line in text.splitlines()
        if re.search(r"(Exception|Error|ERROR|FATAL)\b", line) and "\tat " not in line
    ]
    return textwrap.shorten((telling or text.splitlines() or ["it said nothing"])[-1], 240, placeholder=" …")


def _tail(path: Path, size: int = 20_000) -> str:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - size))
            return file.read().decode("utf-8", errors="replace")
    except OSError:
        return ""
