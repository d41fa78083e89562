"""The four stages behind reconcile, under the driver; the test plays reconcile."""

from datetime import timedelta
from typing import Any

from contracts.channel_response import ChannelResponse
from contracts.confirm_command import ConfirmCommand, ProposeCommand, VerdictCommand, VerdictKind
from contracts.execute_command import ExecuteCommand
from contracts.identity import conversation_key
from contracts.normalize_command import NormalizeCommand
from contracts.pre_validate_command import PreValidateCommand
from contracts.status import Status
from contracts.transaction import Transaction, Turn
from contracts.transaction_status import TransactionStatus
from pipeline import topology
from pipeline.policy import Installation
from pipeline.stages.confirm import Confirm
from pipeline.stages.execute import Execute
from pipeline.stages.normalize import Normalize
from pipeline.stages.pre_validate import PreValidate
from pipeline.testing.driver import STARTS_AT, Driver
from pipeline.testing.tools import Script, ScriptedTools
from tests.installation import catalogue, installation

CUSTOMER = {"customer_key": "11999999999"}


class Behind(Driver):
    """One customer of one agent, whose words the test has already understood."""

    def __init__(
        self,
        scripts: dict[str, Script] | None = None,
        *,
        configured: Installation | None = None,
        agent_id: str = "telecom_contas",
        channel: str = "web",
        locale: str = "pt-BR",
        only: tuple[str, ...] = (),
        **changes: Any,
    ) -> None:
        configured = configured or installation(**changes)
        texts = catalogue()
        built = [kind(configured, texts) for kind in (PreValidate, Confirm, Execute, Normalize)]
        super().__init__(
            configured, [stage for stage in built if not only or stage.name in only], ScriptedTools(dict(scripts or {}))
        )
        self.turn = Turn(
            conversation_key=conversation_key("default", agent_id, "s-1"),
            tenant_id="default",
            agent_id=agent_id,
            session_id="s-1",
            channel=channel,
            locale=locale,
            user_id="u-1",
            message_id="m-1",
            business_context=CUSTOMER,
        )

    # --- in the place of reconcile ------------------------------------------------------------------------------------

    def transaction(self, tool: str, arguments: dict[str, Any], **fields: Any) -> Transaction:
        return Transaction(
            transaction_id=fields.pop("transaction_id", "tx_1"),
            tool=tool,
            requested_tool=fields.pop("requested_tool", tool),
            arguments=arguments,
            opened_at=STARTS_AT,
            **fields,
        )

    def validate(
        self, tool: str, arguments: dict[str, Any], *, amended: bool = False, **fields: Any
    ) -> list[ChannelResponse]:
        """Hand a complete transaction on; returns what the customer was told."""
        command = PreValidateCommand(
            turn=self.turn, transaction=self.transaction(tool, arguments, **fields), amended=amended
        )
        return self.heard(topology.PRE_VALIDATE, command)

    def propose(
        self, tool: str, arguments: dict[str, Any], items: tuple[str, ...], **fields: Any
    ) -> list[ChannelResponse]:
        """Hand a proposal to confirm."""
        own = {name: fields.pop(name) for name in ("confirmation_message", "requires_confirmation") if name in fields}
        command = ProposeCommand(
            turn=self.turn, transaction=self.transaction(tool, arguments, **fields), items=items, **own
        )
        return self.heard(topology.CONFIRM, ConfirmCommand(command=command))

    def answer(self, verdict: VerdictKind, **fields: Any) -> list[ChannelResponse]:
        """Reply to the question that was told last."""
        told = [status for status in self.statuses if status.proposal is not None][-1]
        assert told.proposal is not None
        turn = fields.pop("turn", self.turn.model_copy(update={"message_id": "m-2"}))
        command = VerdictCommand(
            turn=turn,
            transaction_id=fields.pop("transaction_id", told.transaction_id),
            revision=fields.pop("revision", told.revision),
            digest=fields.pop("digest", told.proposal.digest),
            verdict=verdict,
            said_at=fields.pop("said_at", self.now),
            **fields,
        )
        return self.heard(topology.CONFIRM, ConfirmCommand(command=command))

    def yes(self, **fields: Any) -> list[ChannelResponse]:
        return self.answer(VerdictKind.ACCEPT, **fields)

    def heard(self, topic: str, command: Any) -> list[ChannelResponse]:
        """Put a record, run, and return what the customer was told."""
        before = len(self.responses)
        self.tell(topic, command)
        self.settle()
        return self.responses[before:]

    def wait(self, **span: int) -> list[ChannelResponse]:
        return self.advance(int(timedelta(**span).total_seconds() * 1000))

    # --- what a test looks at ------------------------------------------------------------------------------------------

    @property
    def conversation(self) -> str:
        return self.turn.conversation_key

    @property
    def ends(self) -> list[Status]:
        """Terminal statuses, in order."""
        return [status.status for status in self.statuses if status.status.terminal]

    @property
    def last_status(self) -> TransactionStatus:
        return self.statuses[-1]

    @property
    def proposals(self) -> list[ProposeCommand]:
        sent: list[ConfirmCommand] = self.sent_to(topology.CONFIRM)
        return [envelope.command for envelope in sent if isinstance(envelope.command, ProposeCommand)]

    @property
    def executes(self) -> list[ExecuteCommand]:
        return self.sent_to(topology.EXECUTE)

    @property
    def outcomes(self) -> list[NormalizeCommand]:
        return self.sent_to(topology.NORMALIZE)

    def called(self, tool: str) -> list[dict[str, Any]]:
        """Arguments of every call of a tool."""
        return [dict(call.arguments) for call in self.tools.calls_of(tool)]
