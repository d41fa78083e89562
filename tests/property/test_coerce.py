"""Coercion, collecting, extraction and routing on hostile input: total, typed, and never more than what was said."""

import json
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.language.coerce import Coerced, CoerceError, coerce
from pipeline.language.collecting import read_answer
from pipeline.language.extract import extract
from pipeline.language.routing import route
from tests.unit.language.agents import TELECOM

NOW = datetime.fromisoformat("2026-11-30T10:00:00-03:00")
LOCALES = st.sampled_from(["pt-BR", "en", "es", "", "xx"])
SCHEMAS: tuple[dict[str, Any], ...] = (
    {"type": "number"},
    {"type": "integer", "minimum": 1, "maximum": 100},
    {"type": "boolean"},
    {"type": "date", "direction": "future"},
    {"type": "date", "direction": "past"},
    {"type": "string", "pattern": "^[A-Z]-[0-9]+$"},
    {"type": "enum", "options": ["pix", "boleto", "cartao_credito", "10GB"]},
    {"type": "array"},
    {"type": "array", "items": {"type": "number"}},
    {"type": "array", "items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}},
    {"type": "object", "properties": {"a": {"type": "integer"}}},
    {},
)
SAID = st.lists(
    st.sampled_from(
        [
            "não",
            "quero",
            "mais",
            "sim",
            "talvez",
            "49,90",
            "R$",
            "1.234,56",
            "dia",
            "5",
            "31/02",
            "amanhã",
            "sexta",
            "que",
            "vem",
            "segunda",
            "ou",
            "e",
            ",",
            ".",
            ";",
            "?",
            "!",
            "-",
            "/",
            "mil",
            "dois",
            "e",
            "meio",
            "dúzia",
            "reais",
            "centavos",
            "pix",
            "boleto",
            "10",
            "giga",
            "cancela",
            "Deezer",
            "porque",
            "esquece",
            "quer",
            "dizer",
            "[",
            "]",
            "{",
            "}",
            '"',
            "'",
            "entre",
            "até",
            "uns",
            "hoje",
            "às",
            "10h",
            "05/12/2026",
            "P-100",
            "💥",
            "١٢٣",
            "７",
            "½",
            "\u200b́",
            "todos",
            "menos",
            "primeiro",
            "não,",
            "sei",
        ]
    ),
    max_size=30,
).map(" ".join)
TEXTS = st.one_of(st.text(max_size=200), SAID)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=10,
)
RELAXED = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def type_holds(value: Any, schema: dict[str, Any]) -> bool:
    match schema.get("type"):
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 100
        case "boolean":
            return isinstance(value, bool)
        case "date":
            return bool(date.fromisoformat(value))
        case "enum":
            return value in schema["options"]
        case "array":
            return isinstance(value, list) and bool(value)
        case "object":
            return isinstance(value, dict)
        case _:
            return isinstance(value, str) and bool(value)


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: json.dumps(schema)[:40])
@given(raw=st.one_of(TEXTS, JSON), locale=LOCALES)
@RELAXED
def test_coerce_is_total_and_its_values_have_the_type(schema: dict[str, Any], raw: Any, locale: str) -> None:
    read = coerce(raw, schema, locale=locale, now=NOW)
    assert isinstance(read, Coerced | CoerceError)
    if isinstance(read, Coerced):
        assert type_holds(read.value, schema)
        json.dumps(read.value)


@given(text=SAID, locale=LOCALES)
@RELAXED
def test_coerce_is_deterministic(text: str, locale: str) -> None:
    for schema in SCHEMAS:
        assert coerce(text, schema, locale=locale, now=NOW) == coerce(text, schema, locale=locale, now=NOW)


@given(number=st.integers(0, 10**9), cents=st.integers(0, 99))
@RELAXED
def test_amount_written_in_portuguese_is_read_back_exactly(number: int, cents: int) -> None:
    grouped = f"{number:,}".replace(",", ".")
    read = coerce(f"R$ {grouped},{cents:02d}", {"type": "number"})
    assert isinstance(read, Coerced)
    assert read.value == float(f"{number}.{cents:02d}")


@given(day=st.dates(date(1950, 1, 1), date(2099, 12, 31)))
@RELAXED
def test_full_date_is_read_back_exactly(day: date) -> None:
    for text, locale in (
        (day.strftime("%d/%m/%Y"), "pt-BR"),
        (day.isoformat(), "en"),
        (day.strftime("%d-%m-%Y"), "es"),
    ):
        read = coerce(text, {"type": "date", "direction": "future"}, locale=locale, now=NOW)
        assert isinstance(read, Coerced)
        assert read.value == day.isoformat()


@given(first=st.integers(1, 999), second=st.integers(1, 999), link=st.sampled_from([" ou ", " e ", " a ", " - ", ", "]))
@RELAXED
def test_two_different_numbers_are_never_one(first: int, second: int, link: str) -> None:
    read = coerce(f"{first}{link}{second}", {"type": "number"})
    assert isinstance(read, CoerceError) or first == second


@pytest.mark.parametrize(
    "hedge", ["talvez", "acho que", "uns", "mais ou menos", "não sei,", "quase", "entre 1 e", "até", "não é"]
)
@given(value=st.sampled_from(["50", "R$ 49,90", "dez", "duas dúzias"]))
@RELAXED
def test_hedged_number_is_never_taken(hedge: str, value: str) -> None:
    assert isinstance(coerce(f"{hedge} {value}", {"type": "number"}), CoerceError)


@pytest.mark.parametrize("doubt", ["talvez", "acho que", "não sei se", "se for grátis,", "depende,", "será que"])
@given(word=st.sampled_from(["sim", "não", "quero", "claro", "não quero", "aceito"]))
@RELAXED
def test_doubtful_boolean_is_never_taken(doubt: str, word: str) -> None:
    assert isinstance(coerce(f"{doubt} {word}", {"type": "boolean"}), CoerceError)


@given(text=TEXTS, locale=LOCALES)
@RELAXED
def test_collecting_extraction_and_routing_are_total(text: str, locale: str) -> None:
    for schema in SCHEMAS:
        read_answer(
            text,
            parameter={"name": "p", "label": "o valor", **schema},
            operation="cancelamento",
            locale=locale,
            now=NOW,
        )
    named = {f"p{place}": schema for place, schema in enumerate(SCHEMAS)}
    extract(text, named, required=["p0"], locale=locale, now=NOW, known_values={"p7": ["Deezer", "Babbel"]})
    route(text, TELECOM)


PASTES = [
    pytest.param("a" * 10_000, id="one word"),
    pytest.param("não " * 2_500, id="negations"),
    pytest.param("1." * 5_000, id="dots"),
    pytest.param("1,2" * 3_300, id="commas"),
    pytest.param("vinte e " * 1_250, id="number words"),
    pytest.param("dia 5 ou " * 1_100, id="days"),
    pytest.param("quero cancelar e " * 600, id="requests"),
    pytest.param("[" * 10_000, id="brackets"),
    pytest.param("pix ou " * 1_400, id="options"),
    pytest.param("\u0301" * 10_000, id="accents"),
    pytest.param("?!" * 5_000, id="marks"),
    pytest.param("deve ser o " * 900, id="hedges"),
]


@pytest.mark.parametrize("text", PASTES)
def test_paste_of_ten_thousand_characters_is_read_to_the_end(text: str) -> None:
    for schema in SCHEMAS:
        coerce(text, schema, now=NOW)
        read_answer(text, parameter={"name": "p", "label": "o valor", **schema}, operation="cancelamento", now=NOW)
    extract(text, {"items": {"type": "array"}, "amount": {"type": "number"}, "date": {"type": "date"}}, now=NOW)
    route(text, TELECOM)
