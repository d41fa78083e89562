"""A message while a question is open: what the customer's words ask confirm to do with it.

Owns: reading the reply against the proposal that was shown, keeping what else was said, the amended arguments.
Invariants: confirm alone decides; a message older than the question is no yes and no no; no model gives a verdict.
Source: DESIGN 4 (Conversations across stages) and 7 (Confirm), language.json REPLY-*.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from contracts.agent_state import Holder
from contracts.channel_response import ResponseKind
from contracts.confirm_command import ConfirmCommand, VerdictCommand, VerdictKind
from pipeline import topology
from pipeline.language.coerce import type_of
from pipeline.language.normalize import fold
from pipeline.language.replies import Reply, Verdict, read_reply
from pipeline.policy import Tool
from pipeline.stages.reconcile.asking import with_source
from pipeline.stages.reconcile.collecting import TYPED, target_of
from pipeline.stages.reconcile.episode import Episode, Message
from pipeline.stages.reconcile.starting import defer, deferred_from, read_arguments, routed

KINDS = {
    Verdict.ACCEPT: VerdictKind.ACCEPT,
    Verdict.DECLINE: VerdictKind.DECLINE,
    Verdict.AMEND: VerdictKind.AMEND,
    Verdict.UNCLEAR: VerdictKind.UNCLEAR,
    Verdict.NEW_INTENT: VerdictKind.REPLACE,
}


def reply(episode: Episode, message: Message) -> None:
    """Send confirm the verdict of one message about the open question."""
    held, tool = episode.open, episode.open_tool
    assert held.proposal is not None
    if message.tool_name not in {None, held.tool}:
        send(episode, message, VerdictKind.REPLACE, Reply(Verdict.NEW_INTENT, rule="the gateway named another tool"))
        return
    read = read_reply(
        message.text,
        items=held.proposal.items,
        operation=episode.operation,
        locale=episode.locale,
        question=held.proposal.text,
        known_values=known_values(tool),
        interrupted=message.interrupted,
    )
    early = held.asked_at is not None and message.said_at < held.asked_at
    if tool is not None and may_correct(read, tool):
        changed = corrected(episode, tool, message)
        if changed:
            episode.update_open(amended_arguments=changed)
            send(episode, message, VerdictKind.AMEND, read)
            return
    if read.verdict is Verdict.NEW_INTENT and early:
        put_off(episode, message)
        return
    kind = KINDS[read.verdict]
    if early and kind is not VerdictKind.AMEND:
        kind = VerdictKind.UNCLEAR
    if kind is VerdictKind.AMEND and not read.items:
        kind = VerdictKind.DECLINE
    if kind is VerdictKind.AMEND and len(read.items) > episode.world.installation.limits.items:
        kind = VerdictKind.UNCLEAR
    send(episode, message, kind, read)


def may_correct(read: Reply, tool: Tool) -> bool:
    """Whether a reply may be about another argument than the set; a plain yes never is."""
    if read.verdict is Verdict.AMEND:
        return tool.items_argument is None
    return read.verdict is not Verdict.ACCEPT and not read.question


def known_values(tool: Tool | None) -> Sequence[str]:
    """Names that the argument of the set keeps whole."""
    spec = tool.spec.args_schema.get(tool.items_argument or "") if tool else None
    return spec.known_values if spec else ()


def corrected(episode: Episode, tool: Tool, message: Message) -> dict[str, Any]:
    """Other values for typed arguments of the proposal ("não, o valor é 19,90"); empty when the message says none."""
    if message.interrupted:
        return {}
    held = episode.open.arguments
    typed = [
        name
        for name in tool.collected
        if name in held and type_of(tool.spec.args_schema[name].schema_for(episode.locale)) in TYPED - {"boolean"}
    ]
    if not typed:
        return {}
    values, _, _ = read_arguments(episode, tool, typed, message.text)
    changed = {name: value for name, value in values.items() if value != held[name]}
    if not changed:
        return {}
    choice = routed(episode, message.text)
    return changed if choice.tool is None or choice.tool.name == tool.name else {}


def put_off(episode: Episode, message: Message) -> None:
    """Another request from before the question was seen: the question stays open, the request is next."""
    defer(episode, deferred_from(message))
    episode.event("IC.MESSAGE_WAITING", waiting_count=len(episode.state.deferred), kept=True)
    episode.say("reconcile.next", ResponseKind.NOTICE)


def send(episode: Episode, message: Message, kind: VerdictKind, read: Reply) -> None:
    """Hand the verdict to confirm, which arbitrates; messages wait until it answers."""
    held = episode.open
    assert held.proposal is not None
    if read.rest and kind in {VerdictKind.ACCEPT, VerdictKind.DECLINE}:
        defer(episode, deferred_from(message, read.rest))
    episode.update_open(
        holder=Holder.STAGES,
        handed_on_at=episode.now,
        operator_told=False,
        verdict=kind,
        verdict_message=message,
        amended_items=read.items if kind is VerdictKind.AMEND and read.items else None,
    )
    command = VerdictCommand(
        turn=episode.outbox.turn,
        transaction_id=held.transaction_id,
        revision=held.revision,
        digest=held.proposal.digest,
        verdict=kind,
        said_at=message.said_at,
        token=message.token,
        rule=read.rule,
        question=read.question,
    )
    episode.send(topology.CONFIRM, ConfirmCommand(command=command))


def amend(episode: Episode) -> None:
    """Confirm granted the amendment: the arguments of the next revision, from those that were shown."""
    held, tool = episode.open, episode.open_tool
    arguments = dict(held.arguments)
    target = target_of(tool) if tool else None
    if tool and target and held.amended_items:
        if target == tool.items_argument:
            shown = held.proposal.items if held.proposal else ()
            arguments[target] = amended_values(held.amended_items, shown, arguments.get(target))
        else:
            # Another scalar target: what was said of the old one does not belong to it.
            arguments = {target: held.amended_items[0]}
    arguments.update(held.amended_arguments or {})
    said = held.verdict_message.text if held.verdict_message else ""
    episode.update_open(arguments=arguments, source_text=with_source(held.source_text, said))


def amended_values(amended: Sequence[str], shown: Sequence[str], held: Any) -> list[Any]:
    """Names as values: those shown keep their whole canonical value, such as {name, id}; others go as they were written."""
    values = list(held) if isinstance(held, (list, tuple)) else []
    by_name: dict[str, Any] = {}
    for value in values:
        for name in [value] if isinstance(value, str) else _strings(value):
            by_name.setdefault(fold(name), value)
    if len(values) == len(shown):
        by_name |= {fold(name): value for name, value in zip(shown, values, strict=True)}
    return [by_name.get(fold(name), name) for name in amended]


def _strings(value: Any) -> list[str]:
    return [text for text in value.values() if isinstance(text, str)] if isinstance(value, Mapping) else []
