"""PreValidateCommand: the value of `pipeline.pre-validate`. Source: DESIGN 3 and 7."""

from typing import ClassVar

from contracts.base import Contract, Flag
from contracts.transaction import Transaction, Turn


class PreValidateCommand(Contract):
    """The arguments are complete: they are to be validated, then to go on to confirm."""

    VERSION: ClassVar[str] = "pre-validate-command-v1"

    turn: Turn
    """The message that caused it."""
    transaction: Transaction
    """What is to be validated."""
    amended: Flag = False
    """True when an amendment of an open question made this revision; a refusal says that nothing was done."""
