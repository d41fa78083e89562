"""A group member on the simulated broker, as aiokafka's consumer behaves.

Owns: the coordination routine (revoke, join, assign), heartbeats, positions, pauses.
Invariants, all measured (notes on aiokafka section 5): everything is revoked before a join; getmany() is blocked from the revocation to
the assignment; positions and pauses do not survive a rebalance; what a listener raises is swallowed; heartbeats go on in `revoked`, not
in `assigned`; stop() calls no listener; getmany() that raises has lost what it drained.
"""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence

from pipeline.runtime.errors import Retriable
from pipeline.runtime.ports import RawRecord, RebalanceListener, TopicPartition
from pipeline.testing.errors import (
    ConsumerStoppedError,
    CorruptRecordException,
    KafkaConnectionError,
    NoOffsetForPartitionError,
    OffsetOutOfRangeError,
)
from pipeline.testing.groups import Assignment, Member, UnknownMember
from pipeline.testing.network import Network

FETCH_LIMITS = (1, 2, 5, 50, 1_000)
"""How many records of a partition one fetch brings: drawn, since the real answer depends on bytes and timing."""


class SimulatedConsumer:
    """A read_committed member without auto commit and without an offset reset."""

    def __init__(
        self,
        network: Network,
        *,
        group: str,
        topics: Sequence[str],
        replica: str,
        incarnation: str,
        listener: RebalanceListener,
        session_s: float,
        heartbeat_s: float,
        rebalance_s: float,
    ) -> None:
        self._network = network
        self._group = group
        self._topics = tuple(topics)
        self._replica = replica
        self._incarnation = incarnation
        self._listener = listener
        self._session_s, self._heartbeat_s, self._rebalance_s = session_s, heartbeat_s, rebalance_s
        self._member = ""
        self._lives = 0
        self._generation = -1
        self._joining = False
        self._assigned: tuple[TopicPartition, ...] = ()
        self._paused: dict[TopicPartition, None] = {}
        self._positions: dict[TopicPartition, int] = {}
        self._stable = asyncio.Event()
        """Set while no rebalance is under way."""
        self._rejoin = asyncio.Event()
        self._closed = False
        self._routines: list[asyncio.Task[None]] = []
        self.stalled = False
        """A fault: it never returns a record again, and raises nothing."""
        self.fail_next = False
        """A fault: the next getmany() that has something raises."""

    # --- life ---

    async def start(self) -> None:
        """Join. Raises: Retriable without a broker."""
        try:
            self._network.check_connection()
        except KafkaConnectionError as error:
            raise Retriable(f"{type(error).__name__}: {error}") from error
        loop = self._network.loop
        self._routines = [loop.create_task(self._coordinate()), loop.create_task(self._beat())]
        await self._stable.wait()

    async def stop(self) -> None:
        """Leave; no listener is called."""
        self._closed = True
        for routine in self._routines:
            routine.cancel()
        await asyncio.gather(*self._routines, return_exceptions=True)
        if self._member:
            groups, member = self._network.broker.groups, self._member
            await self._network.request("leave", lambda: groups.leave(self._group, member))

    async def _coordinate(self) -> None:
        while not self._closed:
            self._stable.clear()
            with contextlib.suppress(Exception):
                await self._listener.revoked(frozenset(self._assigned))
            self._joining = True  # aiokafka stops the heartbeat task before it joins
            assignment = await self._join()
            self._joining = False
            self._generation = assignment.generation
            self._assigned = assignment.partitions
            self._paused.clear()
            self._positions.clear()
            self._rejoin.clear()
            if assignment.refused is not None:
                self._listener.refused(assignment.refused)
            with contextlib.suppress(Exception):
                self._listener.assigned(frozenset(self._assigned))
            self._stable.set()
            await self._rejoin.wait()

    async def _join(self) -> Assignment:
        network = self._network
        groups = network.broker.groups
        if not self._member:
            self._lives += 1
            self._member = f"{self._group}/{self._replica}/{self._incarnation}/{self._lives}"
        member = Member(
            self._member,
            self._replica,
            self._incarnation,
            self._topics,
            session_s=self._session_s,
            rebalance_s=self._rebalance_s,
        )
        answer: asyncio.Future[Assignment] = network.loop.create_future()

        def joined(assignment: Assignment) -> None:
            network.loop.later(network.delay(), _answer, answer, assignment)

        await network.request("join", lambda: groups.join(self._group, member, joined))
        return await answer

    async def _beat(self) -> None:
        groups = self._network.broker.groups
        while not self._closed:
            await asyncio.sleep(self._heartbeat_s)  # the client's period
            if not self._member or self._generation < 0 or self._joining:
                continue
            member, generation = self._member, self._generation
            self._network.reach("heartbeat", "before")
            process = self._network.process
            if not self._network.broker.up or not process.alive or process.cut_off:
                continue  # the request times out, or is never sent
            try:
                # At once: the way of a heartbeat matters to nothing, and there are more of them than of all other requests.
                again = groups.heartbeat(self._group, member, generation)
            except UnknownMember:
                if member == self._member and generation == self._generation:
                    self._member, self._generation = "", -1
                    self._rejoin.set()
            else:
                if again and generation == self._generation:
                    self._rejoin.set()

    # --- reading ---

    async def getmany(self, *, timeout_ms: int, max_records: int) -> Mapping[TopicPartition, Sequence[RawRecord]]:
        """Records in order. Raises: what a fetch met."""
        loop = self._network.loop
        until = loop.time() + timeout_ms / 1000
        while True:
            if self._closed:
                raise ConsumerStoppedError
            await self._stable.wait()
            await self._find_positions()
            if not self._stable.is_set():
                continue
            drained = self._drain(max_records)
            if drained:
                if self.fail_next:
                    self.fail_next = False
                    raise CorruptRecordException("a batch can't be read")  # the positions have moved
                return drained
            left = until - loop.time()
            if left <= 0:
                return {}
            await self._more(left)

    async def _find_positions(self) -> None:
        for partition in self._assigned:
            if partition in self._positions:
                continue
            generation = self._generation
            offset = await self.committed(partition)
            if not self._stable.is_set() or generation != self._generation:
                return
            if partition in self._positions:
                continue
            if offset is None:
                raise NoOffsetForPartitionError(str(partition))
            self._positions[partition] = offset

    def _drain(self, max_records: int) -> dict[TopicPartition, list[RawRecord]]:
        broker, random = self._network.broker, self._network.random
        if not broker.up or self.stalled or self._network.process.cut_off:
            return {}
        drained: dict[TopicPartition, list[RawRecord]] = {}
        turn = random.randrange(len(self._assigned)) if self._assigned else 0
        for partition in (*self._assigned[turn:], *self._assigned[:turn]):
            if partition in self._paused or max_records <= 0:
                continue
            log = broker.log(partition)
            position = self._positions[partition]
            if not log.start <= position <= log.end:
                raise OffsetOutOfRangeError(f"{partition}: {position}")
            if not log.has_from(position):
                continue
            records, after = log.read(position, min(max_records, random.choice(FETCH_LIMITS)))
            self._positions[partition] = after
            if records:
                drained[partition] = records
                max_records -= len(records)
        return drained

    async def _more(self, timeout_s: float) -> None:
        """Wait for something to read, or for the timeout."""
        network = self._network
        wake: asyncio.Future[object] = network.loop.create_future()

        def _wake_later() -> None:
            network.loop.later(network.delay(), _answer, wake, None)

        stop = network.broker.wait(
            [partition for partition in self._assigned if partition not in self._paused],
            _wake_later,
        )
        timer = network.loop.call_later(timeout_s, _answer, wake, None)
        try:
            await wake
        finally:
            stop()
            timer.cancel()

    # --- what is asked ---

    def assignment(self) -> frozenset[TopicPartition]:
        """What is assigned now."""
        return frozenset(self._assigned)

    def paused(self) -> frozenset[TopicPartition]:
        """What is paused now."""
        return frozenset(self._paused)

    def pause(self, partitions: Sequence[TopicPartition]) -> None:
        """Return no records of these."""
        for partition in partitions:
            self._check(partition)
            self._paused[partition] = None

    def resume(self, partitions: Sequence[TopicPartition]) -> None:
        """Return records of these again."""
        for partition in partitions:
            self._paused.pop(partition, None)

    def seek(self, partition: TopicPartition, offset: int) -> None:
        """Read from here next."""
        self._check(partition)
        self._positions[partition] = offset

    def _check(self, partition: TopicPartition) -> None:
        if partition not in self._assigned:
            raise RuntimeError(f"{partition} is not assigned")

    async def position(self, partition: TopicPartition) -> int | None:
        """Next offset to be returned."""
        return self._positions.get(partition)

    async def committed(self, partition: TopicPartition) -> int | None:
        """Committed offset: the old one while a newer one is pending."""
        group = self._network.broker.groups.group(self._group)
        return await self._network.request("committed", lambda: group.committed.get(partition))

    async def end_offsets(self, partitions: Sequence[TopicPartition]) -> Mapping[TopicPartition, int]:
        """Last stable offsets."""
        broker = self._network.broker
        return await self._network.request("end_offsets", lambda: broker.end_offsets(list(partitions)))

    async def beginning_offsets(self, partitions: Sequence[TopicPartition]) -> Mapping[TopicPartition, int]:
        """Log start offsets."""
        broker = self._network.broker
        return await self._network.request(
            "beginning_offsets", lambda: {partition: broker.log(partition).start for partition in partitions}
        )


def _answer(future: "asyncio.Future[object]", value: object) -> None:
    if not future.done():
        future.set_result(value)
