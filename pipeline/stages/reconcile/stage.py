"""Reconcile as the shell sees it: inputs in, one decision out; state, timers, retention.

Owns: ingress of requests (duplicates, session), dispatch of statuses and timers, the agenda.
Invariants: a message id has an effect once; every request that is not refused is acted on, waits, or is answered; a quiet conversation
is forgotten. Never: calls a tool (it may ask the AI gateway), validates a domain value, decides a confirmation.
Source: DESIGN 4, 5, 7 (Ingress, Reconcile).
"""

from datetime import datetime, timedelta

from contracts.agent_state import AgentState, Holder
from contracts.base import Contract
from contracts.checkpoint import Checkpoint
from contracts.gateway_request import GatewayRequest
from contracts.session import Session
from contracts.status import Status
from contracts.transaction import Turn
from contracts.transaction_status import TransactionStatus
from pipeline import topology
from pipeline.decision import (
    Agenda,
    CallAnswer,
    CallGranted,
    CallLost,
    CallOutcome,
    CallReturned,
    ContractViolation,
    Decision,
    Input,
    Received,
    Rejection,
    Timer,
    TimerFired,
    cause_of,
)
from pipeline.language.messages import Catalogue
from pipeline.language.routing import Nearest
from pipeline.ledger import LedgerEntry
from pipeline.outbox import Outbox
from pipeline.policy import Installation
from pipeline.stages.reconcile import ingress, rejecting
from pipeline.stages.reconcile.advice import NO_ADVICE
from pipeline.stages.reconcile.advising import entry_of, failed, keep, settle
from pipeline.stages.reconcile.collecting import expire
from pipeline.stages.reconcile.episode import Episode, Message, World, turn_of
from pipeline.stages.reconcile.replying import ask_to_expire
from pipeline.stages.reconcile.statuses import Told, follow, is_stale, lose
from pipeline.stages.reconcile.talking import not_understood
from pipeline.stages.reconcile.waiting import drain, hear, held_up_bytes, resume

COLLECTING, EXPIRY, HANDED_ON, FORGET = "collecting", "expiry", "handed-on", "forget"
"""What the timers are about."""


class Reconcile:
    """The stage `reconcile`; S is AgentState."""

    def __init__(self, installation: Installation, messages: Catalogue, *, nearest: Nearest | None = None) -> None:
        """`nearest`: nearest meaning for the router; None: keywords and grammar only."""
        self._world = World(installation, messages, nearest)

    @property
    def name(self) -> str:
        """Stage name."""
        return topology.StageName.RECONCILE.value

    def conversation_of(self, value: Contract) -> str:
        """Conversation key of a request or a status. Raises: ContractViolation."""
        match value:
            case GatewayRequest():
                return ingress.conversation_of_request(value, self._world.installation)
            case TransactionStatus():
                return value.turn.conversation_key
            case _:
                raise ContractViolation("", f"{type(value).__name__} is no input of {self.name}")

    def initial(self, conversation: str) -> AgentState:
        """State of a conversation nothing is known of."""
        return AgentState(conversation_key=conversation)

    def decide(self, state: AgentState, event: Input, now: datetime) -> Decision:
        """Decide one input."""
        match event:
            case Received(value=GatewayRequest() as request):
                return self._request(state, event, request, now)
            case Received(value=TransactionStatus() as status):
                return self._status(state, event, status, now)
            case TimerFired():
                return self._timer(state, event, now)
            case CallGranted() | CallReturned() | CallLost():
                return self._call(state, event, now)
            case _:
                return Decision()

    def reject(self, state: AgentState | None, rejection: Rejection, now: datetime) -> Decision:
        """Dead letter, NOC event, and an answer where one is possible."""
        if rejection.position.topic != topology.STATUS:
            return rejecting.reject(self._world.installation, self._world.messages, state, rejection, now)
        if state is None or state.session is None:
            return rejecting.reject_status(rejection, now)
        cause = f"rejected {rejection.position}"
        outbox = Outbox(stage=self.name, turn=turn_of(state), cause=cause, now=now, sequence=state.sequence)
        episode = Episode(self._world, state, outbox)
        lose(episode, rejection)
        return self._written(episode, rejection)

    def replay(self, state: AgentState, key: str, checkpoint: Checkpoint | None) -> AgentState:
        """Apply one state write: the whole of the state, or its end."""
        assert key == state.conversation_key
        if checkpoint is None:
            return self.initial(key)
        return AgentState.model_validate({**checkpoint.body, "sequence": checkpoint.sequence})

    def agenda(self, state: AgentState) -> Agenda:
        """A question to the AI gateway; timers: giving up collecting, the end of a question, telling an operator, forgetting."""
        entry = entry_of(state)
        asked = entry.agenda() if entry is not None else Agenda()
        return Agenda(calls=asked.calls, timers=(*asked.timers, *self._timers(state)))

    def waiting_bytes(self, state: AgentState) -> int:
        """Durable bytes of what waits for another stage."""
        return held_up_bytes(state)

    def is_empty(self, state: AgentState) -> bool:
        """Whether nothing is known."""
        return state.session is None

    # --- inputs ------------------------------------------------------------------------------------------------------

    def _request(self, state: AgentState, received: Received, request: GatewayRequest, now: datetime) -> Decision:
        try:
            ingress.check(received, request, self._world.installation)
            conversation = self.conversation_of(request)
        except ContractViolation as violation:
            return self._refuse(state, received, violation, now)
        said, digest = request.payload, ingress.content_digest(request)
        before = dict(state.seen).get(said.message_id)
        if before is not None and before != digest:
            other = ContractViolation(
                "payload.message_id", "was used in this session for another message; ids are used once"
            )
            return self._refuse(state, received, other, now)
        known = state.model_copy(update={"conversation_key": conversation})
        if before is not None:
            return self._duplicate(known, received, said.message_id, now)
        episode = self._welcomed(known, received, request, now)
        episode.event(
            "IC.GATEWAY_RECEIVED",
            channel=request.channel,
            message_bytes=len(said.message.encode("utf-8", "surrogatepass")),
            interrupted=said.metadata.interrupted,
        )
        seen = (*state.seen, (said.message_id, digest))[-self._world.installation.limits.seen_max :]
        episode.update(seen=seen)
        self._identify(episode, request)
        message = Message(
            message_id=said.message_id,
            text=ingress.sanitized(said.message),
            said_at=received.at,
            trace_id=episode.outbox.turn.trace_id,
            channel=request.channel,
            interrupted=said.metadata.interrupted is True,
            token=said.metadata.confirmation,
            tool_name=said.metadata.tool_name,
            user_id=said.user_id,
            arguments=ingress.given_arguments(request),
        )
        if message.text.strip():
            hear(episode, message)
        else:
            episode.event("GRL.INPUT_BLOCKED", rule="no readable character")
            not_understood(episode, "no readable character")
        return self._written(episode)

    def _duplicate(self, state: AgentState, received: Received, message_id: str, now: datetime) -> Decision:
        """An event and nothing else: the answer is on its topic, or will be."""
        turn = turn_of(state, message_id=message_id)
        episode = Episode(self._world, state, self._outbox(state, received, now=now, turn=turn))
        episode.event("IC.MESSAGE_DUPLICATE", origin=str(received.position))
        return self._written(episode)

    def _refuse(self, state: AgentState, received: Received, violation: ContractViolation, now: datetime) -> Decision:
        rejection = Rejection(
            position=received.position,
            at=received.at,
            error=type(violation).__name__,
            text=violation.text,
            field=violation.field,
            data=received.value.model_dump(mode="json"),
            conversation=state.conversation_key or None,
            headers=received.headers,
        )
        return self.reject(state, rejection, now)

    def _welcomed(self, state: AgentState, received: Received, request: GatewayRequest, now: datetime) -> Episode:
        """An episode whose session knows of this message; business keys are looked at later, with their event."""
        tenant, agent, session_id = ingress.identity_of(request, self._world.installation)
        said, old = request.payload, state.session
        spec = self._world.installation.agents[agent]
        session = Session(
            tenant_id=tenant,
            agent_id=agent,
            session_id=session_id,
            channel=request.channel,
            locale=said.locale or (old.locale if old else spec.locale),
            started_at=old.started_at if old else received.at,
            last_message_at=max(old.last_message_at, received.at) if old else received.at,
            **({"business_context": old.business_context} if old else {}),
        )
        known = state.model_copy(
            update={
                "tenant_id": tenant,
                "agent_id": agent,
                "session_id": session_id,
                "channel": request.channel,
                "session": session,
                "user_id": said.user_id or state.user_id,
                "trace_id": trace_of(received, request),
                "mcp_tools": [tool.name for tool in self._world.installation.tools_of(agent)],
            }
        )
        turn = turn_of(known, message_id=said.message_id)
        return Episode(self._world, known, self._outbox(known, received, now=now, turn=turn))

    def _identify(self, episode: Episode, request: GatewayRequest) -> None:
        """Take what the request says of the customer; a business key that differs is ignored."""
        session = episode.session
        merged, changed = ingress.merged_context(
            session.business_context,
            ingress.claimed_context(request),
            max_bytes=self._world.installation.limits.message_bytes,
        )
        for key in changed:
            episode.event("GRL.BUSINESS_KEY_CHANGED", key=key, kept=episode.hashed(getattr(merged, key, None)))
        episode.update(session=session.model_copy(update={"business_context": merged}), business_context=merged)
        episode.outbox.about(turn_of(episode.state, message_id=request.payload.message_id))

    def _status(self, state: AgentState, received: Received, status: TransactionStatus, now: datetime) -> Decision:
        if state.session is None:
            return Decision()
        episode = Episode(self._world, state, self._outbox(state, received, now=now, turn=status.turn))
        if is_stale(episode, status):
            return Decision()
        follow(episode, Told(status, received.at))
        drain(episode)
        return self._written(episode)

    def _timer(self, state: AgentState, fired: TimerFired, now: datetime) -> Decision:
        if state.session is None or fired.timer_id not in {timer.timer_id for timer in self.agenda(state).timers}:
            return Decision()
        episode = Episode(self._world, state, self._outbox(state, fired, now=now, turn=turn_of(state)))
        match fired.timer_id.split("/", 1)[0]:
            case "back-off":
                keep(episode, self._entry(state).queued())
            case "send-by":
                failed(episode, "not_sent", attempt=self._entry(state).attempt)
                resume(episode, NO_ADVICE)
            case "collecting":
                expire(episode)
                drain(episode)
            case "expiry":
                ask_to_expire(episode)
            case "handed-on":
                assert state.open is not None
                episode.event(
                    "NOC.RUNTIME_FAILED",
                    reason="a stage holds a transaction for too long",
                    status=state.open.status.value,
                    waiting_count=len(state.waiting),
                )
                episode.update_open(operator_told=True)
            case _:
                episode.outbox.write(state.conversation_key, None)
                return episode.outbox.decision()
        return self._written(episode)

    def _call(self, state: AgentState, event: CallGranted | CallReturned | CallLost, now: datetime) -> Decision:
        """The question to the AI gateway is granted a place, answered, or lost with the process that asked it."""
        entry, asked = entry_of(state), state.consultation
        if entry is None or asked is None:
            return Decision()
        turn = turn_of(
            state, message_id=asked.message.message_id, channel=asked.message.channel, trace_id=asked.message.trace_id
        )
        episode = Episode(self._world, state, self._outbox(state, event, now=now, turn=turn))
        match event:
            case CallGranted(call_id=call_id, attempt=attempt, incarnation=incarnation):
                if not entry.is_queued(call_id, attempt):
                    return Decision()
                keep(episode, entry.calling(incarnation, now))
                return self._written(episode)
            case CallReturned(call_id=call_id, attempt=attempt, answer=answer):
                pass
            case CallLost(call_id=call_id, attempt=attempt):
                answer = CallAnswer(outcome=CallOutcome.UNKNOWN, code="worker_lost")
        if not entry.is_current(call_id, attempt):
            return Decision()
        advice = settle(episode, entry, answer)
        if advice is not None:
            resume(episode, advice)
        return self._written(episode)

    @staticmethod
    def _entry(state: AgentState) -> LedgerEntry:
        entry = entry_of(state)
        assert entry is not None
        return entry

    # --- the shell's bookkeeping ---------------------------------------------------------------------------------------

    def _outbox(self, state: AgentState, event: Input, *, now: datetime, turn: Turn) -> Outbox:
        return Outbox(stage=self.name, turn=turn, cause=cause_of(event), now=now, sequence=state.sequence)

    def _written(self, episode: Episode, dead_letter: Rejection | None = None) -> Decision:
        episode.update(touched_at=episode.now, guardrails=[], sequence=episode.outbox.sequence)
        episode.outbox.write(episode.state.conversation_key, episode.state)
        return episode.outbox.decision(dead_letter)

    def _timers(self, state: AgentState) -> list[Timer]:
        held, timing = state.open, self._world.installation.timing
        if state.consultation is not None:
            return []  # what was said in time is acted on first
        if held is None:
            if state.touched_at is None:
                return []
            due = state.touched_at + timedelta(milliseconds=timing.session_retention_ms)
            return [_timer(FORGET, "", due)]
        timers = []
        if held.holder is Holder.RECONCILE and held.expires_at is not None:
            timers.append(_timer(COLLECTING, held.transaction_id, held.expires_at))
        if (
            held.holder is Holder.RECONCILE
            and held.proposal is not None
            and held.status is Status.AWAITING_CONFIRMATION
        ):
            # Here, behind all that was said in time; confirm sees only what has been read.
            timers.append(_timer(EXPIRY, held.transaction_id, held.proposal.expires_at))
        if held.holder is Holder.STAGES and held.handed_on_at is not None and not held.operator_told:
            due = held.handed_on_at + timedelta(milliseconds=timing.handed_on_ttl_ms)
            timers.append(_timer(HANDED_ON, held.transaction_id, due))
        return timers


def _timer(subject: str, transaction: str, due: datetime) -> Timer:
    return Timer(timer_id=f"{subject}/{transaction}/{due.isoformat()}", due_at=due)


def trace_of(received: Received, request: GatewayRequest) -> str:
    """W3C trace id of the record, else the gateway's own id of the request."""
    parts = received.headers.get("traceparent", "").split("-")
    if len(parts) == 4 and len(parts[1]) == 32:
        return parts[1]
    return received.headers.get("trace_id") or request.payload.metadata.request_id or ""
