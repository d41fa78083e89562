"""ToolResult: the answer of an MCP tool in one shape. Source: SPEC-012 section 9."""

from typing import Any, ClassVar

from pydantic import Field

from contracts.base import Contract, Flag, Name


class CacheInfo(Contract):
    """Whether the answer came from a cache; ours never does."""

    hit: Flag = False
    """Always false here: there is no result cache."""
    ttl_seconds: int | None = None
    """How long the answer may be kept, where a tool says so."""


class ToolResult(Contract):
    """The answer of an MCP tool, in one shape whatever the tool's own was."""

    VERSION: ClassVar[str] = "tool-result-v1"

    tool_name: Name
    """The tool that answered."""
    ok: Flag
    """False when the answer says so or carries an error without saying ok."""
    data: Any = None
    """The tool's own answer, as it came."""
    error: str | None = None
    """The tool's words for what went wrong."""
    cache: CacheInfo = Field(default_factory=CacheInfo)
    """Whether the answer came from a cache."""
    latency_ms: int = 0
    """From sending to answer, milliseconds."""
    metadata: dict[str, Any] = Field(default_factory=dict)
    """multi_item{...} after normalisation."""
