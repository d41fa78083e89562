"""A message while a question is open: what the customer's words ask confirm to do with it.

Owns: reading the reply against the proposal that was shown, keeping what else was said, the amended arguments.
Invariants: confirm alone decides, also that a question has expired; a message older than the question is no yes and no no; no
model gives a verdict.
Source: DESIGN 4 (Conversations across stages) and 7 (Confirm), language.json REPLY-*.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from contracts.agent_state import Holder
from contracts.channel_response import ResponseKind
from contracts.confirm_command import ConfirmCommand, VerdictCommand, VerdictKind
from pipeline import topology
from pipeline.language.normalize import fold
from pipeline.language.replies import Reply, Verdict, read_reply
from pipeline.language.second_thoughts import second_thought
from pipeline.policy import Tool
from pipeline.proposal import EXPIRY_RULE
from pipeline.stages.reconcile.asking import with_source
from pipeline.stages.reconcile.collecting import changes_target
from pipeline.stages.reconcile.correcting import NONE, Correction, correction
from pipeline.stages.reconcile.episode import Episode, Message
from pipeline.stages.reconcile.starting import defer, deferred_from
from pipeline.stages.reconcile.talking import small_talk

KINDS = {
    Verdict.ACCEPT: VerdictKind.ACCEPT,
    Verdict.DECLINE: VerdictKind.DECLINE,
    Verdict.AMEND: VerdictKind.AMEND,
    Verdict.UNCLEAR: VerdictKind.UNCLEAR,
    Verdict.NEW_INTENT: VerdictKind.REPLACE,
}
TAKES_LEAVE = "REPLY-4 takes leave"
"""Rule of thanks and farewells: neither a yes nor a no, and not worth the whole question again."""


def reply(episode: Episode, message: Message) -> None:
    """Send confirm the verdict of one message about the open question."""
    held, tool = episode.open, episode.open_tool
    assert held.proposal is not None
    if message.tool_name not in {None, held.tool}:
        send(episode, message, VerdictKind.REPLACE, Reply(Verdict.NEW_INTENT, rule="the gateway named another tool"))
        return
    read = read_about(
        message.text,
        held.proposal.items,
        tool,
        operation=episode.operation,
        locale=episode.locale,
        question=held.proposal.text,
        interrupted=message.interrupted,
    )
    early = held.asked_at is not None and message.said_at < held.asked_at
    changed = correction(episode, tool, message, read) if tool is not None else NONE
    if changed:
        send(episode, message, VerdictKind.AMEND, read, changed)
        return
    if read.verdict is Verdict.NEW_INTENT and early:
        put_off(episode, message)
        return
    kind = KINDS[read.verdict]
    if early and kind is not VerdictKind.AMEND:
        kind = VerdictKind.UNCLEAR
    if kind is VerdictKind.AMEND:
        if not read.items:
            kind = VerdictKind.DECLINE
        elif tool is None or tool.items_argument is None:
            kind = VerdictKind.UNCLEAR
    send(episode, message, kind, read, Correction(items=read.items))


def read_about(
    text: str,
    items: Sequence[str],
    tool: Tool | None,
    *,
    operation: str,
    locale: str,
    question: str = "",
    interrupted: bool = False,
) -> Reply:
    """Read a reply to the question of `tool` about `items`; a second thought among what the customer holds amends."""
    known = known_values(tool)
    read = read_reply(
        text,
        items=items,
        operation=operation,
        locale=locale,
        question=question,
        known_values=known,
        interrupted=interrupted,
    )
    thought = second_thought(text, items, known) if _is_open_to_it(read, tool) else ()
    if thought:
        return Reply(Verdict.AMEND, thought, rule="REPLY-3 second thought")
    if read.verdict is Verdict.UNCLEAR and not read.question and small_talk(text) in {"farewell", "courtesy"}:
        return Reply(Verdict.UNCLEAR, rule=TAKES_LEAVE)
    return read


def _is_open_to_it(read: Reply, tool: Tool | None) -> bool:
    """Whether a name that was not shown may be what the reply is about: no yes, no amendment that was understood."""
    refused = read.verdict in {Verdict.DECLINE, Verdict.UNCLEAR}
    return refused and not read.question and not read.rest and tool is not None and tool.items_argument is not None


def known_values(tool: Tool | None) -> Sequence[str]:
    """Names that the argument of the set keeps whole."""
    spec = tool.spec.args_schema.get(tool.items_argument or "") if tool else None
    return spec.known_values if spec else ()


def put_off(episode: Episode, message: Message) -> None:
    """Another request from before the question was seen: the question stays open, the request is next."""
    defer(episode, deferred_from(message))
    episode.event("IC.MESSAGE_WAITING", waiting_count=len(episode.state.deferred), kept=True)
    episode.say("reconcile.next", ResponseKind.NOTICE)


def send(episode: Episode, message: Message, kind: VerdictKind, read: Reply, changed: Correction = NONE) -> None:
    """Hand the verdict to confirm, which arbitrates; messages wait until it answers."""
    held = episode.open
    assert held.proposal is not None
    if len(changed.items) > episode.world.installation.limits.items:
        kind = VerdictKind.UNCLEAR
    if read.rest and kind in {VerdictKind.ACCEPT, VerdictKind.DECLINE}:
        defer(episode, deferred_from(message, read.rest))
    episode.update_open(
        holder=Holder.STAGES,
        handed_on_at=episode.now,
        operator_told=False,
        verdict=kind,
        verdict_message=message,
        amended_items=changed.items or None if kind is VerdictKind.AMEND else None,
        amended_arguments=changed.arguments or None if kind is VerdictKind.AMEND else None,
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


def ask_to_expire(episode: Episode) -> None:
    """All that was said until the expiry has been acted on, and the question is still open: confirm is asked to end it."""
    held = episode.open
    assert held.proposal is not None
    episode.update_open(holder=Holder.STAGES, handed_on_at=episode.now, operator_told=False)
    command = VerdictCommand(
        turn=episode.outbox.turn,
        transaction_id=held.transaction_id,
        revision=held.revision,
        digest=held.proposal.digest,
        verdict=VerdictKind.UNCLEAR,
        said_at=held.proposal.expires_at + timedelta(milliseconds=1),
        rule=EXPIRY_RULE,
    )
    episode.send(topology.CONFIRM, ConfirmCommand(command=command))


def amend(episode: Episode) -> None:
    """Confirm granted the amendment: the arguments of the next revision, from those that were shown."""
    held, tool = episode.open, episode.open_tool
    changed = dict(held.amended_arguments or {})
    if tool is not None and tool.items_argument is not None and held.amended_items:
        shown = held.proposal.items if held.proposal else ()
        changed[tool.items_argument] = amended_values(
            held.amended_items, shown, held.arguments.get(tool.items_argument)
        )
    # Another scalar target: what was said of the old one does not belong to it. A set is only changed.
    scalar = tool is not None and tool.items_argument is None
    kept = {} if scalar and tool is not None and changes_target(tool, held.arguments, changed) else held.arguments
    said = held.verdict_message.text if held.verdict_message else ""
    episode.update_open(arguments={**kept, **changed}, source_text=with_source(held.source_text, said))


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
