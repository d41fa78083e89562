"""What one task has to decide: records by topic, reports of calls, timers, each in order.

Owns: the next offset to accept per topic (the task counts for itself), buffered bytes, the barrier of timers that wait for input.
Invariants: a record below the next offset is ignored, so a redelivery after a rebalance is harmless; records leave in offset order.
Never: awaits. Source: DESIGN 4 (Tasks and takeover).
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.decision import CallGranted, Input
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.timers import Armed
from pipeline.topology import InputSpec

RECORD_OVERHEAD = 200
"""Bytes a buffered record costs besides its value."""


@dataclass(slots=True, eq=False)
class Work:
    """One thing to decide."""

    conversation: str = ""
    spec: InputSpec | None = None
    record: RawRecord | None = None
    event: Input | None = None
    """A report; None for a record."""
    armed: Armed | None = None
    """The timer behind the event."""
    failures: int = 0
    condemned: bool = False
    """Its commit was refused for its content: dead-letter it without another try."""


def size_of(record: RawRecord) -> int:
    """Bytes a record counts for."""
    return len(record.value or b"") + len(record.key or b"") + RECORD_OVERHEAD


@dataclass(slots=True)
class _Source:
    spec: InputSpec
    next_offset: int
    position: int
    records: deque[RawRecord] = field(default_factory=deque)
    size: int = 0


@dataclass(slots=True)
class _Barrier:
    ends: Mapping[str, int]
    timers: list[Armed]


class Intake:
    """Inputs of one task; topics are named as on the cluster."""

    def __init__(self, offsets: Mapping[str, int], specs: Mapping[str, InputSpec]) -> None:
        self._sources = {topic: _Source(specs[topic], offset, offset) for topic, offset in offsets.items()}
        self._again: deque[Work] = deque()
        self._reports: deque[Work] = deque()
        self._held: deque[Work] = deque()
        """Grants that came while none was wanted: nobody reports them again, their slots are held."""
        self._ripe: deque[Work] = deque()
        self._barriers: list[_Barrier] = []

    def offer(self, topic: str, records: Iterable[RawRecord]) -> None:
        """Take records that the consumer returned."""
        source = self._sources[topic]
        for record in records:
            if record.offset < source.next_offset:
                continue
            source.next_offset = record.offset + 1
            source.records.append(record)
            source.size += size_of(record)

    def observe(self, topic: str, position: int) -> None:
        """Everything below `position` was offered or is no record (a marker, compacted)."""
        source = self._sources[topic]
        source.position = max(source.position, position, source.next_offset)

    def report(self, work: Work) -> None:
        """Take a report."""
        self._reports.append(work)

    def wait_for(self, ends: Mapping[str, int], timers: list[Armed]) -> None:
        """These timers may fire once the input up to `ends` has been taken."""
        self._barriers.append(_Barrier(ends, timers))

    def ripen(self, work: Work) -> None:
        """A timer may fire now."""
        self._ripe.append(work)

    def passed_barriers(self) -> list[Armed]:
        """Timers whose input has been taken out of the buffers."""
        passed = [barrier for barrier in self._barriers if self._is_passed(barrier)]
        self._barriers = [barrier for barrier in self._barriers if not self._is_passed(barrier)]
        return [armed for barrier in passed for armed in barrier.timers]

    def _is_passed(self, barrier: _Barrier) -> bool:
        again = {work.record.topic: work.record.offset for work in reversed(self._again) if work.record}
        return all(
            (source := self._sources[topic]).position >= end
            and not (source.records and source.records[0].offset < end)
            and again.get(topic, end) >= end
            for topic, end in barrier.ends.items()
        )

    def put_back(self, works: Sequence[Work]) -> None:
        """Decide these first next time, in this order."""
        self._again.extendleft(reversed(works))

    def take(self, *, max_records: int, max_bytes: int, forward: bool, grants: bool) -> list[Work]:
        """Remove the next batch: put back, urgent records, reports, ripe timers, forward records.

        Without `grants` those that came wait until they are wanted again.
        """
        again = list(self._again)
        self._again.clear()
        if grants:
            self._reports.extendleft(reversed(self._held))
            self._held.clear()
        works = [work for work in again if grants or not isinstance(work.event, CallGranted)]
        self._held.extend(work for work in again if not grants and isinstance(work.event, CallGranted))
        self._take_records(works, urgent=True, max_records=max_records, max_bytes=max_bytes)
        for queue in (self._reports, self._ripe):
            while queue and len(works) < max_records:
                work = queue.popleft()
                if grants or not isinstance(work.event, CallGranted):
                    works.append(work)
                else:
                    self._held.append(work)
        if forward:
            self._take_records(works, urgent=False, max_records=max_records, max_bytes=max_bytes)
        return works

    def _take_records(self, works: list[Work], *, urgent: bool, max_records: int, max_bytes: int) -> None:
        taken = sum(size_of(work.record) for work in works if work.record)
        for source in self._sources.values():
            if source.spec.urgent is not urgent:
                continue
            while source.records and len(works) < max_records and taken < max_bytes:
                record = source.records.popleft()
                source.size -= size_of(record)
                taken += size_of(record)
                works.append(Work(spec=source.spec, record=record))

    def is_empty(self, *, forward: bool = True, grants: bool = True) -> bool:
        """Whether nothing is to be decided."""
        records = any(s.records for s in self._sources.values() if forward or s.spec.urgent)
        return not (self._again or self._reports or self._ripe or records or (grants and self._held))

    @property
    def has_barriers(self) -> bool:
        """Whether timers wait for input."""
        return bool(self._barriers)

    @property
    def has_reports(self) -> bool:
        """Whether reports wait."""
        return bool(self._reports or self._again)

    def next_offset(self, topic: str) -> int:
        """Where the consumer is to be seeked to."""
        return self._sources[topic].next_offset

    def buffered_bytes(self) -> int:
        """Bytes read and not decided."""
        return sum(source.size for source in self._sources.values())

    @property
    def topics(self) -> tuple[str, ...]:
        """Input topics."""
        return tuple(self._sources)
