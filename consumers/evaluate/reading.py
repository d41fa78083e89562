"""Reads a period of the event, response and request topics into a Counting.

Invariants: committed records only; each partition is read from its first record at or after the period's margin to the last one before
its end. Of a request only key, message id and broker time are looked at. Raises: Retriable, UnknownTopic.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from pydantic import ValidationError

from consumers.evaluate.counting import MARGIN, Counting, Period
from contracts.channel_response import ChannelResponse
from contracts.event_envelope import EventEnvelope
from contracts.gateway_request import GatewayRequest
from pipeline import topology
from pipeline.runtime.moving import first_seen_at
from pipeline.runtime.ports import RawRecord, TopicPartition
from pipeline.runtime.serde import decode, instant
from pipeline.runtime.topic_io import TopicReader, topic_names
from pipeline.settings import PipelineSettings

_ANSWERS = re.compile(re.escape(topology.responses("CHANNEL")).replace("CHANNEL", "[^.]+"))
"""Logical names of response topics."""


class PeriodReader(TopicReader):
    """A reader whose end is an instant, not the end of the log."""

    def __init__(
        self,
        settings: PipelineSettings,
        bootstrap: str,
        topics: Sequence[str],
        *,
        start: datetime,
        ends: Mapping[TopicPartition, int],
    ) -> None:
        super().__init__(settings, bootstrap, topics, start=start)
        self._ends = ends

    async def end_offsets(self) -> dict[TopicPartition, int]:
        """The offsets of the end instant. Raises: Retriable."""
        found = await super().end_offsets()
        return {partition: min(offset, self._ends.get(partition, offset)) for partition, offset in found.items()}


async def read_period(
    settings: PipelineSettings,
    bootstrap: str,
    channels: Sequence[str],
    period: Period,
    counting: Counting,
    *,
    tell: Callable[[int], None],
) -> None:
    """Read everything of a period; `tell` hears how many records were read so far."""
    names = names_of(settings, channels, await topic_names(settings, bootstrap))
    async with TopicReader(settings, bootstrap, names, start=period.until + MARGIN) as at_end:
        ends = await at_end.positions()
    read = 0
    async with PeriodReader(settings, bootstrap, names, start=period.since - MARGIN, ends=ends) as reader:
        async for records in reader.read_to_end():
            for record in records:
                if record.offset < ends.get(TopicPartition(record.topic, record.partition), record.offset + 1):
                    take(settings.logical(record.topic), record, counting, settings.event_hash_key)
            read += len(records)
            tell(read)


def names_of(settings: PipelineSettings, channels: Sequence[str], present: Collection[str]) -> list[str]:
    """Topics to be read: also those of channels that are configured no longer, whose answers would be missed."""
    found = [logical for name in present if settings.named(logical := settings.logical(name)) == name]
    answers = {topology.responses(channel) for channel in channels} | {
        name for name in found if _ANSWERS.fullmatch(name)
    }
    return [settings.named(topic) for topic in (topology.GATEWAY_REQUESTS, *topology.EVENTS, *sorted(answers))]


def take(topic: str, record: RawRecord, counting: Counting, secret: str) -> None:
    """Hand one record on; what is no contract of ours is counted. `secret`: of the installation, it seals moved records."""
    try:
        if topic == topology.GATEWAY_REQUESTS:
            _request(record, counting, secret)
        elif topic in topology.EVENTS:
            counting.event(EventEnvelope.model_validate_json(record.value or b""))
        else:
            counting.response(ChannelResponse.model_validate_json(record.value or b""), instant(record.timestamp_ms))
    except ValidationError:
        counting.unreadable += 1


def _request(record: RawRecord, counting: Counting, secret: str) -> None:
    request = decode(record, GatewayRequest, topology.GATEWAY_REQUESTS, internal=False)  # as the pipeline reads it
    if isinstance(request, GatewayRequest):
        key = (record.key or b"").decode("utf-8", "replace")
        counting.arrival(key, request.payload.message_id, first_seen_at(record, secret))
