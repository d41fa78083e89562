"""ToolResult: the answer of an MCP tool in one shape. Source: SPEC-012 section 9."""

from typing import Any, ClassVar

from pydantic import Field

from contracts.base import Contract, Flag, Name


class CacheInfo(Contract):
    """Whether the answer came from a cache; ours never does (DESIGN 7, Execute)."""

    hit: Flag = False
    ttl_seconds: int | None = None


class ToolResult(Contract):
    """Canonical answer of an MCP tool."""

    VERSION: ClassVar[str] = "tool-result-v1"

    tool_name: Name
    ok: Flag
    """False when the answer says so or carries an error without saying ok."""
    data: Any = None
    """The tool's own answer, as it came."""
    error: str | None = None
    cache: CacheInfo = Field(default_factory=CacheInfo)
    latency_ms: int = 0
    metadata: dict[str, Any] = Field(default_factory=dict)
    """multi_item{...} after normalisation."""
