"""A replica that the leader of its group refuses: two live members have its name, or the partition counts differ.

Invariants: a killed life of this replica may still be a member, so only a refusal that outlasts its session is taken for a second
process. Source: DESIGN 4 (an assignor of our own).
"""

import asyncio

from pipeline.runtime.errors import Fatal
from pipeline.settings import PipelineSettings


class Refusal:
    """Of one worker."""

    def __init__(self, settings: PipelineSettings) -> None:
        # The dead life goes with its session; the rebalance after it waits for the handover of the others.
        self._patience_s = (2 * settings.kafka.session_timeout_ms + settings.runtime.handover_ms) / 1000
        self._reason: str | None = None
        self._since: float | None = None

    def refused(self, reason: str) -> bool:
        """The leader refused this member. Returns: whether that is news."""
        self._reason = reason
        if self._since is not None:
            return False
        self._since = asyncio.get_running_loop().time()
        return True

    def generation_ended(self) -> None:
        """The next assignment says it again or not."""
        self._reason = None

    def assigned(self) -> None:
        """An assignment came: unless it was refused, the other member is gone."""
        if self._reason is None:
            self._since = None

    def raise_lasting(self) -> None:
        """Raises: Fatal where it was refused for too long."""
        if self._reason is None or self._since is None:
            return
        if asyncio.get_running_loop().time() - self._since > self._patience_s:
            raise Fatal(f"the group refused this replica: {self._reason}")
