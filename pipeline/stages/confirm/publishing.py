"""What confirm says to the customer and to reconcile about one question.

Invariants: a question is published with its token, and with buttons where the channel has them; a status carries the proposal as shown.
Source: DESIGN 7 (Confirm), 9.
"""

from dataclasses import dataclass
from typing import Any

from contracts.channel_response import ConfirmationHandle, ResponseKind
from contracts.status import Status
from contracts.transaction import Turn
from pipeline.language.messages import Catalogue
from pipeline.language.wording import Wording
from pipeline.outbox import Outbox
from pipeline.policy import Installation
from pipeline.stages.confirm.memory import Question


@dataclass(frozen=True, slots=True)
class Publishing:
    """Publishes in the locale and on the channel of the outbox's turn."""

    installation: Installation
    messages: Catalogue

    def wording(self, turn: Turn) -> Wording:
        """How the customer of a turn is spoken to."""
        return Wording.of(self.messages, self.installation, turn.locale, turn.channel)

    def ask(self, outbox: Outbox, question: Question, text: str) -> None:
        """Publish the question, with its buttons where the channel has them."""
        proposal = question.proposal
        wording = self.wording(outbox.turn)
        buttons = []
        if wording.channel.buttons:
            for answer in ("yes", "no"):
                title = wording.say_inside("confirm.button_yes" if answer == "yes" else "confirm.button_no")
                reply = wording.say_inside("confirm.reply_yes" if answer == "yes" else "confirm.reply_no")
                buttons.append({"title": title, "reply": reply})
        outbox.respond(
            text,
            ResponseKind.CONFIRMATION,
            question.transaction,
            status=Status.AWAITING_CONFIRMATION,
            confirmation=ConfirmationHandle(token=proposal.token, expires_at=proposal.expires_at),
            buttons=buttons,
        )

    def about(self, turn: Turn, question: Question, key: str) -> str:
        tool = self.installation.tools.get(question.transaction.tool)
        return self.wording(turn).about(key, tool, question.proposal.items)

    def tell(self, outbox: Outbox, question: Question, status: Status, **fields: Any) -> None:
        transaction = question.transaction
        if status is Status.AWAITING_CONFIRMATION:
            fields = {"arguments": transaction.arguments, "proposal": question.proposal, **fields}
        outbox.tell(transaction, status, **fields)
