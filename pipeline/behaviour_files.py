"""The behaviour files of config/, read and merged into an Installation.

Owns: the shapes of agents.yaml, tools.yaml, tool_policies.yaml, mcp_parameter_mapping.yaml and routing.yaml; checks that span files;
the warnings of `config check`. Invariants: all problems are told at once, each with file, key and the way out. Source: DESIGN 7 (Config).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError

from pipeline.policy import (
    AgentSpec,
    ChannelSpec,
    Installation,
    RoutingHints,
    Spec,
    TenantSpec,
    Tool,
    ToolMapping,
    ToolPolicy,
    ToolSpec,
)
from pipeline.settings import CONFIG_DIR, ConfigurationError, PipelineSettings, explain, meant, read_yaml

SpecT = TypeVar("SpecT", bound=Spec)


class AgentsFile(Spec):
    """agents.yaml."""

    tenants: dict[str, TenantSpec]
    channels: dict[str, ChannelSpec]
    agents: dict[str, AgentSpec]


class ToolsFile(Spec):
    """tools.yaml."""

    tools: dict[str, ToolSpec]


class PoliciesFile(Spec):
    """tool_policies.yaml."""

    tool_policies: dict[str, ToolPolicy] = Field(default_factory=dict)


class MappingFile(Spec):
    """mcp_parameter_mapping.yaml."""

    tools: dict[str, ToolMapping] = Field(default_factory=dict)


class RoutingFile(Spec):
    """routing.yaml."""

    tools: dict[str, RoutingHints] = Field(default_factory=dict)


def _read(directory: Path, name: str, model: type[SpecT], problems: list[str]) -> SpecT | None:
    path = directory / name
    try:
        return model.model_validate(read_yaml(path))
    except ConfigurationError as error:
        problems += error.problems
    except ValidationError as error:
        problems += explain(path, error, model=model)
    return None


def load_installation(settings: PipelineSettings, directory: Path = CONFIG_DIR) -> Installation:
    """Read and merge the behaviour files. Raises: ConfigurationError with every problem found."""
    problems: list[str] = []
    agents = _read(directory, "agents.yaml", AgentsFile, problems)
    tools = _read(directory, "tools.yaml", ToolsFile, problems)
    policies = _read(directory, "tool_policies.yaml", PoliciesFile, problems)
    mapping = _read(directory, "mcp_parameter_mapping.yaml", MappingFile, problems)
    routing = _read(directory, "routing.yaml", RoutingFile, problems)
    if not (agents and tools and policies and mapping and routing):
        raise ConfigurationError(problems)
    merged = {
        name: Tool(
            name=name,
            spec=spec,
            policy=policies.tool_policies.get(name, ToolPolicy()),
            mapping=mapping.tools.get(name, ToolMapping()).map,
            business_keys=mapping.tools.get(name, ToolMapping()).required,
            hints=routing.tools.get(name, RoutingHints()),
        )
        for name, spec in tools.tools.items()
    }
    for file, names in (
        ("tool_policies.yaml: tool_policies", policies.tool_policies),
        ("mcp_parameter_mapping.yaml: tools", mapping.tools),
        ("routing.yaml: tools", routing.tools),
    ):
        problems += [
            _sentence(f"{directory / file}.{name}: no such tool in tools.yaml", meant(name, merged))
            for name in names
            if name not in merged
        ]
    installation = Installation(
        tenants=agents.tenants,
        channels=agents.channels,
        agents=agents.agents,
        tools=merged,
        default_tenant=settings.default_tenant,
        default_agent_id=settings.default_agent_id,
        timezone=settings.timezone,
        event_hash_key=settings.event_hash_key,
        limits=settings.limits,
        timing=settings.timing,
        llm=settings.llm.policy,
    )
    problems += check_installation(installation, directory)
    if problems:
        raise ConfigurationError(problems)
    return installation


def check_installation(installation: Installation, directory: Path = CONFIG_DIR) -> list[str]:
    """Problems that span files, each with file, key and the way out."""
    problems: list[str] = []
    tools = installation.tools
    for name, agent in installation.agents.items():
        at = f"{directory / 'agents.yaml'}: agents.{name}"
        problems += [
            _sentence(f"{at}.tools: {tool!r} is not in tools.yaml", meant(tool, tools))
            for tool in agent.tools
            if tool not in tools
        ]
        for tenant in agent.tenants or ():
            if tenant not in installation.tenants:
                problems.append(
                    _sentence(f"{at}.tenants: {tenant!r} is not under tenants", meant(tenant, installation.tenants))
                )
    for field, value, known in (
        ("default_tenant", installation.default_tenant, installation.tenants),
        ("default_agent_id", installation.default_agent_id, installation.agents),
    ):
        if value is not None and value not in known:
            problems.append(
                _sentence(
                    f"{directory / 'pipeline.yaml'}: {field}: {value!r} is not in agents.yaml", meant(value, known)
                )
            )
    for name, tool in tools.items():
        problems += _check_tool(name, tool, tools, directory)
    return problems


def _sentence(problem: str, question: str) -> str:
    return f"{problem}; {question}" if question else problem


def _check_tool(name: str, tool: Tool, tools: Mapping[str, Tool], directory: Path) -> list[str]:
    problems = []
    policy = f"{directory / 'tool_policies.yaml'}: tool_policies.{name}"
    known = {*tool.spec.args_schema, *tool.mapping.values()}
    problems += [
        f"{directory / 'tools.yaml'}: tools.{name}.requires: {argument!r} is not in args_schema"
        for argument in tool.requires
        if argument not in known
    ]
    problems += [
        f"{directory / 'mcp_parameter_mapping.yaml'}: tools.{name}.required: {key!r} is not under map"
        for key in tool.business_keys
        if key not in tool.mapping
    ]
    validation = tool.policy.pre_validation
    if validation and validation.enabled:
        if validation.tool not in tools:
            problems.append(f"{policy}.pre_validation.tool: {validation.tool!r} is not a tool of tools.yaml")
        elif tools[validation.tool].transactional:
            problems.append(
                f"{policy}.pre_validation.tool: {validation.tool!r} has side effects; make it tool_type validator or query"
            )
    if tool.recovery == "status" and tool.policy.status_tool not in tools:
        problems.append(f"{policy}.status_tool: recovery status needs a tool of tools.yaml")
    if tool.policy.item_retry and tool.items_argument is None:
        problems.append(f"{policy}.item_retry: the tool has no array argument")
    return problems


def _reachable(installation: Installation) -> set[str]:
    """Tools that an agent lists, and those that such a tool is validated and asked about by."""
    listed = {tool for agent in installation.agents.values() for tool in agent.tools}
    policies = [installation.tools[name].policy for name in listed if name in installation.tools]
    validators = {policy.pre_validation.tool for policy in policies if policy.pre_validation}
    return listed | validators | {policy.status_tool for policy in policies if policy.status_tool}


def warnings(installation: Installation) -> list[str]:
    """What works but deserves a look; `config check` prints it."""
    found = []
    reachable = _reachable(installation)
    for name, tool in installation.tools.items():
        if tool.spec.enabled and name not in reachable:
            found.append(
                f"{name}: no agent lists it, so nobody can ask for it; add it to agents.yaml: agents.<agent>.tools"
            )
        said = {tool.spec.confirmation_required, tool.policy.require_confirmation} - {None}
        if len(said) > 1:
            found.append(f"{name}: tools.yaml and tool_policies.yaml disagree on confirmation; the stricter wins")
        if tool.transactional and not tool.needs_confirmation:
            found.append(f"{name}: has side effects and asks for no confirmation")
        if tool.policy.requires and tool.spec.requires and set(tool.policy.requires) != set(tool.spec.requires):
            found.append(f"{name}: tools.yaml and tool_policies.yaml differ in requires; all of them are asked for")
    if installation.event_hash_key == "change-me":
        found.append("event_hash_key is the default: hashes in events can be guessed; set PIPELINE__EVENT_HASH_KEY")
    return found
