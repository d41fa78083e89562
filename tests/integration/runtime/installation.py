"""Workers of the counting stage on a real broker, with topics and a group of their own."""

import asyncio
import contextlib
import itertools
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from pipeline import topology
from pipeline.decision import Call, CallAnswer, CallOutcome
from pipeline.metrics import Metrics
from pipeline.runtime.kafka import KafkaClients
from pipeline.runtime.topics import TopicAdmin, wanted_topics
from pipeline.runtime.worker import Worker
from pipeline.settings import PipelineSettings
from pipeline.topology import STAGES, StageName
from tests.integration.runtime.counting import CountingStage, command

_NUMBERS = itertools.count()


class Clock:
    def __init__(self, ahead: timedelta = timedelta(0)) -> None:
        self._ahead = ahead

    def now(self) -> datetime:
        return datetime.now(UTC) + self._ahead


class OneSlot:
    def release(self) -> None:
        pass


class Tools:
    """Answers calls; `gates` holds those of a tool back until set."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.gates: dict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self.started: dict[str, asyncio.Event] = defaultdict(asyncio.Event)

    async def acquire(self, server: str) -> OneSlot:
        del server
        return OneSlot()

    async def call(self, call: Call, *, deadline_s: float) -> CallAnswer:
        self.sent.append(call.call_id)
        self.started[call.call_id].set()
        if call.tool == "call gated":
            try:
                async with asyncio.timeout(deadline_s):
                    await self.gates[call.call_id].wait()
            except TimeoutError:
                return CallAnswer(outcome=CallOutcome.UNKNOWN, code="timeout")
        return CallAnswer(outcome=CallOutcome.OK, payload=call.call_id)


@dataclass
class Replica:
    worker: Worker
    run: "asyncio.Task[None]"
    tools: Tools

    async def stop(self) -> None:
        self.worker.stop()
        await self.run

    async def kill(self) -> None:
        """As near to kill -9 as one process allows: nothing is drained or closed in order."""
        self.run.cancel()
        await asyncio.gather(self.run, return_exceptions=True)


@dataclass
class Installation:
    bootstrap: str
    settings: PipelineSettings
    replicas: list[Replica] = field(default_factory=list)

    @property
    def input(self) -> str:
        return self.settings.named(topology.NORMALIZE)

    async def start(
        self,
        name: str,
        *,
        stage: CountingStage | None = None,
        tools: Tools | None = None,
        ahead: timedelta = timedelta(0),
    ) -> Replica:
        tools = tools or Tools()
        worker = Worker(
            stage=stage or CountingStage(),
            spec=STAGES[StageName.NORMALIZE],
            settings=self.settings,
            clients=KafkaClients(self.settings, self.bootstrap),
            clock=Clock(ahead),
            tools=tools,
            metrics=Metrics(),
            channels=("web",),
            replica=name,
            incarnation=f"{next(_NUMBERS):06d}-{name}",
        )
        replica = Replica(worker, asyncio.create_task(worker.run(), name=f"replica {name}"), tools)
        self.replicas.append(replica)
        return replica

    async def ready(self, *replicas: Replica) -> None:
        """Wait until these are ready."""
        async with asyncio.timeout(40):
            while not all(r.worker.health().ready for r in replicas):
                for replica in replicas:
                    if replica.run.done():
                        replica.run.result()
                await asyncio.sleep(0.05)

    async def publish(self, *commands: Any) -> None:
        producer = AIOKafkaProducer(bootstrap_servers=self.bootstrap, acks="all")
        await producer.start()
        try:
            for value in commands:
                body = value if isinstance(value, bytes) else value.model_dump_json().encode()
                key = None if isinstance(value, bytes) else value.turn.conversation_key.encode()
                await producer.send(self.input, body, key=key, partition=number_of(key, self.settings.kafka.partitions))
            await producer.flush()
        finally:
            await producer.stop()

    async def texts(self, count: int, timeout_s: float = 40) -> Mapping[str, list[str]]:
        """Answers by conversation, in order, as soon as there are `count`; a little longer, to see one too many."""
        return await self._read(topology.responses("web"), count, timeout_s)

    async def dead_letters(self, count: int) -> list[dict[str, str]]:
        records = await self._records(topology.dead_letters("normalize"), count, 40)
        return [{name: value.decode() for name, value in record.headers} for record in records]

    async def events(self, count: int) -> list[str]:
        return [orjson.loads(r.value)["event_type"] for r in await self._records("events.noc", count, 40)]

    async def _read(self, topic: str, count: int, timeout_s: float) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for record in await self._records(topic, count, timeout_s):
            found[record.key.decode()].append(orjson.loads(record.value)["text"])
        return found

    async def _records(self, topic: str, count: int, timeout_s: float) -> list[Any]:
        consumer = AIOKafkaConsumer(
            bootstrap_servers=self.bootstrap,
            isolation_level="read_committed",
            auto_offset_reset="earliest",
            enable_auto_commit=False,
        )
        await consumer.start()
        try:
            partitions = range(self.settings.kafka.partitions)
            consumer.assign([TopicPartition(self.settings.named(topic), p) for p in partitions])
            found: list[Any] = []
            async with asyncio.timeout(timeout_s):
                while len(found) < count:
                    for records in (await consumer.getmany(timeout_ms=200)).values():
                        found += records
            for records in (await consumer.getmany(timeout_ms=700)).values():
                found += records
            return found
        finally:
            await consumer.stop()


def number_of(key: bytes | None, partitions: int) -> int:
    return sum(key or b"") % partitions


@contextlib.asynccontextmanager
async def installation(bootstrap: str, **changes: Any) -> AsyncIterator[Installation]:
    """Topics of its own on the broker; every replica is stopped at the end."""
    prefix = f"rt{os.getpid()}x{next(_NUMBERS)}"
    settings = PipelineSettings(
        prefix=prefix,
        kafka={"partitions": 3, "session_timeout_ms": 3000, "heartbeat_interval_ms": 300, **changes.pop("kafka", {})},
        runtime={"handover_ms": 3000, **changes.pop("runtime", {})},
        timing={"clock_skew_ms": 500},
    )
    async with TopicAdmin(settings, bootstrap) as admin:
        await admin.ensure(wanted_topics(settings, ("web",)))
    place = Installation(bootstrap, settings)
    try:
        yield place
    finally:
        for replica in place.replicas:
            if not replica.run.done():
                await replica.kill()


def conversations(count: int) -> list[str]:
    return [f"t:a:s{number}" for number in range(count)]


def commands(names: list[str], per: int, first: int = 0, reason: str = "") -> list[Any]:
    return [command(name, f"{name}-{number}", reason) for number in range(first, first + per) for name in names]


def counted(per: int) -> list[str]:
    return [str(number) for number in range(1, per + 1)]
