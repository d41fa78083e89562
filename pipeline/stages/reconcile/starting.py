"""A message while no transaction is open: which tool it asks for, and what it already says for it.

Owns: tool choice (gateway's tool if allowed > router > "did not understand"), the first extraction, second requests kept for later,
late replies to a question that is closed.
Invariants: a new transaction begins with nothing of an older one; a tool is denied unless the agent lists it; caller's arguments
outside the tool's schema are dropped. Source: DESIGN 7 (Reconcile), behaviour REC-04, REC-05.
"""

from dataclasses import dataclass
from typing import Any

from contracts.agent_state import Deferred, Holder, OpenTransaction
from contracts.channel_response import ResponseKind
from contracts.identity import transaction_id
from contracts.status import Status
from pipeline.language.clauses import Role
from pipeline.language.coerce import Coerced, coerce
from pipeline.language.collecting import read_answer
from pipeline.language.extract import extract
from pipeline.language.replies import Verdict, read_reply
from pipeline.language.routing import RoutingTool, route
from pipeline.policy import Tool, localized
from pipeline.stages.reconcile.asking import limited, proceed
from pipeline.stages.reconcile.episode import Episode, Message

SMALL_TALK_MAX = 120
"""Characters of a greeting or of thanks; a longer message says something else."""

ASKS_FOR_A_PERSON = Role.PERSON.value
"""In the rule by which the router chose nothing: nobody here can pass on to a person."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for: a message, or a part of one that had to wait."""

    message: Message
    ordinal: int = 0
    """Its place among the requests of the message: part of the transaction id."""
    tool: str | None = None
    """Where the router already said it."""
    waited: bool = False
    """Whether it was said while another request was being worked on."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The tool for a text, and by which rule."""

    tool: Tool | None
    rule: str
    text: str
    others: tuple[tuple[str, str], ...] = ()
    """(tool, text) of further requests in the same message."""
    score: float | None = None


def start(episode: Episode, request: Request) -> None:
    """Open a transaction for the request, or say that it was not understood."""
    message = request.message
    episode.about(message)
    if request.tool is None and late_reply(episode, message):
        return
    choice = choose(episode, request)
    if choice.tool is None:
        not_understood(episode, choice.rule, request)
        return
    keep(episode, request, choice.others)
    open_transaction(episode, request, choice)


def admitted(episode: Episode, message: Message) -> Message:
    """The message without a tool that the agent may not call for a customer."""
    episode.about(message)
    if message.tool_name is None or episode.tool(message.tool_name) is not None:
        return message
    episode.event("GRL.TOOL_DENIED", tool=message.tool_name)
    return message.model_copy(update={"tool_name": None, "arguments": {}})


def choose(episode: Episode, request: Request) -> Choice:
    """The tool that is known already, else the gateway's, else the router's."""
    text = request.message.text
    for name, rule in ((request.tool, "kept from before"), (request.message.tool_name, "the gateway named the tool")):
        tool = episode.tool(name) if name is not None else None
        if tool is not None:
            return Choice(tool, rule, text)
    return routed(episode, text)


def routed(episode: Episode, text: str) -> Choice:
    """What the router makes of a text."""
    found = route(text, routing_tools(episode), nearest=episode.world.nearest, locale=episode.locale)
    if found.tool is None:
        return Choice(None, found.rule, text)
    if found.tool != "multiple":
        return Choice(episode.tool(found.tool), found.rule, text, score=found.score)
    (first, first_text), *others = zip(found.tools, found.parts, strict=True)
    return Choice(episode.tool(first), found.rule, first_text, tuple(others), found.score)


def routing_tools(episode: Episode) -> tuple[RoutingTool, ...]:
    """The tools of this agent, as the router sees them."""
    return tuple(
        RoutingTool(
            name=tool.name,
            description=localized(tool.spec.description, episode.locale) or "",
            keywords=tool.hints.keywords,
            examples=tool.hints.examples,
        )
        for tool in episode.world.installation.tools_of(episode.session.agent_id)
    )


def keep(episode: Episode, request: Request, others: tuple[tuple[str, str], ...]) -> None:
    """Keep further requests of a message until this one has ended."""
    message = request.message
    later = (
        deferred_from(message, text, ordinal=request.ordinal + place, tool=tool)
        for place, (tool, text) in enumerate(others, start=1)
    )
    defer(episode, *later)


def deferred_from(message: Message, text: str | None = None, *, ordinal: int = 0, tool: str | None = None) -> Deferred:
    """A request to be taken up later: the message, or the part of it that is `text`."""
    return Deferred(
        text=message.text if text is None else text,
        message_id=message.message_id,
        ordinal=ordinal,
        tool=tool,
        said_at=message.said_at,
        trace_id=message.trace_id,
        user_id=message.user_id,
    )


def defer(episode: Episode, *later: Deferred) -> None:
    """Put requests behind the ones that wait already; what does not fit any more is told to the customer."""
    limit = episode.world.installation.limits.deferred_max
    together = (*episode.state.deferred, *later)
    episode.update(deferred=together[:limit])
    if len(together) > limit:
        episode.say("reconcile.too_many_requests", ResponseKind.NOTICE)


def open_transaction(episode: Episode, request: Request, choice: Choice) -> None:
    """Begin a transaction with what the message itself says, and ask or hand on."""
    message, tool = request.message, choice.tool
    assert tool is not None
    arguments, errors, rules = first_arguments(episode, tool, message, choice.text)
    opened = OpenTransaction(
        transaction_id=transaction_id(episode.state.conversation_key, message.message_id, request.ordinal),
        tool=tool.name,
        requested_tool=tool.name,
        arguments=arguments,
        source_text=choice.text,
        opened_at=message.said_at,
        opened_by=message.message_id,
        status=Status.COLLECTING_PARAMETERS,
        holder=Holder.RECONCILE,
    )
    episode.update(open=opened, route=tool.name, intent=tool.name)
    episode.event(
        "IC.INTENT_DETECTED",
        tool=tool.name,
        rule=choice.rule,
        score=choice.score,
        deferred_count=len(choice.others) or None,
        arguments_count=len(arguments),
        extraction=rules or None,
    )
    error = next((errors[name] for name in tool.requires if name in errors), None)
    proceed(episode, error=error)


def first_arguments(
    episode: Episode, tool: Tool, message: Message, text: str
) -> tuple[dict[str, Any], dict[str, str], dict[str, str]]:
    """Values, error codes and rules by argument: what the gateway gave, else what the text says."""
    explicit, errors = explicit_arguments(episode, tool, message)
    wanted = [name for name in tool.collected if name not in explicit]
    values, read_errors, rules = read_arguments(episode, tool, wanted, text)
    kept, too_many = limited(episode, {**values, **explicit})
    if too_many:
        read_errors |= {name: too_many for name in values if name not in kept}
    return kept, {**read_errors, **errors}, rules


def explicit_arguments(episode: Episode, tool: Tool, message: Message) -> tuple[dict[str, Any], dict[str, str]]:
    """The gateway's arguments that the tool's schema has, by their type; all others are dropped."""
    values: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for name in tool.collected:
        if name not in message.arguments:
            continue
        read = coerce(
            message.arguments[name],
            tool.spec.args_schema[name].schema_for(episode.locale),
            locale=episode.locale,
            now=episode.now,
            timezone=episode.world.installation.timezone,
        )
        if isinstance(read, Coerced):
            values[name] = read.value
        else:
            errors[name] = read.code
    return values, errors


def read_arguments(
    episode: Episode, tool: Tool, names: list[str], text: str
) -> tuple[dict[str, Any], dict[str, str], dict[str, str]]:
    """Values, error codes and rules of the arguments that a text says."""
    schemas = {name: tool.spec.args_schema[name].schema_for(episode.locale) for name in names}
    found = extract(
        text,
        schemas,
        required=tuple(name for name in tool.requires if name in schemas),
        locale=episode.locale,
        now=episode.now,
        timezone=episode.world.installation.timezone,
    )
    return dict(found.values), dict(found.errors), dict(found.rules)


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


def request_of(deferred: Deferred, channel: str) -> Request:
    """A kept request, as a message again."""
    message = Message(
        message_id=deferred.message_id,
        text=deferred.text,
        said_at=deferred.said_at,
        trace_id=deferred.trace_id,
        channel=channel,
        user_id=deferred.user_id,
    )
    return Request(message, deferred.ordinal, deferred.tool)
