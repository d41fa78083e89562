"""ChannelResponse: what a channel gateway reads on `channel.<channel>.responses`. Source: SPEC-012 section 5, DESIGN 9."""

from enum import StrEnum
from typing import Any, ClassVar

from pydantic import Field

from contracts.base import Contract, Flag, Instant, Name
from contracts.status import ItemOutcome, MultiItemStatus, Status


class ResponseKind(StrEnum):
    """What a response wants of the customer."""

    QUESTION = "question"
    """Asks for one parameter, or says that it was not understood."""
    CONFIRMATION = "confirmation"
    """Asks for the one yes."""
    FINAL = "final"
    """Ends a transaction."""
    NOTICE = "notice"
    """Says something in between."""


class ItemFate(Contract):
    """What became of one item."""

    subject: str
    """The item as the customer knows it."""
    outcome: ItemOutcome
    protocol: str | None = None
    reason: str | None = None
    """The tool's own reason code."""


class MultiItem(Contract):
    """Counts of a set of items. Source: the multi-item guide, section 5."""

    status: MultiItemStatus
    items_count: int
    items_succeeded_count: int
    items_failed_count: int
    primary_tool: str


class ConfirmationHandle(Contract):
    """For channels with buttons."""

    token: str
    """Comes back in payload.metadata.confirmation."""
    expires_at: Instant


class ResponseMetadata(Contract):
    """Everything around the text."""

    tenant_id: Name
    agent_id: Name
    route: str = ""
    """The stage or tool group that answered."""
    intent: str = ""
    """The tool."""
    guardrails: list[Any] = Field(default_factory=list)
    """GRL outcomes of the turn."""
    judges: list[Any] = Field(default_factory=list)
    """Empty unless configured."""
    message_id: str | None = None
    """The customer message that this answers."""
    session_id: str | None = None
    """As the gateway gave it."""
    transaction_id: str | None = None
    revision: int | None = None
    status: Status | None = None
    kind: ResponseKind = ResponseKind.NOTICE
    multi_item_status: MultiItemStatus | None = None
    partial_success: Flag | None = None
    multi_item: MultiItem | None = None
    items: list[ItemFate] = Field(default_factory=list)
    confirmation: ConfirmationHandle | None = None
    buttons: list[dict[str, str]] = Field(default_factory=list)
    """Reply buttons where the channel has them: {title, reply}."""
    response_id: str = ""
    """Deterministic: the same response again has the same id."""


class ChannelResponse(Contract):
    """Canonical answer to a channel."""

    VERSION: ClassVar[str] = "channel-response-v1"

    channel: Name
    session_id: Name
    """The conversation key, as in the example of SPEC-012 section 5."""
    text: str
    """What the customer reads or hears."""
    metadata: ResponseMetadata
