"""Committed offsets of a group, where "none" means that none is committed.

Owns: one OffsetFetch request and the judgement of what comes back.
Invariants: an error of the whole group is never told as "no offset". aiokafka 0.14 looks at the errors of partitions only; from version 2 on
a coordinator that is loading (after every restart of its broker) or has moved answers with one error and no partitions, which
`committed()` tells as None: a reader that believes it begins anew, or stops for ever.
Source: KIP-88; aiokafka `GroupCoordinator._do_fetch_commit_offsets`.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from aiokafka import AIOKafkaConsumer
from aiokafka.errors import KafkaError, NotCoordinatorForGroupError, for_code
from aiokafka.protocol.commit import OffsetFetchRequest

from pipeline.runtime.ports import TopicPartition

RETRY_S = 0.05
NO_OFFSET = -1


async def fetch_committed(
    consumer: AIOKafkaConsumer, group: str, partitions: Sequence[TopicPartition]
) -> Mapping[TopicPartition, int | None]:
    """Offset per partition, None where the group has committed none; waits for a coordinator that loads or moves, for as long
    as the caller lets it. Raises: KafkaError where no retry helps.
    """
    coordinator = consumer._coordinator  # noqa: SLF001 - committed() can't be told apart from a failure
    request = _request(group, partitions)
    while True:
        await coordinator.ensure_coordinator_known()
        try:
            return offsets_of(await coordinator._send_req(request), partitions)  # noqa: SLF001
        except KafkaError as error:
            if not error.retriable:
                raise
            if isinstance(error, NotCoordinatorForGroupError):
                coordinator.coordinator_dead()
            await asyncio.sleep(RETRY_S)


def _request(group: str, partitions: Sequence[TopicPartition]) -> OffsetFetchRequest:
    numbers: dict[str, list[int]] = defaultdict(list)
    for topic, number in partitions:
        numbers[topic].append(number)
    return OffsetFetchRequest(group, list(numbers.items()))


def offsets_of(response: Any, partitions: Sequence[TopicPartition]) -> Mapping[TopicPartition, int | None]:
    """Read an OffsetFetch response. Raises: KafkaError for an error of the group or of a partition, or where one was left out."""
    _raise_for(getattr(response, "error_code", 0))
    found: dict[TopicPartition, int | None] = {}
    for topic, told in response.topics:
        for number, offset, _, code in told:
            _raise_for(code)
            found[TopicPartition(topic, number)] = None if offset == NO_OFFSET else offset
    for partition in partitions:
        if partition not in found:
            raise KafkaError(f"the coordinator said nothing about {partition.topic}/{partition.partition}")
    return found


def _raise_for(code: int) -> None:
    if code:
        raise for_code(code)
