"""Replies while one parameter is asked for: answer, giving up, another request, unclear."""

from datetime import datetime
from typing import Any

import pytest

from pipeline.language.collecting import AnswerVerdict, read_answer
from pipeline.language.routing import Route
from tests.unit.language.collecting_rows import AMOUNT, COUNT, DATE, ITEMS, ORDER, PACKAGE, ROWS, VERDICTS

NOW = datetime.fromisoformat("2026-11-30T10:00:00-03:00")
TABLE = [
    pytest.param(context, text, verdict, value, id=f"{context['parameter']['name']}: {text}")
    for context, rows in ROWS
    for text, verdict, value in rows
]


@pytest.mark.parametrize(("context", "text", "verdict", "value"), TABLE)
def test_answer_is_read_as(context: dict[str, Any], text: str, verdict: str, value: Any) -> None:
    answer = read_answer(text, now=NOW, **context)
    assert (str(answer.verdict), answer.value) == (verdict, value)


@pytest.mark.parametrize(
    ("context", "text", "verdict"),
    [
        pytest.param(context, text, verdict, id=f"{context['parameter']['name']}: {text}")
        for context, rows in VERDICTS
        for text, verdict in rows
    ],
)
def test_verdict_is(context: dict[str, Any], text: str, verdict: str) -> None:
    assert str(read_answer(text, now=NOW, **context).verdict) == verdict


@pytest.mark.parametrize(
    ("context", "text", "error"),
    [
        pytest.param(AMOUNT, "uns 50 reais", "ambiguous", id="a guessed amount"),
        pytest.param(COUNT, "24", "out_of_bounds", id="a count above the maximum"),
        pytest.param(COUNT, "2,5", "not_an_integer", id="half a part"),
        pytest.param(DATE, "31/02", "invalid_date", id="no such day"),
        pytest.param(PACKAGE, "5 ou 10", "ambiguous", id="two options"),
        pytest.param(ORDER, "K-5 e K-6", "ambiguous", id="two codes for one"),
    ],
)
def test_value_that_cannot_be_taken_says_why(context: dict[str, Any], text: str, error: str) -> None:
    answer = read_answer(text, now=NOW, **context)
    assert (answer.verdict, answer.error) == (AnswerVerdict.UNCLEAR, error)


@pytest.mark.parametrize(
    ("context", "text", "verdict"),
    [
        pytest.param(AMOUNT, "não quero mais, cancela tudo", "abandon", id="giving up with the bare verb beside it"),
        pytest.param(DATE, "vocês entregam em Recife?", "new_intent", id="a question about something else"),
        pytest.param(DATE, "saiu o resultado do meu exame?", "new_intent", id="a question whether something came"),
    ],
)
def test_whole_matter_is_left_by(context: dict[str, Any], text: str, verdict: str) -> None:
    assert str(read_answer(text, now=NOW, **context).verdict) == verdict


def test_another_request_after_giving_up_is_kept_for_later() -> None:
    answer = read_answer("deixa isso, me manda a segunda via do boleto", now=NOW, **AMOUNT)
    assert answer.rest == "me manda a segunda via do boleto"


def test_router_of_the_caller_tells_another_request() -> None:
    def routes(text: str) -> Route:
        del text
        return Route("list_services", rule="ROUTE-1 keyword")

    answer = read_answer("show me my subscriptions", now=NOW, routes=routes, **ITEMS)
    assert answer.verdict is AnswerVerdict.NEW_INTENT


def test_router_of_the_caller_never_overrules_a_value() -> None:
    def routes(text: str) -> Route:
        del text
        return Route("invoice_help", rule="ROUTE-1 keyword", score=0.95)

    assert read_answer("R$ 31,50", now=NOW, routes=routes, **AMOUNT).value == 31.5


def test_every_verdict_names_its_rule() -> None:
    assert all(read_answer(text, now=NOW, **context).rule for context, rows in ROWS for text, _, _ in rows)
