"""A node as a process: started apart from its terminal, known again later, ended within a bound.

Owns: the pid file. It is a hint only: a pid counts when that process's command line names this node's server.properties.
A node that is bound to a process, or to be brought back when killed, has a keeper beside it (see keeper).
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
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from consumers.local_kafka.errors import LocalKafkaError
from consumers.local_kafka.node import Node

KEEPER = Path(__file__).with_name("keeper.py")
_POLL_S = 0.02

_children: dict[int, subprocess.Popen[bytes]] = {}
"""Nodes started by this process, by pid; keepers likewise: they must be waited for here, or stay as zombies."""
_keepers: dict[int, subprocess.Popen[bytes]] = {}


@dataclass(frozen=True, slots=True)
class RunningNode:
    """What the pid file says, checked against the process."""

    pid: int
    port: int
    controller_port: int
    keeper: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """What the keeper of a node is to do; nothing: no keeper."""

    bound_to: int | None = None
    """End the node when the process of this pid has ended."""
    restart: bool = False
    """Start it again when it was killed."""
    grace_s: float = 10
    """From SIGTERM to SIGKILL."""


def running_node(node: Node) -> RunningNode | None:
    """The live process of this node; None for a stale pid file, whoever has that pid now."""
    noted = _read(node)
    return noted if noted and is_node(noted.pid, node) else None


def is_node(pid: int, node: Node) -> bool:
    """A zombie is not: it has no command line any more."""
    return os.fsencode(node.properties) in _command_line(pid)


def spawn(command: Sequence[str], node: Node, *, keep: Keep) -> int:
    """Starts the node in a session of its own (Ctrl-C in a terminal is not for it); returns its pid."""
    shutil.rmtree(node.temp, ignore_errors=True)
    node.temp.mkdir(parents=True)
    node.stopping.unlink(missing_ok=True)
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
    running = RunningNode(child.pid, node.port, node.controller_port)
    _write(node, running)
    if keep.bound_to is not None or keep.restart:
        _write(node, replace(running, keeper=_spawn_keeper(command, node, child.pid, keep)))
    return child.pid


def _spawn_keeper(command: Sequence[str], node: Node, pid: int, keep: Keep) -> int:
    keeper = subprocess.Popen(
        [sys.executable, "-I", "-S", str(KEEPER), str(node.folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=node.folder,
        env=java_environment(),
        start_new_session=True,
    )
    _keepers[keeper.pid] = keeper
    orders = {**asdict(keep), "pid": pid, "command": list(command), "lock": str(lock_of(node.folder.parent))}
    assert keeper.stdin is not None
    with keeper.stdin as stdin:
        stdin.write(json.dumps(orders).encode("ascii"))
    return keeper.pid


def _read(node: Node) -> RunningNode | None:
    try:
        return RunningNode(**json.loads(node.pid_file.read_text(encoding="ascii")))
    except (OSError, ValueError, TypeError):
        return None


def _write(node: Node, running: RunningNode) -> None:
    draft = node.pid_file.with_suffix(".new")
    draft.write_text(json.dumps(asdict(running)), encoding="ascii")
    draft.replace(node.pid_file)


def lock_of(data: Path) -> Path:
    """Held by whoever starts or stops nodes of one name."""
    return data / ".lock"


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
    noted = {node: _read(node) for node in nodes}
    for node in noted:
        if node.folder.exists():
            node.stopping.touch()  # for its keeper
    running = {node: its.pid for node, its in noted.items() if its and is_node(its.pid, node)}
    if grace_s > 0:
        _signal(running, signal.SIGTERM)
    left = _wait_gone(running, grace_s)
    _signal(left, signal.SIGKILL)
    if stuck := _wait_gone(left, 10):
        raise LocalKafkaError(
            f"The local Kafka does not end, not even by SIGKILL: see pid {next(iter(stuck.values()))}."
        )
    for node, its in noted.items():
        _wait_keeper(its.keeper if its else None)
        node.pid_file.unlink(missing_ok=True)
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
                time.sleep(_POLL_S)  # flock knows no time limit
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
            time.sleep(_POLL_S)  # mostly not our children, so there is no wait() for their end
    return left


def _wait_keeper(pid: int | None) -> None:
    """It goes with its node, within ms; a second is for a machine that has other things to do."""
    deadline = time.monotonic() + 1
    while pid is not None and time.monotonic() < deadline:
        if own := _keepers.get(pid):
            own.poll()
        if os.fsencode(KEEPER) not in _command_line(pid):
            return
        time.sleep(0.005)  # it may be the child of an earlier command, which wait() does not know


def _command_line(pid: int) -> bytes:
    proc = Path("/proc")
    if (proc / "self").exists():
        try:
            return (proc / str(pid) / "cmdline").read_bytes()
        except OSError:
            return b""
    answer = subprocess.run(["ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, check=False)
    return answer.stdout
