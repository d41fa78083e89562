"""Messages that wait while another stage holds the transaction, and requests that wait for the one before them.

Invariants: the order of the messages is kept; kept requests come before waiting messages; a full list is answered, never silently cut.
Source: DESIGN 4 (Conversations across stages) and 7 (Reconcile).
"""

from collections.abc import Iterable

from contracts.agent_state import AgentState, Holder
from contracts.channel_response import ResponseKind
from contracts.status import Status
from pipeline.stages.reconcile.advice import Advice
from pipeline.stages.reconcile.choosing import Request, admitted
from pipeline.stages.reconcile.collecting import collect
from pipeline.stages.reconcile.episode import Episode, Message
from pipeline.stages.reconcile.replying import reply
from pipeline.stages.reconcile.starting import request_of, start


def hear(episode: Episode, message: Message) -> None:
    """Act on a message that has just come: after those that wait, or not yet."""
    if _busy(episode.state) or episode.state.waiting:
        wait(episode, message)
    else:
        act(episode, message)
    drain(episode)


def _busy(state: AgentState) -> bool:
    return state.consultation is not None or (state.open is not None and state.open.holder is Holder.STAGES)


def wait(episode: Episode, message: Message) -> None:
    """Keep a message until pipeline.status answers, as far as there is room."""
    waiting, limits = episode.state.waiting, episode.world.installation.limits
    if len(waiting) < limits.waiting_max and waiting_bytes(episode.state) < limits.payload_bytes:
        episode.update(waiting=(*waiting, message))
        episode.event("IC.MESSAGE_WAITING", waiting_count=len(waiting) + 1, kept=True)
    else:
        episode.event("IC.MESSAGE_WAITING", waiting_count=len(waiting), kept=False)
        episode.say("reconcile.still_working", ResponseKind.NOTICE)


def act(episode: Episode, message: Message, *, waited: bool = False) -> None:
    """Understand a message in the light of the open transaction, which reconcile holds."""
    held = episode.state.open
    message = admitted(episode, message)
    if held is None:
        start(episode, Request(message, waited=waited))
    elif held.status is Status.AWAITING_CONFIRMATION:
        reply(episode, message)
    else:
        collect(episode, message)


def resume(episode: Episode, advice: Advice) -> None:
    """Act on the message that the AI gateway was asked about, with what is believed of its answer."""
    asked, held = episode.state.consultation, episode.state.open
    assert asked is not None
    episode.update(consultation=None)
    episode.about(asked.message)
    if not asked.collecting and held is None:
        request = Request(asked.message, asked.ordinal, asked.tool, asked.waited, advice)
        start(episode, request)
    elif asked.collecting and held is not None and held.status is Status.COLLECTING_PARAMETERS:
        collect(episode, asked.message, advice)
    else:  # it is about something that has changed meanwhile: read it anew, in its turn
        episode.update(waiting=(asked.message, *episode.state.waiting))
    drain(episode)


def drain(episode: Episode) -> None:
    """Take up what waits for as long as the conversation is free."""
    while not _busy(episode.state):
        state = episode.state
        if state.open is None and state.deferred:
            episode.update(deferred=state.deferred[1:])
            start(episode, request_of(state.deferred[0], episode.session.channel))
        elif state.waiting:
            episode.update(waiting=state.waiting[1:])
            act(episode, state.waiting[0], waited=True)
        else:
            return


def waiting_bytes(state: AgentState) -> int:
    """Durable bytes of messages and requests that wait: what the limit of one conversation counts."""
    return held_up_bytes(state) + _size(request.text for request in state.deferred)


def held_up_bytes(state: AgentState) -> int:
    """Bytes that wait for another stage or the AI gateway: what back-pressure counts.

    Deferred requests are left out: behind an open question only the customer frees them, by a message of the very input that
    back-pressure pauses.
    """
    asked = () if state.consultation is None else (state.consultation.message.text,)
    return _size((*(message.text for message in state.waiting), *asked))


def _size(texts: Iterable[str]) -> int:
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
