"""Asks the AI gateway about a message that the grammar is unsure of, and goes on with what is believed of the answer.

Owns: when it is asked, the life of the question, what happens without an answer.
Invariants: one question at a time per conversation, what is said meanwhile waits behind it; every end of a question, with an answer or
not, is followed by the path that needs none; a model's part in a change is always confirmed.
Never: asks about a reply to an open question, or anything while the policy does not allow it. Source: DESIGN 7 (Reconcile), 4 (Calls).
"""

import re

from pydantic import ValidationError

from contracts.agent_state import AgentState, Consultation
from contracts.identity import derived_id
from contracts.llm_response import LLMResponse
from pipeline.decision import CallAnswer, CallOutcome
from pipeline.language.clauses import LIVE, read_clauses
from pipeline.language.collecting import AnswerVerdict, read_answer
from pipeline.language.replies import Verdict, read_reply
from pipeline.ledger import LedgerEntry, asked_again, question
from pipeline.policy import Tool
from pipeline.stages.reconcile.advice import NO_ADVICE, OPERATION, Advice, UnusableAdvice, read_advice, request_for
from pipeline.stages.reconcile.choosing import Request
from pipeline.stages.reconcile.episode import Episode

LONG_WORDS = 9
"""From so many words on, a message probably says what the grammar could not find in it."""
REPLY_MAX = 120
"""Characters of a message that may be no more than a yes, a no, a greeting or a farewell."""
WORDS_MIN = 2
"""Words that a request has at least."""

_WORD = re.compile(r"\w+")


def consults(episode: Episode) -> bool:
    """Whether the installation wants it."""
    return episode.world.installation.llm.routes


def is_long(text: str) -> bool:
    """Whether a message probably says more than the grammar found."""
    return len(_WORD.findall(text)) >= LONG_WORDS


def may_ask_for_something(text: str, locale: str) -> bool:
    """Whether a message in which no tool was found may be a request: not a greeting, thanks, a yes, a no, a farewell, a denial."""
    live = [clause for clause in read_clauses(text) if clause.role in LIVE]
    if sum(len(clause.words) for clause in live) < WORDS_MIN:
        return False
    if len(text) > REPLY_MAX:
        return True
    answer = read_answer(text, parameter={"name": "anything", "type": "string"}, operation="")
    if answer.verdict is AnswerVerdict.ABANDON or answer.rule.split()[-1] in {"greeting", "courtesy", "farewell"}:
        return False
    reply = read_reply(text, items=(), operation="", locale=locale)
    return reply.verdict not in {Verdict.ACCEPT, Verdict.DECLINE} or bool(reply.rest)


def consult(episode: Episode, request: Request, text: str, tool: Tool | None, *, collecting: bool = False) -> None:
    """Ask about a message; it is acted on when the question has ended. `tool`: only its arguments are asked for."""
    assert episode.state.consultation is None
    installation, message = episode.world.installation, request.message
    asked = (episode.state.conversation_key, message.message_id, request.ordinal, collecting, episode.now.isoformat())
    call_id = derived_id("llm", *asked)
    entry = question(call_id, request_for(episode, text, tool), installation.llm, episode.now)
    episode.update(
        consultation=Consultation(
            message=message,
            ordinal=request.ordinal,
            tool=request.tool,
            waited=request.waited,
            collecting=collecting,
            about=tool.name if tool is not None else None,
            call=entry.model_dump(mode="json"),
        )
    )


def entry_of(state: AgentState) -> LedgerEntry | None:
    """The question that is asked at the moment."""
    return LedgerEntry.model_validate(state.consultation.call) if state.consultation is not None else None


def keep(episode: Episode, entry: LedgerEntry) -> None:
    """The question goes on."""
    assert episode.state.consultation is not None
    changed = episode.state.consultation.model_copy(update={"call": entry.model_dump(mode="json")})
    episode.update(consultation=changed)


def settle(episode: Episode, entry: LedgerEntry, answer: CallAnswer) -> Advice | None:
    """What is believed of an answer; None: the question is asked again."""
    installation = episode.world.installation
    if answer.outcome is CallOutcome.OK:
        return _believed(episode, entry, answer)
    failed(episode, answer.code or answer.outcome.value, attempt=entry.attempt)
    again = asked_again(entry, answer, installation.llm, installation.timing.retry_backoff_ms, episode.now)
    if again is None:
        return NO_ADVICE
    keep(episode, again)
    return None


def _believed(episode: Episode, entry: LedgerEntry, answer: CallAnswer) -> Advice:
    asked = episode.state.consultation
    assert asked is not None
    text = entry.arguments["messages"][-1]["content"]
    tool = episode.tool(asked.about) if asked.about is not None else None
    if asked.about is not None and tool is None:
        return NO_ADVICE  # the configuration changed while it was asked
    try:
        content = LLMResponse.model_validate(answer.payload).content
        advice = read_advice(episode, content, text, tool)
    except ValidationError:
        failed(episode, "malformed", attempt=entry.attempt)
    except UnusableAdvice as unusable:
        failed(episode, unusable.code, attempt=entry.attempt)
    else:
        if advice.dropped:
            failed(episode, "values_dropped", attempt=entry.attempt, values_count=advice.dropped)
        return advice
    return NO_ADVICE


def failed(episode: Episode, code: str, *, attempt: int, values_count: int | None = None) -> None:
    """Tell operators; customers do not notice."""
    episode.event("NOC.LLM_FAILED", operation=OPERATION, code=code, attempt=attempt, values_count=values_count)
