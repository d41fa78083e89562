# ruff: noqa: SLF001 - a mutant reaches into what it breaks
"""Deliberate bugs, applied one at a time: a simulator that finds none of them proves nothing.

Owns: the table (what is broken, within how many seeds the simulator must notice).
Invariants: a mutant changes the product's own code in memory, for the time of one `with`, and nothing else; a mutant whose target is gone
fails loudly. Never: applied outside tests and `simulate --mutant`. Source: issue "exactly once, proved".
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from contracts import identity
from contracts.agent_state import AgentState
from pipeline.decision import CallGranted, CallPhase, Received, Timer
from pipeline.runtime.batch import Batch
from pipeline.runtime.calls import CallRunner, Job
from pipeline.runtime.errors import TaskRestart
from pipeline.runtime.intake import Intake
from pipeline.runtime.ports import OutputRecord, TopicPartition
from pipeline.runtime.task import Phase, Task
from pipeline.runtime.task_manager import TaskManager
from pipeline.runtime.timers import Timers
from pipeline.runtime.transaction import Transactor
from pipeline.stages.confirm import stage as confirm_stage
from pipeline.stages.execute import calls as execute_calls
from pipeline.stages.execute import step as execute_step
from pipeline.stages.reconcile import replying, waiting
from pipeline.stages.reconcile import stage as reconcile_stage
from pipeline.testing.clients import SimulatedClients
from pipeline.testing.producer import SimulatedProducer

Patch = tuple[Any, str, Any]


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One deliberate bug."""

    name: str
    breaks: str
    within: int
    """Seeds, from 0, within which it must be found."""
    patches: Callable[[], list[Patch]]


@contextlib.contextmanager
def applied(name: str | None) -> Iterator[None]:
    """Break the product for as long as this lasts. Raises: KeyError for an unknown name, AttributeError when the target is gone."""
    patches = MUTANTS[name].patches() if name else []
    before = [(target, attribute, _current(target, attribute)) for target, attribute, _ in patches]
    try:
        for target, attribute, value in patches:
            setattr(target, attribute, value)
        yield
    finally:
        for target, attribute, value in before:
            setattr(target, attribute, value)


def _current(target: Any, attribute: str) -> Any:
    if isinstance(target, type):
        return target.__dict__[attribute]  # a property or a staticmethod as it stands there
    return getattr(target, attribute)


# --- transactions ------------------------------------------------------------------------------------------------------


def _offsets_first() -> list[Patch]:
    was = Transactor._run

    async def run(self: Transactor, records: list[OutputRecord], offsets: Mapping[TopicPartition, int]) -> None:
        if offsets:
            await was(self, [], offsets)
        await was(self, records, {})

    return [(Transactor, "_run", run)]


def _offsets_of_everything_read() -> list[Patch]:
    was = Task._decide_all

    def decide_all(self: Task, batch: Batch, works: Any) -> Any:
        result = was(self, batch, works)
        for partition in batch.offsets:
            batch.offsets[partition] = self._intake.next_offset(partition.topic)
        return result

    return [(Task, "_decide_all", decide_all)]


def _unawaited_send() -> list[Patch]:
    async def run(self: Transactor, records: list[OutputRecord], offsets: Mapping[TopicPartition, int]) -> None:
        await self._producer.begin_transaction()
        for record in records:
            await self._producer.send(record)
        if offsets:
            await self._producer.send_offsets_to_transaction(offsets, self._group)
        await self._producer.commit_transaction()

    return [(Transactor, "_run", run)]


def _same_task_after_failed_commit() -> list[Patch]:
    """Keep the overlay, take a new producer, go on."""
    was = Task._run_batch

    async def run_batch(self: Task) -> None:
        batches: list[Batch] = []
        make = self._new_batch

        def new_batch() -> Batch:
            batches.append(make())
            return batches[-1]

        self._new_batch = new_batch  # type: ignore[method-assign]
        try:
            await was(self)
        except TaskRestart:
            self._store.merge(batches[-1].overlay)
            self._transactor = Transactor(
                self._c.clients.producer(transactional_id=self._transactional_id),
                group=self._transactor._group,
                deadline_s=self._transactor._deadline_s,
                gap_s=self._transactor._gap_s,
            )
            await self._transactor.start()
            for conversation, agenda in batches[-1].overlay.agendas.items():
                self._refresh(conversation, agenda)
        finally:
            del self._new_batch

    return [(Task, "_run_batch", run_batch)]


# --- takeover ------------------------------------------------------------------------------------------------------------


def _no_fencing() -> list[Patch]:
    def own_id(self: Task) -> str:
        life = self._c.calls.incarnation.replace("/", "_")
        return self._settings.named(f"{self._c.spec.group}-{life}-{self.number}")

    return [(Task, "_transactional_id", property(own_id))]


def _restore_before_producer() -> list[Patch]:
    """The producer starts with its first transaction."""
    start, begin = SimulatedProducer.start, SimulatedProducer.begin_transaction

    async def late(self: SimulatedProducer) -> None:
        self._late = True  # type: ignore[attr-defined]

    async def begin_transaction(self: SimulatedProducer) -> None:
        if getattr(self, "_late", False):
            self._late = False  # type: ignore[attr-defined]
            await start(self)
        await begin(self)

    return [(SimulatedProducer, "start", late), (SimulatedProducer, "begin_transaction", begin_transaction)]


def _committed_before_producer() -> list[Patch]:
    """The committed offset is read first: it is the old one while the old owner's commit is pending."""
    was = Task.take_over

    async def take_over(self: Task) -> Any:
        consumer = self._c.consumer()
        early = {tp: await consumer.committed(tp) for tp in self.partitions}
        offsets = dict(await was(self))
        offsets |= {tp: offset for tp, offset in early.items() if offset is not None}
        self._intake = Intake({tp.topic: offset for tp, offset in offsets.items()}, self._specs)
        return offsets

    return [(Task, "take_over", take_over)]


def _restore_reads_uncommitted() -> list[Patch]:
    async def read_all(self: SimulatedClients, partition: TopicPartition, apply: Any) -> None:
        log = self._network.broker.log(partition)
        entries = await self._network.request("restore", lambda: list(log.entries))
        for entry in entries:
            if entry.record is not None:
                apply(entry.record)

    return [(SimulatedClients, "read_all", read_all)]


def _resume_without_reseek() -> list[Patch]:
    return [(TaskManager, "reseek", lambda self: None)]  # noqa: ARG005


# --- calls -----------------------------------------------------------------------------------------------------------------


def _call_before_calling() -> list[Patch]:
    """Sent with the slot in hand, before CALLING is durable."""

    def report_grant(self: CallRunner, job: Job) -> None:
        call = job.call
        now = self._clock.now()
        job.call = replace(call, not_after=now + timedelta(seconds=2))
        key = (call.call_id, call.attempt)
        if job.sink is not None:
            job.sink.report(
                job.conversation,
                CallGranted(call_id=call.call_id, attempt=call.attempt, incarnation=self.incarnation),
            )
        if key in self._jobs and not job.granted:
            self._send(key, job)

    return [(CallRunner, "_report_grant", report_grant)]


def _not_after_unchecked() -> list[Patch]:
    async def ask(self: CallRunner, call: Any) -> Any:
        return await self._tools.call(call, deadline_s=call.timeout_ms / 1000)

    return [(CallRunner, "_ask", ask)]


def _calls_of_others_sent() -> list[Patch]:
    """CALLING of another incarnation is taken for one's own unstarted call."""
    was = CallRunner.sync

    def sync(self: CallRunner, sink: Any, conversation: str, calls: Any) -> None:
        mine = [
            replace(call, incarnation=self.incarnation) if call.phase is CallPhase.CALLING else call for call in calls
        ]
        was(self, sink, conversation, mine)

    return [(CallRunner, "sync", sync)]


def _called_again_after_unknown() -> list[Patch]:
    step = _step_class()

    def lost(self: Any, answer: Any) -> Any:  # noqa: ARG001
        entry = self._running.entry
        return self._retry(entry) if entry.attempt < 4 else self._unknown("unknown")

    return [(step, "_lost", lost)]


def _outcome_unknown_called_failed() -> list[Patch]:
    step = _step_class()

    def lost(self: Any, answer: Any) -> Any:
        return self.give_up(answer.code or "lost")

    return [(step, "_lost", lost)]


def _step_class() -> Any:
    return execute_step.Step


def _retry_under_the_same_key() -> list[Patch]:
    was = identity.request_key

    def request_key(transaction: str, revision: int, content: Any) -> str:
        if isinstance(content, dict) and set(content) == {"round", "sent"}:
            content = content["sent"]
        return was(transaction, revision, content)

    return [(execute_calls, "request_key", request_key)]


# --- conversations -----------------------------------------------------------------------------------------------------------


def _yes_not_bound() -> list[Patch]:
    return [
        (confirm_stage, "is_about", lambda command, question: True),  # noqa: ARG005
        (confirm_stage, "token_fits", lambda command, question: True),  # noqa: ARG005
    ]


def _late_yes_counts() -> list[Patch]:
    was = confirm_stage.Confirm._verdict

    def verdict(self: Any, state: Any, command: Any, event: Any, now: Any) -> Any:
        early = command.model_copy(update={"said_at": command.said_at - timedelta(days=1)})
        return was(self, state, early, event, now)

    return [(confirm_stage.Confirm, "_verdict", verdict)]


def _early_yes_counts() -> list[Patch]:
    was = replying.reply

    def reply(episode: Any, message: Any) -> None:
        was(episode, message.model_copy(update={"said_at": message.said_at + timedelta(days=1)}))

    return [(waiting, "reply", reply)]


def _timers_without_barrier() -> list[Patch]:
    was = Timers.sync

    def sync(self: Timers, conversation: str, timers: Iterable[Timer]) -> None:
        was(self, conversation, [replace(timer, after_input=False) for timer in timers])

    return [(Timers, "sync", sync)]


def _confirm_expires_alone() -> list[Patch]:
    """Confirm does not wait for reconcile."""
    return [(confirm_stage.Confirm, "_backstop", property(lambda _: timedelta(0)))]


def _timers_fire_early() -> list[Patch]:
    """The clock of the task runs ahead."""
    was = Task._tick

    def tick(self: Task) -> Any:
        return was(self) + timedelta(seconds=8)

    return [(Task, "_tick", tick)]


def _duplicates_unknown() -> list[Patch]:
    was = reconcile_stage.Reconcile._request

    def request(self: Any, state: AgentState, received: Received, value: Any, now: Any) -> Any:
        return was(self, state.model_copy(update={"seen": ()}), received, value, now)

    return [(reconcile_stage.Reconcile, "_request", request)]


def _waiting_dropped() -> list[Patch]:
    def wait(episode: Any, message: Any) -> None:  # noqa: ARG001
        episode.event("IC.MESSAGE_WAITING", waiting_count=0, kept=True)

    return [(waiting, "wait", wait)]


def _states_mixed_up() -> list[Patch]:
    """Sessions of one name under two tenants share a conversation key in confirm."""
    was = confirm_stage.Confirm.conversation_of

    def conversation_of(self: Any, value: Any) -> str:
        return "acme:" + was(self, value).split(":", 1)[1]

    return [(confirm_stage.Confirm, "conversation_of", conversation_of)]


def _tasks_run_through_a_rebalance() -> list[Patch]:
    """A number that is gone is not dropped: its task goes on beside the new owner's, each fencing the other."""
    was = Task.seek_offsets

    def drop(self: TaskManager, number: int) -> None:  # noqa: ARG001
        return None

    def running(self: TaskManager) -> list[Task]:
        tasks = (owned.task for owned in self._owned.values())
        return [task for task in tasks if task is not None and task.phase in {Phase.RUNNING, Phase.SUSPENDED}]

    assert was is not None
    return [(TaskManager, "_drop", drop), (TaskManager, "running", running)]


MUTANTS: dict[str, Mutant] = {
    mutant.name: mutant
    for mutant in (
        Mutant(
            name="offsets-first",
            breaks="offsets are committed in a transaction of their own, before the outputs",
            within=100,
            patches=_offsets_first,
        ),
        Mutant(
            name="offsets-of-everything-read",
            breaks="the offset of what was read is committed, not of what was decided",
            within=100,
            patches=_offsets_of_everything_read,
        ),
        Mutant(
            name="unawaited-send",
            breaks="sends are not awaited before the commit",
            within=100,
            patches=_unawaited_send,
        ),
        Mutant(
            name="overlay-kept-after-abort",
            breaks="after a failed commit the task goes on with what it had decided",
            within=100,
            patches=_same_task_after_failed_commit,
        ),
        Mutant(
            name="no-fencing",
            breaks="every life of a worker has a transactional id of its own",
            within=100,
            patches=_no_fencing,
        ),
        Mutant(
            name="restore-before-producer",
            breaks="state and offsets are read before the producer has fenced the owner before",
            within=200,
            patches=_restore_before_producer,
        ),
        Mutant(
            name="committed-before-producer",
            breaks="the committed offset is read before the producer has fenced the owner before",
            within=200,
            patches=_committed_before_producer,
        ),
        Mutant(
            name="restore-reads-uncommitted",
            breaks="state is restored from open and aborted transactions too",
            within=100,
            patches=_restore_reads_uncommitted,
        ),
        Mutant(
            name="resume-without-reseek",
            breaks="after a rebalance or a failed getmany nobody seeks",
            within=100,
            patches=_resume_without_reseek,
        ),
        Mutant(
            name="call-before-calling",
            breaks="a call is sent before CALLING is durable",
            within=100,
            patches=_call_before_calling,
        ),
        Mutant(
            name="not-after-unchecked",
            breaks="a stopped process that wakes sends what it was about to send",
            within=200,
            patches=_not_after_unchecked,
        ),
        Mutant(
            name="calls-of-others-sent",
            breaks="a CALLING of another process is taken for unsent",
            within=100,
            patches=_calls_of_others_sent,
        ),
        Mutant(
            name="called-again-after-unknown",
            breaks="an unknown outcome is answered by another call, whatever the policy",
            within=100,
            patches=_called_again_after_unknown,
        ),
        Mutant(
            name="unknown-called-failed",
            breaks="an unknown outcome is told as a failure",
            within=100,
            patches=_outcome_unknown_called_failed,
        ),
        Mutant(
            name="retry-under-the-same-key",
            breaks="a round of item retries that sends all items has the key of the first call",
            within=200,
            patches=_retry_under_the_same_key,
        ),
        Mutant(
            name="yes-not-bound",
            breaks="a yes counts for whatever question is open, whatever it named",
            within=200,
            patches=_yes_not_bound,
        ),
        Mutant(
            name="late-yes-counts",
            breaks="a yes after the expiry executes",
            within=200,
            patches=_late_yes_counts,
        ),
        Mutant(
            name="early-yes-counts",
            breaks="a yes from before the question executes",
            within=100,
            patches=_early_yes_counts,
        ),
        Mutant(
            name="timers-without-barrier",
            breaks="an expiry fires though a yes in time is unread",
            within=200,
            patches=_timers_without_barrier,
        ),
        Mutant(
            name="confirm-expires-alone",
            breaks="an expiry fires though a yes in time lies unread before reconcile",
            within=200,
            patches=_confirm_expires_alone,
        ),
        Mutant(
            name="timers-fire-early",
            breaks="a task's clock runs ahead",
            within=100,
            patches=_timers_fire_early,
        ),
        Mutant(
            name="duplicates-unknown",
            breaks="a message id is not remembered",
            within=100,
            patches=_duplicates_unknown,
        ),
        Mutant(
            name="waiting-dropped",
            breaks="messages that should wait are dropped",
            within=100,
            patches=_waiting_dropped,
        ),
        Mutant(
            name="states-mixed-up",
            breaks="two tenants' sessions of one name share a state",
            within=100,
            patches=_states_mixed_up,
        ),
        Mutant(
            name="numbers-not-dropped",
            breaks="a number that went to another replica is not given up",
            within=100,
            patches=_tasks_run_through_a_rebalance,
        ),
    )
}
"""By name."""
