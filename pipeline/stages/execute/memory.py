"""What execute keeps of a transaction: the running call with its evidence, then a marker that it never calls again."""

from pydantic import BaseModel, ConfigDict

from contracts.execute_command import ExecuteCommand
from contracts.normalize_command import CallFate, NormalizeCommand
from contracts.tool_invocation import ToolInvocation
from contracts.tool_result import ToolResult
from pipeline.ledger import LedgerEntry
from pipeline.remembered import Remembered

OUTCOME_KEPT_BYTES = 16_384
"""A settled outcome up to this size is kept, so that a redelivered command gets the same result."""


class Running(BaseModel):
    """A call that is not settled."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    command: ExecuteCommand
    entry: LedgerEntry
    """The call of the tool, or of its item retry."""
    invocation: ToolInvocation
    """The first call, as it was asked for."""
    asking: LedgerEntry | None = None
    """The status tool being asked about `entry`."""
    sent: tuple[int, ...] = ()
    """Positions of the items that `entry` sends."""
    rounds: int = 1
    """Calls of the collection, item retries included."""
    calls: int = 0
    """How often the tool was called, every attempt counted."""
    result: ToolResult | None = None
    """Evidence of earlier rounds, merged."""
    size: int = 0
    """Bytes of the command as it was read."""

    @property
    def active(self) -> LedgerEntry:
        """The call that is to run now."""
        return self.asking or self.entry


class Settled(BaseModel):
    """A call that ended; it never calls again."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    fate: CallFate
    idempotency_key: str = ""
    attempts: int = 0
    outcome: NormalizeCommand | None = None
    """What normalize was told; None when it was too large to keep."""


class Execution(BaseModel):
    """One transaction: either running or settled."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    revision: int
    digest: str
    running: Running | None = None
    settled: Settled | None = None


State = Remembered[Execution]
