"""The list of things a sentence acts on. Source: language.json ITEMS-1 to ITEMS-10."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.language.normalize import fold
from pipeline.language.tokens import TokenKind, tokenize

__all__ = ["ItemsReading", "read_items"]


@dataclass(frozen=True, slots=True)
class ItemsReading:
    """What a text names, in order, and why."""

    items: tuple[str, ...]
    rule: str
    rest: str = ""


def read_items(
    text: str,
    *,
    label: str | None = None,
    known_values: Sequence[str] = (),
    locale: str = "pt-BR",
    description: str | None = None,
) -> ItemsReading:
    """Return the items a text names, spelled as the customer or, where held, as the known value."""
    del label, locale, description
    parts: list[list[str]] = [[]]
    for token in tokenize(text):
        if token.kind in (TokenKind.SEPARATOR, TokenKind.NEWLINE) or token.folded in ("e", "and", "y", "ou", "or"):
            parts.append([])
        elif token.kind is not TokenKind.PUNCTUATION and not (not parts[-1] and token.folded in ("o", "a", "os", "as")):
            parts[-1].append(token.text)
    known = {fold(value): value for value in known_values}
    items = {fold(" ".join(part)): " ".join(part) for part in parts if part}
    return ItemsReading(tuple(known.get(key, value) for key, value in items.items()), "ITEMS-3 separators")
