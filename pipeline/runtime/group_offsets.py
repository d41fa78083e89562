"""Committed offsets of a group, for whoever watches it without joining it. Never: joins, commits."""

import asyncio
from collections.abc import Mapping, Sequence

from aiokafka import AIOKafkaConsumer
from aiokafka import TopicPartition as KafkaTopicPartition
from aiokafka.errors import KafkaError

from pipeline.runtime.errors import Retriable
from pipeline.runtime.kafka import connection_options
from pipeline.runtime.offset_fetch import fetch_committed
from pipeline.runtime.ports import TopicPartition
from pipeline.settings import PipelineSettings

DEADLINE_S = 10.0


async def committed_offsets(
    settings: PipelineSettings, bootstrap: str, group: str, partitions: Sequence[TopicPartition]
) -> Mapping[TopicPartition, int | None]:
    """Offset per partition, None where the group never committed. Raises: Retriable."""
    consumer = AIOKafkaConsumer(group_id=group, enable_auto_commit=False, **connection_options(settings, bootstrap))
    try:
        async with asyncio.timeout(DEADLINE_S):
            await consumer.start()
            consumer.assign([KafkaTopicPartition(*partition) for partition in partitions])
            return await fetch_committed(consumer, group, partitions)
    except (KafkaError, OSError, TimeoutError) as error:
        raise Retriable(f"committed offsets of {group}: {type(error).__name__}: {error}") from error
    finally:
        await consumer.stop()
