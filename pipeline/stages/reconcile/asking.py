"""From a chosen tool to complete arguments: ask for the next one, or hand the transaction on.

Owns: which argument is missing, the question for it and how it is repeated, the hand-over to pre-validate, revisions.
Invariants: one question at a time, in the order of `requires`; never an internal name in a question; every hand-over of other
arguments has a revision of its own. Source: DESIGN 7 (Reconcile), behaviour REC-05, REC-06.
"""

from collections.abc import Mapping
from typing import Any

from contracts.agent_state import Holder
from contracts.channel_response import ResponseKind
from contracts.pre_validate_command import PreValidateCommand
from contracts.status import Status
from pipeline import topology
from pipeline.language.coerce import AMBIGUOUS, options_of, type_of
from pipeline.policy import ArgumentSpec, Tool, arguments_for, is_filled, localized
from pipeline.stages.reconcile.closing import close
from pipeline.stages.reconcile.episode import Episode

SOURCE_TEXT_MAX = 16_384
"""Characters of the customer's words that travel with a transaction: the latest ones."""

PLAINLY_FROM = 3
"""From this asking on, the customer is told how to drop the request."""

BUTTONS_MAX = 3
"""Options that fit on the buttons of a messenger."""


def proceed(
    episode: Episode, *, amended: bool = False, error: str | None = None, again: bool = False, rule: str | None = None
) -> None:
    """Ask for the first missing argument, or hand on when none is missing.

    `error`: why the last value of the pending argument was not taken; `again`: the pending argument was asked for before;
    `rule`: the language rule that read the message.
    """
    tool = episode.open_tool
    if tool is None:  # the configuration changed under an open transaction
        close(episode, Status.FAILED, "tool_denied", "reconcile.not_available")
        return
    absent = missing(tool, episode)
    unasked = [name for name in absent if name not in tool.collected and not _asked_of_customers(tool, name)]
    if unasked:  # before any question: no answer to it would help
        _not_identified(episode, tool, unasked)
    elif absent:
        ask(episode, tool, absent[0], error=error, again=again, rule=rule)
    else:
        hand_on(episode, amended=amended)


def _not_identified(episode: Episode, tool: Tool, names: list[str]) -> None:
    """The gateway gave too little for this tool: say so, to the customer and, with the fields, to operations."""
    fields = tool.business_fields(names)
    episode.event("IC.TRANSACTION_PARAMETERS_REQUIRED", parameter=names[0], askable=False)
    episode.event("NOC.BUSINESS_KEY_MISSING", tool=tool.name, arguments=names, fields=fields)
    close(episode, Status.FAILED, "not_identified", "reconcile.not_identified")


def missing(tool: Tool, episode: Episode) -> list[str]:
    """Required arguments without a value, in the order of `requires`."""
    held = {**arguments_for(tool, episode.open.arguments, episode.business_context), **episode.open.arguments}
    return [name for name in tool.requires if not is_filled(held.get(name))]


def _asked_of_customers(tool: Tool, name: str) -> bool:
    """Whether a mapped argument may be asked for: only when somebody wrote a question for it."""
    spec = tool.spec.args_schema.get(name)
    return spec is not None and spec.user_prompt is not None


def ask(episode: Episode, tool: Tool, name: str, *, error: str | None, again: bool, rule: str | None = None) -> None:
    """Ask for one argument, more plainly each time it was not answered."""
    held = episode.open
    same = held.pending == name
    times = held.asked_times + 1 if again and same else 1
    episode.update_open(
        status=Status.COLLECTING_PARAMETERS,
        holder=Holder.RECONCILE,
        pending=name,
        pending_question=held.pending_question if same else None,
        asked_times=times,
        expires_at=episode.now + episode.collecting_ttl,
        handed_on_at=None,
        operator_told=False,
        proposal=None,
        asked_at=None,
    )
    episode.event(
        "IC.TRANSACTION_PARAMETERS_REQUIRED",
        parameter=name,
        missing_count=len(missing(tool, episode)),
        asked_times=times,
        error=error,
        rule=rule,
    )
    spec = tool.spec.args_schema.get(name, ArgumentSpec())
    prompt = question(episode, name, spec)
    options = [str(option) for option in options_of(spec.schema_for(episode.locale))]
    if options and (error is not None or times > 1):
        prompt = episode.wording.say_inside("reconcile.options", question=prompt, options=options)
    if error is not None:
        key = "reconcile.invalid" if times < PLAINLY_FROM else "reconcile.invalid_plainly"
        prompt = episode.text(key, reason=reason(episode, error, spec), question=prompt)
    elif times > 1:
        key = "reconcile.ask_again" if times < PLAINLY_FROM else "reconcile.ask_plainly"
        prompt = episode.text(key, question=prompt)
    else:
        prompt = episode.wording.foreign(prompt)
    episode.answer(prompt, ResponseKind.QUESTION, buttons=_buttons(episode, options))


def question(episode: Episode, name: str, spec: ArgumentSpec) -> str:
    """The validator's own question for an argument, else the configured one, else one built from its label."""
    held = episode.open
    asked = held.pending_question if held.pending == name else None
    prompt = asked or localized(spec.user_prompt, episode.locale)
    if prompt:
        return prompt
    label = localized(spec.label, episode.locale)
    wording = episode.wording
    return (
        wording.say_inside("reconcile.ask_for", label=label) if label else wording.say_inside("reconcile.ask_for_more")
    )


def reason(episode: Episode, code: str, spec: ArgumentSpec) -> str:
    """Why a value was not taken, in the customer's words."""
    named = code == AMBIGUOUS and type_of(spec.schema_for(episode.locale)) in {"string", "array"}
    key = "reconcile.error.ambiguous_name" if named else f"reconcile.error.{code}"
    key = key if episode.world.messages.knows(key) else "reconcile.error.other"
    values = {"limit": episode.world.installation.limits.items} if code == "too_many" else {}
    return episode.wording.say_inside(key, **values)


def _buttons(episode: Episode, options: list[str]) -> list[dict[str, str]]:
    channel = episode.world.installation.channels[episode.outbox.turn.channel]
    fits = channel.buttons and 0 < len(options) <= BUTTONS_MAX
    return [{"title": option, "reply": option} for option in options] if fits else []


def hand_on(episode: Episode, *, amended: bool) -> None:
    """Propose the arguments: pre-validate is next, messages wait from here on."""
    held = episode.open
    episode.update_open(
        revision=held.revision + 1 if held.proposed else held.revision,
        proposed=True,
        status=Status.VALIDATING,
        holder=Holder.STAGES,
        pending=None,
        pending_question=None,
        asked_times=0,
        expires_at=None,
        proposal=None,
        asked_at=None,
        handed_on_at=episode.now,
        operator_told=False,
        **NO_VERDICT,
    )
    command = PreValidateCommand(turn=episode.outbox.turn, transaction=episode.transaction(), amended=amended)
    episode.send(topology.PRE_VALIDATE, command)


NO_VERDICT: dict[str, Any] = {
    "verdict": None,
    "verdict_message": None,
    "amended_items": None,
    "amended_arguments": None,
}
"""Fields of an open transaction while no verdict is on its way."""


def with_source(old: str, text: str) -> str:
    """The customer's words so far, with those of one more message."""
    return f"{old}\n{text}".strip()[-SOURCE_TEXT_MAX:]


def limited(episode: Episode, values: Mapping[str, Any]) -> tuple[dict[str, Any], str | None]:
    """The values without a list that is longer than the limit, and the error code if there was one."""
    limit = episode.world.installation.limits.items
    kept = {name: value for name, value in values.items() if not (isinstance(value, list) and len(value) > limit)}
    return kept, "too_many" if len(kept) < len(values) else None
