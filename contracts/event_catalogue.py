"""Every event the pipeline emits: what it means, who emits it, what is in its payload. Source: SPEC-012 section 13, DESIGN 8.

Owns: the names and the payload fields that dashboards may lean on; the envelope around them is contracts/event_envelope.py.
Invariants: an event that the code emits is here with all its payload fields, and nothing else is (tests/contracts/test_event_catalogue.py).
A payload field is left out where it has no value. Never: personal data, in any field.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class EventSpec:
    """One event."""

    name: str
    """Such as `IC.AGENT_COMPLETED`: family, dot, what happened."""
    meaning: str
    """When it is emitted, in a sentence."""
    stages: tuple[str, ...]
    """The stages that emit it."""
    payload: tuple[str, ...]
    """Fields its payload may have, of PAYLOAD."""

    @property
    def family(self) -> str:
        """IC, NOC or GRL: also the last part of the topic's name, in small letters."""
        return self.name.split(".", 1)[0]


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One payload field, the same in every event that has it."""

    schema: dict[str, Any]
    """Its type, as JSON Schema."""
    meaning: str
    """What it says."""


TEXT, COUNT, NUMBER, FLAG = (
    {"type": "string"},
    {"type": "integer", "minimum": 0},
    {"type": "number"},
    {"type": "boolean"},
)
NAMES: dict[str, Any] = {"type": "array", "items": {"type": "string"}}

PAYLOAD: dict[str, FieldSpec] = {
    "amended": FieldSpec(FLAG, "Whether an amendment of an open question was refused."),
    "arguments": FieldSpec(NAMES, "Names of the arguments that are missing; never their values."),
    "arguments_count": FieldSpec(COUNT, "How many arguments the first message gave."),
    "askable": FieldSpec(FLAG, "False: the argument comes from the gateway, so the customer can't be asked for it."),
    "asked_times": FieldSpec(COUNT, "How often this argument was asked for in a row."),
    "attempt": FieldSpec(COUNT, "Which attempt it was, from 1."),
    "attempts": FieldSpec(COUNT, "How many attempts were made."),
    "channel": FieldSpec(TEXT, "The channel of the message."),
    "characters": FieldSpec(COUNT, "Length of the text."),
    "code": FieldSpec(TEXT, "Why, as a code, such as `timeout`."),
    "deferred_count": FieldSpec(COUNT, "How many further requests of the same message wait for this one to end."),
    "error": FieldSpec(TEXT, "Kind of the error, as a code."),
    "extraction": FieldSpec(
        {"type": "object", "additionalProperties": {"type": "string"}},
        "The language rule that read each argument, by the argument's name.",
    ),
    "failures": FieldSpec(COUNT, "Failed calls in a row."),
    "fate": FieldSpec(TEXT, "What became of the call: answered, refused or unknown."),
    "field": FieldSpec(TEXT, "The field at fault, as a dotted path."),
    "fields": FieldSpec(NAMES, "Fields of the business context that would have given the arguments."),
    "idempotency_key": FieldSpec(TEXT, "Key of the call, to look it up at the tool's side."),
    "input": FieldSpec(TEXT, "The input that failed: `topic/partition/offset`, or the call or timer."),
    "interrupted": FieldSpec(FLAG, "Voice: the turn broke off."),
    "items_count": FieldSpec(COUNT, "Number of items."),
    "items_failed_count": FieldSpec(COUNT, "Items that were not done."),
    "items_succeeded_count": FieldSpec(COUNT, "Items that were done."),
    "kept": FieldSpec(
        {"type": ["boolean", "string"]},
        "With MESSAGE_WAITING: whether the message was kept. With BUSINESS_KEY_CHANGED: keyed hash of the value that stays.",
    ),
    "key": FieldSpec(TEXT, "Name of the business key; never its value."),
    "late_reply": FieldSpec(FLAG, "Whether a reply that came too late told of it."),
    "latency_ms": FieldSpec(COUNT, "From sending to answer, milliseconds."),
    "message_bytes": FieldSpec(COUNT, "Length of the customer's message, bytes of UTF-8."),
    "missing_count": FieldSpec(COUNT, "How many arguments are still missing."),
    "multi_item_status": FieldSpec(TEXT, "SUCCESS, PARTIAL_SUCCESS or FAILED; of two or more items."),
    "number": FieldSpec(COUNT, "The partition number concerned."),
    "ok": FieldSpec(FLAG, "What the tool said of the whole call."),
    "open_transaction": FieldSpec(FLAG, "Whether the conversation had an open transaction."),
    "operation": FieldSpec(TEXT, "What the AI gateway was asked for."),
    "operation_type": FieldSpec(TEXT, "transactional or read_only."),
    "origin": FieldSpec(TEXT, "The record concerned: `topic/partition/offset`."),
    "parameter": FieldSpec(TEXT, "Name of the argument; never its value."),
    "partition": FieldSpec(TEXT, "The partition concerned: `topic/number`."),
    "partitions": FieldSpec(COUNT, "How many partitions stalled."),
    "position": FieldSpec(TEXT, "The record that was dead-lettered: `topic/partition/offset`."),
    "probe_in_s": FieldSpec(NUMBER, "Seconds until the server is tried again."),
    "question": FieldSpec(FLAG, "Whether the reply was a question about the proposal."),
    "reason": FieldSpec(TEXT, "Why, as a code or in words for operators."),
    "recovery": FieldSpec(TEXT, "What the tool's policy says of lost answers: retry, status or report."),
    "replica": FieldSpec(TEXT, "Name of the replica."),
    "response_id": FieldSpec(TEXT, "`metadata.response_id` of the answer."),
    "revision": FieldSpec(COUNT, "How often the arguments were proposed, from 1."),
    "round": FieldSpec(COUNT, "Which round of item retries it is, from 1."),
    "rule": FieldSpec(TEXT, "The language or routing rule that decided."),
    "score": FieldSpec(NUMBER, "How near the router found the meaning, 0 to 1."),
    "server": FieldSpec(TEXT, "Name of the MCP server."),
    "status": FieldSpec(TEXT, "Status of the transaction."),
    "target_tool": FieldSpec(TEXT, "The tool that the validator moved the call to."),
    "times": FieldSpec(COUNT, "How often the question was answered unclearly."),
    "tool": FieldSpec(TEXT, "Name of the tool."),
    "validator": FieldSpec(TEXT, "Name of the validator tool."),
    "values_count": FieldSpec(COUNT, "How many values the AI gateway gave that were not taken."),
    "verdict": FieldSpec(TEXT, "What the reply said."),
    "waiting_count": FieldSpec(COUNT, "How many messages wait."),
    "why": FieldSpec(TEXT, "What was wrong, in words for operators."),
}

_CONFIRMING = ("tool", "revision")

EVENTS: tuple[EventSpec, ...] = (
    EventSpec(
        "IC.GATEWAY_RECEIVED",
        "A message of a customer was received.",
        ("reconcile",),
        ("channel", "message_bytes", "interrupted"),
    ),
    EventSpec("IC.MESSAGE_DUPLICATE", "A message came again and has no effect.", ("reconcile",), ("origin",)),
    EventSpec(
        "IC.MESSAGE_WAITING",
        "A message waits for the running transaction; or too many wait, and it was answered at once.",
        ("reconcile",),
        ("waiting_count", "kept"),
    ),
    EventSpec(
        "IC.INTENT_DETECTED",
        "It is known which tool the customer means: a transaction begins.",
        ("reconcile",),
        ("tool", "rule", "score", "deferred_count", "arguments_count", "extraction"),
    ),
    EventSpec(
        "IC.INTENT_NOT_UNDERSTOOD",
        "Nothing that can be done here was recognised; the customer is told what can.",
        ("reconcile",),
        ("rule", "status"),
    ),
    EventSpec(
        "IC.TRANSACTION_PARAMETERS_REQUIRED",
        "An argument is missing: the customer is asked for it.",
        ("reconcile",),
        ("parameter", "missing_count", "asked_times", "error", "rule", "askable"),
    ),
    EventSpec(
        "IC.TRANSACTION_ABANDONED",
        "The customer gave the request up.",
        ("reconcile", "confirm"),
        ("rule", "parameter", *_CONFIRMING),
    ),
    EventSpec(
        "IC.TRANSACTION_REPLACED",
        "The customer wants something else instead.",
        ("reconcile", "confirm"),
        ("rule", "parameter", *_CONFIRMING),
    ),
    EventSpec(
        "IC.TRANSACTION_EXPIRED",
        "Nobody answered the question for an argument in time.",
        ("reconcile",),
        ("parameter",),
    ),
    EventSpec(
        "IC.TRANSACTION_PREVALIDATION_REQUESTED",
        "The validator tool is asked.",
        ("pre-validate",),
        ("tool", "validator", "revision", "items_count"),
    ),
    EventSpec(
        "IC.TRANSACTION_PREVALIDATION_SKIPPED",
        "There is no validator, or it was away and the policy lets the request pass.",
        ("pre-validate",),
        ("tool", "reason"),
    ),
    EventSpec(
        "IC.TRANSACTION_PREVALIDATION_PASSED",
        "The validator said yes, and its canonical arguments were taken.",
        ("pre-validate",),
        ("tool", "target_tool", "items_count", "attempts"),
    ),
    EventSpec(
        "IC.TRANSACTION_PREVALIDATION_REJECTED",
        "The validator said no: out of scope.",
        ("pre-validate",),
        ("tool", "reason", "items_count", "amended"),
    ),
    EventSpec(
        "IC.TRANSACTION_PREVALIDATION_PARAMETER_REJECTED",
        "The validator refused one argument: the customer is asked for it again.",
        ("pre-validate",),
        ("tool", "parameter"),
    ),
    EventSpec(
        "IC.TRANSACTION_PREVALIDATION_FAILED",
        "It could not be checked now; nothing was done.",
        ("pre-validate",),
        ("tool", "reason"),
    ),
    EventSpec(
        "IC.TRANSACTION_CONFIRMATION_REQUIRED",
        "The customer was shown the whole set and asked for the one yes.",
        ("confirm",),
        (*_CONFIRMING, "items_count"),
    ),
    EventSpec("IC.TRANSACTION_CONFIRMATION_SKIPPED", "The policies ask for no confirmation.", ("confirm",), ("tool",)),
    EventSpec(
        "IC.TRANSACTION_CONFIRMATION_ACCEPTED",
        "The customer said yes to exactly what was shown.",
        ("confirm",),
        (*_CONFIRMING, "items_count", "rule"),
    ),
    EventSpec("IC.TRANSACTION_CONFIRMATION_DECLINED", "The customer said no.", ("confirm",), _CONFIRMING),
    EventSpec(
        "IC.TRANSACTION_CONFIRMATION_AMENDED",
        "The customer changed the set or an argument: a new revision follows.",
        ("confirm",),
        (*_CONFIRMING, "rule"),
    ),
    EventSpec(
        "IC.TRANSACTION_CONFIRMATION_UNCLEAR",
        "The reply was neither yes nor no: the question is asked again, more plainly.",
        ("confirm",),
        (*_CONFIRMING, "times", "question", "rule"),
    ),
    EventSpec(
        "IC.TRANSACTION_CONFIRMATION_EXPIRED",
        "The question was not answered in time; a yes that comes later executes nothing.",
        ("confirm",),
        (*_CONFIRMING, "late_reply"),
    ),
    EventSpec(
        "IC.MCP_TOOL_REQUESTED",
        "The tool is about to be called with the collection.",
        ("execute",),
        (*_CONFIRMING, "items_count", "operation_type"),
    ),
    EventSpec(
        "IC.MCP_ITEM_RETRIED",
        "Items that failed for a passing reason are tried again, before the answer.",
        ("execute",),
        ("tool", "items_count", "round"),
    ),
    EventSpec(
        "IC.MCP_TOOL_EXECUTED",
        "The tool answered.",
        ("execute",),
        ("tool", "ok", "latency_ms", "attempts", "items_count", "items_succeeded_count"),
    ),
    EventSpec(
        "IC.TRANSACTION_COMPLETED",
        "The transaction ended with a known fate of every item.",
        ("normalize",),
        (
            "tool",
            "status",
            "multi_item_status",
            "fate",
            "attempts",
            "items_count",
            "items_succeeded_count",
            "items_failed_count",
        ),
    ),
    EventSpec(
        "IC.TRANSACTION_OUTCOME_UNKNOWN",
        "The transaction ended without anybody knowing whether it was done; the customer is told so.",
        ("normalize",),
        ("tool", "status", "multi_item_status", "fate", "attempts", "items_count"),
    ),
    EventSpec(
        "IC.AGENT_COMPLETED",
        "The answer that ends the transaction was published.",
        ("normalize",),
        ("tool", "operation_type", "channel", "response_id", "characters"),
    ),
    EventSpec(
        "NOC.CONTRACT_REJECTED",
        "A request can't be accepted: it is in `dlq.reconcile`, and the field is named.",
        ("reconcile",),
        ("field", "error", "reason", "origin", "open_transaction"),
    ),
    EventSpec(
        "NOC.DLQ",
        "A record between stages could not be read or decided: it is in the dead-letter topic of the stage.",
        ("reconcile", "pre-validate", "confirm", "execute", "normalize"),
        ("field", "error", "reason", "origin", "position"),
    ),
    EventSpec(
        "NOC.BUSINESS_KEY_MISSING",
        "The gateway did not give the business context that the tool needs.",
        ("reconcile", "pre-validate"),
        ("tool", "arguments", "fields"),
    ),
    EventSpec(
        "NOC.PREVALIDATION_CONTRACT_ERROR",
        "The validator's answer does not keep its contract.",
        ("pre-validate",),
        ("tool", "why"),
    ),
    EventSpec(
        "NOC.LLM_FAILED",
        "The AI gateway gave nothing usable; the answer did without it.",
        ("reconcile", "normalize"),
        ("operation", "code", "attempt", "values_count"),
    ),
    EventSpec(
        "NOC.MCP_TIMEOUT", "A tool did not answer in time.", ("pre-validate", "execute"), ("tool", "code", "attempt")
    ),
    EventSpec(
        "NOC.MCP_TOOL_FAILED",
        "A call failed or was refused.",
        ("pre-validate", "execute"),
        ("tool", "code", "attempt", "attempts"),
    ),
    EventSpec(
        "NOC.MCP_OUTCOME_UNKNOWN",
        "A call may have been executed, and nobody can tell: somebody should look.",
        ("execute",),
        ("tool", "code", "recovery", "attempts", "idempotency_key"),
    ),
    EventSpec(
        "NOC.MCP_CIRCUIT_OPENED",
        "An MCP server fails again and again: it is left alone for a while.",
        ("pre-validate", "execute"),
        ("tool", "code", "attempt", "server", "failures", "probe_in_s", "replica"),
    ),
    EventSpec(
        "NOC.STAGE_RETRY",
        "An input could not be decided and is tried again.",
        ("reconcile", "pre-validate", "confirm", "execute", "normalize"),
        ("input", "attempt", "error", "number"),
    ),
    EventSpec(
        "NOC.TASK_RESTARTED",
        "A partition number started again after a failure.",
        ("reconcile", "pre-validate", "confirm", "execute", "normalize"),
        ("number", "replica", "reason"),
    ),
    EventSpec(
        "NOC.RUNTIME_FAILED",
        "Something stopped or holds work up and wants a person.",
        ("reconcile", "pre-validate", "confirm", "execute", "normalize"),
        (
            "number",
            "replica",
            "reason",
            "input",
            "attempt",
            "error",
            "partition",
            "partitions",
            "status",
            "waiting_count",
        ),
    ),
    EventSpec("GRL.INPUT_BLOCKED", "A message had no readable character.", ("reconcile",), ("rule",)),
    EventSpec(
        "GRL.TOOL_DENIED",
        "A tool was named, chosen or about to be called that is not allowed here.",
        ("reconcile", "pre-validate", "execute"),
        ("tool", "rule", "reason"),
    ),
    EventSpec(
        "GRL.BUSINESS_KEY_CHANGED",
        "A message came with another business key than the session has: it is ignored.",
        ("reconcile",),
        ("key", "kept"),
    ),
    EventSpec(
        "GRL.CONFIRMATION_STALE",
        "A verdict on something that was not shown last: nothing is executed.",
        ("confirm",),
        ("revision", "verdict"),
    ),
    EventSpec(
        "GRL.CONFIRMATION_FOREIGN",
        "A verdict from another conversation or another user: nothing is executed.",
        ("confirm",),
        ("revision", "verdict", "why"),
    ),
    EventSpec(
        "GRL.COMPOSITION_REJECTED",
        "The wording of a model left an item out or changed a fate: the plain wording was used.",
        ("normalize",),
        ("reason", "characters"),
    ),
)
