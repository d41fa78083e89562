"""A request that is taken: its session, its customer, its message.

Invariants: a business key once known in a session never changes; a session's times only grow. Never: refuses (ingress does).
Source: DESIGN 7 (Ingress and isolation).
"""

from datetime import datetime

from contracts.agent_state import AgentState
from contracts.gateway_request import GatewayRequest
from contracts.session import Session
from pipeline.decision import Received
from pipeline.stages.reconcile import ingress
from pipeline.stages.reconcile.episode import Episode, Message, World, turn_of


def welcomed(world: World, state: AgentState, received: Received, request: GatewayRequest, now: datetime) -> Episode:
    """An episode whose session knows of this message; business keys are looked at later, with their event."""
    tenant, agent, session_id = ingress.identity_of(request, world.installation)
    said, old = request.payload, state.session
    spec = world.installation.agents[agent]
    session = Session(
        tenant_id=tenant,
        agent_id=agent,
        session_id=session_id,
        channel=request.channel,
        locale=said.locale or (old.locale if old else spec.locale),
        started_at=old.started_at if old else received.at,
        last_message_at=max(old.last_message_at, received.at) if old else received.at,
        **({"business_context": old.business_context} if old else {}),
    )
    known = state.model_copy(
        update={
            "tenant_id": tenant,
            "agent_id": agent,
            "session_id": session_id,
            "channel": request.channel,
            "session": session,
            "user_id": said.user_id or state.user_id,
            "trace_id": _trace_of(received, request),
            "mcp_tools": [tool.name for tool in world.installation.tools_of(agent)],
        }
    )
    turn = turn_of(known, message_id=said.message_id)
    return Episode.of(world, known, received, now=now, turn=turn)


def identify(episode: Episode, request: GatewayRequest) -> None:
    """Take what the request says of the customer; a business key that differs is ignored."""
    session = episode.session
    merged, changed = ingress.merged_context(
        session.business_context,
        ingress.claimed_context(request),
        max_bytes=episode.world.installation.limits.message_bytes,
    )
    for key in changed:
        episode.event("GRL.BUSINESS_KEY_CHANGED", key=key, kept=episode.hashed(getattr(merged, key, None)))
    episode.update(session=session.model_copy(update={"business_context": merged}), business_context=merged)
    episode.outbox.about(turn_of(episode.state, message_id=request.payload.message_id))


def message_of(episode: Episode, received: Received, request: GatewayRequest) -> Message:
    """What was said, as it is acted on."""
    said = request.payload
    return Message(
        message_id=said.message_id,
        text=ingress.sanitized(said.message),
        said_at=received.at,
        trace_id=episode.outbox.turn.trace_id,
        channel=request.channel,
        interrupted=said.metadata.interrupted is True,
        token=said.metadata.confirmation,
        tool_name=said.metadata.tool_name,
        user_id=said.user_id,
        arguments=ingress.given_arguments(request),
    )


def _trace_of(received: Received, request: GatewayRequest) -> str:
    """W3C trace id of the record, else the gateway's own id of the request."""
    parts = received.headers.get("traceparent", "").split("-")
    if len(parts) == 4 and len(parts[1]) == 32:
        return parts[1]
    return received.headers.get("trace_id") or request.payload.metadata.request_id or ""
