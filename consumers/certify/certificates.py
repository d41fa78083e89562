"""The certificates of an installation: which of its tools were certified, and whether that still holds.

Owns: the folder `certificates/` of the configuration, and what `config check` says of it.
Invariants: a certificate is current while it passed, the configuration says the same of the tool, and the server (where it can be asked)
lists the same schema. A server that does not answer is no problem of the configuration.
"""

import asyncio
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from consumers.configuration import Configuration
from contracts.certification_result import CertificationResult
from contracts.identity import digest
from pipeline.policy import Tool

ASK_S = 3.0
"""How long servers are asked for their schemas, all together."""

Key = tuple[str, str]
"""Server and tool."""


def folder_of(config: Path) -> Path:
    """Where the certificates of a configuration are kept."""
    return config.absolute() / "certificates"


def file_of(config: Path, server: str, tool: str) -> Path:
    """Where the certificate of a tool is kept, as a person would write the path."""
    return config / "certificates" / f"{server}.{tool}.json"


def read(config: Path) -> tuple[dict[Key, CertificationResult], list[str]]:
    """Read the newest certificate of every tool. Returns: with a sentence for each file that is none."""
    newest: dict[Key, CertificationResult] = {}
    problems = []
    for path in sorted(folder_of(config).glob("*.json")):
        try:
            found = CertificationResult.model_validate_json(path.read_bytes())
        except (ValidationError, OSError):
            problems.append(f"{path}: is no CertificationResult; write it anew by `certify … --json`, or remove it")
            continue
        key = (found.server, found.tool)
        if key not in newest or newest[key].at < found.at:
            newest[key] = found
    return newest, problems


def warnings(loaded: Configuration, *, offline: bool) -> list[str]:
    """Say which tools with side effects have no current certificate, and how they get one."""
    certificates, problems = read(loaded.directory)
    due = [tool for tool in loaded.installation.tools.values() if tool.transactional and tool.spec.enabled]
    certified = [tool for tool in due if (tool.server, tool.name) in certificates]
    listed = {} if offline else _schemas(loaded, certified)
    for tool in due:
        key = (tool.server, tool.name)
        if (doubt := doubt_about(tool, certificates.get(key), listed.get(key))) is not None:
            path = file_of(loaded.directory, *key)
            problems.append(
                f"{tool.name}: {doubt}; `python -m consumers certify {tool.server} {tool.name} --scenarios FILE --sandbox "
                f"--json {path}` makes one (docs/certify.md)"
            )
    return problems


def doubt_about(tool: Tool, certificate: CertificationResult | None, schema_hash: str | None) -> str | None:
    """Why a certificate does not hold; None: it does. `schema_hash`: of the server's listing, where it is known."""
    if certificate is None:
        return "has side effects and no certificate"
    day = certificate.at.date().isoformat()
    if not certificate.passed:
        failed = sum(not check.passed for check in certificate.checks)
        return f"its certificate of {day} has {failed} failed check(s)"
    if certificate.declaration_hash != declaration_hash(tool):
        return f"its certificate of {day} is for another configuration of the tool (arguments, mapping or policy have changed)"
    if schema_hash is not None and certificate.tool_schema_hash != schema_hash:
        return f"its certificate of {day} is for another schema than the server lists now"
    return None


def declaration_hash(tool: Tool) -> str:
    """Digest of what the checks were judged against: the arguments that are sent and the policy, without any wording."""
    wording = {"label", "description", "user_prompt", "item_label", "known_values"}
    return digest(
        {
            "arguments": {
                name: spec.model_dump(mode="json", exclude=wording, exclude_defaults=True)
                for name, spec in tool.spec.args_schema.items()
            },
            "mapping": tool.mapping,
            "operation_type": tool.operation_type,
            "recovery": tool.recovery,
            "status_tool": tool.policy.status_tool,
        }
    )


def _schemas(loaded: Configuration, tools: Iterable[Tool]) -> Mapping[Key, str]:
    """Digests of the input schemas that the servers list now, of those that answer in time."""
    wanted = {tool.server for tool in tools if loaded.servers[tool.server].enabled}
    return asyncio.run(_ask(loaded, wanted)) if wanted else {}


async def _ask(loaded: Configuration, servers: set[str]) -> Mapping[Key, str]:
    from pipeline.tools.client import McpTools

    heard = {name: asyncio.Event() for name in servers}

    def hear(_event: str, details: Mapping[str, Any]) -> None:
        heard[details["server"]].set()  # connected, or connect_failed: nobody is asked twice

    chosen = {name: loaded.servers[name] for name in servers}
    tools = McpTools(chosen, clock=time.monotonic, on_event=hear)
    await tools.start()
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(ASK_S):
                for each in heard.values():
                    await each.wait()
        return {
            (server, name): digest(listed.input_schema)
            for server in servers
            for name, listed in tools.tools(server).items()
        }
    finally:
        await tools.close(drain_s=0)
