"""What a seed draws before anything runs: customers, faults, the moods of network, clocks and servers.

Invariants: a plan and its seed say everything, so a plan with less in it (a fault, a customer) is a smaller story of the same kind.
Source: issue "exactly once, proved".
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from random import Random

from pipeline.testing.customers import CustomerPlan
from pipeline.testing.installation import AGENTS, CHANNELS, TENANTS
from pipeline.testing.scripts import SCRIPTS
from pipeline.testing.server import Fate
from pipeline.topology import STAGES, StageName

WINDOW_S = (1.5, 28.0)
"""When faults strike."""
OFFSET_S = 0.4
"""Largest difference of a machine's clock: two of them differ by less than clock_skew_ms."""


class FaultKind(StrEnum):
    """What can be done to the world."""

    KILL = "kill"
    FREEZE = "freeze"
    TERMINATE = "terminate"
    OUTAGE = "outage"
    TRANSACTION_TIMEOUT = "transaction timeout"
    CLOCK_JUMP = "clock jump"
    COMPACTION = "compaction"
    FETCH_ERROR = "fetch error"
    SERVER_DOWN = "server down"
    REBALANCE = "rebalance"
    SCALE_UP = "scale up"
    REPEATED_REPORT = "repeated report"
    PRODUCE_ERROR = "produce error"
    CUT_OFF = "cut off from the broker"
    FETCH_STALL = "fetch stall"


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One fault, and when it strikes."""

    kind: FaultKind
    at_s: float
    stage: StageName | None = None
    index: int = 0
    request: str = ""
    """It strikes at a request of this name, `nth` from at_s on; empty: at at_s itself."""
    phase: str = "applied"
    nth: int = 1
    steps: int = 0
    """It strikes before the n-th callback of the process after at_s, or after that request."""
    for_s: float = 0.0
    """How long it lasts."""
    value: float = 0.0
    server: str = ""

    def __str__(self) -> str:
        where = f" {self.stage.value}/{self.index}" if self.stage else ""
        when = f" at {self.at_s:.2f} s"
        if self.request:
            when += f", {self.phase} the {self.nth}. {self.request}"
        if self.steps:
            when += f" + {self.steps} callbacks"
        lasting = f", for {self.for_s:.2f} s" if self.for_s else ""
        more = f" {self.server or ''}{f' {self.value:+.2f}' if self.value else ''}".rstrip()
        return f"{self.kind.value}{where}{more}{when}{lasting}"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A whole run."""

    seed: int
    replicas: int = 2
    partitions: int = 2
    batch_max_records: int = 200
    delay_s: tuple[float, float] = (0.0002, 0.002)
    """One way between a process and the broker."""
    customers: tuple[CustomerPlan, ...] = ()
    faults: tuple[Fault, ...] = ()
    fates: dict[Fate, float] = field(default_factory=lambda: {Fate.FINE: 1.0})
    offsets_s: tuple[float, ...] = ()
    """Of the clocks, by replica in the order of the world."""

    @property
    def size(self) -> int:
        """What shrinking makes less of."""
        messages = sum(len(customer.scripts) * 4 + len(customer.glitches) for customer in self.customers)
        return len(self.faults) * 3 + messages + len(self.fates)

    def without(self, **changes: object) -> "Plan":
        """A smaller plan."""
        return replace(self, **changes)  # type: ignore[arg-type]


DELAYS_S = ((0.0002, 0.002), (0.0002, 0.002), (0.002, 0.02), (0.01, 0.08))
WORDS = ("Alfa", "Beta", "Gama", "Delta")
GLITCHES = ("twice", "twice", "late", "key", "partition", "keyless")

REQUESTS = (
    ("commit", 6),
    ("produce", 4),
    ("offset_commit", 2),
    ("add_offsets", 1),
    ("add_partition", 1),
    ("init_producer", 2),
    ("restore", 2),
    ("restore_end", 1),
    ("committed", 1),
    ("join", 1),
    ("heartbeat", 1),
    ("end_offsets", 1),
)
PHASES = ("before", "applied", "after")

KINDS: tuple[tuple[FaultKind, int], ...] = (
    (FaultKind.KILL, 8),
    (FaultKind.FREEZE, 5),
    (FaultKind.TERMINATE, 3),
    (FaultKind.OUTAGE, 2),
    (FaultKind.TRANSACTION_TIMEOUT, 2),
    (FaultKind.CLOCK_JUMP, 2),
    (FaultKind.COMPACTION, 3),
    (FaultKind.FETCH_ERROR, 2),
    (FaultKind.SERVER_DOWN, 2),
    (FaultKind.REBALANCE, 2),
    (FaultKind.SCALE_UP, 1),
    (FaultKind.REPEATED_REPORT, 1),
    (FaultKind.PRODUCE_ERROR, 2),
    (FaultKind.CUT_OFF, 3),
    (FaultKind.FETCH_STALL, 1),
)


STORM: tuple[tuple[FaultKind, int], ...] = (
    (FaultKind.REBALANCE, 6),
    (FaultKind.CUT_OFF, 4),
    (FaultKind.KILL, 4),
    (FaultKind.FREEZE, 3),
    (FaultKind.SCALE_UP, 3),
    (FaultKind.TERMINATE, 3),
    (FaultKind.TRANSACTION_TIMEOUT, 2),
    (FaultKind.FETCH_ERROR, 1),
    (FaultKind.COMPACTION, 1),
)
"""One takeover after the other, while everybody is in a hurry."""


def draw(seed: int) -> Plan:
    """The plan of a seed."""
    random = Random(seed)
    storm = random.random() < 0.2
    partitions = random.choice((1, 2, 2, 3))
    replicas = 2 if storm else random.choice((1, 2, 2, 2))
    customers = tuple(draw_customer(random, number, storm) for number in range(random.randint(2, 5)))
    kinds = STORM if storm else KINDS
    faults = tuple(
        sorted(
            (
                draw_fault(random, kinds, replicas)
                for _ in range(random.randint(10, 25) if storm else random.randint(0, 9))
            ),
            key=lambda fault: fault.at_s,
        )
    )
    offsets = tuple(round(random.uniform(-OFFSET_S, OFFSET_S), 3) for _ in range(replicas * len(STAGES)))
    return Plan(
        seed=seed,
        replicas=replicas,
        partitions=partitions,
        batch_max_records=random.choice((1, 2, 3, 200, 200)),
        delay_s=random.choice(DELAYS_S[2:] if storm else DELAYS_S),
        customers=customers,
        faults=faults,
        fates=draw_fates(random),
        offsets_s=offsets,
    )


def draw_customer(random: Random, number: int, busy: bool) -> CustomerPlan:
    """A customer; the numbers in its items are its own. `busy`: in a hurry, and with more to say."""
    agent = random.choice(sorted(AGENTS))
    scripts = tuple(
        (random.choice(sorted(SCRIPTS)), items_for(random, agent, number, script))
        for script in range(random.choice((3, 4, 5) if busy else (1, 1, 2, 3)))
    )
    glitches = {message: random.choice(GLITCHES) for message in range(1, 8) if random.random() < 0.12}
    # Sessions of one name under two tenants must not meet.
    return CustomerPlan(
        name=f"c{number:02}",
        tenant_id=TENANTS[number % 2],
        agent_id=agent,
        session_id=f"s{number // 2}",
        channel=random.choice(CHANNELS),
        scripts=scripts,
        begins_s=round(random.uniform(0.5, 6.0), 3),
        pace_s=round(random.uniform(0.02, 0.3) if busy else random.uniform(0.05, 2.0), 3),
        glitches=glitches,
    )


def items_for(random: Random, agent: str, number: int, script: int) -> tuple[str, ...]:
    """Items that only this customer names, once."""
    count = random.choice((1, 2, 2, 3, 4))
    if agent == "retail_orders":
        return tuple(f"P-{number:02}{script}{item}" for item in range(count))
    return tuple(f"{word}{number:02}{script}" for word in WORDS[:count])


def draw_fates(random: Random) -> dict[Fate, float]:
    """How the servers feel."""
    if random.random() < 0.3:
        return {Fate.FINE: 1.0}
    fates = {Fate.FINE: 6.0}
    for fate in Fate:
        if fate is not Fate.FINE and random.random() < 0.5:
            fates[fate] = random.choice((0.3, 1.0, 2.0))
    return fates


def draw_fault(random: Random, kinds: tuple[tuple[FaultKind, int], ...], replicas: int) -> Fault:
    """One fault; `kinds`: with their weights."""
    kind = random.choices([kind for kind, _ in kinds], weights=[weight for _, weight in kinds])[0]
    at_s = round(random.uniform(*WINDOW_S), 3)
    stage = random.choice(sorted(StageName))
    index = random.randrange(replicas)
    fault = Fault(kind=kind, at_s=at_s, stage=stage, index=index)
    match kind:
        case FaultKind.KILL:
            fault = replace(
                fault, for_s=round(random.choice((0.05, 0.5, 2.0, 5.0)), 2), value=float(random.random() < 0.3)
            )
        case FaultKind.FREEZE if random.random() < 0.5:
            # Right after a commit of execute: what it is about to do then is to send.
            return replace(
                fault,
                stage=StageName.EXECUTE,
                request="commit",
                phase="after",
                nth=random.choice((1, 1, 2, 3)),
                steps=random.randint(2, 6),
                for_s=round(random.choice((4.0, 6.0, 9.0)) * random.uniform(0.8, 1.2), 2),
            )
        case FaultKind.FREEZE:
            fault = replace(fault, for_s=round(random.choice((0.3, 2.0, 4.0, 6.0, 9.0)) * random.uniform(0.8, 1.2), 2))
        case FaultKind.TERMINATE:
            return replace(fault, for_s=round(random.uniform(0.1, 3.0), 2), value=float(random.random() < 0.3))
        case FaultKind.CUT_OFF:
            fault = replace(fault, for_s=round(random.choice((0.5, 2.0, 4.0, 8.0)) * random.uniform(0.8, 1.2), 2))
        case FaultKind.OUTAGE:
            return replace(fault, stage=None, for_s=round(random.choice((0.2, 1.0, 3.0, 7.0)), 2))
        case FaultKind.TRANSACTION_TIMEOUT:
            return replace(fault, request=random.choice(("produce", "add_offsets", "offset_commit")))
        case FaultKind.CLOCK_JUMP:
            return replace(fault, value=round(random.uniform(-OFFSET_S, OFFSET_S), 3))
        case FaultKind.COMPACTION:
            return replace(fault, request=random.choice(("", "restore", "restore_end", "commit")))
        case FaultKind.SERVER_DOWN:
            return replace(
                fault, stage=None, server=random.choice(("contas", "retail")), for_s=random.choice((0.5, 3.0, 9.0))
            )
        case FaultKind.SCALE_UP:
            return replace(fault, index=replicas, for_s=round(random.uniform(2.0, 12.0), 2))
        case _:
            return fault
    match random.randrange(3):
        case 0:
            names = [name for name, _ in REQUESTS]
            request = random.choices(names, weights=[weight for _, weight in REQUESTS])[0]
            return replace(fault, request=request, phase=random.choice(PHASES), nth=random.choice((1, 1, 2, 3, 5)))
        case 1:
            return replace(fault, steps=random.randint(1, 400))
        case _:
            return fault
