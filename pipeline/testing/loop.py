# ruff: noqa: SLF001 - it is an event loop of asyncio's own making, seen from inside
"""An asyncio event loop on virtual time, and the processes that live on it.

Owns: the order of callbacks, virtual seconds, what belongs to which simulated process (by context), kill -9 and SIGSTOP.
Invariants: time moves only when nothing is ready, straight to the next timer; a dead process runs no further callback, so nothing of
its code cleans up; a stopped one has its callbacks withheld, timers included, and gets them all when it goes on. What was sent before
goes on without it. Never: threads, sockets, signals, the wall clock. Source: DESIGN 5; Kafka raft `RaftEventSimulationTest`.
"""

import asyncio
import contextvars
import heapq
from collections.abc import Callable, Coroutine
from enum import StrEnum
from typing import Any


class Life(StrEnum):
    """What a simulated process is doing."""

    ALIVE = "alive"
    STOPPED = "stopped"
    DEAD = "dead"


class Process:
    """A simulated operating-system process: everything started in its context is its own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.life = Life.ALIVE
        self.steps = 0
        """Callbacks run so far."""
        self.on_step: dict[int, Callable[[], None]] = {}
        """What is done to it before its n-th callback: any await point can be hit."""
        self.repeat_reports = False
        """A fault: every report of a call is told twice."""
        self.fail_produce = False
        """A fault: the broker refuses the next batch it produces."""
        self.cut_off = False
        """A fault: nothing passes between it and the broker."""
        self.withheld: list[asyncio.Handle] = []
        self.context = contextvars.Context()
        self.context.run(OWNER.set, self)

    @property
    def alive(self) -> bool:
        """Whether it exists and runs."""
        return self.life is Life.ALIVE


OWNER: contextvars.ContextVar[Process | None] = contextvars.ContextVar("owner", default=None)
"""The process whose code runs."""

NOBODY = contextvars.Context()
"""Context of what no process owns: the broker, the network, customers."""


KEPT = 1_000
"""Tasks after which those that are done are forgotten."""


class Deadlock(RuntimeError):
    """Nothing is ready and no timer is set."""


class VirtualLoop(asyncio.BaseEventLoop):
    """Runs callbacks in order, on virtual time."""

    def __init__(self) -> None:
        super().__init__()
        self._virtual_s = 0.0
        self.steps = 0
        self.after_step: Callable[[], None] | None = None
        self._kept: list[asyncio.Task[Any]] = []

    def time(self) -> float:
        """Virtual seconds since the start."""
        return self._virtual_s

    def create_task(self, *args: Any, **options: Any) -> "asyncio.Task[Any]":
        """Start a task and keep it: of a killed process nobody else may hold it, and its collection would run its clean-up."""
        task: asyncio.Task[Any] = super().create_task(*args, **options)
        self._kept.append(task)
        if len(self._kept) > KEPT:
            self._kept = [kept for kept in self._kept if not kept.done()]
        return task

    def spawn(
        self, process: Process, coroutine: Coroutine[Any, Any, Any], name: str | None = None
    ) -> "asyncio.Task[Any]":
        """Start a task that belongs to a process, with all it starts."""
        return self.create_task(coroutine, name=name, context=process.context.copy())

    def later(self, delay_s: float, callback: Callable[..., object], *args: Any) -> asyncio.TimerHandle:
        """Call something that no process owns."""
        return self.call_later(delay_s, callback, *args, context=NOBODY)

    def go_on(self, process: Process, *, buried: bool = False) -> None:
        """SIGCONT: give a stopped process its callbacks; `buried`: a dead one too, when the world has ended."""
        if process.life is Life.STOPPED or buried:
            process.life = Life.ALIVE
            self._ready.extend(process.withheld)  # type: ignore[attr-defined]
            process.withheld.clear()

    def bury(self, processes: list[Process]) -> None:
        """End everything: what is left is cancelled and runs out, so that no garbage collection runs it at a random moment."""
        for process in processes:
            process.on_step.clear()
            self.go_on(process, buried=True)
        for _ in range(50):
            tasks = asyncio.all_tasks(self)
            if not tasks:
                break
            for task in tasks:
                task.cancel()
            self.later(60.0, self.stop)
            self.run_forever()
        self.close()

    def _run_once(self) -> None:
        ready: Any = self._ready  # type: ignore[attr-defined]
        scheduled: list[asyncio.TimerHandle] = self._scheduled  # type: ignore[attr-defined]
        while scheduled and scheduled[0].cancelled():
            heapq.heappop(scheduled)._scheduled = False  # type: ignore[attr-defined]
        if not ready and not self._stopping:  # type: ignore[attr-defined]
            if not scheduled:
                raise Deadlock("nothing is ready and no timer is set")
            self._virtual_s = max(self._virtual_s, scheduled[0].when())
        while scheduled and scheduled[0].when() <= self._virtual_s:
            timer = heapq.heappop(scheduled)
            timer._scheduled = False  # type: ignore[attr-defined]
            if not timer.cancelled():
                ready.append(timer)
        for _ in range(len(ready)):
            self._step(ready.popleft())

    def _step(self, handle: asyncio.Handle) -> None:
        if handle.cancelled():
            return
        process = handle._context.get(OWNER)  # type: ignore[attr-defined]
        if process is not None:
            process.steps += 1
            due = process.on_step.pop(process.steps, None)
            if due is not None:
                due()
            if process.life is not Life.ALIVE:
                process.steps -= 1
                process.withheld.append(handle)
                return
        self.steps += 1
        handle._run()
        if self.after_step is not None:
            self.after_step()

    def _process_events(self, event_list: Any) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """Nobody sleeps in a selector."""
