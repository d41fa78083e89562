"""Who writes and who reads each contract, and so in which directions a change of it can break somebody.

A record is read by a newer program than wrote it (BACKWARD: gateways that were not upgraded, what lies on topics and in state) or by
an older one (FORWARD: gateways and dashboards that were not upgraded, the other half of a rolling upgrade). What only we read is judged
backward alone, since readers are deployed first; what only others read is judged forward alone. Source: DESIGN 3, 4 and 9.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Direction(StrEnum):
    """Between which ages of programs a record travels."""

    BACKWARD = "backward"
    """Written by the old, read by the new."""
    FORWARD = "forward"
    """Written by the new, read by the old."""


@dataclass(frozen=True, slots=True)
class Parties:
    """Those who break by a change, in words; a direction without words is none that matters."""

    backward: str = ""
    """Clause with `{how}`, such as `without it`: what becomes of the old writers' records."""
    forward: str = ""
    """Clause with `{how}`, such as `rely on it`: what becomes of the old readers."""
    first: Direction = Direction.BACKWARD
    """Whom most of it concerns: told first where a change breaks both."""

    @property
    def directions(self) -> frozenset[Direction]:
        """The directions that matter."""
        said = {Direction.BACKWARD: self.backward, Direction.FORWARD: self.forward}
        return frozenset(direction for direction, clause in said.items() if clause)


_STAGES = Parties(
    backward="what stages of the last release wrote {how} is dead-lettered",
    forward="stages of the last release that {how} break during a rolling upgrade",
)
_STATE = Parties(
    backward="state that was stored {how} cannot be restored",
    forward="replicas of the last release that {how} break during a rolling upgrade",
)
_REPORTS = Parties(
    backward="reports that were written {how} can no longer be read",
    forward="dashboards that {how} break",
)
UNKNOWN = Parties(
    backward="programs that write it {how} are refused",
    forward="programs that {how} break",
)
"""Of a contract that is not ours: everybody may write and read it."""

PARTIES: Mapping[str, Parties] = {
    "gateway-request": Parties(backward="gateways that ask {how} are refused"),
    # Channel gateways read it. An agent gateway answers them itself, with this same contract (SPEC-012 section 4.1), and answers stay
    # on the topic: those are the gateways that answer.
    "channel-response": Parties(
        backward="gateways that answer {how} break",
        forward="channel gateways that {how} break",
        first=Direction.FORWARD,
    ),
    "business-context": Parties(
        backward="gateways that send it {how} are refused",
        forward="stages of the last release that {how} break during a rolling upgrade",
    ),
    "agent-state": _STATE,
    "session": _STATE,
    "checkpoint": _STATE,
    "tool-invocation": _STAGES,
    "tool-result": _STAGES,
    "llm-request": Parties(forward="AI gateways that {how} break"),
    "llm-response": Parties(backward="AI gateways that answer {how} are refused"),
    "evaluation-run": _REPORTS,
    "evaluation-result": _REPORTS,
    "certification-result": Parties(
        backward="certificates that were written {how} can no longer be read",
        forward="pipelines of tool teams that {how} break",
    ),
    "event-envelope": Parties(
        backward="events that were published {how} can no longer be read back",
        forward="dashboards that {how} break",
    ),
    "pre-validate-command": _STAGES,
    "confirm-command": _STAGES,
    "execute-command": _STAGES,
    "normalize-command": _STAGES,
    "transaction-status": _STAGES,
}


def parties_of(name: str) -> Parties:
    """Parties of a contract by its name without major version, such as `channel-response`."""
    return PARTIES.get(name, UNKNOWN)
