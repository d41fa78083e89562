"""pipeline.yaml as a whole, overridable by environment, checked at start.

Owns: which source wins, the names on the cluster. Invariants: an environment variable `PIPELINE__KAFKA__BOOTSTRAP_SERVERS`
overrides `kafka.bootstrap_servers`; nothing is guessed. Source: DESIGN 7 (Config).
"""

import os
import re
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from pipeline.policy import Limits, Timing
from pipeline.settings.contradictions import contradictions
from pipeline.settings.explaining import explain
from pipeline.settings.sections import HttpSettings, KafkaSettings, LlmSettings, RuntimeSettings
from pipeline.settings.yaml_files import CONFIG_DIR, ConfigurationError, read_yaml

_SERVER = re.compile(r"^(\[[0-9A-Fa-f:.]+\]|[^\s:,/\[\]]+)(:[0-9]{1,5})?\Z")
"""One of kafka.bootstrap_servers."""


class PipelineSettings(BaseSettings):
    """pipeline.yaml."""

    model_config = SettingsConfigDict(
        env_prefix="PIPELINE__", env_nested_delimiter="__", extra="forbid", frozen=True, use_attribute_docstrings=True
    )

    prefix: str = Field(default="", pattern=r"^[a-zA-Z0-9._-]{0,64}$")
    """Before every topic, group and transactional id: several installations share a cluster."""
    replica: str = ""
    """Stable name of this replica; empty: host name and process id."""
    default_tenant: str | None = None
    default_agent_id: str | None = None
    timezone: str = "America/Sao_Paulo"
    event_hash_key: str = Field(default="change-me", min_length=8)
    meaning: bool = True
    """Nearest-meaning routing by the sentence encoder, where it is installed."""
    kafka: KafkaSettings = KafkaSettings()
    runtime: RuntimeSettings = RuntimeSettings()
    http: HttpSettings = HttpSettings()
    limits: Limits = Limits()
    timing: Timing = Timing()
    llm: LlmSettings = LlmSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - the library's signature
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over the file, whose content comes in as init values."""
        return (env_settings, init_settings)

    @model_validator(mode="after")
    def _consistent(self) -> "PipelineSettings":
        for contradiction in contradictions(self.kafka, self.runtime, self.limits, self.timezone):
            raise ValueError(contradiction)
        return self

    @property
    def bootstrap_servers(self) -> str:
        """The configured cluster; empty: the local node."""
        return os.environ.get("KAFKA_BOOTSTRAP_SERVERS", "") or self.kafka.bootstrap_servers

    def named(self, logical: str) -> str:
        """Name on the cluster of a topic, group or transactional id."""
        return f"{self.prefix}.{logical}" if self.prefix else logical

    def logical(self, name: str) -> str:
        """Inverse of `named`."""
        return name.removeprefix(f"{self.prefix}.") if self.prefix else name


def load_settings(directory: Path = CONFIG_DIR, **overrides: Any) -> PipelineSettings:
    """Read pipeline.yaml and the environment. Raises: ConfigurationError."""
    path = directory / "pipeline.yaml"
    data = {**read_yaml(path), **overrides}
    try:
        settings = PipelineSettings(**data)
    except ValidationError as error:
        raise ConfigurationError(explain(path, error, model=PipelineSettings, environment="PIPELINE__")) from None
    if wrong := [
        server for server in settings.bootstrap_servers.split(",") if server and not _SERVER.match(server.strip())
    ]:
        name = (
            "KAFKA_BOOTSTRAP_SERVERS"
            if os.environ.get("KAFKA_BOOTSTRAP_SERVERS")
            else f"{path}: kafka.bootstrap_servers"
        )
        raise ConfigurationError([f"{name}: {wrong[0].strip()!r} is no host:port"])
    return settings
