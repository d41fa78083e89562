"""How reconcile itself ends a transaction: given up, replaced, expired while collecting, impossible.

Invariants: the customer is always told that nothing was done; nothing of a closed transaction but its ids and what was shown stays.
Source: DESIGN 2 and 7.
"""

from contracts.agent_state import ClosedTransaction
from contracts.channel_response import ResponseKind
from contracts.status import Status
from pipeline.stages.reconcile.episode import Episode

_TOLD_LAST = frozenset({Status.CANCELLED, Status.EXPIRED, Status.OUT_OF_SCOPE, Status.PREVALIDATION_ERROR})
"""Ends that are told instead of a question: what is said then is no reply to an older one."""


def close(episode: Episode, status: Status, reason: str | None, key: str | None) -> None:
    """End the open transaction; `key`: the text that tells the customer, None when they were told."""
    held = episode.open
    if key is not None:
        episode.answer(episode.text(key, task=episode.task), ResponseKind.FINAL, status=status)
    closed = ClosedTransaction(
        transaction_id=held.transaction_id,
        tool=held.tool,
        status=status,
        reason=reason,
        closed_at=episode.now,
        items=held.proposal.items if held.proposal else (),
    )
    before = episode.state.last_closed
    # A late "sim" is meant for the last question: a query that ran in between had none and does not hide how that one ended.
    hides = before is None or held.proposal is not None or status in _TOLD_LAST
    episode.update(open=None, last_closed=closed if hides else before)
