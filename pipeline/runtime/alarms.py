"""When the timers of a task may fire: due, and, where it matters, after the input that was already there.

Owns: the timers of all conversations, the end offsets seen when one fell due, the turn of calls that another incarnation left behind.
Invariants: a timer is handed out once per commit of its conversation, and only while the state still asks for it.
Source: DESIGN 4 (Calls; Conversations across stages).
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime, timedelta

import structlog

from pipeline.decision import Agenda, CallLost, CallPhase, Input, Timer, TimerFired
from pipeline.runtime.intake import Intake, Work
from pipeline.runtime.ports import TopicPartition
from pipeline.runtime.timers import Armed, Timers

LOST = "lost/"
"""Prefix of the timers that end the turn of another incarnation's call."""
AGAIN_S = 1.0
"""Between two tries to read end offsets."""

Ends = Callable[[], Awaitable[Mapping[TopicPartition, int]]]
"""Asks for the last stable offsets of the task's inputs."""


class Alarms:
    """Timers of one task."""

    def __init__(self, *, incarnation: str, skew: timedelta, deadline_s: float, wake: asyncio.Event) -> None:
        self._incarnation = incarnation
        self._skew = skew
        self._deadline_s = deadline_s
        self._wake = wake
        self._timers = Timers()
        self._searches: set[asyncio.Task[None]] = set()
        self._log = structlog.get_logger("pipeline.alarms")

    def sync(self, conversation: str, agenda: Agenda) -> None:
        """Make the agenda's timers those of the conversation."""
        lost = (
            Timer(
                timer_id=f"{LOST}{call.call_id}/{call.attempt}", due_at=call.not_after + self._skew, after_input=False
            )
            for call in agenda.calls
            if call.phase is CallPhase.CALLING and call.not_after and call.incarnation != self._incarnation
        )
        self._timers.sync(conversation, (*agenda.timers, *lost))

    def next_due(self) -> datetime | None:
        """When the next one falls due."""
        return self._timers.next_due()

    def open_questions(self) -> int:
        """Questions that wait for a customer."""
        return self._timers.open_questions()

    def fire(self, now: datetime, intake: Intake, ends: Ends) -> None:
        """Hand due timers to the intake: at once, or when the input up to the present end has been taken."""
        due = self._timers.take_due(now)
        self._ripen((armed for armed in due if not armed.timer.after_input), intake)
        waiting = [armed for armed in due if armed.timer.after_input]
        if waiting:
            task = asyncio.get_running_loop().create_task(self._find_ends(waiting, intake, ends), name="end offsets")
            self._searches.add(task)
            task.add_done_callback(self._searches.discard)
        self._ripen(intake.passed_barriers(), intake)

    def close(self) -> None:
        """Look for no more end offsets."""
        for task in self._searches:
            task.cancel()

    async def _find_ends(self, timers: list[Armed], intake: Intake, ends: Ends) -> None:
        while True:
            try:
                async with asyncio.timeout(self._deadline_s):
                    found = await ends()
            except Exception as error:
                self._log.warning(
                    "end offsets are not to be had; timers wait", error=f"{type(error).__name__}: {error}"
                )
                await asyncio.sleep(AGAIN_S)  # a pause between tries, nothing tells when the broker is back
                continue
            intake.wait_for({tp.topic: end for tp, end in found.items()}, timers)
            self._wake.set()
            return

    def _ripen(self, timers: Iterable[Armed], intake: Intake) -> None:
        for armed in timers:
            if self._timers.is_wanted(armed):
                intake.ripen(Work(conversation=armed.conversation, event=_event(armed), armed=armed))


def _event(armed: Armed) -> Input:
    if not armed.timer_id.startswith(LOST):
        return TimerFired(timer_id=armed.timer_id, due_at=armed.due_at)
    call_id, _, attempt = armed.timer_id.removeprefix(LOST).rpartition("/")
    return CallLost(call_id=call_id, attempt=int(attempt))
