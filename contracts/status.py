"""The statuses of a transaction: one enum for records, events and responses. Source: DESIGN 2."""

from enum import StrEnum


class Status(StrEnum):
    """Where a transaction is."""

    COLLECTING_PARAMETERS = "COLLECTING_PARAMETERS"
    """An argument is missing: the customer is asked for it."""
    VALIDATING = "VALIDATING"
    """The validator tool is being asked."""
    AWAITING_CONFIRMATION = "AWAITING_CONFIRMATION"
    """The customer was asked for the one yes."""
    EXECUTING = "EXECUTING"
    """The tool is being called."""
    COMPLETED = "COMPLETED"
    """Ended: the tool answered, and at least one item was done."""
    FAILED = "FAILED"
    """Ended: the call was refused, or not one item was done."""
    OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN"
    """Ended: the call may have been executed, and nobody could tell."""
    OUT_OF_SCOPE = "OUT_OF_SCOPE"
    """Ended: the validator said that it can't be done, or the agent may not do it."""
    PREVALIDATION_ERROR = "PREVALIDATION_ERROR"
    """Ended: it could not be checked now; nothing was done."""
    CANCELLED = "CANCELLED"
    """Ended by the customer: declined, abandoned or replaced by another request."""
    EXPIRED = "EXPIRED"
    """Ended: nobody answered in time."""

    @property
    def terminal(self) -> bool:
        """Whether the transaction has ended."""
        return self not in _OPEN


_OPEN = {Status.COLLECTING_PARAMETERS, Status.VALIDATING, Status.AWAITING_CONFIRMATION, Status.EXECUTING}


class MultiItemStatus(StrEnum):
    """Fate of a set of items, as the multi-item guide has it."""

    SUCCESS = "SUCCESS"
    """Every item was done."""
    PARTIAL_SUCCESS = "PARTIAL_SUCCESS"
    """Some items were done and some were not."""
    FAILED = "FAILED"
    """No item was done."""


class ItemOutcome(StrEnum):
    """Fate of one item in an answer."""

    SUCCEEDED = "SUCCEEDED"
    """It was done: the tool itself said so."""
    FAILED = "FAILED"
    """It was not done, or no confirmation of it came."""
    UNKNOWN = "UNKNOWN"
    """It may have been done; nobody could tell."""
