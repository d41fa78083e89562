"""State and offsets fit together or the number stops; state is never skipped."""

from datetime import UTC, datetime
from typing import Any

import orjson
import pytest

from pipeline.runtime.changelog import META_KEY, STATE_FORMAT, Meta, Restored, check_continuity
from pipeline.runtime.errors import Fatal, Retriable
from pipeline.runtime.ports import RawRecord, TopicPartition

A, B = TopicPartition("status", 0), TopicPartition("requests", 0)
META = Meta(partitions=4, format=1, start_offsets={"status": 0, "requests": 0})


def check(meta: Meta | None, committed: dict[TopicPartition, int | None], **changes: Any) -> bool:
    options: dict[str, Any] = {"partitions": 4, "beginnings": {A: 0, B: 0}, "ends": {A: 100, B: 100}} | changes
    return check_continuity(meta, committed=committed, **options)


def test_nothing_at_all_is_a_first_takeover() -> None:
    assert check(None, {A: None, B: None})


def test_meta_and_offsets_together_go_on() -> None:
    assert not check(META, {A: 3, B: 7})


@pytest.mark.parametrize(
    ("meta", "committed", "changes", "says"),
    [
        pytest.param(None, {A: 3, B: None}, {}, "no _meta record", id="offsets without state"),
        pytest.param(META, {A: 3, B: None}, {}, "no committed offset", id="state without offsets"),
        pytest.param(META, {A: 3, B: 7}, {"partitions": 8}, "recount offline", id="another partition count"),
        pytest.param(META, {A: 3, B: 7}, {"beginnings": {A: 5, B: 0}}, "below the log start", id="lost to retention"),
    ],
)
def test_what_does_not_fit_is_fatal_and_named(
    meta: Meta | None, committed: dict[TopicPartition, int | None], changes: dict[str, Any], says: str
) -> None:
    with pytest.raises(Fatal, match=says):
        check(meta, committed, **changes)


def test_an_offset_beyond_the_end_is_tried_again_because_a_broker_may_just_have_come_back() -> None:
    with pytest.raises(Retriable, match="created anew"):
        check(META, {A: 3, B: 7}, ends={A: 2, B: 9})


def value(key: str, **changes: Any) -> bytes:
    at = datetime(2026, 11, 30, tzinfo=UTC).isoformat()
    checkpoint = {
        "stage": "s",
        "key": key,
        "sequence": 1,
        "input_position": "-",
        "written_at": at,
        "format": STATE_FORMAT,
        "body": {},
    }
    return orjson.dumps(checkpoint | changes)


def record(key: str, body: bytes | None) -> RawRecord:
    return RawRecord("state.s", 0, 0, 0, key.encode(), body)


def test_the_last_value_counts_and_a_tombstone_ends_it() -> None:
    restored = Restored(checkpoints={})
    for entry in (
        record("a", value("a")),
        record("b", value("b")),
        record("a", value("a", sequence=2)),
        record("b", None),
    ):
        restored.apply(entry)
    assert {key: checkpoint.sequence for key, checkpoint in restored.checkpoints.items()} == {"a": 2}


def test_meta_is_no_state() -> None:
    restored = Restored(checkpoints={})
    restored.apply(record(META_KEY, value(META_KEY, body=META.model_dump())))
    assert restored.meta == META
    assert not restored.checkpoints


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(value("a", format=STATE_FORMAT + 1), id="a newer format"),
        pytest.param(b"{", id="no JSON"),
        pytest.param(b"{}", id="no checkpoint"),
    ],
)
def test_unreadable_state_is_fatal(body: bytes) -> None:
    with pytest.raises(Fatal):
        Restored(checkpoints={}).apply(record("a", body))
