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
    """What is known of it."""
    protocol: str | None = None
    """The number under which the tool did it, for the customer."""
    reason: str | None = None
    """The tool's own reason code."""


class MultiItem(Contract):
    """Counts of a set of items, as the multi-item guide has them."""

    status: MultiItemStatus
    """SUCCESS, PARTIAL_SUCCESS or FAILED, over the whole set."""
    items_count: int
    """Confirmed items."""
    items_succeeded_count: int
    """Items that were done."""
    items_failed_count: int
    """Items that were not done, those without a result included."""
    primary_tool: str
    """The tool whose results were counted; auxiliary steps are not."""


class ConfirmationHandle(Contract):
    """For channels with buttons."""

    token: str
    """Comes back in payload.metadata.confirmation."""
    expires_at: Instant
    """From then on the question is EXPIRED. UTC."""


class ResponseMetadata(Contract):
    """Everything around the text."""

    tenant_id: Name
    """Tenant of the conversation."""
    agent_id: Name
    """Agent of the conversation."""
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
    """The transaction it is about; absent when there is none."""
    revision: int | None = None
    """How often its arguments had been proposed."""
    status: Status | None = None
    """Where the transaction was when this was said."""
    kind: ResponseKind = ResponseKind.NOTICE
    """What it wants of the customer."""
    multi_item_status: MultiItemStatus | None = None
    """Fate of the set; on results for two or more items."""
    partial_success: Flag | None = None
    """Whether some items were done and some were not."""
    multi_item: MultiItem | None = None
    """The counts behind multi_item_status."""
    items: list[ItemFate] = Field(default_factory=list)
    """The fate of each item, in the confirmed order; on results."""
    confirmation: ConfirmationHandle | None = None
    """Handle of the question, for channels with buttons."""
    buttons: list[dict[str, str]] = Field(default_factory=list)
    """Reply buttons where the channel has them: {title, reply}."""
    response_id: str = ""
    """Deterministic: the same response again has the same id."""


class ChannelResponse(Contract):
    """What the customer is to read or hear, with what a program may want to know of it."""

    VERSION: ClassVar[str] = "channel-response-v1"

    channel: Name
    """The channel that has to deliver it; also in the name of its topic."""
    session_id: Name
    """The conversation key, as in the example of SPEC-012 section 5."""
    text: str
    """What the customer reads or hears."""
    metadata: ResponseMetadata
    """What a program wants to know of the answer."""
