"""One transaction as its events and answers tell it: how it ended, what it asked, where items went. Pure.

Owns: which event means which step, and the comparison of item counts from step to step.
Invariants: fixed size, but for the last question's text, which is dropped with the answer. Events of one transaction come in the order in
which they were published (one key, one partition of `events.ic`), its responses too; between the two no order is assumed.
Source: DESIGN 2, 8.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from shlex import quote

from consumers.evaluate.naming import Naming
from contracts.channel_response import ChannelResponse, ResponseKind
from contracts.event_envelope import EventEnvelope
from contracts.status import ItemOutcome, MultiItemStatus, Status


class Ending(StrEnum):
    """How a transaction ended; the first five after the call was handed to the tool."""

    SUCCESS = "success"
    PARTIAL = "partial"
    FAILED = "failed"
    UNKNOWN = "unknown"
    DEAD_LETTERED = "dead_lettered"
    DECLINED = "declined"
    ABANDONED = "abandoned"
    REPLACED = "replaced"
    EXPIRED = "expired"
    OUT_OF_SCOPE = "out_of_scope"
    PREVALIDATION_ERROR = "prevalidation_error"

    @property
    def executed(self) -> bool:
        """Whether the tool's answer, or the lack of one, ended it."""
        return self in EXECUTED


EXECUTED = (Ending.SUCCESS, Ending.PARTIAL, Ending.FAILED, Ending.UNKNOWN)

OF_EVENT = {
    "IC.TRANSACTION_OUTCOME_UNKNOWN": Ending.UNKNOWN,
    "IC.TRANSACTION_PREVALIDATION_REJECTED": Ending.OUT_OF_SCOPE,
    "IC.TRANSACTION_PREVALIDATION_FAILED": Ending.PREVALIDATION_ERROR,
    "IC.TRANSACTION_CONFIRMATION_DECLINED": Ending.DECLINED,
    "IC.TRANSACTION_ABANDONED": Ending.ABANDONED,
    "IC.TRANSACTION_REPLACED": Ending.REPLACED,
    "IC.TRANSACTION_CONFIRMATION_EXPIRED": Ending.EXPIRED,
    "IC.TRANSACTION_EXPIRED": Ending.EXPIRED,
    "NOC.DLQ": Ending.DEAD_LETTERED,
}
OF_STATUS = {
    Status.COMPLETED: Ending.SUCCESS,
    Status.FAILED: Ending.FAILED,
    Status.OUTCOME_UNKNOWN: Ending.UNKNOWN,
    Status.OUT_OF_SCOPE: Ending.OUT_OF_SCOPE,
    Status.PREVALIDATION_ERROR: Ending.PREVALIDATION_ERROR,
    Status.CANCELLED: Ending.ABANDONED,
    Status.EXPIRED: Ending.EXPIRED,
}
"""For a transaction that an answer ended and no event (more items than the limit, say)."""
NAME_MAX = 256
"""Characters of the name of an agent or a tool: metrics of both have to fit into a contract's Name."""
VERDICTS = frozenset({"ACCEPTED", "DECLINED", "AMENDED", "UNCLEAR"})
CONFIRMATION = "IC.TRANSACTION_CONFIRMATION_"


@dataclass(slots=True, kw_only=True)
class Journey:
    """What is known of one transaction."""

    transaction_id: str
    conversation: str = ""
    agent: str = ""
    tool: str = ""
    read_only: bool = False
    opening_message: str = ""
    deferred: bool = False
    """A further request of a message that opened another transaction: it waited for that one to end."""
    began_at: datetime | None = None
    """IC.INTENT_DETECTED; None: not seen."""
    ended_at: datetime | None = None
    last_at: datetime | None = None
    ending: Ending | None = None

    asked: int | None = None
    """Items of the request in its present revision, as handed to the validator."""
    passed: int | None = None
    """Items that the validator let pass."""
    shown: int | None = None
    """Items that the customer was asked about."""
    accepted: int | None = None
    """Items that the customer said yes to."""
    called: int | None = None
    """Items that the tool was called with."""
    told: int | None = None
    """Items whose fate the answer tells; None while there is no answer with fates."""
    set_aside: int = 0
    """Items that a validator took out before the question."""
    lost_before_question: int = 0
    lost_before_call: int = 0

    questions: int = 0
    """Everything the customer was asked: parameters, confirmations, repetitions."""
    proposals: int = 0
    """Revisions that were proposed."""
    amendments: int = 0
    unclear: int = 0
    """Replies that were no verdict and no question about the proposal."""
    replies: int = 0
    """Replies to a confirmation."""

    question_at: datetime | None = None
    question_text: str | None = None
    answer_at: datetime | None = None
    answer_message: str | None = None
    done: int = 0
    failed: int = 0
    unsure: int = 0
    unnamed: int = 0
    """Items that the final text does not name, where the text is ours."""
    unnamed_by_validator: int = 0
    """Items that a refusal does not name: it is told in the validator's own words."""
    not_asked: int = 0
    """Items of the final answer that the last question did not name."""
    counted: int = 0
    """Items that the final text on a narrow channel counts in words instead of naming them."""
    ended_by_event: bool = False

    # --- events ----------------------------------------------------------------------------------------------------------

    def event(self, event: EventEnvelope) -> None:
        """Take the next event about this transaction."""
        kind, payload = event.event_type, event.payload
        self.conversation = event.conversation_key or self.conversation
        self.agent = event.agent_id or self.agent
        self.last_at = event.timestamp if self.last_at is None else max(self.last_at, event.timestamp)
        step = STEPS.get(kind)
        if step is not None:
            step(self, event)
        if kind.startswith("IC.") and payload.get("tool") and kind in OF_TOOL:
            self.tool = str(payload["tool"])[:NAME_MAX]
        if "operation_type" in payload:
            self.read_only = payload["operation_type"] == "read_only"
        self._reply(kind, question=payload.get("question") is True)
        ending = self._ending(event)
        if ending is not None:
            self.ending, self.ended_at, self.ended_by_event = ending, event.timestamp, True

    def _reply(self, kind: str, *, question: bool) -> None:
        verdict = kind.removeprefix(CONFIRMATION) if kind.startswith(CONFIRMATION) else ""
        if verdict in VERDICTS or (kind in {"IC.TRANSACTION_ABANDONED", "IC.TRANSACTION_REPLACED"} and self.shown):
            self.replies += 1
        self.amendments += verdict == "AMENDED"
        self.unclear += verdict == "UNCLEAR" and not question

    def _ending(self, event: EventEnvelope) -> Ending | None:
        if event.event_type == "NOC.DLQ" and self.ended_by_event:
            return None  # a record about a transaction that had ended
        if event.event_type != "IC.TRANSACTION_COMPLETED":
            return OF_EVENT.get(event.event_type)
        if event.payload.get("multi_item_status") == MultiItemStatus.PARTIAL_SUCCESS:
            return Ending.PARTIAL
        return Ending.FAILED if event.payload.get("status") == Status.FAILED else Ending.SUCCESS

    def opened(self, event: EventEnvelope) -> None:
        """IC.INTENT_DETECTED."""
        self.began_at = event.timestamp
        self.opening_message = event.message_id or ""

    def requested(self, event: EventEnvelope) -> None:
        """IC.TRANSACTION_PREVALIDATION_REQUESTED: a new revision, or a validator behind a validator."""
        self.asked, self.passed = items_of(event), None
        self.shown = self.accepted = None

    def validated(self, event: EventEnvelope) -> None:
        """IC.TRANSACTION_PREVALIDATION_PASSED."""
        self.passed = items_of(event)
        self.set_aside += shortfall(self.asked, self.passed)

    def unvalidated(self, event: EventEnvelope) -> None:
        """IC.TRANSACTION_PREVALIDATION_SKIPPED."""
        self.asked = self.asked if event.payload.get("reason") == "fail_open" else None
        self.passed = self.shown = self.accepted = None

    def proposed(self, event: EventEnvelope) -> None:
        """IC.TRANSACTION_CONFIRMATION_REQUIRED."""
        self.shown = items_of(event)
        self.proposals += 1
        self.lost_before_question += shortfall(self.passed if self.passed is not None else self.asked, self.shown)

    def agreed(self, event: EventEnvelope) -> None:
        """IC.TRANSACTION_CONFIRMATION_ACCEPTED."""
        self.accepted = items_of(event)
        self.lost_before_call += shortfall(self.shown, self.accepted)

    def executed(self, event: EventEnvelope) -> None:
        """IC.MCP_TOOL_REQUESTED."""
        self.called = items_of(event)
        before = (self.accepted, self.shown, self.passed, self.asked)
        self.lost_before_call += shortfall(next((count for count in before if count is not None), None), self.called)

    # --- responses -------------------------------------------------------------------------------------------------------

    def response(self, response: ChannelResponse, at: datetime, naming: Naming) -> None:
        """Take the next response about this transaction; `at`: when it was published."""
        metadata = response.metadata
        self.conversation = response.session_id
        self.agent = metadata.agent_id
        self.last_at = at if self.last_at is None else max(self.last_at, at)
        match metadata.kind:
            case ResponseKind.QUESTION | ResponseKind.CONFIRMATION:
                self.questions += 1
                self.question_at = self.question_at or at
                if metadata.kind is ResponseKind.CONFIRMATION:
                    self.question_text = response.text
            case ResponseKind.FINAL:
                self._answered(response, at, naming)
            case ResponseKind.NOTICE:
                pass

    def _answered(self, response: ChannelResponse, at: datetime, naming: Naming) -> None:
        metadata = response.metadata
        self.answer_at = at
        self.answer_message = metadata.message_id if metadata.status is not Status.EXPIRED else None
        self.tool = metadata.intent[:NAME_MAX] or self.tool
        if self.ending is None and metadata.status in OF_STATUS:
            partial = metadata.multi_item_status is MultiItemStatus.PARTIAL_SUCCESS
            self.ending, self.ended_at = Ending.PARTIAL if partial else OF_STATUS[metadata.status], at
        outcomes = [item.outcome for item in metadata.items]
        self.done = outcomes.count(ItemOutcome.SUCCEEDED)
        self.unsure = outcomes.count(ItemOutcome.UNKNOWN)
        self.failed = len(outcomes) - self.done - self.unsure
        self.told = len(outcomes) or None
        names = [item.subject for item in metadata.items]
        said = naming.look(response.channel, response.text, names)
        if metadata.status is Status.OUT_OF_SCOPE:
            self.unnamed_by_validator = said.missing
        else:
            self.unnamed, self.counted = said.missing, said.counted
        if self.question_text is not None and names:
            self.not_asked = naming.look(response.channel, self.question_text, names).missing
        self.question_text = None

    # --- what it comes to ------------------------------------------------------------------------------------------------

    @property
    def command(self) -> str:
        """How to look at it in a shell; others may have written these ids."""
        return f"python -m consumers trace {quote(self.conversation)} --transaction {quote(self.transaction_id)}"

    @property
    def expects_answer(self) -> bool:
        """Whether somebody has to have been told how it ended."""
        return self.ending is not None and (self.ending.executed or self.ending is Ending.DEAD_LETTERED)

    @property
    def lost_before_answer(self) -> int:
        """Confirmed items whose fate nobody was told."""
        taken = self.called if self.called is not None else self.accepted
        return shortfall(taken, self.told or 0) if self.expects_answer else 0

    @property
    def unasked(self) -> int:
        """Items done or tried under a yes to a question that did not name them.

        One confirmed text may have named several items, and a tool may tell of more than it was asked: then nothing is compared.
        """
        return self.not_asked if self.accepted is not None and self.accepted == self.told else 0

    @property
    def lost(self) -> int:
        """Items lost anywhere."""
        return self.lost_before_question + self.lost_before_call + self.lost_before_answer


def items_of(event: EventEnvelope) -> int | None:
    """The payload's count of items; None where it has none."""
    count = event.payload.get("items_count")
    return count if isinstance(count, int) and not isinstance(count, bool) else None


def shortfall(before: int | None, after: int | None) -> int:
    """How many fewer; 0 where one is not known."""
    return 0 if before is None or after is None else max(0, before - after)


STEPS: dict[str, Callable[[Journey, EventEnvelope], None]] = {
    "IC.INTENT_DETECTED": Journey.opened,
    "IC.TRANSACTION_PREVALIDATION_REQUESTED": Journey.requested,
    "IC.TRANSACTION_PREVALIDATION_PASSED": Journey.validated,
    "IC.TRANSACTION_PREVALIDATION_SKIPPED": Journey.unvalidated,
    "IC.TRANSACTION_CONFIRMATION_REQUIRED": Journey.proposed,
    "IC.TRANSACTION_CONFIRMATION_ACCEPTED": Journey.agreed,
    "IC.MCP_TOOL_REQUESTED": Journey.executed,
}
OF_TOOL = frozenset({"IC.INTENT_DETECTED", *(kind for kind in STEPS if "PREVALIDATION" not in kind), *OF_EVENT})
"""Events whose payload names the transaction's own tool, not a validator."""
