"""What customers say: conversations with the demo's agents, a function of the seed alone.

Owns: the kinds of conversations and how often each comes, which customers meet a failure of the demo, duplicates and records in the
wrong place. Pure.
Invariants: conversations begin at instants that no answer moves (open loop); every conversation has a customer of its own, so what
the demo's ledger says of the customer belongs to this conversation.
"""

from dataclasses import dataclass
from enum import StrEnum
from random import Random

TENANT = "default"
TELECOM, RETAIL = "telecom_contas", "retail_orders"
PATIENCE_S = 12.0
"""How long a customer who waits for an answer waits before speaking all the same."""


class Place(StrEnum):
    """Where a gateway puts its records."""

    RIGHT = "right"
    NO_KEY = "no key"
    OTHER_KEY = "another key"
    OTHER_PARTITION = "another partition"


class Spoiled(StrEnum):
    """How a record breaks its contract."""

    NO_JSON = "not JSON"
    NO_AGENT = "unknown agent"
    NO_CHANNEL = "unknown channel"


@dataclass(frozen=True, slots=True)
class Line:
    """One message."""

    text: str
    after_s: float
    """From the line before; from its answer when it waits for one."""
    waits: bool = True
    """Whether the customer waits for an answer first, for PATIENCE_S at most."""
    again_s: tuple[float, ...] = ()
    """The same record once more, so long after the first."""
    button: bool = False
    """Said by the button of the question."""
    spoiled: Spoiled | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """One conversation."""

    at_s: float
    """When it begins, from the begin of the load."""
    kind: str
    agent: str
    channel: str
    session: str
    customer: str
    place: Place
    lines: tuple[Line, ...]


PRODUCTS = ("TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Deezer Premium", "Som e Imagem", "HBO Max")
CHARGES = (("Deezer Premium", "24,90"), ("HBO Max", "34,90"), ("Neymar Jr", "4,99"), ("Som e Imagem", "14,90"))

TROUBLES = {
    "": 56,
    "falha-um-item": 7,
    "falha-todos": 3,
    "falha-auxiliar": 3,
    "falha-resposta-perdida": 8,
    "falha-queda": 5,
    "falha-lenta-2": 5,
    "falha-lenta-12": 2,
    "falha-malformada": 3,
    "falha-enorme": 1,
    "falha-503": 1,
    "falha-503-uma-vez": 3,
    "falha-validador-fora": 1,
    "falha-validador-lento": 1,
    "falha-validador-malformado": 1,
}
"""How a customer's name begins, which is what makes the demo fail for them."""
TOO_SLOW = "falha-lenta-12"
"""Slower than the tools' timeout: a query would be tried five times, which tells nothing and takes minutes."""
READING = {"invoices", "invoice", "orders, query", "two requests", "cancel, replaced", "burst"}
"""Kinds of conversations with a query in them."""


def scripts(seed: int, seconds: float, *, per_second: float) -> tuple[Script, ...]:
    """Every conversation that begins within `seconds`."""
    random = Random(f"load {seed}")
    made: list[Script] = []
    at = 0.0
    while (at := at + random.expovariate(per_second)) < seconds:
        made.append(_script(random, at, f"{seed}-{len(made)}"))
    return tuple(made)


def _script(random: Random, at: float, name: str) -> Script:
    kind = random.choices(list(KINDS), [weight for weight, _ in KINDS.values()])[0]
    agent = RETAIL if kind.startswith("orders") else TELECOM
    trouble = random.choices(list(TROUBLES), list(TROUBLES.values()))[0]
    if trouble == TOO_SLOW and kind in READING:
        trouble = ""
    place = random.choices(list(Place), [88, 4, 4, 4])[0]
    lines = tuple(_repeated(random, line) for line in KINDS[kind][1](random))
    return Script(
        at_s=round(at, 3),
        kind=kind,
        agent=agent,
        channel=random.choices(["web", "whatsapp", "voice"], [6, 3, 1])[0],
        session=f"s-{name}",
        customer=f"{trouble or 'cliente'}-c{name}",
        place=place,
        lines=lines,
    )


def _repeated(random: Random, line: Line) -> Line:
    if random.random() > 0.15:
        return line
    return Line(
        line.text,
        line.after_s,
        line.waits,
        tuple(round(random.choice((0.0, 0.05, 1.0, 5.0)), 2) for _ in range(random.choice((1, 1, 1, 2)))),
        line.button,
        line.spoiled,
    )


def _products(random: Random, count: int) -> str:
    chosen = random.sample(PRODUCTS, count)
    return f"{', '.join(chosen[:-1])} e {chosen[-1]}" if count > 1 else chosen[0]


def _cancel(random: Random, least: int = 1) -> Line:
    return Line(f"quero cancelar {_products(random, random.randint(least, 4))}", 0, waits=False)


def _then(random: Random, text: str, *, waits: bool = True, button: bool = False) -> Line:
    return Line(text, round(random.uniform(0.1, 2.0), 2), waits=waits, button=button)


def _yes(random: Random) -> Line:
    return _then(random, random.choice(("sim", "sim, confirmo", "pode confirmar")), button=random.random() < 0.2)


def _cancel_yes(random: Random) -> tuple[Line, ...]:
    return _cancel(random), _yes(random)


def _cancel_amended(random: Random) -> tuple[Line, ...]:
    first, *others = random.sample(PRODUCTS, 3)
    said = Line(f"quero cancelar {first}, {others[0]} e {others[1]}", 0, waits=False)
    return said, _then(random, f"tira o {first}"), _yes(random)


def _cancel_amended_hastily(random: Random) -> tuple[Line, ...]:
    """The yes is said before the question about the amended set can have been read."""
    first, *others = random.sample(PRODUCTS, 3)
    said = Line(f"quero cancelar {first}, {others[0]} e {others[1]}", 0, waits=False)
    return said, _then(random, f"tira o {first}"), Line("sim", 0.02, waits=False), _yes(random)


def _cancel_declined(random: Random) -> tuple[Line, ...]:
    return _cancel(random), _then(random, random.choice(("não", "não quero")))


def _cancel_abandoned(random: Random) -> tuple[Line, ...]:
    return _cancel(random), _then(random, "deixa pra lá")


def _cancel_expired(random: Random) -> tuple[Line, ...]:
    return (_cancel(random),)


def _cancel_at_the_last_moment(random: Random) -> tuple[Line, ...]:
    return _cancel(random), Line("sim", round(random.uniform(13.5, 16.0), 2))


def _cancel_replaced(random: Random) -> tuple[Line, ...]:
    return _cancel(random, 2), _then(random, "quero consultar minha fatura")


def _cancel_unclear(random: Random) -> tuple[Line, ...]:
    return _cancel(random), _then(random, "talvez"), _yes(random)


def _cancel_hasty(random: Random) -> tuple[Line, ...]:
    return _cancel(random), Line("sim", 0.01, waits=False), _yes(random)


def _two_requests(random: Random) -> tuple[Line, ...]:
    said = Line(f"quero cancelar {_products(random, 2)} e também quero consultar minha fatura", 0, waits=False)
    return said, _yes(random)


def _burst(random: Random) -> tuple[Line, ...]:
    more = ("quanto vou pagar?", "e aí?", "sim", "tira o Neymar Jr", "quero consultar minha fatura")
    hurried = (Line(text, 0.01, waits=False) for text in random.sample(more, random.randint(2, 5)))
    return (_cancel(random, 2), *hurried, _yes(random))


def _dispute(random: Random) -> tuple[Line, ...]:
    charge, amount = random.choice(CHARGES)
    return Line(f"quero contestar a cobrança de R$ {amount} do {charge}", 0, waits=False), _yes(random)


def _dispute_asked(random: Random) -> tuple[Line, ...]:
    charge, amount = random.choice(CHARGES)
    said = Line("quero contestar uma cobrança", 0, waits=False)
    return said, _then(random, charge), _then(random, f"R$ {amount}"), _yes(random)


def _dispute_left(random: Random) -> tuple[Line, ...]:
    del random
    return (Line("quero contestar uma cobrança", 0, waits=False),)


def _invoices(random: Random) -> tuple[Line, ...]:
    del random
    return (Line("quero ver as faturas de abril, maio e junho", 0, waits=False),)


def _invoice(random: Random) -> tuple[Line, ...]:
    return Line("quero consultar minha fatura", 0, waits=False), _then(random, "obrigado")


def _orders(random: Random) -> tuple[Line, ...]:
    chosen = random.choice(("P-100, P-101 e P-102", "P-100 e P-102", "P-102"))
    return Line(f"quero cancelar os pedidos {chosen}", 0, waits=False), _yes(random)


def _orders_amended(random: Random) -> tuple[Line, ...]:
    said = Line("quero cancelar os pedidos P-100, P-101 e P-102", 0, waits=False)
    return said, _then(random, "tira o P-101"), _yes(random)


def _orders_query(random: Random) -> tuple[Line, ...]:
    del random
    return (Line("onde estão os meus pedidos P-100 e P-101", 0, waits=False),)


def _spoiled(random: Random) -> tuple[Line, ...]:
    return Line("quero cancelar Neymar Jr", 0, waits=False, spoiled=random.choice(list(Spoiled))), _cancel(random)


KINDS = {
    "cancel, yes": (16, _cancel_yes),
    "cancel, amended": (9, _cancel_amended),
    "cancel, amended, yes too early": (4, _cancel_amended_hastily),
    "cancel, declined": (5, _cancel_declined),
    "cancel, abandoned": (4, _cancel_abandoned),
    "cancel, expired": (4, _cancel_expired),
    "cancel, yes at the last moment": (3, _cancel_at_the_last_moment),
    "cancel, replaced": (5, _cancel_replaced),
    "cancel, unclear": (4, _cancel_unclear),
    "cancel, yes too early": (5, _cancel_hasty),
    "two requests": (5, _two_requests),
    "burst": (6, _burst),
    "dispute": (10, _dispute),
    "dispute, asked": (5, _dispute_asked),
    "dispute, left": (2, _dispute_left),
    "invoices": (5, _invoices),
    "invoice": (4, _invoice),
    "orders": (10, _orders),
    "orders, amended": (4, _orders_amended),
    "orders, query": (4, _orders_query),
    "spoiled": (2, _spoiled),
}
"""Kinds of conversations: how often, and how one is made."""
