"""The scenarios that broke earlier drafts of the design, each by its number and name.

Owns: what each does to the world and what must come of it, besides every promise of pipeline/testing/invariants.
Source: the project's list of scenarios; those that are only about the real client are tests on real Kafka.
"""

from pipeline.testing.scenarios.calls import CALLS
from pipeline.testing.scenarios.instants import INSTANTS
from pipeline.testing.scenarios.ownership import OWNERSHIP
from pipeline.testing.scenarios.records import RECORDS
from pipeline.testing.scenarios.scenario import Scenario

SCENARIOS: dict[str, Scenario] = {
    scenario.name: scenario
    for scenario in sorted((*CALLS, *RECORDS, *OWNERSHIP, *INSTANTS), key=lambda scenario: scenario.number)
}
"""By name, in the order of their numbers."""
