"""Ends a node when the process it was started for has ended, however that one ended; a program of its own.

Called as `python -I -S guard.py WATCHED NODE GRACE_SECONDS` and outlives neither for long: it exits with the node.
Never: imports from this project, so that it starts in a few ms and stays small.
Rejected: PR_SET_PDEATHSIG on the JVM: it fires when the *thread* that started it ends, and only on Linux.
"""

import contextlib
import os
import select
import signal
import sys
import time

POLL_S = 0.2


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


def wait_any(*processes: _Process, seconds: float | None = None) -> None:
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


def main(watched_pid: int, node_pid: int, grace_seconds: float) -> None:
    """Waits; then SIGTERM, the grace, SIGKILL."""
    watched, node = _Process(watched_pid), _Process(node_pid)
    wait_any(watched, node)
    if not node.ended():
        node.send(signal.SIGTERM)
        wait_any(node, seconds=grace_seconds)
    if not node.ended():
        node.send(signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
