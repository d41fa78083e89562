"""The public face of pipeline.tools."""

from pipeline.tools.answers import (
    META_IDEMPOTENCY_KEY,
    META_NOT_AFTER,
    Outcome,
    ServerHealth,
    Slot,
    ToolAnswer,
    ToolClient,
    ToolRequest,
)

__all__ = [
    "META_IDEMPOTENCY_KEY",
    "META_NOT_AFTER",
    "Outcome",
    "ServerHealth",
    "Slot",
    "ToolAnswer",
    "ToolClient",
    "ToolRequest",
]
