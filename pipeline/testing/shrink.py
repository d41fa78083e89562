"""The shortest story of a failing seed: take things out of its plan while the same promise still breaks.

Owns: what may be taken out, in which order; the story as a person reads it.
Invariants: the shrunk plan breaks the same promise; the number of runs is bounded. Source: QuickCheck's shrinking, issue "exactly once".
"""

from collections.abc import Iterator
from dataclasses import replace

from pipeline.testing.plan import DELAYS_S, Plan
from pipeline.testing.server import Fate
from pipeline.testing.simulation import Report, run

RUNS_MAX = 120
TAIL = 40
"""Lines of the trace that a story ends with."""


def shrunk(report: Report, *, runs_max: int = RUNS_MAX) -> Report:
    """The smallest failing run found. `report` must have failed."""
    promise = report.violations[0].promise
    best, left = report, runs_max
    changed = True
    while changed and left > 0:
        changed = False
        for candidate in smaller(best.plan):
            if left <= 0:
                break
            left -= 1
            tried = run(candidate)
            if tried.violations and tried.violations[0].promise == promise:
                best, changed = tried, True
                break
    return best


def smaller(plan: Plan) -> Iterator[Plan]:
    """Plans with one thing less, the biggest steps first."""
    faults = plan.faults
    if len(faults) > 3:
        half = len(faults) // 2
        yield replace(plan, faults=faults[half:])
        yield replace(plan, faults=faults[:half])
    customers = plan.customers
    for number in range(len(customers)):
        if len(customers) > 1:
            yield replace(plan, customers=customers[:number] + customers[number + 1 :])
    for number in range(len(faults)):
        yield replace(plan, faults=faults[:number] + faults[number + 1 :])
    for number, customer in enumerate(customers):
        scripts = customer.scripts
        for one in range(len(scripts)):
            if len(scripts) > 1:
                less = replace(customer, scripts=scripts[:one] + scripts[one + 1 :])
                yield replace(plan, customers=(*customers[:number], less, *customers[number + 1 :]))
        for message in customer.glitches:
            glitches = {m: glitch for m, glitch in customer.glitches.items() if m != message}
            less = replace(customer, glitches=glitches)
            yield replace(plan, customers=(*customers[:number], less, *customers[number + 1 :]))
    for fate in plan.fates:
        if fate is not Fate.FINE and len(plan.fates) > 1:
            yield replace(plan, fates={known: weight for known, weight in plan.fates.items() if known is not fate})
    if any(plan.offsets_s):
        yield replace(plan, offsets_s=())
    if plan.partitions > 1:
        yield replace(plan, partitions=1)
    if plan.delay_s != DELAYS_S[0]:
        yield replace(plan, delay_s=DELAYS_S[0])
    if plan.batch_max_records != 200:
        yield replace(plan, batch_max_records=200)
    if plan.replicas > 1:
        yield replace(plan, replicas=plan.replicas - 1)


def story(report: Report) -> str:
    """What happened, for a person."""
    plan = report.plan
    lines = [
        f"seed {plan.seed}: {report.violations[0] if report.violations else 'every promise was kept'}",
        f"  {plan.replicas} replicas of each stage, {plan.partitions} partitions, batches of {plan.batch_max_records}",
        f"  {plan.delay_s[0] * 1000:g} to {plan.delay_s[1] * 1000:g} ms to the broker",
        f"  servers: {', '.join(f'{fate.value} {weight:g}' for fate, weight in plan.fates.items())}",
    ]
    if any(plan.offsets_s):
        lines.append(f"  clocks: {', '.join(f'{offset:+.2f}' for offset in plan.offsets_s)} s")
    for customer in plan.customers:
        scripts = ", ".join(f"{script}({', '.join(items)})" for script, items in customer.scripts)
        glitches = "".join(f"; message {number} {glitch}" for number, glitch in customer.glitches.items())
        who = f"{customer.name} of {customer.tenant_id}:{customer.agent_id}:{customer.session_id}"
        lines.append(f"  {who} from {customer.begins_s:.2f} s, pauses {customer.pace_s:.2f} s: {scripts}{glitches}")
    lines += [f"  fault: {fault}" for fault in report.struck]
    lines.append("  the end of the trace:")
    lines += [f"    {line}" for line in report.trace.splitlines()[-TAIL:]]
    return "\n".join(lines)
