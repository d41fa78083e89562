"""What a stage remembers of one conversation: a body per transaction, the event sequence, and when to forget it all.

Owns: the writes of a decision about it, replay of checkpoints into that memory, the retention timer and the tombstones it ends in. Invariants: replaying the
compacted log gives the live memory; nothing that is open is forgotten; a conversation that is never quiet keeps no more than the
transactions of one retention period. Never: knows what a body means. Source: DESIGN 5.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from contracts.base import Instant
from contracts.checkpoint import Checkpoint
from pipeline.decision import STATE_KEY_SEPARATOR, Decision, StateWrite, Timer, state_key
from pipeline.outbox import Outbox

B = TypeVar("B", bound=BaseModel)


class Activity(BaseModel):
    """Body of the conversation's own key: it carries the sequence when no transaction does."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    last_at: Instant
    """When the stage last decided something about the conversation."""


@dataclass(frozen=True, slots=True)
class Remembered(Generic[B]):
    """Memory of one conversation."""

    conversation: str
    sequence: int = 0
    """Of the last event; 0 when nothing is known."""
    last_at: datetime | None = None
    transactions: Mapping[str, B] = field(default_factory=dict)
    written_at: Mapping[str, datetime] = field(default_factory=dict)
    """When each transaction was last written."""

    def key(self, transaction_id: str) -> str:
        """State key of a transaction."""
        return state_key(self.conversation, transaction_id)

    def replayed(self, key: str, checkpoint: Checkpoint | None, model: type[B]) -> "Remembered[B]":
        """Apply one state write; None is a tombstone."""
        _, _, transaction_id = key.partition(STATE_KEY_SEPARATOR)
        if not transaction_id:
            if checkpoint is None:
                return replace(self, last_at=None)
            body = Activity.model_validate(checkpoint.body)
            return replace(self, last_at=body.last_at, sequence=max(self.sequence, checkpoint.sequence))
        others = {name: body for name, body in self.transactions.items() if name != transaction_id}
        written = {name: at for name, at in self.written_at.items() if name != transaction_id}
        if checkpoint is None:
            return replace(self, transactions=others, written_at=written)
        return replace(
            self,
            sequence=max(self.sequence, checkpoint.sequence),
            transactions={**others, transaction_id: model.model_validate(checkpoint.body)},
            written_at={**written, transaction_id: checkpoint.written_at},
        )

    def written(self, outbox: Outbox, transaction_id: str, body: B | None) -> Decision:
        """End a decision that leaves `body` of a transaction; None: nothing of it is kept."""
        outbox.write(self.key(transaction_id), body)
        return self.touched(outbox)

    def touched(self, outbox: Outbox) -> Decision:
        """End a decision that leaves every transaction as it was; its events are counted."""
        outbox.write(self.conversation, Activity(last_at=outbox.now))
        return outbox.decision()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known any more."""
        return self.last_at is None and not self.transactions

    def retention(self, retention_ms: int, running: Container[str] = ()) -> tuple[Timer, ...]:
        """Return the timer that forgets what is oldest; its id names the instant. `running`: transactions that are not over."""
        ages = [at for name, at in self.written_at.items() if name not in running]
        if self.last_at is not None and len(ages) == len(self.transactions):
            ages.append(self.last_at)
        if not ages:
            return ()
        due_at = min(ages) + timedelta(milliseconds=retention_ms)
        return (Timer(timer_id=f"retention/{due_at.isoformat()}", due_at=due_at),)

    def forget(self, now: datetime, retention_ms: int, running: Container[str] = ()) -> Decision:
        """End the life of every transaction that is over for so long; of the conversation's own key with the last of them."""
        until = now - timedelta(milliseconds=retention_ms)
        over = [name for name, at in self.written_at.items() if at <= until and name not in running]
        keys = [self.key(name) for name in over]
        if len(over) == len(self.transactions) and self.last_at is not None and self.last_at <= until:
            keys.append(self.conversation)
        return Decision(writes=tuple(StateWrite(key=key, sequence=self.sequence, body=None) for key in keys))
