"""One scenario, and the blocks that scenarios are built of."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.runtime.ports import OutputRecord
from pipeline.testing.customers import CustomerPlan
from pipeline.testing.invariants import Invariants
from pipeline.testing.loop import Life
from pipeline.testing.partitioner import partition_of
from pipeline.testing.plan import Fault, FaultKind, Plan
from pipeline.testing.server import Fate
from pipeline.testing.simulation import Report, run
from pipeline.testing.world import World
from pipeline.topology import StageName

Act = Callable[[World, Invariants], None]


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """One scenario."""

    number: int
    name: str
    tells: str
    plan: Plan
    prepare: Act | None = None
    finish: Act | None = None
    allow_alarms: bool = False
    stops: bool = False
    """Some number stops for an operator."""
    patches: tuple[tuple[Any, str, Any], ...] = field(default=())

    def run(self) -> Report:
        """Play it."""
        before = [(target, name, getattr(target, name)) for target, name, _ in self.patches]
        try:
            for target, name, value in self.patches:
                setattr(target, name, value)
            return run(
                self.plan,
                prepare=self.prepare,
                finish=self.finish,
                allow_alarms=self.allow_alarms,
                stops=self.stops,
                retention=False,
            )
        finally:
            for target, name, value in before:
                setattr(target, name, value)


def customer(
    number: int, script: str, *, agent: str = "telecom_contas", items: int = 2, at: float = 1.0, **more: Any
) -> CustomerPlan:
    """A customer with one script."""
    words = ("Alfa", "Beta", "Gama", "Delta")
    named = (
        tuple(f"P-{number:02}0{item}" for item in range(items))
        if agent == "retail_orders"
        else tuple(f"{word}{number:02}0" for word in words[:items])
    )
    fields: dict[str, Any] = {
        "name": f"c{number:02}",
        "tenant_id": "acme" if number % 2 else "globex",
        "agent_id": agent,
        "session_id": f"s{number}",
        "channel": "web",
        "scripts": ((script, named),),
        "begins_s": at,
        "pace_s": 0.2,
    }
    return CustomerPlan(**{**fields, **more})


def plan(seed: int, *customers: CustomerPlan, **more: Any) -> Plan:
    """A plan with these customers and nothing that goes wrong."""
    return replace(Plan(seed=seed, customers=customers), **more)


def fault(kind: FaultKind, at_s: float, stage: StageName | None = None, **more: Any) -> Fault:
    """A fault."""
    return Fault(kind=kind, at_s=at_s, stage=stage, **more)


def finals(world: World, conversation_of: int) -> list[str]:
    """Statuses of the final answers that a customer heard."""
    for one in world.customers:
        if one.plan.name == f"c{conversation_of:02}":
            return [
                str(response.metadata.status.value)
                for response in one.heard
                if response.metadata.kind.value == "final" and response.metadata.status
            ]
    return []


def ended(number: int, *statuses: str) -> Act:
    """The customer heard exactly these endings."""

    def check(world: World, invariants: Invariants) -> None:
        heard = finals(world, number)
        invariants.check("the scenario", heard == list(statuses), f"c{number:02} heard {heard}, not {statuses}")

    return check


def all_of(*acts: Act) -> Act:
    """One after the other."""

    def act(world: World, invariants: Invariants) -> None:
        for one in acts:
            one(world, invariants)

    return act


def effects(count: int) -> Act:
    """So many effects in all."""

    def check(world: World, invariants: Invariants) -> None:
        done = [effect.tool for effect in world.servers.effects]
        invariants.check("the scenario", len(done) == count, f"effects {done}, not {count}")

    return check


def when(sees: Callable[[World], bool], act: Callable[[World], None]) -> Act:
    """Do something the first moment after a commit or an arrival at which something holds."""

    def prepare(world: World, _: Invariants) -> None:
        done: list[bool] = []

        def look(*__: object) -> None:
            if not done and not world.ended and sees(world):
                done.append(True)
                act(world)

        def decided(*_: object) -> None:
            world.loop.later(0.0, look)

        world.broker.on_decided.append(decided)
        world.servers.watchers.append(look)

    return prepare


def at(seconds: float, act: Callable[[World], None]) -> Act:
    """Do something at an instant."""

    def prepare(world: World, _: Invariants) -> None:
        world.loop.later(seconds, act, world)

    return prepare


def calling(world: World) -> bool:
    """Whether a side-effecting call has arrived and is not done."""
    arrived = {
        arrival.key for arrival in world.servers.arrivals if world.installation.tools[arrival.tool].transactional
    }
    return len(arrived) > len(world.servers.effects)


def append(world: World, topic: str, key: str, value: bytes, **headers: str) -> None:
    """Write a record by hand, where its conversation belongs."""
    name = world.settings.named(topic)
    number = partition_of(key.encode(), world.broker.counts[name])
    world.broker.append(
        OutputRecord(name, number, key.encode(), value, tuple((k, v.encode()) for k, v in headers.items()))
    )


def stopped(stage: StageName, words: str) -> Act:
    """Some number of a stage has stopped for an operator, and says why."""

    def check(world: World, invariants: Invariants) -> None:
        told = [problem for replica in world.replicas if replica.stage is stage for problem in problems(replica)]
        invariants.check("the scenario", any(words in problem for problem in told), f"{stage} says {told}")

    return check


def problems(replica: Any) -> list[str]:
    """Why a replica is not ready."""
    if replica.life is Life.DEAD:
        return [str(replica.error)] if replica.error else []
    return list(replica.worker.health().problems) if replica.worker is not None else []


SLOW_SERVER = {Fate.SLOW: 1.0}
"""Calls take about as long as they may."""
