"""The simulated world: a cluster, replicas of every stage, MCP servers, gateways and customers on one virtual clock.

Owns: making it from a plan, letting it run, telling whether it is at rest. Never: a real clock, a real random source: everything is
drawn from the one Random it is given. Source: DESIGN 5.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from pipeline import topology
from pipeline.runtime.ports import TopicPartition
from pipeline.testing import installation as places
from pipeline.testing.broker import Broker
from pipeline.testing.customers import Customer, CustomerPlan
from pipeline.testing.gateway import Gateway
from pipeline.testing.groups import Assignment, Group
from pipeline.testing.loop import Process, VirtualLoop
from pipeline.testing.replicas import Replica
from pipeline.testing.scripts import SCRIPTS
from pipeline.testing.server import Fate, Servers
from pipeline.testing.trace import Trace
from pipeline.testing.transactions import State, Transactional
from pipeline.topology import STAGES, StageName, TopicKind


class World:
    """Everything there is."""

    def __init__(
        self,
        random: Random,
        *,
        seed: int,
        replicas: int,
        partitions: int,
        batch_max_records: int,
        fates: dict[Fate, float],
    ) -> None:
        self.random = random
        self.loop = VirtualLoop()
        self.trace = Trace(self.loop.time)
        self.settings = places.settings(partitions, batch_max_records)
        self.installation = places.installation()
        self.broker = Broker(self.loop, Random(random.random()))
        self._create_topics(partitions)
        self.servers = Servers(self.loop, Random(random.random()), self.installation, fates, seed)
        self.servers.trace = self.trace.add
        self.servers.epoch_ms = self.broker.epoch_ms
        self.points: list[Callable[[Process, str, str], None]] = []
        self.deaths: list[tuple[Replica, BaseException | None]] = []
        """Replicas whose worker ended by itself."""
        self.gateway = Gateway(self.loop, self.broker, self.settings, places.CHANNELS, self.trace)
        self.customers: list[Customer] = []
        self.ended = False
        self.replicas = [self.add_replica(name, index) for index in range(replicas) for name in STAGES]
        self.broker.on_decided.append(self._tell)
        self.broker.groups.rebalanced = self._tell_rebalance

    def _create_topics(self, partitions: int) -> None:
        for spec in topology.topics(places.CHANNELS):
            count = partitions if spec.kind in {TopicKind.INPUT, TopicKind.STATE} else max(1, partitions - 1)
            self.broker.create(self.settings.named(spec.name), count, compacted=spec.kind is TopicKind.STATE)

    def add_replica(self, name: StageName, index: int) -> Replica:
        """Make a replica, not started."""
        return Replica(
            name=name,
            index=index,
            loop=self.loop,
            broker=self.broker,
            servers=self.servers,
            settings=self.settings,
            random=Random(self.random.random()),
            point=self._point,
            ended=self._ended,
        )

    def add_customer(self, plan: CustomerPlan) -> None:
        """Let a customer in."""
        customer = Customer(plan, self.loop, self.gateway, SCRIPTS)
        self.customers.append(customer)
        customer.start()

    def _point(self, process: Process, request: str, phase: str) -> None:
        for point in self.points:
            point(process, request, phase)

    def _ended(self, replica: Replica, error: BaseException | None) -> None:
        if self.ended:
            return
        self.trace.add(f"{replica} ended: {type(error).__name__ if error else 'in order'}")
        self.deaths.append((replica, error))

    def _tell(self, transactional: Transactional, commit: bool) -> None:
        if self.ended:
            return
        what = "commit" if commit else "ABORT"
        parts = []
        for partition in transactional.partitions:
            entries = self.broker.logs[partition].pending.get(transactional.producer, [])
            parts.append(f"{partition.topic}/{partition.partition}+{len(entries)}")
        for group in transactional.groups:
            offsets = self.broker.groups.group(group).pending.get(transactional.producer, {})
            parts += [f"{tp.topic}/{tp.partition}@{offset}" for tp, offset in offsets.items()]
        self.trace.add(f"{what} {transactional.name} {' '.join(parts)}")

    def _tell_rebalance(self, name: str, group: Group, plan: Mapping[str, Assignment]) -> None:
        if self.ended:
            return
        shares = []
        for member, assignment in plan.items():
            numbers = sorted({partition.partition for partition in assignment.partitions})
            shares.append(f"{member} {'refused' if assignment.refused else numbers}")
        self.trace.add(f"group {name} generation {group.generation}: {'; '.join(shares)}")

    # --- running ---

    def run_for(self, seconds: float) -> None:
        """Let virtual time pass."""
        self.loop.later(seconds, self.loop.stop)
        self.loop.run_forever()

    def run_until(self, reached: Callable[[], bool], *, within_s: float, every_s: float = 0.5) -> bool:
        """Let virtual time pass until something holds. Returns: whether it came to hold."""
        until = self.loop.time() + within_s
        while not reached():
            if self.loop.time() >= until:
                return False
            self.run_for(every_s)
        return True

    def close(self) -> None:
        """End it; what is left of anybody's code runs out against a dead cluster."""
        self.ended = True
        self.points.clear()
        self.broker.ended = True
        self.broker.up = True
        self.loop.after_step = None
        self.loop.bury([process for replica in self.replicas for process in replica.processes])

    # --- rest ---

    def lag(self) -> dict[TopicPartition, int]:
        """Input records that are not committed, by partition."""
        found: dict[TopicPartition, int] = {}
        for spec in STAGES.values():
            group = self.broker.groups.group(self.settings.named(spec.group))
            for source in spec.inputs:
                topic = self.settings.named(source.topic)
                for number in range(self.broker.counts[topic]):
                    partition = TopicPartition(topic, number)
                    records = self.broker.logs[partition].records(group.committed.get(partition, 0))
                    if records:
                        found[partition] = len(records)
        return found

    def open_transactions(self) -> list[str]:
        """Transactional ids with a transaction that is not complete."""
        known = self.broker.transactions.known
        return [name for name, transactional in known.items() if transactional.state is not State.EMPTY]

    def at_rest(self) -> bool:
        """Whether every customer is done and every record was taken."""
        return all(customer.done for customer in self.customers) and not self.open_transactions() and not self.lag()

    def running(self, name: StageName) -> list[Any]:
        """Living replicas of a stage."""
        return [
            replica
            for replica in self.replicas
            if replica.stage is name and replica.process is not None and replica.process.alive
        ]
