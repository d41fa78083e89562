"""One slip of the finger in a name: a letter added, missing, changed or swapped.

Never: takes digits for slips (P-101 is not P-100). Source: language.json ITEMS-5.
"""

from rapidfuzz.distance import OSA

__all__ = ["SLIP_MIN", "one_slip"]

SLIP_MIN = 4
"""Letters a name needs before one of them may be wrong."""


def one_slip(said: str, known: str) -> bool:
    """Whether a squashed text is a known one with at most one slip."""
    if abs(len(said) - len(known)) > 1 or len(known) < SLIP_MIN or not (said[0] == known[0] or said[-1] == known[-1]):
        return False
    if _digits(said) != _digits(known) or sum(char.isalpha() for char in known) < SLIP_MIN:
        return False
    return OSA.distance(said, known, score_cutoff=1) <= 1


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())
