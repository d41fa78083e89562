"""The final text in a model's words: what it is given, and whether what it made of it is shown.

Owns: which results are put into other words, the request `normalize.compose`, the check of the answer.
Invariants: the model is given the evidence of the items and nothing else of the customer; what says less, more or something else than
the evidence is not shown; what was never known (an unknown outcome, a refusal) and what a query found keep our words.
Source: DESIGN 7 (Normalize), SPEC-012 sections 10 and 11.
"""

from contracts.identity import canonical_json, derived_id
from contracts.llm_request import LLMMessage, LLMRequest
from contracts.normalize_command import CallFate
from contracts.status import ItemOutcome
from pipeline.answers import is_presentable
from pipeline.language.composed import Told, fault_of
from pipeline.language.wording import Wording
from pipeline.ledger import LedgerEntry, question
from pipeline.policy import LlmPolicy
from pipeline.stages.normalize.data import own_words
from pipeline.stages.normalize.ending import Ending
from pipeline.stages.normalize.fates import Outcome

OPERATION = "normalize.compose"
PROFILE = "composer"
COMMAND_BYTES_MAX = 262_144
"""Size of a command that is kept while the gateway is asked; a larger one is answered at once."""
TAIL_ROOM = 40
"""Characters of a channel's length that a text is asked to leave free."""

_INSTRUCTIONS = """You write the final answer to a customer about an operation that has ended, in {locale}, from the JSON evidence you are given.
- One short line of introduction at most, then one line for each item: its name, then whether it was done. Never two items in one sentence.
- Say plainly of each item that it was done, or that it was not done and why. Do not soften, promise or leave anything out.
- Write names and protocols exactly as they are given, each protocol in the line of its item. No other number, name, amount or link.
- At most {max_chars} characters, {form}. Answer with the text alone."""
_FORMS = {
    "markdown": "Markdown is allowed",
    "plain": "plain text without any markup",
    "speech": "to be read aloud: sentences only, no lists, no signs",
}


def is_composed(ending: Ending, size: int) -> bool:
    """Whether a result is put into other words: an answered change whose every fate is known."""
    fates, tool = ending.outcome.fates, ending.tool
    return (
        ending.command.fate is CallFate.ANSWERED
        and tool is not None
        and tool.transactional
        and bool(fates)
        and all(fate.item.outcome is not ItemOutcome.UNKNOWN for fate in fates)
        and size <= COMMAND_BYTES_MAX
    )


def asked(ending: Ending, policy: LlmPolicy) -> LedgerEntry:
    """The question for the words of a result."""
    outcome, wording = ending.outcome, ending.wording
    turn, transaction = ending.command.turn, ending.command.transaction
    instructions = _INSTRUCTIONS.format(
        locale=wording.locale,
        max_chars=max(TAIL_ROOM, wording.channel.max_chars - len(tail_of(outcome, wording)) - TAIL_ROOM),
        form=_FORMS[wording.form],
    )
    evidence = {
        "operation": operation_of(ending),
        "items": [
            {
                "name": told.subject,
                "done": told.done,
                **({"protocol": told.protocol} if told.protocol else {}),
                **({"reason": told.reason} if told.reason else {}),
            }
            for told in told_of(outcome, wording)
        ],
    }
    request = LLMRequest(
        tenant_id=turn.tenant_id,
        agent_id=turn.agent_id,
        profile=PROFILE,
        operation=OPERATION,
        messages=[
            LLMMessage(role="system", content=instructions),
            LLMMessage(role="user", content=canonical_json(evidence)),
        ],
        metadata={"request_id": turn.message_id, "trace_id": turn.trace_id},
    )
    call_id = derived_id("llm", turn.conversation_key, transaction.transaction_id, transaction.revision, OPERATION)
    return question(call_id, request, policy, ending.outbox.now)


def told_of(outcome: Outcome, wording: Wording) -> list[Told]:
    """What a text has to say, item by item."""
    return [
        Told(
            subject=fate.item.subject,
            done=fate.done,
            protocol=fate.item.protocol,
            reason=wording.reason(fate.item.reason),
        )
        for fate in outcome.fates
    ]


def tail_of(outcome: Outcome, wording: Wording) -> str:
    """What stands behind a composed text in our words: a tool's own words about its one item, a step that failed beside it."""
    body = outcome.reading.body if outcome.reading else None
    words = own_words(body, wording) if len(outcome.fates) == 1 else None
    parts = [words if words and is_presentable(words) else ""]
    parts.append(wording.say("result.secondary") if outcome.secondary and outcome.succeeded else "")
    return " ".join(part for part in parts if part)


def operation_of(ending: Ending) -> str:
    """What was done, as a noun."""
    return ending.tool.operation(ending.wording.locale) if ending.tool is not None else ""


def composed(ending: Ending, content: str) -> tuple[str, str | None]:
    """The text to be shown, and the code of why it may not be."""
    outcome, wording = ending.outcome, ending.wording
    text, tail = wording.foreign(content), tail_of(outcome, wording)
    whole = (" " if wording.form == "speech" else "\n").join(part for part in (text, tail) if part)
    limit, told = wording.channel.max_chars, told_of(outcome, wording)
    fault = fault_of(text, told, locale=wording.locale, operation=operation_of(ending), max_chars=limit)
    return whole, fault or ("too_long" if len(whole) > limit else None)
