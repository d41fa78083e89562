"""What all tasks of a worker share: the stage and the doors to the outside."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.decision import Stage
from pipeline.metrics import Metrics
from pipeline.runtime.calls import CallRunner
from pipeline.runtime.ports import Clients, Clock, GroupConsumer
from pipeline.settings import PipelineSettings
from pipeline.topology import StageSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskContext:
    """Made once a worker; nothing in it belongs to one number."""

    stage: Stage[Any]
    spec: StageSpec
    settings: PipelineSettings
    clients: Clients
    consumer: Callable[[], GroupConsumer]
    """The one that reads at the moment. Raises: Retriable where there is none."""
    clock: Clock
    calls: CallRunner
    metrics: Metrics
    counts: Mapping[str, int]
    """Partition count of every topic, named as on the cluster."""
    replica: str
