"""Microseconds a message for coercion, collecting, extraction and routing: `python -m tests.benchmarks.coerce`.

No test: it prints, and shows that a text ten times as long costs about ten times as much.
"""

import timeit
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from pipeline.language.coerce import coerce
from pipeline.language.collecting import read_answer
from pipeline.language.extract import extract
from pipeline.language.routing import route
from tests.unit.language.agents import TELECOM

NOW: Final = datetime.fromisoformat("2026-11-30T10:00:00-03:00")
ITEMS: Final[dict[str, Any]] = {
    "name": "items",
    "label": "os produtos",
    "type": "array",
    "known_values": ["TIM Fashion", "Babbel", "Deezer"],
}
VALUES: Final[dict[str, dict[str, Any]]] = {
    "item": {"type": "string"},
    "amount": {"type": "number", "label": "o valor"},
}

READINGS: Final[tuple[tuple[str, str, Callable[[str], object]], ...]] = (
    ("number", "foi 49,90, por favor", lambda text: coerce(text, {"type": "number"})),
    (
        "date",
        "pode ser na sexta, dia 4, às 10h",
        lambda text: coerce(text, {"type": "date", "direction": "future"}, now=NOW),
    ),
    ("boolean", "sim, quero receber", lambda text: coerce(text, {"type": "boolean"})),
    ("enum", "o de 10 giga por favor", lambda text: coerce(text, {"type": "enum", "options": ["5GB", "10GB", "20GB"]})),
    ("array", "TIM Fashion, Babbel e Deezer", lambda text: coerce(text, {"type": "array"})),
    (
        "answer",
        "o Babbel e o Deezer",
        lambda text: read_answer(text, parameter=ITEMS, operation="cancelamento", now=NOW),
    ),
    ("extract", "contestar a cobrança de R$ 71,99 do Cinema pack", lambda text: extract(text, VALUES, now=NOW)),
    ("route", "não quero cancelar, só consultar a fatura", lambda text: route(text, TELECOM)),
)


def microseconds(read: Callable[[str], object], text: str, *, rounds: int) -> float:
    return min(timeit.repeat(lambda: read(text), number=rounds, repeat=3)) / rounds * 1e6


def main() -> None:
    print(f"{'reading':10} {'chat':>10} {'1 000 ch':>10} {'10 000 ch':>10}   (µs a message)")
    for name, text, read in READINGS:
        sizes = (text, (text + ". ") * (1_000 // len(text)), (text + ". ") * (10_000 // len(text)))
        costs = [microseconds(read, sized, rounds=200 if len(sized) < 500 else 5) for sized in sizes]
        print(f"{name:10} " + " ".join(f"{cost:10.0f}" for cost in costs))


if __name__ == "__main__":
    main()
