"""One difference between two schemas, as a fact: the rule it falls under, the place, the words of its sentence."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

SHOWN_MAX = 120
"""Characters of a value in a sentence."""

ABSENT: Any = object()
"""In place of a keyword's value where a schema does not have the keyword."""


@dataclass(frozen=True, slots=True)
class Change:
    """A difference that one rule judges."""

    rule: str
    """Id in RULES."""
    path: str
    """Dotted, from the contract's name: `ChannelResponse.metadata.items[].outcome`."""
    words: Mapping[str, str] = field(default_factory=dict)
    """What the rule's sentence names besides: old, new, lost, beyond, keyword."""


def shown(value: Any) -> str:
    """A value as a sentence names it."""
    if value is ABSENT:
        return "none"
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}…"


def listed(values: Iterable[Any], last: str = "or") -> str:
    """Values one after the other: `"a", "b" or "c"`."""
    texts = [value if isinstance(value, str) else shown(value) for value in values]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} {last} {texts[-1]}" if texts else "nothing"
