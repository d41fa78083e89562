"""What execute keeps of a transaction: the running call with its evidence, then a marker that it never calls again."""

from pydantic import BaseModel, ConfigDict

from contracts.base import Flag
from contracts.execute_command import ExecuteCommand
from contracts.normalize_command import CallFate
from contracts.tool_invocation import ToolInvocation
from contracts.tool_result import ToolResult
from pipeline.ledger import LedgerEntry
from pipeline.remembered import Remembered

RESULT_KEPT_BYTES = 4_096
"""A result up to this size is kept in the marker, so that a redelivered command gets it again."""


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
    reason: str = ""
    idempotency_key: str = ""
    attempts: int = 0
    result: ToolResult | None = None
    complete: Flag = True
    """Whether the result is kept as it was; a large one is not, and a redelivered command is then ignored."""


class Execution(BaseModel):
    """One transaction: either running or settled."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    revision: int
    digest: str
    running: Running | None = None
    settled: Settled | None = None


State = Remembered[Execution]
