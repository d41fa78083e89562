"""Decides one batch and makes its output records.

Owns: reading, moving misplaced records, deciding on the overlay, encoding, dead letters, offsets.
Invariants: a decision enters the batch whole or not at all; offsets never pass work that is not in the batch; a value that is too
large is the fault of the input that caused it, found before anything is sent. Never: awaits, talks to Kafka.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from contracts.base import Contract
from contracts.event_envelope import EventEnvelope
from contracts.identity import derived_id
from pipeline import topology
from pipeline.decision import (
    CallAnswer,
    CallOutcome,
    CallReturned,
    ContractViolation,
    Decision,
    Position,
    Received,
    Rejection,
    Stage,
    cause_of,
    conversation_of_state_key,
)
from pipeline.runtime import serde
from pipeline.runtime.changelog import state_record
from pipeline.runtime.intake import Work
from pipeline.runtime.moving import first_seen_at, moved_headers
from pipeline.runtime.ports import OutputRecord, RawRecord, TopicPartition
from pipeline.runtime.state_store import Overlay, StateStore
from pipeline.settings import PipelineSettings

DEAD_LETTER_ROOM = 16_384
"""Bytes of a dead letter that are kept free for what the client adds."""
ATTEMPTS = 3
"""Failures of one input, alone, after which it is dead-lettered."""


class PoisonRecord(Exception):
    """An input that can't be decided, or whose outputs can't be written."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a task works."""

    number: int
    counts: Mapping[str, int]
    """Partition count of every topic, named as on the cluster."""
    partition_of: Callable[[bytes, int], int]


class Batch:
    """Everything one transaction will hold."""

    def __init__(self, *, stage: Stage[Any], store: StateStore, settings: PipelineSettings, place: Place) -> None:
        self._stage = stage
        self._settings = settings
        self._place = place
        self._source = f"/{settings.named(stage.name)}"
        self.overlay = Overlay(stage, store)
        self.records: list[OutputRecord] = []
        self.offsets: dict[TopicPartition, int] = {}
        self.inputs: dict[str, int] = {}
        self.dead_letters: list[str] = []
        self.told: list[EventEnvelope] = []
        """NOC events of the stage, which the log tells too."""

    # --- one input ---

    def decide(self, work: Work, now: datetime) -> None:
        """Decide one input. Raises: whatever the stage raises, PoisonRecord, NewerVersion; then the batch is unchanged."""
        if work.condemned:
            # Whatever it would write, be it itself in its right place.
            self.give_up(work, "the broker refused what it would have written", now)
        elif work.record is not None:
            assert work.spec is not None
            self._decide_record(work, now)
            self._consumed(work.record, work.spec.topic)
        else:
            assert work.event is not None
            decision = self._stage.decide(self.overlay.state(work.conversation), work.event, now)
            self._add(decision, cause=cause_of(work.event), now=now)

    def _decide_record(self, work: Work, now: datetime) -> None:
        assert work.record is not None
        assert work.spec is not None
        record, spec = work.record, work.spec
        value = serde.decode(record, spec.contract, spec.topic, internal=not spec.from_outside)
        if isinstance(value, Rejection):
            self._reject(value, record, now)
            return
        try:
            conversation = self._stage.conversation_of(value)
        except ContractViolation as violation:
            self._reject(self._violation(work, violation, value, None), record, now)
            return
        try:
            if spec.from_outside and self._move(record, conversation):
                return
        except ContractViolation as violation:
            self._reject(self._violation(work, violation, value, conversation), record, now)
            return
        event = Received(
            value=value,
            position=Position(topic=spec.topic, partition=record.partition, offset=record.offset),
            at=first_seen_at(record, self._settings.event_hash_key),
            headers=serde.text_headers(record),
            size=len(record.value or b""),
        )
        try:
            decision = self._stage.decide(self.overlay.state(conversation), event, now)
        except ContractViolation as violation:
            self._reject(self._violation(work, violation, value, conversation), record, now)
            return
        self._add(decision, cause=cause_of(event), now=now, record=record)

    def give_up(self, work: Work, reason: str, now: datetime) -> None:
        """An input that fails every time: a record is dead-lettered, an outcome counts as unknown.

        Raises: PoisonRecord where there is neither (a timer, a grant, an outcome that is unknown already), and what the
        stage raises again.
        """
        if work.record is not None:
            assert work.spec is not None
            value = serde.decode(work.record, work.spec.contract, work.spec.topic, internal=not work.spec.from_outside)
            rejection = self._rejection(work, "PoisonRecord", reason, value)
            self._reject(rejection, work.record, now, attempts=ATTEMPTS)
            self._consumed(work.record, work.spec.topic)
        elif isinstance(work.event, CallReturned) and work.event.answer.outcome is not CallOutcome.UNKNOWN:
            unknown = CallAnswer(outcome=CallOutcome.UNKNOWN, code="undecidable", error=reason)
            event = CallReturned(call_id=work.event.call_id, attempt=work.event.attempt, answer=unknown)
            decision = self._stage.decide(self.overlay.state(work.conversation), event, now)
            self._add(decision, cause=cause_of(event), now=now)
        else:
            raise PoisonRecord("there is nothing else to be decided in its place")

    def note(self, event_type: str, payload: Mapping[str, Any], *, seed: str, now: datetime) -> None:
        """An event of the runtime itself, about no conversation."""
        event = EventEnvelope(
            event_type=event_type,
            timestamp=now,
            tenant_id="",
            agent_id="",
            session_id="",
            trace_id="",
            payload=dict(payload),
            event_id=derived_id("ev", self._stage.name, seed),
            contract_version=EventEnvelope.VERSION,
            stage=self._stage.name,
        )
        self._write(topology.events(event_type), self._stage.name, event, seed=seed, now=now, trace_id=None)

    # --- misplaced and unreadable records ---

    def _move(self, record: RawRecord, conversation: str) -> bool:
        key = conversation.encode()
        right = self._place.partition_of(key, self._place.counts[record.topic])
        if record.key == key and record.partition == right:
            return False
        if len(record.value or b"") > self._settings.kafka.max_message_bytes:
            # It came compressed; nobody can tell whether it would fit again, and no stage takes one of this size.
            raise ContractViolation("value", f"at most {self._settings.kafka.max_message_bytes} bytes are allowed")
        headers = moved_headers(record, key, self._settings.event_hash_key)
        self.records.append(OutputRecord(record.topic, right, key, record.value, headers))
        return True

    def _violation(
        self, work: Work, violation: ContractViolation, value: Contract, conversation: str | None
    ) -> Rejection:
        return self._rejection(
            work, "ContractViolation", str(violation), value, field=violation.field, conversation=conversation
        )

    def _rejection(
        self,
        work: Work,
        error: str,
        text: str,
        value: Contract | Rejection,
        *,
        field: str | None = None,
        conversation: str | None = None,
    ) -> Rejection:
        assert work.record is not None
        assert work.spec is not None
        record = work.record
        data = value.data if isinstance(value, Rejection) else _data_of(value)
        if conversation is None and isinstance(value, Contract):
            conversation = self._conversation_or_none(value)
        return Rejection(
            position=Position(topic=work.spec.topic, partition=record.partition, offset=record.offset),
            at=first_seen_at(record, self._settings.event_hash_key),
            error=error,
            text=text,
            field=field,
            data=data,
            conversation=conversation,
            headers=serde.text_headers(record),
        )

    def _conversation_or_none(self, value: Contract) -> str | None:
        try:
            return self._stage.conversation_of(value)
        except ContractViolation:
            return None

    def _reject(self, rejection: Rejection, record: RawRecord, now: datetime, attempts: int = 1) -> None:
        state = self.overlay.known(rejection.conversation)
        decision = self._stage.reject(state, rejection, now)
        self._add(decision, cause=str(rejection.position), now=now, record=record, attempts=attempts)

    # --- outputs ---

    def _add(
        self, decision: Decision, *, cause: str, now: datetime, record: RawRecord | None = None, attempts: int = 1
    ) -> None:
        prepared = self.overlay.prepare(decision, cause=cause, now=now)
        for key, body in prepared.values.items():
            self._check_size(f"state key {conversation_of_state_key(key)}", body)
        mark, told = len(self.records), len(self.told)
        try:
            for index, output in enumerate(decision.records):
                if isinstance(output.value, EventEnvelope) and output.value.event_type.startswith("NOC."):
                    self.told.append(output.value)
                trace_id = output.headers.get("trace_id")
                self._write(output.topic, output.key, output.value, seed=f"{cause}#{index}", now=now, trace_id=trace_id)
            if decision.dead_letter is not None and record is not None:
                self._dead_letter(decision.dead_letter, record, attempts)
        except Exception:
            del self.records[mark:]
            del self.told[told:]
            raise
        self.overlay.apply(prepared)

    def _write(
        self, logical: str, key: str, value: Contract, *, seed: str, now: datetime, trace_id: str | None
    ) -> None:
        topic = self._settings.named(logical)
        if topic not in self._place.counts:
            raise PoisonRecord(f"there is no topic {topic}")
        body = serde.encode(value)
        self._check_size(topic, body)
        headers = serde.output_headers(value, source=self._source, event_id=seed, time=now, trace_id=trace_id)
        self.records.append(OutputRecord(topic, self._partition(topic), key.encode(), body, headers))

    def _dead_letter(self, rejection: Rejection, record: RawRecord, attempts: int) -> None:
        topic = self._settings.named(topology.dead_letters(self._stage.name))
        headers = serde.dead_letter_headers(rejection, attempts, record)
        key, value = record.key, record.value
        size = len(key or b"") + len(value or b"") + sum(len(name) + len(text) for name, text in headers)
        if size > self._settings.kafka.max_message_bytes * 2 - DEAD_LETTER_ROOM:
            # It came compressed and no longer fits: where it was read, its origin says, it stays until retention.
            headers = serde.dead_letter_headers(rejection, attempts, replace(record, headers=()))
            headers = (*headers, ("dlq_bytes_left_out", str(size).encode()))
            key, value = (key or b"")[:DEAD_LETTER_ROOM] or None, None
        self.records.append(OutputRecord(topic, self._partition(topic), key, value, headers))
        self.dead_letters.append(rejection.error)

    def _partition(self, topic: str) -> int:
        return self._place.number % self._place.counts[topic]

    def _check_size(self, what: str, body: bytes | None) -> None:
        allowed = self._settings.runtime.value_max_bytes
        if body is not None and len(body) > allowed:
            raise PoisonRecord(f"{what}: a value of {len(body)} bytes is over runtime.value_max_bytes ({allowed})")

    def _consumed(self, record: RawRecord, logical: str) -> None:
        self.offsets[TopicPartition(record.topic, record.partition)] = record.offset + 1
        self.inputs[logical] = self.inputs.get(logical, 0) + 1

    def outputs(self) -> list[OutputRecord]:
        """All records of the transaction, state last."""
        topic = self._settings.named(topology.state(self._stage.name))
        state = (state_record(topic, self._place.number, key, body) for key, body in self.overlay.values.items())
        return [*self.records, *state]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to commit."""
        return not (self.records or self.offsets or self.overlay.values)


def _data_of(value: Contract) -> Mapping[str, Any] | None:
    """What a rejection shows of a value; None when it can't be written: that must not keep it from being dead-lettered."""
    try:
        return value.model_dump(mode="json")
    except Exception:
        return None
