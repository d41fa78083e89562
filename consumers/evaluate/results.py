"""Measures as the contracts: one EvaluationRun for the installation and one for each agent, with their EvaluationResults.

Owns: the names of the metrics, their units and denominators (docs/evaluate.md says the same in sentences). A metric of one tool is
named `<metric>@<tool>`. Invariants: the same period gives the same run id; a value over nothing is 0 with count 0.
Never: puts anything but transaction ids and conversation keys into evidence. Source: SPEC-012 section 12, DESIGN 8, 9.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from consumers.chaos.measures import quantile
from consumers.evaluate.counting import Traffic
from consumers.evaluate.journey import EXECUTED, Ending, Journey
from consumers.evaluate.measures import EVIDENCE_MAX, JUDGEMENTS, Evaluation, Group, Measures
from contracts.evaluation_result import EvaluationResult
from contracts.evaluation_run import EvaluationRun, RunStatus
from contracts.identity import derived_id

EVERYBODY = "*"
"""The agent of the run over the whole installation."""
SOURCE = "topics"
PERCENTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}

Value = tuple[float, int]
"""Value, and how many transactions (replies, items) it was taken over."""


def share(part: int, whole: int) -> Value:
    """A part of a whole; of nothing 0."""
    return (part / whole if whole else 0.0), whole


@dataclass(frozen=True, slots=True)
class Metric:
    """One number of a group of transactions."""

    name: str
    of: Callable[[Measures], Value]
    evidence: Callable[[Measures], Sequence[Journey]] = lambda _: ()


def _ending(ending: Ending, whole: Callable[[Measures], int]) -> Metric:
    return Metric(
        f"{ending}_share",
        lambda measures: share(measures.endings[ending], whole(measures)),
        lambda measures: () if ending is Ending.SUCCESS else measures.of_ending[ending],
    )


def _percentile(name: str, at: float, waits: Callable[[Measures], Sequence[float]]) -> Metric:
    return Metric(name, lambda measures: (quantile(waits(measures), at), len(waits(measures))))


def _fault(kind: str) -> Metric:
    return Metric(
        kind,
        lambda measures: (float(measures.of(kind)), measures.judged[kind]),
        lambda measures: [fault.journey for fault in measures.faults if fault.kind == kind],
    )


METRICS: tuple[Metric, ...] = (
    Metric("transactions", lambda m: (float(m.transactions), m.transactions)),
    *(_ending(ending, lambda m: m.executed) for ending in EXECUTED),
    *(_ending(ending, lambda m: m.transactions) for ending in Ending if ending not in EXECUTED),
    Metric("items_done_share", lambda m: share(m.done, m.items)),
    Metric("items_failed_share", lambda m: share(m.failed, m.items)),
    Metric("items_unknown_share", lambda m: share(m.unsure, m.items)),
    Metric("questions_per_transaction", lambda m: share(m.questions, m.transactions)),
    Metric("asked_once_share", lambda m: share(m.asked_once, m.confirmed)),
    Metric("amendments_per_transaction", lambda m: share(m.amendments, m.proposed)),
    Metric("amended_share", lambda m: share(m.amended, m.proposed)),
    Metric("unclear_reply_share", lambda m: share(m.unclear, m.replies)),
    *(_percentile(f"time_to_question_{n}_s", at, lambda m: m.to_question_s) for n, at in PERCENTILES.items()),
    *(_percentile(f"time_to_answer_{n}_s", at, lambda m: m.to_answer_s) for n, at in PERCENTILES.items()),
    Metric("items_set_aside_by_validator", lambda m: (float(m.set_aside), m.transactions)),
    Metric("items_counted_in_words", lambda m: (float(m.counted), m.judged["items_not_named_in_answer"])),
    Metric("items_not_named_by_validator", lambda m: (float(m.refused_unnamed), m.endings[Ending.OUT_OF_SCOPE])),
    *(_fault(kind) for kind in JUDGEMENTS),
)
"""Of every agent and every tool."""

OPERATIONS: dict[str, tuple[str, ...]] = {
    "dead_letters": ("NOC.DLQ",),
    "refused_requests": ("NOC.CONTRACT_REJECTED",),
    "task_restarts": ("NOC.TASK_RESTARTED",),
    "stage_retries": ("NOC.STAGE_RETRY",),
    "runtime_failures": ("NOC.RUNTIME_FAILED",),
    "tool_timeouts": ("NOC.MCP_TIMEOUT",),
    "tool_failures": ("NOC.MCP_TOOL_FAILED",),
    "unknown_outcomes": ("NOC.MCP_OUTCOME_UNKNOWN",),
    "circuits_opened": ("NOC.MCP_CIRCUIT_OPENED",),
}
"""Of the installation: metric → events."""


@dataclass(frozen=True, slots=True)
class Report:
    """A run with its results."""

    run: EvaluationRun
    results: Sequence[EvaluationResult]

    def as_json(self) -> dict[str, Any]:
        """The contracts, as they travel."""
        return {
            "run": self.run.model_dump(mode="json"),
            "results": [result.model_dump(mode="json") for result in self.results],
        }


def reports(evaluation: Evaluation, installation: str) -> list[Report]:
    """All runs, the whole installation first; `installation`: its prefix, a part of the run ids."""
    agents = list(dict.fromkeys(group.agent for group in evaluation.groups))
    return [_report(evaluation, installation, agent) for agent in [EVERYBODY, *agents]]


def _report(evaluation: Evaluation, installation: str, agent: str) -> Report:
    period = evaluation.counted.period
    run = EvaluationRun(
        run_id=derived_id("eval", installation, agent, period.since.isoformat(), period.until.isoformat()),
        agent_id=agent,
        source=SOURCE,
        period_start=period.since,
        period_end=period.until,
        status=RunStatus.COMPLETED,
    )
    if agent == EVERYBODY:
        everything = Group(agent=agent, tool=None, measures=evaluation.total)
        values = [*_of_installation(evaluation), *_of_traffic(evaluation.traffic), *_of_group(everything)]
    else:
        values = [*_of_traffic(evaluation.counted.traffic[agent])]
        for group in evaluation.groups:
            values += _of_group(group) if group.agent == agent else ()
    return Report(
        run,
        [
            EvaluationResult(
                run_id=run.run_id, agent_id=agent, metric=metric, value=value, count=count, evidence=evidence
            )
            for metric, (value, count), evidence in values
        ],
    )


Row = tuple[str, Value, list[dict[str, str]]]


def _of_group(group: Group) -> Iterator[Row]:
    for metric in METRICS:
        name = metric.name if group.tool is None else f"{metric.name}@{group.tool}"
        yield name, metric.of(group.measures), [evidence_of(j) for j in metric.evidence(group.measures)[:EVIDENCE_MAX]]


def _of_traffic(traffic: Traffic) -> Iterator[Row]:
    yield "messages", (float(traffic.messages), traffic.messages), []
    yield "not_understood_share", share(traffic.not_understood, traffic.messages), []
    yield "duplicate_messages", (float(traffic.duplicates), traffic.messages), []
    yield "began_before_period", (float(traffic.began_before), traffic.began_before), []
    yield "open_at_end_of_period", (float(traffic.open_at_end), traffic.open_at_end), []


def _of_installation(evaluation: Evaluation) -> Iterator[Row]:
    for name, kinds in OPERATIONS.items():
        count = evaluation.operations(*kinds)
        letters = (letter for letter in evaluation.counted.letters if letter.kind in kinds)
        yield name, (float(count), count), [{"stage": e.stage, "error": e.error, "origin": e.origin} for e in letters]
    unreadable = evaluation.counted.unreadable
    yield "unreadable_records", (float(unreadable), unreadable), []


def evidence_of(journey: Journey) -> dict[str, str]:
    """What `trace` wants to show a transaction."""
    return {"transaction_id": journey.transaction_id, "conversation_key": journey.conversation}
