"""Understanding grows linearly with the text, counted in calls, not in time: the same on every machine.

Ten times the text may cost 25 times the calls: short texts are still inside the bounded look-ahead. Quadratic would be 100.
"""

import sys
from collections.abc import Callable

import pytest

from tests.benchmarks.language import BLOCKS, READERS

HOSTILE = {
    **BLOCKS,
    "signs": "$ & # ",
    "glued quotes": "a-'b'",
    "open quotes": " \"a 'b “c",
    "fillers after a reason": "porque ai ai ai ",
    "wants": "quero quero ",
    "brackets": "((( )))",
    "plus": "+ +",
    "codes": "100 101 ",
    "joined": "\u200d\ufe0f",
}


def calls(work: Callable[[], object]) -> int:
    """Return how many functions are called, Python's and C's."""
    count = 0

    def seen(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("block", [pytest.param(text, id=name) for name, text in HOSTILE.items()])
@pytest.mark.parametrize(
    "read", [pytest.param(reader, id=name) for name, reader in READERS.items() if name != "items, 50 known"]
)
def test_calls_grow_linearly_with_the_text(block: str, read: Callable[[str], object]) -> None:
    short, long = ((block * (size // len(block) + 1))[:size] for size in (300, 3_000))
    read(short)
    read(long)
    assert calls(lambda: read(long)) <= 25 * calls(lambda: read(short)) + 500
