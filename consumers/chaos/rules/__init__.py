"""What must be true of every history: the promises, each as one function.

Owns: RULES. Every rule names what it found with the conversation it found it in, so that a trace can be kept. Pure.
Never: trusts the pipeline's own account where the broker's offsets or the MCP servers' ledger tell the same.
Source: DESIGN 2, 4, 7; docs/guarantees.md has a line for each.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from consumers.chaos.history import Found, History
from consumers.chaos.rules.effects import (
    answers_tell_the_truth,
    effects_happen_once,
    the_server_saw_what_was_confirmed,
    tools_are_called_as_their_policy_allows,
    unknown_outcomes_are_announced_and_have_a_cause,
)
from consumers.chaos.rules.records import (
    conversations_are_apart,
    events_are_in_sequence,
    ids_are_unique,
    nothing_is_left_open,
    nothing_stops,
)
from consumers.chaos.rules.requests import (
    every_message_is_answered,
    every_request_is_heard_once,
    messages_are_heard_in_order,
    refused_requests_are_dead_lettered_once,
)
from consumers.chaos.rules.transactions import (
    every_execution_is_normalized_once,
    every_transaction_ends_once,
    only_confirmed_proposals_are_executed,
    questions_are_asked_once,
)


@dataclass(frozen=True, slots=True)
class Violation:
    """A promise that was broken."""

    rule: str
    conversation: str
    """Empty when it can't be attributed."""
    text: str


RULES: Mapping[str, Callable[[History], Found]] = {
    "lost or doubled request": every_request_is_heard_once,
    "unanswered": every_message_is_answered,
    "dead letter": refused_requests_are_dead_lettered_once,
    "end of a transaction": every_transaction_ends_once,
    "question": questions_are_asked_once,
    "doubled record": ids_are_unique,
    "order of messages": messages_are_heard_in_order,
    "sequence of events": events_are_in_sequence,
    "not what was confirmed": only_confirmed_proposals_are_executed,
    "result": every_execution_is_normalized_once,
    "not what was shown": the_server_saw_what_was_confirmed,
    "effect": effects_happen_once,
    "call": tools_are_called_as_their_policy_allows,
    "untrue answer": answers_tell_the_truth,
    "unknown outcome": unknown_outcomes_are_announced_and_have_a_cause,
    "stopped": nothing_stops,
    "isolation": conversations_are_apart,
    "left open": nothing_is_left_open,
}
"""Rules by the name under which a violation is reported."""


def check(history: History) -> list[Violation]:
    """Every violation of every rule."""
    return [Violation(name, conversation, text) for name, rule in RULES.items() for conversation, text in rule(history)]
