"""TransactionStatus: the value of `pipeline.status`, the only way back to reconcile. Source: DESIGN 3 and 4."""

from typing import Any, ClassVar

from pydantic import Field

from contracts.base import Contract, Flag, Name
from contracts.confirm_command import VerdictKind
from contracts.status import Status
from contracts.transaction import Proposal, Turn


class TransactionStatus(Contract):
    """Where a transaction is now, told by the stage that holds it."""

    VERSION: ClassVar[str] = "transaction-status-v1"

    turn: Turn
    """The message that caused it."""
    stage: Name
    """The stage that says it."""
    transaction_id: Name
    """The transaction it is about."""
    revision: int
    """The revision it is about."""
    tool: Name
    """The tool as it stands now; a validator may have moved it."""
    status: Status
    """Where the transaction is now."""
    reason: str | None = None
    """With CANCELLED: declined, abandoned or replaced; with FAILED: why."""
    arguments: dict[str, Any] = Field(default_factory=dict)
    """With AWAITING_CONFIRMATION: the effective, canonical arguments."""
    proposal: Proposal | None = None
    """With AWAITING_CONFIRMATION: what the customer was shown."""
    parameter: str | None = None
    """With COLLECTING_PARAMETERS: the one argument that the validator refused."""
    parameter_message: str | None = None
    """The validator's words for it, already published."""
    confirmation_floor: Flag = False
    """With COLLECTING_PARAMETERS: a tool or validator on the way here asked for a confirmation; it stays needed."""
    granted: VerdictKind | None = None
    """The verdict that confirm has just applied: with `amend` the question is dead and reconcile proposes the next revision."""
    announced: Flag = True
    """Whether the customer was already told."""
