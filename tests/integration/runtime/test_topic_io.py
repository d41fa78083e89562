"""Plain reading and writing of topics on a real broker."""

import asyncio
import itertools
import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from aiokafka import AIOKafkaProducer

from consumers.local_kafka.ports import free_pair
from pipeline.runtime.broker_release import broker_release
from pipeline.runtime.errors import Retriable
from pipeline.runtime.kafka import KafkaClients
from pipeline.runtime.topic_io import TooLarge, TopicReader, TopicWriter, UnknownTopic, topic_names
from pipeline.runtime.topics import TopicAdmin, wanted_topics
from pipeline.settings import PipelineSettings

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(90)]

_NUMBERS = itertools.count()


async def settings_with_topics(bootstrap: str) -> PipelineSettings:
    """An installation of this test alone."""
    settings = PipelineSettings(prefix=f"io{os.getpid()}x{next(_NUMBERS)}")
    wanted = wanted_topics(settings, ())
    async with TopicAdmin(settings, bootstrap) as admin:
        await admin.ensure(wanted)
        async with asyncio.timeout(20):
            names = [topic.name for topic in wanted]
            while len(await admin.partition_counts(names)) < len(wanted):
                await asyncio.sleep(0.05)  # metadata follow a creation
    return settings


async def values(reader: TopicReader) -> list[bytes | None]:
    return [record.value async for records in reader.read_to_end() for record in records]


async def write(settings: PipelineSettings, bootstrap: str, topic: str, texts: Sequence[bytes]) -> None:
    async with TopicWriter(settings, bootstrap) as writer:
        for text in texts:
            await writer.send(topic, text, key=b"k")


async def test_a_record_goes_to_the_partition_of_its_key(kafka: str) -> None:
    settings = await settings_with_topics(kafka)
    topic = settings.named("events.ic")
    async with TopicWriter(settings, kafka) as writer:
        for key in (b"a", b"b", b"c", b"default:retail:1"):
            partition, _ = await writer.send(topic, b"x", key=key, headers=[("h", b"1")])
            assert partition == KafkaClients(settings, kafka).partition_of(key, 4)
        partition, _ = await writer.send(topic, b"y", key=b"a", partition=3)
        assert partition == 3


async def test_all_that_is_kept_is_read_to_the_end_and_no_further(kafka: str) -> None:
    settings = await settings_with_topics(kafka)
    topic = settings.named("events.ic")
    await write(settings, kafka, topic, [b"1", b"2", b"3"])
    async with TopicReader(settings, kafka, [topic]) as reader:
        assert await values(reader) == [b"1", b"2", b"3"]
        await write(settings, kafka, topic, [b"4"])
        assert await values(reader) == [b"4"]
        assert await values(reader) == []


async def test_reading_from_the_end_sees_only_what_comes(kafka: str) -> None:
    settings = await settings_with_topics(kafka)
    topic = settings.named("events.ic")
    await write(settings, kafka, topic, [b"old"])
    async with TopicReader(settings, kafka, [topic], start="end") as reader:
        await write(settings, kafka, topic, [b"new"])
        assert await values(reader) == [b"new"]


async def test_reading_from_an_instant_leaves_out_what_is_older(kafka: str) -> None:
    settings = await settings_with_topics(kafka)
    topic = settings.named("gateway.requests")
    await write(settings, kafka, topic, [b"old"])
    async with TopicReader(settings, kafka, [topic]) as reader:
        (record,) = [record async for records in reader.read_to_end() for record in records]
    await write(settings, kafka, topic, [b"new"])
    after = datetime.fromtimestamp(record.timestamp_ms / 1000, UTC) + timedelta(milliseconds=1)
    async with TopicReader(settings, kafka, [topic], start=after) as reader:
        assert await values(reader) == [b"new"]
    async with TopicReader(settings, kafka, [topic], start=datetime.now(UTC) + timedelta(hours=1)) as reader:
        assert await values(reader) == []


async def test_an_aborted_record_is_never_seen_and_its_marker_hides_no_end(kafka: str) -> None:
    settings = await settings_with_topics(kafka)
    topic = settings.named("events.ic")
    producer = AIOKafkaProducer(bootstrap_servers=kafka, transactional_id=settings.named("aborting"))
    await producer.start()
    try:
        await producer.begin_transaction()
        await producer.send_and_wait(topic, b"aborted", key=b"k")
        await producer.abort_transaction()
        await producer.begin_transaction()
        await producer.send_and_wait(topic, b"committed", key=b"k")
        await producer.commit_transaction()
    finally:
        await producer.stop()
    async with TopicReader(settings, kafka, [topic]) as reader:
        assert await values(reader) == [b"committed"]


async def test_only_the_partitions_named_are_read(kafka: str) -> None:
    settings = await settings_with_topics(kafka)
    topic = settings.named("events.ic")
    async with TopicWriter(settings, kafka) as writer:
        for number in range(4):
            await writer.send(topic, str(number).encode(), key=None, partition=number)
    async with TopicReader(settings, kafka, {topic: [6]}) as reader:
        assert [tp.partition for tp in reader.partitions] == [2]
        assert await values(reader) == [b"2"]


async def test_an_unknown_topic_is_named(kafka: str) -> None:
    settings = PipelineSettings(prefix="nobody")
    with pytest.raises(UnknownTopic) as unknown:
        async with TopicReader(settings, kafka, ["nobody.events.ic"]):
            pass
    assert unknown.value.names == ("nobody.events.ic",)
    assert "nobody.events.ic" not in await topic_names(settings, kafka)


async def test_a_record_that_is_too_large_is_refused_and_the_next_is_written(kafka: str) -> None:
    settings = await settings_with_topics(kafka)
    topic = settings.named("events.ic")
    async with TopicWriter(settings, kafka) as writer:
        with pytest.raises(TooLarge):
            await writer.send(topic, os.urandom(2_000_000), key=b"k")
        await writer.send(topic, b"small", key=b"k")
    async with TopicReader(settings, kafka, [topic]) as reader:
        assert await values(reader) == [b"small"]


async def test_an_absent_broker_is_told_and_not_waited_for() -> None:
    settings, nowhere = PipelineSettings(), f"127.0.0.1:{free_pair()[0]}"
    async with asyncio.timeout(20):
        with pytest.raises(Retriable):
            async with TopicReader(settings, nowhere, ["t"]):
                pass
        with pytest.raises(Retriable):
            async with TopicWriter(settings, nowhere):
                pass
        with pytest.raises(Retriable):
            await topic_names(settings, nowhere)
        assert await broker_release(nowhere) is None


async def test_the_local_broker_tells_its_release(kafka: str) -> None:
    assert await broker_release(kafka) == "4.2"
