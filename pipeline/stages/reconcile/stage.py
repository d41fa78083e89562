"""Reconcile as the shell sees it: inputs in, one decision out.

Owns: requests that are refused or repeated, dispatch of messages, statuses, timers and answers, the agenda.
Invariants: a message id has an effect once; every request that is not refused is acted on, waits, or is answered; a quiet conversation
is forgotten. Never: calls a tool (it may ask the AI gateway), validates a domain value, decides a confirmation.
Source: DESIGN 4, 5, 7 (Ingress, Reconcile).
"""

from datetime import datetime

from contracts.agent_state import AgentState
from contracts.base import Contract
from contracts.checkpoint import Checkpoint
from contracts.gateway_request import GatewayRequest
from contracts.transaction_status import TransactionStatus
from pipeline import topology
from pipeline.decision import (
    Agenda,
    CallGranted,
    CallLost,
    CallReturned,
    ContractViolation,
    Decision,
    Input,
    Received,
    Rejection,
    TimerFired,
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
from pipeline.stages.reconcile.episode import Episode, World, turn_of
from pipeline.stages.reconcile.replying import ask_to_expire
from pipeline.stages.reconcile.statuses import Told, follow, is_stale, lose
from pipeline.stages.reconcile.talking import not_understood
from pipeline.stages.reconcile.timers import Subject, timers_of
from pipeline.stages.reconcile.waiting import drain, hear, held_up_bytes, resume
from pipeline.stages.reconcile.welcoming import identify, message_of, welcomed


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
        return episode.decision(rejection)

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
        return Agenda(calls=asked.calls, timers=(*asked.timers, *timers_of(state, self._world.installation.timing)))

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
        episode = welcomed(self._world, known, received, request, now)
        episode.event(
            "IC.GATEWAY_RECEIVED",
            channel=request.channel,
            message_bytes=len(said.message.encode("utf-8", "surrogatepass")),
            interrupted=said.metadata.interrupted,
        )
        seen = (*state.seen, (said.message_id, digest))[-self._world.installation.limits.seen_max :]
        episode.update(seen=seen)
        identify(episode, request)
        message = message_of(episode, received, request)
        if message.text.strip():
            hear(episode, message)
        else:
            episode.event("GRL.INPUT_BLOCKED", rule="no readable character")
            not_understood(episode, "no readable character")
        return episode.decision()

    def _duplicate(self, state: AgentState, received: Received, message_id: str, now: datetime) -> Decision:
        """An event and nothing else: the answer is on its topic, or will be."""
        turn = turn_of(state, message_id=message_id)
        episode = Episode.of(self._world, state, received, now=now, turn=turn)
        episode.event("IC.MESSAGE_DUPLICATE", origin=str(received.position))
        return episode.decision()

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

    def _status(self, state: AgentState, received: Received, status: TransactionStatus, now: datetime) -> Decision:
        if state.session is None:
            return Decision()
        episode = Episode.of(self._world, state, received, now=now, turn=status.turn)
        if is_stale(episode, status):
            return Decision()
        follow(episode, Told(status, received.at))
        drain(episode)
        return episode.decision()

    def _timer(self, state: AgentState, fired: TimerFired, now: datetime) -> Decision:
        if state.session is None or not self.agenda(state).waits_for(fired.timer_id):
            return Decision()
        episode = Episode.of(self._world, state, fired, now=now, turn=turn_of(state))
        match fired.timer_id.split("/", 1)[0]:
            case "back-off":
                keep(episode, self._entry(state).queued())
            case "send-by":
                failed(episode, "not_sent", attempt=self._entry(state).attempt)
                resume(episode, NO_ADVICE)
            case Subject.COLLECTING:
                expire(episode)
                drain(episode)
            case Subject.EXPIRY:
                ask_to_expire(episode)
            case Subject.HANDED_ON:
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
        return episode.decision()

    def _call(self, state: AgentState, event: CallGranted | CallReturned | CallLost, now: datetime) -> Decision:
        """The question to the AI gateway is granted a place, answered, or lost with the process that asked it."""
        entry, asked = entry_of(state), state.consultation
        if entry is None or asked is None:
            return Decision()
        turn = turn_of(
            state, message_id=asked.message.message_id, channel=asked.message.channel, trace_id=asked.message.trace_id
        )
        episode = Episode.of(self._world, state, event, now=now, turn=turn)
        if isinstance(event, CallGranted):
            if not entry.is_granted(event):
                return Decision()
            keep(episode, entry.calling(event.incarnation, now))
            return episode.decision()
        answer = entry.answer_of(event)
        if answer is None:
            return Decision()
        advice = settle(episode, entry, answer)
        if advice is not None:
            resume(episode, advice)
        return episode.decision()

    @staticmethod
    def _entry(state: AgentState) -> LedgerEntry:
        entry = entry_of(state)
        assert entry is not None
        return entry
