"""What a deliberate bug is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Patch = tuple[Any, str, Any]
"""What is changed, the name of it there, what it becomes."""


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One deliberate bug."""

    name: str
    breaks: str
    within: int
    """Seeds, from 0, within which it must be found."""
    patches: Callable[[], list[Patch]]
