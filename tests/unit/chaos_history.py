"""A history by hand: one conversation that went well; a test breaks one thing in it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from consumers.chaos.history import Arrival, Asked, DeadLetter, Effect, Entry, History, ToolRules
from consumers.chaos.tool_ledger import arguments_digest, request_key_of_all
from contracts.agent_state import AgentState
from contracts.business_context import BusinessContext
from contracts.channel_response import ChannelResponse, ItemFate, ResponseKind, ResponseMetadata
from contracts.checkpoint import Checkpoint
from contracts.confirm_command import ConfirmCommand, VerdictCommand, VerdictKind
from contracts.event_envelope import EventEnvelope
from contracts.execute_command import ExecuteCommand
from contracts.gateway_request import GatewayPayload, GatewayRequest
from contracts.identity import item_key
from contracts.normalize_command import CallFate, NormalizeCommand
from contracts.status import ItemOutcome, Status
from contracts.tool_invocation import ToolInvocation
from contracts.transaction import Confirmation, Proposal, Transaction, Turn
from contracts.transaction_status import TransactionStatus
from pipeline import topology

START = datetime(2026, 11, 30, 12, tzinfo=UTC)
TALK = "default:telecom_contas:s-1"
CUSTOMER = "cliente-1"
TX = "tx_1"
TOOL = "cancelar_produtos"
ITEMS = ({"name": "Neymar Jr", "id": "1003"}, {"name": "HBO Max", "id": "1006"})
NAMES = ("Neymar Jr", "HBO Max")
TOOLS = {
    TOOL: ToolRules(transactional=True, recovery="status"),
    "contestar_cobranca": ToolRules(transactional=True, recovery="report"),
    "cancelar_pedidos": ToolRules(transactional=True, recovery="retry"),
    "consultar_operacao": ToolRules(transactional=False, recovery="retry"),
}


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def turn(message: str, conversation: str = TALK) -> Turn:
    tenant, agent, session = conversation.split(":")
    return Turn(
        conversation_key=conversation,
        tenant_id=tenant,
        agent_id=agent,
        session_id=session,
        channel="web",
        message_id=message,
    )


def asked(offset: int, message: str, **changes: Any) -> Asked:
    request = GatewayRequest(
        channel="web",
        tenant_id="default",
        agent_id="telecom_contas",
        payload=GatewayPayload(
            message="sim",
            session_id="s-1",
            message_id=message,
            business_context=BusinessContext(customer_key=CUSTOMER),
        ),
    )
    fields: dict[str, Any] = {
        "partition": 0,
        "offset": offset,
        "at": at(offset),
        "key": TALK,
        "request": request,
        "conversation": TALK,
        "right": True,
        "moved": False,
    }
    return Asked(**{**fields, **changes})


def entry(topic: str, offset: int, value: Any, key: str = TALK) -> Entry[Any]:
    return Entry(topic=topic, partition=0, offset=offset, at=at(offset), key=key, value=value)


def event(
    offset: int, kind: str, *, stage: str, sequence: int, message: str = "s-1-m0", tx: str | None = None, **payload: Any
) -> Entry[EventEnvelope]:
    value = EventEnvelope(
        event_type=kind,
        timestamp=at(offset),
        tenant_id="default",
        agent_id="telecom_contas",
        session_id="s-1",
        trace_id="",
        payload=payload,
        event_id=f"ev-{stage}-{sequence}",
        conversation_key=TALK,
        message_id=message,
        transaction_id=tx,
        stage=stage,
        sequence=sequence,
    )
    return entry(topology.events(kind), offset, value)


def response(
    offset: int, kind: ResponseKind, message: str, status: Status, items: tuple[ItemFate, ...] = (), **changes: Any
) -> Entry[ChannelResponse]:
    fields: dict[str, Any] = {
        "tenant_id": "default",
        "agent_id": "telecom_contas",
        "message_id": message,
        "session_id": "s-1",
        "transaction_id": TX,
        "revision": 1,
        "status": status,
        "kind": kind,
        "items": list(items),
        "response_id": f"rs-{offset}",
    }
    metadata = ResponseMetadata(**{**fields, **changes})
    return entry(
        "channel.web.responses", offset, ChannelResponse(channel="web", session_id=TALK, text="…", metadata=metadata)
    )


def transaction(arguments: Mapping[str, Any] | None = None, tool: str = TOOL) -> Transaction:
    given = {"items": list(ITEMS)} if arguments is None else dict(arguments)
    return Transaction(transaction_id=TX, tool=tool, requested_tool=tool, arguments=given, opened_at=START)


def status(offset: int, kind: Status, **fields: Any) -> Entry[TransactionStatus]:
    value = TransactionStatus(
        turn=turn("s-1-m0"), stage="confirm", transaction_id=TX, revision=1, tool=TOOL, status=kind, **fields
    )
    return entry(topology.STATUS, offset, value)


PROPOSAL = Proposal(digest="d1", items=NAMES, text="Confirma?", asked_at=at(3), expires_at=at(60))
EXECUTE = ExecuteCommand(
    turn=turn("s-1-m1"),
    transaction=transaction(),
    items=NAMES,
    digest="d1",
    text="Confirma?",
    confirmation=Confirmation(digest="d1", required=True, message_id="s-1-m1", accepted_at=at(5)),
)
KEY = request_key_of_all(EXECUTE)


def verdict(offset: int, **changes: Any) -> Entry[ConfirmCommand]:
    fields: dict[str, Any] = {
        "turn": turn("s-1-m1"),
        "transaction_id": TX,
        "revision": 1,
        "digest": "d1",
        "verdict": VerdictKind.ACCEPT,
        "said_at": at(5),
    }
    return entry(topology.CONFIRM, offset, ConfirmCommand(command=VerdictCommand(**{**fields, **changes})))


def normalize(fate: CallFate = CallFate.ANSWERED, key: str = KEY, **changes: Any) -> NormalizeCommand:
    fields: dict[str, Any] = {
        "turn": turn("s-1-m1"),
        "transaction": transaction(),
        "items": NAMES,
        "item_values": ITEMS,
        "fate": fate,
        "attempts": 1,
        "invocation": ToolInvocation(
            tenant_id="default", agent_id="telecom_contas", tool_name=TOOL, metadata={"idempotency_key": key}
        ),
    }
    return NormalizeCommand(**{**fields, **changes})


def effect(position: int, **changes: Any) -> Effect:
    fields: dict[str, Any] = {
        "customer": CUSTOMER,
        "tool": TOOL,
        "item": ITEMS[position]["id"],
        "request_key": KEY,
        "item_key": item_key(TX, 1, ITEMS[position]),
        "protocol": f"p{position}",
    }
    return Effect(**{**fields, **changes})


def arrival(offset: float, tool: str = TOOL, key: str = KEY, customer: str = CUSTOMER) -> Arrival:
    return Arrival(at=at(offset), tool=tool, customer=customer, request_key=key)


def checkpoint(stage: str, body: Mapping[str, Any], key: str = TALK) -> Checkpoint:
    return Checkpoint(stage=stage, key=key, sequence=1, input_position="x", written_at=START, body=dict(body))


DONE = tuple(
    ItemFate(subject=name, outcome=ItemOutcome.SUCCEEDED, protocol=f"p{number}") for number, name in enumerate(NAMES)
)


def good() -> History:
    """Two messages: a request for two items and a yes; both items done."""
    return History(
        asked=[asked(1, "s-1-m0"), asked(5, "s-1-m1")],
        events=[
            event(2, "IC.GATEWAY_RECEIVED", stage="reconcile", sequence=10),
            event(3, "IC.INTENT_DETECTED", stage="reconcile", sequence=11, tx=TX),
            event(4, "IC.TRANSACTION_CONFIRMATION_REQUIRED", stage="confirm", sequence=1, tx=TX, revision=1),
            event(6, "IC.GATEWAY_RECEIVED", stage="reconcile", sequence=12, message="s-1-m1"),
            event(9, "IC.TRANSACTION_COMPLETED", stage="normalize", sequence=1, message="s-1-m1", tx=TX),
        ],
        responses=[
            response(4, ResponseKind.CONFIRMATION, "s-1-m0", Status.AWAITING_CONFIRMATION),
            response(9, ResponseKind.FINAL, "s-1-m1", Status.COMPLETED, DONE),
        ],
        statuses=[
            status(4, Status.AWAITING_CONFIRMATION, arguments={"items": list(ITEMS)}, proposal=PROPOSAL),
            status(9, Status.COMPLETED),
        ],
        confirms=[verdict(6)],
        executes=[entry(topology.EXECUTE, 7, EXECUTE)],
        normalizes=[entry(topology.NORMALIZE, 8, normalize())],
        effects=[effect(0), effect(1)],
        arrivals=[arrival(7.5)],
        operations={(CUSTOMER, TOOL, KEY): arguments_digest(TOOL, {"items": list(ITEMS)})},
        states={
            "reconcile": {TALK: checkpoint("reconcile", AgentState(conversation_key=TALK).model_dump(mode="json"))}
        },
        tools=TOOLS,
    )


def changed(**changes: Any) -> History:
    """The good history with some lists replaced."""
    return replace(good(), **changes)


def refusal(origin: str = "gateway.requests/0/1") -> DeadLetter:
    return DeadLetter(stage="reconcile", origin=origin, error="ContractViolation", text="…")
