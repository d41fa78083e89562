"""From a validator's answer to what it decides about the transaction.

Invariants: `eligible` counts only as a JSON boolean; a value that is no boolean, or an answer without it, is malformed, never a
refusal; empty resolved values never delete. Never: calls, words. Source: DESIGN 7 (Pre-validate), the multi-item guide section 2.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from contracts.business_context import BusinessContext
from pipeline.answers import is_presentable, reason_of, said_ok, validator_answer
from pipeline.decision import CallAnswer, CallOutcome
from pipeline.policy import RESERVED_ARGUMENTS, Tool, is_filled, mapped_arguments

MESSAGE_MAX = 2_000
"""Characters of a validator's own wording; a longer one is not used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Eligible:
    """The set may go on."""

    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Resolved ones, as they came."""
    target_tool: str | None = None
    requires_confirmation: bool = False
    confirmation_message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsParameter:
    """One argument has to be given again."""

    parameter: str
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The business says no."""

    reason: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """The answer breaks the validator's contract."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The validator itself failed and decided nothing."""

    why: str


Verdict = Eligible | NeedsParameter | Refused | Malformed | Failed


def read_verdict(answer: CallAnswer, validator: str, tool: Tool) -> Verdict:
    """Read a validator's answer in whichever shape; `tool` is the one that is to be validated."""
    if answer.outcome is CallOutcome.TOOL_ERROR:
        return Failed(why=answer.code or "tool_error")
    found = validator_answer(answer.payload, validator)
    if found is None:
        if said_ok(answer.payload) is False:
            return Failed(why="error_without_eligible")
        return Malformed(why="eligible is missing")
    if not isinstance(found["eligible"], bool):
        return Malformed(why="eligible is no boolean")
    if found["eligible"]:
        return Failed(why="eligible_but_not_ok") if said_ok(answer.payload) is False else _eligible(found)
    if found.get("status") == "NEEDS_PARAMETER":
        return _needs_parameter(found, tool)
    return Refused(reason=_reason(found), message=_message(found, "message", "customer_message", "user_message"))


def _eligible(found: Mapping[str, Any]) -> Eligible:
    decision = found.get("transaction_decision")
    decision = decision if isinstance(decision, Mapping) else {}
    resolved = decision.get("resolved_arguments")
    target = decision.get("target_tool")
    reconfirm = decision.get("requires_reconfirmation", found.get("requires_reconfirmation"))
    return Eligible(
        arguments=resolved if isinstance(resolved, Mapping) else {},
        target_tool=target.strip() if isinstance(target, str) and target.strip() else None,
        # Asking once more is the safe direction: anything but an explicit no counts.
        requires_confirmation=reconfirm is not None and reconfirm is not False,
        confirmation_message=_message(decision, "confirmation_message") or _message(found, "confirmation_message"),
    )


def _needs_parameter(found: Mapping[str, Any], tool: Tool) -> NeedsParameter | Malformed:
    parameter = found.get("parameter")
    if not isinstance(parameter, str) or not parameter.strip():
        return Malformed(why="NEEDS_PARAMETER without parameter")
    if tool.spec.args_schema and parameter not in tool.collected:
        return Malformed(why="NEEDS_PARAMETER of an argument that is not asked for")
    return NeedsParameter(parameter=parameter, message=_message(found, "parameter_message", "message"))


def _reason(found: Mapping[str, Any]) -> str | None:
    return reason_of({key: value for key, value in found.items() if key != "message"})


def _message(found: Mapping[str, Any], *names: str) -> str | None:
    """Return a text written for the customer, cleaned; None when there is none that can be shown."""
    for name in names:
        text = found.get(name)
        if isinstance(text, str) and text.strip() and len(text) <= MESSAGE_MAX:
            lines = (" ".join(line.split()) for line in text.splitlines())
            clean = "\n".join(line for line in lines if line)
            shown = "".join(char for char in clean if char == "\n" or char.isprintable())
            if name == "confirmation_message" or is_presentable(shown, max_chars=MESSAGE_MAX):
                return shown
    return None


def merged(
    arguments: Mapping[str, Any], resolved: Mapping[str, Any], tool: Tool, context: BusinessContext
) -> dict[str, Any]:
    """Replace and add what was resolved: empty values never delete, 0 and false count, business keys stay the customer's own."""
    own = {*mapped_arguments(tool, context.model_dump()), *RESERVED_ARGUMENTS}
    taken = {name: value for name, value in resolved.items() if is_filled(value) and name not in own}
    return {**arguments, **taken}
