"""Creates and checks the topics of an installation; the broker never creates one by itself.

Owns: how each kind of topic is kept (partition count, retention, compaction, LogAppendTime).
Invariants: an existing topic is never altered, only complained about. Source: DESIGN 3.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import KafkaError, TopicAlreadyExistsError

from pipeline import topology
from pipeline.runtime.errors import Retriable
from pipeline.runtime.kafka import connection_options
from pipeline.settings import PipelineSettings
from pipeline.topology import TopicKind, TopicSpec

STATE_SEGMENT_BYTES = 33_554_432
EVENT_PARTITIONS_MAX = 12


@dataclass(frozen=True, slots=True)
class Wanted:
    """A topic as it should be."""

    name: str
    spec: TopicSpec
    partitions: int
    config: Mapping[str, str]


def wanted_topics(settings: PipelineSettings, channels: tuple[str, ...]) -> list[Wanted]:
    """Every topic with its partition count and configuration."""
    return [_wanted(settings, spec) for spec in topology.topics(channels)]


def _wanted(settings: PipelineSettings, spec: TopicSpec) -> Wanted:
    kafka = settings.kafka
    config = {
        "min.insync.replicas": str(kafka.min_insync_replicas),
        "max.message.bytes": str(kafka.max_message_bytes),
        "retention.ms": str(kafka.retention_ms),
    }
    partitions = kafka.partitions
    match spec.kind:
        case TopicKind.INPUT:
            config["message.timestamp.type"] = "LogAppendTime"
        case TopicKind.STATE:
            del config["retention.ms"]
            config |= {
                "cleanup.policy": "compact",
                "segment.bytes": str(STATE_SEGMENT_BYTES),
                "min.cleanable.dirty.ratio": "0.2",
                "max.compaction.lag.ms": "86400000",
                "delete.retention.ms": "86400000",
            }
        case TopicKind.DEAD_LETTERS:
            config["max.message.bytes"] = str(kafka.max_message_bytes * 2)
            partitions = min(partitions, EVENT_PARTITIONS_MAX)
        case TopicKind.EVENTS | TopicKind.RESPONSES:
            partitions = min(partitions, EVENT_PARTITIONS_MAX)
    return Wanted(settings.named(spec.name), spec, partitions, config)


class TopicAdmin:
    """Creates and checks topics."""

    def __init__(self, settings: PipelineSettings, bootstrap: str) -> None:
        self._settings = settings
        options = connection_options(settings, bootstrap)
        options.pop("retry_backoff_ms")
        self._admin = AIOKafkaAdminClient(**options)

    async def __aenter__(self) -> Self:
        try:
            await self._admin.start()
        except (KafkaError, OSError) as error:
            await self._admin.close()
            raise Retriable(f"{type(error).__name__}: {error}") from error
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._admin.close()

    async def ensure(self, wanted: list[Wanted]) -> list[str]:
        """Create what is missing. Returns the names created. Raises: Retriable, ValueError with the broker's words."""
        present = await self.partition_counts([topic.name for topic in wanted])
        missing = [topic for topic in wanted if topic.name not in present]
        if not missing:
            return []
        response = await self._admin.create_topics(
            [
                NewTopic(
                    name=topic.name,
                    num_partitions=topic.partitions,
                    replication_factor=self._settings.kafka.replication_factor,
                    topic_configs=dict(topic.config),
                )
                for topic in missing
            ]
        )
        # create_topics does not raise: the errors are in the answer
        for entry in response.to_object()["topic_errors"]:
            code = entry.get("error_code", 0)
            if code and code != TopicAlreadyExistsError.errno:
                raise ValueError(f"{entry['topic']}: {entry.get('error_message') or f'error {code}'}")
        return [topic.name for topic in missing]

    async def partition_counts(self, names: list[str]) -> dict[str, int]:
        """Partition counts of those that exist."""
        described = await self._admin.describe_topics(names)
        return {topic["topic"]: len(topic["partitions"]) for topic in described if topic["error_code"] == 0}

    async def check(self, wanted: list[Wanted]) -> list[str]:
        """What differs from how the topics should be; one sentence each."""
        counts = await self.partition_counts([topic.name for topic in wanted])
        problems = [
            f"{t.name}: missing; `python -m consumers topics ensure` creates it" for t in wanted if t.name not in counts
        ]
        tied = {
            t.name: counts[t.name]
            for t in wanted
            if t.name in counts and t.spec.kind in {TopicKind.INPUT, TopicKind.STATE}
        }
        if len(set(tied.values())) > 1:
            listed = ", ".join(f"{name} {count}" for name, count in sorted(tied.items()))
            problems.append(f"input, status and state topics need one partition count: {listed}")
        present = [topic for topic in wanted if topic.name in counts]
        if not present:
            return problems
        configs = await self._configs([topic.name for topic in present])
        for topic in present:
            problems += _differences(topic, configs.get(topic.name, {}))
        return problems

    async def _configs(self, names: list[str]) -> dict[str, dict[str, str]]:
        answers = await self._admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, name) for name in names])
        found: dict[str, dict[str, str]] = {}
        for answer in answers:
            for resource in answer.resources:
                name, entries = _resource(resource)
                found[name] = entries
        return found


def _resource(resource: Any) -> tuple[str, dict[str, str]]:
    """(error_code, error_message, type, name, entries), an entry being (name, value, …)."""
    return resource[3], {entry[0]: entry[1] for entry in resource[4]}


def _differences(topic: Wanted, config: Mapping[str, str]) -> list[str]:
    problems = []
    exact = {"message.timestamp.type", "cleanup.policy"}
    for key, value in topic.config.items():
        said = config.get(key)
        if said is None or said == value:
            continue
        if key in exact or (key == "max.message.bytes" and int(said) < int(value)):
            problems.append(f"{topic.name}: {key} is {said}, should be {value}")
    return problems
