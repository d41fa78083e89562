"""The only place that wires: stage, Kafka, MCP, the AI gateway and clock become workers.

Owns: replica names and incarnations, the adapter from the MCP and AI gateway clients to the runtime, one process's set of workers and
its order of start and end (workers first, then the clients).
"""

import asyncio
import os
import platform
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import structlog

from consumers import confirm, execute, normalize, pre_validate, reconcile
from consumers.configuration import Configuration, llm_api_key
from consumers.observability import Observability
from pipeline.decision import Call, CallAnswer, CallOutcome, Stage
from pipeline.ledger import AI_GATEWAY
from pipeline.llm import AiGateway
from pipeline.metrics import Metrics
from pipeline.runtime.calls import Slot
from pipeline.runtime.ending import HURRY_S
from pipeline.runtime.errors import Fatal, describe, trail
from pipeline.runtime.kafka import KafkaClients
from pipeline.runtime.worker import Worker
from pipeline.settings import LlmSettings
from pipeline.tools.breaker import Breaker, BreakerState
from pipeline.tools.client import META_IDEMPOTENCY_KEY, META_ITEM_KEYS, META_NOT_AFTER, McpTools, ToolRequest
from pipeline.topology import STAGES, StageName

BUILDERS: dict[StageName, Callable[[Configuration], Stage[Any]]] = {
    StageName.RECONCILE: reconcile.build,
    StageName.PRE_VALIDATE: pre_validate.build,
    StageName.CONFIRM: confirm.build,
    StageName.EXECUTE: execute.build,
    StageName.NORMALIZE: normalize.build,
}

CALLING_STAGES = frozenset({StageName.PRE_VALIDATE, StageName.EXECUTE})

NOC_EVENTS = {"breaker_opened": "NOC.MCP_CIRCUIT_OPENED"}
"""Events of the MCP client that operators hear of."""


class SystemClock:
    """The machine's clock, UTC."""

    def now(self) -> datetime:
        """UTC now."""
        return datetime.now(UTC)


class McpPort:
    """The MCP client as the runtime's Tools."""

    def __init__(self, tools: McpTools) -> None:
        self._tools = tools

    async def acquire(self, server: str) -> Slot:
        """Wait for a slot and a closed breaker."""
        return await self._tools.acquire(server)

    async def call(self, call: Call, *, deadline_s: float) -> CallAnswer:
        """Send one call; the idempotency key and not_after travel in `_meta`."""
        meta: dict[str, Any] = {META_IDEMPOTENCY_KEY: call.idempotency_key}
        if call.item_keys:
            meta[META_ITEM_KEYS] = list(call.item_keys)
        if call.not_after is not None:
            meta[META_NOT_AFTER] = call.not_after.isoformat()
        answer = await self._tools.call(
            ToolRequest(
                server=call.server,
                tool=call.tool,
                arguments=call.arguments,
                meta=meta,
                deadline_s=deadline_s,
                traceparent=call.traceparent,
            )
        )
        return CallAnswer(
            outcome=CallOutcome(answer.outcome.value),
            payload=answer.payload,
            error=answer.error,
            code=answer.code,
            latency_ms=answer.latency_ms,
        )


class NoPlace:
    """A place where nothing is sent."""

    def release(self) -> None:
        """There is nothing to give back."""


class CallPort:
    """Everything a stage may call, as the runtime's Tools: the AI gateway by its name, MCP servers by theirs."""

    def __init__(self, tools: McpPort, gateway: AiGateway | None) -> None:
        self._tools = tools
        self._gateway = gateway

    async def acquire(self, server: str) -> Slot:
        """Wait for a place."""
        if server != AI_GATEWAY:
            return await self._tools.acquire(server)
        return NoPlace() if self._gateway is None else await self._gateway.acquire(server)

    async def call(self, call: Call, *, deadline_s: float) -> CallAnswer:
        """Send one call; a question that an earlier configuration asked is answered at once where the gateway is off now."""
        if call.server != AI_GATEWAY:
            return await self._tools.call(call, deadline_s=deadline_s)
        if self._gateway is None:
            return CallAnswer(outcome=CallOutcome.NOT_SENT, code="disabled", error="llm.enabled is false")
        return await self._gateway.call(call, deadline_s=deadline_s)


def build_gateway(settings: LlmSettings, *, on_change: Callable[[BreakerState], None]) -> AiGateway | None:
    """The client of the AI gateway; None where it is off."""
    if not settings.enabled:
        return None
    breaker = Breaker(
        failures=settings.breaker_failures,
        cool_down_s=settings.breaker_cool_down_ms / 1000,
        clock=time.monotonic,
        on_change=on_change,
    )
    return AiGateway(settings, api_key=llm_api_key(settings), breaker=breaker, clock=time.monotonic)


def default_replica() -> str:
    """Name of a replica nobody named: unique on the cluster as long as host names are."""
    return f"{platform.node()}-{os.getpid()}"


def new_incarnation(replica: str) -> str:
    """Name of this process's life; later ones sort behind earlier ones."""
    return f"{time.time_ns():020d}-{replica}-{os.getpid()}"


class StageProcess:
    """The workers of one process."""

    def __init__(
        self, configuration: Configuration, stages: Sequence[StageName], bootstrap: str, *, replica: str | None = None
    ) -> None:
        self._configuration = configuration
        self._stages = tuple(stages)
        self.metrics = Metrics()
        settings = configuration.settings
        self._replica = replica or settings.replica or default_replica()
        self._incarnation = new_incarnation(self._replica)
        self._clients = KafkaClients(settings, bootstrap)
        self._tools = McpTools(configuration.servers, clock=time.monotonic, on_event=self._mcp_event)
        self._gateway = build_gateway(settings.llm, on_change=self._gateway_breaker)
        self._workers: dict[StageName, Worker] = {}
        self._failures: list[Fatal] = []
        self._told = False
        """Whether a signal asked for the end."""
        self._hurried = asyncio.Event()
        self._observability = Observability(self.metrics, self.health)
        self._log = structlog.get_logger("pipeline.process")

    async def run(self, *, on_started: Callable[[], None] | None = None) -> None:
        """Run until stopped. Raises: Fatal."""
        for name in self._stages:
            self._workers[name] = self._build(name)
        http = self._configuration.settings.http
        port = await self._observability.start(http.host, http.ports.get(self._stages[0], 0))
        stages = [str(name) for name in self._stages]
        self._log.info("serving metrics and health", url=f"http://{http.host}:{port}", stages=stages)
        if CALLING_STAGES & set(self._stages):
            await self._tools.start()
        try:
            async with asyncio.TaskGroup() as group:
                for name, worker in self._workers.items():
                    group.create_task(self._run(worker), name=f"worker {name}")
                if on_started is not None:
                    on_started()
            if self._failures:
                raise self._failures[0]
        finally:
            closing = asyncio.ensure_future(self._close())
            hurried = asyncio.ensure_future(self._hurried.wait())
            await asyncio.wait({closing, hurried}, return_when=asyncio.FIRST_COMPLETED)
            done, late = await asyncio.wait({closing}, timeout=HURRY_S)
            for task in (*late, hurried):
                task.cancel()
            for task in done:
                task.result()

    async def _close(self) -> None:
        """Close what the workers used; stdio servers are given some seconds to leave."""
        await self._tools.close(drain_s=0)
        if self._gateway is not None:
            await self._gateway.close()
        await self._observability.stop()

    async def _run(self, worker: Worker) -> None:
        """Run one worker; its failure ends the others in order: raised here, the group would cancel them in their calls."""
        try:
            await worker.run()
        except Fatal as fatal:
            self._failures.append(fatal)
            self.stop()
        except Exception as error:
            self._log.error("defect in a worker", error=describe(error), trail=trail(error))
            self._failures.append(Fatal(f"a worker ended by a defect: {describe(error)}"))
            self.stop()

    def stop(self) -> None:
        """End in order."""
        for worker in self._workers.values():
            worker.stop()

    def hurry(self) -> None:
        """End at once: what runs is left to the next owner of its numbers."""
        self._log.warning("a second signal: ending without waiting for what runs")
        self._hurried.set()
        for worker in self._workers.values():
            worker.hurry()

    def stop_on_signals(self) -> None:
        """SIGTERM and SIGINT end the process in order, a second one at once."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._signalled)

    def _signalled(self) -> None:
        if self._told:
            self.hurry()
            return
        self._told = True
        self.stop()

    def health(self) -> Mapping[str, Any]:
        """Health of every worker."""
        return {str(name): worker.health() for name, worker in self._workers.items()}

    @property
    def is_ready(self) -> bool:
        """Whether every stage runs."""
        return bool(self._workers) and all(worker.health().ready for worker in self._workers.values())

    def lag(self) -> int:
        """Records behind, over all stages."""
        return sum(worker.lag for worker in self._workers.values())

    def _build(self, name: StageName) -> Worker:
        configuration = self._configuration
        return Worker(
            stage=BUILDERS[name](configuration),
            spec=STAGES[name],
            settings=configuration.settings,
            clients=self._clients,
            clock=SystemClock(),
            tools=CallPort(McpPort(self._tools), self._gateway),
            metrics=self.metrics,
            channels=tuple(configuration.installation.channels),
            replica=self._replica,
            incarnation=self._incarnation,
        )

    def _gateway_breaker(self, state: BreakerState) -> None:
        self._log.warning("the breaker of the AI gateway changed", state=state.value)

    def _mcp_event(self, event: str, details: Mapping[str, Any]) -> None:
        self._log.info(event, **details)
        noc = NOC_EVENTS.get(event)
        if noc is None:
            return
        for name in CALLING_STAGES & self._workers.keys():
            self._workers[name].note(noc, {**details, "replica": self._replica})
