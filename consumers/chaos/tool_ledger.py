"""What the demo's MCP servers wrote down: effects, calls, the arguments they saw; and the keys that belong to a command.

Never: asks the pipeline. The keys are derived once more from the command, by the rule that contracts.identity documents.
"""

import hashlib
import itertools
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from consumers.chaos.history import Arrival, Effect
from contracts.execute_command import ExecuteCommand
from contracts.identity import request_key

ROUNDS = 3
"""Calls of one proposal, item retries included; more than the demo's policies allow."""
COLLECTIONS = {"cancelar_produtos": "items", "cancelar_pedidos": "order_ids"}
"""The argument that holds the collection, by tool of the demo."""


def read_effects(ledger: Path) -> list[Effect]:
    """Everything that was done."""
    from examples.demo.ledger import read_effects as read

    return [
        Effect(
            customer=row.customer,
            tool=row.tool,
            item=row.item,
            request_key=row.request_key,
            item_key=row.item_key,
            protocol=row.protocol,
            executions=row.executions,
        )
        for row in read(ledger)
    ]


def read_arrivals(ledger: Path) -> list[Arrival]:
    """Every call that reached the servers, in order."""
    from examples.demo.ledger import read_calls

    return [
        Arrival(at=row.at, tool=row.tool, customer=row.customer, request_key=row.request_key)
        for row in read_calls(ledger)
    ]


def read_operations(ledger: Path) -> Mapping[tuple[str, str, str], str]:
    """(customer, tool, request key) → digest of the arguments."""
    if not ledger.exists():
        return {}
    with closing(sqlite3.connect(ledger, timeout=10)) as connection:
        rows = connection.execute("SELECT customer, tool, request_key, digest FROM operations").fetchall()
    return {(customer, tool, key): digest for customer, tool, key, digest in rows}


def arguments_digest(tool: str, arguments: Mapping[str, Any]) -> str:
    """Digest of what the server should have seen."""
    match tool:
        case "cancelar_produtos":
            items = [{"name": i, "id": None} if isinstance(i, str) else _product(i) for i in arguments["items"]]
            seen: dict[str, Any] = {"items": items}
        case "cancelar_pedidos":
            seen = {"order_ids": list(arguments["order_ids"])}
        case _:
            seen = {"item": arguments["item"], "amount": float(arguments["amount"])}
    return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()


def _product(item: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": item.get("name"), "id": item.get("id")}


def request_key_of_all(command: ExecuteCommand) -> str:
    """Idempotency key of the call with everything."""
    return next(request_keys(command))


def request_keys(command: ExecuteCommand) -> Iterator[str]:
    """Keys under which a command may be called: with everything first, then of item retries, which send a part."""
    transaction = command.transaction
    collection = COLLECTIONS.get(transaction.tool)
    if collection is None:
        yield request_key(transaction.transaction_id, transaction.revision, transaction.arguments)
        return
    items = list(transaction.arguments.get(collection, ()))
    yield request_key(transaction.transaction_id, transaction.revision, items)
    for count, number in itertools.product(range(1, len(items) + 1), range(2, ROUNDS + 1)):
        for part in itertools.combinations(items, count):
            content = {"round": number, "sent": list(part)}
            yield request_key(transaction.transaction_id, transaction.revision, content)
