"""Transactions end once, and execute exactly what was shown and accepted. Pure."""

from collections import Counter, defaultdict

from consumers.chaos.history import Found, History
from contracts.channel_response import ResponseKind
from contracts.confirm_command import VerdictKind
from contracts.status import Status

ASKING = {
    "IC.TRANSACTION_CONFIRMATION_REQUIRED",
    "IC.TRANSACTION_CONFIRMATION_UNCLEAR",
    "GRL.CONFIRMATION_STALE",
    "GRL.CONFIRMATION_FOREIGN",
}


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
