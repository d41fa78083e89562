"""A transaction by hand, as topics tell it: one that went well; a test breaks one thing in it."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from consumers.configuration import load_messages
from consumers.evaluate.counting import Counted, Counting, Period
from consumers.evaluate.measures import Evaluation, evaluate
from consumers.evaluate.naming import Naming
from contracts.channel_response import ChannelResponse, ItemFate, ResponseKind, ResponseMetadata
from contracts.event_envelope import EventEnvelope
from contracts.status import ItemOutcome, MultiItemStatus, Status
from pipeline.policy import ChannelSpec

START = datetime(2026, 11, 30, 12, tzinfo=UTC)
TX = "tx_1"
TALK = "default:telecom_contas:s-1"
NAMES = ("TIM Fashion Mensal", "Aya Audiobooks Premium", "Neymar Jr")
QUESTION = "Você confirma o cancelamento de TIM Fashion Mensal, Aya Audiobooks Premium e Neymar Jr?"
ANSWER = "Concluí 2 de 3:\n- TIM Fashion Mensal: concluído\n- Aya Audiobooks Premium: concluído\n- Neymar Jr: não foi concluído"
CHANNELS = {
    "web": ChannelSpec(),
    "whatsapp": ChannelSpec(format="plain", max_chars=4096),
    "voice": ChannelSpec(format="speech", max_chars=800),
}
NAMING = Naming(CHANNELS, load_messages(Path("config")))

Step = tuple[float, EventEnvelope | ChannelResponse]


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def event(seconds: float, kind: str, *, message: str = "m1", transaction: str | None = TX, **payload: Any) -> Step:
    agent = payload.pop("agent", "telecom_contas")
    envelope = EventEnvelope(
        event_type=kind,
        timestamp=at(seconds),
        tenant_id="default",
        agent_id=agent,
        session_id="s-1",
        trace_id="",
        payload=payload,
        conversation_key=f"default:{agent}:s-1",
        message_id=message,
        transaction_id=transaction,
        stage="confirm",
    )
    return seconds, envelope


def response(seconds: float, kind: ResponseKind, text: str, *, message: str = "m1", **metadata: Any) -> Step:
    fields: dict[str, Any] = {
        "tenant_id": "default",
        "agent_id": "telecom_contas",
        "intent": "cancelar_produtos",
        "message_id": message,
        "transaction_id": TX,
        "revision": 1,
        "kind": kind,
        **metadata,
    }
    metadata_ = ResponseMetadata(**fields)
    return seconds, ChannelResponse(channel="web", session_id=TALK, text=text, metadata=metadata_)


def fates(*names: str, done: int = 2) -> list[ItemFate]:
    outcomes = [ItemOutcome.SUCCEEDED] * done + [ItemOutcome.FAILED] * (len(names) - done)
    return [ItemFate(subject=name, outcome=outcome) for name, outcome in zip(names, outcomes, strict=True)]


def story() -> dict[str, Step]:
    """Three items: asked, confirmed, two of them done; 0.5 s to the question, 1.5 s from the yes to the answer."""
    partial = MultiItemStatus.PARTIAL_SUCCESS
    tool = "cancelar_produtos"
    return {
        "received": event(0.2, "IC.GATEWAY_RECEIVED", transaction=None),
        "opened": event(0.2, "IC.INTENT_DETECTED", tool=tool),
        "requested": event(0.3, "IC.TRANSACTION_PREVALIDATION_REQUESTED", tool=tool, revision=1, items_count=3),
        "passed": event(0.4, "IC.TRANSACTION_PREVALIDATION_PASSED", tool=tool, items_count=3),
        "shown": event(0.5, "IC.TRANSACTION_CONFIRMATION_REQUIRED", tool=tool, revision=1, items_count=3),
        "question": response(0.5, ResponseKind.CONFIRMATION, QUESTION, status=Status.AWAITING_CONFIRMATION),
        "yes": event(10.1, "IC.GATEWAY_RECEIVED", message="m2", transaction=None),
        "accepted": event(10.2, "IC.TRANSACTION_CONFIRMATION_ACCEPTED", message="m2", tool=tool, items_count=3),
        "called": event(10.3, "IC.MCP_TOOL_REQUESTED", message="m2", tool=tool, items_count=3, operation_type="transactional"),
        "completed": event(
            11.5, "IC.TRANSACTION_COMPLETED", message="m2", tool=tool, status="COMPLETED",
            multi_item_status=partial.value, items_count=3,
        ),
        "answer": response(
            11.5, ResponseKind.FINAL, ANSWER, message="m2", status=Status.COMPLETED, multi_item_status=partial,
            items=fates(*NAMES),
        ),
    }  # fmt: skip


def counted(
    steps: Iterable[Step],
    *,
    arrivals: Sequence[tuple[str, float]] = (("m1", 0.0), ("m2", 10.0)),
    since: float = -1,
    until: float = 3_600,
    read_at: float = 7_200,
    agent: str | None = None,
    responses_first: bool = False,
) -> Counted:
    """Take steps: all events, then all responses, or the other way round, as topics come."""
    counting = Counting(Period(since=at(since), until=at(until), read_at=at(read_at)), NAMING, agent=agent)
    for message, seconds in arrivals:
        counting.arrival(TALK, message, at(seconds))
    every = sorted(steps, key=lambda step: (isinstance(step[1], ChannelResponse) != responses_first, step[0]))
    for seconds, said in every:
        if isinstance(said, ChannelResponse):
            counting.response(said, at(seconds))
        else:
            counting.event(said)
    return counting.counted()


def evaluated(steps: Iterable[Step], **period: Any) -> Evaluation:
    return evaluate(counted(steps, **period))
