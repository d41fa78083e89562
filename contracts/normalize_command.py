"""NormalizeCommand: the value of `pipeline.normalize`: what is known of the call. Source: DESIGN 7."""

from enum import StrEnum
from typing import Any, ClassVar

from contracts.base import Contract
from contracts.tool_invocation import ToolInvocation
from contracts.tool_result import ToolResult
from contracts.transaction import Transaction, Turn


class CallFate(StrEnum):
    """What became of the call."""

    ANSWERED = "answered"
    """A readable answer came, good or bad."""
    REFUSED = "refused"
    """It was certainly not executed: never sent, blocked by policy, or the server refused before working."""
    UNKNOWN = "unknown"
    """It may have been executed; nobody could tell."""


class NormalizeCommand(Contract):
    """What became of the call: the customer is to be told the fate of every item."""

    VERSION: ClassVar[str] = "normalize-command-v1"

    turn: Turn
    """The message that is answered."""
    transaction: Transaction
    """What was to be done."""
    items: tuple[str, ...] = ()
    """Names of the confirmed items as shown, in order."""
    item_values: tuple[Any, ...] = ()
    """The confirmed items as they were sent: strings, or objects such as {name, id}."""
    fate: CallFate
    """Whether it was answered, refused, or nobody can tell."""
    invocation: ToolInvocation | None = None
    """The call as it was sent; absent when none was."""
    result: ToolResult | None = None
    """The answer, item retries merged in; refused by policy: ok is false and metadata says blocked_by_policy."""
    reason: str = ""
    """Why it was refused or is unknown, as a code."""
    attempts: int = 0
    """How often the tool was called."""
