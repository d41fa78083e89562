"""What is said where no request is read: what can be done here, thanks for thanks, and how things stand after a late reply.

Invariants: nothing is opened and nothing is called; no internal name is shown. Source: DESIGN 7 (Reconcile, Confirm).
"""

from contracts.channel_response import ResponseKind
from contracts.status import Status
from pipeline.language.clauses import Role
from pipeline.language.collecting import read_answer
from pipeline.language.replies import Verdict, read_reply
from pipeline.stages.reconcile.choosing import Request, routed
from pipeline.stages.reconcile.episode import Episode, Message

SMALL_TALK_MAX = 120
"""Characters of a greeting or of thanks; a longer message says something else."""

ASKS_FOR_A_PERSON = Role.PERSON.value
"""In the rule by which the router chose nothing: nobody here can pass on to a person."""


def late_reply(episode: Episode, message: Message) -> bool:
    """Tell a customer who answers a question that is closed what became of it; False when it is no such answer."""
    closed = episode.state.last_closed
    if closed is None or message.tool_name is not None:
        return False
    tool = episode.world.installation.tools.get(closed.tool)
    reply = read_reply(
        message.text,
        items=closed.items,
        operation=tool.operation(episode.locale) if tool else "",
        locale=episode.locale,
        interrupted=message.interrupted,
    )
    if reply.verdict not in {Verdict.ACCEPT, Verdict.DECLINE} or reply.rest:
        return False
    if reply.verdict is Verdict.DECLINE and routed(episode, message.text).tool is not None:
        return False
    episode.event("IC.INTENT_NOT_UNDERSTOOD", rule=f"late: {reply.rule}", status=closed.status.value)
    episode.say(f"reconcile.late.{_LATE.get(closed.status, 'other')}", ResponseKind.NOTICE)
    return True


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
    if courtesy == "courtesy":
        episode.say("reconcile.thanks", ResponseKind.NOTICE)
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


def small_talk(text: str) -> str:
    """What a message is that says nothing but "greeting" or "courtesy"; "" for any other."""
    if len(text) > SMALL_TALK_MAX:
        return ""
    said = read_answer(text, parameter={"name": "anything", "type": "string"}, operation="").rule.split()[-1]
    return said if said in {"greeting", "courtesy"} else ""


def what_can_be_done(episode: Episode) -> list[str]:
    """Nouns of what this agent does, each once."""
    tools = episode.world.installation.tools_of(episode.session.agent_id)
    return list(dict.fromkeys(tool.operation(episode.locale).rstrip(".") for tool in tools))
