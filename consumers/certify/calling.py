"""Calls of the tool under test, by the pipeline's own MCP client and in its own words.

Owns: the connection, and what is done about an unknown outcome: exactly what the tool's recovery policy says.
Invariants: a call keeps its keys in every attempt; every wait has a bound.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from consumers.bootstrap import McpPort
from consumers.certify.findings import Fault
from consumers.certify.observation import Observation, Planned, observed, planned
from consumers.certify.sandbox import Sandbox
from consumers.certify.subject import Server
from consumers.cli.terminal import CommandError
from pipeline.decision import CallAnswer, CallOutcome
from pipeline.ledger import LedgerEntry
from pipeline.policy import Recovery, Timing, Tool
from pipeline.stages.execute.calls import status_call
from pipeline.stages.execute.status_answer import Known, StatusAnswer, read_status
from pipeline.tools.catalog import ListedTool
from pipeline.tools.client import McpTools
from pipeline.tools.connection import NOT_YET

START_S = 30.0
"""For a server that was started here."""
LEAVE_S = 5.0
"""For a silent stdio server to end: only then it is known why it cannot be used."""
PAUSE_S = 0.1
"""Between two questions about an outcome."""
SHAPELESS_MAX = 5
"""Readable answers of a status tool that say nothing, after which it is not asked again."""


@dataclass(slots=True)
class Recovered:
    """What became of a call whose outcome was unknown."""

    observation: Observation | None = None
    """The outcome, once it is known; None: it did not get known."""
    told: list[Known] = field(default_factory=list)
    """What the status tool said, in order, without repetitions."""
    calls: int = 0
    """How often the tool was called again."""


class Caller:
    """Calls one tool of one server."""

    def __init__(self, server: Server, sandbox: Sandbox, run: str) -> None:
        self._server = server
        self._run = run
        self.sandbox = sandbox
        self.gone = False
        """Whether the server did not come back from its restart."""
        self._tools = self._client()

    async def connect(self) -> None:
        """Wait for the server and its listing. Raises: CommandError with the reason."""
        await self._tools.start()
        settings = self._server.settings
        patience = settings.connect_timeout_ms / 1000 + (LEAVE_S if settings.transport == "stdio" else 1)
        seconds = START_S if self.sandbox.process is not None else patience
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if await self._is_listed(0.5):
                return
            if (words := self.sandbox.obituary()) is not None:
                raise CommandError(f"sandbox.start: the server ended at once: {words}")
        error = self._tools.health()[self._server.name].error
        if error in {None, NOT_YET}:
            raise CommandError(
                f"The server {self._server.name} did not answer within {seconds:g} s. See that it starts and lists its tools, "
                "or correct SERVER."
            )
        way_out = "Start it, or correct SERVER"
        if error and "credentials" in error:
            way_out = "Name it in mcp_servers.yaml, with its headers, and give that name as SERVER"
        raise CommandError(f"The server {self._server.name} cannot be used: {error}. {way_out}.")

    async def close(self) -> None:
        """Disconnect; a stdio server ends."""
        await self._tools.close(drain_s=0)

    def listed(self) -> Mapping[str, ListedTool]:
        """All tools of the server."""
        return self._tools.tools(self._server.name)

    @property
    def restartable(self) -> bool:
        """Whether the server can be restarted: a stdio server is ours."""
        return self.sandbox.restartable or self._server.settings.transport == "stdio"

    async def restart(self, running: "asyncio.Task[Observation]", *, seconds: float) -> str | None:
        """Restart the server under a running call and connect anew. Returns: why it did not come back. Raises: CommandError."""
        if self._server.settings.transport == "streamable_http":
            await self.sandbox.restart()
            await running
        await self.close()  # ends a stdio server, and the call with it
        await running
        self._tools = self._client()
        await self._tools.start()
        self.gone = not await self._is_listed(seconds)
        return self._tools.health()[self._server.name].error if self.gone else None

    def plan(self, tool: Tool, check: str, arguments: Mapping[str, Any], *, timeout_ms: int | None = None) -> Planned:
        """A call, ready to be sent."""
        return planned(tool, check, arguments, run=self._run, timeout_ms=timeout_ms)

    async def send(self, tool: Tool, call: Planned) -> Observation:
        """Send it (again) and wait for its end, at most its own timeout."""
        return observed(tool, call, await self._answer(call.entry))

    async def raw(self, call: Planned, arguments: Mapping[str, Any]) -> CallAnswer:
        """Send arguments as they stand, whatever the pipeline would have made of them."""
        return await self._answer(call.entry.model_copy(update={"arguments": dict(arguments)}))

    async def status(self, tool: Tool, call: Planned, *, key: str | None = None) -> tuple[StatusAnswer, CallAnswer]:
        """Ask the status tool about a call, or about another key."""
        about = call.entry if key is None else call.entry.model_copy(update={"idempotency_key": key})
        answer = await self._answer(status_call(call.command, about, tool, Timing(), _now()))
        return read_status(answer.payload), answer

    async def recover(self, tool: Tool, status_tool: Tool | None, call: Planned, *, settle_s: float) -> Recovered:
        """Do about an unknown outcome what the policy says, until it is known or `settle_s` have passed."""
        recovered = Recovered()
        shapeless = 0
        until = time.monotonic() + settle_s
        while time.monotonic() < until:
            if tool.recovery is Recovery.STATUS and status_tool is not None:
                said, answer = await self.status(status_tool, call)
                if answer.outcome is CallOutcome.OK and recovered.told[-1:] != [said.known]:
                    recovered.told.append(said.known)
                shapeless += answer.outcome is CallOutcome.OK and said.known is Known.NOT_TOLD
                if shapeless == SHAPELESS_MAX:
                    return recovered
                if said.known is Known.DONE:
                    recovered.observation = observed(
                        tool, call, CallAnswer(outcome=CallOutcome.OK, payload=said.result)
                    )
                    return recovered
                if said.known is not Known.UNKNOWN_KEY:
                    await asyncio.sleep(PAUSE_S)
                    continue
            recovered.calls += 1
            seen = await self.send(tool, call)
            if seen.answered:
                recovered.observation = seen
                return recovered
            await asyncio.sleep(PAUSE_S)
        return recovered

    async def _is_listed(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._tools.connected(self._server.name)
        except TimeoutError:
            return False
        return True

    async def _answer(self, entry: LedgerEntry) -> CallAnswer:
        call = entry.calling("certify", _now()).agenda().calls[0]
        return await McpPort(self._tools).call(call, deadline_s=call.timeout_ms / 1000)

    def _client(self) -> McpTools:
        settings = {self._server.name: self._server.settings}
        return McpTools(settings, clock=time.monotonic, on_event=lambda _name, _details: None)


@asynccontextmanager
async def connected(server: Server, sandbox: Sandbox, run: str) -> AsyncIterator[Caller]:
    """A connected caller for the length of the block. Raises: CommandError."""
    caller = Caller(server, sandbox, run)
    try:
        await caller.connect()
        yield caller
    finally:
        await caller.close()


def unanswered(observation: Observation) -> Fault:
    """Why there was no readable answer, in words for the tool's team."""
    code = observation.answer.code or "unknown"
    return Fault(
        f"no readable answer ({code}: {observation.answer.error})",
        _NO_ANSWER.get(
            code, "answer every call with results; what may have been done must never end without an answer"
        ),
    )


_NO_ANSWER = {
    "timeout": "answer within the tool's timeout_ms of tools.yaml, or raise timeout_ms; work that takes longer belongs behind a status tool",
    "connection_lost": "the server cut the connection: look in its log for a crash, and answer failures as results instead",
    "internal_error": "catch the exception inside the tool and answer it as a failed result with its reason",
    "schema_violation": "make the answer keep the tool's own outputSchema, or correct the schema",
    "too_large": "answer less per item, or raise max_answer_bytes in mcp_servers.yaml",
    "unreadable": "answer a CallToolResult in valid JSON",
    "not_connected": "see why the server does not accept connections any more",
}


def _now() -> datetime:
    return datetime.now(UTC)
