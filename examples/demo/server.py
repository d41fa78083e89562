"""Both MCP servers in one process on one port: /contas/mcp and /retail/mcp, over streamable HTTP by uvicorn."""

import asyncio
import errno
import logging
import re
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import cast

import uvicorn
from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from examples.demo.calls import Calls
from examples.demo.contas import Contas
from examples.demo.faults import App, OnTheWire
from examples.demo.ledger import Ledger
from examples.demo.retail import Retail
from examples.demo.settings import DemoSettings

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def application(ledger: Ledger, settings: DemoSettings) -> ASGIApp:
    """The whole demo as one ASGI application."""
    calls = Calls(ledger, settings)
    servers = {"contas": Contas(calls).server(), "retail": Retail(calls).server()}
    apps = {name: _mcp_app(server, settings) for name, server in servers.items()}

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for server in servers.values():
                await stack.enter_async_context(server.session_manager.run())
            yield

    async def health(_: Request) -> JSONResponse:
        return JSONResponse({"status": "ready", "servers": sorted(servers)})

    routes = [Route("/health", health), *(Mount(f"/{name}", app=app) for name, app in apps.items())]
    starlette = Starlette(routes=routes, lifespan=lifespan)
    return cast("ASGIApp", OnTheWire(cast("App", starlette), ledger, for_all=settings.fault))


def _mcp_app(server: MCPServer, settings: DemoSettings) -> Starlette:
    # Other Host headers than localhost's are refused by default; behind another name (Compose) that must be allowed.
    open_host = (
        None if settings.listen in LOOPBACK else TransportSecuritySettings(enable_dns_rebinding_protection=False)
    )
    return server.streamable_http_app(transport_security=open_host, host=settings.listen)


async def serve_async(settings: DemoSettings) -> None:
    """Serve until cancelled or told to stop (SIGINT, SIGTERM). Raises: OSError when the port is taken."""
    ledger = Ledger(settings.ledger)
    listening = _listen(settings)
    try:
        config = uvicorn.Config(
            application(ledger, settings), log_level="warning", timeout_keep_alive=30, timeout_graceful_shutdown=3
        )
        port = listening.getsockname()[1]
        sys.stdout.write(f"demo MCP servers on http://{settings.listen}:{port}/contas/mcp and /retail/mcp\n")
        sys.stdout.flush()
        await uvicorn.Server(config).serve(sockets=[listening])
    finally:
        listening.close()
        ledger.close()


def serve(settings: DemoSettings) -> None:
    """As `serve_async`, with an event loop of its own."""
    logging.getLogger("mcp").setLevel(logging.ERROR)
    asyncio.run(serve_async(settings))


def main(holder_of: Callable[[int], str] = lambda port: "") -> None:  # noqa: ARG005
    """Serve as the environment says; `holder_of` tells who has a port."""
    try:
        settings = DemoSettings()
    except ValidationError as error:
        for problem in error.errors(include_url=False):
            needed = re.sub(r"^Input should be (.*?)(, unable to .*)?$", r"must be \1", problem["msg"])
            name = f"PIPELINE_DEMO_{str(problem['loc'][0]).upper()}"
            sys.stderr.write(f"{name}: {needed}, not {str(problem['input'])!r}\n")
        sys.exit(2)
    try:
        serve(settings)
    except OSError as error:
        holder = holder_of(settings.port) if error.errno == errno.EADDRINUSE else ""
        by = f" by {holder}" if holder else ""
        sys.stderr.write(
            f"{settings.listen}:{settings.port} cannot be used ({error.strerror}{by}); stop what has it (a `dev` or a demo?) or "
            "set PIPELINE_DEMO_PORT\n"
        )
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _listen(settings: DemoSettings) -> socket.socket:
    """Bind before anything else is done, so that a taken port is said at once."""
    family = socket.AF_INET6 if ":" in settings.listen else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.listen, settings.port))
    except OSError:
        listening.close()
        raise
    listening.listen(128)
    return listening
