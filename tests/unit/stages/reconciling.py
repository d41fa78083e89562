"""Reconcile alone under the driver, with the other stages played by the test."""

from typing import Any

from contracts.agent_state import AgentState
from contracts.channel_response import ChannelResponse
from contracts.confirm_command import ConfirmCommand, VerdictCommand, VerdictKind
from contracts.pre_validate_command import PreValidateCommand
from contracts.status import Status
from contracts.transaction import Proposal, Turn
from contracts.transaction_status import TransactionStatus
from pipeline import topology
from pipeline.policy import Installation
from pipeline.stages.reconcile import Reconcile
from pipeline.testing.driver import Driver
from tests.installation import catalogue, installation


class Talk(Driver):
    """One customer talks to reconcile; statuses come from the test."""

    def __init__(self, configured: Installation | None = None, **changes: Any) -> None:
        configured = configured or installation(**changes)
        super().__init__(configured, [Reconcile(configured, catalogue())])
        self.conversation = ""

    def put(self, text: str, **fields: Any) -> str:
        """Remember whose conversation it is."""
        self.conversation = super().put(text, **fields)
        return self.conversation

    @property
    def now_state(self) -> AgentState:
        """State of the customer who spoke last."""
        state: AgentState = self.state("reconcile", self.conversation)
        return state

    @property
    def commands(self) -> list[PreValidateCommand]:
        """Everything handed on."""
        return self.sent_to(topology.PRE_VALIDATE)

    @property
    def handed(self) -> PreValidateCommand:
        """What was handed on last."""
        return self.commands[-1]

    @property
    def verdicts(self) -> list[VerdictCommand]:
        """Every verdict sent to confirm."""
        sent: list[ConfirmCommand] = self.sent_to(topology.CONFIRM)
        return [command.command for command in sent if isinstance(command.command, VerdictCommand)]

    def status(self, status: Status, **fields: Any) -> list[ChannelResponse]:
        """Tell a status of the transaction handed on last; returns what the customer was told then."""
        before = len(self.responses)
        transaction = self.handed.transaction
        turn: Turn = fields.pop("turn", self.handed.turn)
        told = TransactionStatus(
            turn=turn,
            stage=fields.pop("stage", "confirm"),
            transaction_id=fields.pop("transaction_id", transaction.transaction_id),
            revision=fields.pop("revision", transaction.revision),
            tool=fields.pop("tool", transaction.tool),
            status=status,
            arguments=fields.pop("arguments", transaction.arguments),
            **fields,
        )
        self.tell(topology.STATUS, told)
        self.settle()
        return self.responses[before:]

    def ask(self, *items: str, arguments: dict[str, Any] | None = None, **fields: Any) -> list[ChannelResponse]:
        """Confirm has asked the one question for these items (by default those handed on)."""
        transaction = self.handed.transaction
        arguments = transaction.arguments if arguments is None else arguments
        shown = items or tuple(str(item) for item in arguments.get("items", arguments.get("order_ids", ())))
        proposal = Proposal(
            digest=f"digest-{transaction.revision}",
            items=shown,
            text=f"Você confirma o cancelamento de {', '.join(shown)}?",
            asked_at=self.now,
            expires_at=self.now.replace(hour=23),
            token=f"token-{transaction.revision}",
        )
        return self.status(Status.AWAITING_CONFIRMATION, arguments=arguments, proposal=proposal, **fields)

    def grant(self, verdict: VerdictKind, **fields: Any) -> list[ChannelResponse]:
        """Confirm has applied the verdict."""
        match verdict:
            case VerdictKind.ACCEPT:
                return self.status(Status.EXECUTING, announced=False)
            case VerdictKind.DECLINE:
                return self.status(Status.CANCELLED, reason="declined", **fields)
            case VerdictKind.REPLACE:
                return self.status(Status.CANCELLED, reason="replaced", **fields)
            case VerdictKind.AMEND:
                return self.status(Status.VALIDATING, granted=VerdictKind.AMEND, **fields)
            case _:
                return self.ask(granted=verdict, **fields)
