"""Keys and ids, all derived: a replay makes the same ones.

Owns: the conversation key, transaction ids, digests of canonical JSON.
Invariants: different parts never give the same key (parts are percent-encoded, never cleaned up with loss).
Source: DESIGN 2 and 4.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote


def conversation_key(tenant_id: str, agent_id: str, session_id: str) -> str:
    """Join the parts as `tenant:agent:session`, each percent-encoded.

    Raises: ValueError when a part is empty or blank: such users would share one conversation.
    """
    parts = {"tenant_id": tenant_id, "agent_id": agent_id, "session_id": session_id}
    for name, part in parts.items():
        if not part.strip():
            msg = f"{name} must not be empty"
            raise ValueError(msg)
    return ":".join(quote(part, safe="") for part in parts.values())


def conversation_parts(key: str) -> tuple[str, str, str]:
    """Return tenant, agent and session of a conversation key. Raises: ValueError when it is none."""
    parts = key.split(":")
    if len(parts) != 3 or not all(parts):
        msg = f"{key!r} is not a conversation key of the form tenant:agent:session"
        raise ValueError(msg)
    tenant, agent, session = (unquote(part) for part in parts)
    return tenant, agent, session


def canonical_json(value: Any) -> str:
    """Write JSON with sorted keys and no blanks, the same for equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False, default=str)


def digest(value: Any) -> str:
    """SHA-256, hex, of a value as canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


def derived_id(prefix: str, *parts: object) -> str:
    """Make a short id of its parts: `prefix_` and 24 hex digits."""
    return f"{prefix}_{digest([str(part) for part in parts])[:24]}"


def transaction_id(conversation: str, message_id: str, ordinal: int) -> str:
    """Id of the intent number `ordinal` (from 0) that a message opened."""
    return derived_id("tx", conversation, message_id, ordinal)


def request_key(transaction: str, revision: int, items: Any) -> str:
    """Idempotency key of one call: the items sent are part of it, so an item retry has a key of its own."""
    return derived_id("rk", transaction, revision, digest(items))


def item_key(transaction: str, revision: int, item: Any) -> str:
    """Idempotency key of one item, the same in every attempt."""
    return derived_id("ik", transaction, revision, canonical_json(item))


def keyed_hash(secret: str, value: Any) -> str:
    """HMAC-SHA-256 (16 hex digits) under which personal data may appear in an event."""
    return hmac.new(secret.encode(), canonical_json(value).encode(), hashlib.sha256).hexdigest()[:16]


def without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    """Drop the entries that have no value."""
    return {key: value for key, value in values.items() if value is not None}
