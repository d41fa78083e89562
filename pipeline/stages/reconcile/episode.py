"""One decision in the making: the state as it stands, what is said and sent so far.

Owns: changes of the state within one decision and its write, turns, wording by the channel's format.
Invariants: made per input and thrown away with it; the state it began with is never mutated. Source: DESIGN 5.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from contracts.agent_state import AgentState, OpenTransaction, WaitingMessage
from contracts.base import Contract
from contracts.channel_response import ResponseKind
from contracts.identity import keyed_hash
from contracts.session import Session
from contracts.status import Status
from contracts.transaction import Transaction, Turn
from pipeline.decision import Decision, Input, Rejection, cause_of
from pipeline.language.channel_text import fit
from pipeline.language.messages import Catalogue
from pipeline.language.routing import Nearest
from pipeline.language.wording import Wording
from pipeline.outbox import Outbox
from pipeline.policy import Installation, Tool
from pipeline.topology import StageName

Message = WaitingMessage
"""A customer message as it is acted on, whether it has just come or had to wait."""


@dataclass(frozen=True, slots=True)
class World:
    """What does not change: configuration, wording, the sense of nearness (None: keywords and grammar only)."""

    installation: Installation
    messages: Catalogue
    nearest: Nearest | None = None


class Episode:
    """Builds one decision of one conversation."""

    def __init__(self, world: World, state: AgentState, outbox: Outbox) -> None:
        self.world = world
        self.state = state
        self.outbox = outbox

    @classmethod
    def of(cls, world: World, state: AgentState, event: Input, *, now: datetime, turn: Turn) -> "Episode":
        """The decision of one input, about one turn."""
        cause, stage = cause_of(event), StageName.RECONCILE.value
        return cls(world, state, Outbox(stage=stage, turn=turn, cause=cause, now=now, sequence=state.sequence))

    def decision(self, dead_letter: Rejection | None = None) -> Decision:
        """All that was said and sent, and the state as it stands."""
        self.update(touched_at=self.now, guardrails=[], sequence=self.outbox.sequence)
        self.outbox.write(self.state.conversation_key, self.state)
        return self.outbox.decision(dead_letter)

    # --- state ---------------------------------------------------------------------------------------------------

    @property
    def now(self) -> datetime:
        """The instant of this decision."""
        return self.outbox.now

    @property
    def open(self) -> OpenTransaction:
        """The open transaction; there must be one."""
        assert self.state.open is not None
        return self.state.open

    @property
    def session(self) -> Session:
        """The session; every accepted message makes one."""
        assert self.state.session is not None
        return self.state.session

    @property
    def locale(self) -> str:
        """Locale in which the customer is answered."""
        return self.session.locale

    def update(self, **changes: Any) -> None:
        """Change fields of the state."""
        self.state = self.state.model_copy(update=changes)

    def update_open(self, **changes: Any) -> None:
        """Change fields of the open transaction."""
        self.update(open=self.open.model_copy(update=changes))

    # --- the transaction and its tool ------------------------------------------------------------------------------

    def tool(self, name: str) -> Tool | None:
        """A tool this agent may call for a customer; None: denied."""
        return next(
            (tool for tool in self.world.installation.tools_of(self.session.agent_id) if tool.name == name), None
        )

    @property
    def open_tool(self) -> Tool | None:
        """Tool of the open transaction; None when the configuration no longer has it."""
        return self.world.installation.tool_for(self.session.agent_id, self.open.tool)

    @property
    def operation(self) -> str:
        """Noun of what the open transaction would do."""
        tool = self.open_tool
        return tool.operation(self.locale) if tool else ""

    @property
    def collecting_ttl(self) -> timedelta:
        """How long a question for an argument stays open."""
        return timedelta(milliseconds=self.world.installation.timing.collecting_ttl_ms)

    @property
    def business_context(self) -> dict[str, Any]:
        """The session's business keys, for the mapping."""
        return self.session.business_context.model_dump(mode="json", exclude={"metadata"})

    def transaction(self) -> Transaction:
        """The open transaction as the other stages see it."""
        held = self.open
        requested = self.world.installation.tools.get(held.requested_tool)
        return Transaction(
            transaction_id=held.transaction_id,
            revision=held.revision,
            tool=held.tool,
            requested_tool=held.requested_tool,
            arguments=held.arguments,
            source_text=held.source_text,
            confirmation_floor=held.confirmation_floor or (requested is not None and requested.needs_confirmation),
            opened_at=held.opened_at,
        )

    # --- what is said and sent ---------------------------------------------------------------------------------------

    def about(self, message: Message) -> None:
        """Go on about this message: events, answers and commands carry it."""
        self.outbox.about(self.turn(message))
        self.update(message_id=message.message_id, user_text=message.text, sanitized_input=message.text)

    def turn(self, message: Message) -> Turn:
        """The turn of a message."""
        return turn_of(
            self.state,
            message_id=message.message_id,
            channel=message.channel,
            trace_id=message.trace_id,
            user_id=message.user_id or self.state.user_id,
        )

    def event(self, event_type: str, /, **payload: Any) -> None:
        """Emit an event about the open transaction, if there is one."""
        self.outbox.event(event_type, self.state.open.transaction_id if self.state.open else None, **payload)

    def hashed(self, value: Any) -> str:
        """The only form in which personal data may appear in an event."""
        return keyed_hash(self.world.installation.event_hash_key, value)

    def say(self, key: str, kind: ResponseKind, /, **values: Any) -> None:
        """Answer with a text of the catalogue."""
        self.answer(self.text(key, **values), kind)

    @property
    def wording(self) -> Wording:
        """Locale and channel of the turn."""
        return Wording.of(self.world.messages, self.world.installation, self.locale, self.outbox.turn.channel)

    def text(self, key: str, /, **values: Any) -> str:
        """A text of the catalogue in the customer's locale and the channel's format."""
        return self.wording.say(key, **values)

    @property
    def task(self) -> str:
        """What the open transaction would do, as a customer would say it: "o cancelamento de A e B"."""
        proposal = self.open.proposal
        return self.wording.task(self.open_tool, proposal.items if proposal else ())

    def answer(self, text: str, kind: ResponseKind, /, *, status: Status | None = None, **metadata: Any) -> None:
        """Answer with a text; the open transaction, if any, is in the metadata."""
        transaction = self.transaction() if self.state.open else None
        if status is None and self.state.open:
            status = self.state.open.status
        channel = self.wording.channel
        text = fit(text, (), "", form=channel.format, max_chars=channel.max_chars, more=str)
        self.outbox.respond(text, kind, transaction, status=status, **metadata)
        self.update(response_text=text)

    def send(self, topic: str, value: Contract) -> None:
        """Hand a command on."""
        self.outbox.send(topic, value)


def turn_of(
    state: AgentState,
    *,
    message_id: str | None = None,
    channel: str | None = None,
    trace_id: str | None = None,
    user_id: str | None = None,
) -> Turn:
    """A turn of this conversation; what is not given is as in its latest message."""
    session = state.session
    assert session is not None
    return Turn(
        conversation_key=state.conversation_key,
        tenant_id=session.tenant_id,
        agent_id=session.agent_id,
        session_id=session.session_id,
        channel=channel or session.channel,
        locale=session.locale,
        user_id=user_id or state.user_id,
        message_id=message_id or state.message_id,
        trace_id=state.trace_id if trace_id is None else trace_id,
        business_context=session.business_context,
    )
