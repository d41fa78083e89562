"""What goes wrong, and when: a function of the seed alone.

Owns: the kinds of faults, how often each comes, how long each lasts. Pure.
Invariants: the same seed and shape give the same plan; ten minutes hold at least 60 process faults and 10 of the broker or the MCP
servers; nothing begins in the first WARM_UP_S, and nothing lasts past the end by more than LONGEST_S.
"""

from dataclasses import dataclass
from enum import StrEnum
from random import Random

WARM_UP_S = 4.0
"""Everything runs undisturbed before the first fault."""
PROCESS_EVERY_S = (5.0, 8.0)
"""Between two process faults: 60 in ten minutes would need one in ten seconds."""
GROUND_EVERY_S = (22.0, 40.0)
"""Between two faults of the broker or the MCP servers."""
LONGEST_S = 16.0


class Kind(StrEnum):
    """What goes wrong."""

    KILL = "kill -9"
    TERM = "SIGTERM"
    ZOMBIE = "SIGSTOP beyond the session timeout"
    PAUSE = "SIGSTOP for a moment"
    SCALE_UP = "one replica more"
    SCALE_DOWN = "one replica less"
    BROKER_KILL = "broker kill -9"
    BROKER_TERM = "broker SIGTERM"
    MCP_KILL = "MCP servers kill -9"
    MCP_HANG = "MCP servers SIGSTOP"
    MCP_LOSES = "MCP servers lose answers"

    @property
    def of_process(self) -> bool:
        """Of a replica; else of what the replicas stand on."""
        return self in PROCESS_KINDS


PROCESS_KINDS = {
    Kind.KILL: 32,
    Kind.TERM: 18,
    Kind.ZOMBIE: 20,
    Kind.PAUSE: 12,
    Kind.SCALE_UP: 9,
    Kind.SCALE_DOWN: 9,
}
GROUND_KINDS = {Kind.BROKER_KILL: 25, Kind.BROKER_TERM: 15, Kind.MCP_KILL: 25, Kind.MCP_HANG: 20, Kind.MCP_LOSES: 15}
LASTING_S = {
    Kind.KILL: (0.1, 4.0),
    Kind.TERM: (0.1, 3.0),
    Kind.ZOMBIE: (0.5, 5.0),  # beyond the session timeout
    Kind.PAUSE: (0.3, 3.0),
    Kind.SCALE_UP: (8.0, 14.0),
    Kind.SCALE_DOWN: (6.0, 12.0),
    Kind.BROKER_KILL: (0.1, 6.0),
    Kind.BROKER_TERM: (0.1, 4.0),
    Kind.MCP_KILL: (0.1, 4.0),
    Kind.MCP_HANG: (2.0, 13.0),
    Kind.MCP_LOSES: (3.0, 8.0),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong."""

    at_s: float
    """From the begin of the run."""
    kind: Kind
    lasting_s: float
    """Until it is put right: how long a process is away, stopped, or more."""
    pick: float
    """0 to 1: which of those that could be hit."""


def plan(seed: int, seconds: float, *, session_s: float) -> tuple[Fault, ...]:
    """Every fault of a run of `seconds`, in order; `session_s`: how long a stopped process keeps its partitions."""
    process = _series(Random(f"process {seed}"), PROCESS_EVERY_S, PROCESS_KINDS, seconds)
    ground = _series(Random(f"ground {seed}"), GROUND_EVERY_S, GROUND_KINDS, seconds)
    zombies = [Fault(f.at_s, f.kind, f.lasting_s + session_s, f.pick) if f.kind is Kind.ZOMBIE else f for f in process]
    return tuple(sorted([*zombies, *ground], key=lambda fault: fault.at_s))


def _series(random: Random, every_s: tuple[float, float], kinds: dict[Kind, int], seconds: float) -> list[Fault]:
    faults: list[Fault] = []
    at = WARM_UP_S + random.uniform(0, every_s[1])
    bag: list[Kind] = []
    while at < seconds:
        if not bag:  # every kind comes soon, the frequent ones often: a short run meets them too
            bag = [kind for kind, weight in kinds.items() for _ in range(max(1, round(weight / 9)))]
            random.shuffle(bag)
        kind = bag.pop()
        faults.append(Fault(round(at, 3), kind, round(random.uniform(*LASTING_S[kind]), 3), random.random()))
        at += random.uniform(*every_s)
    return faults
