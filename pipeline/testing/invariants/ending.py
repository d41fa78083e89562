"""What must hold once the world is at rest: every request accounted for, every transaction ended as it was told, nothing kept."""

from collections import Counter
from typing import Any

from contracts.identity import conversation_key
from pipeline import topology
from pipeline.runtime.changelog import Restored
from pipeline.runtime.ports import TopicPartition
from pipeline.testing.invariants.watch import (
    EVENT_OF_STATUS,
    Told,
    Watch,
)
from pipeline.testing.server import Fate
from pipeline.topology import STAGES


class Ending(Watch):
    """Adds up what was seen."""

    def at_end(self) -> None:
        """What must hold once the world is at rest."""
        self._all_requests_accounted()
        for transaction, told in self._seen.transactions.items():
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
            received, duplicates = self._seen.received[message], self._seen.duplicates[message]
            self.check("every request is received once", received == 1, f"{message} was received {received} times")
            self.check(
                "a duplicate has no effect",
                duplicates == times - 1,
                f"{message} was sent {times} times, {duplicates} known as duplicates",
            )
            answered = self._seen.answered[message] >= 1 or self._crossed_expiry(*message)
            self.check("every request is answered", answered, f"{message} was never answered")

    def _crossed_expiry(self, conversation: str, message_id: str) -> bool:
        """Whether the expiry of a question crossed this message: what is told of the expiry answers both."""
        for record, request in self._world.gateway.sent:
            if request["payload"]["message_id"] == message_id and (record.key or b"").decode() == conversation:
                return any(
                    -2_000 <= expired_ms - record.timestamp_ms <= 30_000
                    for expired_ms in self._seen.expired_ms.get(conversation, ())
                )
        return False

    def _transaction_ended(self, transaction: str, told: Told) -> None:
        if self._seen.allow_alarms and told.ended == "FAILED" and not told.ending_events:
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
        effects = [
            e for found in self._seen.effects_of.values() for e in found if e.call_id.startswith(f"{transaction}/")
        ]
        done = {item for effect in effects for item in effect.succeeded}
        tried = {item for effect in effects for item in effect.items}
        fates = {item["subject"]: item for item in metadata.get("items", ())}
        status = metadata.get("status")
        tool = self._world.installation.tools.get(metadata.get("intent", ""))
        if tool is None or not tool.transactional:
            return
        # MCP calls an answer without is_error a success; one that says nothing at all can't be known to be wrong.
        arrived = (arrival for found in self._seen.arrived.values() for arrival in found)
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
        arrived = (arrival for found in self._seen.arrived.values() for arrival in found)
        return {arrival.key for arrival in arrived if arrival.call_id.startswith(f"{transaction}/")}

    def open_transactions(self) -> list[str]:
        """Transactions that have not ended: a question may still be open when the last customer has gone."""
        return [
            transaction
            for transaction, told in self._seen.transactions.items()
            if not (told.ending_events or told.ended)
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
