"""A tool as the stages see it: what the files say of it, merged.

Owns: the merge. Invariants: the stricter of two files wins; side effects are assumed unless something says otherwise.
Source: DESIGN 7 (Ingress), the multi-item guide.
"""

from collections.abc import Iterable

from pydantic import Field

from pipeline.policy.spec import Spec, localized
from pipeline.policy.tool_files import OperationType, PreValidation, Recovery, RoutingHints, ToolPolicy, ToolSpec

RESERVED_ARGUMENTS = frozenset(
    {"source_text", "locale", "target_tool", "idempotency_key", "item_keys", "confirmed", "confirmation"}
)
"""Arguments the pipeline fills itself, where a tool's schema declares them; never taken from a caller."""


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
