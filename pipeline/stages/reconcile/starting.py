"""A message while no transaction is open: which tool it asks for, and what it already says for it.

Owns: opening a transaction, the first extraction, second requests kept for later.
Invariants: a new transaction begins with nothing of an older one; caller's arguments outside the tool's schema are dropped. Source: DESIGN 7 (Reconcile), behaviour REC-04, REC-05.
"""

from typing import Any

from contracts.agent_state import Deferred, Holder, OpenTransaction
from contracts.channel_response import ResponseKind
from contracts.identity import transaction_id
from contracts.status import Status
from pipeline.language.coerce import Coerced, coerce, type_of
from pipeline.language.extract import extract
from pipeline.policy import Tool, arguments_for, is_filled
from pipeline.stages.reconcile.advice import NO_ADVICE
from pipeline.stages.reconcile.advising import consult, consults, is_long, may_ask_for_something
from pipeline.stages.reconcile.asking import limited, proceed
from pipeline.stages.reconcile.choosing import ADVISED, Choice, Request, choose
from pipeline.stages.reconcile.episode import Episode, Message
from pipeline.stages.reconcile.talking import late_reply, not_understood

NAMES = frozenset({"string", "array"})
"""Types whose values are recognised by the words around them."""


def start(episode: Episode, request: Request) -> None:
    """Open a transaction for the request, or say that it was not understood."""
    message = request.message
    episode.about(message)
    if request.tool is None and late_reply(episode, message):
        return
    choice = choose(episode, request)
    if request.advice is None and consults(episode) and is_unsure(episode, request, choice):
        consult(episode, request, choice.text, choice.tool)
        return
    if choice.tool is None:
        not_understood(episode, choice.rule, request)
        return
    keep(episode, request, choice.others)
    open_transaction(episode, request, choice)


def is_unsure(episode: Episode, request: Request, choice: Choice) -> bool:
    """Whether the grammar found no tool in what may be a request, or too little of what it needs in a long one."""
    tool = choice.tool
    if tool is None:
        return may_ask_for_something(choice.text, episode.locale)
    if not is_long(choice.text):
        return False
    values, _, _ = first_arguments(episode, tool, request.message, choice.text)
    held = {**arguments_for(tool, values, episode.business_context), **values}
    return any(name in tool.collected and not is_filled(held.get(name)) for name in tool.requires)


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
    arguments, errors, rules = first_arguments(episode, tool, message, choice.text, advised=choice.advised)
    advice = request.advice or NO_ADVICE
    added, _ = limited(episode, {name: value for name, value in advice.arguments.items() if name not in arguments})
    arguments, rules = {**arguments, **added}, {**rules, **dict.fromkeys(added, ADVISED)}
    errors = {name: code for name, code in errors.items() if name not in added}
    opened = OpenTransaction(
        transaction_id=transaction_id(episode.state.conversation_key, message.message_id, request.ordinal),
        tool=tool.name,
        requested_tool=tool.name,
        # What a model had a part in is never done without asking.
        confirmation_floor=tool.transactional and (choice.advised or bool(added)),
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
    episode: Episode, tool: Tool, message: Message, text: str, *, advised: bool = False
) -> tuple[dict[str, Any], dict[str, str], dict[str, str]]:
    """Values, error codes and rules by argument: what the gateway gave, else what the text says.

    `advised`: the grammar did not know the request, so it can't tell its names from its other words; the rest it can.
    """
    explicit, errors = explicit_arguments(episode, tool, message)
    wanted = [name for name in tool.collected if name not in explicit]
    if advised:
        wanted = [
            name for name in wanted if type_of(tool.spec.args_schema[name].schema_for(episode.locale)) not in NAMES
        ]
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
        operation=tool.operation(episode.locale),
    )
    return dict(found.values), dict(found.errors), dict(found.rules)


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
