"""ExecuteCommand: the value of `pipeline.execute`. Source: DESIGN 7."""

from typing import ClassVar

from contracts.base import Contract, Name
from contracts.transaction import Confirmation, Transaction, Turn


class ExecuteCommand(Contract):
    """An order: call the tool once, with exactly these arguments."""

    VERSION: ClassVar[str] = "execute-command-v1"

    turn: Turn
    """The message that said yes, or that asked for it."""
    transaction: Transaction
    """What is to be done."""
    items: tuple[str, ...] = ()
    """Names of the items as shown, in order."""
    digest: Name
    """Digest of the proposal; computed again before the call."""
    text: str = ""
    """The question as shown: part of the digest; empty when none was asked."""
    confirmation: Confirmation | None = None
    """The evidence of the yes; without it a transactional tool is refused."""
