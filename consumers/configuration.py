"""The whole configuration of a process, read once: settings, installation, wording, MCP servers.

Raises: ConfigurationError; every line of it names file, key and the way out.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pipeline.behaviour_files import load_installation
from pipeline.language.messages import Catalogue, check
from pipeline.ledger import AI_GATEWAY
from pipeline.policy import Installation
from pipeline.settings import (
    CONFIG_DIR,
    ConfigurationError,
    LlmSettings,
    PipelineSettings,
    explain,
    load_settings,
    meant,
    read_yaml,
)
from pipeline.tools.settings import McpServerSettings

LOCALES = ("pt-BR", "en", "es")


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """Everything config/ and the environment say."""

    directory: Path
    settings: PipelineSettings
    installation: Installation
    messages: Catalogue
    servers: Mapping[str, McpServerSettings]


def load_configuration(directory: Path = CONFIG_DIR, **overrides: Any) -> Configuration:
    """Read and check everything. `overrides` are top-level keys of pipeline.yaml. Raises: ConfigurationError."""
    settings = load_settings(directory, **overrides)
    installation = load_installation(settings, directory)
    servers = load_servers(directory)
    unknown = [
        f"{directory / 'tools.yaml'}: tools.{name}.mcp_server: {tool.server!r} is not in mcp_servers.yaml"
        for name, tool in installation.tools.items()
        if tool.server not in servers
    ]
    if AI_GATEWAY in servers:
        unknown.append(
            f"{directory / 'mcp_servers.yaml'}: servers.{AI_GATEWAY}: is the AI gateway's name; choose another"
        )
    if unknown:
        raise ConfigurationError(unknown)
    if problems := [*_misfits(settings, servers, directory), *_llm_misfits(settings, directory)]:
        raise ConfigurationError(problems)
    llm_api_key(settings.llm, directory)
    return Configuration(
        directory=directory,
        settings=settings,
        installation=installation,
        messages=load_messages(directory),
        servers=servers,
    )


def _misfits(settings: PipelineSettings, servers: Mapping[str, McpServerSettings], directory: Path) -> list[str]:
    """Settings of the servers that no setting of the pipeline fits: each names both."""
    written = settings.runtime.value_max_bytes
    return [
        f"{directory / 'mcp_servers.yaml'}: servers.{name}.max_answer_bytes ({server.max_answer_bytes}) must be below "
        f"runtime.value_max_bytes ({written}) of pipeline.yaml: a larger answer could be read and not be written"
        for name, server in servers.items()
        if server.max_answer_bytes >= written
    ]


def _llm_misfits(settings: PipelineSettings, directory: Path) -> list[str]:
    read, written = settings.llm.answer_max_bytes, settings.runtime.value_max_bytes
    if not settings.llm.enabled or read < written:
        return []
    return [
        f"{directory / 'pipeline.yaml'}: llm.answer_max_bytes ({read}) must be below runtime.value_max_bytes ({written})"
    ]


def doubts(configuration: Configuration) -> list[str]:
    """Settings of several files that work together and deserve a look; `config check` prints them."""
    settings, found = configuration.settings, []
    kafka, timing = settings.kafka, settings.timing
    if timing.session_retention_ms < kafka.retention_ms:
        found.append(
            f"timing.session_retention_ms ({timing.session_retention_ms}) is below kafka.retention_ms ({kafka.retention_ms}): "
            "a conversation is forgotten while its requests can still be read again"
        )
    for name, tool in configuration.installation.tools.items():
        server = configuration.servers.get(tool.server)
        if server is not None and tool.spec.timeout_ms > server.call_timeout_ms:
            found.append(
                f"tools.{name}.timeout_ms ({tool.spec.timeout_ms}) is above servers.{tool.server}.call_timeout_ms "
                f"({server.call_timeout_ms}), which ends its calls earlier"
            )
        if tool.spec.tool_type == "query" and not tool.transactional and tool.spec.timeout_ms > timing.query_budget_ms:
            found.append(
                f"tools.{name}.timeout_ms ({tool.spec.timeout_ms}) is above timing.query_budget_ms "
                f"({timing.query_budget_ms}): the query is never asked a second time"
            )
    return found


def llm_api_key(settings: LlmSettings, directory: Path = CONFIG_DIR) -> str | None:
    """The key of the AI gateway, from the environment; None where none is wanted. Raises: ConfigurationError."""
    if not settings.enabled or not settings.api_key_env:
        return None
    key = os.environ.get(settings.api_key_env, "").strip()
    if not key:
        text = f"the environment variable {settings.api_key_env} is not set; set it, or llm.enabled to false"
        raise ConfigurationError([f"{directory / 'pipeline.yaml'}: llm.api_key_env: {text}"])
    return key


def load_servers(directory: Path = CONFIG_DIR) -> dict[str, McpServerSettings]:
    """Read mcp_servers.yaml. Raises: ConfigurationError."""
    path = directory / "mcp_servers.yaml"
    data = read_yaml(path)
    if unknown := [key for key in data if key != "servers"]:
        questions = ((key, meant(str(key), ["servers"])) for key in unknown)
        raise ConfigurationError(
            [f"{path}: {key}: unknown key; {question or 'only servers is read'}" for key, question in questions]
        )
    entries = data.get("servers")
    if not isinstance(entries, dict):
        raise ConfigurationError([f"{path}: servers: a mapping of server names to their settings is needed"])
    servers: dict[str, McpServerSettings] = {}
    problems: list[str] = []
    for name, entry in entries.items():
        try:
            servers[name] = McpServerSettings.model_validate(entry)
        except ValidationError as error:
            problems += explain(path, error, model=McpServerSettings, under=("servers", name))
    if problems:
        raise ConfigurationError(problems)
    return servers


def load_messages(directory: Path = CONFIG_DIR) -> Catalogue:
    """Read messages.*.yaml. Raises: ConfigurationError naming the missing keys and placeholders."""
    texts = {locale: read_yaml(directory / f"messages.{locale}.yaml") for locale in LOCALES}
    if problems := check(texts):
        raise ConfigurationError([_in_its_file(problem, texts, directory) for problem in problems])
    return Catalogue(texts)


def _in_its_file(problem: str, texts: Mapping[str, Mapping[str, Any]], directory: Path) -> str:
    """A problem of the catalogues with the files that it is in, and a misspelt key beside the right one."""
    catalogue, _, said = problem.partition(": ")
    key = said.split(": ", maxsplit=1)[0].split(" ", maxsplit=1)[0]
    locale = catalogue.removeprefix("messages").removeprefix(".")
    if not locale:
        files = [f"messages.{other}.yaml" for other in LOCALES if key in texts[other]]
        return f"{', '.join(str(directory / file) for file in files)}: {said}"
    others = [other for other in LOCALES if other != locale]
    odd = [own for own in texts[locale] if not any(own in texts[other] for other in others)]
    question = meant(key, odd).replace("did you mean", "is it").replace("?", f" of {locale} misspelt?")
    return f"{directory / f'{catalogue}.yaml'}: {said}" + (
        f"; {question}" if key not in texts[locale] and question else ""
    )
