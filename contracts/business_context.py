"""BusinessContext: who the customer is to the business, free of any channel's format. Source: SPEC-012 section 6."""

from typing import Any, ClassVar

from pydantic import Field

from contracts.base import Contract

BUSINESS_KEYS = ("customer_key", "contract_key", "interaction_key", "account_key", "resource_key", "session_key")
"""The keys that a mapping may hand to a tool, and that never change within a session."""


class BusinessContext(Contract):
    """Business identity of a conversation; tools see it only through mcp_parameter_mapping.yaml."""

    VERSION: ClassVar[str] = "business-context-v1"

    customer_key: str | None = None
    """The customer, such as a phone line or a document number: personal data, never in an event."""
    contract_key: str | None = None
    """The contract or invoice the conversation is about."""
    interaction_key: str | None = None
    """The interaction in the channel's own system, such as a call id."""
    account_key: str | None = None
    """The billing account."""
    resource_key: str | None = None
    """The resource (line, asset) the conversation is about."""
    session_key: str | None = None
    """The session in the business's own system."""
    metadata: dict[str, Any] = Field(default_factory=dict)
    """Anything else about the origin, such as source_channel."""
