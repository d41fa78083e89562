"""Deliberate bugs, applied one at a time: a simulator that finds none of them proves nothing.

Owns: the table (what is broken, within how many seeds the simulator must notice).
Invariants: a mutant changes the product's own code in memory, for the time of one `with`, and nothing else; a mutant whose target is gone
fails loudly. Never: applied outside tests and `simulate --mutant`. Source: issue "exactly once, proved".
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from pipeline.testing.mutants.in_calls import CALLS
from pipeline.testing.mutants.in_conversations import CONVERSATIONS
from pipeline.testing.mutants.in_takeovers import TAKEOVERS
from pipeline.testing.mutants.in_transactions import TRANSACTIONS
from pipeline.testing.mutants.mutant import Mutant

MUTANTS: dict[str, Mutant] = {mutant.name: mutant for mutant in (*TRANSACTIONS, *TAKEOVERS, *CALLS, *CONVERSATIONS)}
"""By name."""


@contextlib.contextmanager
def applied(name: str | None) -> Iterator[None]:
    """Break the product for as long as this lasts. Raises: KeyError for an unknown name, AttributeError when the target is gone."""
    patches = MUTANTS[name].patches() if name else []
    before = [(target, attribute, _current(target, attribute)) for target, attribute, _ in patches]
    try:
        for target, attribute, value in patches:
            setattr(target, attribute, value)
        yield
    finally:
        for target, attribute, value in before:
            setattr(target, attribute, value)


def _current(target: Any, attribute: str) -> Any:
    if isinstance(target, type):
        return target.__dict__[attribute]  # a property or a staticmethod as it stands there
    return getattr(target, attribute)
