"""Records in the wrong place: when the broker first saw them, and how that is kept when they are moved to the right one.

Invariants: the time in a header is believed only with the seal of an installation that moved the record: any client can write a
header, and a yes dated back would beat its expiry. The seal covers key, value and time, so it can't be put on another record.
A record without one has its own broker time. Source: DESIGN 3.
"""

import hashlib
import hmac
from datetime import datetime

from contracts.identity import keyed_hash
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.serde import MOVED_AT, first_broker_time, instant

MOVED_BY = "first_broker_seal"
"""Header of a moved record: keyed hash of what `first_broker_time` is said about."""

Headers = tuple[tuple[str, bytes], ...]


def first_seen_at(record: RawRecord, secret: str) -> datetime:
    """When the broker first saw a record; never later than its own broker time."""
    headers = dict(record.headers)
    said, seal = headers.get(MOVED_AT), headers.get(MOVED_BY)
    if said is None or seal is None or not hmac.compare_digest(seal, _seal(record.key, record.value, said, secret)):
        return instant(record.timestamp_ms)
    return first_broker_time(record)


def moved_headers(record: RawRecord, key: bytes, secret: str) -> Headers:
    """Headers of a record that is moved under this key."""
    said = str(int(first_seen_at(record, secret).timestamp() * 1000)).encode()
    kept = tuple((name, value) for name, value in record.headers if name not in {MOVED_AT, MOVED_BY})
    return (*kept, (MOVED_AT, said), (MOVED_BY, _seal(key, record.value, said, secret)))


def _seal(key: bytes | None, value: bytes | None, said: bytes, secret: str) -> bytes:
    parts = [hashlib.sha256(part or b"").hexdigest() for part in (key, value, said)]
    return keyed_hash(secret, ["moved", *parts]).encode()
