"""One question for the whole set, one verdict for exactly what was shown.

Owns: the expiry of the open question, the arbitration between accept, decline, amend, abandon, replace and expiry.
Invariants: a verdict is applied once, to the question whose transaction, revision and digest it names, or to none; a yes with broker
time <= expires_at wins; every verdict is answered by a status or by execute, so reconcile never waits for ever.
Never: reads language, changes arguments, gives a verdict itself. Source: DESIGN 4 (Conversations across stages), 7 (Confirm).
"""

from datetime import datetime, timedelta

from contracts.base import Contract
from contracts.checkpoint import Checkpoint
from contracts.confirm_command import ConfirmCommand, ProposeCommand, VerdictCommand, VerdictKind
from contracts.transaction import Turn
from pipeline.decision import (
    Agenda,
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
from pipeline.outbox import Outbox
from pipeline.policy import Installation
from pipeline.proposal import EXPIRY_RULE
from pipeline.rejection import reject
from pipeline.remembered import Remembered
from pipeline.stages.confirm.memory import Inquiry, Question, State, open_question
from pipeline.stages.confirm.proposing import propose
from pipeline.stages.confirm.publishing import Publishing
from pipeline.stages.confirm.stale import announce, is_about, stale_verdict, token_fits
from pipeline.stages.confirm.verdicts import REASONS, accepted, amended, cancelled, expired, unclear
from pipeline.topology import StageName


class Confirm:
    """The stage as its shell sees it."""

    def __init__(self, installation: Installation, messages: Catalogue) -> None:
        self._installation = installation
        self._say = Publishing(installation, messages)

    @property
    def name(self) -> str:
        return StageName.CONFIRM.value

    def conversation_of(self, value: Contract) -> str:
        if not isinstance(value, ConfirmCommand):
            raise ContractViolation("", "must be a ConfirmCommand")
        return value.command.turn.conversation_key

    def initial(self, conversation: str) -> State:
        return Remembered(conversation)

    def replay(self, state: State, key: str, checkpoint: Checkpoint | None) -> State:
        return state.replayed(key, checkpoint, Inquiry)

    def agenda(self, state: State) -> Agenda:
        expiries = tuple(
            Timer(
                timer_id=_expiry_id(inquiry.question),
                # Reconcile asks for it at the expiry, behind what was said in time; this is for one that does not come back.
                due_at=inquiry.question.proposal.expires_at + self._backstop,
                open_question=True,
            )
            for inquiry in state.transactions.values()
            if inquiry.question is not None
        )
        return Agenda(timers=(*expiries, *state.retention(self._retention_ms, _open(state))))

    @property
    def _backstop(self) -> timedelta:
        return timedelta(milliseconds=self._installation.timing.expiry_backstop_ms)

    @property
    def _retention_ms(self) -> int:
        return self._installation.timing.session_retention_ms

    def waiting_bytes(self, state: State) -> int:
        del state  # an open question waits for the customer, not for capacity
        return 0

    def is_empty(self, state: State) -> bool:
        return state.is_empty

    def decide(self, state: State, event: Input, now: datetime) -> Decision:
        match event:
            case Received(value=ConfirmCommand(command=ProposeCommand() as command)):
                known = state.transactions.get(command.transaction.transaction_id)
                if known is not None and known.revision >= command.transaction.revision:
                    return Decision()
                return propose(self._say, state, command, self._outbox(state, command.turn, event, now))
            case Received(value=ConfirmCommand(command=VerdictCommand() as command)):
                return self._verdict(state, command, event, now)
            case Received():
                raise ContractViolation("", "must be a ConfirmCommand")
            case TimerFired(timer_id=timer_id):
                return self._timer(state, event, timer_id, now)
            case _:
                return Decision()

    # --- the verdict ---------------------------------------------------------------------------------------------------

    def _verdict(self, state: State, command: VerdictCommand, event: Input, now: datetime) -> Decision:
        inquiry = state.transactions.get(command.transaction_id)
        question = inquiry.question if inquiry else None
        if command.rule == EXPIRY_RULE and question is not None and is_about(command, question):
            return expired(
                self._say, state, self._outbox(state, question.turn, event, now), question, "confirm.expired"
            )
        outbox = self._outbox(state, command.turn, event, now)
        if question is None or not is_about(command, question) or not token_fits(command, question):
            return stale_verdict(self._say, state, command, outbox)
        said_by, asked = command.turn.user_id, question.turn.user_id
        if said_by is not None and asked is not None and said_by != asked:
            outbox.event("GRL.CONFIRMATION_FOREIGN", question.transaction, revision=command.revision, why="other user")
            return announce(self._say, state, outbox, question)
        if command.verdict in REASONS:
            return cancelled(self._say, state, outbox, question, REASONS[command.verdict])
        if command.said_at > question.proposal.expires_at:
            return expired(self._say, state, outbox, question, "confirm.too_late")
        match command.verdict:
            case VerdictKind.ACCEPT:
                return accepted(state, outbox, question, command)
            case VerdictKind.AMEND:
                return amended(self._say, state, outbox, question, command)
            case _:
                return unclear(self._say, state, outbox, question, command)

    # --- time ------------------------------------------------------------------------------------------------------------

    def _timer(self, state: State, event: TimerFired, timer_id: str, now: datetime) -> Decision:
        for inquiry in state.transactions.values():
            question = inquiry.question
            if question is not None and timer_id == _expiry_id(question):
                outbox = self._outbox(state, question.turn, event, now)
                return expired(self._say, state, outbox, question, "confirm.expired")
        if not self.agenda(state).waits_for(timer_id):
            return Decision()
        return state.forget(now, self._retention_ms, _open(state))

    def reject(self, state: State | None, rejection: Rejection, now: datetime) -> Decision:
        decision = reject(
            rejection,
            stage=self.name,
            sequence=state.sequence if state else 0,
            now=now,
            text=lambda turn: self._say.wording(turn).say("rejected.not_done"),
        )
        transaction_id = _verdict_of(rejection)
        if state is None or transaction_id is None:
            return decision
        question = open_question(state, transaction_id)
        if question is None:
            return decision
        # A verdict that can't be read: reconcile waits for an answer to it, so the open question is announced again.
        outbox = Outbox(
            stage=self.name,
            turn=question.turn,
            cause=f"{rejection.position}/again",
            now=now,
            sequence=decision.writes[-1].sequence,
        )
        again = announce(self._say, state, outbox, question)
        return Decision(
            records=(*decision.records, *again.records), writes=again.writes, dead_letter=decision.dead_letter
        )

    # --- small parts -------------------------------------------------------------------------------------------------------

    def _outbox(self, state: State, turn: Turn, event: Input, now: datetime) -> Outbox:
        return Outbox(stage=self.name, turn=turn, cause=cause_of(event), now=now, sequence=state.sequence)


def _open(state: State) -> set[str]:
    """Transactions whose question is open."""
    return {name for name, inquiry in state.transactions.items() if inquiry.question is not None}


def _expiry_id(question: Question) -> str:
    return f"expiry/{question.transaction.transaction_id}/{question.transaction.revision}"


def _verdict_of(rejection: Rejection) -> str | None:
    """Transaction of a rejected verdict; None when it was no verdict."""
    command = (rejection.data or {}).get("command")
    if not isinstance(command, dict) or command.get("kind") != "verdict":
        return None
    return str(command.get("transaction_id", ""))
