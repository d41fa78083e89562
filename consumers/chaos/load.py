"""Plays the customers of a run against the pipeline, through a gateway that never gives up.

Owns: what was really published and acknowledged; which answers were seen, and when.
Invariants: conversations begin on their schedule, whatever became of the others; messages of one conversation are published in order,
each only after the one before was acknowledged; a publish whose acknowledgement was lost is repeated with the same message id.
"""

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from consumers.chaos.conversations import PATIENCE_S, TENANT, Line, Place, Script, Spoiled
from consumers.chaos.ground import Ground
from contracts.business_context import BusinessContext
from contracts.channel_response import ChannelResponse
from contracts.gateway_request import GatewayMetadata, GatewayPayload, GatewayRequest
from contracts.identity import conversation_key
from pipeline import topology
from pipeline.runtime.errors import Retriable
from pipeline.runtime.kafka import KafkaClients
from pipeline.runtime.topic_io import TopicReader, TopicWriter

RETRY_S = 0.5
POLL_S = 0.1


@dataclass(slots=True)
class Heard:
    """What a customer was told so far."""

    answered: set[str] = field(default_factory=set)
    """Message ids."""
    token: str | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True)
class Published:
    """What the gateway did."""

    messages: int = 0
    """Acknowledged records, repetitions included."""
    retried: int = 0
    """Publishes whose acknowledgement did not come."""
    answers: int = 0
    """Responses seen while the run went on."""


class Load:
    """All customers of a run."""

    def __init__(self, under: Ground, seed: int) -> None:
        self._under = under
        self._settings = under.configuration.settings
        self._requests = self._settings.named(topology.GATEWAY_REQUESTS)
        self._random = random.Random(f"partitions {seed}")
        self._clients = KafkaClients(self._settings, under.bootstrap)
        self._heard: dict[str, Heard] = {}
        self._writer: TopicWriter | None = None
        self._writer_lock = asyncio.Lock()
        self.published = Published()
        self.last_answer_at = 0.0

    async def play(self, scripts: Sequence[Script]) -> None:
        """Begin every conversation at its time; returns when all has been said."""
        listening = asyncio.create_task(self._listen(), name="listening")
        began = asyncio.get_running_loop().time()
        try:
            async with asyncio.TaskGroup() as group:
                for script in scripts:
                    await asyncio.sleep(max(0.0, began + script.at_s - asyncio.get_running_loop().time()))
                    group.create_task(self._converse(script), name=script.session)
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
            await self._drop_writer(self._writer)

    # --- one conversation ------------------------------------------------------------------------------------------------

    async def _converse(self, script: Script) -> None:
        key = conversation_key(TENANT, script.agent, script.session)
        heard = self._heard.setdefault(key, Heard())
        partition = self._partition(script, key)
        previous: str | None = None
        async with asyncio.TaskGroup() as repetitions:
            for number, line in enumerate(script.lines):
                if line.waits and previous is not None:
                    await self._answer_to(heard, previous)
                await asyncio.sleep(line.after_s)
                message_id = f"{script.session}-m{number}"
                value = _record(script, line, message_id, heard.token if line.button else None)
                await self._publish(script.place, key, partition, value)
                previous = None if line.spoiled else message_id
                for pause_s in line.again_s:
                    repetitions.create_task(self._again(pause_s, script.place, key, partition, value))
        del self._heard[key]

    async def _again(self, pause_s: float, place: Place, key: str, partition: int | None, value: bytes) -> None:
        await asyncio.sleep(pause_s)
        await self._publish(place, key, partition, value)

    async def _answer_to(self, heard: Heard, message_id: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                while message_id not in heard.answered:
                    heard.changed.clear()
                    await heard.changed.wait()
        except TimeoutError:
            pass

    def _partition(self, script: Script, key: str) -> int | None:
        """Where to write; None: where the key leads. One place a conversation: a gateway errs, but always in the same way."""
        count = self._settings.kafka.partitions
        right = self._clients.partition_of(key.encode(), count)
        match script.place:
            case Place.OTHER_PARTITION:
                return (right + 1 + self._random.randrange(count - 1)) % count
            case Place.NO_KEY | Place.OTHER_KEY:
                return self._random.randrange(count)
            case Place.RIGHT:
                return None

    # --- publishing --------------------------------------------------------------------------------------------------------

    async def _publish(self, place: Place, key: str, partition: int | None, value: bytes) -> None:
        said = {Place.NO_KEY: None, Place.OTHER_KEY: b"somebody:else:here"}.get(place, key.encode())
        headers = (("content-type", b"application/json"), ("contract_version", GatewayRequest.VERSION.encode()))
        while True:
            writer = await self._working_writer()
            if writer is not None:
                try:
                    await writer.send(self._requests, value, key=said, partition=partition, headers=headers)
                except Retriable:
                    await self._drop_writer(writer)
                else:
                    self.published.messages += 1
                    return
            self.published.retried += 1
            await asyncio.sleep(RETRY_S)

    async def _working_writer(self) -> TopicWriter | None:
        async with self._writer_lock:
            if self._writer is None:
                writer = TopicWriter(self._settings, self._under.bootstrap, client_id="chaos-gateway")
                try:
                    await writer.__aenter__()
                except Retriable:
                    return None
                self._writer = writer
            return self._writer

    async def _drop_writer(self, writer: TopicWriter | None) -> None:
        if writer is not None and self._writer is writer:
            self._writer = None
            await writer.__aexit__()

    # --- listening ---------------------------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        topics = [self._settings.named(topology.responses(channel)) for channel in self._under.channels]
        while True:
            try:
                async with AsyncExitStack() as stack:
                    reader = TopicReader(self._settings, self._under.bootstrap, topics, start="end")
                    await stack.enter_async_context(reader)
                    while True:
                        for record in await reader.poll(POLL_S):
                            self._hear(ChannelResponse.model_validate_json(record.value or b""))
            except Retriable:
                await asyncio.sleep(RETRY_S)

    def _hear(self, response: ChannelResponse) -> None:
        self.published.answers += 1
        self.last_answer_at = asyncio.get_running_loop().time()
        heard = self._heard.get(response.session_id)
        if heard is None:
            return
        if response.metadata.message_id is not None:
            heard.answered.add(response.metadata.message_id)
        if response.metadata.confirmation is not None:
            heard.token = response.metadata.confirmation.token
        heard.changed.set()


def _record(script: Script, line: Line, message_id: str, token: str | None) -> bytes:
    request = GatewayRequest(
        channel="fax" if line.spoiled is Spoiled.NO_CHANNEL else script.channel,
        tenant_id=TENANT,
        agent_id="nobody" if line.spoiled is Spoiled.NO_AGENT else script.agent,
        payload=GatewayPayload(
            message=line.text,
            session_id=script.session,
            message_id=message_id,
            user_id=f"u-{script.session}",
            business_context=BusinessContext(customer_key=script.customer),
            metadata=GatewayMetadata(contract_version=GatewayRequest.VERSION, confirmation=token),
        ),
    )
    value = request.model_dump_json(exclude_none=True).encode()
    return value[:-1] if line.spoiled is Spoiled.NO_JSON else value
