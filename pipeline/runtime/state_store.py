"""The states of one task, and the overlay a batch decides on.

Invariants: a later input of a batch sees what an earlier one wrote; nothing of a batch stays in memory unless its commit is known;
live state goes through the same replay, on the same JSON values, as a restored one. Source: DESIGN 4 (Transactions), 5.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from contracts.checkpoint import Checkpoint
from pipeline.decision import Agenda, Decision, Stage, conversation_of_state_key
from pipeline.runtime.changelog import checkpoint_of, encode_checkpoint


class StateStore:
    """Committed states by conversation."""

    def __init__(self, stage: Stage[Any], checkpoints: Mapping[str, Checkpoint]) -> None:
        self._stage = stage
        self._states: dict[str, Any] = {}
        self._waiting: dict[str, int] = {}
        self.waiting_bytes = 0
        for key, checkpoint in checkpoints.items():
            self.restore(key, checkpoint)

    def restore(self, key: str, checkpoint: Checkpoint) -> None:
        """Take a checkpoint of the state topic."""
        conversation = conversation_of_state_key(key)
        known = self._states.get(conversation)
        state = self._stage.replay(self._stage.initial(conversation) if known is None else known, key, checkpoint)
        self._states[conversation] = state
        self._count(conversation, state)

    def get(self, conversation: str) -> Any | None:
        """State of a conversation, None when nothing is known."""
        return self._states.get(conversation)

    def conversations(self) -> Iterable[str]:
        """All that are known."""
        return tuple(self._states)

    def __len__(self) -> int:
        return len(self._states)

    def merge(self, overlay: "Overlay") -> None:
        """Take the states of a committed batch."""
        for conversation, state in overlay.states.items():
            if self._stage.is_empty(state):
                self._states.pop(conversation, None)
                self.waiting_bytes -= self._waiting.pop(conversation, 0)
            else:
                self._states[conversation] = state
                self._count(conversation, state)

    def _count(self, conversation: str, state: Any) -> None:
        waiting = self._stage.waiting_bytes(state)
        self.waiting_bytes += waiting - self._waiting.get(conversation, 0)
        if waiting:
            self._waiting[conversation] = waiting
        else:
            self._waiting.pop(conversation, None)


class Overlay:
    """What one batch has written so far."""

    def __init__(self, stage: Stage[Any], store: StateStore) -> None:
        self._stage = stage
        self._store = store
        self.states: dict[str, Any] = {}
        self.values: dict[str, bytes | None] = {}
        """State key → last value of the batch; earlier ones need not be written."""
        self.agendas: dict[str, Agenda] = {}
        """What is to run for each of `states`."""

    def state(self, conversation: str) -> Any:
        """State as the next input sees it."""
        if conversation in self.states:
            return self.states[conversation]
        known = self._store.get(conversation)
        return self._stage.initial(conversation) if known is None else known

    def known(self, conversation: str | None) -> Any | None:
        """State when the conversation is known."""
        if conversation is None:
            return None
        return self.states.get(conversation, self._store.get(conversation))

    def prepare(self, decision: Decision, *, cause: str, now: datetime) -> "Prepared":
        """Encode and replay a decision's writes without applying them: a decision that fails here leaves nothing behind."""
        states: dict[str, Any] = {}
        values: dict[str, bytes | None] = {}
        for write in decision.writes:
            checkpoint = checkpoint_of(write, stage=self._stage.name, cause=cause, now=now)
            values[write.key] = encode_checkpoint(checkpoint)
            conversation = conversation_of_state_key(write.key)
            state = states[conversation] if conversation in states else self.state(conversation)
            states[conversation] = self._stage.replay(state, write.key, checkpoint)
        # Asked for before anything is sent: a state that nothing can be run for is the fault of the input that made it.
        agendas = {conversation: self._stage.agenda(state) for conversation, state in states.items()}
        return Prepared(states, values, agendas)

    def apply(self, prepared: "Prepared") -> None:
        """Make a prepared decision visible to the next input."""
        self.states |= prepared.states
        self.values |= prepared.values
        self.agendas |= prepared.agendas


class Prepared:
    """The state part of one decision."""

    def __init__(self, states: dict[str, Any], values: dict[str, bytes | None], agendas: dict[str, Agenda]) -> None:
        self.states = states
        self.values = values
        self.agendas = agendas
