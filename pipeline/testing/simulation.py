"""Runs one plan from start to rest, watched: the same plan gives the same trace, byte for byte.

Owns: the life of a run (begin, faults, healing, rest, retention), what is tuned for speed, what a run reports.
"""

import contextlib
import logging
import time
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, NoReturn

import structlog

from pipeline.runtime import observing, pending, polling
from pipeline.runtime.task import Task
from pipeline.testing.faults import Faults
from pipeline.testing.invariants import Invariants, Violation
from pipeline.testing.loop import OWNER, Life
from pipeline.testing.plan import WINDOW_S, FaultKind, Plan
from pipeline.testing.world import World
from pipeline.topology import StageName

REST_WITHIN_S = 150.0
"""Virtual seconds after the last fault within which everything must have come to rest."""
DELAYING = {FaultKind.OUTAGE, FaultKind.FREEZE, FaultKind.CUT_OFF}
"""Faults after which a replica may take longer to end in order."""
CALM_POLL_MS = 500
"""The worker's own 100 ms cost a simulated minute ten times as much and find nothing more."""
QUIET_POLL_MS = 20_000
"""While only retention is waited for."""


@dataclass(slots=True)
class Report:
    """What a run came to."""

    plan: Plan
    violations: list[Violation]
    trace: str
    digest: str
    steps: int
    commits: int
    virtual_s: float
    real_s: float
    messages: int
    struck: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether every promise was kept."""
        return not self.violations


def run(
    plan: Plan,
    *,
    prepare: Callable[[World, Invariants], None] | None = None,
    finish: Callable[[World, Invariants], None] | None = None,
    allow_alarms: bool = False,
    stops: bool = False,
    retention: bool | None = None,
) -> Report:
    """Run a plan. `stops`: some number is to stop for an operator, so the world does not come to rest.

    `prepare` and `finish`: what a scenario does to the world before it begins, and asks of it at the end; `retention`: wait until all
    is forgotten (None: every fifth seed does).
    """
    retention = plan.seed % 5 == 0 if retention is None else retention
    began = time.perf_counter()
    random = Random(plan.seed)
    world = World(
        random,
        seed=plan.seed,
        replicas=plan.replicas,
        partitions=plan.partitions,
        batch_max_records=plan.batch_max_records,
        fates=plan.fates,
    )
    invariants = Invariants(world, allow_alarms=allow_alarms)
    with _watched(world, invariants):
        try:
            faults = Faults(world, plan.faults)
            _begin(world, plan)
            if prepare is not None:
                prepare(world, invariants)
            if stops:
                world.run_for(40.0)
            else:
                _live(world, plan, invariants, retention=retention)
            stalled = any(fault.kind is FaultKind.FETCH_STALL for fault in plan.faults)
            invariants.check("no stall without a cause", stalled or not invariants.stalls, "a watchdog barked")
            undisturbed = not any(fault.kind in DELAYING for fault in plan.faults)
            if undisturbed:
                invariants.check("gone after SIGTERM", not faults.overdue, f"{faults.overdue} are still there")
            if finish is not None and not invariants.violations:
                finish(world, invariants)
            trace, digest = world.trace.text(), world.trace.digest
        finally:
            virtual_s, steps = world.loop.time(), world.loop.steps
            world.close()
    return Report(
        plan=plan,
        violations=invariants.violations,
        trace=trace,
        digest=digest,
        steps=steps,
        commits=invariants.commits,
        virtual_s=virtual_s,
        real_s=time.perf_counter() - began,
        messages=len(world.gateway.sent),
        struck=[str(fault) for fault in faults.struck],
    )


def _begin(world: World, plan: Plan) -> None:
    for number, replica in enumerate(world.replicas):
        replica.delay_s = plan.delay_s
        replica.offset_s = plan.offsets_s[number] if number < len(plan.offsets_s) else 0.0
        world.loop.later(number * 0.01, replica.start)
    for customer in plan.customers:
        world.add_customer(customer)


def _live(world: World, plan: Plan, invariants: Invariants, *, retention: bool) -> None:
    """Until everything is at rest, or the first violation."""

    def over() -> bool:
        return bool(invariants.violations) or (world.loop.time() > last and world.at_rest())

    last = max((fault.at_s + fault.for_s for fault in plan.faults), default=0.0) + 1.0
    rested = world.run_until(over, within_s=max(last, WINDOW_S[1]) + REST_WITHIN_S)
    if not invariants.violations and not rested:
        waiting = [customer.plan.name for customer in world.customers if not customer.done]
        invariants.violated(
            "the system comes to rest",
            f"lag { ({str(p): n for p, n in world.lag().items()}) }, open {world.open_transactions()}, customers {waiting}",
        )
    if invariants.violations:
        return
    world.run_for(8.0)  # calls that are still running somewhere, timers, rebalances
    world.run_until(lambda: world.at_rest() or bool(invariants.violations), within_s=30.0)
    world.run_until(
        lambda: bool(invariants.violations) or not (invariants.unwell() or invariants.open_transactions()),
        within_s=40.0,
    )
    if not invariants.violations:
        invariants.at_end()
    if not invariants.violations and retention:
        polling.POLL_MS = QUIET_POLL_MS
        world.run_for(world.installation.timing.session_retention_ms / 1000 + 45.0)
        if not invariants.violations:
            invariants.forgotten()


@contextlib.contextmanager
def _watched(world: World, invariants: Invariants) -> Iterator[None]:
    """Tune the worker for virtual time, listen to what it logs, compare live state after every commit."""

    def committed(task: Task, *args: Any) -> None:
        was_committed(task, *args)
        process = OWNER.get()
        known = world.broker.transactions.known.get(task._transactional_id)  # noqa: SLF001
        producer = task._transactor._producer  # noqa: SLF001
        if process is None or process.life is Life.DEAD or known is None or world.ended:
            return
        if known.epoch == producer._epoch:  # type: ignore[attr-defined] # noqa: SLF001
            stage = StageName(task._stage_name)  # noqa: SLF001
            invariants.compare_state(stage, task.number, task._store)  # noqa: SLF001

    def report(task: Task, conversation: str, event: Any) -> None:
        was_report(task, conversation, event)
        process = OWNER.get()
        if process is not None and process.repeat_reports:
            was_report(task, conversation, event)

    def listen(logger: Any, name: str, event: MutableMapping[str, Any]) -> NoReturn:  # noqa: ARG001
        said = event.get("event")
        if not world.ended:
            process = OWNER.get()
            reason = event.get("reason") or event.get("error") or ""
            world.trace.add(f"log {process.name if process else '-'} {name}: {said} {reason}")
            if said == "defect in a task":
                invariants.violated("no defect", f"{event.get('exc_info') or reason}")
        raise structlog.DropEvent

    def stray(loop: Any, context: dict[str, Any]) -> None:  # noqa: ARG001
        error = context.get("exception")
        if not world.ended and error is not None:
            invariants.violated("no stray exception", f"{context.get('message')}: {type(error).__name__}: {error}")

    was_committed, was_report = Task._committed, Task.report  # noqa: SLF001
    was_poll, was_observe, was_idle = polling.POLL_MS, observing.OBSERVE_S, pending.IDLE_S
    was_logging = structlog.get_config()
    world.loop.set_exception_handler(stray)
    try:
        setattr(Task, "_committed", committed)  # noqa: B010
        setattr(Task, "report", report)  # noqa: B010
        polling.POLL_MS, observing.OBSERVE_S, pending.IDLE_S = CALM_POLL_MS, 5.0, 5.0
        structlog.configure(
            processors=[structlog.processors.ExceptionRenderer(_Short()), listen],
            wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
            cache_logger_on_first_use=False,
        )
        yield
    finally:
        setattr(Task, "_committed", was_committed)  # noqa: B010
        setattr(Task, "report", was_report)  # noqa: B010
        polling.POLL_MS, observing.OBSERVE_S, pending.IDLE_S = was_poll, was_observe, was_idle
        structlog.configure(**was_logging)


class _Short(structlog.typing.ExceptionTransformer):
    """Name and text of an exception: a traceback holds addresses."""

    def __call__(self, exc_info: structlog.typing.ExcInfo) -> str:
        return f"{exc_info[0].__name__}: {exc_info[1]}"
