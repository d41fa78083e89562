"""Loopback ports: who has one, and which are free.

Invariants: looks only below 32768, where no outgoing connection takes a port away between a look and its use.
"""

from __future__ import annotations

import random
import socket

FIRST, END = 20000, 32768


def is_free(port: int) -> bool:
    """Whether a server could listen on 127.0.0.1:port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Java does: TIME_WAIT does not count
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def is_open(host: str, port: int) -> bool:
    """Whether something accepts connections there."""
    try:
        socket.create_connection((host, port), timeout=0.5).close()
    except OSError:
        return False
    return True


def free_pair() -> tuple[int, int]:
    """(clients, controller); chosen at random, so that two who look at once seldom meet."""
    while True:
        port = random.randrange(FIRST, END - 5, 2)
        if all(map(is_free, range(port, port + 6))):  # room for three nodes
            return port, port + 1
