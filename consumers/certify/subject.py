"""What is certified: which tool, on which server, under which policy.

Owns: what SERVER and TOOL mean on the command line, and when certify refuses.
Invariants: side effects need the word of the caller (`sandbox`); a tool that nobody describes is taken to have them.
"""

import re
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from consumers.certify.scenarios import ToolScenarios
from consumers.cli.terminal import WRONG, CommandError
from consumers.configuration import Configuration
from pipeline.policy import ArgumentSpec, OperationType, Tool, ToolPolicy, ToolSpec
from pipeline.tools.catalog import ListedTool
from pipeline.tools.settings import BreakerSettings, McpServerSettings

PATIENT = BreakerSettings(failures=1000)
"""Certify makes calls fail on purpose: the breaker must not hide the later ones."""
STDIO_START_MS = 30_000
"""For a command, at least: it has to start before it answers, on a busy machine too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where the tool is."""

    name: str
    """As in mcp_servers.yaml, where it can be told."""
    settings: McpServerSettings


def server_of(text: str, tool: Tool | None, configuration: Configuration | None) -> Server:
    """Read SERVER: a name of mcp_servers.yaml, an address, or the command of a stdio server. Raises: CommandError."""
    known = configuration.servers if configuration else {}
    if text in known:
        if tool is not None and tool.server != text:
            raise CommandError(
                f"{tool.name} is a tool of server {tool.server}, by tools.yaml; not of {text}.", code=WRONG
            )
        patience: dict[str, Any] = {"enabled": True, "breaker": PATIENT}
        if known[text].transport == "stdio":
            patience["connect_timeout_ms"] = max(known[text].connect_timeout_ms, STDIO_START_MS)
        return Server(name=text, settings=known[text].model_copy(update=patience))
    configured = tool.server if tool else None
    if re.match(r"https?://", text):
        try:
            parts = urlsplit(text)
            port = f":{parts.port}" if parts.port else ""
        except ValueError as error:
            raise CommandError(
                f"SERVER is no address ({error}): give one such as http://127.0.0.1:8000/mcp.", code=WRONG
            ) from None
        name = configured or f"{parts.scheme}://{parts.hostname}{port}{parts.path}"
        return Server(name=name, settings=McpServerSettings(url=text, breaker=PATIENT))
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise CommandError(f"SERVER is no command ({error}): quote it as a shell would read it.", code=WRONG) from None
    if len(command) > 1 or (command and shutil.which(command[0])):
        settings = McpServerSettings(
            transport="stdio",
            command=command[0],
            args=tuple(command[1:]),
            breaker=PATIENT,
            connect_timeout_ms=STDIO_START_MS,
        )
        return Server(name=configured or command[0].rsplit("/", 1)[-1], settings=settings)
    names = ", ".join(known) or "none"
    raise CommandError(
        f"There is no MCP server {text!r}: mcp_servers.yaml has {names}; or give an http(s) address, or the command "
        'of a stdio server, such as "python server.py".',
        code=WRONG,
    )


def refuse_side_effects(tool: Tool, *, sandbox: bool) -> None:
    """Stop before anything is done that nobody allowed. Raises: CommandError."""
    if tool.spec.tool_type in {"validator", "status"}:
        raise CommandError(
            f"{tool.name} is a {tool.spec.tool_type}: certify checks tools that process items; a status tool is checked with "
            "the tool whose policy names it.",
            code=WRONG,
        )
    if tool.transactional and not sandbox:
        raise CommandError(
            f"{tool.name} has side effects, and certify would really carry them out: point it at a server where that may "
            "happen and add --sandbox.",
            code=WRONG,
        )


def described(tool: str, server: str, listed: ListedTool, scenarios: ToolScenarios) -> Tool:
    """A tool that the configuration does not have, as the server describes it."""
    arguments = {
        name: ArgumentSpec(type=next(iter(sorted(kinds_of(schema, listed.input_schema))), "string"))
        for name, schema in properties_of(listed).items()
    }
    policy = scenarios.policy or ToolPolicy()
    if policy.operation_type is None and listed.read_only_hint:
        policy = policy.model_copy(update={"operation_type": OperationType.READ_ONLY})
    required = tuple(name for name in required_of(listed) if name in arguments)
    return Tool(name=tool, spec=ToolSpec(mcp_server=server, args_schema=arguments, requires=required), policy=policy)


def with_items(tool: Tool, scenarios: ToolScenarios) -> Tool:
    """The tool, its collection where the scenarios say that it is."""
    name = scenarios.items_argument
    if name is None or name == tool.items_argument:
        return tool
    declared = {**tool.spec.args_schema, name: ArgumentSpec(type="array")}
    spec = tool.spec.model_copy(
        update={"args_schema": {name: declared[name], **declared}, "requires": (name, *tool.requires)}
    )
    return tool.model_copy(update={"spec": spec})


def properties_of(listed: ListedTool) -> Mapping[str, Any]:
    """Arguments in the tool's input schema."""
    found = listed.input_schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def required_of(listed: ListedTool) -> tuple[str, ...]:
    """Arguments without which the tool refuses a call."""
    found = listed.input_schema.get("required")
    return tuple(str(name) for name in found) if isinstance(found, list) else ()


def kinds_of(schema: Any, root: Mapping[str, Any], *, depth: int = 6) -> frozenset[str]:
    """JSON types that a schema allows, null aside; empty: it does not say."""
    if not isinstance(schema, Mapping) or depth == 0:
        return frozenset()
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        target: Any = root
        for part in reference[2:].split("/"):
            target = target.get(part) if isinstance(target, Mapping) else None
        return kinds_of(target, root, depth=depth - 1)
    said = schema.get("type", ())
    found = {said} if isinstance(said, str) else set(said)
    for combination in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(combination, ()):
            found |= kinds_of(part, root, depth=depth - 1)
    return frozenset(found - {"null"})
