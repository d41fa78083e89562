"""The tool client against real servers on real sockets: what breaks, what survives, what is said of it."""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pipeline.tools.client import McpTools, Outcome, ToolAnswer, ToolRequest, ToolsClosed
from pipeline.tools.settings import McpServerSettings
from tests.integration.mcp_peers import EvilServer, RealServer, evil_server, free_port, real_server

pytestmark = pytest.mark.timeout(90)
STDIO = McpServerSettings(
    transport="stdio",
    command=sys.executable,
    args=("-m", "tests.integration.mcp_peers", "stdio"),
    connect_timeout_ms=20_000,
)


@dataclass
class Rig:
    """One client with one server, and what it said."""

    tools: McpTools
    events: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def call(self, tool: str, *, deadline_s: float = 10, **arguments: Any) -> ToolAnswer:
        slot = await self.tools.acquire("peer")
        try:
            return await self.tools.call(ToolRequest("peer", tool, arguments, {}, deadline_s))
        finally:
            slot.release()

    async def ready(self) -> None:
        async with asyncio.timeout(30):
            await self.tools.connected("peer")

    async def heard(self, name: str, times: int = 1) -> Mapping[str, Any]:
        """Wait until an event was told so often."""
        async with asyncio.timeout(30):
            while True:
                found = [details for event, details in self.events if event == name]
                if len(found) >= times:
                    return found[times - 1]
                self.news.clear()
                await self.news.wait()

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.events]


@asynccontextmanager
async def rig(settings: McpServerSettings, *, started: bool = True) -> AsyncIterator[Rig]:
    holder: list[Rig] = []

    def tell(name: str, details: Mapping[str, Any]) -> None:
        holder[0].events.append((name, details))
        holder[0].news.set()

    made = Rig(McpTools({"peer": settings}, clock=time.monotonic, on_event=tell))
    holder.append(made)
    await made.tools.start()
    try:
        if started:
            await made.ready()
        yield made
    finally:
        await made.tools.close(0)


def http(url: str, **fields: Any) -> McpServerSettings:
    return McpServerSettings.model_validate(
        {"url": url, "breaker": {"failures": 100, "cool_down_ms": 100}, "connect_timeout_ms": 10_000} | fields
    )


@pytest.fixture
async def evil() -> AsyncIterator[EvilServer]:
    async with evil_server() as server:
        yield server


@pytest.fixture
def real() -> Any:
    with real_server() as server:
        yield server


@pytest.mark.parametrize(
    ("tool", "outcome", "code"),
    [
        pytest.param("good", "ok", None, id="a good answer"),
        pytest.param("is_error", "tool_error", "is_error", id="is_error"),
        pytest.param("rpc_32602", "tool_error", "invalid_params", id="invalid params"),
        pytest.param("rpc_32603", "unknown", "internal_error", id="internal error"),
        pytest.param("hang", "unknown", "timeout", id="no answer in time"),
        pytest.param("reset", "unknown", "connection_lost", id="reset after the request"),
        pytest.param("close", "unknown", "connection_lost", id="closed without an answer"),
        pytest.param("truncated", "unknown", "connection_lost", id="truncated body"),
        pytest.param("truncated_stream", "unknown", "connection_lost", id="truncated event stream"),
        pytest.param("large", "unknown", "too_large", id="ten megabytes"),
        pytest.param("large_stream", "unknown", "too_large", id="ten megabytes in one event"),
        pytest.param("garbage", "unknown", "unreadable", id="not JSON"),
        pytest.param("html", "unknown", "unreadable", id="a page"),
        pytest.param("accepted", "unknown", "unreadable", id="202 without an answer"),
        pytest.param("elsewhere", "unknown", "unreadable", id="redirect to another origin"),
        pytest.param("wrong_shape", "unknown", "unreadable", id="a result of the wrong shape"),
        pytest.param("breaks_schema", "unknown", "schema_violation", id="breaks its output schema"),
        pytest.param("http_503", "unknown", "http_503", id="503 undeclared"),
        pytest.param("http_429", "not_sent", "http_429", id="429 declared a refusal"),
        pytest.param("http_500", "unknown", "http_500", id="500"),
        pytest.param("http_401", "tool_error", "unauthorized", id="401"),
        pytest.param("http_404", "tool_error", "http_404", id="404"),
    ],
)
async def test_broken_call_is_classified_and_breaks_no_other(
    evil: EvilServer, tool: str, outcome: str, code: str | None
) -> None:
    async with rig(http(evil.url, refusal_statuses=[429])) as client:
        bystander = asyncio.create_task(client.call("slow"))
        broken = await client.call(tool, deadline_s=0.5 if tool == "hang" else 10)
        after = await client.call("good")
        assert (broken.outcome, broken.code) == (outcome, code)
        assert (await bystander).outcome is Outcome.OK
        assert after.payload == {"ok": True}
        assert client.tools.health()["peer"].generation == 1
        assert evil.calls.count(tool) == 1 + (tool == "good")


async def test_password_in_an_address_is_sent_and_stands_in_no_event_no_health_and_no_log(
    evil: EvilServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    evil.discover = [500, 302]  # as many ways to fail as connecting knows, then it works
    address = evil.url.replace("http://", "http://ana:s3cret@")
    async with rig(http(address)) as client:
        assert (await client.call("good")).outcome is Outcome.OK
        assert (await client.call("elsewhere")).outcome is Outcome.UNKNOWN
        evil.stop_listening()
        await client.call("close")
        told = repr(
            [client.events, client.tools.health(), [record.getMessage() for record in caplog.records], caplog.text]
        )
    assert "s3cret" not in told
    assert "Basic YW5hOnMzY3JldA==" in "".join(evil.heads)


async def test_declared_refusal_says_how_long_to_wait(evil: EvilServer) -> None:
    async with rig(http(evil.url, refusal_statuses=[503])) as client:
        answer = await client.call("http_503")
    assert (answer.outcome, answer.code, answer.retry_after_s) == (Outcome.NOT_SENT, "http_503", 7.0)


async def test_every_page_of_the_listing_is_read_before_the_first_call(evil: EvilServer) -> None:
    async with rig(http(evil.url)) as client:
        assert client.tools.schema("peer", "breaks_schema") == {"type": "object", "title": "breaks_schema"}
        assert client.tools.schema("peer", "nothing") is None
        await client.call("good")
        assert evil.methods == ["server/discover", "tools/list", "tools/list", "tools/list", "tools/call"]


async def test_outage_while_connecting_is_not_taken_for_an_old_server(evil: EvilServer) -> None:
    evil.discover += [503, 429]
    async with rig(http(evil.url)) as client:
        assert client.tools.health()["peer"].protocol_version == "2026-07-28"
        assert "initialize" not in evil.methods
        assert "HTTP 503" in (await client.heard("connect_failed"))["error"]


async def test_refused_credentials_are_said_while_connecting(evil: EvilServer) -> None:
    evil.discover += [401]
    async with rig(http(evil.url, headers={"authorization": "Bearer secret-token"})) as client:
        said = (await client.heard("connect_failed"))["error"]
    assert "HTTP 401" in said
    assert "credentials" in said
    assert "secret-token" not in said


async def test_server_without_discovery_is_spoken_to_as_of_old(evil: EvilServer) -> None:
    evil.discover += [404]
    async with rig(http(evil.url)) as client:
        assert client.tools.health()["peer"].protocol_version == "2025-11-25"
        assert (await client.call("good")).outcome is Outcome.OK


async def test_server_that_never_answers_discovery_is_not_connected_and_said_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # the kernel accepts, nobody reads
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"
        async with rig(http(url, connect_timeout_ms=200), started=False) as client:
            assert "not ready within 0.2 s" in (await client.heard("connect_failed"))["error"]
            assert client.tools.health()["peer"].connected is False


async def test_nobody_there_is_said_at_once_and_the_call_waits_unsent() -> None:
    async with rig(http(f"http://127.0.0.1:{free_port()}/mcp"), started=False) as client:
        assert "connection refused" in (await client.heard("connect_failed"))["error"]
        waiting = asyncio.create_task(client.tools.acquire("peer"))
        await client.heard("connect_failed", times=2)
        assert not waiting.done()
        waiting.cancel()
        answer = await client.tools.call(ToolRequest("peer", "echo", {}, {}, 0.05))
        assert (answer.outcome, answer.code) == (Outcome.NOT_SENT, "not_connected")


async def test_meta_and_trace_context_arrive_with_the_call(real: RealServer) -> None:
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    async with rig(http(real.url)) as client:
        request = ToolRequest("peer", "told", {}, {"multi-item/idempotency-key": "k-1"}, 10, trace)
        payload = (await client.tools.call(request)).payload
    assert payload["meta"]["multi-item/idempotency-key"] == "k-1"
    assert payload["meta"]["traceparent"] == trace


@pytest.mark.parametrize("mode", ["auto", "2026-07-28", "legacy"])
async def test_calls_in_flight_are_unknown_when_the_server_is_killed_and_it_is_found_again(
    real: RealServer, mode: str
) -> None:
    async with rig(http(real.url, mode=mode, keepalive_ms=0)) as client:
        calls = [asyncio.create_task(client.call("slow", seconds=30)) for _ in range(3)]
        await _all_in_flight(client, 3)
        real.kill()
        answers = await asyncio.gather(*calls)
        assert {(a.outcome, a.code) for a in answers} == {(Outcome.UNKNOWN, "connection_lost")}
        refused = await client.call("echo", text="x", deadline_s=0.5)
        assert refused.outcome is Outcome.NOT_SENT
        real.start()
        assert (await _until_ok(client)).payload["text"] == "back"


async def test_breaker_opens_when_nobody_answers_and_a_probe_closes_it(real: RealServer) -> None:
    # No idle connections: one that just died would be written to once more, and that outcome is unknown.
    settings = http(real.url, breaker={"failures": 2, "cool_down_ms": 200}, keepalive_ms=0)
    async with rig(settings) as client:
        real.kill()
        slots = [await client.tools.acquire("peer") for _ in range(3)]
        answers = [await client.tools.call(ToolRequest("peer", "echo", {"text": "x"}, {}, 5)) for _ in slots]
        assert [a.code for a in answers] == ["connect_failed", "connect_failed", "breaker_open"]
        assert answers[2].retry_after_s is not None
        assert 0 < answers[2].retry_after_s <= 0.2
        for slot in slots:
            slot.release()
        real.start()
        async with asyncio.timeout(20):
            while (await client.call("echo", text="x")).outcome is not Outcome.OK:  # acquire waits for the breaker
                pass
        await client.heard("breaker_closed")
        assert client.names.index("breaker_opened") < client.names.index("breaker_half_opened")


async def test_frozen_server_costs_the_deadline_and_no_more(real: RealServer) -> None:
    async with rig(http(real.url)) as client:
        real.signal(signal.SIGSTOP)
        started = time.monotonic()
        answer = await client.call("echo", text="x", deadline_s=0.3)
        assert (answer.outcome, answer.code) == (Outcome.UNKNOWN, "timeout")
        assert time.monotonic() - started < 1.5
        real.signal(signal.SIGCONT)
        assert (await _until_ok(client)).outcome is Outcome.OK


async def test_call_given_up_while_connecting_is_proved_unsent(evil: EvilServer) -> None:
    async with rig(http(evil.url, keepalive_ms=0)) as client:
        evil.stop_listening()
        # A listener whose queue is full: the kernel drops further connection requests, so connecting hangs.
        with (
            socket.create_server(("127.0.0.1", evil.port), backlog=0) as full,
            socket.create_connection(full.getsockname()),
        ):
            answer = await client.call("good", deadline_s=0.3)
        assert (answer.outcome, answer.code) == (Outcome.NOT_SENT, "timeout")
        assert evil.calls == []


async def test_bulkhead_holds_the_surplus_back(real: RealServer) -> None:
    async with rig(http(real.url, concurrency=2)) as client:
        calls = [asyncio.create_task(client.call("slow", seconds=0.2)) for _ in range(5)]
        await _all_in_flight(client, 2)
        assert client.tools.health()["peer"].waiting == 3
        assert {a.outcome for a in await asyncio.gather(*calls)} == {Outcome.OK}


async def test_closing_waits_for_calls_in_flight_and_refuses_new_ones(real: RealServer) -> None:
    async with rig(http(real.url)) as client:
        running = asyncio.create_task(client.call("slow", seconds=0.3))
        await _all_in_flight(client, 1)
        await client.tools.close(5)
        assert (await running).outcome is Outcome.OK
        with pytest.raises(ToolsClosed):
            await client.tools.acquire("peer")
        late = await client.tools.call(ToolRequest("peer", "echo", {"text": "x"}, {}, 1))
        assert (late.outcome, late.code) == (Outcome.NOT_SENT, "closed")


async def test_closing_leaves_no_task_behind(real: RealServer) -> None:
    before = asyncio.all_tasks()
    async with rig(http(real.url)) as client:
        hanging = asyncio.create_task(client.call("slow", seconds=30))
        await _all_in_flight(client, 1)
        await client.tools.close(0)
        assert (await hanging).outcome is Outcome.UNKNOWN
    assert asyncio.all_tasks() == before


async def test_closing_does_not_wait_for_a_frozen_server_to_end_its_session(real: RealServer) -> None:
    async with rig(http(real.url, mode="legacy")) as client:
        real.signal(signal.SIGSTOP)
        assert (await client.call("echo", text="x", deadline_s=0.2)).code == "timeout"
        started = time.monotonic()
        await client.tools.close(0)
        assert time.monotonic() - started < 5


async def test_stdio_server_is_called_and_its_tool_error_read() -> None:
    async with rig(STDIO) as client:
        assert (await client.call("echo", text="oi")).payload["text"] == "oi"
        refused = await client.call("fails")
        assert (refused.outcome, refused.is_error) == (Outcome.TOOL_ERROR, True)


async def test_stdio_server_that_dies_is_started_again() -> None:
    async with rig(STDIO) as client:
        first = (await client.call("echo", text="x")).payload["pid"]
        lost = await client.call("die")
        assert (lost.outcome, lost.code) == (Outcome.UNKNOWN, "connection_lost")
        await client.heard("connected", times=2)
        second = await client.call("echo", text="x")
        assert second.outcome is Outcome.OK
        assert second.payload["pid"] != first


async def test_stdio_server_that_never_answers_is_ended_although_its_end_is_interrupted(tmp_path: Path) -> None:
    saying = f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    settings = McpServerSettings(transport="stdio", command=sys.executable, args=("-c", saying), connect_timeout_ms=300)
    tools = McpTools({"peer": settings}, clock=time.monotonic, on_event=lambda *_: None)
    await tools.start()
    await asyncio.sleep(0.6)  # the connection was given up, and the child has 2 s to leave
    async with asyncio.timeout(10):
        await tools.close(drain_s=0)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


async def test_stdio_server_that_hangs_is_replaced_while_the_calls_beside_it_finish() -> None:
    async with rig(STDIO) as client:
        beside = asyncio.create_task(client.call("slow", seconds=1))
        lost = await client.call("slow", seconds=30, deadline_s=0.3)
        assert (lost.outcome, lost.code) == (Outcome.UNKNOWN, "timeout")
        assert (await client.call("echo", text="x")).outcome is Outcome.OK
        assert (await beside).outcome is Outcome.OK


async def test_program_that_does_not_exist_is_named() -> None:
    settings = McpServerSettings(transport="stdio", command="/no/such/program")
    async with rig(settings, started=False) as client:
        assert (await client.heard("connect_failed"))["error"] == "/no/such/program: no such program"


async def test_missing_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_TOKEN", raising=False)
    settings = http("http://127.0.0.1:1/mcp", headers={"authorization": "Bearer ${NO_SUCH_TOKEN}"})
    async with rig(settings, started=False) as client:
        assert "NO_SUCH_TOKEN is not set" in (await client.heard("connect_failed"))["error"]


async def _all_in_flight(client: Rig, count: int) -> None:
    """Wait until the server says that so many slow calls run."""
    async with asyncio.timeout(10):
        while True:
            answer = await client.tools.call(ToolRequest("peer", "echo", {"text": "x"}, {}, 5))
            if answer.payload["running"] == count:
                return


async def _until_ok(client: Rig) -> ToolAnswer:
    async with asyncio.timeout(30):
        while True:
            answer = await client.call("echo", text="back", deadline_s=2)
            if answer.outcome is Outcome.OK:
                return answer
