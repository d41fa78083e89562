"""For channel gateways: make the record of a customer's message, and know what to do with the responses that come back.

Owns: the message id of a channel's own id, the Kafka key, the headers; which response is new, repeated or overtaken.
Invariants: the same message of a channel gives the same record, so a gateway may send again whenever it is unsure: the pipeline acts
once. A response is delivered once, and no question after its transaction has gone on. Pure: brings no Kafka client and does no I/O.
Never: makes a text of its own. Source: SPEC-012 sections 4 and 5, DESIGN 2, 4 and 7 (Ingress); docs/gateway.md.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from contracts.business_context import BusinessContext
from contracts.channel_response import ChannelResponse, ItemFate, ResponseKind
from contracts.gateway_request import GatewayMetadata, GatewayPayload, GatewayRequest
from contracts.identity import conversation_key, derived_id, without_none

REQUESTS_TOPIC = "gateway.requests"
"""Without the installation's prefix."""
REMEMBERED = 10_000
"""Responses, and transactions, that an Inbox remembers."""


def responses_topic(channel: str) -> str:
    """Topic of a channel's responses, without the installation's prefix. To be read with isolation.level=read_committed."""
    return f"channel.{channel}.responses"


def message_id(channel: str, channel_message_id: str) -> str:
    """Id of a message, derived of the channel's own id: a webhook that is delivered twice gives one message.

    Raises: ValueError when there is no id of the channel: two messages would be one.
    """
    if not channel_message_id.strip():
        raise ValueError("channel_message_id must not be blank: it tells a new message from a repeated one")
    return derived_id("m", channel, channel_message_id)


@dataclass(frozen=True, slots=True)
class GatewayRecord:
    """What a Kafka client is given; the partition is murmur2 of the key, as Kafka's own clients do it."""

    request: GatewayRequest
    key: bytes
    value: bytes
    headers: tuple[tuple[str, bytes], ...]


def record(
    *,
    channel: str,
    tenant_id: str,
    agent_id: str,
    session_id: str,
    channel_message_id: str,
    text: str,
    user_id: str | None = None,
    locale: str | None = None,
    business_context: Mapping[str, Any] | None = None,
    confirmation: str | None = None,
    interrupted: bool = False,
    tool_name: str | None = None,
    traceparent: str | None = None,
) -> GatewayRecord:
    """Make the record of one message.

    `session_id`: opaque, never a phone number. `channel_message_id`: the channel's own id. `confirmation`: token of a pressed button
    (Delivery.token). `interrupted`: voice, the turn broke off. `tool_name`: a tool the gateway knows is meant.
    Raises: ValueError (pydantic's ValidationError is one) when something required is missing or blank; it names the field.
    """
    metadata = without_none(
        {
            "contract_version": GatewayRequest.VERSION,
            "confirmation": confirmation,
            "interrupted": interrupted or None,
            "tool_name": tool_name,
        }
    )
    payload = GatewayPayload(
        message=text,
        session_id=session_id,
        message_id=message_id(channel, channel_message_id),
        user_id=user_id,
        locale=locale,
        business_context=BusinessContext.model_validate(business_context or {}),
        metadata=GatewayMetadata(**metadata),
    )
    request = GatewayRequest(channel=channel, tenant_id=tenant_id, agent_id=agent_id, payload=payload)
    headers = {
        "content-type": "application/json",
        "contract_version": GatewayRequest.VERSION,
        "traceparent": traceparent,
    }
    return GatewayRecord(
        request=request,
        key=conversation_key(tenant_id, agent_id, session_id).encode(),
        value=request.model_dump_json(exclude_none=True).encode(),
        headers=tuple((name, value.encode()) for name, value in without_none(headers).items()),
    )


class Freshness(StrEnum):
    """What a gateway does with a response."""

    NEW = "new"
    """Deliver it."""
    REPEATED = "repeated"
    """It was delivered: a consumer that starts again reads from its last committed offset."""
    OVERTAKEN = "overtaken"
    """A later revision, or the end of its transaction, was delivered already: it would confuse."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One response, as a gateway needs it."""

    response: ChannelResponse
    freshness: Freshness

    @property
    def text(self) -> str:
        """What the customer is to read or hear, in the channel's own format."""
        return self.response.text

    @property
    def session_id(self) -> str:
        """The session as the gateway named it."""
        return self.response.metadata.session_id or ""

    @property
    def kind(self) -> ResponseKind:
        """What it wants of the customer."""
        return self.response.metadata.kind

    @property
    def awaits_reply(self) -> bool:
        """Whether the customer was asked something."""
        return self.kind in {ResponseKind.QUESTION, ResponseKind.CONFIRMATION}

    @property
    def token(self) -> str | None:
        """Of a question: goes back as `confirmation` when a button of it is pressed."""
        handle = self.response.metadata.confirmation
        return handle.token if handle is not None else None

    @property
    def buttons(self) -> tuple[tuple[str, str], ...]:
        """(title, reply): pressing one sends `reply` as the text, and the token."""
        return tuple((button["title"], button["reply"]) for button in self.response.metadata.buttons)

    @property
    def items(self) -> tuple[ItemFate, ...]:
        """The fate of each item; on results."""
        return tuple(self.response.metadata.items)


@dataclass(slots=True)
class _Known:
    revision: int = 0
    ended: bool = False


@dataclass(slots=True)
class Inbox:
    """Responses of a channel as they are read, in the order of their partitions; remembers the latest ones.

    Commit the consumer's offset after delivering: what was delivered and not committed comes again and is REPEATED. What was taken
    and could not be delivered is given back with `forget` before it is read again. After a restart an Inbox knows nothing; who must
    not repeat even then keeps `response_id` where the delivery itself is kept.
    """

    remembered: int = REMEMBERED
    _seen: OrderedDict[str, None] = field(default_factory=OrderedDict)
    _transactions: OrderedDict[str, _Known] = field(default_factory=OrderedDict)

    def take(self, value: bytes) -> Delivery:
        """Read a record's value. Raises: ValueError (pydantic's ValidationError is one) for what is no ChannelResponse."""
        response = ChannelResponse.model_validate_json(value)
        return Delivery(response, self._freshness(response))

    def forget(self, delivery: Delivery) -> None:
        """It could not be delivered: when it is read again it is NEW, unless it was overtaken meanwhile."""
        self._seen.pop(delivery.response.metadata.response_id or "", None)

    def _freshness(self, response: ChannelResponse) -> Freshness:
        metadata = response.metadata
        if metadata.response_id and metadata.response_id in self._seen:
            return Freshness.REPEATED
        if metadata.response_id:
            _keep(self._seen, metadata.response_id, None, self.remembered)
        if metadata.transaction_id is None:
            return Freshness.NEW
        known = self._transactions.get(metadata.transaction_id) or _Known()
        asks = metadata.kind in {ResponseKind.QUESTION, ResponseKind.CONFIRMATION}
        revision = metadata.revision or 0
        if asks and (known.ended or revision < known.revision):
            return Freshness.OVERTAKEN
        known.revision = max(known.revision, revision)
        known.ended = known.ended or (metadata.status is not None and metadata.status.terminal)
        _keep(self._transactions, metadata.transaction_id, known, self.remembered)
        return Freshness.NEW


def _keep(known: OrderedDict[str, Any], key: str, value: Any, at_most: int) -> None:
    known[key] = value
    known.move_to_end(key)
    while len(known) > at_most:
        known.popitem(last=False)
