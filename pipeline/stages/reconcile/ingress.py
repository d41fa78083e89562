"""What a GatewayRequest must hold before anybody acts on it, and whose conversation it is.

Owns: identity (tenant, agent, channel; defaults only where configured), the contract version, sizes, business keys of a session.
Invariants: every refusal names the field; nothing is filled by a default that nobody configured; a business key once known in a
session never changes. Never: reads language. Source: DESIGN 7 (Ingress and isolation), behaviour CON-*, ING-*, ISO-*.
"""

import re
from collections.abc import Mapping
from typing import Any

from contracts.business_context import BUSINESS_KEYS, BusinessContext
from contracts.gateway_request import GatewayRequest
from contracts.identity import canonical_json, conversation_key, digest
from pipeline.decision import ContractViolation, Received
from pipeline.policy import Installation, is_filled

VERSION_HEADER = "contract_version"
NAME_MAX = 512
"""Characters of an id or a name, as contracts.base.Name."""
_VERSION = re.compile(r"gateway-request-v1(\.\d+)*")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
"""Control characters but tab and line feed, and the marks that turn the direction of text round."""


def identity_of(request: GatewayRequest, installation: Installation) -> tuple[str, str, str]:
    """Tenant, agent and session of a request. Raises: ContractViolation."""
    tenant = request.tenant_id if request.tenant_id is not None else installation.default_tenant
    if tenant is None:
        raise ContractViolation("tenant_id", "is required: this installation configures no default tenant")
    if tenant not in installation.tenants:
        raise ContractViolation("tenant_id", f"is not a configured tenant ({_known(installation.tenants)})")
    agent = request.agent_id if request.agent_id is not None else installation.default_agent_id
    if agent is None:
        raise ContractViolation("agent_id", "is required: this installation configures no global routing")
    if not installation.agent_allowed(agent, tenant):
        agents = [name for name in installation.agents if installation.agent_allowed(name, tenant)]
        raise ContractViolation("agent_id", f"is not an agent of this tenant ({_known(agents)})")
    if request.channel not in installation.channels:
        raise ContractViolation("channel", f"is not a configured channel ({_known(installation.channels)})")
    return tenant, agent, request.payload.session_id


def _known(names: Any) -> str:
    return "known: " + ", ".join(names) if names else "none is configured"


def conversation_of_request(request: GatewayRequest, installation: Installation) -> str:
    """Conversation key of a request. Raises: ContractViolation."""
    tenant, agent, session = identity_of(request, installation)
    try:
        key = conversation_key(tenant, agent, session)
    except ValueError as error:
        raise ContractViolation("payload.session_id", "must not be blank") from error
    if len(key) > NAME_MAX:
        raise ContractViolation("payload.session_id", f"makes a conversation key of more than {NAME_MAX} characters")
    return key


def check(received: Received, request: GatewayRequest, installation: Installation) -> None:
    """Refuse what the installation can't take. Raises: ContractViolation."""
    _check_version(request.payload.metadata.contract_version, received.headers.get(VERSION_HEADER))
    limits = installation.limits
    message_bytes = len(request.payload.message.encode("utf-8", "surrogatepass"))
    if message_bytes > limits.message_bytes:
        raise ContractViolation(
            "payload.message", f"has {message_bytes} bytes, at most {limits.message_bytes} are read"
        )
    if received.size > limits.payload_bytes:
        raise ContractViolation("payload", f"has {received.size} bytes, at most {limits.payload_bytes} are read")
    _check_sizes(request, limits.message_bytes)
    identity_of(request, installation)


def _check_sizes(request: GatewayRequest, part_bytes: int) -> None:
    """Bound what would be kept in the state, so that its value stays below the broker's limit."""
    payload = request.payload
    names = {
        "payload.user_id": payload.user_id,
        "payload.locale": payload.locale,
        "payload.metadata.request_id": payload.metadata.request_id,
        "payload.metadata.tool_name": payload.metadata.tool_name,
        "payload.metadata.confirmation": payload.metadata.confirmation,
    }
    for field, name in names.items():
        if name is not None and len(name) > NAME_MAX:
            raise ContractViolation(field, f"has {len(name)} characters, at most {NAME_MAX} are read")
    parts = {
        "payload.business_context": claimed_context(request),
        "payload.metadata.arguments": given_arguments(request),
    }
    for field, part in parts.items():
        size = len(canonical_json(part).encode("utf-8", "surrogatepass"))
        if size > part_bytes:
            raise ContractViolation(field, f"has {size} bytes, at most {part_bytes} are read")


def _check_version(body: str | None, header: str | None) -> None:
    """No version is v1; the body wins, a header that disagrees is refused."""
    supported = f"supported: {GatewayRequest.VERSION}"
    if body is not None and not _VERSION.fullmatch(body):
        raise ContractViolation(
            "payload.metadata.contract_version", f"{body[:NAME_MAX]!r} has an unsupported major version ({supported})"
        )
    if header is None or _VERSION.fullmatch(header):
        return
    if body is not None:
        text = f"{header[:NAME_MAX]!r} disagrees with the body's {body!r}"
    else:
        text = f"{header[:NAME_MAX]!r} has an unsupported major version ({supported})"
    raise ContractViolation("headers.contract_version", text)


def content_digest(request: GatewayRequest) -> str:
    """What makes two requests with one message_id the same message: all that is acted on, not how it was delivered."""
    payload = request.payload
    said = payload.metadata
    return digest(
        [
            request.channel,
            payload.message,
            payload.user_id,
            payload.locale,
            said.interrupted,
            said.confirmation,
            said.tool_name,
            given_arguments(request),
            payload.business_context.model_dump(mode="json"),
        ]
    )[:16]


def sanitized(text: str) -> str:
    """The text without characters that nobody can read."""
    return _CONTROL.sub("", text)


def given_arguments(request: GatewayRequest) -> dict[str, Any]:
    """Arguments the gateway gave beside the text (`payload.metadata.arguments`); the tool's schema decides which count."""
    given = (request.payload.metadata.model_extra or {}).get("arguments")
    return dict(given) if isinstance(given, Mapping) else {}


def claimed_context(request: GatewayRequest) -> dict[str, Any]:
    """Business context of the request; a business key beside it in the payload counts where the context has none."""
    context = request.payload.business_context.model_dump(mode="json")
    beside = request.payload.model_extra or {}
    for key in BUSINESS_KEYS:
        if not is_filled(context.get(key)) and isinstance(beside.get(key), str) and is_filled(beside[key]):
            context[key] = beside[key]
    return context


def merged_context(
    known: BusinessContext, claimed: Mapping[str, Any], *, max_bytes: int
) -> tuple[BusinessContext, list[str]]:
    """The session's context with what is new, and the business keys whose other value was ignored.

    Everything else in a context is kept as far as the whole stays within max_bytes.
    """
    merged = known.model_dump(mode="json")
    changed = []
    for key, value in claimed.items():
        if not is_filled(value):
            continue
        if key in BUSINESS_KEYS:
            if not is_filled(merged.get(key)):
                merged[key] = value
            elif merged[key] != value:
                changed.append(key)
            continue
        more = {**merged, key: {**merged[key], **value} if key == "metadata" else value}
        if len(canonical_json(more).encode("utf-8", "surrogatepass")) <= max_bytes:
            merged = more
    return BusinessContext.model_validate(merged), changed
