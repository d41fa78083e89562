"""`demo`: the demo MCP servers, by themselves or for the length of another process.

Owns: how `dev` starts them: a process of its own whose stdin is a pipe of ours. When we end, in whatever way, the pipe closes and
it ends too (a signal on our death exists on Linux only, and follows a thread instead of the process).
"""

import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from consumers.cli.terminal import CommandError
from consumers.local_kafka.settings import PROJECT

START_S = 60.0
STOP_S = 8.0
LOGS = PROJECT / ".pipeline" / "logs"


def command(
    port: Annotated[int | None, typer.Option(help="Default: PIPELINE_DEMO_PORT or 8765; 0: any free one.")] = None,
    fault: Annotated[
        str | None, typer.Option(help="A failure for everybody, such as falha-lenta-5; see examples/demo/README.md.")
    ] = None,
    while_stdin_open: Annotated[
        bool, typer.Option("--while-stdin-open", help="End when stdin is closed: for whoever starts it as a child.")
    ] = False,
) -> None:
    """Serve the demo's two MCP servers, contas and retail, with a ledger of what was really done, until Ctrl-C.

    Exits 1 when its port is taken.
    """
    for name, value in (("PIPELINE_DEMO_PORT", port), ("PIPELINE_DEMO_FAULT", fault)):
        if value is not None:
            os.environ[name] = str(value)
    if while_stdin_open:
        threading.Thread(target=_end_with_stdin, daemon=True).start()

    from consumers.port_holder import holder_of
    from examples.demo.server import main

    main(holder_of)


def _end_with_stdin() -> None:
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class DemoServers:
    """The demo as a child."""

    process: "subprocess.Popen[bytes]"
    log: Path

    def wait_ready(self) -> str:
        """Wait for the line that tells where it listens. Returns: the line. Raises: CommandError with the demo's own words."""
        assert self.process.stdout is not None
        line = _first_line(self.process.stdout.fileno(), START_S)
        if line:
            return line
        self.process.kill()
        said = [line for line in self.log.read_text("utf-8", "replace").splitlines() if line.strip()]
        reason = said[-1] if said else f"nothing was heard of them for {START_S:g} s"
        raise CommandError(f"The demo MCP servers did not start: {reason.rstrip('.')} (log {self.log}).")


def _first_line(descriptor: int, seconds: float) -> str:
    """The first line, empty when there is none in time or the process ended."""
    heard = b""
    deadline = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while b"\n" not in heard and (left := deadline - time.monotonic()) > 0:
            if selector.select(left):
                chunk = os.read(descriptor, 4096)
                if not chunk:
                    return ""
                heard += chunk
    return heard.split(b"\n", 1)[0].decode("utf-8", "replace") if b"\n" in heard else ""


@contextmanager
def demo_servers() -> Iterator[DemoServers]:
    """The demo for the length of a block; it has begun to start when the block begins."""
    log = LOGS / "demo.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as problems:
        process = subprocess.Popen(
            [sys.executable, "-m", "consumers", "demo", "--while-stdin-open"],
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=problems,
            start_new_session=True,  # Ctrl-C in the terminal is for us: the stages end first
        )
    try:
        yield DemoServers(process, log)
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
