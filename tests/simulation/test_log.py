"""One partition of the simulated broker: stability, compaction, retention."""

from pipeline.runtime.ports import TopicPartition
from pipeline.testing.log import PartitionLog


def _log(*values: tuple[bytes, bytes | None], producer: int = -1) -> PartitionLog:
    log = PartitionLog(TopicPartition("t", 0))
    for key, value in values:
        log.append(timestamp_ms=0, key=key, value=value, headers=(), producer=producer, epoch=0)
    return log


def _values(log: PartitionLog) -> list[bytes | None]:
    return [record.value for record in log.records()]


def test_open_transaction_holds_back_everything_behind_it() -> None:
    log = _log((b"a", b"1"))
    log.append(timestamp_ms=0, key=b"b", value=b"2", headers=(), producer=7, epoch=0)
    log.append(timestamp_ms=0, key=b"c", value=b"3", headers=())
    assert (_values(log), log.stable) == ([b"1"], 1)
    log.mark(7, 0, commit=True)
    assert (_values(log), log.stable) == ([b"1", b"2", b"3"], 4)


def test_reading_passes_markers_and_aborted_records() -> None:
    log = _log((b"a", b"1"), producer=7)
    log.mark(7, 0, commit=False)
    assert log.read(0, 10) == ([], 2)


def test_compaction_keeps_the_last_value_of_a_key_and_every_offset() -> None:
    log = _log((b"a", b"1"), (b"b", b"2"), (b"a", b"3"), (b"c", b"4"))
    log.compact()
    assert [(record.offset, record.value) for record in log.records()] == [(1, b"2"), (2, b"3"), (3, b"4")]


def test_compaction_keeps_what_an_open_transaction_may_undo() -> None:
    log = _log((b"a", b"1"))
    log.append(timestamp_ms=0, key=b"a", value=b"2", headers=(), producer=7, epoch=0)
    log.compact()
    log.mark(7, 0, commit=False)
    assert _values(log) == [b"1"]


def test_compaction_drops_tombstones_only_when_they_are_old_enough() -> None:
    log = _log((b"a", b"1"), (b"a", None), (b"b", b"2"))
    log.compact(tombstones_before_ms=0)
    assert _values(log) == [None, b"2"]
    log.compact(tombstones_before_ms=1)
    assert _values(log) == [b"2"]


def test_retention_moves_the_log_start() -> None:
    log = _log((b"a", b"1"), (b"b", b"2"))
    log.delete_below(1)
    assert (log.start, _values(log)) == (1, [b"2"])
