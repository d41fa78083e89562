"""Watches one node: brings it back when it is killed, ends it when the process it was started for ends.

A program of its own, started with the node: `python -I -S keeper.py FOLDER`, its orders as JSON on stdin.
Owns: telling a death from a stop. Who stops a node leaves the file `stopping` first; who starts it again puts another
pid into the pid file; in both cases, and after five deaths in a row within moments, the keeper goes.
Invariants: a node is brought back only under the lock that start and stop hold, so never twice.
Never: imports from this project, so that it starts in a few ms and stays small (8 MB).
Rejected: PR_SET_PDEATHSIG on the JVM: it fires when the *thread* that started it ends, and only on Linux.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

POLL_S = 0.2
QUICK_DEATH_S = 10
QUICK_DEATHS = 5


class _Process:
    """A process by pidfd where the system has it (nothing can be mistaken for it), else by number."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.fd: int | None = None
        self.gone = False
        if hasattr(os, "pidfd_open"):
            try:
                self.fd = os.pidfd_open(pid)
            except ProcessLookupError:
                self.gone = True
            except OSError:  # an old kernel
                self.fd = None

    def ended(self) -> bool:
        if self.gone:
            return True
        if self.fd is not None:
            return bool(select.select([self.fd], [], [], 0)[0])
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        return False

    def send(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            if self.fd is not None and hasattr(signal, "pidfd_send_signal"):
                signal.pidfd_send_signal(self.fd, number)
            elif not self.gone:
                os.kill(self.pid, number)

    def close(self) -> None:
        if self.fd is not None:
            os.close(self.fd)


def _wait_any(*processes: _Process, seconds: float | None = None) -> None:
    """Until one has ended, or `seconds` have passed."""
    deadline = None if seconds is None else time.monotonic() + seconds
    fds = [process.fd for process in processes if process.fd is not None]
    blind = len(fds) < len(processes)
    while not any(process.ended() for process in processes):
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            return
        pause = min(POLL_S, left or POLL_S) if blind else left
        select.select(fds, [], [], pause)


def _end(node: _Process, grace_s: float) -> None:
    node.send(signal.SIGTERM)
    _wait_any(node, seconds=grace_s)
    if not node.ended():
        node.send(signal.SIGKILL)


def _bring_back(folder: Path, orders: dict[str, Any], dead_pid: int) -> subprocess.Popen[bytes] | None:
    """None: it was stopped, or somebody else has brought it back."""
    stopping, pid_file = folder / "stopping", folder / "kafka.pid"
    with Path(orders["lock"]).open("ab") as lock:
        while True:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            if stopping.exists():  # whoever stops it holds the lock and waits for us
                return None
            time.sleep(0.02)  # flock can wait for the lock alone, not for the lock or for `stopping`
        try:
            record = json.loads(pid_file.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None
        if stopping.exists() or record["pid"] != dead_pid:
            return None
        with (folder / "console.log").open("ab") as console:
            node = subprocess.Popen(
                orders["command"],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                cwd=folder,
                start_new_session=True,
            )
        draft = pid_file.with_suffix(".new")
        draft.write_text(json.dumps({**record, "pid": node.pid}), encoding="ascii")
        draft.replace(pid_file)
        return node


def main(folder: Path, orders: dict[str, Any]) -> None:
    """Until the node is stopped, or given up."""
    watched = [_Process(orders["bound_to"])] if orders["bound_to"] is not None else []
    node, child = _Process(orders["pid"]), None
    deaths, since = 0, time.monotonic()
    while True:
        _wait_any(node, *watched)
        if not node.ended():
            _end(node, orders["grace_s"])
            return
        if child is not None:
            child.wait()
        node.close()
        now = time.monotonic()
        deaths, since = (deaths + 1 if now - since < QUICK_DEATH_S else 0), now
        if not orders["restart"] or deaths >= QUICK_DEATHS or any(process.ended() for process in watched):
            return
        child = _bring_back(folder, orders, node.pid)
        if child is None:
            return
        node = _Process(child.pid)


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.load(sys.stdin))
