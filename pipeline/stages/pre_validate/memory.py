"""What pre-validate keeps while a validator is asked; nothing is kept of a transaction once it was handed on."""

from pydantic import BaseModel, ConfigDict

from contracts.base import Flag
from contracts.pre_validate_command import PreValidateCommand
from pipeline.ledger import LedgerEntry
from pipeline.remembered import Remembered


class Validation(BaseModel):
    """One transaction on its way through the gate."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    command: PreValidateCommand
    """With the tool and the arguments as they stand now."""
    entry: LedgerEntry | None = None
    """The call of the validator."""
    validated: tuple[str, ...] = ()
    """Tools whose own validation has been asked, in order."""
    requires_confirmation: Flag = False
    """A validator asked for a question even where the policy does not."""
    confirmation_message: str | None = None
    """The wording of the last validator."""
    size: int = 0
    """Bytes of the command as it was read."""


State = Remembered[Validation]
