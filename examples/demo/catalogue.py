"""What a fresh customer of the demo holds, owes and has ordered. Source: issue 3, the multi-item guide, SPEC-012 9."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Product:
    id: str
    name: str
    price: float
    """Monthly, in reais."""


@dataclass(frozen=True, slots=True)
class Invoice:
    id: str
    month: str
    """YYYY-MM."""
    total: float
    status: str


@dataclass(frozen=True, slots=True)
class Order:
    id: str
    status: str
    """open | shipped."""
    protocol: str


PRODUCTS: Final = (
    Product("1001", "TIM Fashion Mensal", 9.99),
    Product("1002", "Aya Audiobooks Premium", 19.90),
    Product("1003", "Neymar Jr", 4.99),
    Product("1004", "Deezer Premium", 24.90),
    Product("1005", "Som e Imagem", 14.90),
    Product("1006", "HBO Max", 34.90),
)
NEVER_FOUND: Final = frozenset({"1002"})
"""Held, and yet the system that should cancel it does not find it: the demo's standing partial failure."""

INVOICES: Final = (
    Invoice("3000131178", "2026-04", 239.90, "PAGA"),
    Invoice("3000131179", "2026-05", 244.90, "PAGA"),
    Invoice("3000131180", "2026-06", 249.90, "ABERTA"),
)
CURRENT_INVOICE: Final = INVOICES[-1]

ORDERS: Final = (
    Order("P-100", "open", "ABC1"),
    Order("P-101", "shipped", "ABC2"),
    Order("P-102", "open", "ABC3"),
)
