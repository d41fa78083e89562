"""`send`: JSON lines of GatewayRequests, put on their topic as a channel gateway would."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from consumers.cli.options import CONFIG, Config, cluster_of, configuration
from consumers.cli.terminal import FAILED, WRONG, CommandError, err, errors_in_one_sentence, run, say
from consumers.logs import LogFormat, setup

if TYPE_CHECKING:
    from consumers.configuration import Configuration
    from contracts.gateway_request import GatewayRequest
    from pipeline.policy import Installation

IN_FLIGHT = 500
"""Records that may wait for their acknowledgement at once."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A line that can be sent."""

    number: int
    value: bytes
    key: bytes | None


def command(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A JSON GatewayRequest a line; - reads stdin.")],
    raw: Annotated[
        bool, typer.Option("--raw", help="Send every line's bytes as they are, the bad ones too: to see what they get.")
    ] = False,
    no_key: Annotated[
        bool, typer.Option("--no-key", help="Without a key: the pipeline moves such records to their place.")
    ] = False,
    partition: Annotated[
        int | None, typer.Option(min=0, help="Into this partition. Default: by murmur2 of the key, as Kafka does.")
    ] = None,
    config: Config = CONFIG,
) -> None:
    """Publish requests, keys computed; each is acknowledged by all in-sync replicas before the command ends.

    A line that the pipeline would refuse is told with its number, and nothing is sent, unless --raw. Exits 0 when all were sent, 1 when
    Kafka is not there, 2 when a line or the command is wrong.
    """
    setup(LogFormat.AUTO, level=50)
    with errors_in_one_sentence():
        loaded = configuration(config)
        with _opened(file) as stream:
            outgoing, problems = read(stream.read(), loaded.installation, raw=raw, keyed=not no_key)
        for problem in problems:
            say(f"{file}: {problem}")
        if problems and not raw:
            raise CommandError(
                f"Nothing was sent: {len(problems)} line(s) would be refused; correct them, or send them as they are with "
                "--raw.",
                code=WRONG,
            )
        bootstrap = cluster_of(loaded.settings)
    refused = run(_send(loaded, bootstrap, outgoing, partition))
    for problem in refused:
        say(f"{file}: {problem}")
    say(f"{len(outgoing) - len(refused)} of {len(outgoing)} sent")
    if refused:
        raise typer.Exit(FAILED)


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        with Path(file).open("rb") as stream:
            yield stream
    except OSError as error:
        raise CommandError(
            f"The file {file} cannot be read: {error.strerror}; what a line may hold tells "
            "`python -m consumers contracts show GatewayRequest`.",
            code=WRONG,
        ) from None


def read(data: bytes, installation: "Installation", *, raw: bool, keyed: bool) -> tuple[list[Outgoing], list[str]]:
    """Lines to be sent, and what is wrong with the others: read and checked as the pipeline does.

    With `raw` all are sent, keyed where a key can be read.
    """
    from contracts.gateway_request import GatewayRequest
    from pipeline import topology
    from pipeline.decision import Rejection
    from pipeline.runtime.ports import RawRecord
    from pipeline.runtime.serde import decode

    outgoing, problems = [], []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        value = line.rstrip(b"\r")
        record = RawRecord(topology.GATEWAY_REQUESTS, partition=0, offset=number, timestamp_ms=0, key=None, value=value)
        request = decode(record, GatewayRequest, topology.GATEWAY_REQUESTS, internal=False)
        if isinstance(request, GatewayRequest):
            problem, parsed = _refused(request, len(value), installation), request.model_dump()
        else:
            assert isinstance(request, Rejection)
            problem, parsed = request.text, dict(request.data or {})
        if problem is not None and not raw:
            problems.append(f"line {number}: {problem}")
            continue
        key = _key(parsed, installation) if keyed else None
        outgoing.append(Outgoing(number, value, key))
    return outgoing, problems


def _refused(request: "GatewayRequest", size: int, installation: "Installation") -> str | None:
    """Why this installation refuses a request that keeps to the contract."""
    from pipeline.decision import ContractViolation, Position, Received
    from pipeline.runtime.serde import instant
    from pipeline.stages.reconcile.ingress import check, conversation_of_request

    position = Position(topic="", partition=0, offset=0)
    try:
        check(Received(value=request, position=position, at=instant(0), size=size), request, installation)
        conversation_of_request(request, installation)
    except ContractViolation as violation:
        return f"{violation.field} {violation.text}"
    return None


def _key(parsed: Any, installation: "Installation") -> bytes | None:
    """The conversation key, as far as it can be read."""
    from contracts.identity import conversation_key

    if not isinstance(parsed, dict) or not isinstance(parsed.get("payload"), dict):
        return None
    tenant = parsed.get("tenant_id") or installation.default_tenant
    agent = parsed.get("agent_id") or installation.default_agent_id
    session = parsed["payload"].get("session_id")
    if not (isinstance(tenant, str) and isinstance(agent, str) and isinstance(session, str)):
        return None
    try:
        return conversation_key(tenant, agent, session).encode()
    except ValueError:
        return None


async def _send(loaded: "Configuration", bootstrap: str, outgoing: list[Outgoing], partition: int | None) -> list[str]:
    """Send all in order. Returns: one sentence per refused line. Raises: Retriable, UnknownTopic."""
    from pipeline import topology
    from pipeline.runtime.kafka import KafkaClients
    from pipeline.runtime.topic_io import TooLarge, TopicWriter, UnknownTopic

    topic = loaded.settings.named(topology.GATEWAY_REQUESTS)
    counts = await KafkaClients(loaded.settings, bootstrap).partition_counts([topic])
    if topic not in counts:
        raise UnknownTopic([topic])
    if partition is not None and partition >= counts[topic]:
        raise CommandError(f"{topic} has partitions 0 to {counts[topic] - 1}, not {partition}.", code=WRONG)
    refused: list[str] = []
    waiting: list[tuple[Outgoing, asyncio.Future[Any]]] = []
    bar = Progress(TextColumn("sending"), BarColumn(), MofNCompleteColumn(), console=err, disable=not err.is_terminal)
    async with TopicWriter(loaded.settings, bootstrap) as writer:
        with bar:
            task = bar.add_task("sending", total=len(outgoing))

            async def acknowledge() -> None:
                for line, future in waiting:
                    try:
                        await writer.acknowledged(future, topic)
                    except TooLarge as error:
                        refused.append(f"line {line.number}: too large for Kafka ({error})")
                    bar.advance(task)
                waiting.clear()

            for line in outgoing:
                try:
                    future = await writer.enqueue(topic, line.value, key=line.key, partition=partition)
                except TooLarge as error:
                    refused.append(f"line {line.number}: too large for Kafka ({error})")
                    bar.advance(task)
                    continue
                waiting.append((line, future))
                if len(waiting) >= IN_FLIGHT:
                    await acknowledge()
            await acknowledge()
    return refused
