"""What confirm keeps of a transaction: the open question, and a marker of what became of the last one."""

from pydantic import BaseModel, ConfigDict

from contracts.base import Instant
from contracts.status import Status
from contracts.transaction import Proposal, Transaction, Turn


class Question(BaseModel):
    """A question that is open."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    turn: Turn
    """Of the proposal; its user and business context are part of what is confirmed."""
    transaction: Transaction
    proposal: Proposal
    unclear_times: int = 0


class Closed(BaseModel):
    """A question that is answered, dead or out of time."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    tool: str
    status: Status
    """Status the transaction went to: EXECUTING when it was accepted, VALIDATING when it is proposed anew."""
    reason: str | None = None
    token: str = ""
    at: Instant


class Inquiry(BaseModel):
    """One transaction; at most one question of it is open."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    revision: int
    question: Question | None = None
    closed: Closed | None = None
    """Of the latest revision that was closed."""
