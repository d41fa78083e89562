"""EvaluationRun: one execution of the evaluator. Source: SPEC-012 section 12."""

from enum import StrEnum
from typing import ClassVar

from contracts.base import Contract, Instant, Name


class RunStatus(StrEnum):
    """Where a run is."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"


class EvaluationRun(Contract):
    """What is evaluated, over which period."""

    VERSION: ClassVar[str] = "evaluation-run-v1"

    run_id: Name
    agent_id: Name
    source: Name
    """Where the conversations come from, such as `langfuse` or `topics`."""
    period_start: Instant
    period_end: Instant
    status: RunStatus
