"""The statuses of a transaction: one enum for records, events and responses. Source: DESIGN 2."""

from enum import StrEnum


class Status(StrEnum):
    """Where a transaction is."""

    COLLECTING_PARAMETERS = "COLLECTING_PARAMETERS"
    VALIDATING = "VALIDATING"
    AWAITING_CONFIRMATION = "AWAITING_CONFIRMATION"
    EXECUTING = "EXECUTING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN"
    OUT_OF_SCOPE = "OUT_OF_SCOPE"
    PREVALIDATION_ERROR = "PREVALIDATION_ERROR"
    CANCELLED = "CANCELLED"
    EXPIRED = "EXPIRED"

    @property
    def terminal(self) -> bool:
        """Whether the transaction has ended."""
        return self not in _OPEN


_OPEN = {Status.COLLECTING_PARAMETERS, Status.VALIDATING, Status.AWAITING_CONFIRMATION, Status.EXECUTING}


class MultiItemStatus(StrEnum):
    """Fate of a set of items. Source: the multi-item guide, section 5."""

    SUCCESS = "SUCCESS"
    PARTIAL_SUCCESS = "PARTIAL_SUCCESS"
    FAILED = "FAILED"


class ItemOutcome(StrEnum):
    """Fate of one item in an answer."""

    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    UNKNOWN = "UNKNOWN"
