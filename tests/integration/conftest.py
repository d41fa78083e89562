"""Fixtures of tests that need a real Apache Kafka. Mark such tests with `kafka`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from consumers.local_kafka import LocalKafkaSettings, stop
from tests.integration.shared_kafka import own_settings, shared_kafka


@pytest.fixture(scope="session")
def kafka() -> Iterator[str]:
    """Bootstrap servers of the session's one broker: shared by all tests, so use topics and groups of your own."""
    with shared_kafka() as bootstrap:
        yield bootstrap


@pytest.fixture
def own_kafka(tmp_path: Path) -> Iterator[LocalKafkaSettings]:
    """Settings of a node of this test alone, not started, to be killed and restarted at will; stopped afterwards."""
    settings = own_settings(tmp_path / "kafka")
    yield settings
    stop(settings)
