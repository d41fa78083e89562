"""A stage that answers each request with its words: small enough to see what a batch or a task makes of bad input."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel

from contracts.base import Contract
from contracts.channel_response import ChannelResponse, ResponseKind, ResponseMetadata
from contracts.checkpoint import Checkpoint
from contracts.gateway_request import GatewayRequest
from contracts.identity import conversation_key
from pipeline import topology
from pipeline.decision import Agenda, Decision, Input, Received, Record, Rejection, StateWrite
from pipeline.settings import PipelineSettings

CONVERSATION = "t:a:s"
LARGEST = 65_537
SETTINGS = PipelineSettings.model_validate(
    {
        "kafka": {"max_message_bytes": LARGEST},
        "runtime": {"value_max_bytes": 65_536},
        "limits": {"payload_bytes": 65_535},
    }
)
TOPICS = {SETTINGS.named(spec.name): 4 for spec in topology.topics(("web",))}


class Seen(BaseModel):
    """State: how many."""

    count: int = 0


class EchoStage:
    """Stands in the place of reconcile."""

    name = "reconcile"

    def __init__(self) -> None:
        self.rejected: list[Rejection] = []

    def conversation_of(self, value: Contract) -> str:
        if isinstance(value, GatewayRequest):
            return conversation_key(value.tenant_id or "", value.agent_id or "", value.payload.session_id)
        return CONVERSATION

    def initial(self, conversation: str) -> Seen:
        del conversation
        return Seen()

    def decide(self, state: Seen, event: Input, now: datetime) -> Decision:
        del now
        if not isinstance(event, Received):
            raise TypeError("this stage decides records only")
        if not isinstance(event.value, GatewayRequest):
            return Decision()
        text = event.value.payload.message
        if text.startswith("raise "):
            raise ValueError(text)
        metadata = ResponseMetadata(tenant_id="t", agent_id="a", session_id="s", kind=ResponseKind.NOTICE)
        response = ChannelResponse(
            channel="web", session_id=CONVERSATION, text=text, metadata=metadata, echo=event.value.metadata
        )
        key = self.conversation_of(event.value)
        record = Record(topic=topology.responses("web"), key=key, value=response)
        write = StateWrite(key=key, sequence=0, body=Seen(count=state.count + 1))
        return Decision(records=(record,), writes=(write,))

    def reject(self, state: Seen | None, rejection: Rejection, now: datetime) -> Decision:
        del state, now
        self.rejected.append(rejection)
        return Decision(dead_letter=rejection)

    def replay(self, state: Seen, key: str, checkpoint: Checkpoint | None) -> Seen:
        del state, key
        return Seen.model_validate(checkpoint.body) if checkpoint else Seen()

    def agenda(self, state: Seen) -> Agenda:
        del state
        return Agenda()

    def waiting_bytes(self, state: Seen) -> int:
        del state
        return 0

    def is_empty(self, state: Seen) -> bool:
        return state == Seen()


def request(message: str = "oi", *, session: str = "s", **more: Any) -> bytes:
    """A GatewayRequest, as bytes."""
    payload = {"message": message, "session_id": session, "message_id": "m"}
    value = GatewayRequest.model_validate(
        {"channel": "web", "tenant_id": "t", "agent_id": "a", "payload": payload, "metadata": more}
    )
    return value.model_dump_json().encode()
