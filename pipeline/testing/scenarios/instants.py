"""Instants: early and late replies, expiries, clocks apart and clocks that go back."""

from pipeline.testing.invariants import Invariants
from pipeline.testing.plan import FaultKind
from pipeline.testing.scenarios.scenario import Scenario, customer, ended, fault, plan
from pipeline.testing.world import World
from pipeline.topology import StageName


def _a_minute_apart(world: World, invariants: Invariants) -> None:
    invariants.allow_skew()  # not_after is by the clock of whoever wrote it
    for number, replica in enumerate(world.replicas):
        replica.offset_s = 30.0 if number % 2 else -30.0


INSTANTS: tuple[Scenario, ...] = (
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
            faults=tuple(fault(FaultKind.KILL, 6.5, StageName.CONFIRM, index=index, for_s=25.0) for index in range(2)),
        ),
        finish=ended(1, "COMPLETED"),
    ),
    Scenario(
        number=14,
        name="reconcile-was-down",
        tells="reconcile was down beyond the expiry and a yes in time is unread: the yes wins",
        plan=plan(
            14,
            customer(1, "plain", at=1.0, pace_s=4.0, agent="retail_orders"),
            faults=tuple(
                fault(FaultKind.KILL, 6.5, StageName.RECONCILE, index=index, for_s=18.0) for index in range(2)
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
