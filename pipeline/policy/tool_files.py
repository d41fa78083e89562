"""What the files say of one tool: tools.yaml, tool_policies.yaml, mcp_parameter_mapping.yaml, routing.yaml.

Owns: the shapes. Never: decides which file wins (pipeline/policy/tool does). Source: DESIGN 7 (Ingress), the multi-item guide.
"""

from enum import StrEnum
from typing import Any, Literal

from pydantic import ConfigDict, Field, field_validator

from pipeline.policy.spec import Localized, Spec, localized


class ArgumentSpec(Spec):
    """An argument of a tool, in `args_schema`: JSON Schema plus what the customer is asked with."""

    model_config = ConfigDict(frozen=True, extra="allow", use_attribute_docstrings=True)

    type: str = "string"
    """A JSON Schema type, `date` or `enum`; `list` means array."""
    label: Localized | None = None
    description: Localized | None = None
    user_prompt: Localized | None = None
    """The question for this argument."""
    known_values: tuple[str, ...] = ()
    """Names that are kept whole, even with a separator inside."""
    items: dict[str, Any] | None = None
    """Schema of an array's elements."""
    free_text: bool = False
    """The customer's words are the value (a reason, a complaint)."""

    @field_validator("type")
    @classmethod
    def _list_is_array(cls, value: str) -> str:
        return "array" if value == "list" else value

    def schema_for(self, locale: str) -> dict[str, Any]:
        """JSON-Schema-like mapping for coercion and for reading answers."""
        raw = self.model_dump(exclude_none=True, exclude={"user_prompt", "label", "description", "known_values"})
        return {
            **raw,
            "label": localized(self.label, locale),
            "description": localized(self.description, locale),
            "known_values": list(self.known_values),
        }


class ToolSpec(Spec):
    """A tool in tools.yaml."""

    description: Localized = ""
    mcp_server: str
    enabled: bool = True
    tool_type: Literal["action", "query", "validator", "status"] = "action"
    confirmation_required: bool | None = None
    requires: tuple[str, ...] = ()
    args_schema: dict[str, ArgumentSpec] = Field(default_factory=dict)
    operation: Localized | None = None
    """Noun of what is done, such as cancelamento: used in questions and to read replies."""
    offer: Localized | None = None
    """How it is offered ("I can help with …"), such as cancelamento de produtos; the operation where it is not given."""
    timeout_ms: int = Field(default=10_000, ge=50, le=600_000)
    """Deadline of one call."""


class OperationType(StrEnum):
    """Whether a tool has side effects."""

    TRANSACTIONAL = "transactional"
    READ_ONLY = "read_only"


class Recovery(StrEnum):
    """What to do about an unknown outcome."""

    RETRY = "retry"
    STATUS = "status"
    REPORT = "report"


class PreValidation(Spec):
    """The validator of a tool."""

    enabled: bool = True
    tool: str = ""
    fail_open: bool = False
    """Go on unvalidated when the validator can't be reached; never on a refusal or a malformed answer."""


class ItemRetry(Spec):
    """Which failed items are tried again before the answer."""

    reasons: tuple[str, ...] = ()
    max_attempts: int = Field(default=2, ge=1, le=10)
    """Calls altogether, the first included."""
    backoff_ms: int = Field(default=500, ge=0, le=60_000)


class ToolPolicy(Spec):
    """A tool in tool_policies.yaml."""

    operation_type: OperationType | None = None
    require_confirmation: bool | None = None
    requires: tuple[str, ...] = ()
    pre_validation: PreValidation | None = None
    recovery: Recovery | None = None
    status_tool: str | None = None
    item_retry: ItemRetry | None = None
    confirmation_ttl_ms: int | None = Field(default=None, ge=1_000)


class ToolMapping(Spec):
    """A tool in mcp_parameter_mapping.yaml: business key → argument."""

    map: dict[str, str] = Field(default_factory=dict)
    required: tuple[str, ...] = ()
    """Business keys without which the tool is not called: the customer is told at once, and operations which field is missing."""


class RoutingHints(Spec):
    """A tool in routing.yaml."""

    keywords: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
