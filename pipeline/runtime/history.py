"""What a number's earlier tasks in this process teach the next one; kept by the task manager.

Owns: how often it failed since it last got anywhere, which input is to blame, the runtime events that are still to be written.
Invariants: only a commit clears a count; an input is to blame only when the batch that the broker refused held it alone.
Source: DESIGN 4 (Transactions: a batch that fails twice is run record by record).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True, kw_only=True)
class History:
    """Of one number."""

    takeovers: int = 0
    """Tasks this number has had in this process."""
    failures: int = 0
    """Restarts since the last commit."""
    failed_batches: int = 0
    """Restarts since the last commit of an input: from two on, inputs are decided one by one."""
    poison: dict[str, int] = field(default_factory=dict)
    """Position → commits of it alone that the broker refused for their content."""
    alone: str | None = None
    """Position of the only input in the batch that failed last."""
    notes: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """Runtime events for the next transaction."""

    @property
    def one_by_one(self) -> bool:
        """Whether inputs are to be decided alone, so that the one that fails can be told."""
        return self.failed_batches >= 2

    def refusals(self, position: str) -> int:
        """How often the broker refused what this input alone made."""
        return self.poison.get(position, 0)

    def failed(self, *, poison: bool) -> None:
        """A task ended. `poison`: the broker refused its records for their content."""
        self.failures += 1
        self.failed_batches += 1
        if poison and self.alone is not None:
            self.poison[self.alone] = self.refusals(self.alone) + 1
        self.alone = None  # the next failure may come before a batch does

    def committed(self, positions: Iterable[str], *, notes: int) -> None:
        """A transaction of these inputs, and of the first `notes` events, is over."""
        del self.notes[:notes]
        self.failures = 0
        for position in positions:
            # Events of the runtime alone prove nothing: a new task writes them before it meets the input that failed.
            self.failed_batches = 0
            self.poison.pop(position, None)
