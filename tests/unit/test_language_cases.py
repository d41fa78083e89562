"""Every case of the shared language file, by its id, through the same functions as `python -m tests.cases`."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.cases.comparison import passes, same
from tests.cases.reading import Case, answer, read_cases

FILE = Path(__file__).parents[1] / "data" / "language.json"
CASES = read_cases(FILE)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_language_case_is_understood_as_labelled(case: Case) -> None:
    got = answer(case)
    assert passes(case, got), f"{case.text!r}: expected {dict(case.expect)}, got {got}"


def test_language_cases_are_all_there() -> None:
    assert len({case.id for case in CASES}) == len(CASES) == 77


@pytest.mark.parametrize(
    ("wanted", "got", "equal"),
    [
        pytest.param("TIM Fashion", "tim  fashion.", True, id="case, blanks and a final full stop do not count"),
        pytest.param("Época", "epoca", True, id="accents do not count"),
        pytest.param(["a", "b"], ["b", "a"], False, id="order counts"),
        pytest.param(12, 12.0, True, id="numbers count by value"),
        pytest.param(True, 1, False, id="a boolean is never a number"),
        pytest.param(0, False, False, id="a number is never a boolean"),
        pytest.param([{"name": "A"}], [{"name": "a"}], True, id="objects field by field"),
        pytest.param("12", 12, False, id="a text is no number"),
    ],
)
def test_comparison_follows_the_rules_of_the_file(wanted: object, got: object, equal: bool) -> None:
    assert same(wanted, got) is equal


def run(*arguments: str) -> Result:
    import typer

    from tests.cases.__main__ import run as command

    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, list(arguments))


def test_runner_prints_totals_and_the_confusion_of_verdicts() -> None:
    result = run(str(FILE), "--only", "reply")
    assert result.exit_code == 0, result.output
    assert "reply: 20 of 20 pass" in result.output
    assert "wrong accepts: 0" in result.output


def test_runner_prints_one_line_of_json_a_case() -> None:
    import json

    result = run(str(FILE), "--only", "S-IT-01", "--json")
    rows = [json.loads(line) for line in result.output.splitlines()]
    assert [set(row) for row in rows] == [{"id", "kind", "passed", "expected", "got"}]
    assert rows[0]["passed"] is True


def test_runner_fails_with_the_case_named(tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    file.write_text(
        '{"cases": [{"id": "X-1", "kind": "reply", "locale": "pt-BR", "text": "sim",'
        ' "context": {"operation": "cancelamento", "items": ["Babbel"]}, "expect": {"verdict": "decline"}}]}',
        encoding="utf-8",
    )
    result = run(str(file))
    assert result.exit_code == 1
    assert "FAIL X-1 reply 'sim'" in result.output
    assert "wrong accepts: 1 (X-1)" in result.output


def test_runner_refuses_what_is_no_file_of_cases(tmp_path: Path) -> None:
    file = tmp_path / "nothing.json"
    file.write_text("[]", encoding="utf-8")
    assert run(str(file)).exit_code == 2
