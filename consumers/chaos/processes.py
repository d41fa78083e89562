"""Replicas and the demo's MCP servers as processes of their own, with their logs kept.

Owns: start, signals, end; which life of which replica had which pid, and when.
Invariants: a process of ours never outlives us: its stdin is a pipe of ours (it ends when that closes), and on Linux the kernel kills
it with us, stopped or not; signals go to pids that we started and have not seen end.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from consumers.local_kafka.settings import PROJECT


@dataclass(slots=True, eq=False)
class Process:
    """One process, in its present life or none."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    logs: Path
    lives: int = 0
    started_s: float = 0.0
    """When the present life began, monotonic."""
    stopped: bool = False
    """By SIGSTOP."""
    child: "subprocess.Popen[bytes] | None" = field(default=None, repr=False)

    def start(self, **changes: str) -> None:
        """Begin a life; `changes` to its environment last for this life."""
        assert not self.alive
        self.lives += 1
        self.started_s = time.monotonic()
        self.stopped = False
        self.logs.mkdir(parents=True, exist_ok=True)
        with self.log.open("wb") as log:
            self.child = subprocess.Popen(
                self.command,
                cwd=PROJECT,
                env={**self.environment, **changes},
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def log(self) -> Path:
        """Of this life."""
        return self.logs / f"{self.name}.{self.lives}.log"

    @property
    def alive(self) -> bool:
        """Whether it has not ended; a stopped one is alive."""
        return self.child is not None and self.child.poll() is None

    @property
    def age_s(self) -> float:
        """Since its present life began."""
        return time.monotonic() - self.started_s

    @property
    def working(self) -> bool:
        """Alive and not stopped."""
        return self.alive and not self.stopped

    def send(self, number: signal.Signals) -> None:
        """Signal it, if it lives."""
        if self.child is None or not self.alive:
            return
        self.child.send_signal(number)
        if number is signal.SIGSTOP:
            self.stopped = True
        elif number is signal.SIGCONT:
            self.stopped = False

    def wait(self, seconds: float) -> int | None:
        """Wait for its end. Returns: the exit code, None when it still lives."""
        assert self.child is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.child.wait(seconds)
        return None

    def end(self, seconds: float) -> int | None:
        """SIGTERM, and SIGKILL after `seconds`. Returns: the exit code."""
        if self.child is None:
            return None
        if self.alive:
            self.send(signal.SIGCONT)
            self.send(signal.SIGTERM)
        if self.wait(seconds) is None:
            self.send(signal.SIGKILL)
        code = self.child.wait()
        if self.child.stdin is not None:
            with contextlib.suppress(OSError):
                self.child.stdin.close()
        return code


def replica(name: str, stages: Sequence[str], environment: Mapping[str, str], logs: Path) -> Process:
    """A process that runs `stages` under this replica name."""
    command = [sys.executable, "-m", "consumers.chaos.replica", "run", *stages, "--replica", name]
    return Process(name, [*command, "--log-format", "json"], environment, logs)


def demo(port: int, environment: Mapping[str, str], logs: Path) -> Process:
    """The demo's MCP servers."""
    command = [sys.executable, "-m", "consumers", "demo", "--port", str(port), "--while-stdin-open"]
    return Process("mcp", command, environment, logs)


def clean_environment(**added: str) -> dict[str, str]:
    """Ours without anything that configures a pipeline, and what is added."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PIPELINE_", "KAFKA_")) or name == "PIPELINE_KAFKA_CACHE"
    }
    return {**kept, **added}
