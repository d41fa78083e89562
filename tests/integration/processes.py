"""The pipeline as operators run it: separate OS processes on a real broker, and customers who talk to it over Kafka.

Owns: starting and killing processes by the product's own commands, waiting for their health, a customer's side of the topics.
Invariants: every process is in a group of its own and is gone when the fixture ends.
"""

import asyncio
import contextlib
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import yaml
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from consumers.local_kafka.ports import free_pair
from contracts.identity import conversation_key
from examples.demo.ledger import ArrivedCall, Effect, read_calls, read_effects

ROOT = Path(__file__).parents[2]
STAGES = ("reconcile", "pre-validate", "confirm", "execute", "normalize")
_NUMBERS = itertools.count()
_URL = re.compile(rb"http://127\.0\.0\.1:\d+")


@dataclass
class Process:
    """A command of the product that runs."""

    name: str
    popen: "subprocess.Popen[bytes]"
    log: Path

    def signal(self, number: signal.Signals) -> None:
        os.killpg(self.popen.pid, number)

    async def kill(self) -> None:
        """SIGKILL, and wait until it is gone."""
        with contextlib.suppress(ProcessLookupError):
            self.signal(signal.SIGKILL)
        await asyncio.to_thread(self.popen.wait, 20)

    async def stop(self, timeout_s: float = 30) -> int:
        """SIGTERM, and wait. Returns its exit status."""
        with contextlib.suppress(ProcessLookupError):
            self.signal(signal.SIGTERM)
        return await asyncio.to_thread(self.popen.wait, timeout_s)

    def url(self) -> str | None:
        """Where it serves health, as soon as its log says so."""
        found = (
            _URL.search(self.log.read_bytes().split(b"serving metrics and health")[0][-300:])
            if self._serves()
            else None
        )
        return found[0].decode() if found else None

    def _serves(self) -> bool:
        return b"serving metrics and health" in self.log.read_bytes()


def get(url: str) -> tuple[int, bytes]:
    """Status and body of a GET on this machine; 0 when nobody answers."""
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError as error:
        return 0, str(error).encode()


@dataclass
class Pipeline:
    """One installation: prefix, demo server, ledger, processes."""

    bootstrap: str
    folder: Path
    config: Path
    env: dict[str, str]
    prefix: str
    processes: list[Process] = field(default_factory=list)

    @property
    def ledger(self) -> Path:
        return Path(self.env["PIPELINE_DEMO_LEDGER"])

    def effects(self, customer: str) -> list[Effect]:
        return read_effects(self.ledger, customer)

    def calls(self, customer: str, tool: str) -> list[ArrivedCall]:
        return [call for call in read_calls(self.ledger, customer) if call.tool == tool]

    def named(self, topic: str) -> str:
        return f"{self.prefix}.{topic}"

    def spawn(self, *arguments: str, name: str | None = None) -> Process:
        """Start a command of the product."""
        name = name or f"{arguments[0]}-{next(_NUMBERS)}"
        log = self.folder / f"{name}.log"
        with log.open("wb") as output:
            popen = subprocess.Popen(
                [sys.executable, "-m", "consumers", *arguments],
                cwd=ROOT,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        process = Process(name, popen, log)
        self.processes.append(process)
        return process

    async def run(self, *stages: str, replica: str, ready: bool = True) -> Process:
        """Start stages as one process."""
        process = self.spawn(
            "run", *stages, "--replica", replica, "--config", str(self.config), name=f"run-{replica}-{next(_NUMBERS)}"
        )
        if ready:
            await self.ready(process)
        return process

    async def ready(self, *processes: Process, timeout_s: float = 60) -> None:
        """Wait until these say that they are ready."""
        try:
            async with asyncio.timeout(timeout_s):
                for process in processes:
                    while not await self._is_ready(process):
                        assert process.popen.poll() is None, process.log.read_text()[-3000:]
                        await asyncio.sleep(0.1)  # another process's health is asked for
        except TimeoutError:
            raise AssertionError(f"{process.name} is not ready:\n{process.log.read_text()[-3000:]}") from None

    async def _is_ready(self, process: Process) -> bool:
        url = process.url()
        return url is not None and (await asyncio.to_thread(get, f"{url}/health/ready"))[0] == 200

    async def command(self, *arguments: str, status: int = 0, **options: Any) -> str:
        """Run a command to its end. Returns its standard output."""

        def finished() -> "subprocess.CompletedProcess[bytes]":
            command = [sys.executable, "-m", "consumers", *arguments]
            return subprocess.run(
                command, cwd=ROOT, env=self.env, capture_output=True, timeout=120, check=False, **options
            )

        done = await asyncio.to_thread(finished)
        assert done.returncode == status, (done.stdout + done.stderr).decode()[-3000:]
        return done.stdout.decode()

    async def end(self) -> None:
        for process in self.processes:
            await process.kill()

    @contextlib.asynccontextmanager
    async def customer(
        self, customer: str, *, agent: str = "telecom_contas", **changes: Any
    ) -> AsyncIterator["Customer"]:
        """A customer with a session of their own."""
        session = f"s-{next(_NUMBERS)}"
        talking = Customer(self, customer, agent, session, changes)
        await talking.start()
        try:
            yield talking
        finally:
            await talking.stop()

    async def records(self, *topics: str, key: str | None = None) -> list[dict[str, Any]]:
        """All committed records of these topics, in order of time: value, topic, headers."""
        consumer = AIOKafkaConsumer(
            bootstrap_servers=self.bootstrap,
            isolation_level="read_committed",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
        )
        await consumer.start()
        try:
            partitions = [TopicPartition(self.named(topic), number) for topic in topics for number in range(4)]
            consumer.assign(partitions)
            ends = await consumer.end_offsets(partitions)
            found = []
            while [tp for tp in partitions if await consumer.position(tp) < ends[tp]]:
                for batch in (await consumer.getmany(timeout_ms=200)).values():
                    found += batch
        finally:
            await consumer.stop()
        chosen = [r for r in found if key is None or (r.key or b"").decode() == key]
        return [
            {
                "topic": r.topic.removeprefix(f"{self.prefix}."),
                "at": r.timestamp,
                "key": (r.key or b"").decode(),
                "value": orjson.loads(r.value) if r.value and not r.topic.startswith(self.named("dlq")) else r.value,
                "headers": {name: value.decode() for name, value in r.headers},
            }
            for r in sorted(chosen, key=lambda r: (r.timestamp, r.topic, r.partition, r.offset))
        ]


class Customer:
    """One customer's side: what they send, what they are told."""

    def __init__(self, pipeline: Pipeline, customer: str, agent: str, session: str, changes: Mapping[str, Any]) -> None:
        self._pipeline = pipeline
        self._customer = customer
        self._agent = agent
        self._session = session
        self._changes = dict(changes)
        self._count = 0
        self.key = conversation_key("default", agent, session)
        self.answers: list[dict[str, Any]] = []

    async def start(self) -> None:
        self._producer = AIOKafkaProducer(bootstrap_servers=self._pipeline.bootstrap, acks="all")
        self._consumer = AIOKafkaConsumer(
            bootstrap_servers=self._pipeline.bootstrap, isolation_level="read_committed", enable_auto_commit=False
        )
        await self._producer.start()
        await self._consumer.start()
        topic = self._pipeline.named(f"channel.{self._changes.get('channel', 'web')}.responses")
        partitions = [TopicPartition(topic, number) for number in range(4)]
        self._consumer.assign(partitions)
        await self._consumer.seek_to_end(*partitions)
        for partition in partitions:
            await self._consumer.position(partition)

    async def stop(self) -> None:
        await self._producer.stop()
        await self._consumer.stop()

    async def send(self, text: str, *, message_id: str | None = None) -> str:
        """Send without waiting. Returns the message id."""
        self._count += 1
        message_id = message_id or f"m{self._count}"
        payload = {
            "message": text,
            "session_id": self._session,
            "message_id": message_id,
            "business_context": {"customer_key": self._customer},
            **({"locale": self._changes["locale"]} if "locale" in self._changes else {}),
        }
        request = {
            "channel": self._changes.get("channel", "web"),
            "tenant_id": "default",
            "agent_id": self._agent,
            "payload": payload,
        }
        topic = self._pipeline.named("gateway.requests")
        await self._producer.send_and_wait(topic, orjson.dumps(request), key=self.key.encode())
        return message_id

    async def answer(self, timeout_s: float = 40) -> dict[str, Any]:
        """The next thing this customer is told."""
        seen = len(self.answers)
        try:
            async with asyncio.timeout(timeout_s):
                while len(self.answers) == seen:
                    for batch in (await self._consumer.getmany(timeout_ms=200)).values():
                        self.answers += [
                            orjson.loads(record.value) for record in batch if record.key == self.key.encode()
                        ]
        except TimeoutError:
            raise AssertionError(f"no answer to {self.key}; so far {[a['text'] for a in self.answers]}") from None
        return self.answers[seen]

    async def say(self, text: str, timeout_s: float = 40) -> dict[str, Any]:
        """Send, and return the next answer."""
        await self.send(text)
        return await self.answer(timeout_s)

    async def nothing_more(self, seconds: float = 1.0) -> bool:
        """Whether nothing else comes within a while: the absence of an answer can only be waited for."""
        seen = len(self.answers)
        with contextlib.suppress(AssertionError):
            await self.answer(seconds)
        return len(self.answers) == seen


def config_with(folder: Path, tools: Mapping[str, Any] | None = None) -> Path:
    """A copy of config/ with some keys of some tools changed."""
    target = folder / "config"
    shutil.copytree(ROOT / "config", target)
    if tools:
        path = target / "tools.yaml"
        data = yaml.safe_load(path.read_text())
        for name, changes in tools.items():
            data["tools"][name].update(changes)
        path.write_text(yaml.safe_dump(data, allow_unicode=True))
    return target


@contextlib.asynccontextmanager
async def pipeline(
    bootstrap: str,
    folder: Path,
    *,
    tools: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    stages: Iterable[str] = STAGES,
) -> AsyncIterator[Pipeline]:
    """Topics, demo server and the given stages, one process for all of them; everything ends with the block."""
    prefix = f"pl{os.getpid()}x{next(_NUMBERS)}"
    settings = {
        **os.environ,
        "KAFKA_BOOTSTRAP_SERVERS": bootstrap,
        "PIPELINE__PREFIX": prefix,
        "PIPELINE__KAFKA__SESSION_TIMEOUT_MS": "3000",
        "PIPELINE__KAFKA__HEARTBEAT_INTERVAL_MS": "300",
        "PIPELINE__TIMING__CLOCK_SKEW_MS": "500",
        "PIPELINE__EVENT_HASH_KEY": "only-for-tests",
        "PIPELINE__MEANING": "false",
        "PIPELINE_DEMO_PORT": str(free_pair()[0]),
        "PIPELINE_DEMO_LEDGER": str(folder / "ledger.sqlite3"),
        "PYTHONUNBUFFERED": "1",
        **(env or {}),
    }
    place = Pipeline(bootstrap, folder, config_with(folder, tools), settings, prefix)
    try:
        await place.command("topics", "ensure", "--config", str(place.config))
        place.spawn("demo", name="demo")
        chosen = tuple(stages)
        if chosen:
            await place.run(*chosen, replica="one")
        yield place
    finally:
        await place.end()
