"""Numbers of a history: how much, how fast, how it recovered. Pure."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from consumers.chaos.history import Disturbance, History, Takeover
from consumers.chaos.plan import Kind
from consumers.chaos.rules import Violation
from contracts.status import Status

LOSS = {"lost or doubled request", "unanswered", "end of a transaction", "result", "left open"}
DOUBLING = {"doubled record", "question"}
DISORDER = {"order of messages", "sequence of events"}
EFFECTS = {"effect", "call", "untrue answer"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What a run reports."""

    requests: int
    """Different messages that were accepted."""
    duplicates: int
    """Records beyond the first of a message."""
    moved: int
    """Records that were put into their right place."""
    refused: int
    answered: int
    lost: int
    duplicated: int
    out_of_order: int
    transactions: Mapping[str, int]
    """By terminal status."""
    effects: int
    double_effects: int
    settled: Mapping[str, int]
    """Unknown outcomes, by how each was settled."""
    events: int
    answer_s: tuple[float, float, float]
    """From a message to its first answer: p50, p99, longest."""
    stall_s: float
    """Longest time from the broker's acceptance of a message to its receipt by the pipeline."""
    recovery_s: tuple[float, float, float]
    """From a process fault to the last takeover it caused: p50, p99, longest."""
    recoveries: Mapping[str, Sequence[float]]
    """By kind of fault."""


def measure(history: History, violations: Sequence[Violation]) -> Measures:
    """Count."""
    found = Counter(violation.rule for violation in violations)
    delays = _answer_delays(history)
    answered = {(entry.value.session_id, entry.value.metadata.message_id) for entry in history.responses}
    recovered = recoveries(history.disturbances, history.takeovers)
    of_processes = [s for kind, times in recovered.items() if Kind(kind).of_process for s in times]
    return Measures(
        requests=len(history.accepted),
        duplicates=sum(len(records) - 1 for records in history.accepted.values()),
        moved=sum(asked.moved for asked in history.asked),
        refused=len(history.dead_letters),
        answered=sum(said in answered for said in history.accepted),
        lost=sum(found[rule] for rule in LOSS),
        duplicated=sum(found[rule] for rule in DOUBLING),
        out_of_order=sum(found[rule] for rule in DISORDER),
        transactions=dict(Counter(str(finals[0].value.metadata.status) for finals in history.finals.values())),
        effects=sum(effect.executions for effect in history.effects),
        double_effects=sum(found[rule] for rule in EFFECTS),
        settled=settlements(history),
        events=len(history.events),
        answer_s=(quantile(delays, 0.5), quantile(delays, 0.99), max(delays, default=0.0)),
        stall_s=max(_receipt_delays(history), default=0.0),
        recovery_s=(quantile(of_processes, 0.5), quantile(of_processes, 0.99), max(of_processes, default=0.0)),
        recoveries=recovered,
    )


def settlements(history: History) -> Mapping[str, int]:
    """How calls with a lost answer were settled."""
    by_key = Counter((arrival.tool, arrival.request_key) for arrival in history.arrivals)
    asked = {arrival.request_key for arrival in history.arrivals if not _is_transactional(history, arrival.tool)}
    found: Counter[str] = Counter()
    for transaction, entries in history.normalized.items():
        command = entries[0].value
        rules, finals = history.tools.get(command.transaction.tool), history.finals.get(transaction)
        if rules is None or not rules.transactional or not finals or command.invocation is None:
            continue
        key = str(command.invocation.metadata.get("idempotency_key"))
        unknown = finals[0].value.metadata.status is Status.OUTCOME_UNKNOWN
        again = by_key[command.transaction.tool, key] > 1
        if unknown:
            found[f"{rules.recovery}: told that it is unknown"] += 1
        elif rules.recovery == "status" and key in asked:
            found["status: called again, the server had no such call" if again else "status: the server told"] += 1
        elif rules.recovery == "retry" and again:
            found["retry: answered at another attempt"] += 1
    return dict(found)


def recoveries(disturbances: Sequence[Disturbance], takeovers: Sequence[Takeover]) -> Mapping[str, list[float]]:
    """Seconds from each fault to the last of the takeovers of what the hit process owned, by kind of fault."""
    found: dict[str, list[float]] = defaultdict(list)
    for hit in disturbances:
        if not hit.of_process:
            continue
        owned = owned_at(takeovers, hit.at, hit.target, hit.life)
        times = []
        for stage, number in owned:
            later = next(
                (
                    t.at
                    for t in takeovers
                    if t.at > hit.at and (t.stage, t.number) == (stage, number) and _another_life(t, hit)
                ),
                None,
            )
            if later is not None:
                times.append((later - hit.at).total_seconds())
        if times and hit.kind != Kind.PAUSE:
            found[hit.kind].append(round(max(times), 3))
    return dict(found)


def owned_at(takeovers: Sequence[Takeover], at: datetime, replica: str, life: int) -> set[tuple[str, int]]:
    """(stage, number) whose last takeover before `at` was by this life of this replica."""
    last: dict[tuple[str, int], Takeover] = {}
    for takeover in takeovers:
        if takeover.at <= at:
            last[takeover.stage, takeover.number] = takeover
    return {place for place, takeover in last.items() if (takeover.replica, takeover.life) == (replica, life)}


def _another_life(takeover: Takeover, hit: Disturbance) -> bool:
    return (takeover.replica, takeover.life) != (hit.target, hit.life)


def quantile(values: Sequence[float], share: float) -> float:
    """Nearest rank; 0 of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def _answer_delays(history: History) -> list[float]:
    first: dict[tuple[str, str], datetime] = {}
    for entry in history.responses:
        said = (entry.value.session_id, entry.value.metadata.message_id or "")
        first[said] = min(first.get(said, entry.at), entry.at)
    return [
        max(0.0, (first[said] - min(record.at for record in records)).total_seconds())
        for said, records in history.accepted.items()
        if said in first
    ]


def _receipt_delays(history: History) -> list[float]:
    return [
        (history.heard[said][0].at - min(record.at for record in records)).total_seconds()
        for said, records in history.accepted.items()
        if said in history.heard
    ]


def _is_transactional(history: History, tool: str) -> bool:
    rules = history.tools.get(tool)
    return rules is not None and rules.transactional
