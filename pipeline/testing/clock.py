"""Wall clocks of simulated processes: virtual time plus an offset of each machine, which may jump."""

from datetime import UTC, datetime, timedelta

from pipeline.testing.loop import VirtualLoop


class SimulatedClock:
    """The wall clock of one process."""

    def __init__(self, loop: VirtualLoop, epoch_ms: int, offset_s: float = 0.0) -> None:
        self._loop = loop
        self._epoch = datetime.fromtimestamp(epoch_ms / 1000, UTC)
        self.offset_s = offset_s
        """How far it is ahead of the broker's."""

    def now(self) -> datetime:
        """UTC now, whole milliseconds."""
        ms = int((self._loop.time() + self.offset_s) * 1000)
        return self._epoch + timedelta(milliseconds=ms)
