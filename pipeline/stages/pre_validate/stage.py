"""The gate before the question: allowed, complete, within the limits, and eligible by the tool's own validator.

Owns: the passage of one transaction through the gate, also when a validator moves it to another tool.
Invariants: a tool reached over target_tool passes the whole gate, is validated once, and never needs less confirmation than a tool on
the way; fail_open covers transport failure only; a transaction leaves the gate by exactly one record (confirm or status).
Never: confirms, has side effects, caches a validation. Source: DESIGN 7 (Pre-validate).
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from contracts.base import Contract
from contracts.channel_response import ItemFate, ResponseKind
from contracts.checkpoint import Checkpoint
from contracts.confirm_command import ConfirmCommand, ProposeCommand
from contracts.identity import request_key
from contracts.pre_validate_command import PreValidateCommand
from contracts.status import ItemOutcome, Status
from contracts.transaction import Transaction
from contracts.transaction_status import TransactionStatus
from pipeline import topology
from pipeline.answers import MALFORMED_CODES, failure_event, is_code
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
    cause_of,
)
from pipeline.language.messages import Catalogue
from pipeline.language.typography import bare_noun
from pipeline.language.wording import Wording
from pipeline.ledger import LedgerEntry, Phase
from pipeline.outbox import Outbox
from pipeline.policy import Installation, Recovery, Tool, arguments_for, is_filled, localized, mapped_arguments
from pipeline.proposal import item_names, item_values
from pipeline.rejection import reject
from pipeline.remembered import Activity, Remembered
from pipeline.stages.pre_validate.memory import Validation
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

State = Remembered[Validation]

TOOLS_MAX = 3
"""Tools that one transaction may be validated for: validators that hand on for ever are stopped."""

UNKNOWN_ATTEMPTS_MAX = 3
"""Attempts of a validator whose answer was lost: the customer waits meanwhile."""


class PreValidate:
    """The stage as its shell sees it."""

    def __init__(self, installation: Installation, messages: Catalogue) -> None:
        self._installation = installation
        self._messages = messages

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
        retention = () if entries else state.retention(self._installation.timing.session_retention_ms)
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
            text=lambda turn: self._wording_of(turn.locale, turn.channel).say("rejected.not_done"),
        )

    def decide(self, state: State, event: Input, now: datetime) -> Decision:
        match event:
            case Received(value=PreValidateCommand() as command):
                known = state.transactions.get(command.transaction.transaction_id)
                if known and known.command.transaction.revision >= command.transaction.revision:
                    return Decision()
                return self._gate(_Passage(self, state, event, now, Validation(command=command, size=event.size)))
            case Received():
                raise ContractViolation("", "must be a PreValidateCommand")
            case TimerFired(timer_id=timer_id):
                return self._timer(state, event, timer_id, now)
            case CallGranted(call_id=call_id) | CallReturned(call_id=call_id) | CallLost(call_id=call_id):
                found = _by_call(state, call_id)
                return self._call(_Passage(self, state, event, now, found), event) if found else Decision()

    # --- the gate ----------------------------------------------------------------------------------------------------

    def _gate(self, passage: "_Passage") -> Decision:
        transaction = passage.transaction
        tool = self._allowed(passage)
        if tool is None:
            passage.outbox.event("GRL.TOOL_DENIED", transaction, tool=transaction.tool)
            return passage.close(Status.OUT_OF_SCOPE, "tool_denied", passage.wording.say("prevalidate.denied"))
        arguments = {**mapped_arguments(tool, passage.context), **transaction.arguments}
        missing = [name for name in tool.requires if not is_filled(arguments.get(name))]
        if missing:
            return self._ask(passage, tool, missing[0], None)
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
            return self._malformed(passage, "validators hand the transaction on without end")
        return self._request(passage, tool, self._installation.tools[policy.tool], len(names))

    def _allowed(self, passage: "_Passage") -> Tool | None:
        turn = passage.turn
        tool = self._installation.tool_for(turn.agent_id, passage.transaction.tool)
        if tool is None or tool.spec.tool_type not in {"action", "query"}:
            return None
        return tool if self._installation.agent_allowed(turn.agent_id, turn.tenant_id) else None

    def _request(self, passage: "_Passage", tool: Tool, validator: Tool, items_count: int) -> Decision:
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

    def _call(self, passage: "_Passage", event: CallGranted | CallReturned | CallLost) -> Decision:
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

    def _answered(self, passage: "_Passage", answer: CallAnswer) -> Decision:
        if answer.outcome in {CallOutcome.NOT_SENT, CallOutcome.UNKNOWN}:
            return self._unanswered(passage, answer)
        tool = self._allowed(passage)
        if tool is None:  # the configuration changed while the validator was asked
            return self._gate(passage)
        match read_verdict(answer, passage.entry.tool, tool):
            case Eligible() as verdict:
                return self._passed(passage, tool, verdict)
            case NeedsParameter(parameter=parameter, message=message):
                return self._ask(passage, tool, parameter, message)
            case Refused(reason=reason, message=message):
                return self._refused(passage, tool, reason, message)
            case Malformed(why=why):
                return self._malformed(passage, why)
            case Failed(why=why):
                passage.outbox.event(
                    "NOC.MCP_TOOL_FAILED",
                    passage.transaction,
                    tool=passage.entry.tool,
                    code=why,
                    attempt=passage.entry.attempt,
                )
                return self._unavailable(passage, why)

    def _passed(self, passage: "_Passage", tool: Tool, verdict: Eligible) -> Decision:
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
            return self._malformed(onward, "validators hand the transaction back")
        return self._gate(onward)

    def _ask(self, passage: "_Passage", tool: Tool, parameter: str, message: str | None) -> Decision:
        """Ask for one argument again, or for the first time when a target tool needs it; the others stay."""
        transaction = passage.transaction
        if parameter not in tool.collected:
            return self._unavailable(passage, "missing_business_key")
        spec = tool.spec.args_schema[parameter]
        locale = passage.turn.locale
        prompt = localized(spec.user_prompt, locale)
        label = bare_noun(localized(spec.label, locale) or "")
        text = (
            passage.wording.foreign(message or prompt or "")
            or (passage.wording.say("prevalidate.parameter", label=label) if label else "")
            or passage.wording.say("prevalidate.parameter_unnamed")
        )
        passage.outbox.event(
            "IC.TRANSACTION_PREVALIDATION_PARAMETER_REJECTED", transaction, tool=tool.name, parameter=parameter
        )
        kept = {name: value for name, value in transaction.arguments.items() if name != parameter}
        passage.outbox.respond(text, ResponseKind.QUESTION, transaction, status=Status.COLLECTING_PARAMETERS)
        return passage.tell(
            Status.COLLECTING_PARAMETERS, arguments=kept, parameter=parameter, parameter_message=message or text
        )

    def _refused(self, passage: "_Passage", tool: Tool, reason: str | None, message: str | None) -> Decision:
        transaction, wording = passage.transaction, passage.wording
        names = item_names(item_values(tool, transaction.arguments))
        amended = passage.validation.command.amended
        code = reason if reason and is_code(reason) else None
        passage.outbox.event(
            "IC.TRANSACTION_PREVALIDATION_REJECTED",
            transaction,
            tool=tool.name,
            reason=code,
            items_count=len(names),
            amended=amended,
        )
        if message:
            tail = wording.say("prevalidate.amended_closed") if amended else ""
            text = wording.sentences(wording.foreign(message), tail)
        else:
            said = wording.reason(reason)
            key = "prevalidate.amended_refused" if amended else "prevalidate.refused"
            text = wording.about(f"{key}_reason" if said else key, tool, names, **({"reason": said} if said else {}))
        return passage.close(Status.OUT_OF_SCOPE, "not_eligible", text, names=names, reason=reason)

    def _malformed(self, passage: "_Passage", why: str) -> Decision:
        passage.outbox.event(
            "NOC.PREVALIDATION_CONTRACT_ERROR", passage.transaction, tool=passage.transaction.tool, why=why
        )
        return self._unavailable(passage, "contract_error")

    def _unavailable(self, passage: "_Passage", why: str) -> Decision:
        """Say that it could not be checked now: never that it is not eligible."""
        transaction, wording = passage.transaction, passage.wording
        passage.outbox.event("IC.TRANSACTION_PREVALIDATION_FAILED", transaction, tool=transaction.tool, reason=why)
        tool = self._installation.tools.get(transaction.tool)
        names = item_names(item_values(tool, transaction.arguments))
        if passage.validation.command.amended:
            text = wording.say("prevalidate.amended_unavailable")
        else:
            text = wording.about("prevalidate.unavailable", tool, names)
        return passage.close(Status.PREVALIDATION_ERROR, why, text)

    # --- what the transport says ---------------------------------------------------------------------------------------

    def _unanswered(self, passage: "_Passage", answer: CallAnswer) -> Decision:
        entry, transaction, timing = passage.entry, passage.transaction, self._installation.timing
        if answer.code in MALFORMED_CODES:
            return self._malformed(passage, answer.code or "unreadable")
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

    def _unreachable(self, passage: "_Passage", why: str) -> Decision:
        tool = self._allowed(passage)
        policy = tool.pre_validation if tool else None
        if tool is None or policy is None or not policy.fail_open:
            return self._unavailable(passage, why)
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
            passage = _Passage(self, state, event, now, validation)
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
        return state.forget()

    def floored(self, transaction: Transaction) -> Transaction:
        """Remember that the tool the customer asked for needed confirmation, however the transaction came to another one."""
        asked = self._installation.tools.get(transaction.requested_tool)
        needed = transaction.requested_tool != transaction.tool and asked is not None and asked.needs_confirmation
        return transaction.model_copy(update={"confirmation_floor": transaction.confirmation_floor or needed})

    def _wording_of(self, locale: str, channel: str) -> Wording:
        return Wording.of(self._messages, self._installation, locale, channel)


class _Passage:
    """One decision about one transaction: what is known of it, and what is said."""

    def __init__(
        self,
        stage: PreValidate,
        state: State,
        event: Input,
        now: datetime,
        validation: Validation,
        *,
        outbox: Outbox | None = None,
    ) -> None:
        self._stage = stage
        self._state = state
        self._event = event
        self.validation = validation
        self.turn = validation.command.turn
        self.transaction: Transaction = validation.command.transaction
        self.outbox = outbox or Outbox(
            stage=stage.name, turn=self.turn, cause=cause_of(event), now=now, sequence=state.sequence
        )

    @property
    def wording(self) -> Wording:
        return self._stage._wording_of(self.turn.locale, self.turn.channel)  # noqa: SLF001

    @property
    def context(self) -> dict[str, Any]:
        return self.turn.business_context.model_dump()

    @property
    def entry(self) -> LedgerEntry:
        assert self.validation.entry is not None
        return self.validation.entry

    def with_changes(self, **changes: Any) -> "_Passage":
        changed = self.validation.model_copy(update=changes)
        return _Passage(self._stage, self._state, self._event, self.outbox.now, changed, outbox=self.outbox)

    def keep(self, **changes: Any) -> Decision:
        """The validator is asked: keep the transaction."""
        changed = self.validation.model_copy(update=changes)
        self.outbox.write(self._state.key(self.transaction.transaction_id), changed)
        return self._done()

    def hand_on(self, names: Sequence[str]) -> Decision:
        """Hand the transaction to confirm."""
        command = ProposeCommand(
            turn=self.turn,
            transaction=self._stage.floored(self.transaction),
            items=tuple(names),
            confirmation_message=self.validation.confirmation_message,
            requires_confirmation=self.validation.requires_confirmation,
        )
        self.outbox.send(topology.CONFIRM, ConfirmCommand(command=command))
        return self._ended()

    def close(
        self, status: Status, why: str, text: str, *, names: Sequence[str] = (), reason: str | None = None
    ) -> Decision:
        """Answer and end the transaction."""
        fates = [ItemFate(subject=name, outcome=ItemOutcome.FAILED, reason=reason) for name in names]
        self.outbox.respond(text, ResponseKind.FINAL, self.transaction, status=status, items=fates)
        return self.tell(status, reason=why)

    def tell(self, status: Status, **fields: Any) -> Decision:
        """Tell reconcile where the transaction is now."""
        transaction = self.transaction
        self.outbox.send(
            topology.STATUS,
            TransactionStatus(
                turn=self.turn,
                stage=self._stage.name,
                transaction_id=transaction.transaction_id,
                revision=transaction.revision,
                tool=transaction.tool,
                status=status,
                **fields,
            ),
        )
        return self._ended()

    def _ended(self) -> Decision:
        if self.transaction.transaction_id in self._state.transactions:
            self.outbox.write(self._state.key(self.transaction.transaction_id), None)
        return self._done()

    def _done(self) -> Decision:
        self.outbox.write(self._state.conversation, Activity(last_at=self.outbox.now))
        return self.outbox.decision()


def _by_call(state: State, call_id: str) -> Validation | None:
    return next(
        (found for found in state.transactions.values() if found.entry is not None and found.entry.call_id == call_id),
        None,
    )
