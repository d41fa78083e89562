"""The customer texts: catalogues agree, agreement and locales are right, channels get what they can show."""

import ast
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.language.channel_text import fit, speakable
from pipeline.language.messages import Catalogue, check
from pipeline.language.typography import (
    date_text,
    duration_text,
    heading,
    humanised,
    join_items,
    money_text,
    number_text,
    with_article,
    with_of,
)

ROOT = Path(__file__).parents[2]
LOCALES = ("pt-BR", "en", "es")


def texts() -> dict[str, dict[str, Any]]:
    return {locale: yaml.safe_load((ROOT / f"config/messages.{locale}.yaml").read_text()) for locale in LOCALES}


def small(**changes: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    base: dict[str, Mapping[str, Any]] = {locale: {"a": "x {name}"} for locale in LOCALES}
    return {**base, **{key.replace("_", "-"): value for key, value in changes.items()}}


def test_shipped_catalogues_agree() -> None:
    assert check(texts()) == []


def test_every_key_that_the_code_names_is_in_the_catalogue() -> None:
    known = set(texts()["pt-BR"])
    missing = []
    for path in (ROOT / "pipeline").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in {"say", "say_inside"}
                and node.args
            ):
                keys = [part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)]
                missing += [
                    f"{path.name}:{node.lineno} {key}"
                    for key in keys
                    if isinstance(key, str) and "." in key and not key.endswith(".") and key not in known
                ]
    assert missing == []


@pytest.mark.parametrize(
    ("catalogues", "problem"),
    [
        pytest.param(small(en={}), "messages.en: a is missing", id="a key is missing in a locale"),
        pytest.param(small(en={"a": "x"}), "placeholders differ", id="placeholders differ"),
        pytest.param(small(en={"a": {"one": "x {name}"}}), "mapping of one and other", id="a form is missing"),
        pytest.param(small(en={"a": "x {name"}), "is not a template", id="a brace is open"),
        pytest.param(small(en={"a": "x {name:>4}"}), "plain name", id="a format is in a text"),
        pytest.param(small(en={"a": " "}), "must not be blank", id="a text is blank"),
        pytest.param(small(en={"a": "x {name}", "a@braille": "y"}), "a@braille", id="a variant is of no format"),
        pytest.param(small(fr={"a": "x {name}"}), "locale fr is not supported", id="a locale is unknown"),
        pytest.param({"en": {"a": "x"}}, "locale pt-BR is missing", id="a locale is missing"),
    ],
)
def test_check_names_the_fault_when(catalogues: Mapping[str, Mapping[str, Any]], problem: str) -> None:
    assert any(problem in found for found in check(catalogues))
    with pytest.raises(ValueError, match=r"messages"):
        Catalogue(catalogues)


def test_say_chooses_one_or_several_by_the_only_list() -> None:
    catalogue = Catalogue({locale: {"a": {"one": "o item {items}", "other": "os itens {items}"}} for locale in LOCALES})
    assert catalogue.say("a", locale="pt-BR", items=["A"]) == "o item A"
    assert catalogue.say("a", locale="pt-BR", items=["A", "B", "C"]) == "os itens A, B e C"


def test_say_takes_the_variant_of_the_format_and_drops_markup_elsewhere() -> None:
    catalogue = Catalogue({locale: {"a": "**{x}** ok", "a@speech": "diga {x}"} for locale in LOCALES})
    assert catalogue.say("a", locale="pt-BR", x="A") == "**A** ok"
    assert catalogue.say("a", locale="pt-BR", format="plain", x="A") == "A ok"
    assert catalogue.say("a", locale="pt-BR", format="speech", x="A") == "diga A."


def test_say_refuses_a_key_that_is_not_there() -> None:
    with pytest.raises(KeyError):
        Catalogue(small()).say("b", locale="en")


@pytest.mark.parametrize(
    ("locale", "text"),
    [("pt-PT", "pt"), ("en-US", "en"), ("es-MX", "es"), ("fr", "pt"), ("", "pt"), ("EN_gb", "en")],
)
def test_say_takes_the_nearest_locale(locale: str, text: str) -> None:
    catalogue = Catalogue({name: {"a": name[:2]} for name in LOCALES})
    assert catalogue.say("a", locale=locale) == text


@pytest.mark.parametrize(
    ("items", "locale", "text"),
    [
        pytest.param(["A"], "pt-BR", "A", id="one"),
        pytest.param(["A", "B"], "pt-BR", "A e B", id="two"),
        pytest.param(["A", "B", "C"], "pt-BR", "A, B e C", id="three"),
        pytest.param(["A", "B", "C"], "en", "A, B and C", id="English"),
        pytest.param(["A", "B", "Internet"], "es", "A, B e Internet", id="Spanish before an i"),
        pytest.param(["A", "Hielo"], "es", "A y Hielo", id="Spanish before hie"),
        pytest.param(["TIM", "Som e Imagem"], "pt-BR", "TIM e “Som e Imagem”", id="a name that holds the separator"),
        pytest.param([], "pt-BR", "", id="nothing"),
    ],
)
def test_items_are_joined_as(items: list[str], locale: str, text: str) -> None:
    assert join_items(items, locale) == text


def test_items_are_joined_by_or_when_one_is_to_be_chosen() -> None:
    assert join_items(["A", "B"], "pt-BR", either=True) == "A ou B"
    assert join_items(["A", "Oro"], "es", either=True) == "A u Oro"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (money_text(1249.9, "pt-BR"), "R$ 1.249,90"),
        (money_text(1249.9, "en"), "R$1,249.90"),
        (money_text(1249.9, "es"), "R$ 1.249,90"),
        (money_text(0.1 + 0.2, "pt-BR"), "R$ 0,30"),
        (money_text(-5, "pt-BR"), "-R$ 5,00"),
        (money_text(71.99, "pt-BR", spoken=True), "71 reais e 99 centavos"),
        (money_text(1, "en", spoken=True), "1 real"),
        (money_text(0.01, "pt-BR", spoken=True), "1 centavo"),
        (number_text(1234.5, "pt-BR"), "1.234,5"),
        (number_text(100, "en"), "100"),
        (date_text(date(2026, 3, 5), "pt-BR"), "05/03/2026"),
        (date_text(date(2026, 3, 5), "en"), "March 5, 2026"),
        (date_text(date(2026, 3, 5), "es", spoken=True), "5 de marzo de 2026"),
        (duration_text(900_000, "pt-BR"), "15 minutos"),
        (duration_text(60_000, "en"), "1 minute"),
        (duration_text(10, "es"), "1 segundo"),
        (with_article("cancelamento", "pt-BR"), "o cancelamento"),
        (with_article("contestação", "pt-BR"), "a contestação"),
        (with_article("a consulta", "pt-BR"), "a consulta"),
        (with_article("cancelación", "es"), "la cancelación"),
        (with_article("cancellation", "en"), "the cancellation"),
        (with_of("cancelamento", "pt-BR"), "do cancelamento"),
        (with_of("cambio", "es"), "del cambio"),
        (with_of("return", "en"), "of the return"),
        (heading("os produtos"), "Produtos"),
        (humanised("already_shipped"), "already shipped"),
        (humanised("tooLate"), "too late"),
    ],
)
def test_values_are_written_as_people_read_them(written: str, expected: str) -> None:
    assert written == expected


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        pytest.param("- **A**: ok\n- **B**: ok", "A: ok. B: ok.", id="bullets become sentences"),
        pytest.param("Custa R$ 71,99 & 5%", "Custa 71 reais e 99 centavos e 5 por cento.", id="signs become words"),
        pytest.param("Veja https://x.y/z 👍 aqui", "Veja aqui.", id="addresses and emoji are not read"),
        pytest.param("Responda “sim” (ou “não”)", "Responda sim, ou não.", id="quotes and brackets are not read"),
        pytest.param(
            "A: ok, protocolo 557391739.", "A: ok, protocolo 5 5 7 3 9 1 7 3 9.", id="a protocol is read by digits"
        ),
        pytest.param("Total: R$ 1.234.567,80", "Total: 1234567 reais e 80 centavos.", id="an amount is read as one"),
    ],
)
def test_speech_holds_no_symbols(text: str, spoken: str) -> None:
    assert speakable(text, "pt-BR") == spoken


def test_fit_shortens_lines_before_it_leaves_any_out() -> None:
    lines = [f"item {number}: {'x' * 60}" for number in range(5)]
    text = fit("Itens:", lines, "", form="markdown", max_chars=200, more=lambda count: f"e mais {count}")
    assert len(text) <= 200
    assert all(f"item {number}:" in text for number in range(5))


def test_fit_counts_what_it_leaves_out() -> None:
    lines = [f"item {number}: {'x' * 60}" for number in range(50)]
    text = fit("Itens:", lines, "fim", form="plain", max_chars=300, more=lambda count: f"e mais {count}")
    shown = sum(f"item {number}:" in text for number in range(50))
    assert len(text) <= 300
    assert 0 < shown < 50
    assert f"e mais {50 - shown}" in text
    assert text.endswith("fim")
