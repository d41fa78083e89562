"""What the demo servers really did, on disk, so that a test can read it back from outside.

Owns: calls that arrived, operations by idempotency key with their stored answer, effects per item, what customers hold.
Invariants: the effects of an operation and its answer are written in one SQLite transaction: either both are there or
neither. Every call is recorded when it arrives, before anything is done about it.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from examples.demo.catalogue import ORDERS, PRODUCTS

_SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
  seq INTEGER PRIMARY KEY, at TEXT NOT NULL, tool TEXT NOT NULL, customer TEXT NOT NULL, request_key TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS operations (
  customer TEXT NOT NULL, tool TEXT NOT NULL, request_key TEXT NOT NULL, digest TEXT NOT NULL, answer TEXT,
  PRIMARY KEY (customer, tool, request_key));
CREATE TABLE IF NOT EXISTS effects (
  customer TEXT NOT NULL, tool TEXT NOT NULL, item TEXT NOT NULL, request_key TEXT NOT NULL, item_key TEXT NOT NULL,
  at TEXT NOT NULL, protocol TEXT NOT NULL, executions INTEGER NOT NULL,
  PRIMARY KEY (customer, tool, item, request_key));
CREATE TABLE IF NOT EXISTS attempts (
  customer TEXT NOT NULL, what TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (customer, what));
CREATE TABLE IF NOT EXISTS customers (customer TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS held (
  customer TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, price REAL NOT NULL, state TEXT NOT NULL,
  PRIMARY KEY (customer, id));
CREATE TABLE IF NOT EXISTS orders (
  customer TEXT NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL, protocol TEXT NOT NULL, PRIMARY KEY (customer, id));
"""


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that was done for a customer."""

    customer: str
    tool: str
    item: str
    """Id of the product, order or charge."""
    request_key: str
    """Empty: the call had no idempotency key."""
    item_key: str
    at: datetime
    protocol: str
    executions: int
    """How often it was done under this key; more than 1 is a double effect."""


@dataclass(frozen=True, slots=True)
class ArrivedCall:
    """A call that reached a server, whatever came of it."""

    seq: int
    at: datetime
    tool: str
    customer: str
    request_key: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A call by its idempotency key."""

    digest: str
    """Of the arguments: the same key with others is refused."""
    answer: Any
    """None: not finished."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A product of a customer."""

    id: str
    name: str
    price: float
    active: bool


def read_effects(path: Path, customer: str | None = None) -> list[Effect]:
    """All effects (of one customer), oldest first. For tests, from any process."""
    query = "SELECT customer, tool, item, request_key, item_key, at, protocol, executions FROM effects ORDER BY rowid"
    rows = [Effect(c, t, i, k, ik, datetime.fromisoformat(at), p, n) for c, t, i, k, ik, at, p, n in _rows(path, query)]
    return [effect for effect in rows if customer in {None, effect.customer}]


def read_calls(path: Path, customer: str | None = None) -> list[ArrivedCall]:
    """All calls that arrived (for one customer), in order. For tests, from any process."""
    query = "SELECT seq, at, tool, customer, request_key FROM calls ORDER BY seq"
    rows = [ArrivedCall(seq, datetime.fromisoformat(at), t, c, k) for seq, at, t, c, k in _rows(path, query)]
    return [call for call in rows if customer in {None, call.customer}]


def _rows(path: Path, query: str) -> list[tuple[Any, ...]]:
    if not path.exists():
        return []
    with closing(sqlite3.connect(path, timeout=10)) as connection:
        return list(connection.execute(query))


class Ledger:
    """The ledger of one running demo process; used from one thread."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, timeout=10, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.executescript(_SCHEMA)
        # Started and not finished by a process that is gone: nothing of it was written, so nothing of it happened.
        self._db.execute("DELETE FROM operations WHERE answer IS NULL")

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def arrived(self, tool: str, customer: str, request_key: str) -> None:
        self._db.execute(
            "INSERT INTO calls (at, tool, customer, request_key) VALUES (?, ?, ?, ?)",
            (_now(), tool, customer, request_key),
        )

    def count(self, customer: str, what: str) -> int:
        """Count one more attempt of something; how many there were, this one included."""
        self._db.execute(
            "INSERT INTO attempts VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1", (customer, what)
        )
        query = "SELECT count FROM attempts WHERE customer = ? AND what = ?"
        return int(self._db.execute(query, (customer, what)).fetchone()[0])

    def operation(self, customer: str, tool: str, request_key: str) -> Operation | None:
        query = "SELECT digest, answer FROM operations WHERE customer = ? AND tool = ? AND request_key = ?"
        return _operation(self._db.execute(query, (customer, tool, request_key)).fetchone())

    def operation_of(self, customer: str, request_key: str) -> Operation | None:
        """By key alone, whatever the tool was."""
        query = "SELECT digest, answer FROM operations WHERE customer = ? AND request_key = ?"
        return _operation(self._db.execute(query, (customer, request_key)).fetchone())

    def begin(self, customer: str, tool: str, request_key: str, digest: str) -> None:
        self._db.execute("INSERT INTO operations VALUES (?, ?, ?, ?, NULL)", (customer, tool, request_key, digest))

    def finish(self, customer: str, tool: str, request_key: str, answer: Any) -> None:
        self._db.execute(
            "UPDATE operations SET answer = ? WHERE customer = ? AND tool = ? AND request_key = ?",
            (json.dumps(answer, ensure_ascii=False), customer, tool, request_key),
        )

    def effect(self, customer: str, tool: str, item: str, *, request_key: str, item_key: str, protocol: str) -> None:
        """Record that something was done now."""
        self._db.execute(
            "INSERT INTO effects VALUES (?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET executions = executions + 1",
            (customer, tool, item, request_key, item_key, _now(), protocol),
        )

    def protocol_of(self, customer: str, tool: str, item_key: str) -> str | None:
        """Protocol of what was done under an item key; None: nothing yet, or no key given."""
        if not item_key:
            return None
        query = "SELECT protocol FROM effects WHERE customer = ? AND tool = ? AND item_key = ?"
        row = self._db.execute(query, (customer, tool, item_key)).fetchone()
        return str(row[0]) if row else None

    def holdings(self, customer: str) -> list[Holding]:
        """All that a customer has or had; a customer never seen before gets the whole list first."""
        self._welcome(customer)
        query = "SELECT id, name, price, state FROM held WHERE customer = ? ORDER BY id"
        return [Holding(i, n, p, s == "active") for i, n, p, s in self._db.execute(query, (customer,))]

    def drop(self, customer: str, product_id: str) -> None:
        """The customer no longer holds it."""
        self._db.execute("UPDATE held SET state = 'cancelled' WHERE customer = ? AND id = ?", (customer, product_id))

    def order(self, customer: str, order_id: str) -> tuple[str, str] | None:
        """(state, protocol) of an order."""
        self._welcome(customer)
        query = "SELECT state, protocol FROM orders WHERE customer = ? AND id = ?"
        row = self._db.execute(query, (customer, order_id)).fetchone()
        return (str(row[0]), str(row[1])) if row else None

    def cancel_order(self, customer: str, order_id: str) -> None:
        self._db.execute("UPDATE orders SET state = 'cancelled' WHERE customer = ? AND id = ?", (customer, order_id))

    def _welcome(self, customer: str) -> None:
        if self._db.execute("INSERT OR IGNORE INTO customers VALUES (?)", (customer,)).rowcount == 0:
            return
        products = [(customer, p.id, p.name, p.price) for p in PRODUCTS]
        self._db.executemany("INSERT INTO held VALUES (?, ?, ?, ?, 'active')", products)
        orders = [(customer, o.id, o.status, o.protocol) for o in ORDERS]
        self._db.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", orders)


def _operation(row: tuple[str, str | None] | None) -> Operation | None:
    return None if row is None else Operation(row[0], None if row[1] is None else json.loads(row[1]))


def _now() -> str:
    return datetime.now(UTC).isoformat()  # noqa: TID251 - a server of its own, outside the pipeline's clock
