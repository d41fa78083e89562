"""What the other stages tell of the open transaction, and what becomes of the words that waited for it.

Owns: every kind of TransactionStatus; a verdict's afterlife (amended arguments proposed again, a new request taken up).
Invariants: a status of another transaction or of an older revision changes nothing; a re-announced question of one revision keeps the
instant at which it was first told. Source: DESIGN 4 (Conversations across stages), the protocol between the stages.
"""

from dataclasses import dataclass
from datetime import datetime

from contracts.agent_state import Holder
from contracts.channel_response import ResponseKind
from contracts.confirm_command import VerdictKind
from contracts.status import Status
from contracts.transaction_status import TransactionStatus
from pipeline.decision import Rejection
from pipeline.stages.reconcile.asking import NO_VERDICT, proceed
from pipeline.stages.reconcile.choosing import Request
from pipeline.stages.reconcile.closing import close
from pipeline.stages.reconcile.episode import Episode
from pipeline.stages.reconcile.rejecting import dlq_payload
from pipeline.stages.reconcile.replying import amend
from pipeline.stages.reconcile.starting import defer, deferred_from, start


@dataclass(frozen=True, slots=True)
class Told:
    """A status and the broker time of its record."""

    status: TransactionStatus
    at: datetime


def is_stale(episode: Episode, status: TransactionStatus) -> bool:
    """Whether it is about something that is over."""
    held = episode.state.open
    return held is None or held.transaction_id != status.transaction_id or status.revision < held.revision


def follow(episode: Episode, told: Told) -> None:
    """Act on a status of the open transaction."""
    status = told.status
    episode.outbox.about(status.turn)
    if status.status.terminal:
        closed(episode, status)
        return
    match status.status:
        case Status.COLLECTING_PARAMETERS:
            asked_by_validator(episode, status)
        case Status.VALIDATING if status.granted is VerdictKind.AMEND:
            amend(episode)
            proceed(episode, amended=True)
        case Status.AWAITING_CONFIRMATION:
            awaiting(episode, told)
        case Status.VALIDATING | Status.EXECUTING:
            episode.update_open(
                status=status.status, holder=Holder.STAGES, tool=status.tool, handed_on_at=episode.now, **NO_VERDICT
            )
        case _:
            raise AssertionError(status.status)


def asked_by_validator(episode: Episode, status: TransactionStatus) -> None:
    """The validator refused one argument and its question is out: collect that one again, keep the rest."""
    name = status.parameter
    arguments = {key: value for key, value in status.arguments.items() if key != name}
    floor = status.confirmation_floor or (episode.open is not None and episode.open.confirmation_floor)
    episode.update_open(arguments=arguments, tool=status.tool, confirmation_floor=floor, **NO_VERDICT)
    if name is None or not status.announced or episode.open_tool is None:
        proceed(episode)
        return
    episode.update_open(
        status=Status.COLLECTING_PARAMETERS,
        holder=Holder.RECONCILE,
        pending=name,
        pending_question=status.parameter_message,
        asked_times=1,
        expires_at=episode.now + episode.collecting_ttl,
        handed_on_at=None,
        operator_told=False,
        proposal=None,
        asked_at=None,
    )


def awaiting(episode: Episode, told: Told) -> None:
    """A question is open, for the first time or still."""
    held, status = episode.open, told.status
    assert status.proposal is not None
    same = held.proposal is not None and held.revision == status.revision and held.asked_at is not None
    lost = held.verdict_message if held.verdict is VerdictKind.REPLACE else None
    episode.update_open(
        revision=status.revision,
        status=Status.AWAITING_CONFIRMATION,
        holder=Holder.RECONCILE,
        tool=status.tool,
        arguments=status.arguments,
        proposal=status.proposal,
        asked_at=held.asked_at if same else told.at,
        handed_on_at=None,
        operator_told=False,
        expires_at=None,
        **NO_VERDICT,
    )
    if lost is not None:
        # The question that the new request was to replace was not the open one: the request waits instead of being lost.
        defer(episode, deferred_from(lost))


def lose(episode: Episode, rejection: Rejection) -> None:
    """A status can't be read or decided: unless it was one in between, the transaction ends here rather than hang.

    What waited is dropped with it and asked for again: one of those messages may be what could not be decided.
    """
    episode.outbox.event("NOC.DLQ", None, **dlq_payload(rejection))
    held, data = episode.state.open, rejection.data or {}
    of_another = data.get("transaction_id", held and held.transaction_id) != (held and held.transaction_id)
    if held is None or of_another or data.get("status") in {Status.VALIDATING, Status.EXECUTING}:
        return
    episode.answer(episode.text("reconcile.ended"), ResponseKind.FINAL, status=Status.FAILED)
    close(episode, Status.FAILED, "status_lost", None)
    episode.update(waiting=(), deferred=(), consultation=None)


def closed(episode: Episode, status: TransactionStatus) -> None:
    """It has ended; a request that replaced it, or a reply that came too late, is taken up at once."""
    held = episode.open
    if not status.announced:
        episode.answer(episode.text("reconcile.ended"), ResponseKind.FINAL, status=status.status)
    close(episode, status.status, status.reason, None)
    reply = held.verdict_message
    if reply is None:
        return
    # The timer closed it while a reply was on its way: confirm finds that one stale and says nothing to it.
    crossed = status.status is Status.EXPIRED and status.turn.message_id != reply.message_id
    if held.verdict is VerdictKind.REPLACE or crossed:
        start(episode, Request(reply))
