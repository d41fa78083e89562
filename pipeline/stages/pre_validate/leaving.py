"""How a transaction leaves the gate when it does not go on to confirm: asked again, refused, or not checked.

Invariants: "could not check now" is never said as "not eligible"; an amended set that is refused ends the transaction, and the answer
says so; every item is named. Source: DESIGN 7 (Pre-validate).
"""

from contracts.channel_response import ResponseKind
from contracts.status import Status
from pipeline.answers import is_code
from pipeline.decision import Decision
from pipeline.language.typography import bare_noun
from pipeline.policy import Tool, localized
from pipeline.proposal import item_names, item_values
from pipeline.stages.pre_validate.passage import Passage


def ask_again(passage: Passage, tool: Tool, parameter: str, message: str | None) -> Decision:
    """Ask for one argument again, or for the first time when a target tool needs it; the others stay."""
    transaction = passage.transaction
    if parameter not in tool.collected:
        return not_identified(passage, tool, [parameter])
    spec = tool.spec.args_schema[parameter]
    locale = passage.turn.locale
    prompt = localized(spec.user_prompt, locale)
    label = bare_noun(localized(spec.label, locale) or "")
    text = (
        passage.wording.foreign(message or prompt or "")
        or (passage.wording.say("prevalidate.parameter", label=label) if label else "")
        or passage.wording.say("prevalidate.parameter_unnamed")
    )
    passage.outbox.event(
        "IC.TRANSACTION_PREVALIDATION_PARAMETER_REJECTED", transaction, tool=tool.name, parameter=parameter
    )
    kept = {name: value for name, value in transaction.arguments.items() if name != parameter}
    passage.outbox.respond(text, ResponseKind.QUESTION, transaction, status=Status.COLLECTING_PARAMETERS)
    return passage.tell(
        Status.COLLECTING_PARAMETERS,
        arguments=kept,
        parameter=parameter,
        parameter_message=message or text,
        confirmation_floor=transaction.confirmation_floor or passage.validation.requires_confirmation,
    )


def refuse(passage: Passage, tool: Tool, reason: str | None, message: str | None) -> Decision:
    transaction, wording = passage.transaction, passage.wording
    names = item_names(item_values(tool, transaction.arguments))
    amended = passage.validation.command.amended
    code = reason if reason and is_code(reason) else None
    passage.outbox.event(
        "IC.TRANSACTION_PREVALIDATION_REJECTED",
        transaction,
        tool=tool.name,
        reason=code,
        items_count=len(names),
        amended=amended,
    )
    if message:
        tail = wording.say("prevalidate.amended_closed") if amended else ""
        text = wording.sentences(wording.foreign(message), tail)
    else:
        said = wording.reason(reason)
        key = "prevalidate.amended_refused" if amended else "prevalidate.refused"
        text = wording.about(f"{key}_reason" if said else key, tool, names, **({"reason": said} if said else {}))
    return passage.close(Status.OUT_OF_SCOPE, "not_eligible", text, names=names, reason=reason)


def not_identified(passage: Passage, tool: Tool, arguments: list[str]) -> Decision:
    """The gateway gave no business key that `tool` needs: nothing is called, and trying again would not help."""
    transaction, wording = passage.transaction, passage.wording
    fields = tool.business_fields(arguments)
    passage.outbox.event("NOC.BUSINESS_KEY_MISSING", transaction, tool=tool.name, arguments=arguments, fields=fields)
    passage.outbox.event(
        "IC.TRANSACTION_PREVALIDATION_FAILED", transaction, tool=transaction.tool, reason="missing_business_key"
    )
    asked = passage.installation.tools.get(transaction.tool)
    names = item_names(item_values(asked, transaction.arguments))
    text = wording.about("reconcile.not_identified", asked, names)
    return passage.close(Status.PREVALIDATION_ERROR, "missing_business_key", text)


def malformed(passage: Passage, why: str) -> Decision:
    passage.outbox.event(
        "NOC.PREVALIDATION_CONTRACT_ERROR", passage.transaction, tool=passage.transaction.tool, why=why
    )
    return unavailable(passage, "contract_error")


def unavailable(passage: Passage, why: str) -> Decision:
    """Say that it could not be checked now: never that it is not eligible."""
    transaction, wording = passage.transaction, passage.wording
    passage.outbox.event("IC.TRANSACTION_PREVALIDATION_FAILED", transaction, tool=transaction.tool, reason=why)
    tool = passage.installation.tools.get(transaction.tool)
    names = item_names(item_values(tool, transaction.arguments))
    if passage.validation.command.amended:
        text = wording.say("prevalidate.amended_unavailable")
    else:
        text = wording.about("prevalidate.unavailable", tool, names)
    return passage.close(Status.PREVALIDATION_ERROR, why, text)
