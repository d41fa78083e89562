"""Session: the technical and conversational session of a customer with an agent. Source: SPEC-012 section 3, DESIGN 9."""

from typing import ClassVar

from pydantic import Field

from contracts.base import Contract, Instant, Name
from contracts.business_context import BusinessContext


class Session(Contract):
    """What is known of a customer's session with an agent; part of reconcile's state."""

    VERSION: ClassVar[str] = "session-v1"

    tenant_id: Name
    """Tenant of the session."""
    agent_id: Name
    """Agent of the session."""
    session_id: Name
    """As the gateway gave it; opaque."""
    channel: Name
    """Channel of the latest message."""
    locale: str = "pt-BR"
    """Locale in which the customer is answered."""
    started_at: Instant
    """Broker time of the first message."""
    last_message_at: Instant
    """Broker time of the latest message."""
    business_context: BusinessContext = Field(default_factory=BusinessContext)
    """Keys once given never change within the session."""
