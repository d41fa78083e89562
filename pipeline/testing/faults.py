"""Does to the world what the plan says, when it says.

Invariants: a fault strikes at most once; what was killed or terminated is started again, what was stopped goes on: the world can heal.
"""

from collections.abc import Callable
from functools import partial

from pipeline.runtime.ports import TopicPartition
from pipeline.testing.loop import Life, Process
from pipeline.testing.plan import OFFSET_S, Fault, FaultKind
from pipeline.testing.replicas import Replica
from pipeline.testing.world import World
from pipeline.topology import STAGES, state

TOMBSTONES_AFTER_S = 20.0
"""delete.retention.ms of the simulation, in seconds: no restore takes as long."""
AGAIN_S = 0.5
GONE_WITHIN_S = 12.0
"""A terminated replica that is still there is killed, as an orchestrator would."""


class Faults:
    """All faults of a plan."""

    def __init__(self, world: World, faults: tuple[Fault, ...]) -> None:
        self._world = world
        self._armed: list[tuple[Fault, list[int]]] = []
        self.struck: list[Fault] = []
        self.overdue: list[str] = []
        """Replicas that did not end in time after SIGTERM."""
        world.points.append(self._at_point)
        for fault in faults:
            world.loop.later(fault.at_s, self._due, fault)

    def _due(self, fault: Fault) -> None:
        if fault.request:
            self._armed.append((fault, [fault.nth]))
        elif fault.steps:
            process = self._replica(fault).process if self._replica(fault) else None  # type: ignore[union-attr]
            if process is not None and process.alive:
                process.on_step[process.steps + fault.steps] = lambda: self.strike(fault)
        else:
            self.strike(fault)

    def _at_point(self, process: Process, request: str, phase: str) -> None:
        for entry in self._armed:
            fault, left = entry
            if request != fault.request or phase != fault.phase:
                continue
            replica = self._replica(fault)
            if replica is None or replica.process is not process:
                continue
            left[0] -= 1
            if left[0] <= 0:
                self._armed.remove(entry)
                if fault.steps:
                    process.on_step[process.steps + fault.steps] = partial(self.strike, fault)
                else:
                    self.strike(fault)
                return

    def _replica(self, fault: Fault) -> Replica | None:
        for replica in self._world.replicas:
            if replica.stage is fault.stage and replica.index == fault.index:
                return replica
        return None

    def strike(self, fault: Fault) -> None:
        """Do it."""
        self.struck.append(fault)
        self._world.trace.add(f"FAULT {fault}")
        ACTS[fault.kind](self, fault)

    def _later(self, delay_s: float, act: Callable[[], object]) -> None:
        self._world.loop.later(delay_s, act)

    # --- each kind ---

    def _kill(self, fault: Fault) -> None:
        replica = self._replica(fault)
        if replica is None or not replica.wanted:
            return
        replica.kill()
        self._start_again(replica, fault)

    def _start_again(self, replica: Replica, fault: Fault) -> None:
        def again() -> None:
            if replica.wanted and replica.life is Life.DEAD and not self._world.ended:
                replica.version = int(fault.value)
                self._world.trace.add(f"{replica} starts again")
                replica.start()

        self._later(fault.for_s, again)

    def _freeze(self, fault: Fault) -> None:
        replica = self._replica(fault)
        if replica is None or replica.process is None or not replica.process.alive:
            return
        replica.freeze()
        process = replica.process

        def thaw() -> None:
            if process.life is Life.STOPPED and not self._world.ended:
                self._world.trace.add(f"{replica} goes on")
                self._world.loop.go_on(process)

        self._later(fault.for_s, thaw)

    def _terminate(self, fault: Fault) -> None:
        replica = self._replica(fault)
        if replica is None or replica.process is None or not replica.process.alive:
            return
        replica.terminate()
        process, since = replica.process, self._world.loop.time()

        def look() -> None:
            if self._world.ended or not replica.wanted:
                return
            if process.life is not Life.DEAD:
                if self._world.loop.time() - since > GONE_WITHIN_S and replica.process is process:
                    self._world.trace.add(f"{replica} is still there: killed")
                    self.overdue.append(str(replica))
                    replica.kill()
                self._later(AGAIN_S, look)
            else:
                self._start_again(replica, fault)

        self._later(AGAIN_S, look)

    def _outage(self, fault: Fault) -> None:
        broker = self._world.broker
        broker.go_down()

        def up() -> None:
            self._world.trace.add("the broker is back")
            broker.come_up()

        self._later(fault.for_s, up)

    def _time_out(self, fault: Fault) -> None:
        assert fault.stage is not None
        group = self._world.settings.named(STAGES[fault.stage].group)
        for number in range(self._world.settings.kafka.partitions):
            self._world.broker.transactions.abort_now(f"{group}-{number}")

    def _jump(self, fault: Fault) -> None:
        replica = self._replica(fault)
        if replica is not None:
            wanted = max(-OFFSET_S, min(OFFSET_S, replica.offset_s + fault.value))
            replica.jump(wanted - replica.offset_s)

    def _compact(self, fault: Fault) -> None:
        assert fault.stage is not None
        broker = self._world.broker
        topic = self._world.settings.named(state(fault.stage))
        before_ms = broker.now_ms() - int(TOMBSTONES_AFTER_S * 1000)
        for number in range(broker.counts[topic]):
            removed = broker.logs[TopicPartition(topic, number)].compact(tombstones_before_ms=before_ms)
            self._world.trace.add(f"compacted {topic}/{number}: {removed} entries less")

    def _fail_fetch(self, fault: Fault) -> None:
        replica = self._replica(fault)
        if replica is not None and replica.clients is not None and replica.clients.consumers:
            replica.clients.consumers[-1].fail_next = True

    def _server_down(self, fault: Fault) -> None:
        servers = self._world.servers
        servers.down[fault.server] = None
        self._later(fault.for_s, lambda: servers.down.pop(fault.server, None))

    def _rebalance(self, fault: Fault) -> None:
        assert fault.stage is not None
        self._world.broker.groups.rebalance(self._world.settings.named(STAGES[fault.stage].group))

    def _scale_up(self, fault: Fault) -> None:
        assert fault.stage is not None
        replica = self._replica(fault)
        if replica is None:
            replica = self._world.add_replica(fault.stage, fault.index)
            self._world.replicas.append(replica)
        replica.start()

        def down() -> None:
            replica.wanted = False
            if replica.process is not None and replica.process.life is Life.STOPPED:
                replica.thaw()
            replica.terminate()

        self._later(fault.for_s, down)

    def _repeat_report(self, fault: Fault) -> None:
        replica = self._replica(fault)
        if replica is not None and replica.process is not None:
            replica.process.repeat_reports = True

    def _fail_produce(self, fault: Fault) -> None:
        replica = self._replica(fault)
        if replica is not None and replica.process is not None:
            replica.process.fail_produce = True

    def _cut_off(self, fault: Fault) -> None:
        replica = self._replica(fault)
        if replica is None or replica.process is None:
            return
        process = replica.process
        process.cut_off = True

        def heal() -> None:
            process.cut_off = False

        self._later(fault.for_s, heal)

    def _stall_fetch(self, fault: Fault) -> None:
        replica = self._replica(fault)
        if replica is not None and replica.clients is not None and replica.clients.consumers:
            replica.clients.consumers[-1].stalled = True


ACTS: dict[FaultKind, Callable[[Faults, Fault], None]] = {
    FaultKind.KILL: Faults._kill,  # noqa: SLF001
    FaultKind.FREEZE: Faults._freeze,  # noqa: SLF001
    FaultKind.TERMINATE: Faults._terminate,  # noqa: SLF001
    FaultKind.OUTAGE: Faults._outage,  # noqa: SLF001
    FaultKind.TRANSACTION_TIMEOUT: Faults._time_out,  # noqa: SLF001
    FaultKind.CLOCK_JUMP: Faults._jump,  # noqa: SLF001
    FaultKind.COMPACTION: Faults._compact,  # noqa: SLF001
    FaultKind.FETCH_ERROR: Faults._fail_fetch,  # noqa: SLF001
    FaultKind.SERVER_DOWN: Faults._server_down,  # noqa: SLF001
    FaultKind.REBALANCE: Faults._rebalance,  # noqa: SLF001
    FaultKind.SCALE_UP: Faults._scale_up,  # noqa: SLF001
    FaultKind.REPEATED_REPORT: Faults._repeat_report,  # noqa: SLF001
    FaultKind.PRODUCE_ERROR: Faults._fail_produce,  # noqa: SLF001
    FaultKind.CUT_OFF: Faults._cut_off,  # noqa: SLF001
    FaultKind.FETCH_STALL: Faults._stall_fetch,  # noqa: SLF001
}
