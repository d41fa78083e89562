"""The runtime's `Clients` on the simulated broker: what runtime/kafka.py is for the real one."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from pipeline.runtime.errors import Retriable
from pipeline.runtime.ports import RawRecord, RebalanceListener, TopicPartition
from pipeline.settings import PipelineSettings
from pipeline.testing.consumer import SimulatedConsumer
from pipeline.testing.errors import KafkaConnectionError
from pipeline.testing.network import Network
from pipeline.testing.partitioner import partition_of
from pipeline.testing.producer import SimulatedProducer

RESTORE_LIMITS = (3, 20, 500)
"""Records a fetch of a restore brings."""


class SimulatedClients:
    """Makes clients for one process."""

    def __init__(self, network: Network, settings: PipelineSettings) -> None:
        self._network = network
        self._settings = settings
        self.consumers: list[SimulatedConsumer] = []

    def consumer(
        self, *, group: str, topics: Sequence[str], replica: str, incarnation: str, listener: RebalanceListener
    ) -> SimulatedConsumer:
        """A group member."""
        kafka = self._settings.kafka
        consumer = SimulatedConsumer(
            self._network,
            group=group,
            topics=topics,
            replica=replica,
            incarnation=incarnation,
            listener=listener,
            session_s=kafka.session_timeout_ms / 1000,
            heartbeat_s=kafka.heartbeat_interval_ms / 1000,
            rebalance_s=kafka.rebalance_timeout_ms / 1000,
        )
        self.consumers.append(consumer)
        return consumer

    def producer(self, *, transactional_id: str) -> SimulatedProducer:
        """A transactional producer."""
        return SimulatedProducer(
            self._network,
            transactional_id,
            timeout_s=self._settings.kafka.transaction_timeout_ms / 1000,
            max_request_size=self._settings.kafka.max_message_bytes * 2,
        )

    async def read_all(self, partition: TopicPartition, apply: Callable[[RawRecord], None]) -> None:
        """Read a partition to the end it had when asked. Raises: Retriable without a broker."""
        network = self._network
        try:
            network.check_connection()
        except KafkaConnectionError as error:
            raise Retriable(f"{type(error).__name__}: {error}") from error
        log = network.broker.log(partition)
        end, position = await network.request("restore_end", lambda: (log.stable, log.start))
        while position < end:
            limit = network.random.choice(RESTORE_LIMITS)
            records, position = await network.request("restore", partial(log.read, position, limit))
            for record in records:
                apply(record)

    async def partition_counts(self, topics: Sequence[str]) -> Mapping[str, int]:
        """Partition counts of those that exist. Raises: Retriable without a broker."""
        network = self._network
        try:
            network.check_connection()
        except KafkaConnectionError as error:
            raise Retriable(f"{type(error).__name__}: {error}") from error
        counts = network.broker.counts
        return await network.request("describe", lambda: {topic: counts[topic] for topic in topics if topic in counts})

    def partition_of(self, key: bytes, count: int) -> int:
        """Kafka's default partitioner."""
        return partition_of(key, count)
