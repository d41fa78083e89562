"""The open question: one parameter of one operation, as it was asked for.

Owns: what the question is about, by its words.
Never: reads a reply.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pipeline.language.lexemes import word_set, words_of
from pipeline.language.operations import Operation
from pipeline.language.routing import Route
from pipeline.language.schemas import options_of, type_of
from pipeline.language.stems import stem

_FRAME_WORDS = word_set(
    "qual quais que quem quando onde quanto quantos quantas deseja quer para com seu sua voce por favor numero valor motivo dia data em "
    "which what when your would like want the you do number reason cual cuales quiere desea"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """The open question."""

    parameter: Mapping[str, Any]
    operation: Operation
    question: str
    locale: str
    now: datetime | None
    timezone: str
    routes: Callable[[str], Route] | None

    @property
    def kind(self) -> str:
        return "enum" if options_of(self.parameter) and type_of(self.parameter) != "array" else type_of(self.parameter)

    @property
    def known_values(self) -> tuple[str, ...]:
        known = self.parameter.get("known_values")
        return tuple(one for one in known if isinstance(one, str)) if isinstance(known, list | tuple) else ()

    @property
    def label(self) -> str:
        label = self.parameter.get("label")
        return label if isinstance(label, str) else ""

    @property
    def own_words(self) -> frozenset[str]:
        """Stems of what the question itself is about: they make no other matter."""
        return frozenset(
            stem(word)
            for said in (self.question, self.label, self.operation.noun, *map(str, options_of(self.parameter)))
            for word in words_of(said.replace("_", " "))
        )

    @property
    def own_names(self) -> frozenset[str]:
        """Folded nouns of the question, the label and the operation: what one would call the thing that is under way."""
        return frozenset(
            word
            for said in (self.question, self.label, self.operation.noun)
            for word in words_of(said)
            if len(word) > 2 and word not in _FRAME_WORDS
        )

    @property
    def free_text(self) -> bool:
        return self.kind == "string" and bool(self.parameter.get("free_text"))

    @property
    def element(self) -> Mapping[str, Any]:
        """The schema of one element of an array."""
        element = self.parameter.get("items")
        return element if isinstance(element, Mapping) else {"type": "string"}
