"""What happened in a run, as it can be read afterwards: every topic, the MCP servers' own ledger, the faults, the takeovers.

Owns: the shape of it, and how a transaction's parts are found. Pure: a test writes a history by hand.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, TypeVar

from contracts.base import Contract
from contracts.channel_response import ChannelResponse, ResponseKind
from contracts.checkpoint import Checkpoint
from contracts.confirm_command import ConfirmCommand, ProposeCommand, VerdictCommand
from contracts.event_envelope import EventEnvelope
from contracts.execute_command import ExecuteCommand
from contracts.gateway_request import GatewayRequest
from contracts.identity import item_key
from contracts.normalize_command import NormalizeCommand
from contracts.transaction_status import TransactionStatus

T = TypeVar("T", bound=Contract)
Found = Iterator[tuple[str, str]]
"""What a rule finds: (conversation, what is wrong)."""
OPENED = "IC.INTENT_DETECTED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Generic[T]):
    """A committed record."""

    topic: str
    """Logical name."""
    partition: int
    offset: int
    at: datetime
    """The record's timestamp: the broker's on input topics, the writer's on all others."""
    key: str | None
    value: T
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def position(self) -> str:
        """As events and dead letters name it."""
        return f"{self.topic}/{self.partition}/{self.offset}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A record of `gateway.requests`."""

    partition: int
    offset: int
    at: datetime
    key: str | None
    request: GatewayRequest | None
    """None: it can't be read."""
    conversation: str | None
    """None: it names no configured agent or channel, so it must be refused."""
    right: bool
    """Whether it has the key and lies in the partition of its conversation."""
    moved: bool
    """Whether the pipeline put it there."""

    @property
    def position(self) -> str:
        """As events and dead letters name it."""
        return f"gateway.requests/{self.partition}/{self.offset}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """A record of a `dlq.` topic."""

    stage: str
    origin: str
    error: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Something the MCP servers did."""

    customer: str
    tool: str
    item: str
    request_key: str
    item_key: str
    protocol: str
    executions: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A call that reached the MCP servers, whatever came of it."""

    at: datetime
    tool: str
    customer: str
    request_key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRules:
    """What a tool's policy allows."""

    transactional: bool
    recovery: str
    attempts_max: int = 5
    """Of one call."""
    rounds: int = 1
    """Calls of one proposal, item retries included."""
    timeout_s: float = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Disturbance:
    """A fault that happened."""

    kind: str
    target: str
    at: datetime
    until: datetime
    life: int = 0
    of_process: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover:
    """A replica became the owner of a partition number of a stage."""

    at: datetime
    replica: str
    life: int
    stage: str
    number: int


@dataclass(frozen=True, kw_only=True)
class History:
    """All of it, every list in the order of partition and offset."""

    asked: Sequence[Asked] = ()
    responses: Sequence[Entry[ChannelResponse]] = ()
    statuses: Sequence[Entry[TransactionStatus]] = ()
    confirms: Sequence[Entry[ConfirmCommand]] = ()
    executes: Sequence[Entry[ExecuteCommand]] = ()
    normalizes: Sequence[Entry[NormalizeCommand]] = ()
    events: Sequence[Entry[EventEnvelope]] = ()
    dead_letters: Sequence[DeadLetter] = ()
    states: Mapping[str, Mapping[str, Checkpoint]] = field(default_factory=dict)
    """Stage → key → its last value."""
    effects: Sequence[Effect] = ()
    arrivals: Sequence[Arrival] = ()
    operations: Mapping[tuple[str, str, str], str] = field(default_factory=dict)
    """(customer, tool, request key) → digest of the arguments the server saw."""
    tools: Mapping[str, ToolRules] = field(default_factory=dict)
    disturbances: Sequence[Disturbance] = ()
    takeovers: Sequence[Takeover] = ()

    # --- by conversation and transaction ---------------------------------------------------------------------------------

    @cached_property
    def heard(self) -> Mapping[tuple[str, str], Sequence[Entry[EventEnvelope]]]:
        """(conversation, message) → IC.GATEWAY_RECEIVED."""
        found: dict[tuple[str, str], list[Entry[EventEnvelope]]] = defaultdict(list)
        for entry in self.events:
            event = entry.value
            if event.event_type == "IC.GATEWAY_RECEIVED" and event.conversation_key and event.message_id:
                found[event.conversation_key, event.message_id].append(entry)
        return found

    @cached_property
    def accepted(self) -> Mapping[tuple[str, str], Sequence[Asked]]:
        """(conversation, message) → its records in their right place; refused ones left out."""
        refused = {letter.origin for letter in self.dead_letters}
        found: dict[tuple[str, str], list[Asked]] = defaultdict(list)
        for asked in self.asked:
            if asked.right and asked.request and asked.conversation and asked.position not in refused:
                found[asked.conversation, asked.request.payload.message_id].append(asked)
        return found

    @cached_property
    def customers(self) -> Mapping[str, str]:
        """Conversation → customer."""
        return {
            asked.conversation: asked.request.payload.business_context.customer_key or ""
            for asked in self.asked
            if asked.conversation and asked.request
        }

    @cached_property
    def opened(self) -> Mapping[str, str]:
        """Transaction → conversation."""
        return {
            entry.value.transaction_id: entry.value.conversation_key
            for entry in self.events
            if entry.value.event_type == OPENED and entry.value.transaction_id and entry.value.conversation_key
        }

    @cached_property
    def finals(self) -> Mapping[str, Sequence[Entry[ChannelResponse]]]:
        """Transaction → its final answers."""
        found: dict[str, list[Entry[ChannelResponse]]] = defaultdict(list)
        for entry in self.responses:
            metadata = entry.value.metadata
            if metadata.kind is ResponseKind.FINAL and metadata.transaction_id:
                found[metadata.transaction_id].append(entry)
        return found

    @cached_property
    def executed(self) -> Mapping[str, Sequence[Entry[ExecuteCommand]]]:
        """Transaction → commands to execute it."""
        return _by_transaction(self.executes)

    @cached_property
    def normalized(self) -> Mapping[str, Sequence[Entry[NormalizeCommand]]]:
        """Transaction → what was told to normalize."""
        return _by_transaction(self.normalizes)

    @cached_property
    def effects_of(self) -> Mapping[str, Sequence[tuple[int, Effect]]]:
        """Transaction → (position of the item, effect)."""
        found: dict[str, list[tuple[int, Effect]]] = defaultdict(list)
        for effect in self.effects:
            owner = self.owner_of(effect)
            if owner is not None:
                found[owner[0]].append((owner[1], effect))
        return found

    def owner_of(self, effect: Effect) -> tuple[str, int] | None:
        """Transaction and item that an effect belongs to; None: nobody's."""
        return self._keys.get(effect.item_key or effect.request_key)

    @cached_property
    def _keys(self) -> Mapping[str, tuple[str, int]]:
        """Idempotency key → (transaction, position of the item)."""
        found: dict[str, tuple[str, int]] = {}
        for entry in self.normalizes:
            command = entry.value
            transaction = command.transaction
            for position, item in enumerate(command.item_values):
                found[item_key(transaction.transaction_id, transaction.revision, item)] = (
                    transaction.transaction_id,
                    position,
                )
            key = request_key_of(command)
            if key:
                found[key] = (transaction.transaction_id, 0)
        return found

    def proposals(self) -> Iterator[Entry[ConfirmCommand]]:
        """Commands to propose."""
        return (entry for entry in self.confirms if isinstance(entry.value.command, ProposeCommand))

    def verdicts(self, transaction: str) -> Iterator[VerdictCommand]:
        """Verdicts about a transaction."""
        for entry in self.confirms:
            command = entry.value.command
            if isinstance(command, VerdictCommand) and command.transaction_id == transaction:
                yield command

    def events_of(self, transaction: str, *types: str) -> list[Entry[EventEnvelope]]:
        """Events about a transaction, of these types."""
        return [entry for entry in self._events_by_transaction.get(transaction, ()) if entry.value.event_type in types]

    @cached_property
    def _events_by_transaction(self) -> Mapping[str, Sequence[Entry[EventEnvelope]]]:
        found: dict[str, list[Entry[EventEnvelope]]] = defaultdict(list)
        for entry in self.events:
            if entry.value.transaction_id:
                found[entry.value.transaction_id].append(entry)
        return found


def _by_transaction(entries: Sequence[Entry[Any]]) -> Mapping[str, Sequence[Entry[Any]]]:
    found: dict[str, list[Entry[Any]]] = defaultdict(list)
    for entry in entries:
        found[entry.value.transaction.transaction_id].append(entry)
    return found


def request_key_of(command: NormalizeCommand) -> str:
    """Idempotency key of the first call; empty when there was none."""
    if command.invocation is None:
        return ""
    return str(command.invocation.metadata.get("idempotency_key") or "")
