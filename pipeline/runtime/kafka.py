"""aiokafka behind the runtime's ports.

Owns: client settings, the translation of record and partition types, which start errors are hopeless.
Never: retries, classifies errors of a running client (any of them means: seek again, or drop the producer).
Source: notes on aiokafka 0.14; DESIGN 4.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka import TopicPartition as KafkaTopicPartition
from aiokafka.abc import ConsumerRebalanceListener
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import (
    AuthenticationFailedError,
    ClusterAuthorizationFailedError,
    GroupAuthorizationFailedError,
    IllegalStateError,
    InvalidTransactionTimeout,
    KafkaError,
    MessageSizeTooLargeError,
    TopicAuthorizationFailedError,
    TransactionalIdAuthorizationFailed,
    UnsupportedVersionError,
)
from aiokafka.partitioner import murmur2
from aiokafka.structs import OffsetAndMetadata

from pipeline.runtime.assignor import PartitionNumberAssignor
from pipeline.runtime.errors import Fatal, Retriable, TaskRestart
from pipeline.runtime.offset_fetch import fetch_committed
from pipeline.runtime.ports import OutputRecord, RawRecord, RebalanceListener, TopicPartition
from pipeline.settings import PipelineSettings

HOPELESS = (
    AuthenticationFailedError,
    ClusterAuthorizationFailedError,
    GroupAuthorizationFailedError,
    InvalidTransactionTimeout,
    TopicAuthorizationFailedError,
    TransactionalIdAuthorizationFailed,
    UnsupportedVersionError,
)
"""Errors of a start that no retry mends."""


def connection_options(settings: PipelineSettings, bootstrap: str) -> dict[str, Any]:
    """Options every client shares."""
    kafka = settings.kafka
    options: dict[str, Any] = {
        "bootstrap_servers": bootstrap,
        "security_protocol": kafka.security_protocol,
        "request_timeout_ms": kafka.request_timeout_ms,
        "retry_backoff_ms": 50,
    }
    if kafka.security_protocol.startswith("SASL"):
        options |= {
            "sasl_mechanism": kafka.sasl_mechanism,
            "sasl_plain_username": kafka.sasl_username,
            "sasl_plain_password": kafka.sasl_password,
        }
    if kafka.security_protocol.endswith("SSL"):
        options["ssl_context"] = ssl.create_default_context(cafile=kafka.ssl_cafile)
    return options


def raw(record: Any) -> RawRecord:
    """Translate a client's record."""
    return RawRecord(
        topic=record.topic,
        partition=record.partition,
        offset=record.offset,
        timestamp_ms=record.timestamp,
        key=record.key,
        value=record.value,
        headers=tuple((name, value or b"") for name, value in record.headers),
    )


def native(partitions: Sequence[TopicPartition]) -> list[KafkaTopicPartition]:
    """Translate partitions; aiokafka insists on its own class."""
    return [KafkaTopicPartition(*partition) for partition in partitions]


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]
    def __init__(self, listener: RebalanceListener) -> None:
        self._listener = listener

    async def on_partitions_revoked(self, revoked: Any) -> None:
        await self._listener.revoked(frozenset(TopicPartition(*tp) for tp in revoked))

    async def on_partitions_assigned(self, assigned: Any) -> None:
        self._listener.assigned(frozenset(TopicPartition(*tp) for tp in assigned))


class KafkaGroupConsumer:
    """AIOKafkaConsumer as a GroupConsumer."""

    def __init__(
        self, consumer: AIOKafkaConsumer, group: str, topics: Sequence[str], listener: RebalanceListener
    ) -> None:
        self._consumer = consumer
        self._group = group
        self._topics = list(topics)
        self._listener = listener

    async def start(self) -> None:
        self._consumer.subscribe(self._topics, listener=_Listener(self._listener))
        try:
            await self._consumer.start()
        except HOPELESS as error:
            raise Fatal(f"{type(error).__name__}: {error}") from error
        except (KafkaError, OSError) as error:
            raise Retriable(f"{type(error).__name__}: {error}") from error

    async def stop(self) -> None:
        await self._consumer.stop()

    async def getmany(self, *, timeout_ms: int, max_records: int) -> Mapping[TopicPartition, Sequence[RawRecord]]:
        batches = await self._consumer.getmany(timeout_ms=timeout_ms, max_records=max_records)
        return {TopicPartition(*tp): [raw(record) for record in records] for tp, records in batches.items()}

    def assignment(self) -> frozenset[TopicPartition]:
        return frozenset(TopicPartition(*tp) for tp in self._consumer.assignment())

    def paused(self) -> frozenset[TopicPartition]:
        return frozenset(TopicPartition(*tp) for tp in self._consumer.paused())

    def pause(self, partitions: Sequence[TopicPartition]) -> None:
        self._consumer.pause(*native(partitions))

    def resume(self, partitions: Sequence[TopicPartition]) -> None:
        self._consumer.resume(*native(partitions))

    def seek(self, partition: TopicPartition, offset: int) -> None:
        self._consumer.seek(KafkaTopicPartition(*partition), offset)

    async def position(self, partition: TopicPartition) -> int | None:
        try:
            return int(await self._consumer.position(KafkaTopicPartition(*partition)))
        except (IllegalStateError, KafkaError):
            return None

    async def committed(self, partition: TopicPartition) -> int | None:
        try:
            return (await fetch_committed(self._consumer, self._group, [partition]))[partition]
        except KafkaError as error:
            raise Retriable(f"{type(error).__name__}: {error}") from error

    async def end_offsets(self, partitions: Sequence[TopicPartition]) -> Mapping[TopicPartition, int]:
        try:
            offsets = await self._consumer.end_offsets(native(partitions))
        except KafkaError as error:
            raise Retriable(f"{type(error).__name__}: {error}") from error
        return {TopicPartition(*tp): int(offset) for tp, offset in offsets.items()}

    async def beginning_offsets(self, partitions: Sequence[TopicPartition]) -> Mapping[TopicPartition, int]:
        try:
            offsets = await self._consumer.beginning_offsets(native(partitions))
        except KafkaError as error:
            raise Retriable(f"{type(error).__name__}: {error}") from error
        return {TopicPartition(*tp): int(offset) for tp, offset in offsets.items()}


class KafkaProducer:
    """AIOKafkaProducer as a Producer."""

    def __init__(self, producer: AIOKafkaProducer) -> None:
        self._producer = producer

    async def start(self) -> None:
        try:
            await self._producer.start()
        except HOPELESS as error:
            raise Fatal(f"{type(error).__name__}: {error}") from error
        except (KafkaError, OSError) as error:
            raise TaskRestart(f"{type(error).__name__}: {error}") from error

    async def stop(self) -> None:
        await self._producer.stop()

    async def begin_transaction(self) -> None:
        await self._producer.begin_transaction()

    async def send(self, record: OutputRecord) -> Awaitable[object]:
        try:
            return await self._producer.send(  # type: ignore[no-any-return]
                record.topic,
                record.value,
                key=record.key,
                partition=record.partition,
                headers=list(record.headers),
            )
        except MessageSizeTooLargeError as error:
            raise TaskRestart(f"{type(error).__name__}: {error}", poison=True) from error

    async def send_offsets_to_transaction(self, offsets: Mapping[TopicPartition, int], group: str) -> None:
        await self._producer.send_offsets_to_transaction(
            {KafkaTopicPartition(*tp): OffsetAndMetadata(offset, "") for tp, offset in offsets.items()}, group
        )

    async def commit_transaction(self) -> None:
        await self._producer.commit_transaction()

    async def abort_transaction(self) -> None:
        await self._producer.abort_transaction()


class KafkaClients:
    """Makes aiokafka clients for one installation."""

    def __init__(self, settings: PipelineSettings, bootstrap: str) -> None:
        self._settings = settings
        self._options = connection_options(settings, bootstrap)

    def consumer(
        self, *, group: str, topics: Sequence[str], replica: str, incarnation: str, listener: RebalanceListener
    ) -> KafkaGroupConsumer:
        kafka = self._settings.kafka
        assignor = type(
            "Assignor",
            (PartitionNumberAssignor,),
            {"replica": replica, "incarnation": incarnation, "on_refused": staticmethod(listener.refused)},
        )
        consumer = AIOKafkaConsumer(
            client_id=f"{group}-{replica}",
            group_id=group,
            partition_assignment_strategy=(assignor,),
            isolation_level="read_committed",
            enable_auto_commit=False,
            auto_offset_reset="none",
            session_timeout_ms=kafka.session_timeout_ms,
            heartbeat_interval_ms=kafka.heartbeat_interval_ms,
            rebalance_timeout_ms=kafka.rebalance_timeout_ms,
            fetch_max_wait_ms=200,
            max_partition_fetch_bytes=max(1_048_576, kafka.max_message_bytes),
            **self._options,
        )
        return KafkaGroupConsumer(consumer, group, topics, listener)

    def producer(self, *, transactional_id: str) -> KafkaProducer:
        kafka = self._settings.kafka
        return KafkaProducer(
            AIOKafkaProducer(
                client_id=transactional_id,
                transactional_id=transactional_id,
                transaction_timeout_ms=kafka.transaction_timeout_ms,
                max_request_size=kafka.max_message_bytes * 2,  # dead letters: the original bytes and more headers
                compression_type=kafka.compression,
                **self._options,
            )
        )

    async def read_all(self, partition: TopicPartition, apply: Callable[[RawRecord], None]) -> None:
        tp = KafkaTopicPartition(*partition)
        consumer = AIOKafkaConsumer(
            isolation_level="read_committed", enable_auto_commit=False, auto_offset_reset="earliest", **self._options
        )
        try:
            await consumer.start()
            consumer.assign([tp])
            end = (await consumer.end_offsets([tp]))[tp]
            await consumer.seek_to_beginning(tp)
            # position() passes markers and compacted offsets; getone() would hang where the tail is a marker.
            while await consumer.position(tp) < end:
                for record in (await consumer.getmany(tp, timeout_ms=500)).get(tp, ()):
                    apply(raw(record))
        except (KafkaError, OSError) as error:
            raise Retriable(f"{type(error).__name__}: {error}") from error
        finally:
            await consumer.stop()

    async def partition_counts(self, topics: Sequence[str]) -> Mapping[str, int]:
        admin = AIOKafkaAdminClient(**{k: v for k, v in self._options.items() if k != "retry_backoff_ms"})
        try:
            await admin.start()
            described = await admin.describe_topics(list(topics))
        except (KafkaError, OSError) as error:
            raise Retriable(f"{type(error).__name__}: {error}") from error
        finally:
            await admin.close()
        return {topic["topic"]: len(topic["partitions"]) for topic in described if topic["error_code"] == 0}

    def partition_of(self, key: bytes, count: int) -> int:
        return int((murmur2(key) & 0x7FFFFFFF) % count)


async def bounded(awaitable: Awaitable[Any], deadline_s: float, what: str) -> Any:
    """Await with our own deadline. Raises: TaskRestart on the deadline: a stuck client is dropped, never waited for."""
    try:
        async with asyncio.timeout(deadline_s):
            return await awaitable
    except TimeoutError as error:
        raise TaskRestart(f"{what} took longer than {deadline_s} s") from error
