"""EvaluationRun: one execution of the evaluator. Source: SPEC-012 section 12."""

from enum import StrEnum
from typing import ClassVar

from contracts.base import Contract, Instant, Name


class RunStatus(StrEnum):
    """Where a run is."""

    PENDING = "pending"
    """Planned."""
    RUNNING = "running"
    """At work."""
    COMPLETED = "completed"
    """Done: its results are complete."""
    FAILED = "failed"
    """Ended without complete results."""


class EvaluationRun(Contract):
    """One run of the evaluation: which agent, over which period."""

    VERSION: ClassVar[str] = "evaluation-run-v1"

    run_id: Name
    """Id of the run."""
    agent_id: Name
    """The agent that is evaluated."""
    source: Name
    """Where the conversations come from, such as `langfuse` or `topics`."""
    period_start: Instant
    """Conversations from here on are evaluated."""
    period_end: Instant
    """Conversations before this are evaluated."""
    status: RunStatus
    """Where the run is."""
