"""Small sets of words, written as one line of text."""

__all__ = ["listed"]


def listed(text: str, separator: str | None = None) -> frozenset[str]:
    """Return the words of a text, cut at blanks or at a separator: `listed("deixa deixe")`, `listed("de fora|fora", "|")`."""
    return frozenset(word.strip() for word in text.split(separator))
