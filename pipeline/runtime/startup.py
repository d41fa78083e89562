"""Waiting for the broker: before anything runs, and whenever a consumer is made.

Owns: the back-off, and how long topics that the broker does not know yet are looked for. Invariants: an end that begins meanwhile is
not kept waiting; a broker that is away is never a reason to exit. Source: DESIGN 4 (Tasks and takeover).
"""

from collections.abc import Callable, Mapping, Sequence

import structlog

from pipeline import topology
from pipeline.runtime.counts import tied_counts
from pipeline.runtime.ending import Ending
from pipeline.runtime.errors import Retriable
from pipeline.runtime.ports import Clients, GroupConsumer
from pipeline.settings import PipelineSettings

WAIT_FOR_BROKER_S = (0.2, 0.5, 1.0, 2.0, 5.0)
MISSING_LOOKS, MISSING_S = 4, 0.5
"""How often, and how far apart, topics that are missing are looked for again."""


class Startup:
    """Of one worker. `troubled` is told why nothing starts; None: it has started."""

    def __init__(self, stage: str, replica: str, ending: Ending, *, troubled: Callable[[str | None], None]) -> None:
        self._ending = ending
        self._troubled = troubled
        self._log = structlog.get_logger("pipeline.worker").bind(stage=stage, replica=replica)

    async def known_topics(
        self, clients: Clients, settings: PipelineSettings, channels: Sequence[str]
    ) -> tuple[Mapping[str, int], Mapping[str, int]] | None:
        """Partition counts of every topic, and of those that have to be one number.

        Returns None when the end began first. Raises: Fatal where topics are missing or the counts are not one.
        """
        wanted = {settings.named(spec.name): spec for spec in topology.topics(tuple(channels))}
        attempt = looks = 0
        while not self._ending.has_begun:
            try:
                counts = await self._ending.unless_begun(clients.partition_counts(sorted(wanted)))
            except Retriable as error:
                await self._wait(attempt, error)
                attempt += 1
                continue
            if counts is None:
                return None
            if wanted.keys() - counts.keys() and looks < MISSING_LOOKS:
                # A broker that has just started, or topics that have just been made: it may not know them yet.
                looks += 1
                await self._ending.pause(MISSING_S)
                continue
            return counts, tied_counts(wanted, counts)
        return None

    async def start(self, consumer: GroupConsumer) -> None:
        """Start a consumer; returns also when the end began first."""
        attempt = 0
        while not self._ending.has_begun:
            try:
                # The client's start returns with the first assignment only: a group that does not answer may never give one.
                await self._ending.unless_begun(consumer.start())
            except Retriable as error:
                await self._wait(attempt, error)
                attempt += 1
            else:
                self._troubled(None)
                return

    async def _wait(self, attempt: int, error: Exception) -> None:
        delay = WAIT_FOR_BROKER_S[min(attempt, len(WAIT_FOR_BROKER_S) - 1)]
        self._troubled(f"the broker is not reachable: {error}")
        self._log.warning("the broker is not reachable; trying again", seconds=delay, error=str(error))
        await self._ending.pause(delay)
