"""Values of several parameters in one message."""

from datetime import datetime
from typing import Any

import pytest

from pipeline.language.extract import extract

NOW = datetime.fromisoformat("2026-11-30T10:00:00-03:00")
ITEMS = {"items": {"type": "array", "items": {"type": "string"}, "label": "os produtos"}}
HELD = {"items": ["TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Babbel", "Deezer"]}
DISPUTE = {"item": {"type": "string", "label": "o item"}, "amount": {"type": "number", "label": "o valor"}}
CHARGE = {
    "item": {"type": "string", "label": "a cobrança", "known_values": HELD["items"]},
    "amount": {"type": "number", "currency": "BRL", "label": "o valor"},
}
RETURN = {
    "order_id": {"type": "string", "label": "o pedido"},
    "reason": {"type": "string", "label": "o motivo", "free_text": True},
}
VISIT = {
    "date": {"type": "date", "direction": "future", "label": "a data"},
    "period": {"type": "enum", "options": ["manhã", "tarde", "noite"], "label": "o período"},
}
PACKAGE = {"package": {"type": "enum", "options": ["5GB", "10GB", "20GB"], "label": "o pacote"}}
INVOICE = {"protocol": {"type": "string", "pattern": "^[0-9]{13}$", "label": "o protocolo"}}
PARTS = {"amount": {"type": "number", "label": "o valor"}, "installments": {"type": "integer", "label": "as parcelas"}}

ROWS: tuple[tuple[dict[str, Any], str, dict[str, Any], dict[str, str]], ...] = (
    (ITEMS, "quero cancelar TIM Fashion e Neymar Jr", {"items": ["TIM Fashion", "Neymar Jr"]}, {}),
    (ITEMS, "cancela o Deezer", {"items": ["Deezer"]}, {}),
    (ITEMS, "quero cancelar uns produtos", {}, {}),
    (ITEMS, "quero cancelar", {}, {}),
    (ITEMS, "preciso cancelar alguns serviços", {}, {}),
    (ITEMS, "quero cancelar meus produtos", {}, {}),
    (ITEMS, "cancelar produto", {}, {}),
    (ITEMS, "I want to cancel my subscription", {}, {}),
    (ITEMS, "quiero dar de baja mi suscripción", {}, {}),
    (ITEMS, "oi, bom dia", {}, {}),
    (ITEMS, "quero cancelar uma coisa", {}, {}),
    (DISPUTE, "contestar a cobrança de R$ 71,99 do Cinema pack", {"item": "Cinema pack", "amount": 71.99}, {}),
    (DISPUTE, "quero contestar o Cinema pack, R$ 25", {"item": "Cinema pack", "amount": 25.0}, {}),
    (CHARGE, "quero contestar a cobrança de 71,99 do Deezer", {"item": "Deezer", "amount": 71.99}, {}),
    (CHARGE, "quero contestar a cobrança de 71 reais do Deezer", {"item": "Deezer", "amount": 71.0}, {}),
    (CHARGE, "contestar 24,90 do Neymar Jr", {"item": "Neymar Jr", "amount": 24.9}, {}),
    (CHARGE, "contestar a cobrança do Deezer e do Neymar Jr", {}, {"item": "ambiguous"}),
    (DISPUTE, "I never bought Cinema pack", {"item": "Cinema pack"}, {}),
    (DISPUTE, "sorry, it is the 19,90 one", {"amount": 19.9}, {}),
    (DISPUTE, "não reconheço uma cobrança de 59,90", {"amount": 59.9}, {}),
    (DISPUTE, "não reconheço duas cobranças, 59,90 e 30,00", {}, {"amount": "ambiguous"}),
    (DISPUTE, "quero contestar uma cobrança de uns 50 reais", {}, {"amount": "ambiguous"}),
    (DISPUTE, "quero contestar uma cobrança", {}, {}),
    (RETURN, "return order K-5, I changed my mind", {"order_id": "K-5", "reason": "I changed my mind"}, {}),
    (RETURN, "K-5", {"order_id": "K-5"}, {}),
    (RETURN, "quero devolver o pedido 123 porque veio quebrado", {"order_id": "123", "reason": "porque veio quebrado"}, {}),
    (RETURN, "devolver P-100, não serviu", {"order_id": "P-100", "reason": "não serviu"}, {}),
    (RETURN, "quero devolver um pedido", {}, {}),
    (VISIT, "agenda para sexta de manhã", {"date": "2026-12-04", "period": "manhã"}, {}),
    (VISIT, "quero agendar uma visita", {}, {}),
    (VISIT, "agendar dia 31/02 à tarde", {"period": "tarde"}, {"date": "invalid_date"}),
    (VISIT, "agendar sexta ou sábado", {}, {"date": "ambiguous"}),
    (VISIT, "quero a segunda via", {}, {}),
    (VISIT, "marca amanhã às 10h", {"date": "2026-12-01"}, {}),
    (PACKAGE, "quero contratar 10GB", {"package": "10GB"}, {}),
    (PACKAGE, "quero o pacote de 20 giga", {"package": "20GB"}, {}),
    (PACKAGE, "quero contratar um pacote", {}, {}),
    (PACKAGE, "quero 5GB ou 10GB", {}, {"package": "ambiguous"}),
    (INVOICE, "como está o protocolo 2026113000017?", {"protocol": "2026113000017"}, {}),
    (INVOICE, "2026113000017 ou 2026113000018", {}, {"protocol": "ambiguous"}),
    (INVOICE, "quero saber do meu protocolo", {}, {}),
    (PARTS, "parcelar R$ 300,00 em 3 parcelas", {"amount": 300.0, "installments": 3}, {}),
)  # fmt: skip


@pytest.mark.parametrize(("schemas", "text", "values", "errors"), [pytest.param(*row, id=row[1]) for row in ROWS])
def test_message_yields_the_values(
    schemas: dict[str, Any], text: str, values: dict[str, Any], errors: dict[str, str]
) -> None:
    found = extract(text, schemas, required=list(schemas), now=NOW)
    assert (found.values, found.errors) == (values, errors)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("cancela o deezer e o babel pfv", ["Deezer", "Babbel"]),
        ("cancela tudo", HELD["items"]),
        ("todos menos o Neymar", ["TIM Fashion", "Aya Audiobooks", "Babbel", "Deezer"]),
        ("cancela os dois primeiros porque tá caro", ["TIM Fashion", "Aya Audiobooks"]),
    ],
)
def test_held_values_are_recognised_in_running_text(text: str, items: list[str]) -> None:
    assert extract(text, ITEMS, required=["items"], known_values=HELD, now=NOW).values == {"items": items}


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("não quero mais o Babbel", ["Babbel"]),
        ("não quero mais o Deezer nem o Neymar", ["Deezer", "Neymar Jr"]),
        ("não quero mais pagar Babbel e Deezer", ["Babbel", "Deezer"]),
        ("não preciso mais do Deezer, nem do Babbel", ["Deezer", "Babbel"]),
        ("que droga, não quero mais o Deezer", ["Deezer"]),
        ("ya no quiero Babbel ni Deezer", ["Babbel", "Deezer"]),
        ("I don't want Babbel or Deezer anymore", ["Babbel", "Deezer"]),
        ("não quero mais o Deezer, só o Babbel", ["Babbel"]),
    ],
)
def test_what_is_no_longer_wanted_is_what_a_cancellation_names(text: str, items: list[str]) -> None:
    found = extract(text, ITEMS, required=["items"], known_values=HELD, now=NOW, operation="cancelamento")
    assert found.values == {"items": items}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("cancela os pedidos 100 101 e 102", ["100", "101", "102"]),
        ("pedidos 100 101 102", ["100", "101", "102"]),
        ("o pedido 100 101", ["100 101"]),
    ],
)
def test_codes_behind_their_plural_need_no_separator(text: str, codes: list[str]) -> None:
    schemas = {"order_ids": {"type": "array", "label": "os pedidos"}}
    assert extract(text, schemas, required=["order_ids"], now=NOW).values == {"order_ids": codes}


@pytest.mark.parametrize(
    "text",
    ["não reconheço a compra do Cinema pack", "a cobrança do Cinema pack que não reconheço", "o Cinema pack não é meu"],
)
def test_what_is_disowned_is_named_before_or_behind(text: str) -> None:
    schemas = {"item": {"type": "string", "label": "a cobrança"}}
    assert extract(text, schemas, required=["item"], now=NOW).values == {"item": "Cinema pack"}


def test_noun_of_the_label_behind_a_name_is_no_part_of_it() -> None:
    schemas = {"invoices": {"type": "array", "label": "the invoices"}}
    assert extract("show me the April invoice", schemas, locale="en", now=NOW).values == {"invoices": ["April"]}


def test_every_value_names_its_rule() -> None:
    for schemas, text, values, errors in ROWS:
        assert extract(text, schemas, now=NOW).rules.keys() == values.keys() | errors.keys()
