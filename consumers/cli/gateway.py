"""Plays a channel gateway: publishes what customers say, reads what they are answered, and knows when a turn has ended.

Owns: GatewayRequests of any number of sessions on one channel.
Invariants: a turn has ended when reconcile's own state says so: it has seen the message, nothing waits, and the open transaction, if
there is one, is in its hand again. Answers commit together with the records that lead there, so everything to be said is then on
the response topic, and it is read up to its end. Nothing is slept for. Never: takes part in a consumer group.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from consumers.cli.terminal import CommandError
from contracts.agent_state import AgentState, Holder
from contracts.business_context import BusinessContext
from contracts.channel_response import ChannelResponse
from contracts.checkpoint import Checkpoint
from contracts.event_envelope import EventEnvelope
from contracts.gateway_request import GatewayMetadata, GatewayPayload, GatewayRequest
from contracts.identity import conversation_key
from pipeline import topology
from pipeline.runtime.ports import RawRecord, TopicPartition
from pipeline.runtime.topic_io import TopicReader, TopicWriter
from pipeline.settings import PipelineSettings

POLL_S = 0.1
DUPLICATE = "IC.MESSAGE_DUPLICATE"
REJECTED = "NOC.CONTRACT_REJECTED"

OnResponse = Callable[[ChannelResponse], None]


def fresh(prefix: str) -> str:
    """A name nobody had before."""
    return f"{prefix}-{secrets.token_hex(4)}"


@dataclass(slots=True)
class CustomerSession:
    """One customer in one session, and what is known of it."""

    tenant: str
    agent: str
    channel: str
    session: str
    context: Mapping[str, str]
    """Business keys, such as customer_key."""
    locale: str | None = None
    last: GatewayRequest | None = None
    """The latest request sent."""
    token: str | None = None
    """Of the latest question with a button."""
    sent: int = 0
    unheard: set[str] = field(default_factory=set)
    """Messages that reconcile has given no sign of."""
    unheard_duplicates: int = 0
    state: AgentState | None = None

    @property
    def key(self) -> str:
        """The conversation."""
        return conversation_key(self.tenant, self.agent, self.session)

    @property
    def quiet(self) -> bool:
        """Whether everything that was said has had its effect."""
        if self.unheard or self.unheard_duplicates:
            return False
        state = self.state
        if state is None:
            return True
        if state.open is None:
            return not state.waiting and not state.deferred
        return state.open.holder is Holder.RECONCILE and not state.waiting

    def awaited(self) -> str:
        """What a timeout has to say."""
        if self.unheard or self.unheard_duplicates:
            return "reconcile did not take the message up: is the pipeline running (`python -m consumers dev`)?"
        if self.state is not None and self.state.open is not None:
            held = self.state.open
            return (
                f"transaction {held.transaction_id} ({held.tool}) is {held.status.value} and did not end: see "
                f"`python -m consumers trace {self.key}`"
            )
        return f"the answer did not come: see `python -m consumers trace {self.key}`"


class Gateway:
    """One channel, as its gateway would use it."""

    def __init__(self, settings: PipelineSettings, bootstrap: str, channel: str, on_response: OnResponse) -> None:
        self._settings = settings
        self._channel = channel
        self._on_response = on_response
        self._responses = settings.named(topology.responses(channel))
        self._requests = settings.named(topology.GATEWAY_REQUESTS)
        self._state = settings.named(topology.state(topology.StageName.RECONCILE))
        topics = [self._responses, self._state, *(settings.named(topic) for topic in topology.EVENTS)]
        self._reader = TopicReader(settings, bootstrap, topics, start="end")
        self._writer = TopicWriter(settings, bootstrap, client_id=f"{channel}-gateway")
        self._sessions: dict[str, CustomerSession] = {}
        self._changed = asyncio.Condition()
        self._positions: dict[TopicPartition, int] = {}
        self._pump: asyncio.Task[None] | None = None
        self._opened = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Self:
        async with contextlib.AsyncExitStack() as opening:
            await opening.enter_async_context(self._reader)
            await opening.enter_async_context(self._writer)
            self._opened = opening.pop_all()
        self._pump = asyncio.create_task(self._read(), name="gateway")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.gather(self._pump, return_exceptions=True)
        await self._opened.aclose()

    def know(self, session: CustomerSession) -> None:
        """Answers of this session are told from now on."""
        self._sessions[session.key] = session

    async def say(self, session: CustomerSession, text: str, **metadata: Any) -> GatewayRequest:
        """Publish a message of the customer. Returns: the request. Raises: Retriable."""
        session.sent += 1
        request = GatewayRequest(
            channel=session.channel,
            tenant_id=session.tenant,
            agent_id=session.agent,
            payload=GatewayPayload(
                message=text,
                session_id=session.session,
                message_id=fresh(f"m{session.sent}"),
                locale=session.locale,
                business_context=BusinessContext(**session.context),
                metadata=GatewayMetadata(contract_version=GatewayRequest.VERSION, **metadata),
            ),
        )
        session.unheard.add(request.payload.message_id)
        session.last = request
        await self._publish(session, request)
        return request

    async def say_again(self, session: CustomerSession) -> GatewayRequest:
        """Publish the previous message once more, the same id and all. Raises: CommandError, Retriable."""
        if session.last is None:
            raise CommandError("There is no previous message to duplicate.")
        session.unheard_duplicates += 1
        await self._publish(session, session.last)
        return session.last

    async def _publish(self, session: CustomerSession, request: GatewayRequest) -> None:
        value = request.model_dump_json(exclude_none=True).encode()
        headers = (("content-type", b"application/json"), ("contract_version", GatewayRequest.VERSION.encode()))
        await self._writer.send(self._requests, value, key=session.key.encode(), headers=headers)

    async def settled(self, session: CustomerSession, seconds: float) -> None:
        """Wait until the turn has ended and every answer was told. Raises: CommandError on the bound, Retriable."""
        try:
            async with asyncio.timeout(seconds):
                await self._until(lambda: session.quiet)
                ends = {
                    tp: end for tp, end in (await self._reader.end_offsets()).items() if tp.topic == self._responses
                }
                await self._until(lambda: all(self._positions.get(tp, 0) >= end for tp, end in ends.items()))
        except TimeoutError:
            raise CommandError(f"No answer within {seconds:g} s: {session.awaited()}.".replace("?.", "?")) from None

    async def _until(self, condition: Callable[[], bool]) -> None:
        async with self._changed:
            while not condition():
                if self._pump is not None and self._pump.done():
                    self._pump.result()
                await self._changed.wait()

    async def _read(self) -> None:
        try:
            while True:
                records = await self._reader.poll(POLL_S)
                for record in records:
                    self._take(record)
                positions = await self._reader.positions()
                if records or positions != self._positions:
                    async with self._changed:
                        self._positions = positions
                        self._changed.notify_all()
        finally:
            async with self._changed:
                self._changed.notify_all()

    def _take(self, record: RawRecord) -> None:
        key = (record.key or b"").decode("utf-8", "replace")
        session = self._sessions.get(key)
        if session is None or not record.value:
            return
        if record.topic == self._responses:
            response = ChannelResponse.model_validate_json(record.value)
            if response.metadata.confirmation is not None:
                session.token = response.metadata.confirmation.token
            self._on_response(response)
        elif record.topic == self._state:
            self._learn(session, AgentState.model_validate(Checkpoint.model_validate_json(record.value).body))
        else:
            self._note(session, EventEnvelope.model_validate_json(record.value))

    def _learn(self, session: CustomerSession, state: AgentState) -> None:
        session.state = state
        session.unheard -= {message_id for message_id, _ in state.seen}

    def _note(self, session: CustomerSession, event: EventEnvelope) -> None:
        mine = session.last is not None and event.message_id == session.last.payload.message_id
        if event.event_type == REJECTED:
            session.unheard.discard(event.message_id or "")
            if mine:
                session.unheard_duplicates = 0
        elif event.event_type == DUPLICATE:
            session.unheard_duplicates = max(0, session.unheard_duplicates - 1)
