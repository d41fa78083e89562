"""The sections of pipeline.yaml that say how the pipeline runs: Kafka, the runtime, HTTP, the AI gateway.

Units: bytes, counts, milliseconds, as the name's end says. Invariants: unknown keys are refused.
Those that decide behaviour (limits, timing) are in pipeline/policy/bounds.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pipeline.policy import LlmPolicy
from pipeline.topology import StageName

READ_MAX_BYTES = 4_194_304
"""A request larger than this came compressed, from no gateway: it is refused unread."""


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
