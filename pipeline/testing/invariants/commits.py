"""What must hold with every commit: where records are, whose they are, what they say, what the offsets pass."""

from datetime import datetime
from typing import Any

import orjson

from pipeline import topology
from pipeline.decision import conversation_of_state_key
from pipeline.runtime.changelog import META_KEY
from pipeline.runtime.ports import RawRecord, TopicPartition
from pipeline.testing.installation import TIMING
from pipeline.testing.invariants.watch import ALARMS, ENDING_EVENTS, MARK, SURELY_BEFORE_MS, TERMINAL, Told, Watch
from pipeline.testing.partitioner import partition_of
from pipeline.testing.transactions import Transactional


class Commits(Watch):
    """Watches what becomes readable."""

    def decided(self, transactional: Transactional, commit: bool) -> None:
        if not commit or self._world.ended:
            return
        self._seen.commits += 1
        broker = self._world.broker
        written: list[RawRecord] = []
        for partition in transactional.partitions:
            entries = broker.logs[partition].pending.get(transactional.producer, ())
            written += [entry.record for entry in entries if entry.record is not None]
        stage, _, number = self._settings.logical(transactional.name).rpartition("-")
        messages: set[str] = set()
        for record in written:
            self._written(record, stage, int(number))
            messages |= self._messages_of(record)
        self._in_order(written)
        for group in transactional.groups:
            pending = broker.groups.group(group).pending.get(transactional.producer, {})
            for partition, offset in pending.items():
                self._advanced(group, partition, offset, written, messages)

    def _messages_of(self, record: RawRecord) -> set[str]:
        if not self._settings.logical(record.topic).startswith("events."):
            return set()
        data = orjson.loads(record.value or b"{}")
        return {str(data.get("message_id"))}

    def _written(self, record: RawRecord, stage: str, number: int) -> None:
        topic = self._settings.logical(record.topic)
        count = self._world.broker.counts[record.topic]
        if topic != topology.GATEWAY_REQUESTS:
            self.check(
                "partition",
                record.partition == number % count,
                f"{stage}-{number} wrote to {record.topic}/{record.partition}",
            )
        self._isolated(topic, record)
        if record.value is None or topic.startswith("state."):
            return
        if topic.startswith("dlq."):
            self.check(
                "nothing is dead-lettered that can be read", self._seen.allow_alarms, f"{topic}: {record.headers}"
            )
            return
        data = orjson.loads(record.value)
        if topic.startswith("events."):
            self._event(data)
        elif topic.startswith("channel."):
            self._response(data, record)
        elif topic == topology.STATUS:
            self._status(data)

    def _isolated(self, topic: str, record: RawRecord) -> None:
        key = (record.key or b"").decode()
        if key == META_KEY or topic.startswith("dlq.") or record.value is None:
            return
        conversation = conversation_of_state_key(key)
        owner = self._owner(conversation)
        for match in MARK.finditer(record.value.decode()):
            number = match[1] or match[2] or match[3]
            self.check(
                "isolation",
                owner == f"c{number}",
                f"{topic}/{record.partition}/{record.offset} of {conversation} ({owner}) holds {match[0]!r} of c{number}",
            )

    def _event(self, event: dict[str, Any]) -> None:
        kind, identity = event["event_type"], event["event_id"]
        self.check("an event is published once", identity not in self._seen.events, f"{kind} {identity} twice")
        self._seen.events[identity] = None
        if kind in ALARMS and event["payload"].get("reason") != "stall":
            self.check("nothing is given up", self._seen.allow_alarms, f"{kind}: {event['payload']}")
        elif kind in ALARMS:
            self._seen.stalls += 1
        conversation = event.get("conversation_key")
        if not conversation:
            return
        message = (conversation, event["message_id"])
        if kind == "IC.GATEWAY_RECEIVED":
            self._seen.received[message] += 1
        elif kind == "IC.MESSAGE_DUPLICATE":
            self._seen.duplicates[message] += 1
        identity = event.get("transaction_id")
        if identity:
            told = self._seen.transactions.setdefault(identity, Told(conversation))
            if kind in ENDING_EVENTS:
                told.ending_events += (kind,)
                self.check(
                    "one ending", len(told.ending_events) == 1, f"{identity} ended with {', '.join(told.ending_events)}"
                )

    def _in_order(self, written: list[RawRecord]) -> None:
        """Sequences grow with every commit, and within it on each topic."""
        here: dict[tuple[str, str], list[int]] = {}
        by_topic: dict[tuple[str, str, str], int] = {}
        for record in written:
            if not self._settings.logical(record.topic).startswith("events."):
                continue
            event = orjson.loads(record.value or b"{}")
            if not event.get("conversation_key"):
                continue
            place, sequence = (event["conversation_key"], event["stage"]), event["sequence"]
            here.setdefault(place, []).append(sequence)
            last = by_topic.get((record.topic, *place), 0)
            by_topic[record.topic, *place] = sequence
            what = f"{event['event_type']} of {event['stage']} in {place[0]} has sequence {sequence} after {last}"
            self.check("order within a conversation", sequence > last, what)
        for place, sequences in here.items():
            last = self._seen.sequences.get(place, 0)
            what = f"{place[1]} in {place[0]} wrote sequences {sequences} after {last}"
            distinct = len(set(sequences)) == len(sequences)
            self.check("order within a conversation", distinct and min(sequences) > last, what)
            self._seen.sequences[place] = max(last, *sequences)

    def _response(self, response: dict[str, Any], record: RawRecord) -> None:
        metadata = response["metadata"]
        identity = metadata["response_id"]
        self.check(
            "an answer is published once",
            identity not in self._seen.responses,
            f"{identity} twice: {response['text']!r}",
        )
        self._seen.responses[identity] = None
        conversation = response["session_id"]
        self._seen.answered[conversation, metadata.get("message_id") or ""] += 1
        transaction = metadata.get("transaction_id")
        if transaction and metadata["kind"] == "confirmation":
            self._seen.asked_ms.setdefault((transaction, metadata["revision"]), record.timestamp_ms)
        if transaction and metadata["kind"] == "final":
            told = self._seen.transactions.setdefault(transaction, Told(conversation))
            self.check(
                "one final answer",
                told.final is None,
                f"{transaction} was answered twice: {told.final and told.final['text']!r}, then {response['text']!r}",
            )
            told.final = response
            if metadata.get("status") == "EXPIRED":
                self._seen.expired_ms.setdefault(conversation, []).append(record.timestamp_ms)

    def _status(self, status: dict[str, Any]) -> None:
        transaction, said = status["transaction_id"], status["status"]
        told = self._seen.transactions.setdefault(transaction, Told(status["turn"]["conversation_key"]))
        if said in TERMINAL:
            self.check("one terminal status", told.ended is None, f"{transaction} is {said} after {told.ended}")
            told.ended = said
            if said == "EXPIRED" and status["stage"] == "confirm":
                self._nothing_in_time(transaction, status["revision"])
                self._nothing_unread(transaction, status["revision"], told.conversation)
        if status.get("proposal"):
            place = (transaction, status["revision"])
            shown = self._seen.shown.setdefault(place, status["proposal"])
            self.check(
                "a question of one revision is one question",
                shown["digest"] == status["proposal"]["digest"],
                f"{transaction}/{status['revision']} changed",
            )

    def _nothing_in_time(self, transaction: str, revision: int) -> None:
        """An expiry does not pass a yes that confirm could have read when it fell due, clocks apart."""
        proposal = self._seen.shown.get((transaction, revision))
        if proposal is None:
            return
        expires_ms = datetime.fromisoformat(proposal["expires_at"]).timestamp() * 1000
        topic = self._settings.named(topology.CONFIRM)
        for number in range(self._world.broker.counts[topic]):
            log = self._world.broker.logs[TopicPartition(topic, number)]
            for record in log.records():
                # Not before its last stable offset let it through: another producer's open transaction holds a yes back, too.
                seen_ms = log.visible_ms.get(record.offset, record.timestamp_ms)
                if seen_ms > expires_ms - SURELY_BEFORE_MS or transaction.encode() not in (record.value or b""):
                    continue
                command = orjson.loads(record.value or b"{}")["command"]
                about = command.get("transaction_id") == transaction and command.get("revision") == revision
                button = command.get("token") in {None, proposal["token"]}
                yes = command["kind"] == "verdict" and command["verdict"] == "accept" and about and button
                self.check(
                    "a yes in time wins", not yes, f"{transaction}/{revision} expired with a yes at {record.offset}"
                )

    def _nothing_unread(self, transaction: str, revision: int, conversation: str) -> None:
        """Nor one that a customer said in time and that lies before reconcile, as long as reconcile is waited for."""
        proposal, asked_ms = (
            self._seen.shown.get((transaction, revision)),
            self._seen.asked_ms.get((transaction, revision)),
        )
        if proposal is None or asked_ms is None:
            return
        expires_ms = datetime.fromisoformat(proposal["expires_at"]).timestamp() * 1000
        if self._world.broker.now_ms() > expires_ms + TIMING.expiry_backstop_ms - SURELY_BEFORE_MS:
            return
        topic, key = self._settings.named(topology.GATEWAY_REQUESTS), conversation.encode()
        right = partition_of(key, self._world.broker.counts[topic])
        log = self._world.broker.logs[TopicPartition(topic, right)]
        for record in log.records():
            seen_ms = log.visible_ms.get(record.offset, record.timestamp_ms)
            in_time = asked_ms + SURELY_BEFORE_MS < record.timestamp_ms and seen_ms < expires_ms - SURELY_BEFORE_MS
            if record.key != key or not in_time or b'"sim"' not in (record.value or b""):
                continue
            said = orjson.loads(record.value or b"{}")["payload"]
            yes = said["message"] == "sim" and said["metadata"].get("confirmation") in {None, proposal["token"]}
            what = f"{transaction}/{revision} expired with a yes at {topic}/{right}/{record.offset}"
            self.check("a yes in time wins", not yes, what)

    def _advanced(
        self, group: str, partition: TopicPartition, offset: int, written: list[RawRecord], messages: set[str]
    ) -> None:
        broker = self._world.broker
        before = broker.groups.group(group).committed.get(partition)
        if before is None:
            return
        self.check("offsets never go back", offset >= before, f"{group} {partition}: {offset} after {before}")
        if self._settings.logical(partition.topic) != topology.GATEWAY_REQUESTS:
            return
        log = broker.logs[partition]
        for entry in log.entries:
            if entry.record is None or entry.aborted or not before <= entry.offset < offset:
                continue
            request = orjson.loads(entry.record.value or b"{}")
            moved = any(
                record.value == entry.record.value for record in written
            )  # to its right place, or dead-lettered
            decided = request["payload"]["message_id"] in messages
            self.check(
                "offsets never pass unfinished work",
                moved or decided,
                f"{partition.topic}/{partition.partition}/{entry.offset} was passed without a word about "
                f"{request['payload']['message_id']}",
            )
