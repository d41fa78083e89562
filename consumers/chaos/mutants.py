"""Deliberate bugs, to prove that the checker would find real ones. Only `consumers.chaos.replica` installs them.

Owns: MUTANTS. Each widens the window of its bug where minutes would not suffice, and says so.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Mutant:
    """A bug and how it is switched on."""

    bug: str
    install: Callable[[], None]


def install(name: str) -> None:
    """Switch a bug on in this process. Raises: KeyError."""
    MUTANTS[name].install()


def _offsets_first() -> None:
    from pipeline.runtime.ports import OutputRecord, TopicPartition
    from pipeline.runtime.transaction import Transactor

    run = Transactor._run  # noqa: SLF001

    async def offsets_first(
        self: Transactor, records: Sequence[OutputRecord], offsets: Mapping[TopicPartition, int]
    ) -> None:
        if records and offsets:
            await run(self, [], offsets)
            await asyncio.sleep(0.1)  # the window between the two, widened
        await run(self, records, {} if records else offsets)

    Transactor._run = offsets_first  # type: ignore[method-assign]  # noqa: SLF001


def _call_again() -> None:
    from pipeline.decision import CallAnswer, Decision
    from pipeline.stages.execute import attempts
    from pipeline.stages.execute.settling import unknown_outcome
    from pipeline.stages.execute.step import Step

    def lost(step: Step, answer: CallAnswer) -> Decision:
        step.failed(answer)
        entry = step.running.entry
        return attempts.retry(step, entry) if entry.attempt < 3 else unknown_outcome(step, answer.code or "unknown")

    attempts.lost = lost


def _call_inside_the_retry() -> None:
    from consumers.bootstrap import McpPort
    from pipeline.decision import Call, CallAnswer, CallOutcome

    ask = McpPort.call

    async def again(self: McpPort, call: Call, *, deadline_s: float) -> CallAnswer:
        answer = await ask(self, call, deadline_s=deadline_s)
        if answer.outcome is CallOutcome.UNKNOWN:
            answer = await ask(self, call, deadline_s=deadline_s)
        return answer

    McpPort.call = again  # type: ignore[method-assign]


def _answer_twice() -> None:
    from pipeline.runtime.transaction import Transactor

    run = Transactor._run  # noqa: SLF001
    count = 0

    async def twice(self: Transactor, records: Any, offsets: Any) -> None:
        nonlocal count
        await run(self, records, offsets)
        count += 1
        if count % 50 == 0:  # as a commit that is taken for failed and made again
            await run(self, records, {})

    Transactor._run = twice  # type: ignore[method-assign]  # noqa: SLF001


def _forget_waiting() -> None:
    from contracts.agent_state import AgentState
    from contracts.checkpoint import Checkpoint
    from pipeline.stages.reconcile.stage import Reconcile

    replay = Reconcile.replay

    def forgetful(self: Reconcile, state: AgentState, key: str, checkpoint: Checkpoint | None) -> AgentState:
        return replay(self, state, key, checkpoint).model_copy(update={"waiting": ()})

    Reconcile.replay = forgetful  # type: ignore[method-assign]


def _no_fencing() -> None:
    import secrets

    from pipeline.runtime.task import Task

    transactional_id = Task._transactional_id.fget  # type: ignore[attr-defined]  # noqa: SLF001
    Task._transactional_id = property(  # type: ignore[assignment]  # noqa: SLF001
        lambda self: f"{transactional_id(self)}-{secrets.token_hex(4)}"
    )


def _early_yes() -> None:
    from pipeline.stages.reconcile import statuses
    from pipeline.stages.reconcile.episode import Episode

    awaiting = statuses.awaiting

    def as_if_asked_long_ago(episode: Episode, told: statuses.Told) -> None:
        awaiting(episode, statuses.Told(told.status, datetime(2000, 1, 1, tzinfo=UTC)))

    statuses.awaiting = as_if_asked_long_ago


MUTANTS: Mapping[str, Mutant] = {
    "offsets-before-outputs": Mutant("offsets are committed before the outputs (0.1 s apart)", _offsets_first),
    "call-again": Mutant("a call with a lost answer is made again, whatever the policy says", _call_again),
    "call-inside-retry": Mutant("the client repeats a call whose outcome is unknown", _call_inside_the_retry),
    "answer-twice": Mutant("every 50th batch is committed once more", _answer_twice),
    "forget-waiting": Mutant("messages that wait for a stage are forgotten", _forget_waiting),
    "no-fencing": Mutant("every producer has a transactional id of its own", _no_fencing),
    "early-yes": Mutant("a yes counts although it is older than its question", _early_yes),
}
"""Deliberate bugs by name."""
