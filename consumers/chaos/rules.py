"""What must be true of every history: the promises, each as one function.

Owns: RULES. Every rule names what it found with the conversation it found it in, so that a trace can be kept. Pure.
Never: trusts the pipeline's own account where the broker's offsets or the MCP servers' ledger tell the same.
Source: DESIGN 2, 4, 7; docs/guarantees.md has a line for each.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from consumers.chaos.history import Asked, Entry, History
from contracts.agent_state import AgentState
from contracts.channel_response import ResponseKind
from contracts.confirm_command import VerdictKind
from contracts.event_envelope import EventEnvelope
from contracts.identity import conversation_parts
from contracts.status import Status
from pipeline.decision import conversation_of_state_key
from pipeline.topology import StageName


@dataclass(frozen=True, slots=True)
class Violation:
    """A promise that was broken."""

    rule: str
    conversation: str
    """Empty when it can't be attributed."""
    text: str


Found = Iterator[tuple[str, str]]
"""(conversation, what is wrong)."""


# --- requests ----------------------------------------------------------------------------------------------------------------


def every_request_is_heard_once(history: History) -> Found:
    """A message in its right place is received once; the same id again is a duplicate each time; a misplaced record is moved once."""
    duplicates = Counter(
        entry.value.payload.get("origin")
        for entry in history.events
        if entry.value.event_type == "IC.MESSAGE_DUPLICATE"
    )
    for (conversation, message), records in history.accepted.items():
        times = len(history.heard.get((conversation, message), ()))
        if times != 1:
            yield conversation, f"message {message} was received {times} times"
        told = sum(duplicates[record.position] for record in records)
        if times == 1 and told != len(records) - 1:
            yield conversation, f"message {message} is there {len(records)} times, and {told} duplicates were told"
    for conversation, message in history.heard.keys() - history.accepted.keys():
        yield conversation, f"message {message} was received, and no such record is in its right place"
    misplaced = Counter(_message(asked) for asked in history.asked if asked.conversation and not asked.right)
    moved = Counter(_message(asked) for asked in history.asked if asked.conversation and asked.moved)
    for said in misplaced.keys() | moved.keys():
        if misplaced[said] != moved[said]:
            yield said[0], f"message {said[1]} was misplaced {misplaced[said]} times and moved {moved[said]} times"


def every_message_is_answered(history: History) -> Found:
    """Some answer names each message that was received."""
    answered = {(entry.value.session_id, entry.value.metadata.message_id) for entry in history.responses}
    for conversation, message in history.heard:
        if (conversation, message) not in answered:
            yield conversation, f"message {message} was received and never answered"


def refused_requests_are_dead_lettered_once(history: History) -> Found:
    """What can't be accepted is dead-lettered once, and nothing else ever is."""
    letters = Counter(letter.origin for letter in history.dead_letters)
    refused = {asked.position for asked in history.asked if asked.conversation is None}
    for position in refused:
        if letters[position] != 1:
            yield "", f"{position} can't be accepted and was dead-lettered {letters[position]} times"
    for letter in history.dead_letters:
        if letter.origin not in refused:
            yield "", f"{letter.origin} was dead-lettered by {letter.stage}: {letter.error}: {letter.text}"


# --- transactions --------------------------------------------------------------------------------------------------------------


def every_transaction_ends_once(history: History) -> Found:
    """One final answer, one terminal status, the same in both; nothing final about a transaction that was never opened."""
    told: dict[str, set[Status]] = defaultdict(set)
    for entry in history.statuses:
        if entry.value.status.terminal:
            told[entry.value.transaction_id].add(entry.value.status)
    for transaction, conversation in history.opened.items():
        finals = history.finals.get(transaction, ())
        if len(finals) != 1:
            yield conversation, f"transaction {transaction} has {len(finals)} final answers"
            continue
        status = finals[0].value.metadata.status
        if status is None or not status.terminal:
            yield conversation, f"transaction {transaction} was ended by an answer with status {status}"
        elif told[transaction] - {status}:
            others = sorted(told[transaction] - {status})
            yield (
                conversation,
                f"transaction {transaction} is {status} in its answer and {', '.join(others)} in its status",
            )
    for transaction, finals in history.finals.items():
        if transaction not in history.opened:
            yield finals[0].value.session_id, f"transaction {transaction} has a final answer and was never opened"


def questions_are_asked_once(history: History) -> Found:
    """A revision is proposed once; a question is repeated only for a reply that was no verdict."""
    asked: Counter[str] = Counter()
    due: Counter[str] = Counter()
    proposed: Counter[tuple[str, str, object]] = Counter()
    for response in history.responses:
        if response.value.metadata.kind is ResponseKind.CONFIRMATION:
            asked[response.value.session_id] += 1
    for entry in history.events:
        event = entry.value
        if event.event_type in ASKING and event.conversation_key:
            due[event.conversation_key] += 1
        if event.event_type == "IC.TRANSACTION_CONFIRMATION_REQUIRED" and event.transaction_id:
            proposed[event.conversation_key or "", event.transaction_id, event.payload.get("revision")] += 1
    for (conversation, transaction, revision), times in proposed.items():
        if times != 1:
            yield conversation, f"revision {revision} of {transaction} was proposed {times} times"
    for conversation in asked.keys() | due.keys():
        if asked[conversation] > due[conversation]:
            yield conversation, f"{asked[conversation]} questions were published, {due[conversation]} were due"


ASKING = {
    "IC.TRANSACTION_CONFIRMATION_REQUIRED",
    "IC.TRANSACTION_CONFIRMATION_UNCLEAR",
    "GRL.CONFIRMATION_STALE",
    "GRL.CONFIRMATION_FOREIGN",
}


def ids_are_unique(history: History) -> Found:
    """No response and no event is there twice."""
    for response_id, times in Counter(entry.value.metadata.response_id for entry in history.responses).items():
        if times != 1:
            yield _of_response(history, response_id), f"response {response_id or '(without id)'} is there {times} times"
    for event_id, times in Counter(entry.value.event_id for entry in history.events).items():
        if times != 1:
            where = next(e.value.conversation_key or "" for e in history.events if e.value.event_id == event_id)
            yield where, f"event {event_id} is there {times} times"


# --- order -----------------------------------------------------------------------------------------------------------------------


def messages_are_heard_in_order(history: History) -> Found:
    """A conversation's messages are received in the order in which the broker took them."""
    expected: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for (conversation, message), records in history.accepted.items():
        expected[conversation].append((min(record.offset for record in records), message))
    for conversation, messages in expected.items():
        heard = [
            (history.heard[conversation, message][0].value.sequence or 0, message)
            for _, message in messages
            if (conversation, message) in history.heard
        ]
        wanted = [message for _, message in sorted(messages) if (conversation, message) in history.heard]
        if [message for _, message in sorted(heard)] != wanted:
            yield conversation, f"messages were received as {[m for _, m in sorted(heard)]}, and came as {wanted}"


def events_are_in_sequence(history: History) -> Found:
    """Per conversation and stage: consecutive numbers, rising in every topic."""
    sequences: dict[tuple[str, str], list[Entry[EventEnvelope]]] = defaultdict(list)
    for entry in history.events:
        if entry.value.conversation_key and entry.value.stage and entry.value.sequence is not None:
            sequences[entry.value.conversation_key, entry.value.stage].append(entry)
    for (conversation, stage), entries in sequences.items():
        numbers = sorted(entry.value.sequence or 0 for entry in entries)
        first = numbers[0]
        if numbers != list(range(first, first + len(numbers))):
            yield conversation, f"events of {stage} have the numbers {_gaps(numbers)}"
        last: dict[str, int] = {}
        for entry in sorted(entries, key=lambda e: (e.topic, e.partition, e.offset)):
            number = entry.value.sequence or 0
            if number < last.get(entry.topic, 0):
                yield conversation, f"event {number} of {stage} lies behind {last[entry.topic]} in {entry.topic}"
            last[entry.topic] = number


# --- what is executed is what was shown --------------------------------------------------------------------------------------------


def only_confirmed_proposals_are_executed(history: History) -> Found:
    """At most one execution a transaction, of exactly the proposal that was shown and accepted in time."""
    for transaction, entries in history.executed.items():
        command = entries[0].value
        conversation = command.turn.conversation_key
        if len(entries) != 1:
            yield conversation, f"transaction {transaction} was handed to execute {len(entries)} times"
        rules = history.tools.get(command.transaction.tool)
        if rules is None or not rules.transactional:
            continue
        shown = [
            entry
            for entry in history.statuses
            if entry.value.status is Status.AWAITING_CONFIRMATION
            and entry.value.transaction_id == transaction
            and entry.value.proposal is not None
            and entry.value.proposal.digest == command.digest
        ]
        if not shown:
            yield conversation, f"transaction {transaction} executes a proposal that was never shown"
            continue
        proposal = shown[0].value.proposal
        assert proposal is not None
        if shown[0].value.arguments != command.transaction.arguments or proposal.items != command.items:
            yield conversation, f"transaction {transaction} executes other arguments than were shown"
        accepted = [
            verdict
            for verdict in history.verdicts(transaction)
            if verdict.verdict is VerdictKind.ACCEPT
            and verdict.digest == command.digest
            and verdict.revision == command.transaction.revision
        ]
        if not accepted:
            yield conversation, f"transaction {transaction} executes a proposal that nobody accepted"
        elif not any(shown[0].at <= verdict.said_at <= proposal.expires_at for verdict in accepted):
            yield conversation, f"transaction {transaction} was accepted before it was shown or after it had expired"


def every_execution_is_normalized_once(history: History) -> Found:
    """What execute took on ends in one result about the same transaction and items."""
    for transaction, entries in history.executed.items():
        command = entries[0].value
        results = history.normalized.get(transaction, ())
        if len({entry.value.model_dump_json() for entry in results}) != 1:
            yield command.turn.conversation_key, f"transaction {transaction} has {len(results)} results"
            continue
        result = results[0].value
        if result.items != command.items or result.transaction != command.transaction:
            yield command.turn.conversation_key, f"transaction {transaction} was answered for other items than executed"


def the_server_saw_what_was_confirmed(history: History) -> Found:
    """The arguments in the MCP servers' ledger are those of the proposal."""
    from consumers.chaos.tool_ledger import arguments_digest, request_key_of_all

    for transaction, entries in history.executed.items():
        command = entries[0].value
        tool, arguments = command.transaction.tool, command.transaction.arguments
        customer = history.customers.get(command.turn.conversation_key, "")
        key = request_key_of_all(command)
        seen = history.operations.get((customer, tool, key))
        if seen is not None and seen != arguments_digest(tool, arguments):
            yield (
                command.turn.conversation_key,
                f"transaction {transaction}: {tool} was sent other arguments than shown",
            )


# --- effects -----------------------------------------------------------------------------------------------------------------------


def effects_happen_once(history: History) -> Found:
    """One effect an item of a confirmed transaction; none that nobody confirmed, none of another customer."""
    seen: Counter[tuple[str, int]] = Counter()
    for effect in history.effects:
        owner = history.owner_of(effect)
        if owner is None:
            yield _conversation_of(history, effect.customer), f"{effect.tool} did {effect.item} and nobody confirmed it"
            continue
        conversation = history.opened.get(owner[0], "")
        seen[owner] += effect.executions
        if history.customers.get(conversation) != effect.customer:
            yield conversation, f"{effect.tool} did {effect.item} for {effect.customer}, another customer"
    for (transaction, position), times in seen.items():
        if times != 1:
            yield history.opened.get(transaction, ""), f"item {position} of {transaction} was done {times} times"


def tools_are_called_as_their_policy_allows(history: History) -> Found:
    """`report`: never twice. `status`: again only after the status tool was asked. All: a bounded number of times, for a known key."""
    from consumers.chaos.tool_ledger import request_keys

    known: dict[str, str] = {}
    for entries in history.executed.values():
        for key in request_keys(entries[0].value):
            known[key] = entries[0].value.turn.conversation_key
    by_key: dict[tuple[str, str], list[int]] = defaultdict(list)
    questions: dict[str, list[int]] = defaultdict(list)
    for place, arrival in enumerate(history.arrivals):
        rules = history.tools.get(arrival.tool)
        if rules is not None and rules.transactional:
            by_key[arrival.tool, arrival.request_key].append(place)
        elif arrival.request_key:
            questions[arrival.request_key].append(place)
    for (tool, key), places in by_key.items():
        customer = history.arrivals[places[0]].customer
        conversation = known.get(key, _conversation_of(history, customer))
        rules = history.tools[tool]
        if key not in known:
            yield conversation, f"{tool} was called under a key that belongs to no confirmed proposal"
        if len(places) > rules.attempts_max * rules.rounds:
            yield conversation, f"{tool} was called {len(places)} times for one proposal"
        if customer.startswith(REFUSING):
            continue  # the server refuses before it works, and says so: calling again is allowed
        if rules.recovery == "report" and len(places) > 1:
            yield conversation, f"{tool} was called {len(places)} times and its policy is to report"
        if rules.recovery == "status":
            for before, after in pairwise(places):
                if not any(before < asked < after for asked in questions[key]):
                    yield conversation, f"{tool} was called again without asking what became of the first call"


REFUSING = "falha-503"
"""Customers for whom the demo answers 503 before it does anything, which its configuration declares a refusal."""


def answers_tell_the_truth(history: History) -> Found:
    """Each confirmed item has one fate; what is called done was done, what is called failed was not."""
    for transaction, entries in history.normalized.items():
        command = entries[0].value
        conversation = command.turn.conversation_key
        finals = history.finals.get(transaction, ())
        if not finals:
            continue
        fates = finals[0].value.metadata.items
        missing = [name for name in command.items if name not in [fate.subject for fate in fates]]
        if missing:
            yield conversation, f"the answer about {transaction} does not tell the fate of {', '.join(missing)}"
            continue
        rules = history.tools.get(command.transaction.tool)
        if rules is None or not rules.transactional:
            continue
        done = dict(history.effects_of.get(transaction, ()))
        for position, fate in enumerate(fates[: len(command.items)]):
            effect = done.get(position)
            if fate.outcome.value == "SUCCEEDED" and effect is None:
                yield conversation, f"{transaction}: {fate.subject} is called done, and the server never did it"
            elif fate.outcome.value == "SUCCEEDED" and effect and fate.protocol not in {None, effect.protocol}:
                yield conversation, f"{transaction}: {fate.subject} has protocol {fate.protocol}, not {effect.protocol}"
            elif fate.outcome.value == "FAILED" and effect is not None:
                yield conversation, f"{transaction}: {fate.subject} is called failed, and the server did it"


def unknown_outcomes_are_announced_and_have_a_cause(history: History) -> Found:
    """Nobody is told "unknown" without a lost answer behind it, and no lost answer is kept quiet."""
    for transaction, entries in history.normalized.items():
        command = entries[0].value
        conversation = command.turn.conversation_key
        finals = history.finals.get(transaction, ())
        if not finals:
            continue
        metadata = finals[0].value.metadata
        unknown = metadata.status is Status.OUTCOME_UNKNOWN or any(i.outcome.value == "UNKNOWN" for i in metadata.items)
        announced = history.events_of(transaction, "NOC.MCP_OUTCOME_UNKNOWN")
        if unknown != bool(announced):
            yield (
                conversation,
                f"{transaction}: outcome unknown is {unknown} in the answer, {bool(announced)} in events",
            )
        if not unknown:
            continue
        customer = history.customers.get(conversation, "")
        began = min((entry.at for entry in history.executed.get(transaction, ())), default=entries[0].at)
        disturbed = any(each.at <= entries[0].at and each.until >= began for each in history.disturbances)
        rules = history.tools.get(command.transaction.tool)
        waited_s = (entries[0].at - began).total_seconds()
        slow = rules is not None and waited_s >= rules.timeout_s  # a starved machine is a cause too
        if not disturbed and not slow and not customer.startswith(LOSING):
            yield conversation, f"{transaction}: the outcome is called unknown, and nothing had happened to the call"
        retried = rules is not None and rules.transactional and rules.recovery == "retry"
        if rules is not None and retried and command.attempts < rules.attempts_max and not disturbed:
            yield (
                conversation,
                f"{transaction}: called unknown after {command.attempts} attempts, and it may be retried",
            )


LOSING = (
    "falha-resposta-perdida",
    "falha-queda",
    "falha-lenta",
    "falha-malformada",
    "falha-enorme",
    "falha-503",
)
"""Customers whose answers the demo loses, spoils or delays."""


# --- isolation and the end ----------------------------------------------------------------------------------------------------------


def conversations_are_apart(history: History) -> Found:
    """What is published under a key is about that conversation and nobody else."""
    for response in history.responses:
        conversation, metadata = response.value.session_id, response.value.metadata
        tenant, agent, session = conversation_parts(conversation)
        if response.key != conversation or (metadata.tenant_id, metadata.agent_id) != (tenant, agent):
            yield conversation, f"response {metadata.response_id} lies under the key {response.key}"
        if metadata.session_id not in {None, session}:
            yield conversation, f"response {metadata.response_id} is about session {metadata.session_id}"
        owner = history.opened.get(metadata.transaction_id or "", conversation)
        if owner != conversation:
            yield conversation, f"response {metadata.response_id} is about a transaction of {owner}"
        if metadata.message_id and not _is_message_of(metadata.message_id, session):
            yield conversation, f"response {metadata.response_id} answers message {metadata.message_id}"
    for entry in history.events:
        event = entry.value
        if not event.conversation_key or not event.message_id or event.event_type.startswith("NOC.CONTRACT"):
            continue
        if not _is_message_of(event.message_id, conversation_parts(event.conversation_key)[2]):
            yield event.conversation_key, f"event {event.event_id} is about message {event.message_id}"


def _is_message_of(message: str, session: str) -> bool:
    """Gateways of these runs name messages after their session."""
    return message.startswith(f"{session}-m")


def nothing_is_left_open(history: History) -> Found:
    """In the end no conversation waits, no question is open, no call is under way."""
    for key, checkpoint in history.states.get(StageName.RECONCILE, {}).items():
        state = AgentState.model_validate(checkpoint.body)
        if state.open is not None:
            held = state.open
            yield key, f"transaction {held.transaction_id} is still {held.status}, with {held.holder}"
        if state.waiting or state.deferred:
            yield key, f"{len(state.waiting)} messages and {len(state.deferred)} requests still wait"
    for stage, field in (
        (StageName.CONFIRM, "question"),
        (StageName.EXECUTE, "running"),
        (StageName.PRE_VALIDATE, "entry"),
    ):
        for key, checkpoint in history.states.get(stage, {}).items():
            if checkpoint.body.get(field) is not None:
                yield conversation_of_state_key(key), f"{stage} still has an open {field} for {key}"


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
    "isolation": conversations_are_apart,
    "left open": nothing_is_left_open,
}


def check(history: History) -> list[Violation]:
    """Every violation of every rule."""
    return [Violation(name, conversation, text) for name, rule in RULES.items() for conversation, text in rule(history)]


def _message(asked: Asked) -> tuple[str, str]:
    assert asked.conversation is not None
    assert asked.request is not None
    return asked.conversation, asked.request.payload.message_id


def _of_response(history: History, response_id: str) -> str:
    return next(e.value.session_id for e in history.responses if e.value.metadata.response_id == response_id)


def _conversation_of(history: History, customer: str) -> str:
    return next((key for key, known in history.customers.items() if known == customer), "")


def _gaps(numbers: list[int]) -> str:
    """The first place where consecutive numbers are not."""
    for before, after in pairwise(numbers):
        if after != before + 1:
            return f"… {before}, {after} …"
    return "…"
