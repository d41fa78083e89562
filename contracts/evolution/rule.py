"""What a rule of the gate says: a kind of change, whom it breaks, and the way out.

A rule with no `backward` and no `forward` breaks nobody, unless it has a consequence of its own. `{words}` are those of the change:
old, new, lost, beyond, keyword, next (the version that would be the next major).
"""

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
