"""AgentState: the body of reconcile's checkpoint, one conversation. Source: SPEC-012 section 7, DESIGN 9 and 7 (Reconcile).

Invariants: at most one open transaction; while it is with another stage, messages wait here in order.
"""

from enum import StrEnum
from typing import Any, ClassVar

from pydantic import Field

from contracts.base import Contract, Flag, Instant, Name
from contracts.business_context import BusinessContext
from contracts.confirm_command import VerdictKind
from contracts.session import Session
from contracts.status import Status
from contracts.transaction import Proposal


class Holder(StrEnum):
    """Who may act on the open transaction."""

    RECONCILE = "reconcile"
    """Collecting parameters, or an open question whose reply reconcile reads next."""
    STAGES = "stages"
    """Handed on: messages wait until pipeline.status answers."""


class WaitingMessage(Contract):
    """A customer message that waits for pipeline.status."""

    message_id: Name
    text: str
    said_at: Instant
    trace_id: str = ""
    channel: Name
    interrupted: Flag = False
    token: str | None = None
    tool_name: str | None = None
    user_id: str | None = None
    arguments: dict[str, Any] = Field(default_factory=dict)
    """Arguments the gateway gave beside the text."""


class Deferred(Contract):
    """A second request of the same message, taken up when the first has ended."""

    text: str
    message_id: Name
    ordinal: int
    """Its place among the requests of the message: part of the transaction id."""
    tool: str | None = None
    """Where the router already knows it."""
    said_at: Instant
    trace_id: str = ""
    user_id: str | None = None


class OpenTransaction(Contract):
    """The one open transaction of a conversation."""

    transaction_id: Name
    revision: int = 1
    tool: Name
    requested_tool: Name
    confirmation_floor: Flag = False
    arguments: dict[str, Any] = Field(default_factory=dict)
    source_text: str = ""
    opened_at: Instant
    opened_by: Name
    """message_id of the opening message."""
    status: Status
    holder: Holder
    pending: str | None = None
    """The argument that was asked for last."""
    asked_times: int = 0
    """How often the pending argument was asked for without an answer."""
    expires_at: Instant | None = None
    """While collecting: when it is given up."""
    proposal: Proposal | None = None
    """While awaiting confirmation: what was shown."""
    asked_at: Instant | None = None
    """Broker time of the status that told of the question: an older message is no verdict."""
    verdict: VerdictKind | None = None
    """The verdict that was sent to confirm and is not answered yet."""
    verdict_message: WaitingMessage | None = None
    """The message it was read from, kept for what follows it."""
    amended_items: tuple[str, ...] | None = None
    """With an amendment: the whole set afterwards."""
    amended_arguments: dict[str, Any] | None = None
    """With an amendment of something else than the set: the arguments that change."""
    proposed: Flag = False
    """Whether this revision was handed on before: the next one gets a new number."""
    handed_on_at: Instant | None = None
    """When another stage was last known to begin with it; None while reconcile holds it."""
    operator_told: Flag = False
    """Whether an event already said that a stage holds it for too long."""


class ClosedTransaction(Contract):
    """What is remembered of the last transaction that ended."""

    transaction_id: Name
    tool: Name
    status: Status
    reason: str | None = None
    closed_at: Instant
    items: tuple[str, ...] = ()
    """What was last shown: a late reply is read against it."""


class AgentState(Contract):
    """Everything reconcile knows of one conversation."""

    VERSION: ClassVar[str] = "agent-state-v1"

    user_text: str = ""
    sanitized_input: str = ""
    response_text: str = ""
    tenant_id: str = ""
    agent_id: str = ""
    channel: str = ""
    session_id: str = ""
    conversation_key: str = ""
    message_id: str = ""
    route: str = ""
    intent: str = ""
    business_context: BusinessContext = Field(default_factory=BusinessContext)
    mcp_tools: list[str] = Field(default_factory=list)
    mcp_results: list[dict[str, Any]] = Field(default_factory=list)
    rag_context: str = ""
    guardrails: list[dict[str, Any]] = Field(default_factory=list)
    judges: list[dict[str, Any]] = Field(default_factory=list)

    session: Session | None = None
    open: OpenTransaction | None = None
    last_closed: ClosedTransaction | None = None
    waiting: tuple[WaitingMessage, ...] = ()
    deferred: tuple[Deferred, ...] = ()
    seen: tuple[tuple[str, str], ...] = ()
    """(message_id, digest of its content) of the latest messages, newest last."""
    user_id: str | None = None
    """The user of the latest message that named one."""
    trace_id: str = ""
    """Of the latest message."""
    touched_at: Instant | None = None
    """The last decision: a quiet conversation is forgotten some time after it."""
    sequence: int = 0
    """Of the last event; as the checkpoint says it."""
