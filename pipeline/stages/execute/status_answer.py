"""What a status tool says of a call, asked by its request key.

The shape: `{"status": "done" | "in_progress" | "unknown_key", "result": <the tool's own answer>}`, in any wrapper; `{"found": false}`
is read as unknown_key.
Invariants: what can't be read is "not told", asked again; only an unknown key says that the call was never begun.
Source: DESIGN 4 (Calls).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

_DONE = frozenset({"done", "completed", "succeeded", "failed", "finished"})
_UNKNOWN_KEY = frozenset({"unknown_key", "not_found"})
_DEPTH = 4


class Known(StrEnum):
    """What is known of the call."""

    DONE = "done"
    UNKNOWN_KEY = "unknown_key"
    IN_PROGRESS = "in_progress"
    NOT_TOLD = "not_told"


@dataclass(frozen=True, slots=True)
class StatusAnswer:
    """What the status tool said."""

    known: Known
    result: Any = None
    """DONE: the answer of the call it was asked about."""


def read_status(answer: Any) -> StatusAnswer:
    """Read the answer of a status tool in whichever wrapper."""
    layer = answer
    for _ in range(_DEPTH):
        if not isinstance(layer, Mapping):
            break
        said = layer.get("status")
        if layer.get("found") is False:
            return StatusAnswer(Known.UNKNOWN_KEY)
        if isinstance(said, str):
            return _said(said.strip().lower(), layer)
        layer = layer.get("result", layer.get("data"))
    return StatusAnswer(Known.NOT_TOLD)


def _said(status: str, layer: Mapping[str, Any]) -> StatusAnswer:
    if status in _UNKNOWN_KEY:
        return StatusAnswer(Known.UNKNOWN_KEY)
    if status in _DONE:
        result = layer.get("result", layer.get("data"))
        return StatusAnswer(Known.DONE, result) if result is not None else StatusAnswer(Known.NOT_TOLD)
    return StatusAnswer(Known.IN_PROGRESS)
