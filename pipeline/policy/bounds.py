"""How much, how long, and what else may be asked: the parts of pipeline.yaml that decide behaviour.

Units: bytes, counts, milliseconds, as the name's end says.
"""

from typing import Literal

from pydantic import Field

from pipeline.policy.spec import Spec


class Limits(Spec):
    """Bounds of what a request may hold."""

    message_bytes: int = 16_384
    items: int = 50
    payload_bytes: int = 262_144
    waiting_max: int = 20
    """Messages of one conversation that wait while its transaction is with a stage."""
    seen_max: int = 50
    """Message ids kept per conversation to recognise duplicates."""
    deferred_max: int = 5


class Timing(Spec):
    """How long things stay open."""

    confirmation_ttl_ms: int = Field(default=900_000, ge=1_000)
    expiry_backstop_ms: int = Field(default=600_000, ge=0)
    """How long past its expiry a question stays open for reconcile to say that nothing was said in time; then confirm ends it alone."""
    collecting_ttl_ms: int = Field(default=900_000, ge=1_000)
    """A transaction that waits longer than this for a parameter is EXPIRED."""
    handed_on_ttl_ms: int = Field(default=600_000, ge=10_000)
    """Bound on how long another stage may hold a transaction before an operator is told."""
    session_retention_ms: int = Field(default=604_800_000, ge=60_000)
    """A quiet conversation is forgotten after this; keep it at least as long as gateway.requests."""
    clock_skew_ms: int = Field(default=5_000, ge=0)
    """Largest difference between the clocks of two replicas."""
    status_poll_ms: int = Field(default=1_000, ge=50)
    status_polls_max: int = Field(default=30, ge=1)
    retry_backoff_ms: int = Field(default=500, ge=0)
    call_attempts_max: int = Field(default=5, ge=1)
    """Attempts of one call altogether, whatever the policy."""
    query_budget_ms: int = Field(default=30_000, ge=100)
    """How long a tool without side effects is asked altogether, retries included: the customer waits meanwhile."""
    send_deadline_ms: int = Field(default=30_000, ge=100)
    """How long an unsent call is tried before it fails cleanly."""


class LlmPolicy(Spec):
    """What the stages may ask the AI gateway for; by default nothing. Where it is and what it costs is no business of theirs."""

    use: tuple[Literal["route", "compose"], ...] = ()
    """route: a tool and its arguments where reconcile is unsure; compose: the words of normalize's final answer."""
    timeout_ms: int = Field(default=4_000, ge=100, le=60_000)
    """Deadline of one attempt: the customer waits meanwhile."""
    attempts: int = Field(default=2, ge=1, le=5)
    """Attempts of one question altogether; then it is decided without the gateway."""

    @property
    def routes(self) -> bool:
        """Whether reconcile asks."""
        return "route" in self.use

    @property
    def composes(self) -> bool:
        """Whether normalize asks."""
        return "compose" in self.use
