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
    """Id of the message."""
    text: str
    """The customer's words, without control characters."""
    said_at: Instant
    """Broker time of the message."""
    trace_id: str = ""
    """Trace id of the message."""
    channel: Name
    """Channel it came by."""
    interrupted: Flag = False
    """Whether the voice turn broke off: such a turn never confirms."""
    token: str | None = None
    """Token of a pressed button."""
    tool_name: str | None = None
    """Tool the gateway named."""
    user_id: str | None = None
    """User who said it, where known."""
    arguments: dict[str, Any] = Field(default_factory=dict)
    """Arguments the gateway gave beside the text."""


class Deferred(Contract):
    """A second request of the same message, taken up when the first has ended."""

    text: str
    """The customer's words for this request."""
    message_id: Name
    """The message they were part of."""
    ordinal: int
    """Its place among the requests of the message: part of the transaction id."""
    tool: str | None = None
    """Where the router already knows it."""
    said_at: Instant
    """Broker time of that message."""
    trace_id: str = ""
    """Trace id of that message."""
    user_id: str | None = None
    """User who said it, where known."""


class Consultation(Contract):
    """A message that waits for what the AI gateway makes of it; those after it wait too."""

    message: WaitingMessage
    """The message, or the part of one that had to wait."""
    ordinal: int = 0
    """Its place among the requests of the message."""
    tool: str | None = None
    """Where the router said it before."""
    waited: Flag = False
    """Whether it was said while another request was being worked on."""
    collecting: Flag = False
    """Whether it answers a question for an argument of the open transaction."""
    about: str | None = None
    """The tool whose arguments are asked for; absent: a tool is asked for too."""
    call: dict[str, Any]
    """The call as durable state (pipeline.ledger)."""


class OpenTransaction(Contract):
    """The one open transaction of a conversation."""

    transaction_id: Name
    """Derived of conversation, opening message and ordinal."""
    revision: int = 1
    """How often its arguments were proposed, from 1."""
    tool: Name
    """The tool to be called."""
    requested_tool: Name
    """The tool the customer's words chose."""
    confirmation_floor: Flag = False
    """Whether a tool on the way needed confirmation: it never needs less."""
    arguments: dict[str, Any] = Field(default_factory=dict)
    """Collected so far, by the names of the tool's schema."""
    source_text: str = ""
    """The customer's words, for tools whose schema declares source_text."""
    opened_at: Instant
    """Broker time of the opening message."""
    opened_by: Name
    """message_id of the opening message."""
    status: Status
    """Where it is."""
    holder: Holder
    """Who may act on it."""
    pending: str | None = None
    """The argument that was asked for last."""
    pending_question: str | None = None
    """The validator's own question for it; else the configured one is asked."""
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
    """When another stage was last known to begin with it; absent while reconcile holds it."""
    operator_told: Flag = False
    """Whether an event already said that a stage holds it for too long."""


class ClosedTransaction(Contract):
    """What is remembered of the last transaction that ended."""

    transaction_id: Name
    """Id of the transaction."""
    tool: Name
    """Its tool."""
    status: Status
    """How it ended."""
    reason: str | None = None
    """With CANCELLED: declined, abandoned or replaced; with FAILED: why."""
    closed_at: Instant
    """When reconcile heard of the end."""
    items: tuple[str, ...] = ()
    """What was last shown: a late reply is read against it."""


class AgentState(Contract):
    """Everything reconcile knows of one conversation."""

    VERSION: ClassVar[str] = "agent-state-v1"

    user_text: str = ""
    """SPEC-012: the latest message as it came."""
    sanitized_input: str = ""
    """SPEC-012: the message without control characters."""
    response_text: str = ""
    """SPEC-012: what was answered last."""
    tenant_id: str = ""
    """Tenant of the conversation."""
    agent_id: str = ""
    """Agent of the conversation."""
    channel: str = ""
    """Channel of the latest message."""
    session_id: str = ""
    """Session as the gateway gave it."""
    conversation_key: str = ""
    """`tenant:agent:session`, percent-encoded."""
    message_id: str = ""
    """SPEC-012: the latest message."""
    route: str = ""
    """SPEC-012: the stage or tool group that has the conversation."""
    intent: str = ""
    """SPEC-012: the tool that was chosen."""
    business_context: BusinessContext = Field(default_factory=BusinessContext)
    """Business keys of the session."""
    mcp_tools: list[str] = Field(default_factory=list)
    """Tools the agent may call for this customer."""
    mcp_results: list[dict[str, Any]] = Field(default_factory=list)
    """SPEC-012: results of tools; kept by normalize, empty here."""
    rag_context: str = ""
    """SPEC-012: retrieved text; not used."""
    guardrails: list[dict[str, Any]] = Field(default_factory=list)
    """GRL outcomes of the turn; empty between turns."""
    judges: list[dict[str, Any]] = Field(default_factory=list)
    """SPEC-012: verdicts of judges; empty unless configured."""

    session: Session | None = None
    """The session; absent until a first message was accepted."""
    open: OpenTransaction | None = None
    """The open transaction, at most one."""
    last_closed: ClosedTransaction | None = None
    """The transaction that ended last; one that asked nothing, such as a query, does not take the place of another."""
    waiting: tuple[WaitingMessage, ...] = ()
    """Messages that wait for pipeline.status, in order."""
    deferred: tuple[Deferred, ...] = ()
    """Requests that wait for the open transaction to end, in order."""
    consultation: Consultation | None = Field(default=None, exclude_if=lambda value: value is None)
    """What the AI gateway is asked at the moment; not written where it is asked nothing."""
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
