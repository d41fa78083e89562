"""Bugs in calls: sent too early, too late, again, under another key, told otherwise."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from contracts import identity
from pipeline.decision import CallGranted, CallPhase
from pipeline.runtime.calls import CallRunner, Job
from pipeline.stages.execute import attempts, settling
from pipeline.stages.execute import calls as execute_calls
from pipeline.testing.mutants.mutant import Mutant, Patch


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
    def lost(step: Any, answer: Any) -> Any:  # noqa: ARG001
        entry = step.running.entry
        return attempts.retry(step, entry) if entry.attempt < 4 else settling.unknown_outcome(step, "unknown")

    return [(attempts, "lost", lost)]


def _outcome_unknown_called_failed() -> list[Patch]:
    def lost(step: Any, answer: Any) -> Any:
        return settling.give_up(step, answer.code or "lost")

    return [(attempts, "lost", lost)]


def _retry_under_the_same_key() -> list[Patch]:
    was = identity.request_key

    def request_key(transaction: str, revision: int, content: Any) -> str:
        if isinstance(content, dict) and set(content) == {"round", "sent"}:
            content = content["sent"]
        return was(transaction, revision, content)

    return [(execute_calls, "request_key", request_key)]


CALLS: tuple[Mutant, ...] = (
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
)
