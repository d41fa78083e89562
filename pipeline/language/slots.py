"""One parameter to be filled from a message, and the message while values are taken out of it.

Owns: what kind of value a parameter takes there; blanking what is taken, so that places stay.
Never: decides which words belong to it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pipeline.language.coerce import CoerceError, coerce
from pipeline.language.extract_words import REASON_LABELS
from pipeline.language.lexemes import words_of
from pipeline.language.schemas import options_of, type_of


@dataclass(frozen=True, slots=True)
class Extraction:
    values: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    """Parameter to coerce code, where a value of its kind was stated and cannot be taken."""
    rules: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Slot:
    name: str
    schema: Mapping[str, Any]
    known: tuple[str, ...]
    """What the customer holds, in the order shown."""

    @property
    def label(self) -> str:
        label = self.schema.get("label")
        return label if isinstance(label, str) else self.name.replace("_", " ")

    @property
    def words(self) -> frozenset[str]:
        """Folded words of the name and the label."""
        return frozenset({*words_of(self.name.replace("_", " ")), *words_of(self.label)})

    @property
    def kind(self) -> str:
        """names, name, number, date, enum, pattern, reason, or other: what is never read out of a first message."""
        declared = type_of(self.schema)
        if declared == "array":
            element = self.schema.get("items")
            return "names" if not isinstance(element, Mapping) or type_of(element) in {"string", "object"} else "other"
        if options_of(self.schema):
            return "enum"
        if declared in {"number", "integer"}:
            return "number"
        if declared == "date":
            return "date"
        if declared != "string":
            return "other"
        if self.schema.get("free_text") or REASON_LABELS & self.words:
            return "reason"
        return "pattern" if isinstance(self.schema.get("pattern"), str) else "name"


def slot_of(name: str, schema: Mapping[str, Any], given: Sequence[str]) -> Slot:
    own = schema.get("known_values")
    known = tuple(given) or (tuple(one for one in own if isinstance(one, str)) if isinstance(own, list | tuple) else ())
    return Slot(name, schema, known)


@dataclass(slots=True)
class Work:
    """The message while values are taken out of it."""

    text: str
    locale: str
    now: datetime | None
    timezone: str
    found: Extraction
    operation: str = ""
    """Noun of what is asked for; its verb is no part of a name."""

    def take(self, start: int, end: int) -> None:
        self.text = self.text[:start] + " " * (end - start) + self.text[end:]

    def fill(self, slot: Slot, raw: Any, rule: str, *, schema: Mapping[str, Any] | None = None) -> bool:
        read = coerce(raw, schema or slot.schema, locale=self.locale, now=self.now, timezone=self.timezone)
        if isinstance(read, CoerceError):
            self.fail(slot, read.code, read.rule)
            return False
        self.found.values[slot.name] = read.value
        self.found.rules[slot.name] = f"{rule}: {read.rule}"
        return True

    def fail(self, slot: Slot, code: str, rule: str) -> None:
        self.found.errors[slot.name] = code
        self.found.rules[slot.name] = rule

    def is_open(self, slot: Slot) -> bool:
        return slot.name not in self.found.values and slot.name not in self.found.errors
