"""The list of things a sentence acts on: "cancela o Babbel e o Deezer, o Aya não".

Owns: the public reading of lists.
Invariants: first mention first, nothing twice; a known value is returned as it is known, everything else as it was written.
Never: invents a name, corrects one without known values.
Source: language.json ITEMS-1 to ITEMS-10.
"""

from collections.abc import Sequence

from pipeline.language.item_entries import ItemsReading
from pipeline.language.item_reader import ItemReader
from pipeline.language.item_verbs import with_own_verb
from pipeline.language.labels import label_nouns
from pipeline.language.mentions import names_of
from pipeline.language.operations import described_verb, ends, operation_of
from pipeline.language.page import Page
from pipeline.language.signs import read_signs
from pipeline.language.tokens import tokenize

__all__ = ["ItemsReading", "read_items"]


def read_items(
    text: str,
    *,
    label: str | None = None,
    known_values: Sequence[str] = (),
    locale: str = "pt-BR",
    description: str | None = None,
    operation: str = "",
) -> ItemsReading:
    """Return the items a text names.

    `label` is the parameter's label ("os pedidos"), `known_values` what the customer holds in the order shown,
    `description` the tool's, or `operation` its noun: its verb is a verb of request too, and says whether the tool takes
    away what is named.
    """
    tokens = tokenize(text)
    signs = read_signs(tokens, names_of(tuple(known_values)), locale=locale)
    stem = described_verb(description or "")
    asked = operation_of(stem or operation)
    signs = with_own_verb(signs, tokens, (stem,) if stem else asked.stems)
    reader = ItemReader(Page(text, tokens, signs, label_nouns(label)), tuple(known_values), ends(asked))
    reader.read()
    return reader.result()
