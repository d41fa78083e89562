"""GatewayRequest: one message of a user, as every channel gateway puts it on `gateway.requests`. Source: SPEC-012 section 4."""

from typing import Any, ClassVar

from pydantic import Field

from contracts.base import Contract, Flag, Name, Text
from contracts.business_context import BusinessContext


class GatewayMetadata(Contract):
    """What a gateway may say about a message beside its words."""

    request_id: str | None = None
    """The gateway's own id of the request, used as trace id when no traceparent header came."""
    contract_version: str | None = None
    """`gateway-request-v1`; absent means v1. A header that disagrees is refused."""
    interrupted: Flag | None = None
    """Voice: the turn broke off. Such a turn never confirms."""
    confirmation: str | None = None
    """Token of a pressed button: it names the proposal; the text decides."""
    tool_name: str | None = None
    """A tool the gateway already knows is meant; used when the agent allows it."""


class GatewayPayload(Contract):
    """The message itself."""

    message: Text
    """The user's words, at most 16 kB."""
    session_id: Name
    """Opaque id of the session; gateways must not use a phone number."""
    message_id: Name
    """Id of this message: the same id again is a duplicate and has no effect."""
    user_id: str | None = None
    """The user as the channel knows them."""
    locale: str | None = None
    """Locale such as `pt-BR`; else the agent's, else pt-BR."""
    business_context: BusinessContext = Field(default_factory=BusinessContext)
    """Business identity, see BusinessContext."""
    metadata: GatewayMetadata = Field(default_factory=GatewayMetadata)
    """What the gateway says about the message."""


class GatewayRequest(Contract):
    """One message of a customer, as the gateway of every channel writes it."""

    VERSION: ClassVar[str] = "gateway-request-v1"

    channel: Name
    """`web`, `whatsapp`, `voice` or another channel of agents.yaml."""
    tenant_id: str | None = None
    """Required unless the installation configures a default."""
    agent_id: str | None = None
    """Required unless global routing is configured."""
    payload: GatewayPayload
    """The message."""
    metadata: dict[str, Any] = Field(default_factory=dict)
    """Free for the gateway."""
