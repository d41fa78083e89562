"""What `evaluate` hands out: contracts, a page that is complete in itself, tables, and its own usage errors."""

import io
import json
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from consumers.cli import app
from consumers.cli.evaluate import period_of
from consumers.evaluate.charts import position, time_chart
from consumers.evaluate.measures import Evaluation, timeline
from consumers.evaluate.report import html
from consumers.evaluate.results import EVERYBODY, METRICS, OPERATIONS, reports
from consumers.evaluate.table import tables
from consumers.evaluate.words import WORDS
from contracts.evaluation_result import EvaluationResult
from contracts.evaluation_run import EvaluationRun
from contracts.event_catalogue import EVENTS
from tests.unit.evaluated import NAMES, START, TALK, TX, at, counted, evaluated, event, story

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
VOID = {"meta", "br"}
HOSTILE = '"><script>alert(1)</script>'


def lossy() -> Evaluation:
    """The answer is missing."""
    return evaluated([step for name, step in story().items() if name != "answer"])


class Read(HTMLParser):
    """What a browser would make of a page: elements that close as they open, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()
        self.faults += [f"<{tag}> is never closed" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if len(dict(attrs)) != len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        if data.strip() and self.open[-1:] != ["style"]:
            self.texts.append(" ".join(data.split()))

    def attributes(self, name: str) -> list[str]:
        return [value for _, attrs in self.elements if (value := attrs.get(name))]


def page(evaluation: Evaluation, locale: str = "pt-BR") -> str:
    return html(evaluation, reports(evaluation, "demo"), installation="demo", locale=locale)


# --- contracts -------------------------------------------------------------------------------------------------------------


def test_reports_are_contracts_that_read_back_equal() -> None:
    for report in reports(evaluated(story().values()), "demo"):
        data = json.loads(json.dumps(report.as_json()))
        assert EvaluationRun.model_validate(data["run"]) == report.run
        assert [EvaluationResult.model_validate(each) for each in data["results"]] == report.results
        assert {each.run_id for each in report.results} == {report.run.run_id}


def test_there_is_a_run_for_everybody_and_one_for_each_agent() -> None:
    everybody, agent = reports(evaluated(story().values()), "demo")
    assert (everybody.run.agent_id, agent.run.agent_id) == (EVERYBODY, "telecom_contas")
    names = [result.metric for result in agent.results]
    assert len(names) == len(set(names))
    assert {metric.name for metric in METRICS} <= set(names)
    assert {f"{metric.name}@cancelar_produtos" for metric in METRICS} <= set(names)
    assert OPERATIONS.keys() <= {result.metric for result in everybody.results}


@pytest.mark.parametrize(
    ("metric", "value", "count"),
    [
        ("transactions", 1, 1),
        ("partial_share", 1, 1),
        ("success_share", 0, 1),
        ("items_done_share", 2 / 3, 3),
        ("questions_per_transaction", 1, 1),
        ("asked_once_share", 1, 1),
        ("unclear_reply_share", 0, 1),
        ("time_to_question_p99_s", 0.5, 1),
        ("time_to_answer_p50_s", 1.5, 1),
        ("items_lost_before_answer", 0, 1),
        ("messages", 2, 2),
        ("not_understood_share", 0, 2),
    ],
)
def test_a_metric_has_the_value_of_the_story(metric: str, value: float, count: int) -> None:
    for report in reports(evaluated(story().values()), "demo"):
        (result,) = [each for each in report.results if each.metric == metric]
        assert result.value == pytest.approx(value)
        assert result.count == count


def test_the_same_period_has_the_same_run_id_and_another_has_another() -> None:
    ids = [
        reports(evaluated([], since=since), name)[0].run.run_id
        for since, name in ((0, "a"), (0, "a"), (1, "a"), (0, "b"))
    ]
    assert ids[0] == ids[1]
    assert len(set(ids)) == 3


def test_evidence_names_transactions_and_nothing_of_the_customer() -> None:
    found = lossy()
    (result,) = [each for each in reports(found, "demo")[1].results if each.metric == "items_lost_before_answer"]
    assert (result.value, result.evidence) == (3, [{"transaction_id": TX, "conversation_key": TALK}])
    every = json.dumps([report.as_json() for report in reports(evaluated(story().values()), "demo")])
    assert not [name for name in NAMES if name in every]


def test_every_event_that_operators_are_told_of_is_one_that_a_stage_tells() -> None:
    told = {event.name for event in EVENTS}
    assert {kind for kinds in OPERATIONS.values() for kind in kinds} <= told


def test_over_nothing_every_value_is_zero() -> None:
    for report in reports(evaluated([], agent="telecom_contas"), ""):
        assert {(result.value, result.count) for result in report.results} == {(0, 0)}


# --- the page --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", WORDS)
@pytest.mark.parametrize(
    "evaluation", [evaluated(story().values()), lossy(), evaluated([])], ids=["went well", "lossy", "nothing"]
)
def test_the_page_is_well_formed_and_asks_nobody_for_anything(evaluation: Evaluation, locale: str) -> None:
    text = page(evaluation, locale)
    read = Read(text)
    assert read.faults == []
    assert {"src", "href", "srcset", "data"}.isdisjoint(name for _, attrs in read.elements for name in attrs)
    assert not re.search(r"url\(|@import|https?://", text)
    assert "default-src 'none'; style-src 'unsafe-inline'" in read.attributes("content")
    assert ("html", {"lang": locale}) in read.elements


@pytest.mark.parametrize("evaluation", [evaluated(story().values()), lossy()], ids=["went well", "lossy"])
def test_what_is_labelled_by_another_element_finds_it(evaluation: Evaluation) -> None:
    read = Read(page(evaluation))
    ids = read.attributes("id")
    assert len(ids) == len(set(ids))
    assert set(read.attributes("aria-labelledby")) <= set(ids)
    headed = [attrs for tag, attrs in read.elements if tag == "th"]
    assert all(attrs.get("scope") for attrs in headed)


def test_the_page_says_what_was_found() -> None:
    good, bad = Read(page(evaluated(story().values()), "en")).texts, Read(page(lossy(), "en")).texts
    assert "✓ No item was lost, and every text names every item." in good
    assert "✗ Items were lost, or a text does not name every item." in bad
    assert f"python -m consumers trace {TALK} --transaction {TX}" in bad
    place = bad.index("Items lost between call and answer")
    assert bad[place : place + 4][-2:] == ["✗ 3", "1"]
    assert "67%" in good  # items done
    assert "No transaction began and ended in this period." in Read(page(evaluated([]), "en")).texts


def test_numbers_are_written_as_the_locale_does() -> None:
    assert "0,50 s · 0,50 s · 0,50 s" in Read(page(evaluated(story().values()), "pt-BR")).texts
    assert "0.50 s · 0.50 s · 0.50 s" in Read(page(evaluated(story().values()), "en")).texts


def test_what_comes_from_a_topic_is_escaped() -> None:
    steps = [
        event(1, "IC.INTENT_DETECTED", agent=HOSTILE, transaction=HOSTILE, tool=HOSTILE),
        event(1, "IC.GATEWAY_RECEIVED", agent=HOSTILE, transaction=None),
        event(2, "IC.TRANSACTION_COMPLETED", agent=HOSTILE, transaction=HOSTILE, tool=HOSTILE, status="FAILED"),
        event(3, "NOC.DLQ", agent=HOSTILE, transaction=None, error=HOSTILE, position=HOSTILE),
    ]
    text = page(evaluated(steps))
    assert Read(text).faults == []
    assert "<script" not in text
    assert HOSTILE in " ".join(Read(text).texts)


def test_every_language_has_every_text_with_the_same_placeholders() -> None:
    first, *others = WORDS.values()
    for words in others:
        assert words.keys() == first.keys()
        for key, text in words.items():
            assert re.findall(r"{(\w+)}", text) == re.findall(r"{(\w+)}", first[key]), key


def test_columns_fill_the_chart_and_stay_inside() -> None:
    found = counted(story().values())
    chart = time_chart(*timeline(found.journeys, START, at(600)))
    assert sum(column.count for column in chart.columns) == 1
    for column in chart.columns:
        assert chart.left <= column.x
        assert column.x + column.width <= chart.width
        assert all(part.y >= 0 and part.y + part.height <= chart.base + 0.01 for part in column.parts)


@pytest.mark.parametrize(("seconds", "place"), [(0, 0), (0.05, 0), (60, 100), (3_600, 100)])
def test_waits_beyond_the_scale_lie_at_its_ends(seconds: float, place: float) -> None:
    assert position(seconds) == place


# --- the terminal ----------------------------------------------------------------------------------------------------------


def printed(evaluation: Evaluation) -> str:
    console = Console(file=io.StringIO(), width=160)
    for table in tables(evaluation):
        console.print(table)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_tables_tell_what_was_lost_and_where() -> None:
    assert re.search(r"items lost before answer\s+0\s+1 transactions", printed(evaluated(story().values())))
    lost = printed(lossy())
    assert re.search(r"items lost before answer\s+3\s+1 transactions", lost)
    assert f"--transaction {TX}" in lost
    assert "–" in printed(evaluated([]))


def test_what_comes_from_a_topic_is_no_markup_of_the_terminal_and_no_shell() -> None:
    foreign = "[/red]; rm x"
    steps = [
        event(1, "IC.INTENT_DETECTED", agent=foreign, transaction=foreign, tool=foreign),
        event(2, "IC.TRANSACTION_COMPLETED", agent=foreign, transaction=foreign, tool=foreign, status="FAILED"),
    ]
    shown = printed(evaluated(steps))
    assert foreign in shown
    assert f"--transaction '{foreign}'" in shown


@pytest.mark.parametrize(
    ("since", "until", "begins", "ends"),
    [
        ("1h", "now", "2026-11-30T11:00:00+00:00", "2026-11-30T12:00:00+00:00"),
        ("-90m", "-30m", "2026-11-30T10:30:00+00:00", "2026-11-30T11:30:00+00:00"),
        ("2026-11-30T08:00:00-03:00", "2026-11-30T11:30Z", "2026-11-30T11:00:00+00:00", "2026-11-30T11:30:00+00:00"),
        ("2026-11-29", "2026-11-30", "2026-11-29T00:00:00+00:00", "2026-11-30T00:00:00+00:00"),
    ],
)
def test_a_period_is_read(since: str, until: str, begins: str, ends: str) -> None:
    period = period_of(since, until, NOW)
    assert (period.since.isoformat(), period.until.isoformat()) == (begins, ends)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--from", "yesterday"], "--from 'yesterday' is neither like -15m nor an instant"),
        (["--from", "1h", "--to", "2h"], "--from 1h is not before --to 2h."),
        (["--from", "1h", "--agent", "nobody"], "There is no agent 'nobody': retail_orders, telecom_contas."),
        (["--from", "1h", "--locale", "fr"], "--locale 'fr' is not one of pt-BR, en."),
        (["--from", "999999d"], "--from '999999d' lies outside the years 1971 to 9998."),
        (["--from", "1960-01-01"], "--from '1960-01-01' lies outside the years 1971 to 9998."),
        (
            ["--from", "1h", "--to", "9999-12-31T23:59Z"],
            "--to '9999-12-31T23:59Z' lies outside the years 1971 to 9998.",
        ),
        ([], "Missing option '--from'"),
    ],
    ids=["no instant", "backwards", "no agent", "no language", "no such year", "too early", "too late", "nothing"],
)
def test_a_wrong_option_is_told(arguments: list[str], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1")
    done: Any = CliRunner().invoke(app, ["evaluate", *arguments])
    assert done.exit_code == 2
    assert told in " ".join(done.output.split())


def test_help_has_an_example_and_the_documentation_defines_every_metric() -> None:
    assert "Example: python -m consumers evaluate --from 1h" in CliRunner().invoke(app, ["evaluate", "--help"]).output
    text = Path("docs/evaluate.md").read_text("utf-8")
    known = set(re.findall(r"`([a-z_0-9]+)`", text))
    assert {result.metric for result in reports(evaluated([]), "")[0].results} <= known
