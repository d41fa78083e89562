"""Which field that went and which that came are the same field under another name.

Invariants: a field is renamed to one field at most; only fields that accept the same values are taken for each other.
"""

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any

from contracts.evolution.shapes import ANNOTATIONS, Schema

LIKENESS_MIN = 0.6
"""How alike two names are, from 0 to 1, when nothing else tells that they name the same."""


def renames(old: Mapping[str, Schema], new: Mapping[str, Schema]) -> Iterator[tuple[str, str]]:
    """Pairs (old name, new name) of two objects' resolved properties, the likeliest first."""
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    pairs = [(_likeness(one, old[one], other, new[other]), one, other) for one in gone for other in come]
    taken: set[str] = set()
    for likeness, one, other in sorted(pairs, key=lambda pair: -pair[0]):
        if likeness >= LIKENESS_MIN and one not in taken and other not in taken:
            taken |= {one, other}
            yield one, other


def _likeness(name: str, schema: Schema, other_name: str, other: Schema) -> float:
    """2 when the new field says so itself, 1 when the descriptions are the same; 0 when they accept different values."""
    if name in other.get("x-aliases", ()):
        return 2.0
    if _bare(schema) != _bare(other):
        return 0.0
    if schema.get("description") and schema.get("description") == other.get("description"):
        return 1.0
    return SequenceMatcher(None, name, other_name, autojunk=False).ratio()


def _bare(schema: Schema) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key not in ANNOTATIONS and key != "x-aliases"}
