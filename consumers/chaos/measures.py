"""Numbers of a history: how much, how fast, how it recovered. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

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
    single_recovery_s: tuple[float, float, float]
    """The same, of faults during whose recovery nothing else was broken."""
    recoveries: Mapping[str, Sequence[float]]
    """By kind of fault."""
    slowest: Sequence[tuple[float, str, str]]
    """Seconds to the first answer, conversation, message."""


def measure(history: History, violations: Sequence[Violation]) -> Measures:
    """Count."""
    found = Counter(violation.rule for violation in violations)
    waited = _answer_delays(history)
    delays = [seconds for seconds, _, _ in waited]
    answered = {(entry.value.session_id, entry.value.metadata.message_id) for entry in history.responses}
    found_recoveries = list(recoveries(history.disturbances, history.takeovers))
    recovered: dict[str, list[float]] = defaultdict(list)
    for hit, seconds in found_recoveries:
        recovered[hit.kind].append(seconds)
    every = [seconds for _, seconds in found_recoveries]
    single = [seconds for hit, seconds in found_recoveries if is_single(hit, seconds, history.disturbances)]
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
        answer_s=spread(delays),
        stall_s=max(_receipt_delays(history), default=0.0),
        recovery_s=spread(every),
        single_recovery_s=spread(single),
        recoveries=dict(recovered),
        slowest=sorted(waited, reverse=True)[:10],
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


def recoveries(
    disturbances: Sequence[Disturbance], takeovers: Sequence[Takeover]
) -> Iterator[tuple[Disturbance, float]]:
    """Each process fault with the seconds to the last takeover of what the hit process owned; a pause takes nothing away."""
    for hit in disturbances:
        if not hit.of_process or hit.kind == Kind.PAUSE:
            continue
        times = []
        for place in owned_at(takeovers, hit.at, hit.target, hit.life):
            later = (
                t.at for t in takeovers if t.at > hit.at and (t.stage, t.number) == place and _another_life(t, hit)
            )
            at = next(later, None)
            if at is not None:
                times.append((at - hit.at).total_seconds())
        if times:
            yield hit, round(max(times), 3)


def is_single(hit: Disturbance, seconds: float, disturbances: Sequence[Disturbance]) -> bool:
    """Whether nothing else was broken from the fault to its recovery."""
    recovered = hit.at + timedelta(seconds=seconds)
    return not any(each is not hit and each.at <= recovered and each.until >= hit.at for each in disturbances)


def owned_at(takeovers: Sequence[Takeover], at: datetime, replica: str, life: int) -> set[tuple[str, int]]:
    """(stage, number) whose last takeover before `at` was by this life of this replica."""
    last: dict[tuple[str, int], Takeover] = {}
    for takeover in takeovers:
        if takeover.at <= at:
            last[takeover.stage, takeover.number] = takeover
    return {place for place, takeover in last.items() if (takeover.replica, takeover.life) == (replica, life)}


def _another_life(takeover: Takeover, hit: Disturbance) -> bool:
    return (takeover.replica, takeover.life) != (hit.target, hit.life)


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Median, 99th percentile, largest."""
    return quantile(values, 0.5), quantile(values, 0.99), max(values, default=0.0)


def quantile(values: Sequence[float], share: float) -> float:
    """Nearest rank; 0 of nothing."""
    ordered = sorted(values)
    return ordered[max(0, ceil(round(share * len(ordered), 6)) - 1)] if ordered else 0.0


def _answer_delays(history: History) -> list[tuple[float, str, str]]:
    first: dict[tuple[str, str], datetime] = {}
    for entry in history.responses:
        said = (entry.value.session_id, entry.value.metadata.message_id or "")
        first[said] = min(first.get(said, entry.at), entry.at)
    return [
        (max(0.0, (first[said] - min(record.at for record in records)).total_seconds()), *said)
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
