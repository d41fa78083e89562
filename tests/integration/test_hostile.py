"""The hostile corpus on the real Kafka: all of it at all five stages at once, and then a customer as if nothing had been."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer
from cloudevents.core.bindings import kafka as binding

from contracts.channel_response import ChannelResponse
from contracts.event_envelope import EventEnvelope
from pipeline import topology
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.serde import text_headers
from pipeline.runtime.topic_io import TopicReader
from pipeline.settings import load_settings
from tests.hostile import NAME, SECRETS, Hostile, corpus
from tests.integration.processes import Pipeline, pipeline

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(180)]

WITHIN_S = 60.0
DEAD_LETTERS, ANSWERS = "dlq.reconcile", "channel.web.responses"
Origin = tuple[str, str]


@dataclass
class Read:
    """What came of the corpus."""

    dead: dict[str, dict[str, str]] = field(default_factory=dict)
    """Number in the corpus → headers of its dead letter."""
    told: set[str] = field(default_factory=set)
    """Sessions that were answered."""
    heard: set[str] = field(default_factory=set)
    """Sessions of which a stage has told an event that it took the request."""
    shown: list[RawRecord] = field(default_factory=list)
    """Events and answers."""

    def take(self, topic: str, record: RawRecord, sent: dict[Origin, str]) -> None:
        headers = text_headers(record)
        if topic == DEAD_LETTERS:
            origin = headers["dlq_origin_partition"], headers["dlq_origin_offset"]
            number = headers.get(NAME, sent.get(origin, ""))  # what no longer fits has lost its headers, not its origin
            assert number not in self.dead, "dead-lettered twice"
            self.dead[number] = headers
            return
        self.shown.append(record)
        if topic == ANSWERS:
            self.told.add(ChannelResponse.model_validate_json(record.value or b"").metadata.session_id or "")
        elif topic == topology.EVENTS_IC:
            event = EventEnvelope.model_validate_json(record.value or b"")
            if event.event_type == "IC.GATEWAY_RECEIVED":
                self.heard.add(event.session_id)


async def send_all(place: Pipeline) -> dict[Origin, str]:
    """The corpus, in its order. Returns: where each record lies."""
    topic = place.named(topology.GATEWAY_REQUESTS)
    options = {"bootstrap_servers": place.bootstrap, "acks": "all", "max_request_size": 10_000_000, "linger_ms": 5}
    plain, packing = AIOKafkaProducer(**options), AIOKafkaProducer(**options, compression_type="gzip")
    sent: dict[Origin, str] = {}
    async with plain, packing:
        futures = [
            await (packing if one.compressed else plain).send(topic, one.value, key=one.key, headers=list(one.headers))
            for one in corpus()
        ]
        for number, metadata in enumerate(await asyncio.gather(*futures)):
            sent[str(metadata.partition), str(metadata.offset)] = str(number)
    return sent


async def read_until_all_ended(place: Pipeline, sent: dict[Origin, str]) -> Read:
    dead = {str(number) for number, one in enumerate(corpus()) if not one.accepted}
    heard = {one.session for one in corpus() if one.accepted}
    told = heard | {one.session for one in corpus() if one.told}
    found = Read()
    settings = load_settings(place.config, prefix=place.prefix)
    topics = [place.named(topic) for topic in (DEAD_LETTERS, ANSWERS, *topology.EVENTS)]
    async with TopicReader(settings, place.bootstrap, topics) as reader:
        try:
            async with asyncio.timeout(WITHIN_S):
                while not (dead <= found.dead.keys() and heard <= found.heard and told <= found.told):
                    for record in await reader.poll():
                        found.take(record.topic.removeprefix(f"{place.prefix}."), record, sent)
        except TimeoutError:
            missing = [corpus()[int(number)].name for number in dead - found.dead.keys()]
            pytest.fail(f"no end: dead {missing}, heard {heard - found.heard}, told {told - found.told}")
        for records in [records async for records in reader.read_to_end()]:
            for record in records:
                found.take(record.topic.removeprefix(f"{place.prefix}."), record, sent)
    return found


def as_listed(one: Hostile, headers: dict[str, str] | None, found: Read) -> bool:
    if headers is None or one.accepted:
        return headers is None and one.accepted and one.session in found.told
    ended = headers["dlq_field"] == one.field and one.reason in headers["dlq_text"] and headers["dlq_attempts"] == "1"
    return ended and (one.session in found.told) == one.told


async def test_hostile_corpus_ends_as_listed_and_a_customer_is_served_as_ever(kafka: str, tmp_path: Path) -> None:
    async with pipeline(kafka, tmp_path) as place:
        sent = await send_all(place)
        found = await read_until_all_ended(place, sent)
        async with place.customer("123") as customer:
            asked = await customer.say("quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr")
            done = await customer.say("sim")
        logs = b"".join(process.log.read_bytes() for process in place.processes)

    wrong = [
        f"{one.name}: {found.dead.get(str(number))}"
        for number, one in enumerate(corpus())
        if not as_listed(one, found.dead.get(str(number)), found)
    ]
    assert wrong == []
    assert asked["metadata"]["status"] == "AWAITING_CONFIRMATION"
    assert len(done["metadata"]["items"]) == 3
    events = [record for record in found.shown if ".events." in record.topic]
    shown = b"".join(record.value or b"" for record in events) + logs
    assert not [secret for secret in SECRETS if secret.encode() in shown]
    for record in found.shown:
        event = binding.from_kafka_event(
            binding.KafkaMessage(headers=dict(record.headers), key=record.key, value=record.value or b"")
        )
        assert event.get_type() == text_headers(record)["contract_version"]
        assert isinstance(event.get_data(), dict)
