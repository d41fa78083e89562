"""Where the marks of a chart go: numbers in, coordinates out; the template draws them. Pure."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from consumers.evaluate.journey import Ending

WIDTH, HEIGHT = 960, 220
"""Of the time chart, in its own units; it is as wide as the page."""
LEFT, BOTTOM, TOP = 40, 26, 8
LABELS, LABEL_WIDTH = 6, 70

SCALE_S = (0.05, 60.0)
"""Both ends of the logarithmic scale of waits; what lies outside is drawn at the end."""
TICKS_S = (0.1, 1, 10, 60)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a column."""

    ending: Ending
    count: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Column:
    """What ended within one step of time."""

    start: datetime
    x: float
    width: float
    parts: Sequence[Part]
    labelled: bool

    @property
    def count(self) -> int:
        return sum(part.count for part in self.parts)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the grid, and what it stands for."""

    value: int
    y: float


@dataclass(frozen=True, slots=True)
class TimeChart:
    """Endings over time."""

    columns: Sequence[Column]
    grid: Sequence[Line]
    step: timedelta
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    base: int = HEIGHT - BOTTOM


def time_chart(step: timedelta, counts: Sequence[tuple[datetime, Counter[Ending]]]) -> TimeChart:
    """Lay out columns of stacked parts."""
    top = nice_top(max((count.total() for _, count in counts), default=0))
    room = HEIGHT - BOTTOM - TOP
    each = (WIDTH - LEFT) / max(1, len(counts))
    every = max(1, math.ceil(len(counts) / LABELS))
    columns = [
        Column(
            start=start,
            x=round(LEFT + place * each, 2),
            width=round(max(1.0, each - min(2.0, each / 5)), 2),
            parts=list(_parts(count, room / top)),
            labelled=place % every == 0 and LEFT + place * each <= WIDTH - LABEL_WIDTH,
        )
        for place, (start, count) in enumerate(counts)
    ]
    grid = [
        Line(value, round(HEIGHT - BOTTOM - value * room / top, 2))
        for value in sorted({0, top // 2, top} if top > 1 else {0, top})
    ]
    return TimeChart(columns, grid, step)


def _parts(count: Counter[Ending], unit: float) -> Iterator[Part]:
    y = float(HEIGHT - BOTTOM)
    for ending in Ending:
        if count[ending]:
            height = count[ending] * unit
            y -= height
            yield Part(ending, count[ending], round(y, 2), round(height, 2))


def nice_top(highest: int) -> int:
    """The least of 1, 2, 4, 6, 8, 10, 20, 30, 40, 60, … that is not lower."""
    size = 1
    while True:
        for factor in (1, 2, 4, 6, 8) if size == 1 else (1, 2, 3, 4, 6, 8):
            if factor * size >= highest:
                return factor * size
        size *= 10


def position(seconds: float) -> float:
    """Where a wait lies on its scale, from 0 to 100."""
    low, high = (math.log(end) for end in SCALE_S)
    place = (math.log(max(seconds, SCALE_S[0])) - low) / (high - low)
    return round(100 * min(1.0, place), 2)
