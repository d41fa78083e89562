"""The local Kafka without a broker: what Kafka is told, which jars are trusted, which settings are refused."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

from consumers.local_kafka import LocalKafkaError, LocalKafkaSettings, load_settings, start, status, stop
from consumers.local_kafka.jars import KAFKA_VERSION, expected, unverified
from consumers.local_kafka.java import Java
from consumers.local_kafka.node import broker_command, cluster_id, nodes_of, render_properties
from consumers.local_kafka.ports import free_pair
from consumers.local_kafka.process import locked, running_node
from consumers.local_kafka.settings import PROJECT


def settings_of(home: Path, **changes: object) -> LocalKafkaSettings:
    return LocalKafkaSettings(**{"bootstrap_servers": None, "home": home, **changes})  # type: ignore[arg-type]


def properties_of(settings: LocalKafkaSettings, node: int = 0) -> dict[str, str]:
    nodes = nodes_of(settings)
    lines = render_properties(nodes[node], nodes).splitlines()
    return dict(line.split("=", 1) for line in lines)


@pytest.mark.parametrize(
    ("brokers", "node", "key", "value"),
    [
        pytest.param(1, 0, "listeners", "PLAINTEXT://127.0.0.1:19092,CONTROLLER://127.0.0.1:19093", id="loopback only"),
        pytest.param(1, 0, "auto.create.topics.enable", "false", id="no topic by accident"),
        pytest.param(1, 0, "offsets.topic.replication.factor", "1", id="one copy on one node"),
        pytest.param(1, 0, "transaction.state.log.min.isr", "1", id="transactions on one node"),
        pytest.param(1, 0, "broker.session.timeout.ms", "1500", id="soon back after a kill"),
        pytest.param(3, 2, "node.id", "3", id="the third of three"),
        pytest.param(3, 2, "advertised.listeners", "PLAINTEXT://127.0.0.1:19096", id="on its own port"),
        pytest.param(3, 0, "min.insync.replicas", "2", id="two copies of three before an answer"),
        pytest.param(
            3,
            0,
            "controller.quorum.voters",
            "1@127.0.0.1:19093,2@127.0.0.1:19095,3@127.0.0.1:19097",
            id="three vote",
        ),
    ],
)
def test_kafka_is_told(tmp_path: Path, brokers: int, node: int, key: str, value: str) -> None:
    assert properties_of(settings_of(tmp_path, brokers=brokers), node)[key] == value


def test_a_folder_with_accents_and_backslashes_is_escaped_as_java_reads_it(tmp_path: Path) -> None:
    written = properties_of(settings_of(tmp_path / "ação\\😀"))["log.dirs"]
    assert written == f"{tmp_path}/a\\u00e7\\u00e3o\\\\\\ud83d\\ude00/dev/node-1/data"


def test_a_cluster_id_is_one_that_kafka_takes_and_stays_the_same() -> None:
    ids = {cluster_id(name) for name in ("dev", "test", "demo")}
    assert all(re.fullmatch(r"A[A-Za-z0-9_-]{21}", each) for each in ids)
    assert len(ids) == 3


def test_the_broker_gets_the_start_up_cache_only_when_there_is_one(tmp_path: Path) -> None:
    (node,) = nodes_of(settings_of(tmp_path))
    java = Java(Path("/java"), 25)
    with_cache = broker_command(java, [Path("/a.jar")], node, heap_mb=512, aot=Path("/start.aot"))
    without = broker_command(java, [Path("/a.jar")], node, heap_mb=512, aot=None)
    assert "-XX:AOTCache=/start.aot" in with_cache
    assert not [flag for flag in without if "AOT" in flag]
    assert with_cache[-2:] == without[-2:] == ["kafka.Kafka", str(node.properties)]


def test_the_pinned_jars_are_one_kafka_with_its_logging() -> None:
    pinned = expected()
    names = {path.name for path in pinned}
    assert len(names) == len(pinned) == 46
    assert {f"kafka_2.13-{KAFKA_VERSION}.jar", f"kafka-clients-{KAFKA_VERSION}.jar"} <= names
    assert len([name for name in names if name.startswith("log4j-slf4j-impl-")]) == 1
    assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in pinned.values())


def test_a_jar_is_refused_when_missing_or_when_one_byte_differs(tmp_path: Path) -> None:
    wanted = {
        PurePosixPath(f"g/{name}"): hashlib.sha256(name.encode()).hexdigest() for name in ("a.jar", "b.jar", "c.jar")
    }
    (tmp_path / "a.jar").write_bytes(b"a.jar")
    (tmp_path / "b.jar").write_bytes(b"b.jaR")
    assert unverified(tmp_path, wanted) == {"b.jar": "its checksum differs", "c.jar": "missing"}


@pytest.mark.parametrize(
    ("variable", "value", "word"),
    [
        pytest.param("PIPELINE_KAFKA_PORT", "40000", "less than 32768", id="a port of the ephemeral range"),
        pytest.param("PIPELINE_KAFKA_PORT", "ninety", "integer", id="a port that is no number"),
        pytest.param("PIPELINE_KAFKA_PORT", "19093", "collide", id="the controller's port"),
        pytest.param("PIPELINE_KAFKA_NAME", "../other", "pattern", id="a name that leaves the folder"),
        pytest.param("PIPELINE_KAFKA_BROKERS", "2", "1 or 3", id="two brokers"),
        pytest.param("PIPELINE_KAFKA_HOME", "/a,b", "comma", id="a folder that Kafka reads as two"),
        pytest.param("PIPELINE_KAFKA_HEAP_MB", "8", "128", id="too small a heap"),
    ],
)
def test_a_setting_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, variable: str, value: str, word: str) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(LocalKafkaError) as refused:
        load_settings()
    assert str(refused.value).startswith(f"{variable} ")
    assert word in str(refused.value)


def test_three_nodes_need_six_ports() -> None:
    with pytest.raises(LocalKafkaError, match="collide"):
        load_settings(brokers=3, port=19092, controller_port=19094)
    with pytest.raises(LocalKafkaError, match="below 32768"):
        load_settings(brokers=3, port=32764, controller_port=32765)


def test_another_cluster_is_used_as_it_is_and_nothing_is_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    port, _ = free_pair()
    monkeypatch.setenv("KAFKA_BOOTSTRAP_SERVERS", f"127.0.0.1:{port}")
    settings = load_settings(home=tmp_path)
    kafka = start(settings)
    assert (kafka.bootstrap, kafka.external, kafka.pid) == (f"127.0.0.1:{port}", True, None)
    assert stop(settings) is False
    assert not status(settings).ready
    assert list(tmp_path.iterdir()) == []


def test_a_stale_pid_file_does_not_make_another_process_ours(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    (node,) = nodes_of(settings)
    node.folder.mkdir(parents=True)
    node.pid_file.write_text(
        json.dumps({"pid": os.getpid(), "port": node.port, "controller_port": node.controller_port})
    )
    assert running_node(node) is None
    assert stop(settings) is False


@pytest.mark.parametrize("text", ["", "nonsense", "[1]", '{"pid": "x"}'])
def test_an_unreadable_pid_file_counts_as_none(tmp_path: Path, text: str) -> None:
    (node,) = nodes_of(settings_of(tmp_path))
    node.folder.mkdir(parents=True)
    node.pid_file.write_text(text)
    assert running_node(node) is None


def test_a_folder_that_cannot_be_written_is_named_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LocalKafkaError, match=r"Not a directory: .*file.* set PIPELINE_KAFKA_HOME"):
        start(settings_of(tmp_path / "file"))


def test_a_lock_that_is_held_is_reported_within_its_bound(tmp_path: Path) -> None:
    with locked(tmp_path / ".lock", timeout_s=0), pytest.raises(LocalKafkaError, match="busy"):  # noqa: SIM117
        with locked(tmp_path / ".lock", timeout_s=0.1):
            pass
    with locked(tmp_path / ".lock", timeout_s=0):
        pass


@pytest.mark.parametrize("command", ["start", "stop", "status", "prepare"])
def test_a_command_has_help_with_an_example(command: str) -> None:
    shown = run_command(command, "--help")
    assert shown.returncode == 0
    assert "Example: " in shown.stdout


def test_a_bad_setting_is_one_sentence_and_exit_code_1() -> None:
    shown = run_command("start", PIPELINE_KAFKA_PORT="40000")
    assert shown.returncode == 1
    assert shown.stderr.strip().count("\n") == 0
    assert "PIPELINE_KAFKA_PORT" in shown.stderr
    assert "Traceback" not in shown.stderr


def run_command(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name != "KAFKA_BOOTSTRAP_SERVERS"}
    return subprocess.run(
        [sys.executable, "-m", "consumers.local_kafka", *arguments],
        env={**inherited, **variables},
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
