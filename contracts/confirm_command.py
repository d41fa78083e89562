"""ConfirmCommand: the value of `pipeline.confirm`: a proposal from pre-validate or a verdict from reconcile. Source: DESIGN 7."""

from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from contracts.base import Contract, Flag, Instant, Name
from contracts.transaction import Transaction, Turn


class VerdictKind(StrEnum):
    """What the customer's reply asks confirm to do with the open question."""

    ACCEPT = "accept"
    """A plain yes."""
    DECLINE = "decline"
    """A plain no."""
    AMEND = "amend"
    """Another set or other arguments: a new revision is proposed."""
    UNCLEAR = "unclear"
    """Neither yes nor no: the question is asked again, more plainly."""
    ABANDON = "abandon"
    """Gives up the whole request."""
    REPLACE = "replace"
    """Wants something else instead."""


class ProposeCommand(Contract):
    """Ask for one confirmation of the whole set, or pass it on when none is needed."""

    kind: Literal["propose"] = "propose"
    """Always `propose`."""
    turn: Turn
    """The message that caused it."""
    transaction: Transaction
    """What is proposed."""
    items: tuple[str, ...] = ()
    """Names of the items as the customer shall read them, in order."""
    confirmation_message: str | None = None
    """The validator's wording; else the stage builds one from the labels and all items."""
    requires_confirmation: Flag = False
    """The validator asked for a question even where the policy does not."""


class VerdictCommand(Contract):
    """The customer's reply to an open question, already understood."""

    kind: Literal["verdict"] = "verdict"
    """Always `verdict`."""
    turn: Turn
    """The reply."""
    transaction_id: Name
    """The transaction the reply is about."""
    revision: int
    """The revision the reply is about."""
    digest: str
    """Digest of the proposal the reply is about."""
    verdict: VerdictKind
    """What the reply says."""
    said_at: Instant
    """Broker time of the reply."""
    token: str | None = None
    """Token of a pressed button; a foreign or dead one makes the reply stale."""
    rule: str = ""
    """The language rule that read the reply."""
    question: Flag = False
    """The reply is a question about the proposal itself."""


class ConfirmCommand(Contract):
    """Something to be confirmed, or the customer's verdict on it."""

    VERSION: ClassVar[str] = "confirm-command-v1"

    command: Annotated[ProposeCommand | VerdictCommand, Field(discriminator="kind")]
    """A proposal or a verdict, told apart by `kind`."""
