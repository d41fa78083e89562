"""What normalize keeps of a transaction: that it was answered, so that the same outcome again gives no second answer; before that, with
an AI gateway, what is to be answered while its words are asked for.
"""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field

from contracts.normalize_command import NormalizeCommand
from contracts.status import Status
from pipeline.ledger import LedgerEntry
from pipeline.remembered import Remembered


class Composing(BaseModel):
    """A result whose words the AI gateway is asked for."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    command: NormalizeCommand
    entry: LedgerEntry
    size: int
    """Bytes of the command."""


class Answered(BaseModel):
    """Marker of an answered transaction, or of one that is about to be."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    revision: int
    status: Status
    composing: Composing | None = Field(default=None, exclude_if=lambda value: value is None)


State = Remembered[Answered]


def composing_in(state: State) -> Mapping[str, Composing]:
    """The results whose words are asked for, by transaction."""
    return {name: kept.composing for name, kept in state.transactions.items() if kept.composing is not None}
