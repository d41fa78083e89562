"""The gate before the question: allowed, complete, within the limits, and eligible by the tool's own validator.

Owns: the passage of one transaction through the gate, also when a validator moves it to another tool.
Invariants: a tool reached over target_tool passes the whole gate, is validated once, and never needs less confirmation than a tool on
the way; fail_open covers transport failure only; a transaction leaves the gate by exactly one record (confirm or status).
Never: confirms, has side effects, caches a validation. Source: DESIGN 7 (Pre-validate).
"""

from datetime import datetime, timedelta

from contracts.base import Contract
from contracts.checkpoint import Checkpoint
from contracts.identity import request_key
from contracts.pre_validate_command import PreValidateCommand
from contracts.status import Status
from pipeline.answers import MALFORMED_CODES, failure_event
from pipeline.decision import (
    Agenda,
    CallAnswer,
    CallGranted,
    CallLost,
    CallOutcome,
    CallReturned,
    ContractViolation,
    Decision,
    Input,
    Received,
    Rejection,
    TimerFired,
)
from pipeline.language.messages import Catalogue
from pipeline.ledger import LedgerEntry, Phase
from pipeline.policy import Installation, Recovery, Tool, arguments_for, is_filled, mapped_arguments
from pipeline.proposal import item_names, item_values
from pipeline.rejection import reject
from pipeline.remembered import Remembered
from pipeline.stages.pre_validate.leaving import ask_again, malformed, not_identified, refuse, unavailable
from pipeline.stages.pre_validate.memory import State, Validation
from pipeline.stages.pre_validate.passage import Desk, Passage
from pipeline.stages.pre_validate.verdicts import (
    Eligible,
    Failed,
    Malformed,
    NeedsParameter,
    Refused,
    merged,
    read_verdict,
)
from pipeline.topology import StageName

TOOLS_MAX = 3
"""Tools that one transaction may be validated for: validators that hand on for ever are stopped."""

UNKNOWN_ATTEMPTS_MAX = 3
"""Attempts of a validator whose answer was lost: the customer waits meanwhile."""


class PreValidate:
    """The stage as its shell sees it."""

    def __init__(self, installation: Installation, messages: Catalogue) -> None:
        self._installation = installation
        self._desk = Desk(installation, messages)

    @property
    def name(self) -> str:
        return StageName.PRE_VALIDATE.value

    def conversation_of(self, value: Contract) -> str:
        if not isinstance(value, PreValidateCommand):
            raise ContractViolation("", "must be a PreValidateCommand")
        return value.turn.conversation_key

    def initial(self, conversation: str) -> State:
        return Remembered(conversation)

    def replay(self, state: State, key: str, checkpoint: Checkpoint | None) -> State:
        return state.replayed(key, checkpoint, Validation)

    def agenda(self, state: State) -> Agenda:
        entries = [validation.entry for validation in state.transactions.values() if validation.entry]
        agendas = [entry.agenda() for entry in entries]
        # Nothing is kept of a transaction that left: all that are here are still under way.
        retention = state.retention(self._installation.timing.session_retention_ms, state.transactions)
        return Agenda(
            calls=tuple(call for agenda in agendas for call in agenda.calls),
            timers=(*(timer for agenda in agendas for timer in agenda.timers), *retention),
        )

    def waiting_bytes(self, state: State) -> int:
        return sum(validation.size for validation in state.transactions.values())

    def is_empty(self, state: State) -> bool:
        return state.is_empty

    def reject(self, state: State | None, rejection: Rejection, now: datetime) -> Decision:
        return reject(
            rejection,
            stage=self.name,
            sequence=state.sequence if state else 0,
            now=now,
            text=lambda turn: self._desk.wording(turn).say("rejected.not_done"),
        )

    def decide(self, state: State, event: Input, now: datetime) -> Decision:
        match event:
            case Received(value=PreValidateCommand() as command):
                known = state.transactions.get(command.transaction.transaction_id)
                if known and known.command.transaction.revision >= command.transaction.revision:
                    return Decision()
                return self._gate(Passage(self._desk, state, event, now, Validation(command=command, size=event.size)))
            case Received():
                raise ContractViolation("", "must be a PreValidateCommand")
            case TimerFired(timer_id=timer_id):
                return self._timer(state, event, timer_id, now)
            case CallGranted(call_id=call_id) | CallReturned(call_id=call_id) | CallLost(call_id=call_id):
                found = _by_call(state, call_id)
                return self._call(Passage(self._desk, state, event, now, found), event) if found else Decision()

    # --- the gate ----------------------------------------------------------------------------------------------------

    def _gate(self, passage: Passage) -> Decision:
        transaction = passage.transaction
        tool = self._allowed(passage)
        if tool is None:
            passage.outbox.event("GRL.TOOL_DENIED", transaction, tool=transaction.tool)
            return passage.close(Status.OUT_OF_SCOPE, "tool_denied", passage.wording.say("prevalidate.denied"))
        arguments = {**mapped_arguments(tool, passage.context), **transaction.arguments}
        missing = [name for name in tool.requires if not is_filled(arguments.get(name))]
        if missing:
            return ask_again(passage, tool, missing[0], None)
        names = item_names(item_values(tool, transaction.arguments))
        limit = self._installation.limits.items
        if len(names) > limit:
            text = passage.wording.say("prevalidate.too_many", limit=limit, count=len(names))
            return passage.close(Status.OUT_OF_SCOPE, "too_many_items", text)
        policy = tool.pre_validation
        if policy is None or tool.name in passage.validation.validated:
            if not passage.validation.validated:
                passage.outbox.event("IC.TRANSACTION_PREVALIDATION_SKIPPED", transaction, tool=tool.name)
            return passage.hand_on(names)
        if len(passage.validation.validated) >= TOOLS_MAX:
            return malformed(passage, "validators hand the transaction on without end")
        validator = self._installation.tools[policy.tool]
        mapped = {**mapped_arguments(validator, passage.context), **transaction.arguments}
        absent = [
            name
            for name in validator.requires
            if name in validator.mapping.values() and not is_filled(mapped.get(name))
        ]
        if absent:
            return not_identified(passage, validator, absent)
        return self._request(passage, tool, validator, len(names))

    def _allowed(self, passage: Passage) -> Tool | None:
        turn = passage.turn
        tool = self._installation.tool_for(turn.agent_id, passage.transaction.tool)
        if tool is None or tool.spec.tool_type not in {"action", "query"}:
            return None
        return tool if self._installation.agent_allowed(turn.agent_id, turn.tenant_id) else None

    def _request(self, passage: Passage, tool: Tool, validator: Tool, items_count: int) -> Decision:
        transaction, turn = passage.transaction, passage.turn
        arguments = arguments_for(
            validator,
            transaction.arguments,
            passage.context,
            source_text=transaction.source_text,
            locale=turn.locale,
        )
        number = len(passage.validation.validated)
        entry = LedgerEntry(
            call_id=f"{transaction.transaction_id}/{transaction.revision}/validate/{number}",
            server=validator.server,
            tool=validator.name,
            arguments={**arguments, "target_tool": tool.name},
            idempotency_key=request_key(transaction.transaction_id, transaction.revision, [validator.name, tool.name]),
            timeout_ms=validator.spec.timeout_ms,
            send_by=passage.outbox.now + timedelta(milliseconds=self._installation.timing.send_deadline_ms),
        )
        passage.outbox.event(
            "IC.TRANSACTION_PREVALIDATION_REQUESTED",
            transaction,
            tool=tool.name,
            validator=validator.name,
            revision=transaction.revision,
            items_count=items_count,
        )
        return passage.keep(entry=entry, validated=(*passage.validation.validated, tool.name))

    # --- what the validator says ---------------------------------------------------------------------------------------

    def _call(self, passage: Passage, event: CallGranted | CallReturned | CallLost) -> Decision:
        entry = passage.entry
        match event:
            case CallGranted(call_id=call_id, attempt=attempt, incarnation=incarnation):
                if not entry.is_queued(call_id, attempt):
                    return Decision()
                return passage.keep(entry=entry.calling(incarnation, passage.outbox.now))
            case CallReturned(call_id=call_id, attempt=attempt, answer=answer):
                return self._answered(passage, answer) if entry.is_current(call_id, attempt) else Decision()
            case CallLost(call_id=call_id, attempt=attempt):
                lost = CallAnswer(outcome=CallOutcome.UNKNOWN, code="worker_lost")
                return self._answered(passage, lost) if entry.is_current(call_id, attempt) else Decision()

    def _answered(self, passage: Passage, answer: CallAnswer) -> Decision:
        if answer.outcome in {CallOutcome.NOT_SENT, CallOutcome.UNKNOWN}:
            return self._unanswered(passage, answer)
        tool = self._allowed(passage)
        if tool is None:  # the configuration changed while the validator was asked
            return self._gate(passage)
        match read_verdict(answer, passage.entry.tool, tool):
            case Eligible() as verdict:
                return self._passed(passage, tool, verdict)
            case NeedsParameter(parameter=parameter, message=message):
                return ask_again(passage, tool, parameter, message)
            case Refused(reason=reason, message=message):
                return refuse(passage, tool, reason, message)
            case Malformed(why=why):
                return malformed(passage, why)
            case Failed(why=why):
                passage.outbox.event(
                    "NOC.MCP_TOOL_FAILED",
                    passage.transaction,
                    tool=passage.entry.tool,
                    code=why,
                    attempt=passage.entry.attempt,
                )
                return unavailable(passage, why)

    def _passed(self, passage: Passage, tool: Tool, verdict: Eligible) -> Decision:
        transaction = passage.transaction
        arguments = merged(transaction.arguments, verdict.arguments, tool, passage.turn.business_context)
        target = verdict.target_tool or tool.name
        asked_for = passage.validation.requires_confirmation or verdict.requires_confirmation
        passage.outbox.event(
            "IC.TRANSACTION_PREVALIDATION_PASSED",
            transaction,
            tool=tool.name,
            target_tool=target if target != tool.name else None,
            items_count=len(item_values(tool, arguments)),
            attempts=passage.entry.attempt,
        )
        moved = transaction.model_copy(
            update={
                "tool": target,
                "arguments": arguments,
                "confirmation_floor": transaction.confirmation_floor
                or (target != tool.name and tool.needs_confirmation),
            }
        )
        onward = passage.with_changes(
            command=passage.validation.command.model_copy(update={"transaction": moved}),
            entry=None,
            requires_confirmation=asked_for,
            # The wording of a validator that moved the transaction speaks of the tool it chose; the target's own one is better.
            confirmation_message=verdict.confirmation_message or passage.validation.confirmation_message,
        )
        if target != tool.name and target in passage.validation.validated:
            return malformed(onward, "validators hand the transaction back")
        return self._gate(onward)

    # --- what the transport says ---------------------------------------------------------------------------------------

    def _unanswered(self, passage: Passage, answer: CallAnswer) -> Decision:
        entry, transaction, timing = passage.entry, passage.transaction, self._installation.timing
        if answer.code in MALFORMED_CODES:
            return malformed(passage, answer.code or "unreadable")
        passage.outbox.event(
            failure_event(answer), transaction, tool=entry.tool, code=answer.code, attempt=entry.attempt
        )
        unknown = answer.outcome is CallOutcome.UNKNOWN
        validator = self._installation.tools.get(entry.tool)
        attempts_max = min(timing.call_attempts_max, UNKNOWN_ATTEMPTS_MAX) if unknown else timing.call_attempts_max
        until = entry.backoff_until(passage.outbox.now, timing.retry_backoff_ms)
        given_up = entry.attempt >= attempts_max or (entry.send_by is not None and until >= entry.send_by)
        if given_up or (unknown and validator is not None and validator.recovery is Recovery.REPORT):
            return self._unreachable(passage, answer.code or answer.outcome.value)
        return passage.keep(entry=entry.back_off(until))

    def _unreachable(self, passage: Passage, why: str) -> Decision:
        tool = self._allowed(passage)
        policy = tool.pre_validation if tool else None
        if tool is None or policy is None or not policy.fail_open:
            return unavailable(passage, why)
        passage.outbox.event(
            "IC.TRANSACTION_PREVALIDATION_SKIPPED", passage.transaction, tool=tool.name, reason="fail_open"
        )
        return passage.with_changes(entry=None).hand_on(item_names(item_values(tool, passage.transaction.arguments)))

    def _timer(self, state: State, event: TimerFired, timer_id: str, now: datetime) -> Decision:
        if timer_id not in {timer.timer_id for timer in self.agenda(state).timers}:
            return Decision()
        for validation in state.transactions.values():
            entry = validation.entry
            if entry is None:
                continue
            passage = Passage(self._desk, state, event, now, validation)
            if entry.phase is Phase.BACKING_OFF and timer_id == entry.timer_id:
                return passage.keep(entry=entry.queued())
            if timer_id == entry.send_by_timer_id:
                passage.outbox.event(
                    "NOC.MCP_TOOL_FAILED",
                    validation.command.transaction,
                    tool=entry.tool,
                    code="not_sent",
                    attempt=entry.attempt,
                )
                return self._unreachable(passage, "not_sent")
        return state.forget(now, self._installation.timing.session_retention_ms, state.transactions)


def _by_call(state: State, call_id: str) -> Validation | None:
    return next(
        (found for found in state.transactions.values() if found.entry is not None and found.entry.call_id == call_id),
        None,
    )
