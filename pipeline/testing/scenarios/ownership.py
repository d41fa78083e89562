"""Who owns a number: takeovers, names, offsets that are gone, formats and counts that do not fit."""

import orjson

from pipeline import topology
from pipeline.runtime.ports import OutputRecord, TopicPartition
from pipeline.testing.invariants import Invariants
from pipeline.testing.loop import Life
from pipeline.testing.plan import FaultKind
from pipeline.testing.scenarios.scenario import Scenario, all_of, at, customer, ended, fault, plan, stopped
from pipeline.testing.server import Fate
from pipeline.testing.world import World
from pipeline.topology import StageName


def _same_name(world: World, _: Invariants) -> None:
    """A second process called r0."""

    def begin() -> None:
        twin = world.add_replica(StageName.CONFIRM, 0)
        world.replicas.append(twin)
        twin.start()
        twin.wanted = False

    world.loop.later(4.0, begin)


def _twin_refused(world: World, invariants: Invariants) -> None:
    twins = [replica for replica in world.replicas if replica.stage is StageName.CONFIRM and replica.index == 0]
    world.run_until(lambda: twins[1].life is Life.DEAD, within_s=40.0)
    invariants.check("the scenario", twins[0].life is Life.ALIVE, "the first one did not go on")
    told = str(twins[1].error)
    invariants.check("the scenario", "another live member" in told, f"the second one ended with {told}")


def _slow_restore(world: World, _: Invariants) -> None:
    """Restoring takes longer than the session: requests of one stage take 0.4 s each."""
    for replica in world.replicas:
        if replica.stage is StageName.RECONCILE:
            replica.delay_s = (0.18, 0.22)


def _lose_offsets(world: World) -> None:
    for replica in world.replicas:
        if replica.stage is StageName.EXECUTE:
            replica.kill()
    group = world.broker.groups.group(world.settings.named("execute"))
    group.committed.clear()
    for replica in world.replicas:
        if replica.stage is StageName.EXECUTE:
            world.loop.later(4.0, replica.start)


def _lose_log(world: World) -> None:
    stage = [replica for replica in world.replicas if replica.stage is StageName.EXECUTE]
    for replica in stage:
        replica.kill()
        world.loop.later(4.0, replica.start)
    for number in range(world.settings.kafka.partitions):
        log = world.broker.logs[TopicPartition(world.settings.named(topology.EXECUTE), number)]
        log.append(timestamp_ms=world.broker.now_ms(), key=b"x", value=b"{}", headers=())
        log.delete_below(log.end)


def _newer_state(world: World) -> None:
    stage = [replica for replica in world.replicas if replica.stage is StageName.CONFIRM]
    for replica in stage:
        replica.kill()
        world.loop.later(4.0, replica.start)
    topic = world.settings.named(topology.state("confirm"))
    for number in range(world.settings.kafka.partitions):
        records = world.broker.decided_records(TopicPartition(topic, number))
        body = orjson.loads(records[0].value or b"{}")
        world.broker.append(OutputRecord(topic, number, b"k", orjson.dumps({**body, "key": "k", "format": 99})))


def _more_partitions_of_one(world: World) -> None:
    world.broker.create(world.settings.named(topology.CONFIRM), world.settings.kafka.partitions + 1)
    for replica in world.replicas:
        if replica.stage is StageName.CONFIRM:
            replica.kill()
            world.loop.later(4.0, replica.start)


def _zombie_ends(world: World, invariants: Invariants) -> None:
    restarts = max(transactional.epoch for transactional in world.broker.transactions.known.values())
    invariants.check("the scenario", restarts < 15, f"fenced {restarts} times: it does not end")


OWNERSHIP: tuple[Scenario, ...] = (
    Scenario(
        number=5,
        name="offsets-expired",
        tells="the group's offsets are gone: neither from the beginning nor from the end, an operator decides",
        plan=plan(5, customer(1, "plain")),
        prepare=at(6.0, _lose_offsets),
        finish=stopped(StageName.EXECUTE, "no committed offset though state exists"),
        allow_alarms=True,
        stops=True,
    ),
    Scenario(
        number=5,
        name="downtime-beyond-retention",
        tells="the committed offset is below the log start: an operator decides",
        plan=plan(5, customer(1, "plain")),
        prepare=at(6.0, _lose_log),
        finish=stopped(StageName.EXECUTE, "below the log start"),
        allow_alarms=True,
        stops=True,
    ),
    Scenario(
        number=8,
        name="two-with-one-name",
        tells="a second process with a replica's name is refused, the first goes on",
        plan=plan(8, customer(1, "plain", at=8.0)),
        prepare=_same_name,
        finish=all_of(_twin_refused, ended(1, "COMPLETED")),
    ),
    Scenario(
        number=9,
        name="takeover-longer-than-the-session",
        tells="takeovers outlast the session timeout while rebalances come one after the other",
        plan=plan(
            9,
            *(customer(n, "plain") for n in range(1, 4)),
            faults=tuple(fault(FaultKind.REBALANCE, 0.5 + n * 0.9, StageName.RECONCILE) for n in range(12)),
        ),
        prepare=_slow_restore,
    ),
    Scenario(
        number=10,
        name="number-comes-back",
        tells="rebalances in every phase; the number comes back and its records are delivered again",
        plan=plan(
            10,
            *(customer(n, "amend", at=1.0 + n * 0.3) for n in range(1, 5)),
            faults=tuple(
                fault(FaultKind.REBALANCE, 0.9 + n * 0.35, stage, request=request, phase=phase, nth=1)
                for n, (request, phase) in enumerate(
                    (r, p) for r in ("produce", "offset_commit", "commit") for p in ("before", "applied", "after")
                )
                for stage in StageName
            ),
        ),
    ),
    Scenario(
        number=19,
        name="terminated-anywhere",
        tells="SIGTERM in the middle of a transaction, a call, a takeover, a rebalance",
        plan=plan(
            19,
            *(customer(n, script, at=1.0 + n * 1.7) for n, script in enumerate(("report", "plain", "amend"), start=1)),
            *(customer(n, "report", at=1.0 + n * 1.7) for n in range(4, 10)),
            fates={Fate.SLOW: 1.0, Fate.FINE: 2.0},
            faults=tuple(
                fault(FaultKind.TERMINATE, 1.5 + n * 1.3, stage, index=n % 2, request=request, for_s=0.2)
                for n, (request, stage) in enumerate(
                    (r, s)
                    for r in ("commit", "produce", "restore", "join", "committed")
                    for s in (StageName.EXECUTE, StageName.RECONCILE, StageName.CONFIRM)
                )
            ),
        ),
    ),
    Scenario(
        number=20,
        name="newer-state-format",
        tells="a newer version wrote state and was rolled back: the number stops",
        plan=plan(20, customer(1, "plain")),
        prepare=at(6.0, _newer_state),
        finish=stopped(StageName.CONFIRM, "newer than"),
        allow_alarms=True,
        stops=True,
    ),
    Scenario(
        number=20,
        name="partitions-added-to-one-topic",
        tells="one topic has more partitions than the others: nobody works on it",
        plan=plan(20, customer(1, "plain")),
        prepare=at(6.0, _more_partitions_of_one),
        finish=stopped(StageName.CONFIRM, "partition count"),
        allow_alarms=True,
        stops=True,
    ),
    Scenario(
        number=24,
        name="zombie-fences-the-owner",
        tells="a zombie wakes, sees itself assigned and fences the rightful owner: this ends",
        plan=plan(
            24,
            *(customer(n, "plain", at=1.0 + n * 2.0) for n in range(1, 6)),
            faults=tuple(
                fault(FaultKind.FREEZE, 1.5 + n * 3.0, stage, index=n % 2, for_s=5.0)
                for n in range(3)
                for stage in StageName
            ),
        ),
        finish=_zombie_ends,
    ),
)
