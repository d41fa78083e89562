"""All of the configuration that decides behaviour: tenants, channels, agents and their tools.

Owns: the shapes of agents.yaml; who may use what. Invariants: a tool is denied unless the agent lists it.
Source: DESIGN 7 (Ingress).
"""

from typing import Literal

from pydantic import Field

from pipeline.policy.bounds import Limits, LlmPolicy, Timing
from pipeline.policy.spec import DEFAULT_LOCALE, Localized, Spec
from pipeline.policy.tool import Tool


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
