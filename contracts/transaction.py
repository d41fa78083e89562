"""The parts that every stage record carries: the turn it belongs to and the transaction it is about.

Invariants: a record is complete in itself, no stage reads another stage's state. Source: DESIGN 3 and 4.
"""

from typing import Any

from pydantic import Field

from contracts.base import Contract, Flag, Instant, Name
from contracts.business_context import BusinessContext


class Turn(Contract):
    """The conversation and the customer message that caused a record."""

    conversation_key: Name
    """`tenant:agent:session`, percent-encoded: the Kafka key."""
    tenant_id: Name
    """Tenant of the conversation."""
    agent_id: Name
    """Agent of the conversation."""
    session_id: Name
    """As the gateway gave it."""
    channel: Name
    """Channel on which the customer is answered."""
    locale: str = "pt-BR"
    """Locale in which the customer is answered."""
    user_id: str | None = None
    """The user as the channel knows them."""
    message_id: Name
    """The latest customer message about this transaction."""
    trace_id: str = ""
    """W3C trace id, or the gateway's request id."""
    business_context: BusinessContext = Field(default_factory=BusinessContext)
    """Business keys of the session."""


class Transaction(Contract):
    """One intent: which tool, with which arguments, as proposed in which revision."""

    transaction_id: Name
    """Derived of conversation, opening message and ordinal: a replay makes the same."""
    revision: int = 1
    """How often its arguments were proposed, from 1."""
    tool: Name
    """The tool to be called."""
    requested_tool: Name
    """The tool the customer's words chose; a validator may have moved the call to another one."""
    arguments: dict[str, Any] = Field(default_factory=dict)
    """Arguments by the names of the tool's schema."""
    source_text: str = ""
    """The customer's words, for tools and validators whose schema declares source_text."""
    confirmation_floor: Flag = False
    """True when a tool on the way here needed confirmation: it never needs less from then on."""
    opened_at: Instant
    """Broker time of the opening message."""


class Confirmation(Contract):
    """Evidence that exactly this proposal may be executed."""

    digest: Name
    """Digest of the proposal that was shown."""
    required: Flag
    """False when the policies asked for no confirmation."""
    message_id: Name
    """The message that said yes; without a question, the one that asked for the operation."""
    accepted_at: Instant
    """Broker time of that message."""


class Proposal(Contract):
    """What a yes is said to, frozen when shown."""

    digest: Name
    """SHA-256, hex, of tool, arguments, items, tenant, conversation, user, transaction, revision and text."""
    items: tuple[str, ...] = ()
    """The items as shown, in order."""
    text: str = ""
    """The question as shown."""
    asked_at: Instant
    """When it was asked, by the clock of the stage."""
    expires_at: Instant
    """From this instant on a yes is EXPIRED (a yes of exactly this instant still counts)."""
    token: str = ""
    """Token that a channel's button sends back."""
