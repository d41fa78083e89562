"""Rules on whole sets of contracts: what may become of a version string. Source: SPEC-012 section 14."""

from contracts.evolution.rule import Grade, Rule

VERSIONS = (
    Rule(id="contract-added", changed="is a new contract", fine="nobody writes or reads it yet"),
    Rule(
        id="contract-removed",
        changed="was removed",
        grade=Grade.BREAKING,
        consequence="whoever still writes or reads it is left alone",
        way_out="keep it until nobody does, and until no topic or state holds a record of it",
    ),
    Rule(
        id="contract-renamed",
        changed="was renamed to {new}",
        grade=Grade.BREAKING,
        consequence="programs know a contract by its version string, and {old} is gone",
        way_out="keep the name {old}; only its major number may change",
    ),
    Rule(
        id="major-added",
        changed="is a new major version beside {old}",
        fine="the rules begin anew with it, and {old} can still be read",
    ),
    Rule(
        id="major-without-upcaster",
        changed="is a new major version, and nothing lifts {old} to it",
        grade=Grade.BREAKING,
        consequence="records of {old} that are still written, or lie on topics and in state, cannot be read beside the new ones",
        way_out="add an upcaster from {old} to UPCASTS in contracts/evolution/upcasting.py",
    ),
    Rule(
        id="major-replaced",
        changed="gave way to {new}",
        grade=Grade.NOTICE,
        consequence="its records are read through their upcaster only",
        way_out="keep that until no topic and no state holds one",
    ),
    Rule(
        id="major-given-up",
        changed="is no longer read: nothing lifts its records to {new} any more",
        grade=Grade.NOTICE,
        consequence="one that still lies on a topic or in state is refused",
        way_out="put its upcaster back into UPCASTS unless no topic and no state holds one",
    ),
    Rule(
        id="major-skipped",
        changed="skips a major version after {old}",
        grade=Grade.BREAKING,
        consequence="readers and upcasters count majors one by one",
        way_out="release {next}",
    ),
    Rule(
        id="version-unreadable",
        changed="has the version string {new}",
        grade=Grade.CANNOT_JUDGE,
        consequence="it is no name with a major number, such as gateway-request-v1",
        way_out="write it as name-vN",
    ),
)
