"""What happened, line by line: the same seed gives the same bytes.

Owns: lines and their digest. Never: renders what nobody reads; a line is made of plain values.
"""

import hashlib
from collections.abc import Callable


class Trace:
    """Lines of one run."""

    def __init__(self, time: Callable[[], float], *, keep_logs: bool = False) -> None:
        self._time = time
        self.keep_logs = keep_logs
        self.lines: list[tuple[float, str]] = []

    def add(self, line: str) -> None:
        """Write a line."""
        self.lines.append((self._time(), line))

    def text(self) -> str:
        """All of it."""
        return "\n".join(f"{at:10.4f} {line}" for at, line in self.lines)

    @property
    def digest(self) -> str:
        """SHA-256 of the text."""
        return hashlib.sha256(self.text().encode()).hexdigest()
