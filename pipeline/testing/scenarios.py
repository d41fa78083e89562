"""The scenarios that broke earlier drafts of the design, each by its number and name.

Owns: what each does to the world and what must come of it, besides every promise of invariants.py.
Source: the project's list of scenarios; those that are only about the real client are tests on real Kafka.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from pipeline import topology
from pipeline.runtime.ports import OutputRecord, TopicPartition
from pipeline.stages.execute import step as execute_step
from pipeline.testing.customers import CustomerPlan
from pipeline.testing.invariants import Invariants
from pipeline.testing.loop import Life, Process
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


# --- building blocks ----------------------------------------------------------------------------------------------------


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


def replica_of(world: World, stage: StageName, index: int = 0) -> Any:
    """A replica."""
    return next(replica for replica in world.replicas if replica.stage is stage and replica.index == index)


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


# --- the scenarios -------------------------------------------------------------------------------------------------------


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


def _garbage(world: World) -> None:
    """A verdict that can't be read, in a conversation whose question is open."""
    for one in world.customers:
        append(world, topology.CONFIRM, one.conversation, b'{"command": {"kind": "verdict"}}')
        append(world, topology.STATUS, one.conversation, b"not JSON")


def _newer_record(world: World) -> None:
    append(world, topology.EXECUTE, world.customers[0].conversation, b"{}", contract_version="execute-command-v9")


def _never_decided(self: Any, answer: Any) -> Any:
    if answer.code == "undecidable":
        return _STEP_RETURNED(self, answer)
    raise RuntimeError("an outcome that makes decide raise, every time")


_STEP_RETURNED = execute_step.Step._returned  # noqa: SLF001


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


def _say_again_otherwise(world: World) -> None:
    """A counter that restarted: the same message id with other words."""
    for _, request in list(world.gateway.sent):
        changed = {**request, "payload": {**request["payload"], "message": "quero outra coisa"}}
        world.gateway.put_raw(changed)


def _flood(world: World) -> None:
    """Many messages while the call runs."""
    one = world.customers[0]
    for number in range(60):
        world.gateway.put(one.request(f"flood-{number}", f"e aí {number}?"))


def _refuse_on_voice(words: bytes) -> Callable[[World], None]:
    """From now on the broker refuses values with these bytes on the voice channel."""

    def act(world: World) -> None:
        topic = world.settings.named(topology.responses("voice"))
        for number in range(world.broker.counts[topic]):
            world.broker.logs[TopicPartition(topic, number)].refused = words

    return act


def _zombie_ends(world: World, invariants: Invariants) -> None:
    restarts = max(transactional.epoch for transactional in world.broker.transactions.known.values())
    invariants.check("the scenario", restarts < 15, f"fenced {restarts} times: it does not end")


def _a_minute_apart(world: World, invariants: Invariants) -> None:
    invariants.allow_skew = True  # not_after is by the clock of whoever wrote it
    for number, replica in enumerate(world.replicas):
        replica.offset_s = 30.0 if number % 2 else -30.0


SCENARIOS: dict[str, Scenario] = {
    scenario.name: scenario
    for scenario in (
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
            number=3,
            name="getmany-loses-records",
            tells="getmany raises for one partition and has lost what it drained of others",
            plan=plan(
                3,
                *(customer(n, "plain", at=1.0 + n * 0.05) for n in range(1, 5)),
                faults=tuple(
                    fault(FaultKind.FETCH_ERROR, 0.9 + n * 0.1, stage, index=n % 2)
                    for n in range(12)
                    for stage in (StageName.RECONCILE, StageName.CONFIRM, StageName.EXECUTE)
                ),
            ),
            finish=all_of(*(ended(n, "COMPLETED") for n in range(1, 5))),
        ),
        Scenario(
            number=4,
            name="read-and-not-decided",
            tells="a process dies between getmany and the decision, with records read and not decided",
            plan=plan(
                4,
                *(customer(n, "chatter", at=1.0 + n * 0.02, pace_s=0.02) for n in range(1, 6)),
                batch_max_records=1,
                partitions=1,
                replicas=1,
                faults=tuple(
                    fault(FaultKind.KILL, 1.0 + n * 0.6, StageName.RECONCILE, request="produce", for_s=0.05)
                    for n in range(4)
                ),
            ),
        ),
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
            number=6,
            name="answer-breaks-after-the-effect",
            tells="the tool ran and its answer can't be read: unknown, never a failure, never a blind second call",
            plan=plan(6, customer(1, "report"), customer(2, "plain"), fates={Fate.UNREADABLE: 1.0, Fate.FINE: 0.3}),
        ),
        Scenario(
            number=7,
            name="one-closes-another-opens",
            tells="one message closes one transaction and opens another; item retries have keys of their own",
            plan=plan(
                7,
                customer(1, "replace"),
                customer(2, "second_request", agent="retail_orders"),
                *(customer(n, "plain", items=4) for n in range(3, 9)),
            ),
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
            number=11,
            name="unreadable-internal-record",
            tells="internal records that can't be read are dead-lettered, the conversation does not hang",
            plan=plan(11, customer(1, "expire"), customer(2, "plain")),
            prepare=at(2.5, _garbage),
            allow_alarms=True,
        ),
        Scenario(
            number=11,
            name="newer-internal-record",
            tells="a newer major version of an internal record stops the number instead of being dead-lettered",
            plan=plan(11, customer(1, "plain")),
            prepare=at(6.0, _newer_record),
            finish=stopped(StageName.EXECUTE, "deploy the newer readers first"),
            allow_alarms=True,
            stops=True,
        ),
        Scenario(
            number=12,
            name="outcome-nobody-can-decide",
            tells="an outcome that makes decide raise settles as unknown, never as another call",
            plan=plan(12, customer(1, "plain", items=1), customer(2, "report")),
            finish=all_of(ended(1, "OUTCOME_UNKNOWN"), ended(2, "OUTCOME_UNKNOWN"), effects(2)),
            allow_alarms=True,
            patches=((execute_step.Step, "_returned", _never_decided),),
        ),
        Scenario(
            number=13,
            name="yes-before-the-question",
            tells="a yes typed before the question was asked executes nothing",
            plan=plan(13, *(customer(n, "impatient", at=1.0 + n * 0.1) for n in range(1, 6))),
        ),
        Scenario(
            number=14,
            name="confirm-was-down",
            tells="confirm was down beyond the expiry and a yes in time is unread: the yes wins",
            plan=plan(
                14,
                customer(1, "plain", at=1.0, pace_s=4.0, agent="retail_orders"),
                faults=tuple(
                    fault(FaultKind.KILL, 6.5, StageName.CONFIRM, index=index, for_s=25.0) for index in range(2)
                ),
            ),
            finish=ended(1, "COMPLETED"),
        ),
        Scenario(
            number=15,
            name="amendment-crosses-expiry",
            tells="amendments and expiries of the same questions cross",
            plan=plan(
                15,
                *(
                    customer(n, "amend_at_expiry", at=1.0 + n * 0.03, pace_s=0.02 * n, agent="retail_orders")
                    for n in range(1, 9)
                ),
                *(customer(n, "late_yes", at=1.0 + n * 0.03, pace_s=0.01 * n) for n in range(9, 15)),
            ),
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
            number=17,
            name="batch-sees-itself-and-aborts",
            tells="later records of a batch see earlier writes; the transaction aborts and none of them stays",
            plan=plan(
                17,
                *(customer(n, "chatter", at=1.0, pace_s=0.001) for n in range(1, 5)),
                partitions=1,
                replicas=1,
                faults=tuple(
                    fault(FaultKind.TRANSACTION_TIMEOUT, 1.0 + n * 0.2, stage, request="offset_commit")
                    for n in range(5)
                    for stage in (StageName.RECONCILE, StageName.CONFIRM)
                ),
            ),
        ),
        Scenario(
            number=18,
            name="misplaced-requests",
            tells="a gateway hashes otherwise, leaves the key out, or uses a foreign one",
            plan=plan(
                18,
                *(
                    customer(n, "amend", glitches={1: glitch, 2: other, 3: glitch})
                    for n, (glitch, other) in enumerate(
                        (("partition", "keyless"), ("keyless", "key"), ("key", "partition")), start=1
                    )
                ),
                partitions=3,
            ),
        ),
        Scenario(
            number=19,
            name="terminated-anywhere",
            tells="SIGTERM in the middle of a transaction, a call, a takeover, a rebalance",
            plan=plan(
                19,
                *(
                    customer(n, script, at=1.0 + n * 1.7)
                    for n, script in enumerate(("report", "plain", "amend"), start=1)
                ),
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
        Scenario(
            number=22,
            name="message-id-used-twice",
            tells="the same message id twice, with the same and with other words",
            plan=plan(
                22, customer(1, "plain", glitches={1: "twice", 2: "twice"}), customer(2, "amend", glitches={2: "twice"})
            ),
            prepare=at(12.0, _say_again_otherwise),
            allow_alarms=True,
        ),
        Scenario(
            number=23,
            name="flood-in-one-conversation",
            tells="many messages in one conversation while its call runs",
            plan=plan(23, customer(1, "plain"), customer(2, "plain"), fates=SLOW_SERVER),
            prepare=at(1.9, _flood),
        ),
        Scenario(
            number=23,
            name="commit-that-always-fails",
            tells="one answer is refused by the broker every time: dead-lettered, the others go on",
            plan=plan(23, customer(1, "query", channel="voice"), customer(2, "plain", channel="web")),
            prepare=at(0.5, _refuse_on_voice(b"feito")),
            finish=all_of(ended(1, "FAILED"), ended(2, "COMPLETED")),
            allow_alarms=True,
        ),
        Scenario(
            number=23,
            name="not-even-dead-lettered",
            tells="the broker refuses the answer and what is said instead of it: the number stops for an operator",
            plan=plan(23, customer(1, "query", channel="voice")),
            prepare=at(0.5, _refuse_on_voice(b"final")),
            finish=stopped(StageName.NORMALIZE, "its dead letter too"),
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
        Scenario(
            number=25,
            name="clocks-a-minute-apart",
            tells="clocks of replicas differ by a minute, far beyond clock_skew_ms: nothing is lost or told twice",
            plan=plan(
                25,
                *(customer(n, "report", at=1.0 + n) for n in range(1, 5)),
                faults=(
                    fault(FaultKind.KILL, 3.0, StageName.EXECUTE, for_s=0.5),
                    fault(FaultKind.KILL, 4.0, StageName.CONFIRM, for_s=0.5),
                    fault(FaultKind.KILL, 5.0, StageName.EXECUTE, index=1, for_s=0.5),
                ),
            ),
            prepare=_a_minute_apart,
        ),
        Scenario(
            number=25,
            name="clocks-that-go-back",
            tells="clocks jump back and tombstones are compacted away: sequences and ids are never used twice",
            plan=plan(
                25,
                *(
                    customer(
                        n,
                        "plain",
                        at=1.0 + n,
                        scripts=(("plain", (f"P-{n:02}00",)), ("plain", (f"P-{n:02}10",))),
                        agent="retail_orders",
                    )
                    for n in range(1, 4)
                ),
                faults=(
                    *(
                        fault(FaultKind.CLOCK_JUMP, 1.0 + n * 0.5, stage, index=n % 2, value=-0.4)
                        for n in range(8)
                        for stage in StageName
                    ),
                    *(fault(FaultKind.COMPACTION, 2.0 + n, stage) for n in range(6) for stage in StageName),
                    *(
                        fault(FaultKind.KILL, 3.3 + n, stage, index=n % 2, for_s=0.3)
                        for n in range(3)
                        for stage in (StageName.RECONCILE, StageName.NORMALIZE)
                    ),
                ),
            ),
        ),
    )
}
"""By name."""
