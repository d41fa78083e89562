"""What became of every record of `gateway.requests`. Pure."""

from collections import Counter, defaultdict

from consumers.chaos.history import Asked, Found, History


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


def _message(asked: Asked) -> tuple[str, str]:
    assert asked.conversation is not None
    assert asked.request is not None
    return asked.conversation, asked.request.payload.message_id
