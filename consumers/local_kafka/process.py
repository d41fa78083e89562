"""A node as a process: started apart from its terminal, known again later, ended within a bound.

Owns: the pid file. It is a hint only: a pid counts when that process's command line names this node's server.properties.
Invariants: SIGTERM first, SIGKILL after the bound; whoever asked returns when the process is gone.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from consumers.local_kafka.errors import LocalKafkaError
from consumers.local_kafka.node import Node

GUARD = Path(__file__).with_name("guard.py")
_POLL_S = 0.02

_children: dict[int, subprocess.Popen[bytes]] = {}
"""Nodes started by this process, by pid: they must be waited for here, or stay as zombies."""
_guards: dict[int, subprocess.Popen[bytes]] = {}
"""By the pid of the node."""


@dataclass(frozen=True, slots=True)
class RunningNode:
    """What the pid file says, checked against the process."""

    pid: int
    port: int
    controller_port: int


def running_node(node: Node) -> RunningNode | None:
    """The live process of this node; None for a stale pid file, whoever has that pid now."""
    try:
        running = RunningNode(**json.loads(node.pid_file.read_text(encoding="ascii")))
    except (OSError, ValueError, TypeError):
        return None
    return running if is_node(running.pid, node) else None


def is_node(pid: int, node: Node) -> bool:
    """A zombie is not: it has no command line any more."""
    return os.fsencode(node.properties) in _command_line(pid)


def spawn(command: Sequence[str], node: Node, *, bound_to: int | None, grace_s: float) -> int:
    """Starts the node in a session of its own (Ctrl-C in a terminal is not for it); returns its pid.

    bound_to: a guard ends the node when that process ends.
    """
    shutil.rmtree(node.temp, ignore_errors=True)
    node.temp.mkdir(parents=True)
    with node.console.open("wb") as console:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=subprocess.STDOUT,
            cwd=node.folder,
            env=java_environment(),
            start_new_session=True,
        )
    _children[child.pid] = child
    while child.poll() is None and not is_node(child.pid, node):
        time.sleep(0.001)  # in the first moment after exec a process has no command line yet
    text = json.dumps({"pid": child.pid, "port": node.port, "controller_port": node.controller_port})
    draft = node.pid_file.with_suffix(".new")
    draft.write_text(text, encoding="ascii")
    draft.replace(node.pid_file)
    if bound_to is not None:
        guard = [sys.executable, "-I", "-S", str(GUARD), str(bound_to), str(child.pid), str(grace_s)]
        quiet = subprocess.DEVNULL
        _guards[child.pid] = subprocess.Popen(guard, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
    return child.pid


def java_environment() -> dict[str, str]:
    """Ours, in UTF-8: in a plain C locale a JVM cannot open a path with an accent."""
    return {**os.environ, "LC_ALL": "C.UTF-8"}


def exit_code(pid: int) -> int | None:
    """Of a node that this process started and that has ended."""
    child = _children.get(pid)
    return child.poll() if child else None


def end(nodes: Iterable[Node], *, grace_s: float) -> bool:
    """SIGTERM, after the grace SIGKILL; no grace: SIGKILL at once. Returns when all are gone; True when any was running.

    All get the signal together: stopped one after another, the last of three has no quorum to leave and hangs.
    """
    running = {node: found.pid for node in nodes if (found := running_node(node))}
    if grace_s > 0:
        _signal(running, signal.SIGTERM)
    left = _wait_gone(running, grace_s)
    _signal(left, signal.SIGKILL)
    stuck = _wait_gone(left, 10)
    for node in running:
        node.pid_file.unlink(missing_ok=True)
    if stuck:
        raise LocalKafkaError(
            f"The local Kafka does not end, not even by SIGKILL: see pid {next(iter(stuck.values()))}."
        )
    _wait_guards(running.values())
    return bool(running)


@contextlib.contextmanager
def locked(path: Path, *, timeout_s: float) -> Iterator[None]:
    """One process at a time; the lock is the kernel's, so a killed holder leaves nothing behind.

    Raises:
        LocalKafkaError: another process held it for all of timeout_s.

    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        deadline = time.monotonic() + timeout_s
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise LocalKafkaError(
                        f"Another process has been busy with this local Kafka for {timeout_s:.0f} s ({path}): "
                        "wait for it or end it, then try again."
                    ) from None
                time.sleep(_POLL_S)
        yield


def _signal(nodes: dict[Node, int], number: signal.Signals) -> None:
    for node, pid in nodes.items():
        if is_node(pid, node):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)


def _wait_gone(nodes: dict[Node, int], seconds: float) -> dict[Node, int]:
    deadline = time.monotonic() + seconds
    left = dict(nodes)
    while left and time.monotonic() < deadline:
        for pid in left.values():
            exit_code(pid)  # takes note of its end
        left = {node: pid for node, pid in left.items() if is_node(pid, node)}
        if left:
            time.sleep(_POLL_S)
    return left


def _wait_guards(pids: Iterable[int]) -> None:
    """They end with their node, within ms."""
    for pid in pids:
        if guard := _guards.pop(pid, None):
            with contextlib.suppress(subprocess.TimeoutExpired):
                guard.wait(timeout=2)


def _command_line(pid: int) -> bytes:
    proc = Path("/proc")
    if (proc / "self").exists():
        try:
            return (proc / str(pid) / "cmdline").read_bytes()
        except OSError:
            return b""
    answer = subprocess.run(["ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, check=False)
    return answer.stdout
