"""The first broker time of a moved record: kept through the move, believed of nobody else."""

from datetime import UTC, datetime

import pytest

from pipeline.runtime.moving import MOVED_BY, first_seen_at, moved_headers
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.serde import MOVED_AT

SECRET, KEY, VALUE = "a key of the tests", b"t:a:s", b'{"x":1}'
THEN, NOW = datetime.fromtimestamp(5, UTC), datetime.fromtimestamp(9, UTC)


def record(*headers: tuple[str, bytes], key: bytes | None = KEY, value: bytes = VALUE, at: datetime = NOW) -> RawRecord:
    return RawRecord("gateway.requests", 1, 7, int(at.timestamp() * 1000), key, value, headers)


MOVED = moved_headers(record(("ce_id", b"1"), key=b"wrong", at=THEN), KEY, SECRET)
SEAL = dict(MOVED)[MOVED_BY]


def test_moved_record_keeps_its_first_broker_time_and_its_headers() -> None:
    assert first_seen_at(record(*MOVED), SECRET) == THEN
    assert dict(MOVED)["ce_id"] == b"1"


def test_record_that_is_moved_once_more_keeps_its_first_broker_time_and_one_seal() -> None:
    again = moved_headers(record(*MOVED), b"t:a:other", SECRET)
    assert first_seen_at(record(*again, key=b"t:a:other", at=datetime.fromtimestamp(20, UTC)), SECRET) == THEN
    assert [name for name, _ in again] == ["ce_id", MOVED_AT, MOVED_BY]


@pytest.mark.parametrize(
    "forged",
    [
        pytest.param(record((MOVED_AT, b"5000")), id="a time that any client can write"),
        pytest.param(record((MOVED_AT, b"1000"), (MOVED_BY, SEAL)), id="the seal of another time"),
        pytest.param(record(*MOVED, value=b'{"x":2}'), id="the seal of another value"),
        pytest.param(record(*MOVED, key=b"t:a:other"), id="the seal of another conversation"),
        pytest.param(record((MOVED_AT, b"5000"), (MOVED_BY, b"\xff")), id="a seal that is no text"),
        pytest.param(
            record(*moved_headers(record(at=THEN), KEY, "another key")), id="the seal of another installation"
        ),
    ],
)
def test_time_that_this_installation_did_not_write_is_not_believed(forged: RawRecord) -> None:
    assert first_seen_at(forged, SECRET) == NOW


def test_moved_record_can_not_come_from_the_future() -> None:
    assert first_seen_at(record(*MOVED, at=datetime.fromtimestamp(2, UTC)), SECRET) == datetime.fromtimestamp(2, UTC)
