"""Many transactions as numbers: endings, items from step to step, questions, waits. Pure.

Owns: what is counted over which transactions; results.py names it, docs/evaluate.md defines it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from consumers.evaluate.counting import Counted, Traffic, Waits
from consumers.evaluate.journey import EXECUTED, Ending, Journey

EVIDENCE_MAX = 20
"""Transactions named behind one number."""

FLOW = ("asked", "passed", "shown", "accepted", "called", "told")
"""Steps in which items are counted, in the order of the flow; of the last revision."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A transaction in which something happened that never must."""

    kind: str
    """Name of the metric."""
    journey: Journey
    items: int


@dataclass(kw_only=True)
class Measures:
    """Numbers of some transactions."""

    transactions: int = 0
    endings: Counter[Ending] = field(default_factory=Counter)
    done: int = 0
    failed: int = 0
    unsure: int = 0
    questions: int = 0
    proposed: int = 0
    """Transactions in which a confirmation was asked for."""
    confirmed: int = 0
    """Executed transactions that were asked for a confirmation."""
    asked_once: int = 0
    """Those of them that were asked nothing else, and that once."""
    amendments: int = 0
    amended: int = 0
    replies: int = 0
    unclear: int = 0
    set_aside: int = 0
    counted: int = 0
    refused_unnamed: int = 0
    """Items that refusals in a validator's words do not name."""
    to_question_s: list[float] = field(default_factory=list)
    to_answer_s: list[float] = field(default_factory=list)
    flow: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FLOW, 0))
    """Items by step, over executed transactions that were confirmed."""
    judged: Counter[str] = field(default_factory=Counter)
    """Transactions over which each kind of fault was looked for."""
    faults: list[Fault] = field(default_factory=list)
    of_ending: defaultdict[Ending, list[Journey]] = field(default_factory=lambda: defaultdict(list))
    """The first of each ending."""

    @property
    def executed(self) -> int:
        """Transactions whose tool was called, or refused at the last moment."""
        return sum(self.endings[ending] for ending in EXECUTED)

    @property
    def items(self) -> int:
        """Items whose fate was told."""
        return self.done + self.failed + self.unsure

    def of(self, kind: str) -> int:
        """Items in faults of a kind."""
        return sum(fault.items for fault in self.faults if fault.kind == kind)

    def add(self, journey: Journey, waits: Waits) -> None:
        """Take a whole transaction."""
        assert journey.ending is not None
        self.transactions += 1
        self.endings[journey.ending] += 1
        if len(self.of_ending[journey.ending]) < EVIDENCE_MAX:
            self.of_ending[journey.ending].append(journey)
        self.done += journey.done
        self.failed += journey.failed
        self.unsure += journey.unsure
        self.questions += journey.questions
        self.proposed += journey.proposals > 0
        confirmed = journey.ending.executed and journey.proposals > 0
        self.confirmed += confirmed
        self.asked_once += confirmed and journey.questions == 1
        self.amendments += journey.amendments
        self.amended += journey.amendments > 0
        self.replies += journey.replies
        self.unclear += journey.unclear
        self.set_aside += journey.set_aside
        self.counted += journey.counted
        self.refused_unnamed += journey.unnamed_by_validator
        opening = None if journey.deferred else journey.opening_message
        answering = opening if journey.answer_message == journey.opening_message else journey.answer_message
        asked = waits.until(journey, opening, journey.question_at)
        answered = waits.until(journey, answering, journey.answer_at)
        self.to_question_s += [] if asked is None else [asked]
        self.to_answer_s += [] if answered is None else [answered]
        if journey.ending.executed and journey.accepted is not None:
            counts: tuple[int | None, ...] = tuple(getattr(journey, step) for step in FLOW)
            for place, step in enumerate(FLOW):
                # Without a validator nothing was asked of one: the next count stands for it.
                self.flow[step] += next((count for count in counts[place:] if count is not None), 0)
        self._judge(journey)

    def _judge(self, journey: Journey) -> None:
        for kind, (is_judged, count) in JUDGEMENTS.items():
            if is_judged(journey):
                self.judged[kind] += 1
                if items := count(journey):
                    self.faults.append(Fault(kind, journey, items))


def _told(journey: Journey) -> bool:
    return journey.told is not None


JUDGEMENTS: Mapping[str, tuple[Callable[[Journey], bool], Callable[[Journey], int]]] = {
    "items_lost_before_question": (lambda j: j.proposals > 0, lambda j: j.lost_before_question),
    "items_lost_before_call": (lambda j: j.accepted is not None or j.called is not None, lambda j: j.lost_before_call),
    "items_lost_before_answer": (lambda j: j.expects_answer, lambda j: j.lost_before_answer),
    "results_without_answer": (lambda j: j.expects_answer, lambda j: int(j.answer_at is None)),
    "items_not_named_in_answer": (
        lambda j: _told(j) and not j.read_only and j.ending is not Ending.OUT_OF_SCOPE,
        lambda j: j.unnamed,
    ),
    "items_not_named_in_question": (lambda j: _told(j) and j.accepted is not None, lambda j: j.unasked),
}
"""What must never happen: over which transactions it is looked for, and how many items it befell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Transactions of one agent, or of one agent and tool."""

    agent: str
    tool: str | None
    """None: all tools of the agent."""
    measures: Measures


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """What a period comes to."""

    counted: Counted
    groups: Sequence[Group]
    """By agent; behind each agent its tools."""
    total: Measures

    @property
    def faults(self) -> Sequence[Fault]:
        """Everything that never must happen and did."""
        return self.total.faults

    @property
    def traffic(self) -> Traffic:
        """Of all agents together."""
        every = self.counted.traffic.values()
        return Traffic(*(sum(getattr(each, name) for each in every) for name in Traffic.__slots__))

    def operations(self, *kinds: str) -> int:
        """How many events of these types there were."""
        return sum(count for (kind, _), count in self.counted.operations.items() if kind in kinds)


def evaluate(counted: Counted) -> Evaluation:
    """Add up."""
    total = Measures()
    agents: dict[str, Measures] = {agent: Measures() for agent in sorted(counted.traffic) if agent}
    tools: dict[str, dict[str, Measures]] = {agent: {} for agent in agents}
    for journey in counted.journeys:
        of_tool = tools.setdefault(journey.agent, {}).setdefault(journey.tool, Measures())
        for measures in (total, agents.setdefault(journey.agent, Measures()), of_tool):
            measures.add(journey, counted.waits)
    groups = [
        Group(agent=agent, tool=tool, measures=measures)
        for agent in agents
        for tool, measures in [(None, agents[agent]), *sorted(tools[agent].items())]
    ]
    return Evaluation(counted=counted, groups=groups, total=total)


STEPS_S = (1, 2, 5, 10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400, 604800)
COLUMNS_MAX = 60


def timeline(
    journeys: Iterable[Journey], since: datetime, until: datetime
) -> tuple[timedelta, list[tuple[datetime, Counter[Ending]]]]:
    """Endings by when they came: (width of a column, its start and counts), at most COLUMNS_MAX columns."""
    length_s = max(1.0, (until - since).total_seconds())
    width_s = next((step for step in STEPS_S if length_s / step <= COLUMNS_MAX), length_s / COLUMNS_MAX)
    width = timedelta(seconds=width_s)
    columns = [
        (since + place * width, Counter[Ending]()) for place in range(-(-int(length_s * 1000) // int(width_s * 1000)))
    ]
    for journey in journeys:
        if journey.ended_at is not None and journey.ending is not None:
            place = int((journey.ended_at - since) / width)
            columns[min(max(place, 0), len(columns) - 1)][1][journey.ending] += 1
    return width, columns
