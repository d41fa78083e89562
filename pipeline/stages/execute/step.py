"""One decision about one running call: what is known of it, what is said of it, and how it is kept.

Owns: what attempts, asking, rounds and settling have at hand; the state that a call which is not over leaves.
Never: decides what comes next. Source: DESIGN 7 (Execute).
"""

from datetime import datetime
from typing import Any

from contracts.execute_command import ExecuteCommand
from contracts.transaction import Transaction
from pipeline.answers import failure_event
from pipeline.decision import CallAnswer, Decision, Input, cause_of
from pipeline.outbox import Outbox
from pipeline.policy import Installation, Timing, Tool
from pipeline.proposal import item_values
from pipeline.stages.execute.memory import Execution, Running, State
from pipeline.topology import StageName


class Step:
    """One decision about one running call."""

    def __init__(self, installation: Installation, state: State, event: Input, now: datetime, running: Running) -> None:
        self.installation = installation
        self.state = state
        self.now = now
        self.running = running
        self.outbox = Outbox(
            stage=StageName.EXECUTE.value,
            turn=running.command.turn,
            cause=cause_of(event),
            now=now,
            sequence=state.sequence,
        )

    @property
    def timing(self) -> Timing:
        return self.installation.timing

    @property
    def command(self) -> ExecuteCommand:
        return self.running.command

    @property
    def transaction(self) -> Transaction:
        return self.command.transaction

    @property
    def tool(self) -> Tool:
        """The tool the customer confirmed."""
        return self.installation.tools[self.transaction.tool]

    @property
    def status_tool(self) -> Tool | None:
        """The tool that tells what became of a call whose answer was lost."""
        return self.installation.tools.get(self.tool.policy.status_tool or "")

    @property
    def items(self) -> tuple[Any, ...]:
        """The collection, as it was confirmed."""
        return item_values(self.tool, self.transaction.arguments)

    def failed(self, answer: CallAnswer) -> None:
        """Say that an attempt of the active call gave no answer."""
        entry = self.running.active
        self.outbox.event(
            failure_event(answer), self.transaction, tool=entry.tool, code=answer.code, attempt=entry.attempt
        )

    def keep(self, **changes: Any) -> Decision:
        """The call goes on: keep it with `changes` of Running."""
        running = self.running.model_copy(update=changes)
        execution = Execution(revision=self.transaction.revision, digest=self.command.digest, running=running)
        return self.state.written(self.outbox, self.transaction.transaction_id, execution)
