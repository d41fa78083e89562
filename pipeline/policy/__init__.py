"""What the configuration says, merged and checked: tenants, channels, agents, tools and how each tool may be called.

Never: reads a file. Source: DESIGN 7 (Ingress), the multi-item guide.
"""

from pipeline.policy.arguments import arguments_for, is_filled, mapped_arguments
from pipeline.policy.bounds import Limits, LlmPolicy, Timing
from pipeline.policy.installation import AgentSpec, ChannelSpec, Installation, TenantSpec
from pipeline.policy.spec import DEFAULT_LOCALE, Localized, Spec, localized
from pipeline.policy.tool import RESERVED_ARGUMENTS, Tool
from pipeline.policy.tool_files import (
    ArgumentSpec,
    ItemRetry,
    OperationType,
    PreValidation,
    Recovery,
    RoutingHints,
    ToolMapping,
    ToolPolicy,
    ToolSpec,
)

__all__ = [
    "DEFAULT_LOCALE",
    "RESERVED_ARGUMENTS",
    "AgentSpec",
    "ArgumentSpec",
    "ChannelSpec",
    "Installation",
    "ItemRetry",
    "Limits",
    "LlmPolicy",
    "Localized",
    "OperationType",
    "PreValidation",
    "Recovery",
    "RoutingHints",
    "Spec",
    "TenantSpec",
    "Timing",
    "Tool",
    "ToolMapping",
    "ToolPolicy",
    "ToolSpec",
    "arguments_for",
    "is_filled",
    "localized",
    "mapped_arguments",
]
