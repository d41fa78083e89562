"""What is to run for the conversations of a task: calls and timers, as their states ask for them.

Owns: that both follow the agenda of a state after each commit and after a restore, how long the task may sleep.
Invariants: nothing runs that no committed state asks for; a conversation whose state can't be read any more stands still alone.
Source: DESIGN 5 (running calls and timers are a function of the state alone).
"""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import structlog

from pipeline.decision import Agenda
from pipeline.runtime.alarms import Alarms, Ends
from pipeline.runtime.calls import Sink
from pipeline.runtime.errors import describe, trail
from pipeline.runtime.intake import Intake
from pipeline.runtime.task_context import TaskContext
from pipeline.runtime.task_events import TaskEvents

IDLE_S = 1.0
"""Longest sleep while a timer is armed: a clock that jumps is noticed after this."""


class Pending:
    """Of one task, which is the sink of what its calls report."""

    def __init__(
        self, number: int, context: TaskContext, events: TaskEvents, *, sink: Sink, wake: asyncio.Event
    ) -> None:
        self._number = number
        self._c = context
        self._events = events
        self._sink = sink
        self._alarms = Alarms(
            incarnation=context.calls.incarnation,
            skew=timedelta(milliseconds=context.settings.timing.clock_skew_ms),
            deadline_s=context.settings.runtime.deadline_ms / 1000,
            wake=wake,
        )
        self._log = structlog.get_logger("pipeline.task").bind(stage=context.stage.name, number=number)

    def follow(self, conversation: str, agenda: Agenda) -> None:
        """Make these the calls and timers of the conversation."""
        self._alarms.sync(conversation, agenda)
        self._c.calls.sync(self._sink, conversation, agenda.calls)

    def follow_restored(self, conversation: str, state: Any) -> None:
        """The same for a state that may be one which the stage can't read any more."""
        try:
            agenda = self._c.stage.agenda(state)
        except Exception as error:
            reason = describe(error)
            self._log.error("a conversation stands still", conversation=conversation, error=reason, trail=trail(error))
            payload = {"reason": "nothing can be run for a conversation's state; it stands still", "error": reason}
            self._events.note("NOC.RUNTIME_FAILED", {**payload, "conversation": conversation, "number": self._number})
            agenda = Agenda()
        self.follow(conversation, agenda)

    def fire(self, now: datetime, intake: Intake, ends: Ends) -> None:
        """Hand due timers to the intake."""
        self._alarms.fire(now, intake, ends)

    def sleep_s(self) -> float | None:
        """How long nothing falls due. None: no timer is armed."""
        due = self._alarms.next_due()
        return None if due is None else min(max((due - self._c.clock.now()).total_seconds(), 0.001), IDLE_S)

    def open_questions(self) -> int:
        """Questions that wait for a customer."""
        return self._alarms.open_questions()

    def close(self) -> None:
        """Run nothing more for this task."""
        self._c.calls.detach(self._sink)
        self._alarms.close()
