"""The report: one HTML page, complete in itself, for people who run the pipeline and people who answer for it.

Owns: what the page shows and how numbers are written; report.html.jinja owns the page. Invariants: no request to anywhere (its own
content security policy forbids it), every chart's numbers also stand in a table, everything that came from a topic is escaped.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from consumers.chaos.measures import quantile
from consumers.evaluate.charts import TICKS_S, position, time_chart
from consumers.evaluate.journey import EXECUTED, Ending, Journey
from consumers.evaluate.measures import EVIDENCE_MAX, FLOW, JUDGEMENTS, Evaluation, Group, Measures, timeline
from consumers.evaluate.results import OPERATIONS, PERCENTILES, Report
from consumers.evaluate.words import WORDS

TEMPLATE = "report.html.jinja"
LOOKED_AT = (Ending.DEAD_LETTERED, Ending.UNKNOWN, Ending.FAILED, Ending.PREVALIDATION_ERROR)
"""Endings whose transactions are listed."""
DASH = "–"
SWAPPED = str.maketrans(",.", ".,")


@dataclass(frozen=True, slots=True)
class Wait:
    """Three percentiles, as text and as places on the scale."""

    count: int
    texts: Sequence[str]
    places: Sequence[float]


class Page:
    """What the template calls: words, numbers, rows."""

    def __init__(self, evaluation: Evaluation, locale: str) -> None:
        self.evaluation = evaluation
        self.locale = locale
        self._words = WORDS[locale]

    def say(self, key: str, /, **values: Any) -> str:
        """A text of the page, filled."""
        return self._words[key].format(**values)

    # --- numbers ---------------------------------------------------------------------------------------------------------

    def number(self, value: float, digits: int = 0) -> str:
        """A number as the locale writes it, with so many decimals."""
        text = f"{value:,.{digits}f}"
        return text if self.locale == "en" else text.translate(SWAPPED)

    def percent(self, part: int, whole: int) -> str:
        """A share, or a dash where there is no whole."""
        return f"{self.number(100 * part / whole)}%" if whole else DASH

    def ratio(self, part: int, whole: int) -> str:
        """So many each, or a dash."""
        return self.number(part / whole, 2) if whole else DASH

    def seconds(self, value: float) -> str:
        """A wait: 0.23 s, 4.1 s, 75 s."""
        return f"{self.number(value, 2 if value < 1 else 1 if value < 60 else 0)} s"

    def step(self, length: timedelta) -> str:
        """The length of a column."""
        seconds = length.total_seconds()
        for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
            if seconds >= size:
                return f"{seconds / size:g} {unit}"
        return f"{seconds:g} s"

    def instant(self, at: datetime) -> str:
        """A point in time, UTC."""
        return f"{at:%Y-%m-%d %H:%M:%S} UTC"

    # --- rows ------------------------------------------------------------------------------------------------------------

    def groups(self) -> Iterator[Group]:
        """Agents and tools, and all together at the end."""
        yield from self.evaluation.groups
        yield Group(agent="", tool=None, measures=self.evaluation.total)

    def name(self, group: Group) -> str:
        """What a row is called."""
        return group.tool if group.tool is not None else group.agent or self.say("whole")

    @property
    def endings(self) -> Sequence[Ending]:
        """Those that came, and always those of executed transactions."""
        return [ending for ending in Ending if ending in EXECUTED or self.evaluation.total.endings[ending]]

    def wait(self, values: Sequence[float]) -> Wait:
        """Percentiles of waits."""
        found = [quantile(values, at) for at in PERCENTILES.values()] if values else []
        return Wait(len(values), [self.seconds(each) for each in found], [position(each) for each in found])

    @property
    def ticks(self) -> Sequence[tuple[str, float]]:
        """The scale of waits."""
        return [(self.number(tick, 1 if tick < 1 else 0), position(tick)) for tick in TICKS_S]

    @property
    def flow(self) -> Sequence[tuple[str, int]]:
        """Items by step."""
        return [(step, self.evaluation.total.flow[step]) for step in FLOW]

    @property
    def judgements(self) -> Sequence[tuple[str, int, int, Sequence[Journey]]]:
        """What must never happen: found, looked at, where."""
        total = self.evaluation.total
        return [
            (
                kind,
                total.of(kind),
                total.judged[kind],
                [fault.journey for fault in total.faults if fault.kind == kind][:EVIDENCE_MAX],
            )
            for kind in JUDGEMENTS
        ]

    @property
    def evidence(self) -> Sequence[Journey]:
        """Transactions worth a look."""
        return [journey for ending in LOOKED_AT for journey in self.evaluation.total.of_ending[ending]][:EVIDENCE_MAX]

    @property
    def operations(self) -> Sequence[tuple[str, int]]:
        """What operators saw."""
        traffic, total = self.evaluation.traffic, self.evaluation.total
        return [
            ("messages", traffic.messages),
            ("not_understood", traffic.not_understood),
            ("duplicates", traffic.duplicates),
            ("set_aside", total.set_aside),
            ("counted", total.counted),
            *((name, self.evaluation.operations(*kinds)) for name, kinds in OPERATIONS.items()),
            ("unreadable_records", self.evaluation.counted.unreadable),
        ]

    @staticmethod
    def command(journey: Journey) -> str:
        """How to look at a transaction."""
        return journey.command

    @staticmethod
    def indent(group: Group) -> bool:
        """Whether a row belongs under its agent."""
        return group.tool is not None

    @staticmethod
    def p95(measures: Measures) -> float:
        """Wait for the answer."""
        return quantile(measures.to_answer_s, PERCENTILES["p95"])


def html(evaluation: Evaluation, runs: Sequence[Report], *, installation: str, locale: str) -> str:
    """Write the page; `installation`: the prefix of its topics."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    period = evaluation.counted.period
    step, counts = timeline(evaluation.counted.journeys, period.since, period.until)
    return environment.get_template(TEMPLATE).render(
        page=Page(evaluation, locale),
        total=evaluation.total,
        traffic=evaluation.traffic,
        chart=time_chart(step, counts),
        letters=evaluation.counted.letters,
        period=period,
        run=runs[0].run,
        installation=installation,
    )
