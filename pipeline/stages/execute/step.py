"""One decision about one running call: its way through the ledger, recovery, item retries, its end.

Invariants: a call becomes CALLING only with a slot in hand and its command checked again; an unknown outcome is never followed by
another call unless the tool's recovery allows it; attempts are durable and bounded. Source: DESIGN 4 (Calls), 7 (Execute).
"""

from datetime import datetime, timedelta
from typing import Any

from contracts.normalize_command import CallFate, NormalizeCommand
from contracts.status import Status
from contracts.tool_result import ToolResult
from contracts.transaction import Transaction
from contracts.transaction_status import TransactionStatus
from pipeline import topology
from pipeline.answers import UNDECIDABLE, failure_event, flag_of, results_of, tool_result
from pipeline.decision import CallAnswer, CallGranted, CallLost, CallOutcome, CallReturned, Decision, Input, cause_of
from pipeline.ledger import LedgerEntry
from pipeline.outbox import Outbox
from pipeline.policy import Installation, Recovery, Tool
from pipeline.proposal import item_values
from pipeline.remembered import Activity
from pipeline.stages.execute.calls import retry_call, status_call
from pipeline.stages.execute.evidence import merged, open_items, unknown
from pipeline.stages.execute.memory import Execution, Running, State
from pipeline.stages.execute.refusal import refusal_of
from pipeline.stages.execute.settling import refused, settled
from pipeline.stages.execute.status_answer import Known, read_status
from pipeline.topology import StageName

TRY_MIN = timedelta(milliseconds=200)
"""A query is not asked once more for less time than this."""


class Step:
    """One decision about one running call."""

    def __init__(self, installation: Installation, state: State, event: Input, now: datetime, running: Running) -> None:
        self._installation = installation
        self._timing = installation.timing
        self._state = state
        self._now = now
        self._running = running
        self._command = running.command
        self._outbox = Outbox(
            stage=StageName.EXECUTE.value,
            turn=running.command.turn,
            cause=cause_of(event),
            now=now,
            sequence=state.sequence,
        )

    @property
    def _transaction(self) -> Transaction:
        return self._command.transaction

    @property
    def _tool(self) -> Tool:
        return self._installation.tools[self._transaction.tool]

    @property
    def _items(self) -> tuple[Any, ...]:
        return item_values(self._tool, self._transaction.arguments)

    # --- the way of a call -----------------------------------------------------------------------------------------------

    def start(self) -> Decision:
        """Queue the call, say so."""
        transaction = self._transaction
        self._outbox.event(
            "IC.MCP_TOOL_REQUESTED",
            transaction,
            tool=transaction.tool,
            revision=transaction.revision,
            items_count=len(self._items),
            operation_type=self._tool.operation_type.value,
        )
        self._outbox.send(
            topology.STATUS,
            TransactionStatus(
                turn=self._command.turn,
                stage=StageName.EXECUTE.value,
                transaction_id=transaction.transaction_id,
                revision=transaction.revision,
                tool=transaction.tool,
                status=Status.EXECUTING,
                announced=False,
            ),
        )
        return self._keep()

    def report(self, event: CallGranted | CallReturned | CallLost) -> Decision:
        """Take what the shell says of the active call; reports about another attempt are ignored."""
        entry = self._running.active
        match event:
            case CallGranted(call_id=call_id, attempt=attempt, incarnation=incarnation):
                return self._granted(incarnation) if entry.is_queued(call_id, attempt) else Decision()
            case CallReturned(call_id=call_id, attempt=attempt, answer=answer):
                return self._returned(answer) if entry.is_current(call_id, attempt) else Decision()
            case CallLost(call_id=call_id, attempt=attempt):
                lost = CallAnswer(outcome=CallOutcome.UNKNOWN, code="worker_lost")
                return self._returned(lost) if entry.is_current(call_id, attempt) else Decision()

    def queue_again(self) -> Decision:
        """The pause is over."""
        queued = self._running.active.queued()
        return self._keep(asking=queued) if self._running.asking else self._keep(entry=queued)

    def _granted(self, incarnation: str) -> Decision:
        active = self._running.active
        again = self._running.asking is None and not self._tool.transactional and active.attempt > 0
        calling = active.calling(incarnation, self._now, active.send_by if again else None)
        if self._running.asking is not None:
            return self._keep(asking=calling)
        # Again, right before the call: the configuration may have changed since it was queued.
        refusal = refusal_of(self._command, self._installation)
        if refusal is not None and self._running.result is None and not self._running.entry.uncertain:
            return refused(self._state, self._outbox, self._command, refusal)
        if refusal is not None:
            return self.give_up(refusal)
        return self._keep(entry=calling, calls=self._running.calls + 1)

    def _returned(self, answer: CallAnswer) -> Decision:
        if self._running.asking is not None:
            return self._status_told(answer)
        match answer.outcome:
            case CallOutcome.OK | CallOutcome.TOOL_ERROR:
                return self._answered(tool_result(self._transaction.tool, answer))
            case CallOutcome.NOT_SENT:
                return self._not_sent(answer)
            case CallOutcome.UNKNOWN:
                return self._lost(answer)

    def _not_sent(self, answer: CallAnswer) -> Decision:
        """Proved unsent: try again, within the deadline and the attempts, then fail cleanly."""
        self._failed(answer)
        entry = self._running.entry
        until = entry.backoff_until(self._now, self._timing.retry_backoff_ms)
        late = entry.send_by is not None and until >= entry.send_by
        if late or entry.attempt >= self._timing.call_attempts_max:
            return self.give_up(answer.code or "not_sent")
        return self._keep(entry=entry.back_off(until))

    def _lost(self, answer: CallAnswer) -> Decision:
        """Perhaps executed: only the tool's recovery says what comes next."""
        self._failed(answer)
        entry = self._running.entry
        if answer.code == UNDECIDABLE:
            return self._unknown(UNDECIDABLE)
        match self._tool.recovery:
            case Recovery.RETRY if entry.attempt < self._timing.call_attempts_max:
                return self._retry(entry)
            case Recovery.STATUS if self._status_tool() is not None:
                return self._ask_status()
            case _:
                return self._unknown(answer.code or "unknown")

    def _retry(self, entry: LedgerEntry) -> Decision:
        """Same key, same call: the server knows whether it has done it."""
        until = entry.backoff_until(self._now, self._timing.retry_backoff_ms)
        send_by = until + timedelta(milliseconds=self._timing.send_deadline_ms)
        if not self._tool.transactional:
            send_by = self._query_ends_at(entry)
            if until + TRY_MIN >= send_by:
                return self._unknown("query_budget_spent")
        return self._keep(entry=entry.back_off(until, send_by=send_by, uncertain=True))

    def _query_ends_at(self, entry: LedgerEntry) -> datetime:
        """When a query is given up: its budget after its first attempt began. Nothing is lost with it but the answer."""
        if entry.uncertain and entry.send_by is not None:
            return entry.send_by
        assert entry.not_after is not None
        began_at = entry.not_after - timedelta(milliseconds=entry.timeout_ms)
        return began_at + timedelta(milliseconds=self._timing.query_budget_ms)

    # --- asking for the status --------------------------------------------------------------------------------------------

    def _status_tool(self) -> Tool | None:
        return self._installation.tools.get(self._tool.policy.status_tool or "")

    def _ask_status(self) -> Decision:
        tool = self._status_tool()
        assert tool is not None
        entry = self._running.entry.model_copy(update={"uncertain": True})
        asking = status_call(self._command, entry, tool, self._timing, self._now)
        return self._keep(entry=entry, asking=asking)

    def _status_told(self, answer: CallAnswer) -> Decision:
        entry, asking = self._running.entry, self._running.asking
        assert asking is not None
        if answer.code == UNDECIDABLE:
            return self._unknown(UNDECIDABLE)
        told = read_status(answer.payload) if answer.outcome is CallOutcome.OK else None
        if told is None:
            self._failed(answer)
        match told.known if told else Known.NOT_TOLD:
            case Known.DONE:
                assert told is not None
                done = CallAnswer(outcome=CallOutcome.OK, payload=told.result, latency_ms=answer.latency_ms)
                return self._answered(tool_result(self._transaction.tool, done))
            case Known.UNKNOWN_KEY if self._settles_unknown_key(asking):
                return self._send_again(entry)
            case _:
                return self._poll(asking)

    def _settles_unknown_key(self, asking: LedgerEntry) -> bool:
        """`unknown_key` counts only when it was asked after the call could no longer be sent by anybody, clocks apart."""
        not_after = self._running.entry.not_after
        assert not_after is not None
        assert asking.not_after is not None
        asked_at = asking.not_after - timedelta(milliseconds=asking.timeout_ms)
        return asked_at >= not_after + timedelta(milliseconds=self._timing.clock_skew_ms)

    def _send_again(self, entry: LedgerEntry) -> Decision:
        """The call was certainly never begun: the same call again, same key."""
        if entry.attempt >= self._timing.call_attempts_max:
            return self._not_executed("not_begun")
        until = entry.backoff_until(self._now, self._timing.retry_backoff_ms)
        send_by = until + timedelta(milliseconds=self._timing.send_deadline_ms)
        return self._keep(entry=entry.back_off(until, send_by=send_by, uncertain=False), asking=None)

    def _poll(self, asking: LedgerEntry) -> Decision:
        """Ask again, a bounded number of times."""
        until = self._now + timedelta(milliseconds=self._timing.status_poll_ms)
        not_after = self._running.entry.not_after
        if not_after is not None:
            # An early unknown_key is no answer; from this instant on it is one.
            settles = not_after + timedelta(milliseconds=self._timing.clock_skew_ms)
            if asking.attempt + 1 >= self._timing.status_polls_max:
                until = max(until, settles)
        if asking.attempt >= self._timing.status_polls_max:
            return self._unknown("status_not_told")
        send_by = max(asking.send_by or until, until + timedelta(milliseconds=self._timing.status_poll_ms))
        return self._keep(asking=asking.back_off(until, send_by=send_by))

    # --- the end ------------------------------------------------------------------------------------------------------------

    def _answered(self, result: ToolResult) -> Decision:
        before = self._running.result
        if before is not None:
            result = merged(before, result, self._transaction.tool, self._items, self._running.sent)
        return self._retried_items(result) or self._settle(CallFate.ANSWERED, result=result)

    def _retried_items(self, result: ToolResult) -> Decision | None:
        """Send open items again where the policy lists their reasons; None: there is nothing to send again."""
        policy, rounds = self._tool.policy.item_retry, self._running.rounds
        if policy is None or rounds >= policy.max_attempts or self._tool.items_argument is None:
            return None
        again = open_items(result, self._transaction.tool, self._items, policy.reasons)
        if not again:
            return None
        self._outbox.event(
            "IC.MCP_ITEM_RETRIED",
            self._transaction,
            tool=self._transaction.tool,
            items_count=len(again),
            round=rounds + 1,
        )
        entry = retry_call(
            self._command,
            self._tool,
            self._timing,
            self._now,
            round_number=rounds + 1,
            sent=again,
            backoff_ms=policy.backoff_ms,
        )
        return self._keep(entry=entry, asking=None, sent=again, rounds=rounds + 1, result=result)

    def give_up(self, reason: str) -> Decision:
        """The call is not sent any more: a clean failure, unless an earlier attempt may have been executed."""
        if self._running.asking is not None:
            return self._unknown("status_not_told")
        return self._unknown(reason) if self._running.entry.uncertain else self._not_executed(reason)

    def _not_executed(self, reason: str) -> Decision:
        """Settle a call that was certainly not executed."""
        if self._running.result is not None:
            # Only a retry of some items was not sent: what the first answer said of them stands.
            return self._settle(CallFate.ANSWERED, result=self._running.result)
        return self._settle(CallFate.REFUSED, reason=reason)

    def _unknown(self, reason: str) -> Decision:
        self._outbox.event(
            "NOC.MCP_OUTCOME_UNKNOWN",
            self._transaction,
            tool=self._transaction.tool,
            code=reason,
            recovery=self._tool.recovery.value,
            attempts=self._running.calls,
            idempotency_key=self._running.entry.idempotency_key,
        )
        before = self._running.result
        if before is not None:
            result = unknown(before, self._transaction.tool, self._items, self._running.sent)
            return self._settle(CallFate.ANSWERED, result=result)
        return self._settle(CallFate.UNKNOWN, reason=reason)

    def _settle(self, fate: CallFate, *, result: ToolResult | None = None, reason: str = "") -> Decision:
        running, transaction = self._running, self._transaction
        if fate is CallFate.REFUSED or (result is not None and not result.ok):
            self._outbox.event(
                "NOC.MCP_TOOL_FAILED",
                transaction,
                tool=transaction.tool,
                code=code_of(result, reason),
                attempts=running.calls,
            )
        if result is not None:
            self._outbox.event(
                "IC.MCP_TOOL_EXECUTED",
                transaction,
                tool=transaction.tool,
                ok=result.ok,
                latency_ms=result.latency_ms,
                attempts=running.calls,
                **counts_of(result, transaction.tool),
            )
        outcome = NormalizeCommand(
            turn=self._command.turn,
            transaction=transaction,
            items=self._command.items,
            item_values=self._items,
            fate=fate,
            invocation=running.invocation,
            result=result,
            reason=reason,
            attempts=running.calls,
        )
        return settled(self._state, self._outbox, self._command, outcome, running.entry.idempotency_key)

    # --- small parts ----------------------------------------------------------------------------------------------------------

    def _failed(self, answer: CallAnswer) -> None:
        entry = self._running.active
        self._outbox.event(
            failure_event(answer), self._transaction, tool=entry.tool, code=answer.code, attempt=entry.attempt
        )

    def _keep(self, **changes: Any) -> Decision:
        running = self._running.model_copy(update=changes)
        execution = Execution(revision=self._transaction.revision, digest=self._command.digest, running=running)
        self._outbox.write(self._state.key(self._transaction.transaction_id), execution)
        self._outbox.write(self._state.conversation, Activity(last_at=self._now))
        return self._outbox.decision()


def code_of(result: ToolResult | None, reason: str) -> str:
    """A code for events: a tool's own words may hold personal data and stay out."""
    if result is None:
        return reason
    code = result.metadata.get("code")
    return code if isinstance(code, str) else "tool_answered_failure"


def counts_of(result: ToolResult | None, tool: str) -> dict[str, int]:
    evidence = results_of(result.data, tool) if result is not None else None
    if evidence is None:
        return {}
    succeeded = sum(flag_of(entry) is True for entry in evidence.entries)
    return {"items_count": len(evidence.entries), "items_succeeded_count": succeeded}
