"""Carrying out a call once per idempotency key, whatever happens to the connection it came over.

Invariants: a second call with a key joins the first while it runs and gets its stored answer afterwards; the work goes
on when the caller hangs up (as it does in the systems this stands for); the same key with other arguments is refused.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable
from typing import Any

from examples.demo.ledger import Ledger


class KeyReused(Exception):
    """An idempotency key came back with other arguments."""


class Operations:
    """All side effects of one demo process."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._running: dict[tuple[str, str, str], asyncio.Task[Any]] = {}

    async def perform(
        self, customer: str, tool: str, key: str, arguments: Any, work: Callable[[], Any], *, delay_s: float
    ) -> Any:
        """Do `work` in one ledger transaction, after `delay_s`, unless `key` was seen. Raises: KeyReused."""
        if not key:
            await asyncio.sleep(delay_s)
            with self._ledger.transaction():
                return work()
        digest = hashlib.sha256(json.dumps(arguments, sort_keys=True).encode()).hexdigest()
        known = self._ledger.operation(customer, tool, key)
        if known is not None and known.digest != digest:
            raise KeyReused
        if known is not None and known.answer is not None:
            return known.answer
        place = (customer, tool, key)
        task = self._running.get(place)
        if task is None:
            self._ledger.begin(customer, tool, key, digest)
            task = asyncio.create_task(self._finish(place, work, delay_s))
            self._running[place] = task
            task.add_done_callback(lambda _: self._running.pop(place, None))
        return await asyncio.shield(task)

    async def _finish(self, place: tuple[str, str, str], work: Callable[[], Any], delay_s: float) -> Any:
        await asyncio.sleep(delay_s)
        with self._ledger.transaction():
            answer = work()
            self._ledger.finish(*place, answer)
        return answer
