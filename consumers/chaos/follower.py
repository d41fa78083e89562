"""Reads all topics of a run as they grow, and tells when the pipeline has come to rest.

Invariants: at rest means: every record of every input is below its group's committed offset, and no conversation has anything open.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from types import TracebackType
from typing import Self

from consumers.chaos.ground import Ground
from consumers.chaos.history import History
from consumers.chaos.reading import last_values
from consumers.chaos.rules.records import nothing_is_left_open
from pipeline import topology
from pipeline.runtime.errors import Retriable
from pipeline.runtime.group_offsets import committed_offsets
from pipeline.runtime.ports import RawRecord, TopicPartition
from pipeline.runtime.topic_io import TopicReader
from pipeline.topology import STAGES

LOOK_S = 2.0
CALM_LOOKS = 2
"""Looks in a row that must find the pipeline at rest: a timer may be about to fire."""


class Follower:
    """All committed records, by logical topic."""

    def __init__(self, under: Ground) -> None:
        self._under = under
        self._settings = under.configuration.settings
        names = [self._settings.named(spec.name) for spec in topology.topics(under.channels)]
        self._reader = TopicReader(self._settings, under.bootstrap, names, start="beginning")
        self._records: dict[str, list[RawRecord]] = defaultdict(list)

    async def __aenter__(self) -> Self:
        await self._reader.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._reader.__aexit__(kind, error, trace)

    async def catch_up(self) -> dict[str, list[RawRecord]]:
        """Read on to the end. Returns: everything, in the order of partition and offset. Raises: Retriable."""
        async for records in self._reader.read_to_end():
            for record in records:
                self._records[self._settings.logical(record.topic)].append(record)
        for records in self._records.values():
            records.sort(key=lambda record: (record.partition, record.offset))
        return self._records

    async def unfinished(self) -> str:
        """What is not at rest; empty when all is. Raises: Retriable."""
        records = await self.catch_up()
        lag = await self._lag()
        if lag:
            return f"{lag} records to read"
        states = {stage.value: last_values(records[topology.state(stage)]) for stage in STAGES}
        left = list(nothing_is_left_open(History(states=states)))
        return f"{len(left)} conversations open" if left else ""

    async def _lag(self) -> int:
        """Records that a group has not committed past; markers do not count."""
        behind = 0
        for stage in STAGES.values():
            names = [self._settings.named(spec.topic) for spec in stage.inputs]
            partitions = [TopicPartition(name, n) for name in names for n in range(self._settings.kafka.partitions)]
            group = self._settings.named(stage.group)
            committed = await committed_offsets(self._settings, self._under.bootstrap, group, partitions)
            for partition, offset in committed.items():
                records = self._records[self._settings.logical(partition.topic)]
                behind += sum(r.partition == partition.partition and r.offset >= (offset or 0) for r in records)
        return behind

    async def rest(self, seconds: float, tell: Callable[[str], None]) -> str:
        """Wait for rest. Returns: what was unfinished at the bound; empty when the pipeline rests."""
        loop = asyncio.get_running_loop()
        deadline, calm, left = loop.time() + seconds, 0, "nothing was read"
        while loop.time() < deadline:
            try:
                now = await self.unfinished()
            except Retriable as error:
                now = str(error)
            if now and now != left:
                tell(f"waiting for rest: {now}")
            left, calm = now, 0 if now else calm + 1
            if calm >= CALM_LOOKS:
                return ""
            await asyncio.sleep(LOOK_S)
        return left
