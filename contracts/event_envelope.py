"""EventEnvelope: IC business control points, NOC operations, GRL guardrails. Source: SPEC-012 section 13, DESIGN 8."""

from typing import Any, ClassVar

from pydantic import Field

from contracts.base import Contract, Instant, Name


class EventEnvelope(Contract):
    """One event, whatever its kind; the part of its type before the dot is its family."""

    VERSION: ClassVar[str] = "event-envelope-v1"

    event_type: Name = Field(pattern=r"^(IC|NOC|GRL)\.[A-Z0-9_.]+$")
    """Such as `IC.AGENT_COMPLETED`."""
    timestamp: Instant
    """When it was decided. UTC."""
    tenant_id: str
    """Empty only where the request itself named none."""
    agent_id: str
    """Empty only where the request itself named none."""
    session_id: str
    """As the gateway gave it; empty only where the request named none."""
    trace_id: str
    """W3C trace id, or the gateway's request id; empty where there is none."""
    payload: dict[str, Any] = Field(default_factory=dict)
    """Counts, codes and keyed hashes; never raw personal data."""
    event_id: str | None = None
    """Deterministic: a redelivered event has the same id."""
    contract_version: str | None = None
    """`event-envelope-v1`."""
    conversation_key: str | None = None
    """`tenant:agent:session`, percent-encoded."""
    message_id: str | None = None
    """The customer message that it is about."""
    transaction_id: str | None = None
    """The transaction that it is about."""
    stage: str | None = None
    """The stage that tells it."""
    sequence: int | None = None
    """Grows by one per conversation and stage; a conversation that was forgotten begins again above its old numbers."""
