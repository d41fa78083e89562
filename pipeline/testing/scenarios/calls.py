"""Calls: restarts beside them, lost and undecidable answers, few slots, zombies about to send."""

from collections.abc import Callable
from typing import Any

from pipeline import topology
from pipeline.runtime.ports import TopicPartition
from pipeline.stages.execute import attempts
from pipeline.testing.invariants import Invariants
from pipeline.testing.loop import Life, Process
from pipeline.testing.plan import FaultKind
from pipeline.testing.scenarios.scenario import (
    SLOW_SERVER,
    Scenario,
    all_of,
    calling,
    customer,
    effects,
    ended,
    fault,
    plan,
    when,
)
from pipeline.testing.server import Fate
from pipeline.testing.world import World
from pipeline.topology import StageName


def _fence_execute(world: World) -> None:
    for name, transactional in world.broker.transactions.known.items():
        if ".execute-" in name:
            transactional.epoch += 1


STEPS_TO_SENDING = 4
"""Callbacks between the answer to the commit of CALLING and the sending of the call."""


def _freeze_at_calling(world: World, _: Invariants) -> None:
    """Stop execute when its CALLING is durable and it is about to send."""
    done: list[bool] = []

    def look(process: Process, request: str, phase: str) -> None:
        if done or phase != "after" or request != "commit" or not process.name.startswith("execute/"):
            return
        topic = world.settings.named(topology.state("execute"))
        for number in range(world.broker.counts[topic]):
            records = world.broker.decided_records(TopicPartition(topic, number))
            if any(b'"phase":"calling"' in (record.value or b"") for record in records[-3:]):
                done.append(True)
                process.on_step[process.steps + STEPS_TO_SENDING] = stop_of(process)
                return

    def stop_of(process: Process) -> Callable[[], None]:
        def stop() -> None:
            process.life = Life.STOPPED
            world.trace.add(f"{process.name} is stopped before it sends")
            world.loop.later(9.0, world.loop.go_on, process)

        return stop

    world.points.append(look)


def _never_decided(step: Any, answer: Any) -> Any:
    if answer.code == "undecidable":
        return _RETURNED(step, answer)
    raise RuntimeError("an outcome that makes decide raise, every time")


_RETURNED = attempts.returned


def _nobody_unsent_is_unknown(world: World, invariants: Invariants) -> None:
    for record, response in world.gateway.read:
        metadata = response.metadata
        if metadata.kind.value != "final" or metadata.status is None or metadata.status.value != "OUTCOME_UNKNOWN":
            continue
        sent = bool(invariants.keys_of(metadata.transaction_id or ""))
        invariants.check(
            "the scenario", sent, f"{metadata.transaction_id} at {record.offset} is unknown, its call was never sent"
        )


def _other_conversations_do_not_wait(world: World, invariants: Invariants) -> None:
    """A query that began while the rebalance waited for the call was answered before the call ended."""
    for one in world.customers:
        if one.plan.scripts[0][0] == "query":
            invariants.check("the scenario", not one.unanswered, f"{one.plan.name} was not answered")


CALLS: tuple[Scenario, ...] = (
    Scenario(
        number=1,
        name="restart-while-a-call-runs",
        tells="the task restarts while a call runs: no false unknown, no second call",
        plan=plan(1, customer(1, "report"), customer(2, "plain"), fates={Fate.FINE: 1.0}),
        prepare=when(calling, _fence_execute),
        finish=all_of(ended(1, "COMPLETED"), ended(2, "COMPLETED")),
    ),
    Scenario(
        number=2,
        name="stopped-before-it-sends",
        tells="CALLING is durable, the process is stopped, another asks and sends, the first one wakes",
        plan=plan(2, customer(1, "plain")),
        prepare=_freeze_at_calling,
        finish=all_of(ended(1, "COMPLETED"), effects(1)),
    ),
    Scenario(
        number=6,
        name="answer-breaks-after-the-effect",
        tells="the tool ran and its answer can't be read: unknown, never a failure, never a blind second call",
        plan=plan(6, customer(1, "report"), customer(2, "plain"), fates={Fate.UNREADABLE: 1.0, Fate.FINE: 0.3}),
    ),
    Scenario(
        number=12,
        name="outcome-nobody-can-decide",
        tells="an outcome that makes decide raise settles as unknown, never as another call",
        plan=plan(12, customer(1, "plain", items=1), customer(2, "report")),
        finish=all_of(ended(1, "OUTCOME_UNKNOWN"), ended(2, "OUTCOME_UNKNOWN"), effects(2)),
        allow_alarms=True,
        patches=((attempts, "returned", _never_decided),),
    ),
    Scenario(
        number=16,
        name="more-calls-than-slots",
        tells="many calls wait for few slots; kill -9: nobody whose call was never sent is told unknown",
        plan=plan(
            16,
            *(customer(n, "report", at=1.0 + n * 0.02, pace_s=0.05, items=1) for n in range(1, 31)),
            fates={Fate.SLOW: 1.0},
            faults=(
                fault(FaultKind.KILL, 2.5, StageName.EXECUTE, for_s=1.0),
                fault(FaultKind.KILL, 2.6, StageName.EXECUTE, index=1, for_s=1.0),
            ),
        ),
        finish=_nobody_unsent_is_unknown,
    ),
    Scenario(
        number=21,
        name="rebalance-while-a-call-takes-long",
        tells="a rebalance waits for a call nobody can ask about, other conversations do not wait longer than needed",
        plan=plan(
            21,
            customer(1, "report"),
            *(customer(n, "query", at=2.0 + n * 0.2) for n in range(2, 8)),
            fates=SLOW_SERVER,
            faults=tuple(fault(FaultKind.REBALANCE, 1.9 + n, StageName.EXECUTE) for n in range(3)),
        ),
        finish=_other_conversations_do_not_wait,
    ),
)
