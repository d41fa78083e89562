"""What an OffsetFetch response says, and what it must never be taken to say."""

from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka.errors import GroupAuthorizationFailedError, GroupLoadInProgressError, KafkaError
from aiokafka.protocol.commit import OffsetFetchResponse_v3

from pipeline.runtime.offset_fetch import fetch_committed, offsets_of
from pipeline.runtime.ports import TopicPartition

ONE, TWO = TopicPartition("requests", 0), TopicPartition("requests", 1)
LOADING, NOT_COORDINATOR, GROUP_FORBIDDEN, UNKNOWN_TOPIC = 14, 16, 30, 3


def response(*told: tuple[int, int, int], error: int = 0) -> Any:
    partitions = [(number, offset, "", code) for number, offset, code in told]
    return OffsetFetchResponse_v3(0, [("requests", partitions)] if partitions else [], error)


def test_offset_that_is_not_committed_is_none_and_the_other_is_told() -> None:
    assert offsets_of(response((0, 17, 0), (1, -1, 0)), [ONE, TWO]) == {ONE: 17, TWO: None}


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(response(error=LOADING), id="loading"),
        pytest.param(response(error=NOT_COORDINATOR), id="moved"),
        pytest.param(response(error=GROUP_FORBIDDEN), id="forbidden"),
        pytest.param(response((0, -1, UNKNOWN_TOPIC), (1, 3, 0)), id="unknown topic"),
        pytest.param(response((0, 3, 0)), id="one left out"),
        pytest.param(response(), id="all left out"),
    ],
)
def test_answer_that_is_an_error_is_never_no_offset(answer: Any) -> None:
    with pytest.raises(KafkaError):
        offsets_of(answer, [ONE, TWO])


class Coordinator:
    """Answers as told, one after the other."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.forgotten = 0

    async def ensure_coordinator_known(self) -> None:
        """It always is."""

    def coordinator_dead(self) -> None:
        self.forgotten += 1

    async def _send_req(self, _: Any) -> Any:
        return self.answers.pop(0)


async def test_group_that_loads_or_moves_is_asked_again() -> None:
    coordinator = Coordinator(response(error=LOADING), response(error=NOT_COORDINATOR), response((0, 5, 0)))
    assert await fetch_committed(SimpleNamespace(_coordinator=coordinator), "g", [ONE]) == {ONE: 5}
    assert coordinator.forgotten == 1


async def test_group_that_may_not_be_read_is_an_error_at_once() -> None:
    coordinator = Coordinator(response(error=GROUP_FORBIDDEN))
    with pytest.raises(GroupAuthorizationFailedError):
        await fetch_committed(SimpleNamespace(_coordinator=coordinator), "g", [ONE])


async def test_loading_is_what_the_client_itself_would_call_nothing_committed() -> None:
    """Why this module exists; when it fails, aiokafka has mended it."""
    from aiokafka.consumer.group_coordinator import GroupCoordinator

    broken = Coordinator(response(error=LOADING))
    broken.group_id = "g"  # type: ignore[attr-defined]
    assert await GroupCoordinator._do_fetch_commit_offsets(broken, [ONE]) == {}
    with pytest.raises(GroupLoadInProgressError):
        offsets_of(response(error=LOADING), [ONE])
