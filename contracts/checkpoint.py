"""Checkpoint: the value of `state.<stage>`. Source: SPEC-012 section 3, DESIGN 9."""

from typing import Any, ClassVar

from contracts.base import Contract, Instant, Name


class Checkpoint(Contract):
    """What a stage remembers under one key after one decision, whole; a tombstone ends its life."""

    VERSION: ClassVar[str] = "checkpoint-v1"

    stage: Name
    """The stage that wrote it."""
    key: Name
    """Conversation, or conversation and transaction: the record's Kafka key."""
    sequence: int
    """The stage's event sequence of the conversation when this was written."""
    input_position: str
    """`topic/partition/offset` of the input, or the timer or call, that caused it."""
    written_at: Instant
    """Time of the decision. UTC."""
    format: int = 1
    """State format of the writer; a reader stops at a newer one instead of guessing."""
    body: dict[str, Any]
    """The stage's own model as JSON."""
