"""The broker of the test session itself: one for all workers, and nothing left when they are done."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from consumers.local_kafka.settings import PROJECT
from tests.integration.shared_kafka import HOME

pytestmark = pytest.mark.kafka

SUITE = """
import os, pathlib, time, pytest
from tests.integration.conftest import kafka

@pytest.mark.parametrize("n", range(6))
def test_says_where(kafka, n):
    said = pathlib.Path(os.environ["SAID"])
    with said.open("a") as file:
        file.write(f"{kafka} {os.getpid()}\\n")
    while len({line.split()[1] for line in said.read_text().splitlines()}) < 2:
        time.sleep(0.05)  # until both workers are there: the broker ends with the last one that uses it
"""


def test_workers_share_one_broker_that_ends_with_their_session(tmp_path: Path) -> None:
    (tmp_path / "test_where.py").write_text(SUITE)
    said = tmp_path / "said"
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "KAFKA_"))}
    session = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "--rootdir", str(tmp_path), str(tmp_path)],
        cwd=tmp_path,
        env={**variables, "PYTHONPATH": str(PROJECT), "SAID": str(said)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    output, _ = session.communicate(timeout=100)

    assert session.returncode == 0, output
    lines = [line.split() for line in said.read_text().splitlines()]
    assert len(lines) == 6
    assert len({bootstrap for bootstrap, _ in lines}) == 1
    assert len({worker for _, worker in lines}) == 2
    assert not (HOME / str(session.pid)).exists()
    assert not any(str(HOME / str(session.pid)) in line for line in command_lines())


def test_the_session_has_a_broker(kafka: str) -> None:
    assert kafka.startswith("127.0.0.1:") or kafka == os.environ["KAFKA_BOOTSTRAP_SERVERS"]


def command_lines() -> list[str]:
    return [" ".join(process.info["cmdline"] or []) for process in psutil.process_iter(["cmdline"])]
