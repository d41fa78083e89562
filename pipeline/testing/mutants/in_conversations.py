# ruff: noqa: SLF001 - a mutant reaches into what it breaks
"""Bugs in conversations: replies, their instants, duplicates, waiting, whose state it is."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from contracts.agent_state import AgentState
from pipeline.decision import Received, Timer
from pipeline.runtime.task_clock import TaskClock
from pipeline.runtime.timers import Timers
from pipeline.stages.confirm import stage as confirm_stage
from pipeline.stages.reconcile import replying, waiting
from pipeline.stages.reconcile import stage as reconcile_stage
from pipeline.testing.mutants.mutant import Mutant, Patch


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
    was = TaskClock.tick

    def tick(self: TaskClock) -> Any:
        return was(self) + timedelta(seconds=8)

    return [(TaskClock, "tick", tick)]


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


CONVERSATIONS: tuple[Mutant, ...] = (
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
)
