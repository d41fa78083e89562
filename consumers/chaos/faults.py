"""Makes the faults of a plan happen, and puts each right again.

Owns: which replicas there are and should be; what was done when.
Invariants: what is away or stopped is put right by whoever did it, so faults may overlap; a fault that finds nobody to hit hits the next
best or is not counted; when `put_all_right` returns every replica that should be there is alive and was started after its last end.
"""

import asyncio
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from consumers.chaos.ground import Ground
from consumers.chaos.plan import Fault, Kind
from consumers.chaos.processes import Process, replica

GROWN_S = 8.0
"""A process of this age has usually taken over; three of four faults wait for that, or nothing would ever run for long."""
TERM_S = 30.0
"""How long a replica may take to end in order before it is killed; more than 10 s is reported."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A fault that happened."""

    kind: Kind
    target: str
    at: datetime
    until: datetime
    life: int = 0
    """Which life of the target was hit, from 1."""
    ended_s: float | None = None
    """SIGTERM: how long its end took."""


@dataclass(slots=True)
class Faults:
    """All processes of a run, and what befalls them."""

    under: Ground
    groups: Sequence[Sequence[str]]
    """Stages of the processes of one replica."""
    replicas: int
    mutant: str | None = None
    members: dict[str, Process] = field(default_factory=dict)
    hits: list[Hit] = field(default_factory=list)
    broker: asyncio.Lock = field(default_factory=asyncio.Lock)
    servers: asyncio.Lock = field(default_factory=asyncio.Lock)
    _names: int = 0
    _in_hand: set[str] = field(default_factory=set)
    """Processes that a fault has hit and not put right."""

    def start(self) -> None:
        """Start the MCP servers and every replica."""
        self.under.servers.start()
        for _ in range(self.replicas):
            self._begin(self._new())

    def _new(self) -> list[Process]:
        self._names += 1
        environment = {**self.under.environment}
        if self.mutant:
            environment["PIPELINE_MUTANT"] = self.mutant
        made = []
        for place, stages in enumerate(self.groups):
            name = f"r{self._names}" if len(self.groups) == 1 else f"r{self._names}-{stages[0]}"
            made.append(replica(name, stages, environment, self.under.logs))
            self.members[made[place].name] = made[place]
        return made

    def _begin(self, processes: Sequence[Process]) -> None:
        for process in processes:
            process.start()

    async def run(self, faults: Sequence[Fault]) -> None:
        """Make them happen, each at its time; returns when the last has been put right."""
        began = asyncio.get_running_loop().time()
        async with asyncio.TaskGroup() as group:
            for fault in faults:
                await asyncio.sleep(max(0.0, began + fault.at_s - asyncio.get_running_loop().time()))
                group.create_task(self._happen(fault), name=fault.kind.value)

    async def _happen(self, fault: Fault) -> None:
        match fault.kind:
            case Kind.BROKER_KILL | Kind.BROKER_TERM:
                async with self.broker:
                    act = self.under.kill_broker if fault.kind is Kind.BROKER_KILL else self.under.term_broker
                    at = _now()
                    await asyncio.to_thread(act, fault.pick)
                    await asyncio.sleep(fault.lasting_s)
                    await asyncio.to_thread(self.under.start_brokers)
                    self._note(fault.kind, "broker", at)
            case Kind.MCP_KILL | Kind.MCP_HANG | Kind.MCP_LOSES:
                async with self.servers:
                    await self._servers(fault)
            case Kind.SCALE_UP:
                await self._scale_up(fault)
            case _:
                await self._replica(fault)

    async def _servers(self, fault: Fault) -> None:
        servers, at = self.under.servers, _now()
        if fault.kind is Kind.MCP_HANG:
            servers.send(signal.SIGSTOP)
            await asyncio.sleep(fault.lasting_s)
            servers.send(signal.SIGCONT)
        else:
            servers.send(signal.SIGKILL)
            await asyncio.to_thread(servers.wait, 5.0)
            if fault.kind is Kind.MCP_LOSES:
                servers.start(PIPELINE_DEMO_FAULT="falha-resposta-perdida")
                await asyncio.sleep(fault.lasting_s)
                servers.send(signal.SIGKILL)
                await asyncio.to_thread(servers.wait, 5.0)
            else:
                await asyncio.sleep(fault.lasting_s)
            servers.start()
        self._note(fault.kind, "mcp", at, life=servers.lives)

    async def _scale_up(self, fault: Fault) -> None:
        at, made = _now(), self._new()
        self._begin(made)
        await asyncio.sleep(fault.lasting_s)
        while self._in_hand & {process.name for process in made}:  # noqa: ASYNC110
            await asyncio.sleep(0.1)  # another fault has hit one of them: it puts that right first
        self._in_hand |= {process.name for process in made}
        ended = await asyncio.gather(*(self._term(process) for process in made))
        for process in made:
            del self.members[process.name]
            self._in_hand.discard(process.name)
        self._note(fault.kind, made[0].name, at, life=made[0].lives, ended_s=max(ended))

    async def _replica(self, fault: Fault) -> None:
        process = self._picked(fault.pick)
        if process is None:
            return
        self._in_hand.add(process.name)
        try:
            await self._hit(fault, process)
        finally:
            self._in_hand.discard(process.name)

    async def _hit(self, fault: Fault, process: Process) -> None:
        at, life, ended_s = _now(), process.lives, None
        if fault.kind in {Kind.ZOMBIE, Kind.PAUSE}:
            process.send(signal.SIGSTOP)
            await asyncio.sleep(fault.lasting_s)
            process.send(signal.SIGCONT)
        else:
            if fault.kind is Kind.KILL:
                process.send(signal.SIGKILL)
                await asyncio.to_thread(process.wait, 5.0)
            else:
                ended_s = await self._term(process)
            await asyncio.sleep(fault.lasting_s)
            process.start()
        self._note(fault.kind, process.name, at, life=life, ended_s=ended_s)

    def _picked(self, pick: float) -> Process | None:
        """One that works and that no other fault has in hand; mostly one that has had the time to take over."""
        there = [p for p in self.members.values() if p.working and p.name not in self._in_hand]
        grown = [p for p in there if p.age_s > GROWN_S]
        if grown and int(pick * 1000) % 4:
            there = grown
        return there[int(pick * len(there))] if there else None

    async def _term(self, process: Process) -> float:
        loop = asyncio.get_running_loop()
        began = loop.time()
        process.send(signal.SIGTERM)
        if await asyncio.to_thread(process.wait, TERM_S) is None:
            process.send(signal.SIGKILL)
            await asyncio.to_thread(process.wait, 5.0)
        return round(loop.time() - began, 3)

    def _note(self, kind: Kind, target: str, at: datetime, *, life: int = 0, ended_s: float | None = None) -> None:
        self.hits.append(Hit(kind, target, at, _now(), life, ended_s))

    def deaths(self) -> list[str]:
        """Processes that should live and do not: nobody killed them."""
        return [name for name, process in self.members.items() if not process.alive and name not in self._in_hand]

    def revive(self, tell: Callable[[str], None]) -> None:
        """Start again what ended by itself: an orchestrator would; the log keeps why."""
        for name in self.deaths():
            tell(f"{name} had ended by itself: see {self.members[name].log}")
            self.members[name].start()

    async def end(self) -> dict[str, float]:
        """SIGTERM to every replica at once. Returns: seconds by replica."""
        there = [process for process in self.members.values() if process.alive]
        for process in there:
            process.send(signal.SIGCONT)
        seconds = await asyncio.gather(*(self._term(process) for process in there))
        return {process.name: took for process, took in zip(there, seconds, strict=True)}

    def abandon(self) -> None:
        """End everything now."""
        for process in [*self.members.values(), self.under.servers]:
            process.send(signal.SIGKILL)
            process.end(1)


def _now() -> datetime:
    return datetime.now(UTC)
