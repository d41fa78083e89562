"""Plain reading and writing of topics, for people and gateways: what a tool at the edge needs, without a group or a transaction.

Owns: TopicWriter (idempotent, acks=all, murmur2 of the key unless a partition is named) and TopicReader (several topics from their
beginning, their end or an instant, read_committed).
Invariants: an end is reached when every position has passed the end offsets seen at the start (never by counting records: markers
and compacted records count as offsets too). Every call is bounded. Never: joins a group, commits an offset.
Source: notes on aiokafka sections 5 and 6.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Self, TypeVar

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka import TopicPartition as KafkaTopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError, MessageSizeTooLargeError

from pipeline.runtime.errors import Retriable
from pipeline.runtime.kafka import KafkaClients, connection_options, native, raw
from pipeline.runtime.ports import RawRecord, TopicPartition
from pipeline.settings import PipelineSettings

CONNECT_S = 8.0
"""How long a broker may take to answer the first time."""
SEND_S = 20.0
"""How long a record may take to be acknowledged."""
POLL_S = 0.5
READ_S = 30.0
"""How long reading on to an end may make no progress at all."""

Start = Literal["beginning", "end"] | datetime
T = TypeVar("T")


class UnknownTopic(Exception):
    """A topic that the cluster does not have."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(", ".join(names))
        self.names = tuple(names)


class TooLarge(Exception):
    """A record larger than the client or the broker takes."""


async def _bounded(awaitable: Awaitable[T], seconds: float, what: str) -> T:
    """Await. Raises: Retriable when Kafka says no, or nothing, for so long."""
    try:
        async with asyncio.timeout(seconds):
            return await awaitable
    except TimeoutError:
        raise Retriable(f"{what}: no answer within {seconds:g} s") from None
    except (KafkaError, OSError) as error:
        raise Retriable(f"{what}: {type(error).__name__}: {error}") from error


async def topic_names(settings: PipelineSettings, bootstrap: str) -> frozenset[str]:
    """Names of all topics on the cluster. Raises: Retriable."""
    options = connection_options(settings, bootstrap)
    options.pop("retry_backoff_ms")
    admin = AIOKafkaAdminClient(**options)
    try:
        await _bounded(admin.start(), CONNECT_S, "connecting")
        return frozenset(await _bounded(admin.list_topics(), CONNECT_S, "listing topics"))
    finally:
        await admin.close()


class TopicWriter:
    """Writes single records, each acknowledged by all in-sync replicas, none twice."""

    def __init__(self, settings: PipelineSettings, bootstrap: str, *, client_id: str = "consumers") -> None:
        self._producer = AIOKafkaProducer(
            client_id=client_id,
            enable_idempotence=True,
            acks="all",
            max_request_size=settings.kafka.max_message_bytes,
            compression_type=settings.kafka.compression,
            **connection_options(settings, bootstrap),
        )

    async def __aenter__(self) -> Self:
        try:
            await _bounded(self._producer.start(), CONNECT_S, "connecting")
        except BaseException:
            await self._producer.stop()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._producer.stop()

    async def enqueue(
        self,
        topic: str,
        value: bytes | None,
        *,
        key: bytes | None,
        partition: int | None = None,
        headers: Sequence[tuple[str, bytes]] = (),
    ) -> "asyncio.Future[Any]":
        """Hand a record to the client; the future is its acknowledgement. Raises: TooLarge, Retriable."""
        try:
            future: asyncio.Future[Any] = await _bounded(
                self._producer.send(topic, value, key=key, partition=partition, headers=list(headers)),
                SEND_S,
                f"writing to {topic}",
            )
        except Retriable as error:
            if isinstance(error.__cause__, MessageSizeTooLargeError):
                raise TooLarge(str(error.__cause__)) from None
            raise
        return future

    async def send(
        self,
        topic: str,
        value: bytes | None,
        *,
        key: bytes | None,
        partition: int | None = None,
        headers: Sequence[tuple[str, bytes]] = (),
    ) -> tuple[int, int]:
        """Write a record and wait. Returns: its partition and offset. Raises: TooLarge, Retriable."""
        future = await self.enqueue(topic, value, key=key, partition=partition, headers=headers)
        return await self.acknowledged(future, topic)

    async def acknowledged(self, future: "asyncio.Future[Any]", topic: str) -> tuple[int, int]:
        """Wait for an acknowledgement. Returns: partition and offset. Raises: TooLarge, Retriable."""
        try:
            metadata = await _bounded(future, SEND_S, f"writing to {topic}")
        except Retriable as error:
            if isinstance(error.__cause__, MessageSizeTooLargeError):
                raise TooLarge(str(error.__cause__)) from None
            raise
        return int(metadata.partition), int(metadata.offset)


class TopicReader:
    """Reads committed records of several topics, all partitions or some, from one common start."""

    def __init__(
        self,
        settings: PipelineSettings,
        bootstrap: str,
        topics: Mapping[str, Sequence[int] | None] | Sequence[str],
        *,
        start: Start = "beginning",
    ) -> None:
        """`topics` are names on the cluster; a mapping names the partitions of each (modulo their count), None meaning all."""
        self._wanted = dict(topics) if isinstance(topics, Mapping) else dict.fromkeys(topics)
        self._start = start
        self._partitions: list[TopicPartition] = []
        self._clients = KafkaClients(settings, bootstrap)
        self._consumer = AIOKafkaConsumer(
            isolation_level="read_committed",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            fetch_max_wait_ms=100,
            max_partition_fetch_bytes=max(1_048_576, settings.kafka.max_message_bytes),
            **connection_options(settings, bootstrap),
        )

    async def __aenter__(self) -> Self:
        try:
            await _bounded(self._consumer.start(), CONNECT_S, "connecting")
            await self._assign()
        except BaseException:
            await self._consumer.stop()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._consumer.stop()

    @property
    def partitions(self) -> tuple[TopicPartition, ...]:
        """What is read."""
        return tuple(self._partitions)

    async def _assign(self) -> None:
        counts = await _bounded(self._clients.partition_counts(sorted(self._wanted)), CONNECT_S, "listing topics")
        unknown = sorted(self._wanted.keys() - counts.keys())
        if unknown:
            raise UnknownTopic(unknown)
        for topic, numbers in self._wanted.items():
            chosen = range(counts[topic]) if numbers is None else sorted({number % counts[topic] for number in numbers})
            self._partitions += [TopicPartition(topic, number) for number in chosen]
        self._consumer.assign(native(self._partitions))
        for partition, offset in (await self._start_offsets()).items():
            self._consumer.seek(KafkaTopicPartition(*partition), offset)

    async def _start_offsets(self) -> Mapping[TopicPartition, int]:
        if self._start == "beginning":
            found = await _bounded(
                self._consumer.beginning_offsets(native(self._partitions)), CONNECT_S, "reading offsets"
            )
            return {TopicPartition(*tp): int(offset) for tp, offset in found.items()}
        ends = await self.end_offsets()
        if self._start == "end":
            return ends
        since = int(self._start.timestamp() * 1000)
        times = await _bounded(
            self._consumer.offsets_for_times({KafkaTopicPartition(*tp): since for tp in self._partitions}),
            CONNECT_S,
            "reading offsets",
        )
        found = {TopicPartition(*tp): at.offset for tp, at in times.items() if at is not None}
        return {tp: int(found.get(tp, ends[tp])) for tp in self._partitions}

    async def end_offsets(self) -> dict[TopicPartition, int]:
        """Last stable offsets: everything committed up to now lies below. Raises: Retriable."""
        found = await _bounded(self._consumer.end_offsets(native(self._partitions)), CONNECT_S, "reading offsets")
        return {TopicPartition(*tp): int(offset) for tp, offset in found.items()}

    async def poll(self, seconds: float = POLL_S) -> list[RawRecord]:
        """Wait up to `seconds` for records; of one partition they are in order. Raises: Retriable."""
        try:
            batches = await self._consumer.getmany(timeout_ms=int(seconds * 1000))
        except (KafkaError, OSError) as error:
            raise Retriable(f"reading: {type(error).__name__}: {error}") from error
        return [raw(record) for records in batches.values() for record in records]

    async def positions(self) -> dict[TopicPartition, int]:
        """Next offsets to be returned, markers passed; only who polls may ask."""
        return {tp: int(await self._consumer.position(KafkaTopicPartition(*tp))) for tp in self._partitions}

    async def read_to_end(self) -> AsyncIterator[list[RawRecord]]:
        """Yield batches up to the end as it is now. Raises: Retriable, also when nothing moves any more."""
        ends = await self.end_offsets()
        loop = asyncio.get_running_loop()
        positions: dict[TopicPartition, int] = {}
        moved_at = loop.time()
        while True:
            now = await self.positions()
            if all(now[tp] >= end for tp, end in ends.items()):
                return
            if now != positions:
                positions, moved_at = now, loop.time()
            elif loop.time() - moved_at > READ_S:
                raise Retriable(f"reading: no progress for {READ_S:g} s")
            if records := await self.poll():
                yield records
