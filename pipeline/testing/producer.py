"""A transactional producer on the simulated broker, as aiokafka's behaves.

Owns: batching by partition, which partitions the client believes to be in its transaction, the states of aiokafka's transaction
manager. Invariants: as measured in the notes on aiokafka, section 3 (the table); verified on both by client_behaviours.py.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from typing import TypeVar

from pipeline.runtime.errors import TaskRestart
from pipeline.runtime.ports import OutputRecord, TopicPartition
from pipeline.testing.errors import (
    IllegalOperation,
    KafkaConnectionError,
    KafkaError,
    MessageSizeTooLargeError,
    OutOfOrderSequenceNumber,
    ProducerFenced,
)
from pipeline.testing.network import Network
from pipeline.testing.transactions import ConcurrentTransactions

T = TypeVar("T")

AGAIN_S = 0.02
"""aiokafka's fixed wait after CONCURRENT_TRANSACTIONS."""
LINGER_S = 0.0003


class ClientState(StrEnum):
    """Of the client's transaction manager."""

    NEW = "new"
    READY = "ready"
    IN_TRANSACTION = "in transaction"
    COMMITTING = "committing"
    FATAL = "fatal"


Queued = tuple[OutputRecord, "asyncio.Future[object]"]


class SimulatedProducer:
    """One producer of one transactional id."""

    def __init__(
        self, network: Network, transactional_id: str, *, timeout_s: float, max_request_size: int = 2_097_152
    ) -> None:
        self._network = network
        self._name = transactional_id
        self._timeout_s = timeout_s
        self._max_request_size = max_request_size
        self._state = ClientState.NEW
        self._producer = self._epoch = -1
        self._added: dict[TopicPartition, None] = {}
        self._groups: dict[str, None] = {}
        self._queues: dict[TopicPartition, list[Queued]] = {}
        self._flushes: dict[TopicPartition, asyncio.Task[None]] = {}
        self._broken: dict[TopicPartition, None] = {}
        self._stopped = False

    async def start(self) -> None:
        """InitProducerId. Raises: TaskRestart without a broker."""
        coordinator = self._network.broker.transactions
        try:
            self._network.check_connection()
        except KafkaConnectionError as error:
            raise TaskRestart(f"{type(error).__name__}: {error}") from error
        self._producer, self._epoch = await self._patiently(
            "init_producer", lambda: coordinator.init_producer(self._name, self._timeout_s)
        )
        self._state = ClientState.READY

    async def stop(self) -> None:
        """Close; the open transaction stays open."""
        self._stopped = True
        for flush in self._flushes.values():
            flush.cancel()

    async def _patiently(self, request: str, apply: Callable[[], T]) -> T:
        while True:
            try:
                return await self._network.request(request, apply)
            except ConcurrentTransactions:
                await asyncio.sleep(AGAIN_S)  # the client's own constant

    async def begin_transaction(self) -> None:
        """Begin; nothing is sent."""
        assert self._state is ClientState.READY, f"Invalid state transition {self._state} -> in transaction"
        self._state = ClientState.IN_TRANSACTION
        self._added.clear()
        self._groups.clear()

    async def send(self, record: OutputRecord) -> Awaitable[object]:
        """Enqueue. Raises: TaskRestart for a record over max_request_size, IllegalOperation outside a transaction."""
        if self._state is not ClientState.IN_TRANSACTION:
            raise IllegalOperation("Can not send messages while not in transaction")
        if len(record.value or b"") + len(record.key or b"") > self._max_request_size:
            raise TaskRestart("MessageSizeTooLargeError: the record is over max_request_size", poison=True)
        partition = TopicPartition(record.topic, record.partition)
        future: asyncio.Future[object] = self._network.loop.create_future()
        future.add_done_callback(_retrieve)
        self._queues.setdefault(partition, []).append((record, future))
        if partition not in self._flushes:
            self._flushes[partition] = self._network.loop.create_task(self._flush(partition))
        return future

    async def _flush(self, partition: TopicPartition) -> None:
        await asyncio.sleep(LINGER_S)  # a batch gathers
        while queue := self._queues.pop(partition, []):
            records = [record for record, _ in queue]
            try:
                self._check_sequence(partition)
                await self._write(partition, records)
            except Exception as error:
                if isinstance(error, MessageSizeTooLargeError):
                    self._broken[partition] = None
                for _, future in queue:
                    if not future.done():
                        future.set_exception(error)
            else:
                for record, future in queue:
                    if not future.done():
                        future.set_result(record)
        del self._flushes[partition]

    def _check_sequence(self, partition: TopicPartition) -> None:
        if partition in self._broken:
            raise OutOfOrderSequenceNumber(f"{partition}: an earlier batch failed")
        process = self._network.process
        if process.fail_produce:
            process.fail_produce = False
            self._broken[partition] = None
            raise KafkaError(f"{partition}: the batch was refused")

    async def _write(self, partition: TopicPartition, records: list[OutputRecord]) -> None:
        broker = self._network.broker
        if partition not in self._added:
            await self._coordinate(
                "add_partition", lambda: broker.transactions.add(self._name, self._epoch, partition=partition)
            )
            self._added[partition] = None
        await self._network.request("produce", lambda: broker.produce(self._name, self._producer, self._epoch, records))

    async def _coordinate(self, request: str, apply: Callable[[], object]) -> None:
        """Ask the coordinator; fencing there is the end of this client."""
        try:
            await self._patiently(request, apply)
        except ProducerFenced:
            self._state = ClientState.FATAL
            raise

    async def send_offsets_to_transaction(self, offsets: Mapping[TopicPartition, int], group: str) -> None:
        """AddOffsetsToTxn, then TxnOffsetCommit version 0."""
        if not offsets:
            raise ValueError("offsets must not be empty")
        assert self._state is ClientState.IN_TRANSACTION, f"Invalid state {self._state}"
        broker = self._network.broker
        await self._coordinate("add_offsets", lambda: broker.transactions.add(self._name, self._epoch, group=group))
        self._groups[group] = None

        def apply() -> None:
            if broker.transactions.known[self._name].epoch != self._epoch:
                raise ProducerFenced(f"{self._name}: epoch {self._epoch} is behind")
            broker.groups.add_offsets(group, self._producer, dict(offsets))

        await self._coordinate("offset_commit", apply)

    async def commit_transaction(self) -> None:
        """Commit; an empty transaction sends nothing."""
        await self._end(commit=True)

    async def abort_transaction(self) -> None:
        """Abort."""
        await self._end(commit=False)

    async def _end(self, *, commit: bool) -> None:
        assert self._state is ClientState.IN_TRANSACTION, f"Invalid state transition {self._state} -> committing"
        self._state = ClientState.COMMITTING
        flushes = list(self._flushes.values())
        if flushes:
            await asyncio.gather(*flushes, return_exceptions=True)
        if self._state is ClientState.FATAL:
            raise ProducerFenced(self._name)
        if self._added or self._groups:
            coordinator = self._network.broker.transactions
            await self._coordinate(
                "commit" if commit else "abort", lambda: coordinator.end(self._name, self._epoch, commit=commit)
            )
        self._state = ClientState.READY


def _retrieve(future: "asyncio.Future[object]") -> None:
    if not future.cancelled():
        future.exception()
