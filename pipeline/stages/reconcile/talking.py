"""What is said where no request is read: what can be done here, thanks for thanks, and how things stand after a late reply.

Invariants: nothing is opened and nothing is called; no internal name is shown. Source: DESIGN 7 (Reconcile, Confirm).
"""

from collections.abc import Sequence

from contracts.channel_response import ResponseKind
from contracts.status import Status
from pipeline.language.clauses import Role
from pipeline.language.collecting import read_answer
from pipeline.language.lexemes import words_of
from pipeline.language.normalize import fold, spelled, unstretched
from pipeline.language.politeness import opens_with_yes
from pipeline.language.replies import Verdict, read_reply
from pipeline.policy import localized
from pipeline.stages.reconcile.choosing import Request, routed
from pipeline.stages.reconcile.episode import Episode, Message

SMALL_TALK_MAX = 120
"""Characters of a greeting or of thanks; a longer message says something else."""

ITEM_WORD_MIN = 3
"""Characters of a word that tells an item: "Jr" and "de" alone name none."""

TAKEN_OUT = "taken out"
"""End of the rule by which a reply takes items out of the set."""

ASKS_FOR_A_PERSON = Role.PERSON.value
"""In the rule by which the router chose nothing: nobody here can pass on to a person."""


def late_reply(episode: Episode, message: Message) -> bool:
    """Tell a customer who answers a question that is closed what became of it; False when it is no such answer."""
    closed = episode.state.last_closed
    if closed is None or message.tool_name is not None:
        return False
    talk = small_talk(message.text)
    asked = bool(closed.items) and closed.status in _STILL_MEANT
    if talk == "farewell" or (talk == "courtesy" and not asked):
        return False  # "valeu" after the result is thanks
    tool = episode.world.installation.tools.get(closed.tool)
    reply = read_reply(
        message.text,
        items=closed.items,
        operation=tool.operation(episode.locale) if tool else "",
        locale=episode.locale,
        interrupted=message.interrupted,
    )
    # "tira o Neymar" is about the set that was shown, though "tirar" may be a word of the tool.
    narrows = closed.items != () and reply.rule.endswith(TAKEN_OUT)
    if reply.rest or not (narrows or reply.verdict in {Verdict.ACCEPT, Verdict.DECLINE}):
        return False
    asks = (
        reply.verdict is Verdict.DECLINE
        or _names_one(message.text, closed.items)
        or not opens_with_yes(message.text)  # "cancela tudo"
    )
    if asks and not narrows and routed(episode, message.text).tool is not None:
        return False  # "cancela o Neymar pra mim" once more: a request of its own
    episode.event("IC.INTENT_NOT_UNDERSTOOD", rule=f"late: {reply.rule}", status=closed.status.value)
    refused = closed.status in _REFUSED and not closed.items
    said = "refused" if refused else _LATE.get(closed.status, "other")
    if refused and reply.verdict is Verdict.DECLINE:
        episode.say("reconcile.anything_else", ResponseKind.NOTICE)
    else:
        episode.say(f"reconcile.late.{said}", ResponseKind.NOTICE)
    return True


def _names_one(text: str, items: Sequence[str]) -> bool:
    """Whether the text holds a word of the name of an item."""
    said = set(fold(text).split())
    return any(len(word) >= ITEM_WORD_MIN and word in said for item in items for word in fold(item).split())


_STILL_MEANT = frozenset({Status.EXPIRED, Status.OUTCOME_UNKNOWN})
"""After these a "valeu" may be the yes that came too late."""
_REFUSED = frozenset({Status.OUT_OF_SCOPE, Status.PREVALIDATION_ERROR})
"""Ended before anything was asked: a "não" refuses nothing then."""
_LATE = {
    Status.EXPIRED: "expired",
    Status.COMPLETED: "completed",
    Status.CANCELLED: "cancelled",
    Status.OUTCOME_UNKNOWN: "unknown",
}


def not_understood(episode: Episode, rule: str, request: Request | None = None) -> None:
    """Say plainly that it was not understood, and what can be done here; greet and thank back."""
    courtesy = small_talk(request.message.text) if request is not None else ""
    episode.event("IC.INTENT_NOT_UNDERSTOOD", rule=courtesy or rule)
    offers = what_can_be_done(episode)
    closed = episode.state.last_closed
    if courtesy == "courtesy":
        episode.say("reconcile.thanks", ResponseKind.NOTICE)
    elif courtesy == "farewell":
        episode.say("reconcile.goodbye", ResponseKind.NOTICE)
    elif request is not None and closed is not None and _asks_for_protocol(request.message.text):
        episode.say("reconcile.protocol", ResponseKind.NOTICE)
    elif request is not None and request.waited:
        # Said while the last request was being worked on ("e aí?"): its answer is out by now.
        episode.say("reconcile.anything_else", ResponseKind.NOTICE)
    elif not offers:
        episode.say("reconcile.not_understood_at_all", ResponseKind.QUESTION)
    elif courtesy == "greeting":
        episode.say("reconcile.hello", ResponseKind.QUESTION, offers=offers)
    elif ASKS_FOR_A_PERSON in rule:
        episode.say("reconcile.no_person", ResponseKind.QUESTION, offers=offers)
    else:
        episode.say("reconcile.not_understood", ResponseKind.QUESTION, offers=offers)


def _asks_for_protocol(text: str) -> bool:
    """Qual foi o protocolo?: what the result said already."""
    return len(text) <= SMALL_TALK_MAX and any(word.startswith("protocol") for word in words_of(text))


def small_talk(text: str) -> str:
    """What a message is that says nothing but "greeting", "courtesy" or "farewell"; "" for any other."""
    if len(text) > SMALL_TALK_MAX:
        return ""
    for written in dict.fromkeys((text, _plainly(text))):
        said = read_answer(written, parameter={"name": "anything", "type": "string"}, operation="").rule.split()[-1]
        if said in {"greeting", "courtesy", "farewell"}:
            return said
    return ""


def _plainly(text: str) -> str:
    """The words without chat spelling and stretched letters: "oiii", "vlw"."""
    words = fold(text).rstrip("!.? ").split()
    return " ".join(spelled(next(iter(unstretched(word)), word)) for word in words)


def what_can_be_done(episode: Episode) -> list[str]:
    """What this agent does, as it is offered, each once."""
    tools = episode.world.installation.tools_of(episode.session.agent_id)
    offers = (
        localized(tool.spec.offer, episode.locale) or tool.operation(episode.locale).rstrip(".") for tool in tools
    )
    return list(dict.fromkeys(offers))
