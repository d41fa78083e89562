"""EvaluationResult: one metric of an EvaluationRun. Source: SPEC-012 section 3, DESIGN 9."""

from typing import Any, ClassVar

from pydantic import Field

from contracts.base import Contract, Name


class EvaluationResult(Contract):
    """Value of one metric and what it rests on."""

    VERSION: ClassVar[str] = "evaluation-result-v1"

    run_id: Name
    agent_id: Name
    metric: Name
    value: float
    count: int = Field(ge=0)
    """How many conversations it was taken over."""
    evidence: list[Any] = Field(default_factory=list)
    """Conversation keys or rows a person can look at."""
