"""Verdicts that fit no open question: nothing is executed, and whoever waits is told how things stand.

Invariants: a verdict counts only for the transaction, revision, digest and token it names; a question that is open is announced again, so
that reconcile never waits for ever. Source: DESIGN 7 (Confirm).
"""

from contracts.channel_response import ResponseKind
from contracts.confirm_command import VerdictCommand, VerdictKind
from contracts.status import Status
from contracts.transaction_status import TransactionStatus
from pipeline import topology
from pipeline.decision import Decision
from pipeline.outbox import Outbox
from pipeline.proposal import is_token_of
from pipeline.stages.confirm.memory import Question, State, keep, open_question
from pipeline.stages.confirm.publishing import Publishing
from pipeline.stages.confirm.question import stale
from pipeline.topology import StageName


def is_about(command: VerdictCommand, question: Question) -> bool:
    return command.revision == question.transaction.revision and command.digest == question.proposal.digest


def token_fits(command: VerdictCommand, question: Question) -> bool:
    return command.token is None or command.token == question.proposal.token


def stale_verdict(say: Publishing, state: State, command: VerdictCommand, outbox: Outbox) -> Decision:
    """Nothing is executed; whoever waits is told how things stand."""
    foreign = command.token is not None and not is_token_of(command.turn.conversation_key, command.token)
    outbox.event(
        "GRL.CONFIRMATION_FOREIGN" if foreign else "GRL.CONFIRMATION_STALE",
        command.transaction_id,
        revision=command.revision,
        verdict=command.verdict.value,
    )
    question = open_question(state, command.transaction_id)
    if question is not None:
        return announce(say, state, outbox, question)
    if command.transaction_id not in state.transactions:
        _forgotten(say, outbox, command)
    # A closed one has told its status, in order before whatever reconcile reads next; telling it twice would end it twice.
    return state.touched(outbox)


def announce(say: Publishing, state: State, outbox: Outbox, question: Question) -> Decision:
    """Ask the open question again, and tell reconcile that it is open."""
    say.ask(outbox, question, stale(say.wording(outbox.turn), question.proposal.text))
    say.tell(outbox, question, Status.AWAITING_CONFIRMATION, granted=VerdictKind.UNCLEAR)
    return keep(state, outbox, question)


def _forgotten(say: Publishing, outbox: Outbox, command: VerdictCommand) -> None:
    """Close a transaction nothing is known of here: its question was forgotten long ago."""
    text = say.wording(command.turn).say("confirm.forgotten")
    outbox.respond(text, ResponseKind.FINAL, status=Status.EXPIRED, transaction_id=command.transaction_id)
    outbox.send(
        topology.STATUS,
        TransactionStatus(
            turn=command.turn,
            stage=StageName.CONFIRM.value,
            transaction_id=command.transaction_id,
            revision=command.revision,
            tool="unknown",
            status=Status.EXPIRED,
            reason="forgotten",
        ),
    )
