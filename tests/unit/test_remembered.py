"""What a stage remembers: replay gives the live memory, retention forgets all of it, tombstones end a life."""

from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import BaseModel

from contracts.checkpoint import Checkpoint
from pipeline.remembered import Activity, Remembered

NOW = datetime(2026, 11, 30, 13, 0, tzinfo=UTC)


class Body(BaseModel):
    """A stage's own body."""

    x: int


def checkpoint(key: str, body: BaseModel, sequence: int) -> Checkpoint:
    return Checkpoint(
        stage="s", key=key, sequence=sequence, input_position="t/0/1", written_at=NOW, body=body.model_dump(mode="json")
    )


def remembered() -> Remembered[Body]:
    memory: Remembered[Body] = Remembered("c")
    memory = memory.replayed("c", checkpoint("c", Activity(last_at=NOW), 3), Body)
    return memory.replayed("c#tx", checkpoint("c#tx", Body(x=1), 5), Body)


def test_memory_holds_a_body_per_transaction_and_the_highest_sequence() -> None:
    memory = remembered()
    assert (memory.last_at, memory.sequence, dict(memory.transactions)) == (NOW, 5, {"tx": Body(x=1)})
    older = memory.replayed("c", checkpoint("c", Activity(last_at=NOW), 4), Body)
    assert older.sequence == 5


def test_tombstone_ends_one_transaction() -> None:
    memory = remembered().replayed("c#tx", None, Body)
    assert (dict(memory.transactions), memory.is_empty) == ({}, False)


def test_forgetting_ends_every_key_and_leaves_nothing() -> None:
    memory = remembered()
    decision = memory.forget(NOW + timedelta(minutes=1), 60_000)
    assert {write.key for write in decision.writes} == {"c", "c#tx"}
    assert all(write.body is None and write.sequence == 5 for write in decision.writes)
    for write in decision.writes:
        memory = memory.replayed(write.key, None, Body)
    assert memory.is_empty


def test_retention_counts_from_the_last_activity() -> None:
    [timer] = remembered().retention(60_000)
    assert timer.due_at == NOW + timedelta(minutes=1)
    quiet = remembered().replayed("c#tx", None, Body)
    later = quiet.replayed("c", checkpoint("c", Activity(last_at=NOW + timedelta(seconds=1)), 6), Body)
    assert later.retention(60_000)[0].timer_id != timer.timer_id
    nothing: Remembered[Any] = Remembered("c")
    assert nothing.retention(1) == ()


def test_conversation_that_is_never_quiet_forgets_each_transaction_in_its_time() -> None:
    memory = remembered()
    later = NOW + timedelta(seconds=50)
    body = checkpoint("c#new", Body(x=2), 7).model_copy(update={"written_at": later})
    memory = memory.replayed("c#new", body, Body)
    memory = memory.replayed("c", checkpoint("c", Activity(last_at=later), 7), Body)
    [timer] = memory.retention(60_000)
    assert timer.due_at == NOW + timedelta(minutes=1)
    assert [write.key for write in memory.forget(timer.due_at, 60_000).writes] == ["c#tx"]
    memory = memory.replayed("c#tx", None, Body)
    assert memory.retention(60_000)[0].due_at == later + timedelta(minutes=1)
    assert memory.sequence == 7


def test_running_transaction_is_not_forgotten_and_keeps_the_conversation() -> None:
    memory = remembered()
    assert memory.retention(60_000, {"tx"}) == ()
    assert memory.forget(NOW + timedelta(days=1), 60_000, {"tx"}).writes == ()


def test_memory_is_never_changed_in_place() -> None:
    memory = remembered()
    memory.replayed("c#other", checkpoint("c#other", Body(x=2), 9), Body)
    assert set(memory.transactions) == {"tx"}
