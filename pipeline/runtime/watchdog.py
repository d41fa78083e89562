"""Notices stalls that raise nothing: assigned, lagging, and no position moves. Source: aiokafka issues 1154, 847, 1124."""

from collections.abc import Mapping

from pipeline.runtime.ports import TopicPartition


class Watchdog:
    """Compares positions over time."""

    def __init__(self, stall_s: float) -> None:
        self._stall_s = stall_s
        self._since: dict[TopicPartition, tuple[int, float]] = {}

    def reset(self) -> None:
        """Forget everything: a new consumer gets its time."""
        self._since.clear()

    def stalled(self, lagging: Mapping[TopicPartition, int], now_s: float) -> bool:
        """Whether a lagging partition has kept its position for too long. `lagging`: partition → position."""
        self._since = {
            partition: before
            if (before := self._since.get(partition)) is not None and before[0] == position
            else (position, now_s)
            for partition, position in lagging.items()
        }
        return any(now_s - since >= self._stall_s for _, since in self._since.values())
