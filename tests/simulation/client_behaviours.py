"""What a client sees of Kafka, as one suite for the simulated broker and the real one: so that the fake does not lie.

Each behaviour is a coroutine over a Lab; names are sentences. Source: notes on aiokafka 0.14 (measured), KIP-98.
"""

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

import pytest

from pipeline.runtime.errors import TaskError
from pipeline.runtime.ports import Clients, GroupConsumer, OutputRecord, Producer, RawRecord, TopicPartition

POLL_MS = 300
PATIENCE_S = 25.0


class Lab(Protocol):
    """Where a behaviour is tried."""

    @property
    def clients(self) -> Clients:
        """Makes clients."""

    session_s: float
    """Session timeout of the groups."""
    transaction_s: float
    """Transaction timeout of the producers."""
    max_message_bytes: int
    """Of every topic."""

    async def topic(self, partitions: int = 1) -> str:
        """A new topic with a name of its own."""

    def name(self, what: str) -> str:
        """A name nobody else uses."""

    async def put(self, topic: str, *values: bytes, partition: int = 0, key: bytes | None = None) -> None:
        """Plain produces, outside any transaction."""

    async def sleep(self, seconds: float) -> None:
        """Let time pass, real or virtual."""


class Ear:
    """A rebalance listener that remembers; `revoking` may hold a revocation up."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, frozenset[TopicPartition]]] = []
        self.refusals: list[str] = []
        self.revoking: Callable[[], Awaitable[None]] | None = None

    async def revoked(self, partitions: frozenset[TopicPartition]) -> None:
        self.heard.append(("revoked", partitions))
        if self.revoking is not None and partitions:
            await self.revoking()
            self.heard.append(("released", partitions))

    def assigned(self, partitions: frozenset[TopicPartition]) -> None:
        self.heard.append(("assigned", partitions))

    def refused(self, reason: str) -> None:
        self.refusals.append(reason)


# --- small tools -----------------------------------------------------------------------------------------------------------


def record(topic: str, value: bytes, *, partition: int = 0, key: bytes | None = b"k") -> OutputRecord:
    return OutputRecord(topic, partition, key, value)


async def write(producer: Producer, *records: OutputRecord) -> None:
    """Send and await every send, inside a transaction that is open."""
    futures = [await producer.send(one) for one in records]
    await asyncio.gather(*futures)


async def commit(producer: Producer, *records: OutputRecord, offsets: Any = None, group: str = "") -> None:
    await producer.begin_transaction()
    await write(producer, *records)
    if offsets:
        await producer.send_offsets_to_transaction(offsets, group)
    await producer.commit_transaction()


async def values(lab: Lab, topic: str, partition: int = 0) -> list[bytes | None]:
    found: list[bytes | None] = []
    await lab.clients.read_all(TopicPartition(topic, partition), lambda one: found.append(one.value))
    return found


async def eventually(
    lab: Lab, what: Callable[[], Awaitable[bool]] | Callable[[], bool], patience_s: float = PATIENCE_S
) -> None:
    for _ in range(int(patience_s / 0.1)):
        holds = what()
        if await holds if not isinstance(holds, bool) else holds:
            return
        await lab.sleep(0.1)
    raise AssertionError("it did not come to hold")


async def error_of(awaitable: Awaitable[Any]) -> str:
    """Class name of what it raises; empty when it raises nothing."""
    try:
        await awaitable
    except TaskError as error:
        return type(error.__cause__ or error).__name__
    except Exception as error:  # the class name is all the runtime looks at
        return type(error).__name__
    return ""


async def come_to_be(lab: Lab, topic: str, expected: list[bytes]) -> None:
    """Markers follow a commit: what is seen comes to be this."""

    async def seen() -> bool:
        return await values(lab, topic) == expected

    await eventually(lab, seen)


@contextlib.asynccontextmanager
async def producer_of(lab: Lab, transactional_id: str) -> Any:
    producer = lab.clients.producer(transactional_id=transactional_id)
    await producer.start()
    try:
        yield producer
    finally:
        await producer.stop()


@contextlib.asynccontextmanager
async def member_of(
    lab: Lab, group: str, topics: Sequence[str], ear: Ear, replica: str = "r0", incarnation: str = "1"
) -> Any:
    consumer = lab.clients.consumer(group=group, topics=topics, replica=replica, incarnation=incarnation, listener=ear)
    await consumer.start()
    try:
        yield consumer
    finally:
        await consumer.stop()


async def initialised(lab: Lab, group: str, topic: str, partitions: int = 1, at: int = 0) -> None:
    """Commit start offsets, as a first takeover does."""
    async with producer_of(lab, lab.name("init")) as producer:
        await producer.begin_transaction()
        offsets = {TopicPartition(topic, number): at for number in range(partitions)}
        await producer.send_offsets_to_transaction(offsets, group)
        await producer.commit_transaction()


async def polled(
    lab: Lab, consumer: GroupConsumer, want: int, patience_s: float = PATIENCE_S
) -> dict[TopicPartition, list[RawRecord]]:
    """Poll until so many records have come."""
    found: dict[TopicPartition, list[RawRecord]] = {}
    for _ in range(int(patience_s * 1000 / POLL_MS)):
        batches: Mapping[TopicPartition, Sequence[RawRecord]] = {}
        try:
            batches = await consumer.getmany(timeout_ms=POLL_MS, max_records=100)
        except Exception as error:
            if type(error).__name__ != "NoOffsetForPartitionError":  # the offsets of `initialised` are on their way
                raise
        for partition, records in batches.items():
            found.setdefault(partition, []).extend(records)
        if sum(len(records) for records in found.values()) >= want:
            return found
    raise AssertionError(f"only {found} came")


# --- transactions --------------------------------------------------------------------------------------------------------------


async def committed_records_are_seen_and_aborted_ones_are_not(lab: Lab) -> None:
    topic = await lab.topic()
    async with producer_of(lab, lab.name("p")) as producer:
        await commit(producer, record(topic, b"a"))
        await producer.begin_transaction()
        await write(producer, record(topic, b"b"))
        await producer.abort_transaction()
        await commit(producer, record(topic, b"c"))
    await come_to_be(lab, topic, [b"a", b"c"])


async def a_marker_takes_an_offset(lab: Lab) -> None:
    topic, ear = await lab.topic(), Ear()
    async with producer_of(lab, lab.name("p")) as producer:
        await commit(producer, record(topic, b"a"), record(topic, b"b"))
    group = lab.name("g")
    await initialised(lab, group, topic)
    async with member_of(lab, group, [topic], ear) as consumer:
        partition = TopicPartition(topic, 0)

        async def ended() -> bool:
            return bool((await consumer.end_offsets([partition]))[partition] == 3)

        await eventually(lab, ended)


async def position_passes_markers(lab: Lab) -> None:
    topic, ear, group = await lab.topic(), Ear(), lab.name("g")
    await initialised(lab, group, topic)
    async with producer_of(lab, lab.name("p")) as producer, member_of(lab, group, [topic], ear) as consumer:
        await commit(producer, record(topic, b"a"))
        found = await polled(lab, consumer, 1)
        partition = TopicPartition(topic, 0)
        assert [one.offset for one in found[partition]] == [0]
        for _ in range(50):
            await consumer.getmany(timeout_ms=POLL_MS, max_records=10)
            if await consumer.position(partition) == 2:
                return
        raise AssertionError(await consumer.position(partition))


async def an_open_transaction_holds_back_what_comes_after_it(lab: Lab) -> None:
    topic = await lab.topic()
    async with producer_of(lab, lab.name("p")) as slow, producer_of(lab, lab.name("q")) as quick:
        await slow.begin_transaction()
        await write(slow, record(topic, b"slow"))
        await commit(quick, record(topic, b"quick"))
        await lab.sleep(0.3)
        assert await values(lab, topic) == []
        await slow.commit_transaction()

        await come_to_be(lab, topic, [b"slow", b"quick"])


async def a_second_producer_fences_the_first_and_ends_its_transaction(lab: Lab) -> None:
    topic, name = await lab.topic(), lab.name("p")
    async with producer_of(lab, name) as first:
        await first.begin_transaction()
        await write(first, record(topic, b"lost"))
        async with producer_of(lab, name) as second:
            await commit(second, record(topic, b"kept"))
            assert await error_of(first.commit_transaction()) == "ProducerFenced"
            assert await error_of(first.begin_transaction()) == "AssertionError"
            await come_to_be(lab, topic, [b"kept"])


async def a_zombie_learns_of_its_fencing_by_a_send(lab: Lab) -> None:
    topic, other, name = await lab.topic(), await lab.topic(), lab.name("p")
    async with producer_of(lab, name) as first:
        await commit(first, record(topic, b"a"))
        async with producer_of(lab, name):
            await first.begin_transaction()
            future = await first.send(record(other, b"b"))
            assert await error_of(future) == "ProducerFenced"
    assert await values(lab, other) == []


async def a_zombie_commits_nothing_without_noticing(lab: Lab) -> None:
    topic, name = await lab.topic(), lab.name("p")
    async with producer_of(lab, name) as first:
        await commit(first, record(topic, b"a"))
        async with producer_of(lab, name):
            await first.begin_transaction()
            await first.commit_transaction()


async def a_zombies_offsets_are_refused(lab: Lab) -> None:
    topic, name, group = await lab.topic(), lab.name("p"), lab.name("g")
    async with producer_of(lab, name) as first, producer_of(lab, name):
        await first.begin_transaction()
        offsets = {TopicPartition(topic, 0): 5}
        assert await error_of(first.send_offsets_to_transaction(offsets, group)) == "ProducerFenced"


async def the_transaction_timeout_fences_too(lab: Lab) -> None:
    topic, name = await lab.topic(), lab.name("p")
    async with producer_of(lab, name) as producer:
        await producer.begin_transaction()
        await write(producer, record(topic, b"late"))
        # The coordinator looks for timed-out transactions from time to time.
        await lab.sleep(lab.transaction_s + 12)
        assert await error_of(producer.commit_transaction()) == "ProducerFenced"
    async with producer_of(lab, name) as producer:
        await commit(producer, record(topic, b"new"))
    await come_to_be(lab, topic, [b"new"])


async def stopping_a_producer_leaves_its_transaction_open(lab: Lab) -> None:
    topic, name = await lab.topic(), lab.name("p")
    async with producer_of(lab, name) as first:
        await first.begin_transaction()
        await write(first, record(topic, b"open"))
    async with producer_of(lab, lab.name("q")) as other:
        await commit(other, record(topic, b"behind"))
        assert await values(lab, topic) == []
        async with producer_of(lab, name):
            await come_to_be(lab, topic, [b"behind"])


async def misuse_is_an_assertion(lab: Lab) -> None:
    topic = await lab.topic()
    async with producer_of(lab, lab.name("p")) as producer:
        assert await error_of(producer.commit_transaction()) == "AssertionError"
        await producer.begin_transaction()
        assert await error_of(producer.begin_transaction()) == "AssertionError"
        assert await error_of(producer.send_offsets_to_transaction({}, "g")) == "ValueError"
        await write(producer, record(topic, b"a"))
        await producer.commit_transaction()
    await come_to_be(lab, topic, [b"a"])


async def a_send_outside_a_transaction_is_refused(lab: Lab) -> None:
    topic = await lab.topic()
    async with producer_of(lab, lab.name("p")) as producer:
        assert await error_of(producer.send(record(topic, b"a"))) == "IllegalOperation"


async def a_failed_send_fails_no_commit_and_breaks_the_producer(lab: Lab) -> None:
    topic = await lab.topic()
    large = os.urandom(lab.max_message_bytes + 1_000)
    async with producer_of(lab, lab.name("p")) as producer:
        await producer.begin_transaction()
        future = await producer.send(record(topic, large))
        assert await error_of(future) == "MessageSizeTooLargeError"
        await producer.commit_transaction()
        await producer.begin_transaction()
        again = await producer.send(record(topic, b"small"))
        assert await error_of(again) == "OutOfOrderSequenceNumber"


async def a_cancelled_commit_commits(lab: Lab) -> None:
    topic = await lab.topic()
    async with producer_of(lab, lab.name("p")) as producer:
        await producer.begin_transaction()
        await write(producer, record(topic, b"a"))
        committing = asyncio.ensure_future(producer.commit_transaction())
        waiting = asyncio.ensure_future(_shielded(committing))
        await asyncio.sleep(0)  # one turn of the loop, so that it begins
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

        await come_to_be(lab, topic, [b"a"])


async def _shielded(future: "asyncio.Future[None]") -> None:
    await asyncio.shield(future)


# --- offsets ---------------------------------------------------------------------------------------------------------------------


async def pending_offsets_are_not_told(lab: Lab) -> None:
    topic, group, ear = await lab.topic(), lab.name("g"), Ear()
    await initialised(lab, group, topic, at=1)
    partition = TopicPartition(topic, 0)
    async with member_of(lab, group, [topic], ear) as consumer, producer_of(lab, lab.name("p")) as producer:
        await producer.begin_transaction()
        await producer.send_offsets_to_transaction({partition: 7}, group)
        assert await consumer.committed(partition) == 1
        await producer.commit_transaction()

        async def told() -> bool:
            return bool(await consumer.committed(partition) == 7)

        await eventually(lab, told)


async def offsets_are_right_once_the_next_producer_has_started(lab: Lab) -> None:
    topic, group, name, ear = await lab.topic(), lab.name("g"), lab.name("p"), Ear()
    await initialised(lab, group, topic, at=1)
    partition = TopicPartition(topic, 0)
    async with member_of(lab, group, [topic], ear) as consumer:
        for offset in range(2, 8):
            async with producer_of(lab, name) as first:
                await first.begin_transaction()
                await first.send_offsets_to_transaction({partition: offset}, group)
                committing = asyncio.ensure_future(first.commit_transaction())
                async with producer_of(lab, name):
                    # Either the commit came first, or it was aborted; what is told from here on is final.
                    told = await consumer.committed(partition)
                    failed = await error_of(committing)
                    assert await consumer.committed(partition) == told
                    if not failed:
                        assert told == offset


async def anybodys_offsets_are_taken(lab: Lab) -> None:
    """TxnOffsetCommit of version 0 carries no generation."""
    topic, group, ear = await lab.topic(), lab.name("g"), Ear()
    await initialised(lab, group, topic)
    partition = TopicPartition(topic, 0)
    async with member_of(lab, group, [topic], ear) as consumer, producer_of(lab, lab.name("stranger")) as stranger:
        await stranger.begin_transaction()
        await stranger.send_offsets_to_transaction({partition: 3}, group)
        await stranger.commit_transaction()

        async def told() -> bool:
            return bool(await consumer.committed(partition) == 3)

        await eventually(lab, told)


async def without_an_offset_getmany_raises(lab: Lab) -> None:
    topic, group, ear = await lab.topic(), lab.name("g"), Ear()
    await lab.put(topic, b"a")
    async with member_of(lab, group, [topic], ear) as consumer:
        assert await consumer.committed(TopicPartition(topic, 0)) is None
        names = set()
        for _ in range(10):
            names.add(await error_of(consumer.getmany(timeout_ms=POLL_MS, max_records=10)))
        assert "NoOffsetForPartitionError" in names


async def the_log_begins_at_its_first_offset(lab: Lab) -> None:
    topic, group, ear = await lab.topic(2), lab.name("g"), Ear()
    await lab.put(topic, b"a", b"b", partition=1)
    partitions = [TopicPartition(topic, 0), TopicPartition(topic, 1)]
    async with member_of(lab, group, [topic], ear) as consumer:
        assert dict(await consumer.beginning_offsets(partitions)) == dict.fromkeys(partitions, 0)
        assert dict(await consumer.end_offsets(partitions)) == {partitions[0]: 0, partitions[1]: 2}


# --- groups ----------------------------------------------------------------------------------------------------------------------


async def the_first_event_is_an_empty_revocation(lab: Lab) -> None:
    topic, group, ear = await lab.topic(2), lab.name("g"), Ear()
    async with member_of(lab, group, [topic], ear) as consumer:
        whole = frozenset({TopicPartition(topic, 0), TopicPartition(topic, 1)})
        assert ear.heard[:2] == [("revoked", frozenset()), ("assigned", whole)]
        assert consumer.assignment() == whole


async def topics_of_one_group_share_numbers(lab: Lab) -> None:
    topics = [await lab.topic(4), await lab.topic(4)]
    group, ears = lab.name("g"), (Ear(), Ear())
    async with (
        member_of(lab, group, topics, ears[0], "r0") as first,
        member_of(lab, group, topics, ears[1], "r1", "2") as second,
    ):

        def shared() -> bool:
            return len(first.assignment()) + len(second.assignment()) == 8 and bool(second.assignment())

        await eventually(lab, shared)
        for consumer in (first, second):
            numbers = {topic: {tp.partition for tp in consumer.assignment() if tp.topic == topic} for topic in topics}
            assert numbers[topics[0]] == numbers[topics[1]]
        assert not first.assignment() & second.assignment()


async def a_newcomer_takes_everything_away_first(lab: Lab) -> None:
    topic, group, ears = await lab.topic(4), lab.name("g"), (Ear(), Ear())
    async with member_of(lab, group, [topic], ears[0], "r0") as first:
        whole = first.assignment()
        async with member_of(lab, group, [topic], ears[1], "r1", "2"):
            await eventually(lab, lambda: len(ears[0].heard) >= 4)
            assert ears[0].heard[2] == ("revoked", whole)
            assert ears[0].heard[3][0] == "assigned"
            assert len(ears[0].heard[3][1]) == 2


async def getmany_waits_while_something_is_revoked(lab: Lab) -> None:
    topic, group, ears = await lab.topic(2), lab.name("g"), (Ear(), Ear())
    await initialised(lab, group, topic, 2)
    async with member_of(lab, group, [topic], ears[0], "r0") as first:
        await first.getmany(timeout_ms=POLL_MS, max_records=10)
        holding = asyncio.Event()

        async def hold() -> None:
            holding.set()
            await lab.sleep(1.0)

        ears[0].revoking = hold
        joining = asyncio.ensure_future(_joined_for(lab, group, topic, ears[1]))
        await holding.wait()
        await lab.put(topic, b"a", partition=0)
        await lab.put(topic, b"b", partition=1)
        await first.getmany(timeout_ms=10, max_records=10)
        kinds = [kind for kind, _ in ears[0].heard]
        assert kinds.index("released") < len(kinds)
        assert kinds[-1] == "assigned"
        await joining


async def _joined_for(lab: Lab, group: str, topic: str, ear: Ear) -> None:
    async with member_of(lab, group, [topic], ear, "r1", "2"):
        await lab.sleep(0.5)


async def a_rebalance_forgets_pauses_and_positions(lab: Lab) -> None:
    topic, group, ears = await lab.topic(2), lab.name("g"), (Ear(), Ear())
    await lab.put(topic, b"a0", partition=0)
    await lab.put(topic, b"a1", partition=1)
    await initialised(lab, group, topic, 2)
    async with member_of(lab, group, [topic], ears[0], "r0") as first:
        await polled(lab, first, 2)
        first.pause(sorted(first.assignment()))
        assert first.paused() == first.assignment()
        async with member_of(lab, group, [topic], ears[1], "r1", "2"):
            await eventually(lab, lambda: len(ears[0].heard) >= 4)
            assert not first.paused()
            again = await polled(lab, first, 1)
            # What was read and never committed comes again.
            assert [one.value for records in again.values() for one in records] == [
                b"a0" if tp.partition == 0 else b"a1" for tp in again
            ]


async def stopping_leaves_at_once_and_calls_no_listener(lab: Lab) -> None:
    topic, group, ears = await lab.topic(2), lab.name("g"), (Ear(), Ear())
    async with member_of(lab, group, [topic], ears[0], "r0") as first:
        async with member_of(lab, group, [topic], ears[1], "r1", "2"):
            await eventually(lab, lambda: len(first.assignment()) == 1)
            before = len(ears[1].heard)
        assert len(ears[1].heard) == before
        await eventually(lab, lambda: len(first.assignment()) == 2, patience_s=lab.session_s + 3)


async def the_later_of_two_with_one_name_is_refused(lab: Lab) -> None:
    topic, group, ears = await lab.topic(2), lab.name("g"), (Ear(), Ear())
    async with member_of(lab, group, [topic], ears[0], "same", "1") as first:
        consumer = lab.clients.consumer(group=group, topics=[topic], replica="same", incarnation="2", listener=ears[1])
        await consumer.start()
        try:
            await eventually(lab, lambda: bool(ears[1].refusals))
            assert not consumer.assignment()
            assert not ears[0].refusals
            await eventually(lab, lambda: len(first.assignment()) == 2)
        finally:
            await consumer.stop()


async def seek_and_pause_steer_reading(lab: Lab) -> None:
    topic, group, ear = await lab.topic(2), lab.name("g"), Ear()
    await lab.put(topic, b"a", b"b", b"c", partition=0)
    await lab.put(topic, b"x", partition=1)
    await initialised(lab, group, topic, 2)
    zero, one = TopicPartition(topic, 0), TopicPartition(topic, 1)
    async with member_of(lab, group, [topic], ear) as consumer:
        consumer.pause([one])
        found = await polled(lab, consumer, 3)
        assert [record.value for record in found[zero]] == [b"a", b"b", b"c"]
        assert one not in found
        consumer.seek(zero, 1)
        found = await polled(lab, consumer, 2)
        assert [record.value for record in found[zero]] == [b"b", b"c"]
        consumer.resume([one])
        found = await polled(lab, consumer, 1)
        assert [record.value for record in found[one]] == [b"x"]


async def unequal_topics_are_refused(lab: Lab) -> None:
    topics, group, ear = [await lab.topic(1), await lab.topic(2)], lab.name("g"), Ear()
    async with member_of(lab, group, topics, ear):
        await eventually(lab, lambda: bool(ear.refusals))


# --- reading --------------------------------------------------------------------------------------------------------------------


async def read_all_ends_behind_a_marker(lab: Lab) -> None:
    topic = await lab.topic()
    await lab.put(topic, b"a")
    async with producer_of(lab, lab.name("p")) as producer:
        await producer.begin_transaction()
        await write(producer, record(topic, b"b"))
        await producer.abort_transaction()
    await come_to_be(lab, topic, [b"a"])


async def broker_time_is_on_every_record(lab: Lab) -> None:
    topic = await lab.topic()
    await lab.put(topic, b"a")
    await lab.sleep(0.05)
    await lab.put(topic, b"b")
    found: list[RawRecord] = []
    await lab.clients.read_all(TopicPartition(topic, 0), found.append)
    assert found[1].timestamp_ms - found[0].timestamp_ms >= 40


async def only_topics_that_exist_are_counted(lab: Lab) -> None:
    topic = await lab.topic(3)
    assert dict(await lab.clients.partition_counts([topic, lab.name("nowhere")])) == {topic: 3}


async def keys_go_where_murmur2_says(lab: Lab) -> None:
    assert [lab.clients.partition_of(key, 7) for key in (b"21", b"foobar", b"a-little-bit-long-string")] == [3, 0, 1]


BEHAVIOURS: tuple[Callable[[Lab], Awaitable[None]], ...] = (
    committed_records_are_seen_and_aborted_ones_are_not,
    a_marker_takes_an_offset,
    position_passes_markers,
    an_open_transaction_holds_back_what_comes_after_it,
    a_second_producer_fences_the_first_and_ends_its_transaction,
    a_zombie_learns_of_its_fencing_by_a_send,
    a_zombie_commits_nothing_without_noticing,
    a_zombies_offsets_are_refused,
    the_transaction_timeout_fences_too,
    stopping_a_producer_leaves_its_transaction_open,
    misuse_is_an_assertion,
    a_send_outside_a_transaction_is_refused,
    a_failed_send_fails_no_commit_and_breaks_the_producer,
    a_cancelled_commit_commits,
    pending_offsets_are_not_told,
    offsets_are_right_once_the_next_producer_has_started,
    anybodys_offsets_are_taken,
    without_an_offset_getmany_raises,
    the_log_begins_at_its_first_offset,
    the_first_event_is_an_empty_revocation,
    topics_of_one_group_share_numbers,
    a_newcomer_takes_everything_away_first,
    getmany_waits_while_something_is_revoked,
    a_rebalance_forgets_pauses_and_positions,
    stopping_leaves_at_once_and_calls_no_listener,
    the_later_of_two_with_one_name_is_refused,
    seek_and_pause_steer_reading,
    unequal_topics_are_refused,
    read_all_ends_behind_a_marker,
    broker_time_is_on_every_record,
    only_topics_that_exist_are_counted,
    keys_go_where_murmur2_says,
)

PARAMETERS = [pytest.param(behaviour, id=behaviour.__name__) for behaviour in BEHAVIOURS]
