"""Serves /metrics, /health/live and /health/ready of a stage process, and measures how late its event loop wakes."""

import asyncio
import errno
import socket
from collections.abc import Callable, Mapping
from typing import Any

import uvicorn
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from consumers.port_holder import holder_of
from pipeline.metrics import Metrics

LOOP_LAG_S = 0.5
"""Period of the event-loop lag measurement."""


def _listen(host: str, port: int) -> socket.socket:
    """Bind by ourselves: uvicorn logs a line of its own and leaves the process. Raises: OSError that says who has the port."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        if error.errno != errno.EADDRINUSE:
            raise
        holder = holder_of(port)
        taken = f"port {port} on {host} is taken" + (f" by {holder}" if holder else "")
        raise OSError(errno.EADDRINUSE, taken) from None
    return listening


class _Server(uvicorn.Server):
    """uvicorn without signal handlers of its own: the process decides when it ends."""

    def capture_signals(self) -> Any:
        """Leave signals alone."""
        import contextlib

        return contextlib.nullcontext()


class Observability:
    """One small HTTP server in the event loop of the workers: it answers only as long as that loop turns."""

    def __init__(self, metrics: Metrics, health: Callable[[], Mapping[str, Any]]) -> None:
        self._metrics = metrics
        self._health = health
        self._server: _Server | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, host: str, port: int) -> int:
        """Listen. Returns: the port, which is any free one for 0. Raises: OSError when it is taken."""
        app = Starlette(
            routes=[
                Route("/metrics", self._serve_metrics),
                Route("/health/live", self._serve_live),
                Route("/health/ready", self._serve_ready),
            ]
        )
        listening = _listen(host, port)
        config = uvicorn.Config(app, host=host, port=port, log_config=None, access_log=False, lifespan="off")
        self._server = _Server(config)
        loop = asyncio.get_running_loop()
        self._tasks = [
            loop.create_task(self._server.serve(sockets=[listening]), name="observability"),
            loop.create_task(self._measure_loop(), name="event loop lag"),
        ]
        return int(listening.getsockname()[1])

    async def stop(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.should_exit = True
        for task in self._tasks[1:]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _measure_loop(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(LOOP_LAG_S)  # the measurement itself
            self._metrics.loop_lag.set(max(0.0, loop.time() - before - LOOP_LAG_S))

    async def _serve_metrics(self, _: Request) -> Response:
        return Response(generate_latest(self._metrics.registry), media_type=CONTENT_TYPE_LATEST)

    async def _serve_live(self, _: Request) -> Response:
        return self._answer("live")

    async def _serve_ready(self, _: Request) -> Response:
        return self._answer("ready")

    def _answer(self, what: str) -> Response:
        stages = self._health()
        good = bool(stages) and all(getattr(health, what) for health in stages.values())
        problems = {name: list(health.problems) for name, health in stages.items() if health.problems}
        return JSONResponse({what: good, "problems": problems}, status_code=200 if good else 503)
