"""What each verdict does to the open question it was given for.

Invariants: what is executed is the turn and the set that were shown; whatever ends the question is told to reconcile in the same commit.
Never: decides which verdict counts (the stage does). Source: DESIGN 7 (Confirm).
"""

from contracts.channel_response import ResponseKind
from contracts.confirm_command import VerdictCommand, VerdictKind
from contracts.execute_command import ExecuteCommand
from contracts.status import Status
from contracts.transaction import Confirmation
from pipeline import topology
from pipeline.decision import Decision
from pipeline.outbox import Outbox
from pipeline.stages.confirm.memory import Question, State, close, closed, keep
from pipeline.stages.confirm.publishing import Publishing
from pipeline.stages.confirm.question import about_proposal, asked_again

REASONS = {VerdictKind.DECLINE: "declined", VerdictKind.ABANDON: "abandoned", VerdictKind.REPLACE: "replaced"}
"""Verdicts that end the transaction CANCELLED, and how that is called."""

CANCELLED_EVENTS = {
    "declined": "IC.TRANSACTION_CONFIRMATION_DECLINED",
    "abandoned": "IC.TRANSACTION_ABANDONED",
    "replaced": "IC.TRANSACTION_REPLACED",
}


def accepted(state: State, outbox: Outbox, question: Question, command: VerdictCommand) -> Decision:
    """Have executed exactly what was shown."""
    proposal, transaction = question.proposal, question.transaction
    # What is executed is the turn that was shown, answered where the yes was said.
    turn = question.turn.model_copy(
        update={
            "message_id": command.turn.message_id,
            "trace_id": command.turn.trace_id,
            "channel": command.turn.channel,
            "locale": command.turn.locale,
        }
    )
    outbox.event(
        "IC.TRANSACTION_CONFIRMATION_ACCEPTED",
        transaction,
        tool=transaction.tool,
        revision=transaction.revision,
        items_count=len(proposal.items),
        rule=command.rule or None,
    )
    outbox.send(
        topology.EXECUTE,
        ExecuteCommand(
            turn=turn,
            transaction=transaction,
            items=proposal.items,
            digest=proposal.digest,
            text=proposal.text,
            confirmation=Confirmation(
                digest=proposal.digest,
                required=True,
                message_id=command.turn.message_id,
                accepted_at=command.said_at,
            ),
        ),
    )
    return close(state, outbox, transaction, closed(question, Status.EXECUTING, outbox.now))


def cancelled(say: Publishing, state: State, outbox: Outbox, question: Question, reason: str) -> Decision:
    """End the transaction: declined, abandoned, or replaced by another request."""
    transaction = question.transaction
    outbox.event(CANCELLED_EVENTS[reason], transaction, tool=transaction.tool, revision=transaction.revision)
    text = say.about(outbox.turn, question, f"confirm.{reason}")
    outbox.respond(text, ResponseKind.FINAL, transaction, status=Status.CANCELLED)
    say.tell(outbox, question, Status.CANCELLED, reason=reason)
    return close(state, outbox, transaction, closed(question, Status.CANCELLED, outbox.now, reason))


def expired(say: Publishing, state: State, outbox: Outbox, question: Question, key: str) -> Decision:
    """End the transaction out of time; `key`: the wording, also of a yes that came too late."""
    transaction = question.transaction
    outbox.event(
        "IC.TRANSACTION_CONFIRMATION_EXPIRED",
        transaction,
        tool=transaction.tool,
        revision=transaction.revision,
        late_reply=key == "confirm.too_late",
    )
    outbox.respond(say.about(outbox.turn, question, key), ResponseKind.FINAL, transaction, status=Status.EXPIRED)
    say.tell(outbox, question, Status.EXPIRED)
    return close(state, outbox, transaction, closed(question, Status.EXPIRED, outbox.now))


def amended(say: Publishing, state: State, outbox: Outbox, question: Question, command: VerdictCommand) -> Decision:
    """Leave the set to reconcile, which proposes it anew."""
    transaction = question.transaction
    outbox.event(
        "IC.TRANSACTION_CONFIRMATION_AMENDED",
        transaction,
        tool=transaction.tool,
        revision=transaction.revision,
        rule=command.rule or None,
    )
    say.tell(outbox, question, Status.VALIDATING, granted=VerdictKind.AMEND, announced=False)
    return close(state, outbox, transaction, closed(question, Status.VALIDATING, outbox.now))


def unclear(say: Publishing, state: State, outbox: Outbox, question: Question, command: VerdictCommand) -> Decision:
    """Ask again, or answer a question about what was shown; the question stays open."""
    times = question.unclear_times + 1
    transaction, proposal = question.transaction, question.proposal
    wording = say.wording(outbox.turn)
    outbox.event(
        "IC.TRANSACTION_CONFIRMATION_UNCLEAR",
        transaction,
        tool=transaction.tool,
        revision=transaction.revision,
        times=times,
        question=command.question,
        rule=command.rule or None,
    )
    if command.question:
        tool = say.installation.tools.get(transaction.tool)
        text = about_proposal(wording, tool, transaction.arguments, proposal.items, proposal.text)
    else:
        text = asked_again(wording, proposal.text, times=times, rule=command.rule)
    say.ask(outbox, question, text)
    say.tell(outbox, question, Status.AWAITING_CONFIRMATION, granted=VerdictKind.UNCLEAR)
    return keep(state, outbox, question.model_copy(update={"unclear_times": times}))
