"""A request that can't be read or decided: dead letter, NOC event, and a plain answer where one is possible.

Invariants: the event and the answer name what can be read and nothing else; nobody is answered on a channel that is not configured.
Source: DESIGN 7 (Ingress and isolation).
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from contracts.agent_state import AgentState
from contracts.channel_response import ChannelResponse, ResponseKind, ResponseMetadata
from contracts.event_envelope import EventEnvelope
from contracts.identity import conversation_key, derived_id, without_none
from pipeline import topology
from pipeline.decision import Decision, Record, Rejection
from pipeline.language.messages import Catalogue
from pipeline.policy import DEFAULT_LOCALE, Installation
from pipeline.stages.reconcile.ingress import NAME_MAX

STAGE = topology.StageName.RECONCILE.value


def reject(
    installation: Installation, messages: Catalogue, state: AgentState | None, rejection: Rejection, now: datetime
) -> Decision:
    """Decide for a rejected record; the state does not change, so a sequence is not used up."""
    read = _Readable(rejection.data, installation)
    payload = {**dlq_payload(rejection), "open_transaction": state.open is not None if state else None}
    event = EventEnvelope(
        event_type="NOC.CONTRACT_REJECTED",
        timestamp=now,
        tenant_id=read.tenant_id,
        agent_id=read.agent_id,
        session_id=read.session_id,
        trace_id=rejection.headers.get("trace_id", ""),
        payload=without_none(payload),
        event_id=derived_id("ev", STAGE, rejection.position, "rejected"),
        contract_version=EventEnvelope.VERSION,
        conversation_key=read.conversation,
        message_id=read.message_id or None,
        stage=STAGE,
    )
    key = read.conversation or rejection.conversation or ""
    records = [Record(topic=topology.events(event.event_type), key=key, value=event)]
    if read.conversation is not None and read.channel in installation.channels:
        records.append(_answer(messages, read, rejection, installation))
    return Decision(records=tuple(records), dead_letter=rejection)


def reject_status(rejection: Rejection, now: datetime) -> Decision:
    """A status of a conversation that nothing is known of: an operator is told."""
    event = EventEnvelope(
        event_type="NOC.DLQ",
        timestamp=now,
        tenant_id="",
        agent_id="",
        session_id="",
        trace_id=rejection.headers.get("trace_id", ""),
        payload=dlq_payload(rejection),
        event_id=derived_id("ev", STAGE, rejection.position, "rejected"),
        contract_version=EventEnvelope.VERSION,
        conversation_key=rejection.conversation,
        stage=STAGE,
    )
    record = Record(topic=topology.events(event.event_type), key=rejection.conversation or "", value=event)
    return Decision(records=(record,), dead_letter=rejection)


def dlq_payload(rejection: Rejection) -> dict[str, Any]:
    """What an operator needs to find the record."""
    payload = {
        "field": rejection.field,
        "error": rejection.error,
        "reason": rejection.text,
        "origin": str(rejection.position),
    }
    return without_none(payload)


class _Readable:
    """What can be read of a rejected value; empty strings where nothing can."""

    def __init__(self, data: Mapping[str, Any] | None, installation: Installation) -> None:
        data = data or {}
        payload = data.get("payload")
        payload = payload if isinstance(payload, Mapping) else {}
        self.channel = _text(data.get("channel"))
        self.tenant_id = _text(data.get("tenant_id", installation.default_tenant))
        self.agent_id = _text(data.get("agent_id", installation.default_agent_id))
        self.session_id = _text(payload.get("session_id"))
        self.message_id = _text(payload.get("message_id"))
        agent = installation.agents.get(self.agent_id)
        self.locale = _text(payload.get("locale")) or (agent.locale if agent else DEFAULT_LOCALE)

    @property
    def conversation(self) -> str | None:
        try:
            key = conversation_key(self.tenant_id, self.agent_id, self.session_id)
        except ValueError:
            return None
        return key if len(key) <= NAME_MAX else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) and len(value) <= NAME_MAX else ""


def _answer(messages: Catalogue, read: _Readable, rejection: Rejection, installation: Installation) -> Record:
    key = "reconcile.too_long" if rejection.field in {"payload", "payload.message"} and _too_long(rejection) else None
    text = messages.say(
        key or "reconcile.rejected", locale=read.locale, form=installation.channels[read.channel].format
    )
    metadata = ResponseMetadata(
        tenant_id=read.tenant_id,
        agent_id=read.agent_id,
        route=STAGE,
        message_id=read.message_id or None,
        session_id=read.session_id,
        kind=ResponseKind.NOTICE,
        response_id=derived_id("rs", STAGE, rejection.position, "rejected"),
    )
    assert read.conversation is not None
    response = ChannelResponse(channel=read.channel, session_id=read.conversation, text=text, metadata=metadata)
    return Record(topic=topology.responses(read.channel), key=read.conversation, value=response)


def _too_long(rejection: Rejection) -> bool:
    return "at most" in rejection.text
