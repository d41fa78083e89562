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
from pipeline.language.messages import Catalogue
from pipeline.ledger import AI_GATEWAY
from pipeline.policy import Installation
from pipeline.settings import (
    CONFIG_DIR,
    ConfigurationError,
    LlmSettings,
    PipelineSettings,
    explain,
    load_settings,
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
    llm_api_key(settings.llm, directory)
    return Configuration(
        directory=directory,
        settings=settings,
        installation=installation,
        messages=load_messages(directory),
        servers=servers,
    )


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
    entries = read_yaml(path).get("servers")
    if not isinstance(entries, dict):
        raise ConfigurationError([f"{path}: servers: a mapping of server names to their settings is needed"])
    servers: dict[str, McpServerSettings] = {}
    problems: list[str] = []
    for name, entry in entries.items():
        try:
            servers[name] = McpServerSettings.model_validate(entry)
        except ValidationError as error:
            problems += explain(path, error, under=("servers", name))
    if problems:
        raise ConfigurationError(problems)
    return servers


def load_messages(directory: Path = CONFIG_DIR) -> Catalogue:
    """Read messages.*.yaml. Raises: ConfigurationError naming the missing keys and placeholders."""
    texts = {locale: read_yaml(directory / f"messages.{locale}.yaml") for locale in LOCALES}
    try:
        return Catalogue(texts)
    except ValueError as error:
        raise ConfigurationError([f"{directory}/messages.*.yaml: {line}" for line in str(error).split("; ")]) from None
