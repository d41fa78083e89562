"""The hostile corpus in memory: each message is accepted or dead-lettered as listed, and nothing of a customer's shows."""

from datetime import UTC, datetime

import orjson
import pytest

from pipeline import topology
from pipeline.runtime import serde
from pipeline.runtime.batch import Batch, Place
from pipeline.runtime.intake import Work
from pipeline.runtime.ports import OutputRecord, RawRecord
from pipeline.runtime.state_store import StateStore
from pipeline.settings import PipelineSettings
from pipeline.stages.reconcile import Reconcile
from pipeline.topology import GATEWAY_REQUESTS, STAGES, StageName
from tests.hostile import SECRETS, Hostile, corpus
from tests.installation import catalogue, installation

NOW = datetime(2026, 11, 30, 13, tzinfo=UTC)
SETTINGS = PipelineSettings()
CHANNELS = ("web", "whatsapp", "voice")
COUNTS = {SETTINGS.named(spec.name): 1 for spec in topology.topics(CHANNELS)}
SPEC = next(spec for spec in STAGES[StageName.RECONCILE].inputs if spec.topic == GATEWAY_REQUESTS)
EVENTS = {SETTINGS.named(topic) for topic in topology.EVENTS}


@pytest.fixture(scope="module")
def stage() -> Reconcile:
    return Reconcile(installation(), catalogue())


def decided(stage: Reconcile, hostile: Hostile) -> list[OutputRecord]:
    """What reconcile writes for a message; one that is in the wrong place is read again in its right one."""
    batch = Batch(stage=stage, store=StateStore(stage, {}), settings=SETTINGS, place=Place(0, COUNTS, lambda _, __: 0))
    headers = tuple((name, value or b"") for name, value in hostile.headers)  # as the runtime's client reads null
    record = RawRecord(SETTINGS.named(GATEWAY_REQUESTS), 0, 7, 5_000, hostile.key, hostile.value, headers)
    batch.decide(Work(spec=SPEC, record=record), NOW)
    if batch.records and batch.records[0].topic == record.topic:
        moved = batch.records.pop()
        again = RawRecord(moved.topic, moved.partition, 8, 5_001, moved.key, moved.value, moved.headers)
        batch.decide(Work(spec=SPEC, record=again), NOW)
    return batch.records


@pytest.mark.parametrize("hostile", [pytest.param(hostile, id=hostile.name) for hostile in corpus()])
def test_hostile_message_ends_as_listed(stage: Reconcile, hostile: Hostile) -> None:
    records = decided(stage, hostile)

    dead = [serde.text_headers(raw(record)) for record in records if record.topic.endswith("dlq.reconcile")]
    if hostile.accepted:
        assert [letter["dlq_text"] for letter in dead] == []
        assert any(record.topic == SETTINGS.named(topology.EVENTS_IC) for record in records)
    else:
        (letter,) = dead
        assert letter["dlq_field"] == hostile.field
        assert hostile.reason in letter["dlq_text"]
        told = [record for record in records if record.topic == SETTINGS.named(topology.responses("web"))]
        assert bool(told) == hostile.told
    shown = b"".join(record.value or b"" for record in records if record.topic in EVENTS)
    shown += b"".join(letter["dlq_text"].encode() for letter in dead)
    assert not [secret for secret in SECRETS if secret.encode() in shown]
    for record in records:
        if not record.topic.endswith("dlq.reconcile"):
            assert orjson.loads(record.value or b""), "what we write is strict JSON again"


def raw(record: OutputRecord) -> RawRecord:
    return RawRecord(record.topic, record.partition, 0, 0, record.key, record.value, record.headers)


def test_corpus_is_large_and_knows_both_ends() -> None:
    names = [hostile.name for hostile in corpus()]
    assert len(set(names)) == len(names) >= 220
    assert len({hostile.session for hostile in corpus()}) == len(names), "two messages would share a conversation"
    assert sum(hostile.accepted for hostile in corpus()) > 60
