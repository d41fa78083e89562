"""One partition of the simulated broker: entries, markers, what is stable, compaction, retention.

Invariants: offsets only grow and are never reused, markers take one each; nothing at or above the last stable offset is shown to a
read_committed reader; compaction never removes the last value of a key, an undecided entry, or renumbers anything.
Source: Apache Kafka's log (LSO, control batches, LogCleaner).
"""

from bisect import bisect_left
from dataclasses import dataclass, field

from pipeline.runtime.ports import RawRecord, TopicPartition


@dataclass(slots=True)
class Entry:
    """A record or a marker."""

    offset: int
    record: RawRecord | None
    """None: a marker."""
    producer: int = -1
    """Producer id of a transactional entry."""
    epoch: int = -1
    aborted: bool = False
    open: bool = False
    """Its transaction has no marker in this partition yet."""


@dataclass(slots=True)
class PartitionLog:
    """Entries in offset order."""

    partition: TopicPartition
    compacted: bool = False
    max_message_bytes: int = 1_048_576
    refused: bytes = b""
    """A fault: values that hold this are refused as too large."""
    entries: list[Entry] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    """Of the entries, for searching."""
    start: int = 0
    end: int = 0
    """High watermark."""
    epochs: dict[int, int] = field(default_factory=dict)
    """Producer id → latest epoch seen."""
    visible_ms: dict[int, int] = field(default_factory=dict)
    """Offset of a transactional record → broker time at which readers could first see it."""
    pending: dict[int, list[Entry]] = field(default_factory=dict)
    """Producer id → entries of its open transaction here."""

    @property
    def stable(self) -> int:
        """Last stable offset."""
        return min((entries[0].offset for entries in self.pending.values()), default=self.end)

    def append(
        self,
        *,
        timestamp_ms: int,
        key: bytes | None,
        value: bytes | None,
        headers: tuple[tuple[str, bytes], ...],
        producer: int = -1,
        epoch: int = -1,
    ) -> RawRecord:
        """Write a record; with a producer it belongs to that one's open transaction."""
        record = RawRecord(
            topic=self.partition.topic,
            partition=self.partition.partition,
            offset=self.end,
            timestamp_ms=timestamp_ms,
            key=key,
            value=value,
            headers=headers,
        )
        entry = Entry(self.end, record, producer, epoch, open=producer >= 0)
        self._add(entry)
        if producer >= 0:
            self.epochs[producer] = epoch
            self.pending.setdefault(producer, []).append(entry)
        return record

    def mark(self, producer: int, epoch: int, *, commit: bool) -> None:
        """Write a transaction marker."""
        for entry in self.pending.pop(producer, ()):
            entry.open = False
            entry.aborted = not commit
        self.epochs[producer] = max(epoch, self.epochs.get(producer, -1))
        self._add(Entry(self.end, None, producer, epoch))

    def _add(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.offsets.append(entry.offset)
        self.end += 1

    def read(self, position: int, limit: int, *, upto: int | None = None) -> tuple[list[RawRecord], int]:
        """Committed records from a position. Returns: records, and the next position, past markers and what was compacted."""
        upto = self.stable if upto is None else min(upto, self.stable)
        records: list[RawRecord] = []
        index = bisect_left(self.offsets, position)
        while index < len(self.entries) and len(records) < limit:
            entry = self.entries[index]
            if entry.offset >= upto:
                break
            if entry.record is not None and not entry.aborted:
                records.append(entry.record)
            position = entry.offset + 1
            index += 1
        if len(records) < limit:
            position = max(position, upto)
        return records, position

    def has_from(self, position: int) -> bool:
        """Whether a read would return or pass anything."""
        return position < self.stable

    def records(self, start: int = 0) -> list[RawRecord]:
        """Every committed record that a reader could see now."""
        return self.read(max(start, self.start), len(self.entries) + 1)[0]

    def compact(self, *, tombstones_before_ms: int = 0) -> int:
        """Keep the last value of each key below the stable offset, and tombstones younger than that. Returns: entries removed."""
        stable = self.stable
        last: dict[bytes | None, int] = {}
        for entry in self.entries:
            if entry.record is not None and entry.offset < stable and not entry.aborted:
                last[entry.record.key] = entry.offset
        kept = [
            entry
            for entry in self.entries
            if entry.offset >= stable
            or entry.offset == self.end - 1  # the active segment is never cleaned
            or (
                entry.record is not None
                and not entry.aborted
                and last[entry.record.key] == entry.offset
                and not (entry.record.value is None and entry.record.timestamp_ms < tombstones_before_ms)
            )
        ]
        removed = len(self.entries) - len(kept)
        self.entries, self.offsets = kept, [entry.offset for entry in kept]
        return removed

    def delete_below(self, offset: int) -> None:
        """Retention."""
        self.start = max(self.start, min(offset, self.stable))
        index = bisect_left(self.offsets, self.start)
        del self.entries[:index]
        del self.offsets[:index]
