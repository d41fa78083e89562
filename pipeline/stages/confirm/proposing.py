"""A validated set is put to the customer: the question with its token and expiry, or execution where no yes is needed.

Invariants: the digest binds what is shown to what will be executed; without a question the evidence says that none was required.
Source: DESIGN 7 (Confirm).
"""

from datetime import timedelta

from contracts.confirm_command import ProposeCommand
from contracts.execute_command import ExecuteCommand
from contracts.status import Status
from contracts.transaction import Confirmation, Proposal
from pipeline import topology
from pipeline.decision import ContractViolation, Decision
from pipeline.outbox import Outbox
from pipeline.proposal import proposal_digest, proposal_token
from pipeline.stages.confirm.memory import Closed, Question, State, close, keep
from pipeline.stages.confirm.publishing import Publishing
from pipeline.stages.confirm.question import question_text


def propose(say: Publishing, state: State, command: ProposeCommand, outbox: Outbox) -> Decision:
    """Ask the one question about the whole set, or go on where none is needed. Raises: ContractViolation for an unknown tool."""
    transaction, turn = command.transaction, command.turn
    tool = say.installation.tools.get(transaction.tool)
    if tool is None:
        raise ContractViolation("command.transaction.tool", f"{transaction.tool!r} is not a tool of tools.yaml")
    if not (transaction.confirmation_floor or tool.needs_confirmation or command.requires_confirmation):
        return _pass_on(state, command, outbox)
    wording = say.wording(turn)
    text = question_text(wording, tool, transaction.arguments, command.items, command.confirmation_message)
    digest = proposal_digest(turn, transaction, command.items, text)
    proposal = Proposal(
        digest=digest,
        items=command.items,
        text=text,
        asked_at=outbox.now,
        expires_at=outbox.now + timedelta(milliseconds=say.installation.confirmation_ttl_ms(tool)),
        token=proposal_token(turn.conversation_key, digest),
    )
    question = Question(turn=turn, transaction=transaction, proposal=proposal)
    outbox.event(
        "IC.TRANSACTION_CONFIRMATION_REQUIRED",
        transaction,
        tool=tool.name,
        revision=transaction.revision,
        items_count=len(command.items),
    )
    say.ask(outbox, question, text)
    say.tell(outbox, question, Status.AWAITING_CONFIRMATION)
    return keep(state, outbox, question)


def _pass_on(state: State, command: ProposeCommand, outbox: Outbox) -> Decision:
    """No confirmation is needed: say so, and have it executed."""
    transaction, turn = command.transaction, command.turn
    digest = proposal_digest(turn, transaction, command.items, "")
    outbox.event("IC.TRANSACTION_CONFIRMATION_SKIPPED", transaction, tool=transaction.tool)
    # Nobody said yes: the evidence names the message that asked for the operation.
    evidence = Confirmation(
        digest=digest, required=False, message_id=turn.message_id, accepted_at=transaction.opened_at
    )
    outbox.send(
        topology.EXECUTE,
        ExecuteCommand(turn=turn, transaction=transaction, items=command.items, digest=digest, confirmation=evidence),
    )
    skipped = Closed(tool=transaction.tool, status=Status.EXECUTING, at=outbox.now)
    return close(state, outbox, transaction, skipped)
