"""What confirm keeps of a transaction: the open question, and a marker of what became of the last one."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from contracts.base import Instant
from contracts.status import Status
from contracts.transaction import Proposal, Transaction, Turn
from pipeline.decision import Decision
from pipeline.outbox import Outbox
from pipeline.remembered import Remembered


class Question(BaseModel):
    """A question that is open."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    turn: Turn
    """Of the proposal; its user and business context are part of what is confirmed."""
    transaction: Transaction
    proposal: Proposal
    unclear_times: int = 0


class Closed(BaseModel):
    """A question that is answered, dead or out of time."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    tool: str
    status: Status
    """Status the transaction went to: EXECUTING when it was accepted, VALIDATING when it is proposed anew."""
    reason: str | None = None
    token: str = ""
    at: Instant


class Inquiry(BaseModel):
    """One transaction; at most one question of it is open."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    revision: int
    question: Question | None = None
    closed: Closed | None = None
    """Of the latest revision that was closed."""


State = Remembered[Inquiry]


def keep(state: State, outbox: Outbox, question: Question) -> Decision:
    transaction = question.transaction
    known = state.transactions.get(transaction.transaction_id)
    inquiry = Inquiry(
        revision=transaction.revision, question=question, closed=known.closed if known is not None else None
    )
    return state.written(outbox, transaction.transaction_id, inquiry)


def close(state: State, outbox: Outbox, transaction: Transaction, closed: Closed) -> Decision:
    inquiry = Inquiry(revision=transaction.revision, closed=closed)
    return state.written(outbox, transaction.transaction_id, inquiry)


def open_question(state: State, transaction_id: str | None) -> Question | None:
    """The open question of a transaction, else the one that is open in the conversation."""
    known = state.transactions.get(transaction_id) if transaction_id else None
    if known is not None and known.question is not None:
        return known.question
    return next((inquiry.question for inquiry in state.transactions.values() if inquiry.question is not None), None)


def closed(question: Question, status: Status, now: datetime, reason: str | None = None) -> Closed:
    return Closed(
        tool=question.transaction.tool,
        status=status,
        reason=reason,
        token=question.proposal.token,
        at=now,
    )
