"""Records as such: ids, numbers, places; and that nothing is left over in the end. Pure."""

from collections import Counter, defaultdict
from itertools import pairwise

from consumers.chaos.history import Entry, Found, History
from contracts.agent_state import AgentState
from contracts.event_envelope import EventEnvelope
from contracts.identity import conversation_parts
from pipeline.decision import conversation_of_state_key
from pipeline.topology import StageName

PASSING = {"stall", "a stage holds a transaction for too long"}
"""What is told to operators while it lasts and goes by itself: a stopped process stalls."""


def ids_are_unique(history: History) -> Found:
    """No response and no event is there twice."""
    for response_id, times in Counter(entry.value.metadata.response_id for entry in history.responses).items():
        if times != 1:
            yield _of_response(history, response_id), f"response {response_id or '(without id)'} is there {times} times"
    for event_id, times in Counter(entry.value.event_id for entry in history.events).items():
        if times != 1:
            where = next(e.value.conversation_key or "" for e in history.events if e.value.event_id == event_id)
            yield where, f"event {event_id} is there {times} times"


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


def nothing_stops(history: History) -> Found:
    """No number, partition or conversation waits for an operator: the faults are such that each is to be survived alone."""
    for entry in history.events:
        event = entry.value
        if event.event_type == "NOC.RUNTIME_FAILED" and event.payload.get("reason") not in PASSING:
            yield (
                event.conversation_key or "",
                f"{event.stage} stopped and waits for an operator: {dict(event.payload)}",
            )


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


def _is_message_of(message: str, session: str) -> bool:
    """Gateways of these runs name messages after their session."""
    return message.startswith(f"{session}-m")


def _of_response(history: History, response_id: str) -> str:
    return next(e.value.session_id for e in history.responses if e.value.metadata.response_id == response_id)


def _gaps(numbers: list[int]) -> str:
    """The first place where consecutive numbers are not."""
    for before, after in pairwise(numbers):
        if after != before + 1:
            return f"… {before}, {after} …"
    return "…"
