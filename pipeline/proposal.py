"""What a yes is said to: the items as the customer reads them, and the digest that binds them.

Owns: the digest of a proposal, its button token, the names of items. Invariants: the same proposal gives the same digest wherever
it is computed; any difference in tool, arguments, items, tenant, conversation, user, transaction, revision or text gives another.
Never: words a question (stages/confirm does). Source: DESIGN 7 (Confirm).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from contracts.identity import derived_id, digest
from contracts.transaction import Transaction, Turn
from pipeline.policy import Tool, is_filled

NAME_FIELDS = ("name", "subject", "label", "title", "description", "nome", "nombre", "id")
"""Fields of an item that name it, best first."""

_NOT_A_NAME = re.compile(r"^(eligible|success|ok|reason|error|status|message)$")


def proposal_digest(turn: Turn, transaction: Transaction, items: Iterable[str], text: str) -> str:
    """Digest everything a yes is said to; `text` is the question as shown, empty when none is asked."""
    return digest(
        {
            "tool": transaction.tool,
            "arguments": transaction.arguments,
            "items": list(items),
            "tenant": turn.tenant_id,
            "conversation": turn.conversation_key,
            "user": turn.user_id,
            "transaction": transaction.transaction_id,
            "revision": transaction.revision,
            "text": text,
        }
    )


def proposal_token(conversation: str, proposal: str) -> str:
    """Token of a button: names the conversation and the digest, gives neither away."""
    return f"{derived_id('cf', conversation)[:15]}.{derived_id('', proposal)[1:]}"


def is_token_of(conversation: str, token: str) -> bool:
    """Whether a token was made for this conversation, whatever became of its proposal."""
    return token.startswith(f"{derived_id('cf', conversation)[:15]}.")


EXPIRY_RULE = "EXPIRY nothing was said in time"
"""Rule of the verdict by which reconcile, having read all that was said until then, asks confirm to end a question."""


def item_values(tool: Tool | None, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the items of a call: of its array argument, else of an array that a validator added, else its first name."""
    argument = tool.items_argument if tool else None
    if argument is not None and is_filled(arguments.get(argument)):
        value = arguments[argument]
        return tuple(value) if isinstance(value, (list, tuple)) else (value,)
    for value in arguments.values():
        if isinstance(value, (list, tuple)) and is_filled(value):
            return tuple(value)
    if tool is None:
        return ()
    for name in tool.requires:
        spec = tool.spec.args_schema.get(name)
        value = arguments.get(name)
        if spec and name in tool.collected and spec.type == "string" and not spec.free_text and is_filled(value):
            return (value,)
    return ()


def item_name(value: Any) -> str:
    """Name of an item as the customer reads it: strings as they are, objects by name, subject, label or id."""
    if not isinstance(value, Mapping):
        return " ".join(str(value).split())
    fields = [*NAME_FIELDS, *(key for key in value if key.endswith(("_name", "_id")))]
    for field in dict.fromkeys([*fields, *(key for key in value if not _NOT_A_NAME.match(key))]):
        found = value.get(field)
        if isinstance(found, (str, int)) and not isinstance(found, bool) and str(found).strip():
            return " ".join(str(found).split())
    return "?"


def item_names(values: Iterable[Any]) -> tuple[str, ...]:
    """Names of items, in order."""
    return tuple(item_name(value) for value in values)
