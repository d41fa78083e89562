"""All settings: config/*.yaml, overridable by environment, checked at start.

Owns: the shape of pipeline.yaml, reading a YAML file, and how a wrong key is explained (behaviour files: pipeline/behaviour_files).
Invariants: every key is known; an error names file, key and what is allowed; nothing is guessed. An environment variable
`PIPELINE__KAFKA__BOOTSTRAP_SERVERS` overrides `kafka.bootstrap_servers`. Source: DESIGN 7 (Config).
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo

import rapidfuzz
import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from pipeline.policy import (
    Limits,
    LlmPolicy,
    Timing,
)
from pipeline.topology import StageName

CONFIG_DIR = Path("config")

_SERVER = re.compile(r"^(\[[0-9A-Fa-f:.]+\]|[^\s:,/\[\]]+)(:[0-9]{1,5})?\Z")
"""One of kafka.bootstrap_servers."""

READ_MAX_BYTES = 4_194_304
"""A request larger than this came compressed, from no gateway: it is refused unread."""

NEAR = 70
"""Of 100: from which likeness on a word that is not known is taken for a misspelt one."""

_SHOULD = re.compile(r"^Input should be (.*?)(?:, unable to .*)?\Z")
"""pydantic's words for a wrong type or value."""


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


class ConfigurationError(Exception):
    """The configuration can't be used; every line names file, key and the way out."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Section(BaseModel):
    """Part of pipeline.yaml."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class KafkaSettings(Section):
    """How Kafka is reached and how its groups and transactions behave."""

    bootstrap_servers: str = ""
    """host:port,…; KAFKA_BOOTSTRAP_SERVERS wins; empty means the local node."""
    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    sasl_mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = "PLAIN"
    sasl_username: str | None = None
    sasl_password: str | None = None
    ssl_cafile: str | None = None
    partitions: int = Field(default=4, ge=1, le=1_000)
    """Partition count of every input, feedback and state topic: the most replicas that can share a stage."""
    replication_factor: int = Field(default=1, ge=1, le=9)
    min_insync_replicas: int = Field(default=1, ge=1, le=9)
    retention_ms: int = Field(default=604_800_000, ge=3_600_000)
    """Of gateway.requests; settled calls are remembered at least as long."""
    max_message_bytes: int = Field(default=1_048_576, ge=65_536)
    """Largest batch of any topic, as it travels; at most READ_MAX_BYTES."""
    session_timeout_ms: int = Field(default=6_000, ge=1_000)
    heartbeat_interval_ms: int = Field(default=500, ge=100)
    """Also the reaction time to a rebalance."""
    rebalance_timeout_ms: int = Field(default=30_000, ge=1_000)
    transaction_timeout_ms: int = Field(default=12_000, ge=1_000)
    """An open transaction blocks every read_committed reader of its partitions for this long at most."""
    request_timeout_ms: int = Field(default=20_000, ge=1_000)
    compression: Literal["gzip", "snappy", "lz4", "zstd"] | None = "zstd"


class RuntimeSettings(Section):
    """How tasks work."""

    batch_max_records: int = Field(default=200, ge=1)
    batch_max_bytes: int = Field(default=1_048_576, ge=1_024)
    commit_gap_ms: float = Field(default=5, ge=0)
    """Between a commit and the next begin; too early a begin waits a fixed 20 ms inside aiokafka."""
    buffer_max_bytes: int = Field(default=4_194_304, ge=65_536)
    """Records read and not decided yet, per task; beyond it the input is paused."""
    waiting_max_bytes: int = Field(default=16_777_216, ge=65_536)
    """Durable input that waits in the state of a task (queued calls, waiting messages); beyond it new input is paused."""
    handover_ms: int = Field(default=8_000, ge=0)
    """How long a revocation or SIGTERM waits for running calls whose outcome can't be asked for again."""
    deadline_ms: int = Field(default=25_000, ge=1_000)
    """Of every call of the Kafka client; then the task restarts."""
    stall_ms: int = Field(default=30_000, ge=1_000)
    """Assigned, lag, and no progress for this long: unhealthy, the consumer is built again."""
    value_max_bytes: int = Field(default=900_000, ge=65_536)
    """Largest value that is written; keep it below kafka.max_message_bytes."""


class HttpSettings(Section):
    """Where metrics and health are served."""

    host: str = "127.0.0.1"
    ports: dict[StageName, int] = Field(default_factory=dict)
    """Per stage; 0 or absent: any free one, logged."""


class LlmSettings(LlmPolicy):
    """The AI gateway: an OpenAI-compatible HTTP endpoint, off unless enabled."""

    enabled: bool = False
    use: tuple[Literal["route", "compose"], ...] = ("route", "compose")
    """route: a tool and its arguments where reconcile is unsure; compose: the words of normalize's final answer."""
    base_url: str = Field(default="", pattern=r"^(https?://[^\s/?#]+[^\s?#]*)?$")
    """Such as https://ai.example.com/v1; `/chat/completions` is asked below it."""
    models: dict[Literal["router", "composer"], str] = Field(default_factory=dict)
    """Model by profile: router for route, composer for compose."""
    api_key_env: str = Field(default="", pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")
    """Name of the environment variable that holds the key; empty: no key is sent."""
    json_mode: bool = True
    """Whether the endpoint knows response_format json_object."""
    concurrency: int = Field(default=4, ge=1, le=1_000)
    """Requests in flight, of one process."""
    budget_per_minute: int = Field(default=60, ge=1, le=100_000)
    """Requests a minute, of one process; beyond it the pipeline decides alone."""
    output_tokens_max: int = Field(default=800, ge=16, le=32_768)
    """Longest answer that is paid for."""
    answer_max_bytes: int = Field(default=262_144, ge=1_024)
    """A longer answer is not read to its end."""
    breaker_failures: int = Field(default=5, ge=1)
    """Failures in a row after which nothing is sent for a while."""
    breaker_cool_down_ms: int = Field(default=15_000, ge=100)

    @model_validator(mode="after")
    def _complete(self) -> "LlmSettings":
        if not self.enabled:
            return self
        if not self.base_url:
            msg = "base_url is required where enabled is true, such as https://ai.example.com/v1"
            raise ValueError(msg)
        models = {str(profile): model for profile, model in self.models.items()}
        for use, profile in (("route", "router"), ("compose", "composer")):
            if use in self.use and not models.get(profile, "").strip():
                msg = f"models.{profile} is required where use holds {use}: the name of a model at the gateway"
                raise ValueError(msg)
        return self

    @property
    def policy(self) -> LlmPolicy:
        """What the stages are told of it."""
        if not self.enabled:
            return LlmPolicy()
        return LlmPolicy(use=self.use, timeout_ms=self.timeout_ms, attempts=self.attempts)


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
        kafka, runtime = self.kafka, self.runtime
        if runtime.handover_ms >= kafka.rebalance_timeout_ms:
            msg = "runtime.handover_ms must be below kafka.rebalance_timeout_ms"
            raise ValueError(msg)
        if kafka.heartbeat_interval_ms * 3 > kafka.session_timeout_ms:
            msg = "kafka.heartbeat_interval_ms must be at most a third of kafka.session_timeout_ms"
            raise ValueError(msg)
        if kafka.security_protocol.startswith("SASL") and not (kafka.sasl_username and kafka.sasl_password):
            msg = f"kafka.sasl_username and kafka.sasl_password are required with {kafka.security_protocol}"
            raise ValueError(msg)
        if kafka.ssl_cafile is not None and not Path(kafka.ssl_cafile).is_file():
            msg = f"kafka.ssl_cafile: there is no file {kafka.ssl_cafile}"
            raise ValueError(msg)
        if not _is_zone(self.timezone) and _is_zone("UTC"):  # else this machine has no time zones at all
            msg = f"timezone: {self.timezone!r} is not known here; give a name such as America/Sao_Paulo"
            raise ValueError(msg)
        for lower, least, upper, most in (
            ("runtime.value_max_bytes", runtime.value_max_bytes, "kafka.max_message_bytes", kafka.max_message_bytes),
            ("limits.payload_bytes", self.limits.payload_bytes, "runtime.value_max_bytes", runtime.value_max_bytes),
            ("limits.message_bytes", self.limits.message_bytes, "limits.payload_bytes", self.limits.payload_bytes),
        ):
            if least >= most:
                msg = f"{lower} ({least}) must be below {upper} ({most})"
                raise ValueError(msg)
        if kafka.max_message_bytes > READ_MAX_BYTES:  # limits.payload_bytes is below it already
            msg = (
                f"kafka.max_message_bytes ({kafka.max_message_bytes}) must not be above READ_MAX_BYTES ({READ_MAX_BYTES}): "
                "a larger request would be refused unread"
            )
            raise ValueError(msg)
        if kafka.min_insync_replicas > kafka.replication_factor:
            msg = (
                f"kafka.min_insync_replicas ({kafka.min_insync_replicas}) must not be above "
                f"kafka.replication_factor ({kafka.replication_factor}): nothing could be written"
            )
            raise ValueError(msg)
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


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Refuses a key that stands twice in one mapping: YAML's readers let the last one win, in silence."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key.value!r} stands twice in one mapping", key.start_mark
                    )
                seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a mapping. Raises: ConfigurationError naming file and line."""
    try:
        data = yaml.load(path.read_bytes(), Loader=_Loader)  # noqa: S506 - a safe loader
    except FileNotFoundError:
        raise ConfigurationError([f"{path}: the file does not exist; copy it from the repository's config/"]) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigurationError([f"{path}: not readable as YAML: {_plainly(error)}"]) from None
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ConfigurationError([f"{path}: must hold a mapping at the top, not {type(data).__name__}"])
    return data


def _plainly(error: Exception) -> str:
    """One line, without the name that the reader gives to what it was handed."""
    return " ".join(str(error).replace('in "<byte string>", ', "at ").split())


def explain(
    path: Path,
    error: ValidationError,
    *,
    model: type[BaseModel] | None = None,
    under: tuple[str, ...] = (),
    environment: str | None = None,
) -> list[str]:
    """One line per problem: file, key, what is allowed. `under`: the key of the file whose value was read as `model`, which tells
    the keys that a misspelt one may have meant.

    With `environment`, the prefix of variables that override keys, the one that set the key is named too.
    """
    lines = []
    for problem in error.errors(include_url=False):
        parts = [*under, *(str(part) for part in problem["loc"])]
        key = ".".join(parts) or "(whole file)"
        text = _SHOULD.sub(r"must be \1", problem["msg"].removeprefix("Value error, "))
        if problem["type"] == "missing":
            text = "is required"
        if problem["type"] == "extra_forbidden":
            *outer, wrong = problem["loc"]
            text = f"unknown key; {meant(str(wrong), keys_at(model, outer) if model else ()) or 'remove it or check its spelling'}"
        variable = None if environment is None else _variable(environment, parts)
        lines.append(f"{path}: {key}: {text}" + (f" (set by {variable})" if variable else ""))
    return lines


def keys_at(model: type[BaseModel], path: Iterable[int | str]) -> list[str]:
    """The keys that are known where a path of a file leads; empty where every key is allowed."""
    here: list[Any] = [model]
    for part in path:
        here = [inner for kind in here for inner in _inside(kind, part)]
    models = [kind for outer in here for kind in _models(outer)]
    return [name for known in models for name in known.model_fields]


def _inside(kind: Any, part: int | str) -> list[Any]:
    """Types of what stands under a key or place of a value of this type."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        field = kind.model_fields.get(str(part))
        return [] if field is None else [field.annotation]
    return list(get_args(kind))


def _models(kind: Any) -> list[type[BaseModel]]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [kind]
    return [found for inner in get_args(kind) for found in _models(inner)]


def meant(word: str, known: Iterable[str]) -> str:
    """A question about the known word that is nearest; empty when none is near."""
    found = rapidfuzz.process.extractOne(word, list(known), scorer=rapidfuzz.fuzz.ratio, score_cutoff=NEAR)
    return f"did you mean {found[0]!r}?" if found else ""


def _variable(prefix: str, parts: list[str]) -> str | None:
    """The environment variable that set this key, if one did; their names have no case."""
    wanted = (prefix + "__".join(parts)).upper()
    return next((name for name in os.environ if name.upper() == wanted), None)


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
