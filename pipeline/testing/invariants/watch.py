"""What every watcher of the promises shares: what has been seen so far, and how a broken promise is told."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from contracts.identity import conversation_key
from pipeline.testing.server import Arrival, Effect
from pipeline.testing.world import World

TERMINAL = {
    "COMPLETED",
    "FAILED",
    "OUTCOME_UNKNOWN",
    "OUT_OF_SCOPE",
    "PREVALIDATION_ERROR",
    "CANCELLED",
    "EXPIRED",
}
ENDING_EVENTS = {
    "IC.TRANSACTION_COMPLETED",
    "IC.TRANSACTION_OUTCOME_UNKNOWN",
    "IC.TRANSACTION_PREVALIDATION_REJECTED",
    "IC.TRANSACTION_PREVALIDATION_FAILED",
    "IC.TRANSACTION_CONFIRMATION_DECLINED",
    "IC.TRANSACTION_CONFIRMATION_EXPIRED",
    "IC.TRANSACTION_ABANDONED",
    "IC.TRANSACTION_REPLACED",
    "IC.TRANSACTION_EXPIRED",
}
EVENT_OF_STATUS = {
    "COMPLETED": {"IC.TRANSACTION_COMPLETED"},
    "FAILED": {"IC.TRANSACTION_COMPLETED"},
    "OUTCOME_UNKNOWN": {"IC.TRANSACTION_OUTCOME_UNKNOWN"},
    "OUT_OF_SCOPE": {"IC.TRANSACTION_PREVALIDATION_REJECTED"},
    "PREVALIDATION_ERROR": {"IC.TRANSACTION_PREVALIDATION_FAILED"},
    "CANCELLED": {"IC.TRANSACTION_CONFIRMATION_DECLINED", "IC.TRANSACTION_ABANDONED", "IC.TRANSACTION_REPLACED"},
    "EXPIRED": {"IC.TRANSACTION_CONFIRMATION_EXPIRED", "IC.TRANSACTION_EXPIRED"},
}
"""Source: DESIGN 2."""
SURELY_BEFORE_MS = 1_000
"""More than any two clocks differ."""
ALARMS = {"NOC.STAGE_RETRY", "NOC.RUNTIME_FAILED", "NOC.DLQ"}
"""Never, when nobody writes what can't be read."""

MARK = re.compile(r"(?:Alfa|Beta|Gama|Delta)(\d\d)\d\b|\bP-(\d\d)\d\d\b|(?:customer|user) of c(\d\d)\b")
"""What only one customer says; the number is the customer's."""


@dataclass(frozen=True)
class Violation(Exception):
    """A broken promise."""

    promise: str
    what: str

    def __str__(self) -> str:
        return f"{self.promise}: {self.what}"


@dataclass(slots=True)
class Told:
    """What was published of one transaction."""

    conversation: str
    ended: str | None = None
    final: dict[str, Any] | None = None
    ending_events: tuple[str, ...] = ()


@dataclass(slots=True)
class Seen:
    """What has been seen on the topics and at the servers so far."""

    allow_alarms: bool = False
    """Somebody writes what can't be read: dead letters are no violation."""
    allow_skew: bool = False
    violations: list[Violation] = field(default_factory=list)
    responses: dict[str, None] = field(default_factory=dict)
    events: dict[str, None] = field(default_factory=dict)
    sequences: dict[tuple[str, str], int] = field(default_factory=dict)
    transactions: dict[str, Told] = field(default_factory=dict)
    shown: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    """(transaction, revision) → the proposal as told on pipeline.status."""
    asked_ms: dict[tuple[str, int], int] = field(default_factory=dict)
    """Broker time at which the question of a revision was first published."""
    expired_ms: dict[str, list[int]] = field(default_factory=dict)
    """Conversation → broker times at which an expiry was told."""
    received: Counter[tuple[str, str]] = field(default_factory=Counter)
    duplicates: Counter[tuple[str, str]] = field(default_factory=Counter)
    answered: Counter[tuple[str, str]] = field(default_factory=Counter)
    items_done: dict[tuple[str, str], str] = field(default_factory=dict)
    customer_of: dict[str, str] = field(default_factory=dict)
    effects_seen: int = 0
    arrivals_seen: int = 0
    arrived: dict[str, list[Arrival]] = field(default_factory=dict)
    effects_of: dict[str, list[Effect]] = field(default_factory=dict)
    commits: int = 0
    stalls: int = 0
    """Stalls that a watchdog saw."""


class Watch:
    """Looks at a world from one side."""

    def __init__(self, world: World, seen: Seen) -> None:
        self._world = world
        self._seen = seen
        self._settings = world.settings

    def violated(self, promise: str, what: str) -> None:
        """Keep the first of each promise and stop the world."""
        self._seen.violations.append(Violation(promise, what))
        self._world.trace.add(f"VIOLATION {promise}: {what}")
        self._world.loop.stop()

    def check(self, promise: str, holds: bool, what: str) -> None:
        """Report unless it holds."""
        if not holds:
            self.violated(promise, what)

    def _owner(self, conversation: str) -> str | None:
        if conversation not in self._seen.customer_of:
            for customer in self._world.customers:
                plan = customer.plan
                self._seen.customer_of[conversation_key(plan.tenant_id, plan.agent_id, plan.session_id)] = plan.name
        return self._seen.customer_of.get(conversation)
