"""An OpenAI-compatible endpoint on loopback that misbehaves on demand.

Owns: POST /v1/chat/completions, a script of behaviours used in order (the last one for ever), the requests that came.
Invariants: it listens on 127.0.0.1 alone; what is asked is recorded before it is answered.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

MEGABYTES = 10
"""Size of an answer that is too large."""


@dataclass(frozen=True)
class Asked:
    """A request as the gateway saw it."""

    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def operation(self) -> str:
        return self.headers["x-operation"]

    @property
    def said(self) -> str:
        """The last message."""
        return str(self.body["messages"][-1]["content"])


Behaviour = Callable[[Asked], Response]


def says(text: str, **changes: Any) -> Behaviour:
    """Answer with this text, as the protocol has it."""

    def answer(asked: Asked) -> Response:
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 120, "completion_tokens": 35, "total_tokens": 155}
        body = {"id": "c-1", "model": asked.body["model"], "choices": [{**choice, **changes}], "usage": usage}
        return JSONResponse(body)

    return answer


def reads(tool: str | None, **said: Any) -> Behaviour:
    """Answer with a reading of a message."""
    return says(json.dumps({"tool": tool, **said}))


def status(code: int) -> Behaviour:
    """Answer with a status and nothing readable."""
    return lambda _: Response(b"<html>oops</html>", status_code=code)


def raw(content: bytes) -> Behaviour:
    """Answer with these bytes and status 200."""
    return lambda _: Response(content, media_type="application/json")


def compressed(_: Asked) -> Response:
    """Answer compressed though nobody asked for it."""
    return Response(b"\x1f\x8b", headers={"content-encoding": "gzip"})


def elsewhere(_: Asked) -> Response:
    """Send the caller, and its key, to another place."""
    return RedirectResponse("http://127.0.0.1:1/v1/chat/completions", status_code=307)


def hangs(_: Asked) -> Response:
    """Begin an answer and never end it."""

    async def body() -> AsyncIterator[bytes]:
        yield b'{"choices": ['
        await asyncio.Event().wait()

    return StreamingResponse(body(), media_type="application/json")


def floods(_: Asked) -> Response:
    """Answer with ten megabytes."""

    async def body() -> AsyncIterator[bytes]:
        yield b'{"choices": [{"message": {"content": "'
        for _ in range(MEGABYTES * 16):
            yield b"x" * 65_536
        yield b'"}}]}'

    return StreamingResponse(body(), media_type="application/json")


@dataclass
class FakeAiGateway:
    """The endpoint and what it is going to do."""

    script: dict[str, list[Behaviour]] = field(default_factory=dict)
    """Behaviours by operation; an operation without any answers 404."""
    asked: list[Asked] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def asked_for(self, operation: str) -> list[Asked]:
        return [one for one in self.asked if one.operation == operation]

    async def completions(self, request: Request) -> Response:
        asked = Asked(await request.json(), dict(request.headers))
        before = len(self.asked_for(asked.operation))
        self.asked.append(asked)
        behaviours = self.script.get(asked.operation)
        if not behaviours:
            return Response(status_code=404)
        return behaviours[min(before, len(behaviours) - 1)](asked)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["FakeAiGateway"]:
        """Listen on a free port for as long as the block runs."""
        app = Starlette(routes=[Route("/v1/chat/completions", self.completions, methods=["POST"])])
        config = uvicorn.Config(
            app, host="127.0.0.1", port=0, log_config=None, lifespan="off", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        server.install_signal_handlers = lambda: None  # type: ignore[method-assign,attr-defined,unused-ignore]
        socket = config.bind_socket()
        self.port = int(socket.getsockname()[1])
        serving = asyncio.get_running_loop().create_task(server.serve(sockets=[socket]))
        try:
            while not server.started:
                await asyncio.sleep(0.01)
            yield self
        finally:
            server.should_exit = True
            await serving
