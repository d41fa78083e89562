"""LLMRequest: a call of the AI gateway. Source: SPEC-012 section 10."""

from typing import Any, ClassVar

from pydantic import Field

from contracts.base import Contract, Name


class LLMMessage(Contract):
    """One chat message."""

    role: Name
    """system, user or assistant."""
    content: str
    """Text of the message."""


class LLMRequest(Contract):
    """A question to a language model: it names a profile and an operation, never a provider."""

    VERSION: ClassVar[str] = "llm-request-v1"

    tenant_id: Name
    """Tenant on whose behalf it is asked."""
    agent_id: Name
    """Agent on whose behalf it is asked."""
    profile: Name
    """Named configuration at the gateway, such as `router` or `judge`."""
    operation: Name
    """What it is for, such as `judge.response_quality`."""
    messages: list[LLMMessage] = Field(min_length=1)
    """The chat so far, at least one message."""
    metadata: dict[str, Any] = Field(default_factory=dict)
    """request_id, trace_id."""
