"""A replica of a stage as a simulated process: the real worker with the real stage.

Owns: its lives (started, killed, stopped, terminated, started again), its clock, its connections.
Invariants: a life that was killed runs no further step; what a new life knows, it knows from the broker.
"""

import asyncio
import functools
from typing import Any

from pipeline import topology
from pipeline.decision import Stage
from pipeline.metrics import Metrics
from pipeline.runtime.worker import Worker
from pipeline.settings import PipelineSettings
from pipeline.stages.confirm import Confirm
from pipeline.stages.execute import Execute
from pipeline.stages.normalize import Normalize
from pipeline.stages.pre_validate import PreValidate
from pipeline.stages.reconcile import Reconcile
from pipeline.testing import installation as places
from pipeline.testing.broker import Broker
from pipeline.testing.clients import SimulatedClients
from pipeline.testing.clock import SimulatedClock
from pipeline.testing.loop import NOBODY, Life, Process, VirtualLoop
from pipeline.testing.network import Network, Point
from pipeline.testing.server import Servers
from pipeline.testing.tool_client import SimulatedTools
from pipeline.topology import StageName

STAGES: dict[StageName, Any] = {
    StageName.RECONCILE: Reconcile,
    StageName.PRE_VALIDATE: PreValidate,
    StageName.CONFIRM: Confirm,
    StageName.EXECUTE: Execute,
    StageName.NORMALIZE: Normalize,
}


@functools.cache
def metrics() -> Metrics:
    """Of all simulations of this process: nobody reads them."""
    return Metrics()


@functools.cache
def stage(name: StageName, version: int) -> Stage[Any]:
    """A stage is pure, so all replicas may share one object."""
    made: Stage[Any] = STAGES[name](places.installation(version), places.messages())
    return made


class Replica:
    """One replica over all its lives."""

    def __init__(
        self,
        *,
        name: StageName,
        index: int,
        loop: VirtualLoop,
        broker: Broker,
        servers: Servers,
        settings: PipelineSettings,
        random: Any,
        point: Point,
        ended: Any,
    ) -> None:
        self.stage = name
        self.index = index
        self.lives = 0
        self.version = 0
        """Of the installation that the next life runs."""
        self.offset_s = 0.0
        """Of its machine's clock."""
        self.delay_s = (0.0002, 0.002)
        """Of its connections, one way."""
        self.error: BaseException | None = None
        """What its worker ended with."""
        self.wanted = False
        """Whether it is to run: a killed one is started again."""
        self.process: Process | None = None
        self.worker: Worker | None = None
        self.clients: SimulatedClients | None = None
        self.clock: SimulatedClock | None = None
        self.run: asyncio.Task[None] | None = None
        self.processes: list[Process] = []
        """Of all lives: their tasks are kept, so that no garbage collection runs the code of a killed one."""
        self._loop = loop
        self._broker = broker
        self._servers = servers
        self._settings = settings
        self._random = random
        self._point = point
        self._ended = ended

    def __str__(self) -> str:
        return f"{self.stage.value}/{self.index}"

    @property
    def life(self) -> Life:
        """Dead when it was never started."""
        return self.process.life if self.process is not None else Life.DEAD

    def start(self) -> None:
        """Begin a new life."""
        if self.life is not Life.DEAD:
            return
        self.lives += 1
        self.wanted = True
        process = self.process = Process(f"{self}#{self.lives}")
        self.processes.append(process)
        network = Network(self._loop, self._broker, self._random, process, delay_s=self.delay_s, point=self._point)
        self.clients = SimulatedClients(network, self._settings)
        self.clock = SimulatedClock(self._loop, self._broker.epoch_ms, self.offset_s)
        self.worker = Worker(
            stage=stage(self.stage, self.version),
            spec=topology.STAGES[self.stage],
            settings=self._settings,
            clients=self.clients,
            clock=self.clock,
            tools=SimulatedTools(self._servers, self._loop),
            metrics=metrics(),
            channels=places.CHANNELS,
            replica=f"r{self.index}",
            incarnation=f"{self._loop.time():012.4f}/{self}/{self.lives}",
        )
        self.run = self._loop.spawn(process, self.worker.run(), name=process.name)
        self.run.add_done_callback(functools.partial(self._over, process), context=NOBODY)

    def _over(self, process: Process, run: "asyncio.Task[None]") -> None:
        if process.life is Life.DEAD:
            return
        process.life = Life.DEAD
        error = None if run.cancelled() else run.exception()
        self.error = error
        self._ended(self, error)

    def kill(self) -> None:
        """Kill -9: no callback runs any more."""
        if self.process is not None and self.process.life is not Life.DEAD:
            self.process.life = Life.DEAD

    def freeze(self) -> None:
        """SIGSTOP."""
        if self.process is not None and self.process.life is Life.ALIVE:
            self.process.life = Life.STOPPED

    def thaw(self) -> None:
        """SIGCONT."""
        if self.process is not None:
            self._loop.go_on(self.process)

    def terminate(self) -> None:
        """SIGTERM."""
        if self.worker is not None and self.life is not Life.DEAD:
            self.worker.stop()

    def jump(self, by_s: float) -> None:
        """Set the machine's clock."""
        self.offset_s += by_s
        if self.clock is not None:
            self.clock.offset_s += by_s
