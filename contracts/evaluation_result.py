"""EvaluationResult: one metric of an EvaluationRun. Source: SPEC-012 section 3, DESIGN 9."""

from typing import Any, ClassVar

from pydantic import Field

from contracts.base import Contract, Name


class EvaluationResult(Contract):
    """The value of one metric of an evaluation, and what it rests on."""

    VERSION: ClassVar[str] = "evaluation-result-v1"

    run_id: Name
    """The run it belongs to."""
    agent_id: Name
    """The agent that was evaluated."""
    metric: Name
    """Name of the metric, such as `item_accuracy`."""
    value: float
    """The value; its unit belongs to the metric."""
    count: int = Field(ge=0)
    """How many conversations it was taken over."""
    evidence: list[Any] = Field(default_factory=list)
    """Conversation keys or rows a person can look at."""
