"""The other ends for tests of the tool client: a real MCP server process, and one that breaks the protocol on demand.

`python -m tests.integration.mcp_peers PORT` serves the real one over HTTP, `… stdio` over stdio.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BIG = 10_000_000


def free_port() -> int:
    """A free port below the ephemeral range, where no client of another test may be given it meanwhile."""
    for port in range(20_000 + os.getpid() % 10_000, 32_000):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError("no free port")


@dataclass
class RealServer:
    """A real MCP server in a process of its own, to be killed, stopped and started again on the same port."""

    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.integration.mcp_peers", str(self.port)], cwd=ROOT, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.02)  # polls another process, which has no event to wait for
        raise AssertionError("the server did not start")

    def signal(self, number: int) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        """kill -9, and gone when this returns."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@contextmanager
def real_server() -> Iterator[RealServer]:
    server = RealServer(free_port())
    server.start()
    try:
        yield server
    finally:
        if server.process is not None:
            with suppress(ProcessLookupError):
                server.signal(signal.SIGCONT)
        server.kill()


def serve(argument: str) -> None:
    """The real server: `python -m tests.integration.mcp_peers`."""
    from mcp.server import MCPServer
    from mcp.server.mcpserver import Context
    from mcp.server.mcpserver.exceptions import ToolError

    running = 0  # calls of `slow`
    server = MCPServer("peer", version="1.0.0", log_level="CRITICAL")

    @server.tool()
    async def echo(text: str) -> dict[str, Any]:
        return {"text": text, "pid": os.getpid(), "running": running}

    @server.tool()
    async def slow(seconds: float) -> dict[str, Any]:
        nonlocal running
        running += 1
        try:
            await asyncio.sleep(seconds)
        finally:
            running -= 1
        return {"slept": seconds}

    @server.tool()
    async def told(context: Context) -> dict[str, Any]:
        """What arrived in `_meta`."""
        return {"meta": dict(context.request_context.meta or {})}

    @server.tool()
    async def fails() -> dict[str, Any]:
        raise ToolError("sem saldo")

    @server.tool()
    async def die() -> dict[str, Any]:
        os.kill(os.getpid(), signal.SIGKILL)
        return {}

    if argument == "stdio":
        server.run("stdio")
    else:
        import uvicorn

        uvicorn.run(server.streamable_http_app(), host="127.0.0.1", port=int(argument), log_level="critical")


@dataclass
class EvilServer:
    """Speaks just enough of MCP 2026-07-28 to be called, then does what the called tool is named after."""

    port: int = 0
    calls: list[str] = field(default_factory=list)
    """Tools that were called, in order."""
    discover: list[int] = field(default_factory=list)
    """HTTP statuses for the next server/discover requests, before they are answered well."""
    methods: list[str] = field(default_factory=list)
    """JSON-RPC methods that arrived."""
    heads: list[str] = field(default_factory=list)
    """Request lines and headers as they arrived."""
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    listener: asyncio.Server | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def stop_listening(self) -> None:
        """Nobody new is accepted; connections made go on."""
        assert self.listener is not None
        self.listener.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                self.heads.append(head)
                length = next(
                    (int(h.split(":")[1]) for h in head.split("\r\n") if h.lower().startswith("content-length:")), 0
                )
                body = json.loads(await reader.readexactly(length) or b"{}")
                if not await self._answer(body, writer):
                    break
        writer.close()

    async def _answer(self, body: dict[str, Any], writer: asyncio.StreamWriter) -> bool:
        """Whether the connection goes on."""
        method = body.get("method", "")
        self.methods.append(method)
        if method == "tools/call":
            tool = body["params"]["name"]
            self.calls.append(tool)
            return await self._misbehave(tool, body["id"], writer)
        if method == "server/discover" and self.discover:
            await respond(writer, self.discover.pop(0), b"not now", "text/plain")
        elif method == "server/discover":
            await respond(writer, 200, answer(body["id"], DISCOVERED))
        elif method == "tools/list":
            await respond(writer, 200, answer(body["id"], _page((body.get("params") or {}).get("cursor"))))
        elif method == "initialize":
            await respond(writer, 200, answer(body["id"], INITIALIZED))
        else:
            await respond(writer, 202, b"")
        return True

    async def _misbehave(self, tool: str, number: int, writer: asyncio.StreamWriter) -> bool:
        good = answer(number, _result('{"ok": true}'))
        match tool:
            case "good":
                await respond(writer, 200, good)
            case "slow":
                await asyncio.sleep(0.3)  # a call in flight beside the one that breaks
                await respond(writer, 200, good)
            case "hang":
                await self.closing.wait()
                return False
            case "reset":
                # RST instead of FIN.
                linger = (1).to_bytes(4, sys.byteorder) + (0).to_bytes(4, sys.byteorder)
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                return False
            case "close":
                return False
            case "truncated":
                await respond(writer, 200, good[: len(good) // 2], length=len(good))
                return False
            case "truncated_stream":
                await respond(writer, 200, b"event: message\ndata: {", "text/event-stream", length=10_000)
                return False
            case "large":
                await respond(writer, 200, answer(number, _result("x" * BIG)))
            case "large_stream":
                event = b"event: message\ndata: " + answer(number, _result("x" * BIG)) + b"\n\n"
                await respond(writer, 200, event, "text/event-stream")
            case "garbage":
                await respond(writer, 200, b'{"jsonrpc": "2.0", "resul')
            case "html":
                await respond(writer, 200, b"<p>login</p>", "text/html")
            case "accepted":
                await respond(writer, 202, b"")
            case "elsewhere":
                await respond(writer, 303, b"", extra="location: http://127.0.0.1:1/login\r\n")
            case "wrong_shape":
                await respond(writer, 200, answer(number, {"content": 3}))
            case "breaks_schema":
                broken = _result("x") | {"structuredContent": {"results": "none"}}
                await respond(writer, 200, answer(number, broken))
            case "is_error":
                said = _result("no") | {"isError": True, "structuredContent": {"code": "blocked"}}
                await respond(writer, 200, answer(number, said))
            case _ if tool.startswith("rpc_"):
                error = {"code": -int(tool[4:]), "message": "refused"}
                await respond(writer, 200, json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode())
            case _ if tool.startswith("http_"):
                await respond(writer, int(tool[5:]), b"proxy says no", "text/plain", extra="retry-after: 7\r\n")
            case _:
                raise AssertionError(tool)
        return True


DISCOVERED = {
    "resultType": "complete",
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}},
    "ttlMs": 0,
    "cacheScope": "public",
}
INITIALIZED = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "evil", "version": "1"}}
PAGES: dict[str | None, tuple[list[str], str | None]] = {
    None: (["good", "slow"], "2"),
    "2": (["hang"], "3"),
    "3": (["breaks_schema"], None),
}


def _page(cursor: str | None) -> dict[str, Any]:
    names, following = PAGES[cursor]
    schema = {"type": "object", "properties": {"results": {"type": "array"}}}
    tools: list[dict[str, Any]] = [{"name": name, "inputSchema": {"type": "object", "title": name}} for name in names]
    for tool in tools:
        if tool["name"] == "breaks_schema":
            tool["outputSchema"] = schema
    page: dict[str, Any] = {"tools": tools, "resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
    return page | ({"nextCursor": following} if following else {})


def _result(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "resultType": "complete"}


def answer(number: int, result: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode()


async def respond(
    writer: asyncio.StreamWriter,
    status: int,
    body: bytes,
    content_type: str = "application/json",
    *,
    length: int | None = None,
    extra: str = "",
) -> None:
    length = len(body) if length is None else length
    head = f"HTTP/1.1 {status} X\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n{extra}\r\n"
    writer.write(head.encode() + body)
    await writer.drain()


@asynccontextmanager
async def evil_server() -> AsyncIterator[EvilServer]:
    evil = EvilServer()
    evil.listener = await asyncio.start_server(evil.serve, "127.0.0.1", 0)
    evil.port = evil.listener.sockets[0].getsockname()[1]
    try:
        yield evil
    finally:
        evil.closing.set()
        evil.listener.close()


if __name__ == "__main__":
    serve(sys.argv[1])
