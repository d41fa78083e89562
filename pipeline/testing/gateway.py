"""Channel gateways: put requests on gateway.requests, read the channels, hand each answer to its customer.

Invariants: answers are read committed and in order; a request goes where murmur2 of its key says unless a fault wants otherwise.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from contracts.channel_response import ChannelResponse
from contracts.identity import conversation_key
from pipeline import topology
from pipeline.runtime.ports import OutputRecord, RawRecord, TopicPartition
from pipeline.settings import PipelineSettings
from pipeline.testing.broker import Broker
from pipeline.testing.loop import VirtualLoop
from pipeline.testing.partitioner import partition_of
from pipeline.testing.trace import Trace

Misplace = str
"""What is wrong with a request's place: "", "key", "partition" or "keyless"."""


class Gateway:
    """All gateways of the installation."""

    def __init__(
        self,
        loop: VirtualLoop,
        broker: Broker,
        settings: PipelineSettings,
        channels: tuple[str, ...],
        trace: Trace,
    ) -> None:
        self._loop = loop
        self._broker = broker
        self._settings = settings
        self._trace = trace
        self.inboxes: dict[str, Callable[[ChannelResponse, RawRecord], None]] = {}
        """Conversation → who hears its answers."""
        self.sent: list[tuple[RawRecord, dict[str, Any]]] = []
        """Every request put, with its JSON."""
        self.read: list[tuple[RawRecord, ChannelResponse]] = []
        self._positions: dict[TopicPartition, int] = {}
        for channel in channels:
            topic = settings.named(topology.responses(channel))
            for number in range(broker.counts[topic]):
                partition = TopicPartition(topic, number)
                self._positions[partition] = 0
                broker.wait([partition], lambda partition=partition: self._read(partition))  # type: ignore[misc]

    def put_raw(self, request: Mapping[str, Any]) -> None:
        """Put something that is no request of a customer's: nobody waits for an answer to it."""
        payload = request["payload"]
        key = conversation_key(request["tenant_id"], request["agent_id"], payload["session_id"]).encode()
        topic = self._settings.named(topology.GATEWAY_REQUESTS)
        partition = partition_of(key, self._broker.counts[topic])
        self._broker.append(OutputRecord(topic, partition, key, json.dumps(request).encode()))

    def put(self, request: Mapping[str, Any], *, misplaced: Misplace = "") -> RawRecord | None:
        """Put a request, once the broker answers. Returns: the record, None when it has to wait."""
        payload = request["payload"]
        key = conversation_key(request["tenant_id"], request["agent_id"], payload["session_id"]).encode()
        topic = self._settings.named(topology.GATEWAY_REQUESTS)
        count = self._broker.counts[topic]
        partition = partition_of(key, count)
        if misplaced == "partition":
            partition = (partition + 1) % count
        sent: bytes | None = {"key": b"somebody:else:entirely", "keyless": None}.get(misplaced, key)
        output = OutputRecord(topic, partition, sent, json.dumps(request, ensure_ascii=False).encode())
        if not self._broker.up:
            self._broker.when_up(lambda: self._put_late(output, dict(request)))
            return None
        return self._append(output, dict(request))

    def _put_late(self, output: OutputRecord, request: dict[str, Any]) -> None:
        self._append(output, request)

    def _append(self, output: OutputRecord, request: dict[str, Any]) -> RawRecord:
        record = self._broker.append(output)
        self._trace.add(
            f"said {(record.key or b'?').decode()} {request['payload']['message_id']}: {request['payload']['message']}"
        )
        self.sent.append((record, request))
        return record

    def _read(self, partition: TopicPartition) -> None:
        records, after = self._broker.logs[partition].read(self._positions[partition], 10_000)
        self._positions[partition] = after
        for record in records:
            response = ChannelResponse.model_validate_json(record.value or b"")
            self.read.append((record, response))
            key = (record.key or b"").decode()
            self._trace.add(f"heard {key} {response.metadata.kind.value}: {response.text}")
            inbox = self.inboxes.get(key)
            if inbox is not None:
                self._loop.later(0.01, inbox, response, record)
