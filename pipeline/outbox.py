"""Collects what one decision says: records, events in sequence, responses, statuses, state writes.

Owns: event and response ids (derived from the input that caused them), the event sequence, the routing metadata of a response.
Invariants: the same input gives the same ids; a sequence only grows, also over the lives of a conversation: a new life begins at
the milliseconds of its first instant, so it lies above what a forgotten one used (notes: scenario 25).
Never: puts raw personal data in an event. Source: DESIGN 8 and 9.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from contracts.base import Contract
from contracts.channel_response import ChannelResponse, ResponseKind, ResponseMetadata
from contracts.event_envelope import EventEnvelope
from contracts.identity import derived_id, without_none
from contracts.status import Status
from contracts.transaction import Transaction, Turn
from contracts.transaction_status import TransactionStatus
from pipeline import topology
from pipeline.decision import Decision, Record, Rejection, StateWrite


def first_sequence(now: datetime) -> int:
    """Sequence before the first event of a new life."""
    return int(now.timestamp() * 1000)


class Outbox:
    """Builds one Decision; made per input, thrown away with it."""

    def __init__(self, *, stage: str, turn: Turn, cause: str, now: datetime, sequence: int) -> None:
        """`sequence` is the last one used; 0 when the conversation is new."""
        self._stage = stage
        self._turn = turn
        self._cause = cause
        self._now = now
        self._sequence = sequence or first_sequence(now)
        self._records: list[Record] = []
        self._writes: dict[str, BaseModel | None] = {}
        self._guardrails: list[str] = []
        self._ids = 0

    @property
    def now(self) -> datetime:
        """The instant of this decision."""
        return self._now

    @property
    def turn(self) -> Turn:
        """The turn that events and responses are about."""
        return self._turn

    def about(self, turn: Turn) -> None:
        """Go on about another turn of the same conversation (a waiting message taken up, say)."""
        assert turn.conversation_key == self._turn.conversation_key
        self._turn = turn

    def event(self, event_type: str, /, transaction: Transaction | str | None = None, **payload: Any) -> None:
        """Emit an event; `payload` holds counts, codes and keyed hashes only."""
        self._sequence += 1
        transaction_id = transaction.transaction_id if isinstance(transaction, Transaction) else transaction
        if event_type.startswith("GRL."):
            self._guardrails.append(event_type)
        envelope = EventEnvelope(
            event_type=event_type,
            timestamp=self._now,
            tenant_id=self._turn.tenant_id,
            agent_id=self._turn.agent_id,
            session_id=self._turn.session_id,
            trace_id=self._turn.trace_id,
            payload=without_none(payload),
            event_id=self._next_id("ev"),
            contract_version=EventEnvelope.VERSION,
            conversation_key=self._turn.conversation_key,
            message_id=self._turn.message_id,
            transaction_id=transaction_id,
            stage=self._stage,
            sequence=self._sequence,
        )
        self._add(topology.events(event_type), envelope)

    def respond(
        self, text: str, kind: ResponseKind, /, transaction: Transaction | None = None, **metadata: Any
    ) -> ChannelResponse:
        """Say something to the customer on the channel of the turn."""
        turn = self._turn
        fields: dict[str, Any] = {
            "tenant_id": turn.tenant_id,
            "agent_id": turn.agent_id,
            "route": self._stage,
            "intent": transaction.tool if transaction else "",
            "guardrails": list(self._guardrails),
            "message_id": turn.message_id,
            "session_id": turn.session_id,
            "transaction_id": transaction.transaction_id if transaction else None,
            "revision": transaction.revision if transaction else None,
            "kind": kind,
            "response_id": self._next_id("rs"),
            **metadata,
        }
        response = ChannelResponse(
            channel=turn.channel,
            session_id=turn.conversation_key,
            text=text,
            metadata=ResponseMetadata(**fields),
        )
        self._add(topology.responses(turn.channel), response)
        return response

    def tell(self, transaction: Transaction, status: Status, **fields: Any) -> None:
        """Tell reconcile where a transaction is now; `fields`: what TransactionStatus says beside it."""
        told = TransactionStatus(
            turn=self._turn,
            stage=self._stage,
            transaction_id=transaction.transaction_id,
            revision=transaction.revision,
            tool=transaction.tool,
            status=status,
            **fields,
        )
        self.send(topology.STATUS, told)

    def send(self, topic: str, value: Contract) -> None:
        """Hand a record on; `topic` is a logical name."""
        self._add(topic, value)

    def write(self, key: str, body: BaseModel | None) -> None:
        """Write the whole value of a state key; None ends its life. The last write of a key counts."""
        self._writes[key] = body

    def decision(self, dead_letter: Rejection | None = None) -> Decision:
        """All of it."""
        writes = (StateWrite(key=key, sequence=self._sequence, body=body) for key, body in self._writes.items())
        return Decision(records=tuple(self._records), writes=tuple(writes), dead_letter=dead_letter)

    @property
    def sequence(self) -> int:
        """The last sequence used."""
        return self._sequence

    def _next_id(self, prefix: str) -> str:
        self._ids += 1
        return derived_id(prefix, self._turn.conversation_key, self._stage, self._cause, self._ids)

    def _add(self, topic: str, value: Contract) -> None:
        self._records.append(Record(topic=topic, key=self._turn.conversation_key, value=value, headers=self._headers()))

    def _headers(self) -> Mapping[str, str]:
        return {"trace_id": self._turn.trace_id} if self._turn.trace_id else {}
