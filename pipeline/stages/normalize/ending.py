"""One decision about the end of one transaction: what is known of it, and where its records go."""

from dataclasses import dataclass

from contracts.normalize_command import NormalizeCommand
from pipeline.language.wording import Wording
from pipeline.outbox import Outbox
from pipeline.policy import Tool
from pipeline.stages.normalize.fates import Outcome
from pipeline.stages.normalize.memory import State


@dataclass(frozen=True, slots=True)
class Ending:
    """Made per input and thrown away with it."""

    state: State
    command: NormalizeCommand
    tool: Tool | None
    """None when the configuration no longer has it."""
    wording: Wording
    outcome: Outcome
    outbox: Outbox
