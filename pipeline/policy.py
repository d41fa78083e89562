"""What the configuration says, merged and checked: tenants, channels, agents, tools and how each tool may be called.

Owns: the shapes of agents.yaml, tools.yaml, tool_policies.yaml, mcp_parameter_mapping.yaml and routing.yaml; the stricter-wins
merge; which arguments reach a tool. Invariants: a tool is denied unless the agent lists it; unknown keys are refused with the file
and key named (by pipeline/settings, which reads the files). Never: reads a file. Source: DESIGN 7 (Ingress), the multi-item guide.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

Localized = str | dict[str, str]
"""One text for every locale, or texts by locale."""

DEFAULT_LOCALE = "pt-BR"


def localized(text: Localized | None, locale: str) -> str | None:
    """The text for a locale, else of its language, else pt-BR, else any."""
    if text is None or isinstance(text, str):
        return text
    language = locale.split("-", maxsplit=1)[0]
    for key in (locale, language, DEFAULT_LOCALE):
        if key in text:
            return text[key]
    same_language = [value for key, value in text.items() if key.split("-", maxsplit=1)[0] == language]
    candidates = [*same_language, *text.values()]
    return candidates[0] if candidates else None


class Spec(BaseModel):
    """Base of what configuration files hold: unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


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


class AgentSpec(Spec):
    """An agent in agents.yaml."""

    name: Localized = ""
    tools: tuple[str, ...]
    """Tools it may call; all others are denied."""
    locale: str = DEFAULT_LOCALE
    tenants: tuple[str, ...] | None = None
    """Tenants that have it; all when absent."""


class ChannelSpec(Spec):
    """A channel in agents.yaml."""

    format: Literal["markdown", "plain", "speech"] = "markdown"
    max_chars: int = Field(default=8_000, ge=100)
    buttons: bool = False


class TenantSpec(Spec):
    """A tenant in agents.yaml."""

    name: str = ""


class Limits(Spec):
    """Bounds of what a request may hold."""

    message_bytes: int = 16_384
    items: int = 50
    payload_bytes: int = 262_144
    waiting_max: int = 20
    """Messages of one conversation that wait while its transaction is with a stage."""
    seen_max: int = 50
    """Message ids kept per conversation to recognise duplicates."""
    deferred_max: int = 5


class Timing(Spec):
    """How long things stay open."""

    confirmation_ttl_ms: int = Field(default=900_000, ge=1_000)
    expiry_backstop_ms: int = Field(default=600_000, ge=0)
    """How long past its expiry a question stays open for reconcile to say that nothing was said in time; then confirm ends it alone."""
    collecting_ttl_ms: int = Field(default=900_000, ge=1_000)
    """A transaction that waits longer than this for a parameter is EXPIRED."""
    handed_on_ttl_ms: int = Field(default=600_000, ge=10_000)
    """Bound on how long another stage may hold a transaction before an operator is told."""
    session_retention_ms: int = Field(default=604_800_000, ge=60_000)
    """A quiet conversation is forgotten after this; keep it at least as long as gateway.requests."""
    clock_skew_ms: int = Field(default=5_000, ge=0)
    """Largest difference between the clocks of two replicas."""
    status_poll_ms: int = Field(default=1_000, ge=50)
    status_polls_max: int = Field(default=30, ge=1)
    retry_backoff_ms: int = Field(default=500, ge=0)
    call_attempts_max: int = Field(default=5, ge=1)
    """Attempts of one call altogether, whatever the policy."""
    query_budget_ms: int = Field(default=30_000, ge=100)
    """How long a tool without side effects is asked altogether, retries included: the customer waits meanwhile."""
    send_deadline_ms: int = Field(default=30_000, ge=100)
    """How long an unsent call is tried before it fails cleanly."""


class LlmPolicy(Spec):
    """What the stages may ask the AI gateway for; by default nothing. Where it is and what it costs is no business of theirs."""

    use: tuple[Literal["route", "compose"], ...] = ()
    """route: a tool and its arguments where reconcile is unsure; compose: the words of normalize's final answer."""
    timeout_ms: int = Field(default=4_000, ge=100, le=60_000)
    """Deadline of one attempt: the customer waits meanwhile."""
    attempts: int = Field(default=2, ge=1, le=5)
    """Attempts of one question altogether; then it is decided without the gateway."""

    @property
    def routes(self) -> bool:
        """Whether reconcile asks."""
        return "route" in self.use

    @property
    def composes(self) -> bool:
        """Whether normalize asks."""
        return "compose" in self.use


class Tool(Spec):
    """A tool as the stages see it: tools.yaml, policy and mapping in one."""

    name: str
    spec: ToolSpec
    policy: ToolPolicy
    mapping: dict[str, str] = Field(default_factory=dict)
    """business key → argument"""
    business_keys: tuple[str, ...] = ()
    """Those of `mapping` that must be there."""
    hints: RoutingHints = RoutingHints()

    @property
    def server(self) -> str:
        """MCP server of the tool."""
        return self.spec.mcp_server

    @property
    def operation_type(self) -> OperationType:
        """Side effects are assumed unless something says otherwise."""
        if self.policy.operation_type is not None:
            return self.policy.operation_type
        read_only = self.spec.tool_type in {"query", "validator", "status"} and not self.spec.confirmation_required
        return OperationType.READ_ONLY if read_only else OperationType.TRANSACTIONAL

    @property
    def transactional(self) -> bool:
        """Whether it has side effects."""
        return self.operation_type is OperationType.TRANSACTIONAL

    @property
    def needs_confirmation(self) -> bool:
        """The stricter of tools.yaml and tool_policies.yaml; a transactional tool of which neither speaks needs one."""
        said = [
            flag for flag in (self.spec.confirmation_required, self.policy.require_confirmation) if flag is not None
        ]
        return any(said) if said else self.transactional

    @property
    def requires(self) -> tuple[str, ...]:
        """Required arguments, in the order of tools.yaml, then of the policy, then of the mapping."""
        mapped = (self.mapping[key] for key in self.business_keys if key in self.mapping)
        return tuple(dict.fromkeys((*self.spec.requires, *self.policy.requires, *mapped)))

    @property
    def pre_validation(self) -> PreValidation | None:
        """The validator, when there is one."""
        return self.policy.pre_validation if self.policy.pre_validation and self.policy.pre_validation.enabled else None

    @property
    def recovery(self) -> Recovery:
        """What to do about an unknown outcome."""
        if self.policy.recovery is not None:
            return self.policy.recovery
        return Recovery.REPORT if self.transactional else Recovery.RETRY

    @property
    def items_argument(self) -> str | None:
        """The argument that holds the collection: the first required array, else the first array."""
        arrays = [
            name
            for name, spec in self.spec.args_schema.items()
            if spec.type == "array" and name not in RESERVED_ARGUMENTS
        ]
        required = [name for name in self.requires if name in arrays]
        candidates = [*required, *arrays]
        return candidates[0] if candidates else None

    @property
    def collected(self) -> tuple[str, ...]:
        """Arguments that come from the customer: all of the schema but the mapped and the reserved ones."""
        taken = {*self.mapping.values(), *RESERVED_ARGUMENTS}
        return tuple(name for name in self.spec.args_schema if name not in taken)

    def business_fields(self, arguments: Iterable[str]) -> list[str]:
        """Fields of a GatewayRequest that the mapping fills these arguments from."""
        wanted = set(arguments)
        return [f"payload.business_context.{key}" for key, argument in self.mapping.items() if argument in wanted]

    def operation(self, locale: str) -> str:
        """Noun of what is done; the description when none is configured."""
        return localized(self.spec.operation, locale) or localized(self.spec.description, locale) or self.name


RESERVED_ARGUMENTS = frozenset(
    {"source_text", "locale", "target_tool", "idempotency_key", "item_keys", "confirmed", "confirmation"}
)
"""Arguments the pipeline fills itself, where a tool's schema declares them; never taken from a caller."""


def is_filled(value: Any) -> bool:
    """Whether a value counts as given: 0 and false do; blanks, also inside a list, do not."""
    if value is None:
        return False
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, (list, tuple)):
        return bool(value) and all(is_filled(element) for element in value)
    if isinstance(value, Mapping):
        return bool(value) and any(is_filled(element) for element in value.values())
    return True


class Installation(Spec):
    """All of the configuration that decides behaviour."""

    tenants: dict[str, TenantSpec]
    channels: dict[str, ChannelSpec]
    agents: dict[str, AgentSpec]
    tools: dict[str, Tool]
    default_tenant: str | None = None
    """Fills a missing tenant_id only where configured."""
    default_agent_id: str | None = None
    """Fills a missing agent_id only where configured (global routing)."""
    timezone: str = "America/Sao_Paulo"
    event_hash_key: str = "change-me"
    """Key of the hashes under which personal data appears in events."""
    limits: Limits = Limits()
    timing: Timing = Timing()
    llm: LlmPolicy = LlmPolicy()

    def tools_of(self, agent_id: str) -> tuple[Tool, ...]:
        """Enabled tools an agent may call for a customer (validators and status tools are not asked for by customers)."""
        agent = self.agents.get(agent_id)
        if agent is None:
            return ()
        tools = (self.tools[name] for name in agent.tools if name in self.tools)
        return tuple(tool for tool in tools if tool.spec.enabled and tool.spec.tool_type in {"action", "query"})

    def tool_for(self, agent_id: str, name: str) -> Tool | None:
        """The tool when the agent lists it and it is enabled, else None: denied."""
        agent = self.agents.get(agent_id)
        tool = self.tools.get(name)
        if agent is None or tool is None or not tool.spec.enabled or name not in agent.tools:
            return None
        return tool

    def agent_allowed(self, agent_id: str, tenant_id: str) -> bool:
        """Whether the tenant has the agent."""
        agent = self.agents.get(agent_id)
        return agent is not None and (agent.tenants is None or tenant_id in agent.tenants)

    def confirmation_ttl_ms(self, tool: Tool) -> int:
        """How long a question of this tool stays open."""
        return tool.policy.confirmation_ttl_ms or self.timing.confirmation_ttl_ms


def mapped_arguments(tool: Tool, business_context: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments that the mapping fills from the business context; tools never see it raw."""
    return {
        argument: business_context[key]
        for key, argument in tool.mapping.items()
        if is_filled(business_context.get(key)) and argument not in RESERVED_ARGUMENTS
    }


def arguments_for(
    tool: Tool, arguments: Mapping[str, Any], business_context: Mapping[str, Any], **reserved: Any
) -> dict[str, Any]:
    """All that is sent: explicit > mapped > default, only fields of the tool's schema; reserved ones where it declares them."""
    declared = {*tool.spec.args_schema, *tool.mapping.values()}
    defaults = {
        name: spec.model_extra["default"]
        for name, spec in tool.spec.args_schema.items()
        if spec.model_extra and "default" in spec.model_extra
    }
    explicit = {
        name: value
        for name, value in arguments.items()
        if name in declared and name not in RESERVED_ARGUMENTS and is_filled(value)
    }
    own = {name: value for name, value in reserved.items() if name in tool.spec.args_schema and value is not None}
    return {**defaults, **mapped_arguments(tool, business_context), **explicit, **own}
