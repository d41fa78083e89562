"""The compacted topic `state.<stage>`: checkpoints out, a stage's state back in, and the `_meta` record of a partition.

Invariants: `_meta` and the group's committed offset exist together or not at all; anything else (an offset below the log start,
another partition count, a newer format) stops the number for an operator, never wipes. Source: DESIGN 4 (Tasks and takeover).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import orjson
from pydantic import ValidationError

from contracts.base import Contract
from contracts.checkpoint import Checkpoint
from pipeline.decision import StateWrite
from pipeline.runtime import exact_json
from pipeline.runtime.errors import Fatal, Retriable
from pipeline.runtime.ports import OutputRecord, RawRecord, TopicPartition

META_KEY = "_meta"
STATE_FORMAT = 1
"""Format of what this program writes; it reads up to this one."""


class Meta(Contract):
    """Body of the `_meta` record."""

    partitions: int
    format: int
    start_offsets: dict[str, int]
    """Logical input topic → the offset this number began at."""


def checkpoint_of(write: StateWrite, *, stage: str, cause: str, now: datetime) -> Checkpoint | None:
    """The value to be written; None is a tombstone."""
    if write.body is None:
        return None
    return Checkpoint(
        stage=stage,
        key=write.key,
        sequence=write.sequence,
        input_position=cause,
        written_at=now,
        format=STATE_FORMAT,
        body=write.body.model_dump(mode="json"),
    )


def encode_checkpoint(checkpoint: Checkpoint | None) -> bytes | None:
    """Bytes of a state value."""
    return None if checkpoint is None else exact_json.dumps(checkpoint.model_dump(mode="json"))


STATE_HEADERS = (("content-type", b"application/json"), ("contract_version", Checkpoint.VERSION.encode()))
"""Of a state value: it is no event, so it is no CloudEvent."""


def state_record(topic: str, number: int, key: str, body: bytes | None) -> OutputRecord:
    """A record of a state topic; without a body it is a tombstone, which has no headers."""
    return OutputRecord(topic, number, key.encode(), body, () if body is None else STATE_HEADERS)


@dataclass(slots=True)
class Restored:
    """What a state partition holds."""

    checkpoints: dict[str, Checkpoint]
    meta: Meta | None = None

    def apply(self, record: RawRecord) -> None:
        """Take one record. Raises: Fatal when it can't be read: state is never skipped."""
        at = f"{record.topic}/{record.partition}/{record.offset}"
        try:
            key = (record.key or b"").decode()
            if record.value is None:
                self.checkpoints.pop(key, None)
                return
            checkpoint = Checkpoint.model_validate(exact_json.loads(record.value))
            if checkpoint.format > STATE_FORMAT:
                raise Fatal(
                    f"{at}: state format {checkpoint.format} is newer than {STATE_FORMAT}; run the version that wrote it"
                )
            if key == META_KEY:
                self.meta = Meta.model_validate(checkpoint.body)
            else:
                self.checkpoints[key] = checkpoint
        except (ValidationError, UnicodeDecodeError, orjson.JSONDecodeError) as error:
            raise Fatal(
                f"{at}: the state value can't be read ({type(error).__name__}); restore the topic from a backup"
            ) from error


def check_continuity(
    meta: Meta | None,
    *,
    partitions: int,
    committed: Mapping[TopicPartition, int | None],
    beginnings: Mapping[TopicPartition, int],
    ends: Mapping[TopicPartition, int],
) -> bool:
    """Whether this is the number's first takeover. Raises: Fatal when state and offsets don't fit together, Retriable
    where that may pass.
    """
    known = {tp for tp, offset in committed.items() if offset is not None}
    if meta is None:
        if known:
            raise Fatal(
                f"{_names(known)}: offsets are committed but the state topic has no _meta record; was the state topic deleted?"
            )
        return True
    if meta.partitions != partitions:
        raise Fatal(
            f"the state was written with {meta.partitions} partitions, the topics have {partitions}; recount offline"
        )
    missing = set(committed) - known
    if missing:
        raise Fatal(f"{_names(missing)}: no committed offset though state exists; did the group's offsets expire?")
    for tp, offset in committed.items():
        assert offset is not None
        if offset < beginnings[tp]:
            raise Fatal(
                f"{tp.topic}/{tp.partition}: committed offset {offset} is below the log start {beginnings[tp]}: records were lost to retention"
            )
        if offset > ends[tp]:
            # A broker that has just come back may still tell an older end, so this one is tried again.
            raise Retriable(
                f"{tp.topic}/{tp.partition}: committed offset {offset} is beyond the end {ends[tp]}; was the topic created anew?"
            )
    return False


def _names(partitions: set[TopicPartition]) -> str:
    return ", ".join(f"{tp.topic}/{tp.partition}" for tp in sorted(partitions))
