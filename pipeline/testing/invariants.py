"""What must hold, whatever happens: checked with every commit and every effect, and at the end.

Owns: the list of promises and how each is looked at from outside (topics, the servers' own ledger, what customers said and heard).
Invariants: a violation names the promise it breaks and is found at the first step that breaks it. Never: looks into a stage's code; the
only inner thing compared is live state with replayed state. Source: issue "exactly once, proved"; DESIGN 4.
"""

import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from contracts.identity import conversation_key
from pipeline import topology
from pipeline.decision import conversation_of_state_key
from pipeline.policy import Recovery
from pipeline.runtime.changelog import META_KEY, Restored
from pipeline.runtime.ports import RawRecord, TopicPartition
from pipeline.runtime.state_store import StateStore
from pipeline.testing.replicas import stage as stage_of
from pipeline.testing.server import Arrival, Effect, Fate
from pipeline.testing.transactions import Transactional
from pipeline.testing.world import World
from pipeline.topology import STAGES, StageName

TERMINAL = {
    "COMPLETED",
    "FAILED",
    "OUTCOME_UNKNOWN",
    "OUT_OF_SCOPE",
    "PREVALIDATION_ERROR",
    "CANCELLED",
    "EXPIRED",
}
ENDING_EVENTS = {
    "IC.TRANSACTION_COMPLETED",
    "IC.TRANSACTION_OUTCOME_UNKNOWN",
    "IC.TRANSACTION_PREVALIDATION_REJECTED",
    "IC.TRANSACTION_PREVALIDATION_FAILED",
    "IC.TRANSACTION_CONFIRMATION_DECLINED",
    "IC.TRANSACTION_CONFIRMATION_EXPIRED",
    "IC.TRANSACTION_ABANDONED",
    "IC.TRANSACTION_REPLACED",
    "IC.TRANSACTION_EXPIRED",
}
EVENT_OF_STATUS = {
    "COMPLETED": {"IC.TRANSACTION_COMPLETED"},
    "FAILED": {"IC.TRANSACTION_COMPLETED"},
    "OUTCOME_UNKNOWN": {"IC.TRANSACTION_OUTCOME_UNKNOWN"},
    "OUT_OF_SCOPE": {"IC.TRANSACTION_PREVALIDATION_REJECTED"},
    "PREVALIDATION_ERROR": {"IC.TRANSACTION_PREVALIDATION_FAILED"},
    "CANCELLED": {"IC.TRANSACTION_CONFIRMATION_DECLINED", "IC.TRANSACTION_ABANDONED", "IC.TRANSACTION_REPLACED"},
    "EXPIRED": {"IC.TRANSACTION_CONFIRMATION_EXPIRED", "IC.TRANSACTION_EXPIRED"},
}
"""Source: DESIGN 2."""
SURELY_BEFORE_MS = 1_000
"""More than any two clocks differ."""
ALARMS = {"NOC.STAGE_RETRY", "NOC.RUNTIME_FAILED", "NOC.DLQ"}
"""Never, when nobody writes what can't be read."""

_MARK = re.compile(r"(?:Alfa|Beta|Gama|Delta)(\d\d)\d\b|\bP-(\d\d)\d\d\b|(?:customer|user) of c(\d\d)\b")
"""What only one customer says; the number is the customer's."""


@dataclass(frozen=True)
class Violation(Exception):
    """A broken promise."""

    promise: str
    what: str

    def __str__(self) -> str:
        return f"{self.promise}: {self.what}"


@dataclass(slots=True)
class Told:
    """What was published of one transaction."""

    conversation: str
    ended: str | None = None
    final: dict[str, Any] | None = None
    ending_events: tuple[str, ...] = ()


class Invariants:
    """Watches a world."""

    def __init__(self, world: World, *, allow_alarms: bool = False) -> None:
        self._world = world
        self.allow_skew = False
        self._allow_alarms = allow_alarms
        self._settings = world.settings
        self.violations: list[Violation] = []
        self._responses: dict[str, None] = {}
        self._events: dict[str, None] = {}
        self._sequences: dict[tuple[str, str], int] = {}
        self._transactions: dict[str, Told] = {}
        self._shown: dict[tuple[str, int], dict[str, Any]] = {}
        """(transaction, revision) → the proposal as told on pipeline.status."""
        self._asked_ms: dict[tuple[str, int], int] = {}
        """Broker time at which the question of a revision was first published."""
        self._expired_ms: dict[str, list[int]] = {}
        """Conversation → broker times at which an expiry was told."""
        self._received: Counter[tuple[str, str]] = Counter()
        self._duplicates: Counter[tuple[str, str]] = Counter()
        self._answered: Counter[tuple[str, str]] = Counter()
        self._items_done: dict[tuple[str, str], str] = {}
        self._customer_of: dict[str, str] = {}
        self._effects_seen = 0
        self._arrivals_seen = 0
        self._arrived: dict[str, list[Arrival]] = {}
        self._effects_of: dict[str, list[Effect]] = {}
        self.commits = 0
        self.stalls = 0
        """Stalls that a watchdog saw."""
        world.broker.on_decided.append(self._decided)
        world.servers.watchers.append(self.look_at_servers)

    def violated(self, promise: str, what: str) -> None:
        """Keep the first of each promise and stop the world."""
        self.violations.append(Violation(promise, what))
        self._world.trace.add(f"VIOLATION {promise}: {what}")
        self._world.loop.stop()

    def check(self, promise: str, holds: bool, what: str) -> None:
        """Report unless it holds."""
        if not holds:
            self.violated(promise, what)

    # --- every commit ---

    def _decided(self, transactional: Transactional, commit: bool) -> None:
        if not commit or self._world.ended:
            return
        self.commits += 1
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
            self.check("nothing is dead-lettered that can be read", self._allow_alarms, f"{topic}: {record.headers}")
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
        for match in _MARK.finditer(record.value.decode()):
            number = match[1] or match[2] or match[3]
            self.check(
                "isolation",
                owner == f"c{number}",
                f"{topic}/{record.partition}/{record.offset} of {conversation} ({owner}) holds {match[0]!r} of c{number}",
            )

    def _owner(self, conversation: str) -> str | None:
        if conversation not in self._customer_of:
            for customer in self._world.customers:
                plan = customer.plan
                self._customer_of[conversation_key(plan.tenant_id, plan.agent_id, plan.session_id)] = plan.name
        return self._customer_of.get(conversation)

    def _event(self, event: dict[str, Any]) -> None:
        kind, identity = event["event_type"], event["event_id"]
        self.check("an event is published once", identity not in self._events, f"{kind} {identity} twice")
        self._events[identity] = None
        if kind in ALARMS and event["payload"].get("reason") != "stall":
            self.check("nothing is given up", self._allow_alarms, f"{kind}: {event['payload']}")
        elif kind in ALARMS:
            self.stalls += 1
        conversation = event.get("conversation_key")
        if not conversation:
            return
        message = (conversation, event["message_id"])
        if kind == "IC.GATEWAY_RECEIVED":
            self._received[message] += 1
        elif kind == "IC.MESSAGE_DUPLICATE":
            self._duplicates[message] += 1
        identity = event.get("transaction_id")
        if identity:
            told = self._transactions.setdefault(identity, Told(conversation))
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
            last = self._sequences.get(place, 0)
            what = f"{place[1]} in {place[0]} wrote sequences {sequences} after {last}"
            distinct = len(set(sequences)) == len(sequences)
            self.check("order within a conversation", distinct and min(sequences) > last, what)
            self._sequences[place] = max(last, *sequences)

    def _response(self, response: dict[str, Any], record: RawRecord) -> None:
        metadata = response["metadata"]
        identity = metadata["response_id"]
        self.check(
            "an answer is published once", identity not in self._responses, f"{identity} twice: {response['text']!r}"
        )
        self._responses[identity] = None
        conversation = response["session_id"]
        self._answered[conversation, metadata.get("message_id") or ""] += 1
        transaction = metadata.get("transaction_id")
        if transaction and metadata["kind"] == "confirmation":
            self._asked_ms.setdefault((transaction, metadata["revision"]), record.timestamp_ms)
        if transaction and metadata["kind"] == "final":
            told = self._transactions.setdefault(transaction, Told(conversation))
            self.check(
                "one final answer",
                told.final is None,
                f"{transaction} was answered twice: {told.final and told.final['text']!r}, then {response['text']!r}",
            )
            told.final = response
            if metadata.get("status") == "EXPIRED":
                self._expired_ms.setdefault(conversation, []).append(record.timestamp_ms)

    def _status(self, status: dict[str, Any]) -> None:
        transaction, said = status["transaction_id"], status["status"]
        told = self._transactions.setdefault(transaction, Told(status["turn"]["conversation_key"]))
        if said in TERMINAL:
            self.check("one terminal status", told.ended is None, f"{transaction} is {said} after {told.ended}")
            told.ended = said
            if said == "EXPIRED" and status["stage"] == "confirm":
                self._nothing_in_time(transaction, status["revision"])
        if status.get("proposal"):
            place = (transaction, status["revision"])
            shown = self._shown.setdefault(place, status["proposal"])
            self.check(
                "a question of one revision is one question",
                shown["digest"] == status["proposal"]["digest"],
                f"{transaction}/{status['revision']} changed",
            )

    def _nothing_in_time(self, transaction: str, revision: int) -> None:
        """An expiry does not pass a yes that confirm could have read when it fell due, clocks apart."""
        proposal = self._shown.get((transaction, revision))
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

    # --- every effect ---

    def look_at_servers(self) -> None:
        """Check what has arrived and what was done since the last look."""
        servers = self._world.servers
        for arrival in servers.arrivals[self._arrivals_seen :]:
            self._arrived_at_server(arrival)
        self._arrivals_seen = len(servers.arrivals)
        for effect in servers.effects[self._effects_seen :]:
            self._done(effect)
        self._effects_seen = len(servers.effects)

    def _arrived_at_server(self, arrival: Arrival) -> None:
        tool = self._world.installation.tools[arrival.tool]
        late = arrival.late_s > SURELY_BEFORE_MS / 1000
        what = f"{arrival.tool} {arrival.key} came {arrival.late_s:.2f} s after its not_after"
        self.check("nothing is sent after not_after", not late or self.allow_skew, what)
        if not tool.transactional:
            return
        earlier = [other for other in self._arrived.setdefault(arrival.key, []) if other.fate is not Fate.REFUSED]
        self._arrived[arrival.key].append(arrival)
        if not earlier:
            return
        if tool.recovery is Recovery.REPORT:
            self.violated(
                "called at most once", f"{arrival.tool} {arrival.key} arrived again (attempt {arrival.attempt})"
            )
        elif tool.recovery is Recovery.STATUS:
            self.violated(
                "called again only after an unknown key",
                f"{arrival.tool} {arrival.key} arrived again (attempt {arrival.attempt}), begun at {earlier[0].at_s:.2f} s",
            )

    def _done(self, effect: Effect) -> None:
        transaction, revision_text = effect.call_id.split("/")[:2]
        revision = int(revision_text)
        again = self._effects_of.setdefault(effect.key, [])
        again.append(effect)
        self.check("no double effect", len(again) == 1, f"{effect.tool} {effect.key} was done {len(again)} times")
        for item in effect.succeeded:
            place = (transaction, item)
            self.check("no double effect", place not in self._items_done, f"{item} of {transaction} was done twice")
            self._items_done[place] = effect.key
        tool = self._world.installation.tools[effect.tool]
        if tool.needs_confirmation:
            self._confirmed(effect, transaction, revision)
        told = self._transactions.get(transaction)
        owner = self._owner(told.conversation) if told else None
        said = effect.arguments.get("customer_id")
        if said is not None:
            self.check("isolation", said == f"customer of {owner}", f"{effect.tool} was called for {said!r} by {owner}")

    def _confirmed(self, effect: Effect, transaction: str, revision: int) -> None:
        proposal = self._shown.get((transaction, revision))
        if proposal is None:
            self.violated("executed is what was shown", f"{transaction}/{revision} was never shown")
            return
        shown = tuple(proposal["items"])
        same = effect.items == shown if effect.call_id.endswith("/call/1") else set(effect.items) <= set(shown)
        self.check("executed is what was shown", same, f"shown {shown}, executed {effect.items}")
        asked_ms = self._asked_ms.get((transaction, revision))
        told = self._transactions[transaction]
        yes_ms = self._yes_to(told.conversation, f"{transaction}/{revision}", asked_ms)
        if yes_ms is None:
            what = f"{transaction}/{revision} {effect.items} was executed, nobody said yes"
            self.violated("nothing without a yes", what)
            return
        expires_ms = datetime.fromisoformat(proposal["expires_at"]).timestamp() * 1000
        what = f"{transaction}/{revision}: yes at {yes_ms}, expired at {expires_ms}"
        self.check("a late yes executes nothing", yes_ms <= expires_ms, what)

    def _yes_to(self, conversation: str, proposal: str, asked_ms: int | None) -> int | None:
        """Broker time of the first yes said after the question was published."""
        if asked_ms is None:
            return None
        for customer in self._world.customers:
            if customer.conversation != conversation:
                continue
            meant = {said.message_id for said in customer.said if said.button_of in {None, proposal}}
            times = [
                record.timestamp_ms
                for record, request in self._world.gateway.sent
                if request["payload"]["message"] == "sim"
                and request["payload"]["message_id"] in meant
                and record.timestamp_ms >= asked_ms
            ]
            return min(times, default=None)
        return None

    # --- live state ---

    def compare_state(self, stage: StageName, number: int, store: StateStore) -> None:
        """Live state equals replayed state."""
        topic = self._settings.named(topology.state(stage))
        restored = Restored(checkpoints={})
        for record in self._world.broker.decided_records(TopicPartition(topic, number)):
            restored.apply(record)
        replayed = StateStore(stage_of(stage, 0), restored.checkpoints)
        live = {key: store.get(key) for key in store.conversations()}
        again = {key: replayed.get(key) for key in replayed.conversations()}
        empty = {key for key, state in again.items() if stage_of(stage, 0).is_empty(state)}
        for key in empty:
            again.pop(key)
        if live != again:
            different = sorted(key for key in live.keys() | again.keys() if live.get(key) != again.get(key))
            key = different[0]
            self.violated(
                "live state equals replayed state", f"{stage}-{number} {key}: {live.get(key)!r} != {again.get(key)!r}"
            )

    # --- the end ---

    def at_end(self) -> None:
        """What must hold once the world is at rest."""
        self.look_at_servers()
        self._all_requests_accounted()
        for transaction, told in self._transactions.items():
            self._transaction_ended(transaction, told)
        unwell = self.unwell()
        self.check("healthy at rest", not unwell, "; ".join(unwell))

    def _all_requests_accounted(self) -> None:
        sent: Counter[tuple[str, str]] = Counter()
        for _, request in self._world.gateway.sent:
            payload = request["payload"]
            key = conversation_key(request["tenant_id"], request["agent_id"], payload["session_id"])
            sent[key, payload["message_id"]] += 1
        for message, times in sent.items():
            received, duplicates = self._received[message], self._duplicates[message]
            self.check("every request is received once", received == 1, f"{message} was received {received} times")
            self.check(
                "a duplicate has no effect",
                duplicates == times - 1,
                f"{message} was sent {times} times, {duplicates} known as duplicates",
            )
            answered = self._answered[message] >= 1 or self._crossed_expiry(*message)
            self.check("every request is answered", answered, f"{message} was never answered")

    def _crossed_expiry(self, conversation: str, message_id: str) -> bool:
        """Whether the expiry of a question crossed this message: what is told of the expiry answers both."""
        for record, request in self._world.gateway.sent:
            if request["payload"]["message_id"] == message_id and (record.key or b"").decode() == conversation:
                return any(
                    -2_000 <= expired_ms - record.timestamp_ms <= 30_000
                    for expired_ms in self._expired_ms.get(conversation, ())
                )
        return False

    def _transaction_ended(self, transaction: str, told: Told) -> None:
        if self._allow_alarms and told.ended == "FAILED" and not told.ending_events:
            return  # dead-lettered: its event is NOC.DLQ
        self.check(
            "one ending", len(told.ending_events) == 1, f"{transaction} ended with {told.ending_events or 'nothing'}"
        )
        if told.final is None:
            self.violated("one final answer", f"{transaction} of {told.conversation} got no final answer")
            return
        metadata = told.final["metadata"]
        if told.ended is not None:
            self.check(
                "events agree with outcomes",
                set(told.ending_events) <= EVENT_OF_STATUS[told.ended],
                f"{transaction} is {told.ended}, events say {told.ending_events}",
            )
            self.check(
                "the answer agrees with the status",
                metadata.get("status") in {None, told.ended},
                f"{transaction} is {told.ended}, the answer says {metadata.get('status')}",
            )
        self._fates(transaction, metadata, told.final["text"])

    def _fates(self, transaction: str, metadata: dict[str, Any], text: str) -> None:
        effects = [e for found in self._effects_of.values() for e in found if e.call_id.startswith(f"{transaction}/")]
        done = {item for effect in effects for item in effect.succeeded}
        tried = {item for effect in effects for item in effect.items}
        fates = {item["subject"]: item for item in metadata.get("items", ())}
        status = metadata.get("status")
        tool = self._world.installation.tools.get(metadata.get("intent", ""))
        if tool is None or not tool.transactional:
            return
        # MCP calls an answer without is_error a success; one that says nothing at all can't be known to be wrong.
        arrived = (arrival for found in self._arrived.values() for arrival in found)
        garbled = any(a.fate is Fate.MALFORMED for a in arrived if a.call_id.startswith(f"{transaction}/"))
        if metadata.get("route") == "normalize":
            for subject in fates:
                self.check("every item is named", subject in text, f"{transaction}: {subject} is not in {text!r}")
        if effects and status != "OUTCOME_UNKNOWN":
            missing = tried - fates.keys()
            self.check(
                "every item has a fate", not missing, f"{transaction}: {sorted(missing)} are missing in {text!r}"
            )
        for subject, fate in fates.items():
            if fate["outcome"] == "SUCCEEDED" and not garbled:
                self.check("no false success", subject in done, f"{transaction}: {subject} was not done: {text!r}")
            elif fate["outcome"] == "FAILED" and fate.get("reason") not in {
                "no_result",
                "conflicting_flags",
                "outcome_unknown",
            }:
                self.check(
                    "no false failure", subject not in done, f"{transaction}: {subject} was done: {fate} {text!r}"
                )
        if done and status in {"CANCELLED", "EXPIRED", "OUT_OF_SCOPE", "PREVALIDATION_ERROR"}:
            self.violated("no false failure", f"{transaction} is {status}, but {sorted(done)} were done")

    def keys_of(self, transaction: str) -> set[str]:
        """Idempotency keys under which calls of a transaction arrived."""
        arrived = (arrival for found in self._arrived.values() for arrival in found)
        return {arrival.key for arrival in arrived if arrival.call_id.startswith(f"{transaction}/")}

    def open_transactions(self) -> list[str]:
        """Transactions that have not ended: a question may still be open when the last customer has gone."""
        return [
            transaction for transaction, told in self._transactions.items() if not (told.ending_events or told.ended)
        ]

    def unwell(self) -> list[str]:
        """Why some worker is not ready."""
        return [
            f"{replica}: {', '.join(replica.worker.health().problems)}"
            for replica in self._world.replicas
            if replica.wanted and replica.worker is not None and not replica.worker.health().ready
        ]

    def forgotten(self) -> None:
        """After the retention nothing is kept: memory is bounded."""
        for name in STAGES:
            topic = self._settings.named(topology.state(name))
            for number in range(self._settings.kafka.partitions):
                restored = Restored(checkpoints={})
                for record in self._world.broker.decided_records(TopicPartition(topic, number)):
                    restored.apply(record)
                self.check(
                    "a quiet conversation is forgotten",
                    not restored.checkpoints,
                    f"{topic}/{number} still holds {sorted(restored.checkpoints)}",
                )
        for replica in self._world.replicas:
            tasks = replica.worker._tasks if replica.worker is not None and replica.wanted else None  # noqa: SLF001
            for task in tasks.running() if tasks is not None else ():
                self.check(
                    "memory is bounded", task.conversations == 0, f"{replica} keeps {task.conversations} conversations"
                )
