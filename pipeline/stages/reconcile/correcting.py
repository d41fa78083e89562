"""What a reply changes of the proposal beyond what the reply grammar reads: another value of an argument, another target.

Owns: corrections of single arguments ("não, o valor é 19,90", "não, é o K-6") and the same request made again ("quero cancelar o HBO").
Invariants: a plain yes, a question, and an interrupted turn change nothing; whatever changes is proposed and asked again.
Never: gives a verdict of its own. Source: DESIGN 7 (Reconcile, Confirm), faults B.16 and B.24.
"""

from dataclasses import dataclass, field
from typing import Any

from pipeline.language.coerce import type_of
from pipeline.language.collecting import AnswerVerdict, read_answer
from pipeline.language.normalize import fold
from pipeline.language.replies import Reply, Verdict
from pipeline.policy import Tool
from pipeline.stages.reconcile.asking import question
from pipeline.stages.reconcile.choosing import routed
from pipeline.stages.reconcile.collecting import TYPED, target_of
from pipeline.stages.reconcile.episode import Episode, Message
from pipeline.stages.reconcile.starting import read_arguments


@dataclass(frozen=True, slots=True)
class Correction:
    """What becomes of the proposal; empty: nothing."""

    items: tuple[str, ...] = ()
    """The whole set afterwards."""
    arguments: dict[str, Any] = field(default_factory=dict)
    """Arguments with another value."""

    def __bool__(self) -> bool:
        return bool(self.items or self.arguments)


NONE = Correction()


def correction(episode: Episode, tool: Tool, message: Message, read: Reply) -> Correction:
    """What a reply that is neither a yes nor an amendment of the set changes all the same."""
    if message.interrupted or read.question or read.verdict is Verdict.ACCEPT or "?" in message.text:
        return NONE
    of_the_set = tool.items_argument is not None
    if read.verdict is Verdict.AMEND and of_the_set:
        return NONE
    choice = routed(episode, message.text)
    if choice.tool is not None and choice.tool.name != tool.name:
        return NONE
    changed = typed_changes(episode, tool, message)
    if of_the_set:
        # The same request with other items, where nobody said "também": the new set replaces the old one.
        items = restated(episode, tool, message) if choice.tool is not None else ()
        return Correction(items=items, arguments=changed)
    target = target_of(tool)
    value = other_target(episode, tool, target, message) if target is not None and not changed else None
    if target is not None and value is None and read.verdict is Verdict.AMEND and len(read.items) == 1:
        value = read.items[0]
    return Correction(arguments={**changed, target: value} if target is not None and value is not None else changed)


def typed_changes(episode: Episode, tool: Tool, message: Message) -> dict[str, Any]:
    """Other values for numbers, dates and options of the proposal."""
    held = episode.open.arguments
    typed = [
        name
        for name in tool.collected
        if name in held and type_of(tool.spec.args_schema[name].schema_for(episode.locale)) in TYPED - {"boolean"}
    ]
    if not typed:
        return {}
    values, _, _ = read_arguments(episode, tool, typed, message.text)
    return {name: value for name, value in values.items() if value != held[name]}


def restated(episode: Episode, tool: Tool, message: Message) -> tuple[str, ...]:
    """The set that the same request names now, when it names something that was not shown."""
    name = tool.items_argument
    if name is None or name not in tool.collected or episode.open.proposal is None:
        return ()
    values, _, _ = read_arguments(episode, tool, [name], message.text)
    items = tuple(value for value in values.get(name, ()) if isinstance(value, str))
    shown = {fold(item) for item in episode.open.proposal.items}
    return items if any(fold(item) not in shown for item in items) else ()


def other_target(episode: Episode, tool: Tool, target: str, message: Message) -> Any:
    """Another code or known name for the one thing the operation is done to; None when the words hold none."""
    spec = tool.spec.args_schema[target]
    answer = read_answer(
        message.text,
        parameter={"name": target, **spec.schema_for(episode.locale)},
        operation=episode.operation,
        question=question(episode, target, spec),
        locale=episode.locale,
        now=episode.now,
        timezone=episode.world.installation.timezone,
    )
    value = answer.value
    if answer.verdict is not AnswerVerdict.ANSWER or value == episode.open.arguments.get(target):
        return None
    # A free word after a no ("não, deixa") must never become the new target.
    sure = isinstance(value, str) and (any(char.isdigit() for char in value) or value in spec.known_values)
    return value if sure else None
