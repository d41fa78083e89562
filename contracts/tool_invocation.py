"""ToolInvocation: one call of an MCP tool. Source: SPEC-012 section 8."""

from typing import Any, ClassVar

from pydantic import Field

from contracts.base import Contract, Name
from contracts.business_context import BusinessContext


class ToolInvocation(Contract):
    """Canonical call of an MCP tool, as it was sent."""

    VERSION: ClassVar[str] = "tool-invocation-v1"

    tenant_id: Name
    agent_id: Name
    tool_name: Name
    arguments: dict[str, Any] = Field(default_factory=dict)
    """Only fields of the tool's own schema."""
    business_context: BusinessContext = Field(default_factory=BusinessContext)
    """For audit; the tool never sees it raw."""
    metadata: dict[str, Any] = Field(default_factory=dict)
    """request_id, trace_id, idempotency_key, not_after."""
