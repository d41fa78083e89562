"""A message while reconcile collects arguments: an answer, a correction, giving up, another intent, or none of them.

Owns: the order pending field > correction > giving up > another intent > ask again; what a new target clears; the expiry.
Invariants: values said in this message win over older ones; a value belongs to the target it was said with.
Source: DESIGN 7 (Reconcile), behaviour REC-06, REC-10, REC-11, language.json ABANDON-*.
"""

from collections.abc import Callable
from typing import Any

from contracts.status import Status
from pipeline.language.coerce import AMBIGUOUS, type_of
from pipeline.language.collecting import Answer, AnswerVerdict, read_answer
from pipeline.language.normalize import fold
from pipeline.language.replies import Verdict, read_reply
from pipeline.language.routing import Route, route
from pipeline.policy import ArgumentSpec, Tool, is_filled, localized
from pipeline.stages.reconcile.advice import Advice
from pipeline.stages.reconcile.advising import consult, consults, is_long
from pipeline.stages.reconcile.asking import limited, missing, proceed, question, with_source
from pipeline.stages.reconcile.choosing import ADVISED, Request, choose, routed, routing_tools
from pipeline.stages.reconcile.closing import close
from pipeline.stages.reconcile.episode import Episode, Message
from pipeline.stages.reconcile.starting import explicit_arguments, read_arguments, start

VERB = "keyword verb"
"""In the rule by which the router chose a tool for the verb of its keywords."""

MATTER_MIN = 4
"""Characters of a word of a label that tells what is asked for."""

TYPED = {"number", "integer", "date", "boolean", "enum"}
"""Types whose values can be recognised in any sentence."""


def collect(episode: Episode, message: Message, advice: Advice | None = None) -> None:
    """Act on one message about the argument that was asked for; `advice`: what the AI gateway made of it, once asked."""
    tool, pending = episode.open_tool, episode.open.pending
    if tool is None or pending is None:  # the configuration changed under an open transaction
        proceed(episode)
        return
    if message.tool_name not in {None, tool.name}:
        replaced(episode, Request(message), "the gateway named the tool")
        return
    given, _ = explicit_arguments(episode, tool, message)
    if given:
        take(episode, tool, message, given)
        return
    spec = tool.spec.args_schema.get(pending, ArgumentSpec())
    answer = read_answer(
        message.text,
        parameter={"name": pending, **spec.schema_for(episode.locale)},
        operation=episode.operation,
        question=question(episode, pending, spec),
        locale=episode.locale,
        now=episode.now,
        timezone=episode.world.installation.timezone,
        routes=other_routes(episode, tool),
    )
    again = retargeted(episode, tool, pending, message)
    if again:
        take(episode, tool, message, again)
        return
    match answer.verdict:
        case AnswerVerdict.ANSWER if orders_another(episode, tool, spec, message):
            replaced(episode, Request(message), "ABANDON-4 orders another operation by its verb")
        case AnswerVerdict.ANSWER:
            take(episode, tool, message, {pending: answer.value}, rest=answer.rest, rule=answer.rule)
        case AnswerVerdict.ABANDON:
            episode.event("IC.TRANSACTION_ABANDONED", rule=answer.rule, parameter=pending)
            close(episode, Status.CANCELLED, "abandoned", "reconcile.abandoned")
        case AnswerVerdict.NEW_INTENT:
            other_intent(episode, tool, message, answer)
        case AnswerVerdict.UNCLEAR if asked := asked_outright(episode, tool, pending, message):
            take(episode, tool, message, asked)
        case AnswerVerdict.UNCLEAR:
            correct_or_ask(episode, tool, message, answer, advice)


def orders_another(episode: Episode, tool: Tool, spec: ArgumentSpec, message: Message) -> bool:
    """Whether a name comes with the verb of another operation ("na verdade quero cancelar a HBO Max"), not of this one's matter."""
    if spec.free_text or type_of(spec.schema_for(episode.locale)) not in {"string", "array"}:
        return False
    choice = routed(episode, message.text)
    if choice.tool is None or choice.tool.name == tool.name or choice.others or VERB not in choice.rule:
        return False
    label = fold(localized(spec.label, episode.locale) or "").split()
    return not {word for word in label if len(word) >= MATTER_MIN} & set(fold(message.text).split())


def asked_outright(episode: Episode, tool: Tool, pending: str, message: Message) -> dict[str, Any]:
    """Values of a question that is the query itself: "onde está o P-100?" where the orders to look up are asked for."""
    if tool.transactional:
        return {}
    choice = routed(episode, message.text)
    if choice.tool is None or choice.tool.name != tool.name:
        return {}
    values, _, _ = read_arguments(episode, tool, list(tool.collected), message.text)
    return values if pending in values else {}


def other_routes(episode: Episode, tool: Tool) -> Callable[[str], Route]:
    """The router over all tools but the one that is being collected for."""
    others = tuple(other for other in routing_tools(episode) if other.name != tool.name)
    return lambda text: route(text, others, nearest=episode.world.nearest, locale=episode.locale)


def retargeted(episode: Episode, tool: Tool, pending: str, message: Message) -> dict[str, Any]:
    """Values of the same request made again for another target ("quero devolver o K-9") while something else is asked for."""
    target = target_of(tool)
    if target is None or target == pending or not is_filled(episode.open.arguments.get(target)):
        return {}
    added = additions(episode, tool, message)
    if added:
        return {target: added}
    choice = routed(episode, message.text)
    if choice.tool is None or choice.tool.name != tool.name:
        return {}
    values, _, _ = read_arguments(episode, tool, list(tool.collected), message.text)
    return values if changes_target(tool, episode.open.arguments, values) else {}


def additions(episode: Episode, tool: Tool, message: Message) -> list[str]:
    """The collection with what "também o Deezer" adds to it; empty when the message adds nothing."""
    held = episode.open.arguments.get(tool.items_argument or "")
    if not isinstance(held, list) or not all(isinstance(item, str) for item in held):
        return []
    read = read_reply(message.text, items=held, operation=episode.operation, locale=episode.locale)
    # Only a plain addition: a reason may well name an item and say no to it.
    grown = read.verdict is Verdict.AMEND and list(read.items[: len(held)]) == held and len(read.items) > len(held)
    return list(read.items) if grown else []


def take(
    episode: Episode,
    tool: Tool,
    message: Message,
    said: dict[str, Any],
    *,
    rest: str = "",
    rule: str | None = None,
) -> None:
    """Take values said in this message, and what else the same message says for arguments that are missing."""
    if rest:
        open_names = [name for name in missing(tool, episode) if name in tool.collected and name not in said]
        more, _, _ = read_arguments(episode, tool, open_names, rest)
        said = {**more, **said}
    kept, error = limited(episode, said)
    apply(episode, tool, message, kept)
    proceed(episode, error=error, again=error is not None, rule=rule)


def apply(episode: Episode, tool: Tool, message: Message, said: dict[str, Any]) -> None:
    """Write values over older ones; another target takes the values of the old one with it."""
    held = episode.open.arguments
    if changes_target(tool, held, said) and not grows(tool, held, said):
        held = {}
    source = with_source(episode.open.source_text, message.text)
    episode.update_open(arguments={**held, **said}, source_text=source)


def target_of(tool: Tool) -> str | None:
    """The argument that says what the operation is done to: the collection, else the first one required."""
    return tool.items_argument or next((name for name in tool.requires if name in tool.collected), None)


def changes_target(tool: Tool, held: dict[str, Any], said: dict[str, Any]) -> bool:
    """Whether the values said name another target than the one held."""
    target = target_of(tool)
    return target in said and target in held and is_filled(held[target]) and held[target] != said[target]


def grows(tool: Tool, held: dict[str, Any], said: dict[str, Any]) -> bool:
    """Whether the values said only add to the collection held."""
    name = tool.items_argument
    old, new = held.get(name or ""), said.get(name or "")
    return isinstance(old, list) and isinstance(new, list) and new[: len(old)] == old


def correct_or_ask(episode: Episode, tool: Tool, message: Message, answer: Answer, advice: Advice | None) -> None:
    """No value for the pending argument: perhaps it corrects an earlier one ("desculpa, é o de 19,90"), else ask again."""
    pending = episode.open.pending
    typed = [
        name
        for name in tool.collected
        if type_of(tool.spec.args_schema[name].schema_for(episode.locale)) in TYPED and name != pending
    ]
    # Several values in one answer ("Cinema Pack, foi 25 reais") are none for the pending argument alone.
    names = [pending, *typed] if answer.error == AMBIGUOUS and pending in tool.collected else typed
    values, _, _ = read_arguments(episode, tool, [name for name in names if name is not None], message.text)
    if values:
        take(episode, tool, message, values)
    elif advice is None and consults(episode) and is_long(message.text):
        consult(episode, Request(message), message.text, tool, collecting=True)
    elif advice is not None and advice.arguments:
        episode.update_open(confirmation_floor=episode.open.confirmation_floor or tool.transactional)
        take(episode, tool, message, dict(advice.arguments), rule=ADVISED)
    else:
        proceed(episode, error=answer.error, again=True, rule=answer.rule)


def other_intent(episode: Episode, tool: Tool, message: Message, answer: Answer) -> None:
    """Another request: the same operation with a new target goes on with that, any other one replaces this."""
    request = Request(message.model_copy(update={"text": answer.rest or message.text}))
    choice = choose(episode, request)
    if choice.tool is None or choice.tool.name != tool.name:
        replaced(episode, request, answer.rule)
        return
    values, _, _ = read_arguments(episode, tool, list(tool.collected), message.text)
    if values:
        take(episode, tool, message, values)
    else:
        proceed(episode, again=True, rule=answer.rule)


def replaced(episode: Episode, request: Request, rule: str) -> None:
    """Close what was being collected, say that it was not done, go on with the new request."""
    episode.event("IC.TRANSACTION_REPLACED", rule=rule, parameter=episode.open.pending)
    close(episode, Status.CANCELLED, "replaced", "reconcile.replaced")
    start(episode, request)


def expire(episode: Episode) -> None:
    """Nobody answered in time."""
    episode.event("IC.TRANSACTION_EXPIRED", parameter=episode.open.pending)
    close(episode, Status.EXPIRED, None, "reconcile.expired")
