"""One decision about one transaction at the gate: what is known of it, what is said, and by which record it leaves.

Invariants: a transaction leaves by exactly one record: a proposal to confirm, or a status; nothing of it is kept then.
Source: DESIGN 7 (Pre-validate).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from contracts.channel_response import ItemFate, ResponseKind
from contracts.confirm_command import ConfirmCommand, ProposeCommand
from contracts.status import ItemOutcome, Status
from contracts.transaction import Transaction, Turn
from pipeline import topology
from pipeline.decision import Decision, Input, cause_of
from pipeline.language.messages import Catalogue
from pipeline.language.wording import Wording
from pipeline.ledger import LedgerEntry
from pipeline.outbox import Outbox
from pipeline.policy import Installation
from pipeline.stages.pre_validate.memory import State, Validation
from pipeline.topology import StageName


@dataclass(frozen=True, slots=True)
class Desk:
    """What every passage has at hand."""

    installation: Installation
    messages: Catalogue

    def wording(self, turn: Turn) -> Wording:
        """How the customer of a turn is spoken to."""
        return Wording.of(self.messages, self.installation, turn.locale, turn.channel)

    def floored(self, transaction: Transaction) -> Transaction:
        """Remember that the tool the customer asked for needed confirmation, however the transaction came to another one."""
        asked = self.installation.tools.get(transaction.requested_tool)
        needed = transaction.requested_tool != transaction.tool and asked is not None and asked.needs_confirmation
        return transaction.model_copy(update={"confirmation_floor": transaction.confirmation_floor or needed})


class Passage:
    """One decision about one transaction: what is known of it, and what is said."""

    def __init__(
        self,
        desk: "Desk",
        state: State,
        event: Input,
        now: datetime,
        validation: Validation,
        *,
        outbox: Outbox | None = None,
    ) -> None:
        self._desk = desk
        self._state = state
        self._event = event
        self.validation = validation
        self.turn = validation.command.turn
        self.transaction: Transaction = validation.command.transaction
        self.outbox = outbox or Outbox(
            stage=StageName.PRE_VALIDATE.value, turn=self.turn, cause=cause_of(event), now=now, sequence=state.sequence
        )

    @property
    def installation(self) -> Installation:
        return self._desk.installation

    @property
    def wording(self) -> Wording:
        return self._desk.wording(self.turn)

    @property
    def context(self) -> dict[str, Any]:
        return self.turn.business_context.model_dump()

    @property
    def entry(self) -> LedgerEntry:
        assert self.validation.entry is not None
        return self.validation.entry

    def with_changes(self, **changes: Any) -> "Passage":
        changed = self.validation.model_copy(update=changes)
        return Passage(self._desk, self._state, self._event, self.outbox.now, changed, outbox=self.outbox)

    def keep(self, **changes: Any) -> Decision:
        """The validator is asked: keep the transaction."""
        changed = self.validation.model_copy(update=changes)
        return self._state.written(self.outbox, self.transaction.transaction_id, changed)

    def hand_on(self, names: Sequence[str]) -> Decision:
        """Hand the transaction to confirm."""
        command = ProposeCommand(
            turn=self.turn,
            transaction=self._desk.floored(self.transaction),
            items=tuple(names),
            confirmation_message=self.validation.confirmation_message,
            requires_confirmation=self.validation.requires_confirmation,
        )
        self.outbox.send(topology.CONFIRM, ConfirmCommand(command=command))
        return self._ended()

    def close(
        self, status: Status, why: str, text: str, *, names: Sequence[str] = (), reason: str | None = None
    ) -> Decision:
        """Answer and end the transaction."""
        fates = [ItemFate(subject=name, outcome=ItemOutcome.FAILED, reason=reason) for name in names]
        self.outbox.respond(text, ResponseKind.FINAL, self.transaction, status=status, items=fates)
        return self.tell(status, reason=why)

    def tell(self, status: Status, **fields: Any) -> Decision:
        """Tell reconcile where the transaction is now."""
        self.outbox.tell(self.transaction, status, **fields)
        return self._ended()

    def _ended(self) -> Decision:
        if self.transaction.transaction_id in self._state.transactions:
            return self._state.written(self.outbox, self.transaction.transaction_id, None)
        return self._state.touched(self.outbox)
