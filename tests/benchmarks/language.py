"""Microseconds to understand one message, and how the time grows with its length.

`python -m tests.benchmarks.language [--json]`. Chat-sized text is measured as the median of the shared cases of each kind;
growth as the time of a text ten times as long (1.0 per character is linear).
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from pipeline.language.items import read_items
from pipeline.language.replies import read_reply
from pipeline.language.tokens import tokenize
from tests.cases.reading import Case, answer, read_cases

FILE = Path(__file__).parents[1] / "data" / "language.json"
KNOWN = ("TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Babbel", "Deezer")
MANY = tuple(f"Produto {number} {word}" for number in range(25) for word in ("Fashion", "Música"))
BLOCKS = {
    "list": "quero cancelar TIM Fashion, Aya e o deezzer, e não o Babbel; ",
    "no separators": "tim fashion aya audiobooks neymar jr babbel deezer produto ",
    "commas": ",;,;,;,;,;,;",
    "quotes": "\"'“”«»",
    "negations": "não não não o Babbel não ",
    "one word": "a",
    "digits": "1234567890",
    "numbers": "1 2 3 ",
    "dots": "....",
    "slashes": "a/b/c/",
    "apostrophes": "''a'",
    "reasons": "porque não uso mais, ",
    "emoji": "👍🏽",
    "yes": "sim pode cancelar ",
    "articles": "o a os as ",
    "questions": "quanto custa o ",
    "corrections": "o Babbel, digo, o Deezer, ops, ",
    "trailing no": "o Babbel não, ",
    "kept": "mantém o Babbel e fica ",
    "owned": "o Babbel eu tenho, pago ",
    "only": "não, só o Babbel, ",
    "all but": "todos menos o Babbel, ",
    "unlisted": "lorem ipsum dolor sit amet ",
    "places": "da minha conta da ",
    "ifs": "se dá, se não dá, ",
}


def seconds(work: Callable[[], object], *, repeat: int = 5) -> float:
    """Return the best of a few runs, in seconds."""
    best = float("inf")
    for _ in range(repeat):
        start = perf_counter()
        work()
        best = min(best, perf_counter() - start)
    return best


def chat(cases: Sequence[Case]) -> dict[str, float]:
    """Return the median microseconds of one message, by kind."""
    times: dict[str, list[float]] = {}
    for case in cases:
        if case.kind == "route":
            continue  # with the sentence encoder: measured where it is loaded
        answer(case)
        times.setdefault(case.kind, []).append(seconds(lambda case=case: answer(case)) * 1e6)  # type: ignore[misc]
    return {kind: round(median(values), 1) for kind, values in times.items()}


def growth(block: str, read: Callable[[str], object]) -> tuple[float, float]:
    """Return the milliseconds of a 10 000-character text and its time per character against a 1 000-character one."""
    short = (block * (1_000 // len(block) + 1))[:1_000]
    long = (block * (10_000 // len(block) + 1))[:10_000]
    few = seconds(lambda: read(short))
    many = seconds(lambda: read(long))
    return round(many * 1e3, 2), round(many / few / 10, 2)


READERS: dict[str, Callable[[str], object]] = {
    "tokens": tokenize,
    "items": read_items,
    "items, 5 known": lambda text: read_items(text, known_values=KNOWN, label="os produtos"),
    "items, 50 known": lambda text: read_items(text, known_values=MANY, label="os produtos"),
    "reply": lambda text: read_reply(
        text, items=KNOWN[:3], operation="cancelamento", question="Você confirma o cancelamento?"
    ),
}


def main() -> None:
    """Print both tables."""
    micros = chat(read_cases(FILE))
    grown = {name: {block: growth(text, read) for block, text in BLOCKS.items()} for name, read in READERS.items()}
    if "--json" in sys.argv:
        print(json.dumps({"chat_us": micros, "growth": grown}, ensure_ascii=False))
        return
    print("microseconds a message:", ", ".join(f"{kind} {value}" for kind, value in micros.items()))
    print("10 000 characters: milliseconds (time per character against 1 000 characters)")
    for name, blocks in grown.items():
        print(f"  {name}: " + "; ".join(f"{block} {ms} ({ratio})" for block, (ms, ratio) in blocks.items()))


if __name__ == "__main__":
    main()
