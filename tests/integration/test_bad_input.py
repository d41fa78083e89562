"""Bad input: each kind goes to the dead letters with its bytes and the field named, is answered where that is possible, holds nobody up."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import orjson
import pytest
import pytest_asyncio
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from contracts.identity import conversation_key
from tests.integration.processes import Pipeline, pipeline

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(180), pytest.mark.asyncio(loop_scope="module")]

LONG = "quero cancelar TIM Fashion " * 700
REFUSED = "Não consegui ler a sua mensagem, e nada foi feito. Pode enviar de novo?"
TOO_LONG = "A sua mensagem é longa demais para mim, e nada foi feito. Pode mandar em partes menores?"


def request(session: str, **changes: Any) -> dict[str, Any]:
    """A good request, but for what is changed; None takes a key out. `payload__x` is a key of the payload."""
    payload: dict[str, Any] = {
        "message": "quero cancelar o Deezer Premium",
        "session_id": session,
        "message_id": f"{session}-m1",
        "business_context": {"customer_key": f"cliente-3f9c-{session}"},
    }
    body: dict[str, Any] = {"channel": "web", "tenant_id": "default", "agent_id": "telecom_contas", "payload": payload}
    for name, value in changes.items():
        target, key = (payload, name.removeprefix("payload__")) if name.startswith("payload__") else (body, name)
        target[key] = value
        if value is None:
            del target[key]
    return body


def encoded(session: str, **changes: Any) -> bytes:
    return orjson.dumps(request(session, **changes))


BAD: dict[str, tuple[bytes, str, str | None]] = {
    # kind: bytes, the field that is named, what the customer is told
    "invalid JSON": (encoded("b1")[:-1], "value", None),
    "missing field": (encoded("b2", payload__message=None), "payload.message", REFUSED),
    "unknown tenant": (encoded("b3", tenant_id="outra-empresa"), "tenant_id", REFUSED),
    "unknown agent": (encoded("b4", agent_id="ninguem"), "agent_id", REFUSED),
    "unknown channel": (encoded("b5", channel="fax"), "channel", None),
    "later major version": (
        encoded("b6", payload__metadata={"contract_version": "gateway-request-v2"}),
        "payload.metadata.contract_version",
        REFUSED,
    ),
    "oversized message": (encoded("b7", payload__message=LONG), "payload.message", TOO_LONG),
    "not UTF-8": (encoded("b8").replace(b"Deezer", b"De\xe9zer"), "value", None),
}


class Clients:
    """A gateway that sends anything, and everything there is to read."""

    def __init__(self, place: Pipeline, producer: AIOKafkaProducer) -> None:
        self.place = place
        self._producer = producer

    async def send(self, value: bytes, *, key: str | None, partition: int | None = None) -> None:
        topic = self.place.named("gateway.requests")
        encoded_key = None if key is None else key.encode()
        await self._producer.send_and_wait(topic, value, key=encoded_key, partition=partition)

    async def until(self, topic: str, count: int) -> list[dict[str, Any]]:
        """At least so many records of a topic."""
        async with asyncio.timeout(40):
            while len(found := await self.place.records(topic)) < count:
                await asyncio.sleep(0.1)  # another process's work is looked at
        return found

    async def answers(self, session: str, count: int) -> list[dict[str, Any]]:
        """At least so many answers to a session."""
        async with asyncio.timeout(40):
            while True:
                found = [record["value"] for record in await self.place.records("channel.web.responses")]
                if len(mine := [a for a in found if a["metadata"]["session_id"] == session]) >= count:
                    return mine
                await asyncio.sleep(0.1)  # another process's work is looked at

    async def requests(self) -> list[Any]:
        """Every record of gateway.requests as it is, in order of time."""
        consumer = AIOKafkaConsumer(bootstrap_servers=self.place.bootstrap, isolation_level="read_committed")
        await consumer.start()
        try:
            partitions = [TopicPartition(self.place.named("gateway.requests"), number) for number in range(4)]
            consumer.assign(partitions)
            await consumer.seek_to_beginning(*partitions)
            ends = await consumer.end_offsets(partitions)
            found: list[Any] = []
            while [tp for tp in partitions if await consumer.position(tp) < ends[tp]]:
                for batch in (await consumer.getmany(timeout_ms=200)).values():
                    found += batch
            return sorted(found, key=lambda record: record.timestamp)
        finally:
            await consumer.stop()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def clients(kafka: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Clients]:
    async with pipeline(kafka, tmp_path_factory.mktemp("bad-input")) as place:
        producer = AIOKafkaProducer(bootstrap_servers=kafka, acks="all", max_request_size=4_000_000)
        await producer.start()
        try:
            yield Clients(place, producer)
        finally:
            await producer.stop()


def texts(answers: list[dict[str, Any]]) -> dict[str, list[str]]:
    """What was told, by session."""
    told: dict[str, list[str]] = {}
    for answer in answers:
        told.setdefault(answer["value"]["metadata"]["session_id"], []).append(answer["value"]["text"])
    return told


async def test_eight_bad_records_are_dead_lettered_by_name_and_the_ninth_is_answered(clients: Clients) -> None:
    good = conversation_key("default", "telecom_contas", "b9")
    for value, _, _ in BAD.values():
        await clients.send(value, key=good)
    await clients.send(encoded("b9"), key=good)
    expected = {f"b{number}": answer for number, (_, _, answer) in enumerate(BAD.values(), 1) if answer is not None}

    dead = await clients.until("dlq.reconcile", len(BAD))
    told = texts(await clients.until("channel.web.responses", len(expected) + 1))

    by_bytes = {record["value"]: record["headers"] for record in dead}
    assert len(dead) == len(BAD)
    assert {kind: by_bytes[value]["dlq_field"] for kind, (value, _, _) in BAD.items()} == {
        kind: field for kind, (_, field, _) in BAD.items()
    }
    for headers in by_bytes.values():
        assert headers["dlq_text"]
        assert headers["dlq_origin_topic"].endswith("gateway.requests")
        assert headers["dlq_attempts"] == "1"
    assert told == {
        **{session: [text] for session, text in expected.items()},
        "b9": ["Você confirma o cancelamento de Deezer Premium?"],
    }

    events = [e["value"] for e in await clients.place.records("events.noc")]
    rejected = [event for event in events if event["event_type"] == "NOC.CONTRACT_REJECTED"]
    assert sorted(event["payload"]["field"] for event in rejected) == sorted(field for _, field, _ in BAD.values())
    everything = orjson.dumps([*events, *(e["value"] for e in await clients.place.records("events.ic", "events.grl"))])
    assert not [secret for secret in (b"cliente-3f9c", b"Deezer", b"TIM Fashion") if secret in everything]


@pytest.mark.parametrize(
    ("key", "misplaced"),
    [
        pytest.param(None, True, id="no key"),
        pytest.param("somebody-else", False, id="another key"),
        pytest.param("right", True, id="the right key in a wrong partition"),
    ],
)
async def test_misplaced_record_is_moved_once_and_answered(clients: Clients, key: str | None, misplaced: bool) -> None:
    session = f"moved-{key}"
    right = conversation_key("default", "telecom_contas", session)
    await clients.send(encoded(session), key=right)
    await clients.answers(session, 1)
    (home,) = {record.partition for record in await clients.requests() if record.key == right.encode()}

    second = encoded(session, payload__message="sim", payload__message_id=f"{session}-m2")
    partition = (home + 1) % 4 if misplaced else None
    await clients.send(second, key=right if key == "right" else key, partition=partition)
    answers = await clients.answers(session, 2)

    assert [answer["metadata"]["status"] for answer in answers] == ["AWAITING_CONFIRMATION", "COMPLETED"]
    arrived = [record for record in await clients.requests() if record.value == second]
    assert len(arrived) == 2
    assert (arrived[-1].key, arrived[-1].partition) == (right.encode(), home)
    assert not [record for record in await clients.place.records("dlq.reconcile") if record["value"] == second]
