"""The place where a tool may do what it does: its environment, its server process, and how often something was really done.

Owns: the file's commands and the process that it starts.
Invariants: the environment is as before, and nothing that was started runs on, when the block ends.
"""

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from consumers.certify.scenarios import SandboxSpec, filled
from consumers.chaos.processes import Process
from consumers.cli.terminal import CommandError
from consumers.local_kafka.ports import free_pair
from consumers.local_kafka.settings import PROJECT

END_S = 5.0


class Sandbox:
    """An open sandbox; without a spec it is the server as it stands, and nothing is run."""

    def __init__(self, spec: SandboxSpec, names: Mapping[str, str], environment: Mapping[str, str]) -> None:
        self._spec = spec
        self.names = names
        self.environment = environment
        self.process: Process | None = None
        self._counted: int | None = None

    @property
    def restartable(self) -> bool:
        """Whether `restart` does something."""
        return self.process is not None or self._spec.restart is not None

    @property
    def counts(self) -> bool:
        """Whether effects can be counted."""
        return self._spec.effects is not None

    async def run(self, command: tuple[str, ...], what: str) -> str:
        """Run a command of the file. Returns: what it printed. Raises: CommandError with its last words."""
        program = filled(command, self.names)
        try:
            child = await asyncio.create_subprocess_exec(
                *program,
                cwd=PROJECT,
                env={**os.environ, **self.environment},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
        except OSError as error:
            raise CommandError(f"{what}: {program[0]} cannot be run ({error.strerror}).", code=2) from None
        try:
            async with asyncio.timeout(self._spec.command_timeout_s):
                said, complained = await child.communicate()
        except TimeoutError:
            limit = f"{self._spec.command_timeout_s:g} s"
            raise CommandError(f"{what}: did not end within sandbox.command_timeout_s ({limit}).") from None
        finally:
            if child.returncode is None:
                child.kill()
                await child.wait()
        if child.returncode:
            last = (complained or said).decode(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
            raise CommandError(f"{what}: ended with {child.returncode}: {last[0]}")
        return said.decode(errors="replace").strip()

    async def grown(self) -> int | None:
        """How many items were really done since this was asked last; None: nobody counts, or nobody has counted yet.

        Raises: CommandError.
        """
        if self._spec.effects is None:
            return None
        printed = await self.run(self._spec.effects, "sandbox.effects")
        if not printed.isdecimal():
            raise CommandError(f"sandbox.effects: must print one number, and printed {printed[:80]!r}.", code=2)
        before, self._counted = self._counted, int(printed)
        return None if before is None else self._counted - before

    async def restart(self) -> None:
        """Kill the server that was started here and start it again, or run the file's command. Raises: CommandError."""
        if self.process is not None:
            self.process.send(signal.SIGKILL)
            await asyncio.to_thread(self.process.wait, END_S)
            self.process.start()
        elif self._spec.restart is not None:
            await self.run(self._spec.restart, "sandbox.restart")

    def obituary(self) -> str | None:
        """Last words of the server that was started here, when it has ended by itself."""
        if self.process is None or self.process.alive:
            return None
        said = self.process.log.read_text("utf-8", "replace").strip().splitlines()
        return said[-1] if said else "it said nothing"


@asynccontextmanager
async def open_sandbox(spec: SandboxSpec) -> AsyncIterator[Sandbox]:
    """A sandbox for the length of the block: environment set, server started (not yet connected to)."""
    with tempfile.TemporaryDirectory(prefix="certify-") as folder:
        port = str(free_pair()[0])
        names = {"python": sys.executable, "folder": folder, "free_port": port}
        environment = filled(dict(spec.environment), names)
        before = {name: os.environ.get(name) for name in environment}
        sandbox = Sandbox(spec, names, environment)
        os.environ.update(environment)
        try:
            if spec.start is not None:
                command = filled(spec.start, names)
                sandbox.process = Process("sandbox", command, dict(os.environ), Path(folder))
                try:
                    sandbox.process.start()
                except OSError as error:
                    raise CommandError(
                        f"sandbox.start: {command[0]} cannot be run ({error.strerror}).", code=2
                    ) from None
            yield sandbox
        finally:
            if sandbox.process is not None and sandbox.process.child is not None:
                await asyncio.to_thread(sandbox.process.end, END_S)
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
