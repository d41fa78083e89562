"""Values by JSON-Schema type: text and typed values, arrays, objects, bounds, patterns."""

from datetime import datetime
from typing import Any

import pytest

from pipeline.language.coerce import Coerced, CoerceError, coerce

NOW = datetime.fromisoformat("2026-11-30T10:00:00-03:00")
NAMED = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
PRICED = {
    "type": "object",
    "required": ["name", "price"],
    "properties": {"name": {"type": "string"}, "price": {"type": "number"}},
}
TWO_TEXTS = {
    "type": "object",
    "required": ["name", "city"],
    "properties": {"name": {"type": "string"}, "city": {"type": "string"}},
}


def err(code: str) -> CoerceError:
    return CoerceError(code, "")


TYPED: tuple[tuple[dict[str, Any], Any, Any], ...] = (
    # blank
    ({"type": "number"}, "", err("missing")), ({"type": "string"}, "   ", err("missing")), ({"type": "date"}, None, err("missing")), ({"type": "array"}, [], err("missing")), ({"type": "array"}, "\n", err("missing")), ({"type": "boolean"}, "\t", err("missing")),
    # numbers and integers
    ({"type": "number"}, "71,99", 71.99), ({"type": "number"}, 71.99, 71.99), ({"type": "number"}, 12, 12), ({"type": "number"}, True, err("not_a_number")), ({"type": "number"}, float("nan"), err("not_a_number")), ({"type": "number"}, float("inf"), err("not_a_number")),
    ({"type": "number"}, {"a": 1}, err("not_a_number")), ({"type": "number"}, [5], err("not_a_number")), ({"type": "number"}, "abc", err("not_a_number")), ({"type": "number"}, "10 ou 20", err("ambiguous")),
    ({"type": "integer"}, "12", 12), ({"type": "integer"}, "12,0", 12), ({"type": "integer"}, "12,5", err("not_an_integer")), ({"type": "integer"}, "12.5", err("not_an_integer")), ({"type": "integer"}, "12.500", 12500), ({"type": "integer"}, "três", 3),
    ({"type": "integer"}, "uma dúzia", 12), ({"type": "integer"}, "3x", 3), ({"type": "integer"}, "meio", err("not_a_number")), ({"type": "integer"}, "dois e meio", err("not_an_integer")), ({"type": "integer"}, 12.0, 12), ({"type": "integer"}, 12.5, err("not_an_integer")),
    ({"type": "integer"}, False, err("not_a_number")), ({"type": "integer"}, "sim", err("not_a_number")), ({"type": "integer"}, "98765432109876543210", 98765432109876543210), ({"type": ["integer", "null"]}, "7", 7),
    ({"type": "number", "minimum": 10}, "5", err("out_of_bounds")), ({"type": "number", "maximum": 10}, "5", 5), ({"type": "integer", "maximum": 10}, "onze", err("out_of_bounds")), ({"type": "number", "exclusiveMinimum": 0}, "0", err("out_of_bounds")),
    # booleans
    ({"type": "boolean"}, True, True), ({"type": "boolean"}, "sim", True), ({"type": "boolean"}, "s", True), ({"type": "boolean"}, "quero sim", True), ({"type": "boolean"}, "claro", True), ({"type": "boolean"}, "true", True), ({"type": "boolean"}, "1", True),
    ({"type": "boolean"}, "yes", True), ({"type": "boolean"}, "sí", True), ({"type": "boolean"}, "siiim", True), ({"type": "boolean"}, "👍", True), ({"type": "boolean"}, "com certeza", True), ({"type": "boolean"}, "pode", True), ({"type": "boolean"}, "aceito", True),
    ({"type": "boolean"}, "sim, quero receber os avisos", True), ({"type": "boolean"}, "quero receber", True), ({"type": "boolean"}, "ativado", True), ({"type": "boolean"}, "tenho", True), ({"type": "boolean"}, "isso mesmo", True), ({"type": "boolean"}, "of course", True),
    ({"type": "boolean"}, "não", False), ({"type": "boolean"}, "n", False), ({"type": "boolean"}, "nao", False), ({"type": "boolean"}, "false", False), ({"type": "boolean"}, "0", False), ({"type": "boolean"}, "no", False), ({"type": "boolean"}, "não quero", False),
    ({"type": "boolean"}, "quero não", False), ({"type": "boolean"}, "prefiro não", False), ({"type": "boolean"}, "não precisa", False), ({"type": "boolean"}, "dispenso", False), ({"type": "boolean"}, "claro que não", False), ({"type": "boolean"}, "não, obrigado", False),
    ({"type": "boolean"}, "de jeito nenhum", False), ({"type": "boolean"}, "não quero não", False), ({"type": "boolean"}, "naum", False), ({"type": "boolean"}, "no quiero", False), ({"type": "boolean"}, "I don't want", False), ({"type": "boolean"}, "preciso não", False),
    ({"type": "boolean"}, "não tenho interesse", False), ({"type": "boolean"}, "desativado", False), ({"type": "boolean"}, "👎", False), ({"type": "boolean"}, "melhor não", False), ({"type": "boolean"}, "não gostaria de receber", False),
    ({"type": "boolean"}, "talvez", err("not_a_boolean")), ({"type": "boolean"}, "acho que sim", err("not_a_boolean")), ({"type": "boolean"}, "não sei", err("not_a_boolean")), ({"type": "boolean"}, "sim?", err("not_a_boolean")), ({"type": "boolean"}, "depende", err("not_a_boolean")),
    ({"type": "boolean"}, "se for grátis", err("not_a_boolean")), ({"type": "boolean"}, "sim e não", err("not_a_boolean")), ({"type": "boolean"}, "tanto faz", err("not_a_boolean")), ({"type": "boolean"}, "2", err("not_a_boolean")), ({"type": "boolean"}, 1, err("not_a_boolean")), ({"type": "boolean"}, 0, err("not_a_boolean")),
    ({"type": "boolean"}, "só por e-mail", err("not_a_boolean")), ({"type": "boolean"}, "pode ser", err("not_a_boolean")), ({"type": "boolean"}, "não tenho certeza", err("not_a_boolean")), ({"type": "boolean"}, "banana", err("not_a_boolean")), ({"type": "boolean"}, "por que não?", err("not_a_boolean")),
    ({"type": "boolean"}, "foi ontem", err("not_a_boolean")), ({"type": "boolean"}, "quero cancelar", err("not_a_boolean")), ({"type": "boolean"}, "maybe", err("not_a_boolean")), ({"type": "boolean"}, "agora não", err("not_a_boolean")),
    # dates
    ({"type": "date", "direction": "future"}, "amanhã", "2026-12-01"), ({"type": "string", "format": "date", "direction": "future"}, "dia 5", "2026-12-05"), ({"type": "date", "direction": "future"}, 20261205, err("not_a_date")), ({"type": "date", "direction": "future"}, "31/02", err("invalid_date")),
    ({"type": "date", "direction": "future", "maximum": "2026-12-31"}, "10/01/2027", err("out_of_bounds")),
    # strings
    ({"type": "string"}, "  M-4 ", "M-4"), ({"type": "string"}, "00123", "00123"), ({"type": "string"}, "R$ 71,99", "R$ 71,99"), ({"type": "string"}, "222.333.444-00", "222.333.444-00"), ({"type": "string"}, "(11) 98765-4321", "(11) 98765-4321"), ({"type": "string"}, 42, "42"),
    ({"type": "string"}, True, err("not_a_string")), ({"type": "string"}, ["a"], err("not_a_string")), ({"type": "string", "pattern": "^P-[0-9]+$"}, "P-100", "P-100"), ({"type": "string", "pattern": "^P-[0-9]+$"}, "é o P-100.", "P-100"), ({"type": "string", "pattern": "^P-[0-9]+$"}, "100", err("pattern_mismatch")),
    ({"type": "string", "pattern": "^P-[0-9]+$"}, "P-1 ou P-2", err("ambiguous")), ({"type": "string", "pattern": "("}, "P-1", err("pattern_mismatch")), ({"type": "string", "minLength": 3}, "ab", err("out_of_bounds")), ({"type": "string", "maxLength": 3}, "abcd", err("out_of_bounds")),
    # enums
    ({"type": "enum", "options": ["pix", "boleto"]}, "no pix", "pix"), ({"type": "string", "enum": ["A", "B"]}, "a", "A"), ({"enum": [1, 2]}, 2, 2), ({"enum": [1, 2]}, "dois", 2), ({"type": "enum", "options": ["pix"]}, "dinheiro", err("not_in_enum")), ({"type": "enum", "options": ["pix"]}, ["pix"], err("not_in_enum")),
    # arrays
    ({"type": "array"}, "Plan A", ["Plan A"]), ({"type": "list"}, ["Plan A", "Plan B"], ["Plan A", "Plan B"]), ({"type": "array"}, '["a", "b"]', ["a", "b"]), ({"type": "array"}, "['a', 'b']", ["a", "b"]), ({"type": "array"}, ("a", "b"), ["a", "b"]), ({"type": "array"}, "Babbel e Deezer", ["Babbel", "Deezer"]),
    ({"type": "array", "items": {"type": "number"}}, "10,5 e 20,3", [10.5, 20.3]), ({"type": "array", "items": {"type": "number"}}, "10,5; 20,3", [10.5, 20.3]), ({"type": "array", "items": {"type": "number"}}, "R$ 10,50 e R$ 1.234,56", [10.5, 1234.56]), ({"type": "array", "items": {"type": "integer"}}, "1, 2 e 3", [1, 2, 3]),
    ({"type": "array", "items": {"type": "integer"}}, "1,2,3", [1, 2, 3]), ({"type": "array", "items": {"type": "integer"}}, "[1, 2.5]", err("not_an_integer")), ({"type": "array", "items": {"type": "integer"}}, "1 e banana", err("not_a_number")), ({"type": "array", "items": {"type": "integer"}}, 7, [7]),
    ({"type": "array", "items": {"type": "date", "direction": "future"}}, "05/12 e 06/12", ["2026-12-05", "2026-12-06"]), ({"type": "array", "items": {"type": "string", "enum": ["pix", "boleto"]}}, "pix e boleto", ["pix", "boleto"]), ({"type": "array", "items": {"type": "string", "enum": ["pix", "boleto"]}}, "pix e dinheiro", err("not_in_enum")),
    ({"type": "array", "items": {"type": "boolean"}}, "[true, false]", [True, False]), ({"type": "array", "items": {"type": "boolean"}}, "[true, 1]", err("not_a_boolean")), ({"type": "array", "maxItems": 1}, "Babbel e Deezer", err("out_of_bounds")),
    ({"type": "array", "items": {"type": "integer"}}, "[", err("missing")),
    # arrays of objects
    ({"type": "array", "items": NAMED}, "Babbel e Deezer", [{"name": "Babbel"}, {"name": "Deezer"}]), ({"type": "array", "items": NAMED}, '[{"name": "Babbel"}]', [{"name": "Babbel"}]), ({"type": "array", "items": NAMED}, "[{'name': 'Babbel'}]", [{"name": "Babbel"}]), ({"type": "array", "items": NAMED}, {"name": "Babbel"}, [{"name": "Babbel"}]),
    ({"type": "array", "items": TWO_TEXTS}, "Babbel", err("not_an_object")), ({"type": "array", "items": PRICED}, "Babbel", err("not_an_object")), ({"type": "array", "items": PRICED}, '[{"name": "Babbel", "price": "9,90"}]', [{"name": "Babbel", "price": 9.9}]), ({"type": "array", "items": NAMED}, "[1]", err("not_an_object")),
    ({"type": "array", "items": {"type": "object"}}, "Babbel", err("not_an_object")), ({"type": "array", "items": NAMED}, '[{"nome": "x"}]', err("missing")),
    # arrays of typed values are cut between values, never inside one
    ({"type": "array", "items": {"type": "number"}}, "dez, vinte e trinta", [10.0, 20.0, 30.0]), ({"type": "array", "items": {"type": "number"}}, "vinte e dois e trinta", [22.0, 30.0]), ({"type": "array", "items": {"type": "number"}}, "15 reais e 50 centavos e 20 reais", [15.5, 20.0]),
    ({"type": "array", "items": {"type": "number"}}, "10,5, 20,3 e 30", [10.5, 20.3, 30.0]), ({"type": "array", "items": {"type": "number"}}, "10 e 10", [10.0]), ({"type": "array", "items": {"type": "number"}}, "uns 10 e 20", err("ambiguous")), ({"type": "array", "items": {"type": "number"}}, "- 10\n- 20", [10.0, 20.0]),
    ({"type": "array", "items": {"type": "integer"}}, "um, dois e três", [1, 2, 3]), ({"type": "array", "items": {"type": "integer"}}, "três e cinco", [3, 5]), ({"type": "array", "items": {"type": "integer"}}, "1 e 2,5", err("not_an_integer")), ({"type": "array", "items": {"type": "integer"}}, "1 2 3", err("ambiguous")),
    ({"type": "array", "items": {"type": "date", "direction": "future"}}, "amanhã e sexta", ["2026-12-01", "2026-12-04"]), ({"type": "array", "items": {"type": "date", "direction": "future"}}, "31/02 e 05/12", err("invalid_date")),
    ({"type": "boolean"}, "discordo", False), ({"type": "boolean"}, "tô fora", False), ({"type": "boolean"}, "prefiro não receber", False), ({"type": "boolean"}, "não pode ativar", False), ({"type": "boolean"}, "quero muito não", False), ({"type": "boolean"}, "eu quero", True), ({"type": "boolean"}, "ainda não", err("not_a_boolean")),
    ({"type": "boolean"}, "sim/não", err("not_a_boolean")), ({"type": "boolean"}, "nem sim nem não", err("not_a_boolean")), ({"type": "boolean"}, "sim, se for de graça", err("not_a_boolean")),
    # objects
    ({"type": "object"}, "x", err("not_an_object")), ({"type": "object"}, {"a": 1}, {"a": 1}), ({"type": "object"}, '{"a": 1}', {"a": 1}), ({"type": "object"}, "[1]", err("not_an_object")), (PRICED, {"name": "A", "price": "1,50"}, {"name": "A", "price": 1.5}), (PRICED, {"name": "A"}, err("missing")), (PRICED, {"name": "A", "price": "caro"}, err("not_a_number")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "raw", "want"), [pytest.param(*row, id=f"{row[0].get('type')}: {row[1]!r}"[:60]) for row in TYPED]
)
def test_value_is_coerced(schema: dict[str, Any], raw: Any, want: Any) -> None:
    read = coerce(raw, schema, now=NOW)
    if isinstance(want, CoerceError):
        assert isinstance(read, CoerceError), read
        assert read.code == want.code
    else:
        assert isinstance(read, Coerced), read
        assert read.value == want
        assert type(read.value) is type(want) or not isinstance(want, bool)


def test_known_values_become_the_elements_of_an_array() -> None:
    read = coerce("tim fashon e deezer", {"type": "array"}, known_values=("TIM Fashion", "Deezer"))
    assert isinstance(read, Coerced)
    assert read.value == ["TIM Fashion", "Deezer"]


def test_every_reading_names_its_rule() -> None:
    for schema, raw, _ in TYPED:
        assert coerce(raw, schema, now=NOW).rule


def test_list_nested_beyond_reason_is_refused_not_followed() -> None:
    deep = "[" * 3000 + "]" * 3000
    assert isinstance(coerce(deep, {"type": "array", "items": {"type": "integer"}}), CoerceError)
