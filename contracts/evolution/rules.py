"""The rule table: every kind of change, whom it breaks, and the way out. Data only; gate.py applies it.

A rule with no `backward` and no `forward` breaks nobody, unless it has a consequence of its own. `{words}` are those of the change:
path, field, old, new, name (contract and class), next (the version that would be the next major).
Source: SPEC-012 section 14 (new fields optional, required ones stay, another meaning is a new version), DESIGN 9.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Grade(StrEnum):
    """What a change means for those who were not upgraded."""

    BREAKING = "breaking"
    """A record is refused, or a reader fails."""
    NEEDS_MAJOR = "needs-major"
    """Everything can still be read, and says something else."""
    CANNOT_JUDGE = "cannot-judge"
    """No rule knows it: never taken for compatible."""
    NOTICE = "notice"
    """Compatible, and worth a look by a person."""
    COMPATIBLE = "compatible"

    @property
    def failing(self) -> bool:
        """Whether it must not be released within the major version."""
        return self in {Grade.BREAKING, Grade.NEEDS_MAJOR, Grade.CANNOT_JUDGE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One kind of change."""

    id: str
    changed: str
    """What happened, after the path."""
    grade: Grade = Grade.COMPATIBLE
    """Where one of its directions matters, or it has a consequence of its own."""
    backward: str = ""
    """How old writers' records differ from what new readers accept, such as `without it`; empty: they do not."""
    forward: str = ""
    """What old readers do that new writers no longer allow, such as `rely on it`; empty: nothing."""
    consequence: str = ""
    """What it means for everybody, whatever the direction; instead of `backward` and `forward`."""
    way_out: str = ""
    """How to reach the same without breaking anybody."""
    fine: str = ""
    """Why it breaks nobody where its directions do not matter."""


MAJOR = "release {next}"
READERS_FIRST = "only new readers meet it, so deploy them before a writer uses it"

_FIELDS = (
    Rule(
        id="field-added-optional",
        changed="is new and optional",
        fine="records without it stay right, and a tolerant reader keeps what it does not know",
    ),
    Rule(
        id="field-added-required",
        changed="is new and required",
        grade=Grade.BREAKING,
        backward="without it",
        way_out=f"make it optional or {MAJOR}",
        fine="old readers keep it without knowing it",
    ),
    Rule(
        id="field-added-to-closed",
        changed="is new in an object that took no unknown fields",
        grade=Grade.BREAKING,
        forward="refuse unknown fields",
        way_out=f"open the object first and wait until every reader has it, or {MAJOR}",
        fine=READERS_FIRST,
    ),
    Rule(
        id="field-removed-optional",
        changed="was removed; it was optional",
        grade=Grade.NOTICE,
        consequence="readers have always had to do without it, and its name must never come back with another type",
        way_out="make sure that nobody relies on it",
    ),
    Rule(
        id="field-removed-required",
        changed="was removed, and it was required",
        grade=Grade.BREAKING,
        consequence="SPEC-012 section 14 keeps required fields within a major version",
        forward="rely on it",
        way_out=f"keep it, or {MAJOR}",
    ),
    Rule(
        id="field-removed-from-closed",
        changed="was removed from an object that takes no unknown fields",
        grade=Grade.BREAKING,
        backward="with it",
        way_out=f"leave it optional, or {MAJOR}",
        fine="new writers send nothing that old readers would refuse",
    ),
    Rule(
        id="became-required",
        changed="became required",
        grade=Grade.BREAKING,
        backward="without it",
        way_out=f"make it optional or {MAJOR}",
        fine="readers get what they could not count on before",
    ),
    Rule(
        id="became-optional",
        changed="became optional",
        grade=Grade.BREAKING,
        forward="rely on it",
        way_out=f"keep it required or {MAJOR}",
        fine=READERS_FIRST,
    ),
    Rule(
        id="renamed",
        changed="was renamed to {new}",
        grade=Grade.BREAKING,
        backward="with {old} instead",
        forward="look for {old}",
        way_out=f"keep {{old}} and add {{new}} beside it as optional, or {MAJOR}",
    ),
    Rule(
        id="renamed-optional",
        changed="was renamed to {new}",
        grade=Grade.NEEDS_MAJOR,
        consequence="nothing is refused, but what is said under {old} is no longer heard under {new}, nor the other way round",
        way_out=f"keep {{old}} and add {{new}} beside it, or {MAJOR}",
    ),
    Rule(
        id="renamed-with-alias",
        changed="was renamed to {new}, which still reads {old}",
        grade=Grade.BREAKING,
        forward="look for {old}",
        way_out=f"go on writing {{old}} and read {{new}} as its alias, or {MAJOR}",
        fine="old records are read by their old name",
    ),
    Rule(
        id="alias-removed",
        changed="is no longer read under its alias {old}",
        grade=Grade.BREAKING,
        backward="with {old} instead",
        way_out=f"keep {{old}} in x-aliases, or {MAJOR}",
        fine="readers never looked for the alias",
    ),
    Rule(id="alias-added", changed="is read under the alias {new} too", fine="its own name stays"),
    Rule(
        id="default-changed",
        changed="has another default, {new} instead of {old}",
        grade=Grade.NEEDS_MAJOR,
        consequence="a record without it would silently mean {new}",
        way_out=f"keep the default, or {MAJOR}",
    ),
    Rule(
        id="default-undeclared",
        changed="declares its default differently, {new} instead of {old}",
        grade=Grade.NOTICE,
        consequence="the schemas do not say whether a record without it still means the same",
        way_out="see that it does",
    ),
)

_TYPES = (
    Rule(
        id="type-widened",
        changed="may now be {new}, not only {old}",
        grade=Grade.BREAKING,
        forward="know only {old}",
        way_out=f"put the other type into a new optional field, or {MAJOR}",
        fine=READERS_FIRST,
    ),
    Rule(
        id="type-narrowed",
        changed="may no longer be {old}, only {new}",
        grade=Grade.BREAKING,
        backward="with {lost} in it",
        way_out=f"go on accepting {{lost}}, or {MAJOR}",
        fine="old readers know all that can still come",
    ),
    Rule(
        id="type-changed",
        changed="is now {new} instead of {old}",
        grade=Grade.BREAKING,
        backward="with {lost} in it",
        forward="know only {old}",
        way_out=f"put {{new}} into a new optional field, or {MAJOR}",
    ),
    Rule(
        id="null-allowed",
        changed="may now be null",
        grade=Grade.BREAKING,
        forward="do not expect null",
        way_out=f"leave an optional field out instead of writing null, or {MAJOR}",
        fine=READERS_FIRST,
    ),
    Rule(
        id="null-refused",
        changed="may no longer be null",
        grade=Grade.BREAKING,
        backward="with null in it",
        way_out=f"go on accepting null, or {MAJOR}",
        fine="old readers know all that can still come",
    ),
    Rule(
        id="alternative-added",
        changed="has a new alternative, {new}",
        grade=Grade.BREAKING,
        forward="know only the old alternatives",
        way_out=f"send the new alternative as a contract of its own, or {MAJOR}",
        fine=READERS_FIRST,
    ),
    Rule(
        id="alternative-removed",
        changed="lost its alternative {old}",
        grade=Grade.BREAKING,
        backward="with {old} in it",
        way_out=f"go on accepting {{old}}, or {MAJOR}",
        fine="old readers know all that can still come",
    ),
    Rule(
        id="const-changed",
        changed="must now be {new} instead of {old}",
        grade=Grade.BREAKING,
        backward="with {old} in it",
        forward="know only {old}",
        way_out=f"keep {{old}}, or {MAJOR}",
    ),
)

_ENUMS = (
    Rule(
        id="enum-value-added",
        changed="may now be {new}",
        grade=Grade.BREAKING,
        forward="know only {old}",
        way_out=f"declare the enum open (x-open) and wait a release before the value is written, or {MAJOR}",
        fine=READERS_FIRST,
    ),
    Rule(
        id="open-enum-value-added",
        changed="may now be {new}",
        fine="the enum was declared open, so readers expect values they do not know",
    ),
    Rule(
        id="enum-value-removed",
        changed="may no longer be {old}",
        grade=Grade.BREAKING,
        backward="with {old} in it",
        way_out=f"go on accepting {{old}} and only stop writing it, or {MAJOR}",
        fine="old readers know all that can still come",
    ),
    Rule(
        id="open-enum-value-removed",
        changed="no longer lists {old}",
        fine="the enum is open, so the value is read like any that is not known",
    ),
    Rule(
        id="enum-opened",
        changed="may now be any {new}, not only {old}",
        grade=Grade.BREAKING,
        forward="know only {old}",
        way_out=f"declare the enum open (x-open) first and wait a release, or {MAJOR}",
        fine=READERS_FIRST,
    ),
    Rule(
        id="enum-closed",
        changed="may now be only {new}, not any {old}",
        grade=Grade.BREAKING,
        backward="with another value in it",
        way_out=f"declare the enum open (x-open), or {MAJOR}",
        fine="old readers take any value",
    ),
    Rule(
        id="enum-declared-open",
        changed="is now declared open (x-open)",
        fine="readers are told to expect values they do not know, and it may grow from the next release on",
    ),
    Rule(
        id="enum-declared-closed",
        changed="is no longer declared open (x-open)",
        grade=Grade.BREAKING,
        backward="with a value that is not listed",
        way_out=f"leave it open, or {MAJOR}",
        fine="old readers take any value",
    ),
)

_BOUNDS = (
    Rule(
        id="bound-tightened",
        changed="has a tighter bound, {new} instead of {old}",
        grade=Grade.BREAKING,
        backward="{beyond}",
        way_out=f"keep the old bound when reading, or {MAJOR}",
        fine="old readers take all that can still come",
    ),
    Rule(
        id="bound-loosened",
        changed="has a looser bound, {new} instead of {old}",
        grade=Grade.BREAKING,
        forward="keep to {old}",
        way_out=f"keep the old bound when writing, or {MAJOR}",
        fine=READERS_FIRST,
    ),
    Rule(
        id="bound-changed",
        changed="has another bound, {new} instead of {old}",
        grade=Grade.BREAKING,
        backward="by the old bound",
        forward="keep to {old}",
        way_out=f"keep the old bound, or {MAJOR}",
    ),
    Rule(
        id="pattern-changed",
        changed="has another bound, {new} instead of {old}",
        grade=Grade.CANNOT_JUDGE,
        consequence="no rule tells which texts only one of them accepts",
        way_out=f"keep the pattern, or {MAJOR}",
    ),
    Rule(
        id="object-closed",
        changed="takes no unknown fields any more",
        grade=Grade.BREAKING,
        backward="with a field it does not list",
        way_out=f"leave it open, since a tolerant reader keeps what it does not know, or {MAJOR}",
        fine="old readers take all that can still come",
    ),
    Rule(
        id="object-opened",
        changed="takes unknown fields now",
        grade=Grade.BREAKING,
        forward="refuse unknown fields",
        way_out=f"write none until every reader takes them, or {MAJOR}",
        fine=READERS_FIRST,
    ),
)

_MEANING = (
    Rule(
        id="meaning-changed",
        changed="has another meaning (x-meaning {new} instead of {old})",
        grade=Grade.NEEDS_MAJOR,
        consequence="the same value now says something else, and SPEC-012 section 14 asks for a new version",
        way_out=f"give the new meaning a new field, or {MAJOR}",
    ),
    Rule(
        id="description-changed",
        changed="is described differently",
        grade=Grade.NOTICE,
        consequence="better words are fine, another meaning is not",
        way_out=f"if the meaning changed, raise its x-meaning and {MAJOR}",
    ),
    Rule(
        id="annotation-changed",
        changed="changed its keyword {keyword} from {old} to {new}",
        grade=Grade.NOTICE,
        consequence="it restricts no value",
    ),
    Rule(
        id="keyword-unknown",
        changed="changed its keyword {keyword} from {old} to {new}",
        grade=Grade.CANNOT_JUDGE,
        consequence="no rule knows {keyword}",
        way_out=f"say it by keywords the gate knows, write a rule for it, or {MAJOR}",
    ),
)

_VERSIONS = (
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
        changed="gave way to {new}, and an upcaster lifts its records",
        grade=Grade.NOTICE,
        consequence="records of {old} are still read",
        way_out="stop reading them only when no topic and no state holds one",
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

RULES: Mapping[str, Rule] = {rule.id: rule for rule in (*_FIELDS, *_TYPES, *_ENUMS, *_BOUNDS, *_MEANING, *_VERSIONS)}
"""Every rule by its id."""
