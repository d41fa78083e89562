"""The JVM's start-up cache: made once by a throw-away node, it takes a start from 2 s to 0.8 s.

Owns: the file's name, which tells what it was made for. Source: JEP 514; only Java 25 and newer has it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from consumers.local_kafka.errors import LocalKafkaError
from consumers.local_kafka.jars import CHECKSUMS
from consumers.local_kafka.java import Java
from consumers.local_kafka.launch import Launch, format_storage, wait_ready
from consumers.local_kafka.node import broker_command, nodes_of
from consumers.local_kafka.ports import free_pair
from consumers.local_kafka.process import Keep, end, spawn
from consumers.local_kafka.settings import LocalKafkaSettings


def start_cache(settings: LocalKafkaSettings, java: Java) -> Path | None:
    """Where it is, or would be; None when this Java has none."""
    if not java.has_aot_cache:
        return None
    made_for = f"{java.identity} {settings.cache} {CHECKSUMS.read_text(encoding='ascii')}"
    return settings.cache / f"start-{hashlib.sha256(made_for.encode()).hexdigest()[:16]}.aot"


def train(settings: LocalKafkaSettings, java: Java, jars: Sequence[Path], target: Path) -> None:
    """Starts a throw-away node that writes down, as it ends, what starting took."""
    for old in settings.cache.glob("start-*.aot*"):
        old.unlink(missing_ok=True)
    home = settings.cache / "training"
    shutil.rmtree(home, ignore_errors=True)
    port, controller_port = free_pair()
    trainee = settings.model_copy(
        update={"home": home, "name": "training", "port": port, "controller_port": controller_port, "brokers": 1}
    )
    (node,) = nodes_of(trainee)
    draft = target.with_suffix(".aot.new")
    try:
        format_storage(node, Launch(trainee, java, jars, None))
        command = broker_command(java, jars, node, heap_mb=settings.heap_mb, aot=None, train=draft)
        pid = spawn(command, node, keep=Keep(bound_to=os.getpid(), grace_s=30))
        try:
            wait_ready({node: pid}, trainee)
        finally:
            end((node,), grace_s=60)
        if draft.exists():
            draft.replace(target)
    except LocalKafkaError:
        return  # starting without it works, 1.2 s slower
    finally:
        for left in settings.cache.glob("start-*.aot.*"):
            left.unlink(missing_ok=True)
        shutil.rmtree(home, ignore_errors=True)
