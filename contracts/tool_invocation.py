"""ToolInvocation: one call of an MCP tool. Source: SPEC-012 section 8."""

from typing import Any, ClassVar

from pydantic import Field

from contracts.base import Contract, Name
from contracts.business_context import BusinessContext


class ToolInvocation(Contract):
    """One call of an MCP tool, as it was sent."""

    VERSION: ClassVar[str] = "tool-invocation-v1"

    tenant_id: Name
    """Tenant of the conversation."""
    agent_id: Name
    """Agent that calls."""
    tool_name: Name
    """Name of the tool on its MCP server."""
    arguments: dict[str, Any] = Field(default_factory=dict)
    """Only fields of the tool's own schema."""
    business_context: BusinessContext = Field(default_factory=BusinessContext)
    """For audit; the tool never sees it raw."""
    metadata: dict[str, Any] = Field(default_factory=dict)
    """request_id, trace_id, idempotency_key, not_after."""
