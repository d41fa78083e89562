"""Who listens on a local port, as far as the machine tells: for the sentence about a port that is taken.

Never: fails; where the system has no /proc (macOS), or the process is somebody else's, nothing is said. Source: proc(5), /proc/net/tcp.
"""

import contextlib
from pathlib import Path

PROC = Path("/proc")
LISTENING = "0A"
COMMAND_MAX = 80


def holder_of(port: int, proc: Path = PROC) -> str:
    """Such as "pid 4711: python -m consumers dev"; empty when it can't be told."""
    sockets = _listening(port, proc)
    if not sockets:
        return ""
    for process in proc.iterdir():
        if not process.name.isdigit():
            continue
        with contextlib.suppress(OSError):  # it has ended, or is somebody else's
            if any(str(link.readlink()) in sockets for link in (process / "fd").iterdir()):
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
                return f"pid {process.name}: {command[:COMMAND_MAX]}"
    return ""


def _listening(port: int, proc: Path) -> set[str]:
    """Sockets that listen on the port, as the descriptors of their process name them."""
    found = set()
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            for line in (proc / "net" / table).read_text("ascii").splitlines()[1:]:
                fields = line.split()
                if fields[3] == LISTENING and int(fields[1].rsplit(":", 1)[1], 16) == port:
                    found.add(f"socket:[{fields[9]}]")
    return found
