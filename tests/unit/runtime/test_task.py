"""A task of one number: what it commits before it stops, what it says, and that nothing ends it in silence."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import orjson
import pytest
from structlog.testing import capture_logs

from contracts.checkpoint import Checkpoint
from contracts.event_envelope import EventEnvelope
from pipeline.decision import (
    Agenda,
    CallAnswer,
    CallOutcome,
    CallReturned,
    Decision,
    Input,
    Record,
    Timer,
    TimerFired,
)
from pipeline.runtime.changelog import encode_checkpoint
from pipeline.runtime.errors import Fatal
from pipeline.runtime.history import History
from pipeline.runtime.ports import OutputRecord, RawRecord, TopicPartition
from pipeline.runtime.task import Task
from pipeline.runtime.task_events import TOLD_MAX
from pipeline.runtime.task_manager import TaskManager
from pipeline.runtime.timers import Armed
from pipeline.topology import EVENTS_NOC, GATEWAY_REQUESTS, STATUS
from tests.unit.runtime.echo import CONVERSATION, EchoStage, Seen, request
from tests.unit.runtime.fake_clients import NOW, FakeClients, FakeConsumer, context

KEY = CONVERSATION.encode()


def event_types(clients: FakeClients) -> list[str]:
    return [orjson.loads(r.value or b"")["event_type"] for r in clients.committed if r.topic == "events.noc"]


def dead_letters(clients: FakeClients) -> list[dict[str, bytes]]:
    return [dict(record.headers) for record in clients.committed if record.topic == "dlq.reconcile"]


@contextlib.asynccontextmanager
async def running(clients: FakeClients) -> AsyncIterator[tuple[Task, "asyncio.Task[None]"]]:
    task = Task(0, context(clients), History())
    await task.take_over()
    run = asyncio.create_task(task.run())
    try:
        yield task, run
    finally:
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
        await task.close()


async def test_records_before_one_of_a_newer_version_are_committed_and_an_operator_is_told() -> None:
    clients = FakeClients()
    async with running(clients) as (task, run):
        newer = RawRecord(STATUS, 0, 1, 0, KEY, b"{}", (("contract_version", b"transaction-status-v9"),))
        task.offer(STATUS, [RawRecord(STATUS, 0, 0, 0, KEY, b"{"), newer])
        with pytest.raises(Fatal, match="deploy the newer readers first"):
            async with asyncio.timeout(10):
                await run
    assert clients.offsets[TopicPartition(STATUS, 0)] == 1
    assert len(dead_letters(clients)) == 1
    assert event_types(clients) == ["NOC.RUNTIME_FAILED"]


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(TimerFired(timer_id="t", due_at=NOW + timedelta(1)), id="a timer"),
        pytest.param(
            CallReturned(call_id="c", attempt=1, answer=CallAnswer(outcome=CallOutcome.UNKNOWN)), id="an outcome"
        ),
    ],
)
async def test_what_can_not_be_decided_and_has_no_dead_letter_is_told_to_operators(
    event: TimerFired | CallReturned,
) -> None:
    clients = FakeClients()
    async with running(clients) as (task, _):
        task.report(CONVERSATION, event)
        await clients.until(lambda: "NOC.RUNTIME_FAILED" in event_types(clients))
        task.offer(GATEWAY_REQUESTS, [RawRecord(GATEWAY_REQUESTS, 0, 0, 0, KEY, request())])
        await clients.until(lambda: clients.offsets[TopicPartition(GATEWAY_REQUESTS, 0)] == 1)


async def test_words_of_a_customer_that_an_exception_quotes_reach_no_event_and_no_header() -> None:
    clients = FakeClients()
    async with running(clients) as (task, _):
        task.offer(GATEWAY_REQUESTS, [RawRecord(GATEWAY_REQUESTS, 0, 0, 0, KEY, request("raise 12345678900"))])
        await clients.until(lambda: dead_letters(clients))
    assert b"ValueError at echo.py" in dead_letters(clients)[0]["dlq_text"]
    told = [r.value for r in clients.committed if r.topic.startswith("events.")]
    told += [value for headers in dead_letters(clients) for value in headers.values()]
    assert not [text for text in told if b"12345678900" in (text or b"")]


@pytest.mark.parametrize(
    ("producer_fails", "start_fails"),
    [
        pytest.param(ValueError("a setting the client refuses"), None, id="the client can't be made"),
        pytest.param(None, asyncio.CancelledError(), id="what it waited for was cancelled"),
        pytest.param(None, RuntimeError("a defect"), id="a defect"),
    ],
)
async def test_number_whose_task_fails_in_any_way_is_taken_over_again(
    producer_fails: Exception | None, start_fails: BaseException | None
) -> None:
    clients = FakeClients()
    clients.producer_fails, clients.start_fails = producer_fails, start_fails
    tasks = TaskManager(context(clients))
    tasks.assign([TopicPartition(GATEWAY_REQUESTS, 0), TopicPartition(STATUS, 0)])
    try:
        await clients.until(lambda: "NOC.TASK_RESTARTED" in event_types(clients))
        assert [task.number for task in tasks.running()] == [0]
    finally:
        await tasks.close()


class ForgetfulStage(EchoStage):
    """Knows no more what is to run for a conversation that said three things."""

    def agenda(self, state: Seen) -> Agenda:
        if state.count == 3:
            raise ValueError("three")
        return super().agenda(state)


def said(offset: int, session: str) -> RawRecord:
    return RawRecord(GATEWAY_REQUESTS, 0, offset, 0, f"t:a:{session}".encode(), request(session=session))


async def test_conversation_for_whose_state_nothing_can_be_run_stands_still_alone() -> None:
    clients = FakeClients()
    async with running(clients) as (task, _):  # an earlier version wrote what the present one can't read
        task.offer(GATEWAY_REQUESTS, [said(n, "broken") for n in range(3)])
        await clients.until(lambda: clients.offsets[TopicPartition(GATEWAY_REQUESTS, 0)] == 3)
    clients.end = 5
    later = Task(0, context(clients, ForgetfulStage()), History())
    await later.take_over()
    run = asyncio.create_task(later.run())
    later.offer(GATEWAY_REQUESTS, [said(3, "whole")])
    await clients.until(lambda: clients.offsets[TopicPartition(GATEWAY_REQUESTS, 0)] == 4)
    assert event_types(clients) == ["NOC.RUNTIME_FAILED"]
    later.offer(GATEWAY_REQUESTS, [said(4, "broken")])  # what makes a readable state of it is taken
    await clients.until(lambda: clients.offsets[TopicPartition(GATEWAY_REQUESTS, 0)] == 5)
    run.cancel()
    await asyncio.gather(run, return_exceptions=True)
    await later.close()


async def test_input_that_makes_a_state_nothing_can_be_run_for_is_dead_lettered_and_not_kept() -> None:
    clients = FakeClients()
    task = Task(0, context(clients, ForgetfulStage()), History())
    await task.take_over()
    run = asyncio.create_task(task.run())
    task.offer(GATEWAY_REQUESTS, [said(n, "one") for n in range(3)] + [said(3, "other")])
    await clients.until(lambda: clients.offsets[TopicPartition(GATEWAY_REQUESTS, 0)] == 4)
    assert await task.calm(5)
    run.cancel()
    await asyncio.gather(run, return_exceptions=True)
    assert [headers["dlq_origin_offset"] for headers in dead_letters(clients)] == [b"2"]
    assert task.conversations == 2
    await task.close()


class AlarmingStage(EchoStage):
    """Tells operators of every record."""

    def decide(self, state: Seen, event: Input, now: datetime) -> Decision:
        del state, event
        told = EventEnvelope(
            event_type="NOC.BUSINESS_KEY_MISSING",
            timestamp=now,
            tenant_id="t",
            agent_id="a",
            session_id="s",
            trace_id="",
            payload={"fields": ["payload.business_context.customer_key"]},
            conversation_key=CONVERSATION,
        )
        return Decision(records=(Record(topic=EVENTS_NOC, key=CONVERSATION, value=told),))


async def test_what_operators_are_told_stands_in_the_log_too_and_a_flood_of_it_does_not() -> None:
    clients, count = FakeClients(), 3 * TOLD_MAX
    task = Task(0, context(clients, AlarmingStage()), History())
    await task.take_over()
    task.offer(GATEWAY_REQUESTS, [RawRecord(GATEWAY_REQUESTS, 0, n, 0, KEY, request()) for n in range(count)])
    with capture_logs() as logs:
        run = asyncio.create_task(task.run())
        await clients.until(lambda: clients.offsets[TopicPartition(GATEWAY_REQUESTS, 0)] == count)
        assert await task.calm(5)
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
    await task.close()
    told = [line for line in logs if line["event"] == "NOC.BUSINESS_KEY_MISSING"]
    assert 0 < len(told) <= TOLD_MAX
    assert told[0]["log_level"] == "warning"
    assert told[0]["payload"] == {"fields": ["payload.business_context.customer_key"]}


class SlowStage(EchoStage):
    """Each decision, replay and agenda holds the processor for 10 ms."""

    def decide(self, state: Seen, event: Input, now: datetime) -> Decision:
        time.sleep(0.01)
        return super().decide(state, event, now)

    def replay(self, state: Seen, key: str, checkpoint: Checkpoint | None) -> Seen:
        time.sleep(0.01)
        return super().replay(state, key, checkpoint)

    def agenda(self, state: Seen) -> Agenda:
        time.sleep(0.01)
        return super().agenda(state)


async def _longest_silence(of: "asyncio.Task[object]") -> float:
    """Seconds that the loop did not turn, at most, until the task is done."""
    loop = asyncio.get_running_loop()
    longest, before = 0.0, loop.time()
    while not of.done():
        await asyncio.sleep(0)
        longest, before = max(longest, loop.time() - before), loop.time()
    of.result()
    return longest


async def test_heartbeats_do_not_wait_for_a_long_restore_nor_for_a_large_batch() -> None:
    clients, count = FakeClients(), 60
    task = Task(0, context(clients, SlowStage()), History())
    await task.take_over()
    run = asyncio.create_task(task.run())
    records = [
        RawRecord(GATEWAY_REQUESTS, 0, n, 0, f"t:a:s{n}".encode(), request(session=f"s{n}")) for n in range(count)
    ]
    task.offer(GATEWAY_REQUESTS, records)
    deciding = asyncio.create_task(clients.until(lambda: clients.offsets[TopicPartition(GATEWAY_REQUESTS, 0)] == count))
    assert await _longest_silence(deciding) < 0.3
    run.cancel()
    await asyncio.gather(run, return_exceptions=True)
    await task.close()
    clients.end = count
    later = Task(0, context(clients, SlowStage()), History())
    restoring = asyncio.create_task(later.take_over())
    assert await _longest_silence(restoring) < 0.3
    assert later.conversations == count
    await later.close()


async def test_state_that_the_stage_can_not_replay_stops_the_number_and_is_told() -> None:
    clients = FakeClients()
    first = Task(0, context(clients), History())
    await first.take_over()
    await first.close()
    checkpoint = Checkpoint(
        stage="reconcile",
        key=CONVERSATION,
        sequence=1,
        input_position="x",
        written_at=NOW,
        body={"count": "12345678900x"},
    )
    clients.committed.append(OutputRecord("state.reconcile", 0, KEY, encode_checkpoint(checkpoint)))
    second = Task(0, context(clients), History())
    with pytest.raises(Fatal, match="run the version that wrote it") as caught:
        await second.take_over()
    await second.close()
    assert event_types(clients) == ["NOC.RUNTIME_FAILED"]
    assert "12345678900" not in str(caught.value)


async def test_stopped_number_has_a_position_so_that_polls_of_the_others_do_not_raise() -> None:
    clients = FakeClients()
    first = Task(0, context(clients), History())
    await first.take_over()
    await first.close()
    clients.offsets.clear()  # the group's offsets expired
    clients.assigned = frozenset({TopicPartition(GATEWAY_REQUESTS, 0), TopicPartition(STATUS, 0)})
    shared = context(clients)
    consumer = shared.consumer()
    assert isinstance(consumer, FakeConsumer)
    tasks = TaskManager(shared)
    tasks.assign(clients.assigned)
    try:
        async with asyncio.timeout(10):
            while not tasks.stopped():  # noqa: ASYNC110 - nothing is committed after it stopped
                await asyncio.sleep(0)
        assert consumer.seeks == dict.fromkeys(clients.assigned, 0)
        consumer.seeks.clear()
        tasks.reseek()  # after a rebalance it is forgotten
        assert consumer.seeks == dict.fromkeys(clients.assigned, 0)
        assert tasks.wants_pause(clients.assigned) == clients.assigned
    finally:
        await tasks.close()


async def test_back_pressure_does_not_hold_back_the_input_that_a_timer_waits_for() -> None:
    clients = FakeClients()
    task = Task(0, context(clients), History())
    await task.take_over()
    try:
        task._store.waiting_bytes = 10**9
        assert task.wants_pause() == {TopicPartition(GATEWAY_REQUESTS, 0)}
        due = Armed(NOW, CONVERSATION, "expiry", Timer(timer_id="expiry", due_at=NOW))
        task._intake.wait_for({GATEWAY_REQUESTS: 5}, [due])
        assert task.wants_pause() == frozenset()
        task.observe(GATEWAY_REQUESTS, 5)
        assert task._intake.passed_barriers() == [due]
        assert task.wants_pause() == {TopicPartition(GATEWAY_REQUESTS, 0)}
    finally:
        await task.close()
