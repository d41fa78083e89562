"""Reading what tools answer: every shape in use, strictly, and without ever changing it."""

import copy
from typing import Any

import pytest

from pipeline.answers import (
    error_text,
    failure_event,
    flag_of,
    flags_conflict,
    is_presentable,
    protocol_of,
    read_answer,
    reason_of,
    results_of,
    said_ok,
    tool_result,
    validator_answer,
    with_results,
)
from pipeline.decision import CallAnswer, CallOutcome
from pipeline.matching import match, subject_of


@pytest.mark.parametrize(
    ("answer", "ok"),
    [
        pytest.param({"ok": True}, True, id="true"),
        pytest.param({"ok": True, "error": "x"}, True, id="true with an error"),
        pytest.param({"ok": False}, False, id="false"),
        pytest.param({"ok": "true"}, False, id="text"),
        pytest.param({"ok": 1}, False, id="a number"),
        pytest.param({"ok": None, "error": "x"}, False, id="null and an error"),
        pytest.param({"error": "x"}, False, id="an error only"),
        pytest.param({"error": ""}, None, id="an empty error"),
        pytest.param({"error": None, "success": False}, False, id="success in the place of ok"),
        pytest.param({"success": "false"}, None, id="success as text"),
        pytest.param({"results": []}, None, id="nothing said"),
        pytest.param([1], None, id="an array"),
        pytest.param(None, None, id="nothing"),
    ],
)
def test_ok_is_read_as(answer: Any, ok: bool | None) -> None:
    assert said_ok(answer) is ok


@pytest.mark.parametrize(
    ("entry", "flag", "conflict"),
    [
        ({"success": True}, True, False),
        ({"ok": False}, False, False),
        ({"success": True, "ok": False}, False, True),
        ({"success": True, "ok": None}, True, False),
        ({"success": "false", "ok": True}, False, True),
        ({"success": "true"}, None, False),
        ({"success": 1}, None, False),
        ({}, None, False),
        (True, None, False),
    ],
)
def test_flag_of_an_entry_is_a_boolean_or_none(entry: Any, flag: bool | None, conflict: bool) -> None:
    assert flag_of(entry) is flag
    assert not isinstance(entry, dict) or flags_conflict(entry) is conflict


@pytest.mark.parametrize(
    ("answer", "ok", "reason", "secondary"),
    [
        pytest.param({"ok": True, "data": {"x": 1}}, True, None, None, id="data"),
        pytest.param({"ok": True, "result": {"ok": False, "error": "e"}}, False, "e", None, id="a failure inside"),
        pytest.param(
            {"ok": False, "error": "later", "result": {"status": "COMPLETED", "output": {"t": {"success": True}}}},
            True,
            None,
            "later",
            id="primary done, later step failed",
        ),
        pytest.param(
            {
                "ok": False,
                "result": {
                    "status": "COMPLETED",
                    "output": {"t": {"success": True}, "n": {"success": False, "error": "n"}},
                },
            },
            True,
            None,
            "n",
            id="primary done, the later step says why",
        ),
        pytest.param(
            {"ok": True, "result": {"status": "COMPLETED", "output": {"t": {"success": False, "reason": "r"}}}},
            False,
            "r",
            None,
            id="primary failed in a completed workflow",
        ),
        pytest.param(
            {"ok": True, "result": {"status": "COMPLETED", "output": {"other": {"success": True}}}},
            False,
            "primary_step_missing",
            None,
            id="primary step did not run",
        ),
        pytest.param(
            {"ok": True, "result": {"status": "PAUSED", "output": {}}},
            False,
            "primary_step_missing",
            None,
            id="workflow that is paused before it",
        ),
        pytest.param(
            {"ok": True, "result": {"output": {"url": "x"}}}, True, None, None, id="output that is no workflow"
        ),
        pytest.param({"ok": False, "error": {"code": "E", "message": "m"}}, False, "E", None, id="error as an object"),
        pytest.param("done", True, None, None, id="text"),
        pytest.param(None, True, None, None, id="nothing"),
    ],
)
def test_answer_is_read_for_the_primary_operation(
    answer: Any, ok: bool, reason: str | None, secondary: str | None
) -> None:
    before = copy.deepcopy(answer)
    reading = read_answer(answer, "t")
    assert (reading.ok, reading.reason, reading.secondary_error) == (ok, reason, secondary)
    assert answer == before


def test_body_is_what_is_inside_the_wrappers() -> None:
    assert read_answer({"ok": True, "result": {"result": {"a": 1}}}, "t").body == {"a": 1}
    assert read_answer({"ok": True, "data": {"total": 2, "data": [1]}}, "t").body == {"total": 2, "data": [1]}
    assert read_answer({"ok": True, "data": [1, 2]}, "t").body == [1, 2]


def test_results_of_another_tool_are_not_found() -> None:
    assert results_of({"result": {"output": {"other": {"results": [1, 2]}}}}, "t") is None


def test_results_are_replaced_in_a_copy() -> None:
    answer = {"ok": True, "result": {"output": {"t": {"results": [1, 2], "x": 1}, "n": 1}}}
    before = copy.deepcopy(answer)
    evidence = results_of(answer, "t")
    assert evidence is not None
    changed = with_results(answer, evidence.path, [3])
    assert changed == {"ok": True, "result": {"output": {"t": {"results": [3], "x": 1}, "n": 1}}}
    assert answer == before


def test_validator_answer_is_found_under_its_wrappers_only_where_eligible_stands() -> None:
    assert validator_answer({"ok": True, "result": {"eligible": False}}, "v") == {"eligible": False}
    assert validator_answer({"ok": True, "result": {"output": {"v": {"eligible": True}}}}, "v") == {"eligible": True}
    assert validator_answer({"ok": True, "result": {"output": {"w": {"eligible": True}}}}, "v") is None
    assert validator_answer("eligible", "v") is None


def test_reason_and_protocol_are_taken_from_any_usual_field() -> None:
    assert reason_of({"error": {"code": "x"}}) == "x"
    assert reason_of({"message": "no"}) == "no"
    assert reason_of({"reason": ""}) is None
    assert protocol_of({"protocolo": 7}) == "7"
    assert protocol_of({"protocol": True}) is None
    assert error_text([]) is None
    assert error_text(["a"]) == '["a"]'


def test_is_error_is_read_before_the_content() -> None:
    result = tool_result(
        "t", CallAnswer(outcome=CallOutcome.TOOL_ERROR, payload={"ok": True}, error="refused", code="is_error")
    )
    assert (result.ok, result.error, result.data) == (False, "refused", {"ok": True})


@pytest.mark.parametrize(
    ("code", "event"),
    [
        ("timeout", "NOC.MCP_TIMEOUT"),
        ("breaker_open", "NOC.MCP_CIRCUIT_OPENED"),
        ("http_503", "NOC.MCP_TOOL_FAILED"),
        (None, "NOC.MCP_TOOL_FAILED"),
    ],
)
def test_failure_is_called(code: str | None, event: str) -> None:
    assert failure_event(CallAnswer(outcome=CallOutcome.UNKNOWN, code=code)) == event


@pytest.mark.parametrize(
    "text", ["Traceback (most recent call last)", "see http://x", "foo.bar(1)", '{"a": 1}', "x" * 400, " "]
)
def test_technical_words_are_not_for_customers(text: str) -> None:
    assert not is_presentable(text)


@pytest.mark.parametrize(
    ("items", "entries", "found"),
    [
        pytest.param(["A", "B"], [{"name": "B"}, {"name": "A"}], ((1,), (0,)), id="by name"),
        pytest.param(
            [{"id": 1, "name": "B"}, {"id": 2, "name": "A"}],
            [{"id": "2", "name": "B"}, {"id": "1", "name": "A"}],
            ((1,), (0,)),
            id="ids before names",
        ),
        pytest.param(
            ["A", "B"], [{"name": "B", "replaces": "A"}, {"name": "A"}], ((1,), (0,)), id="names before other strings"
        ),
        pytest.param(["A"], [{"x": "A"}, {"x": "A"}], ((0, 1),), id="twice"),
        pytest.param(["A", "B"], [{"x": 1}, {"x": 2}], ((0,), (1,)), id="by position"),
        pytest.param(["A", "B"], [{"x": 1}], ((), ()), id="no position where the counts differ"),
        pytest.param(["A", "B"], [{"reason": "A"}, {"name": "A"}], ((1,), ()), id="a reason is no name"),
        pytest.param([], [{"name": "A"}], (), id="nothing confirmed"),
        pytest.param([None, 3.5], [True, None], ((0,), (1,)), id="odd values"),
    ],
)
def test_items_are_matched(items: list[Any], entries: list[Any], found: tuple[tuple[int, ...], ...]) -> None:
    assert match(items, entries) == found


def test_subject_is_a_name_before_an_id() -> None:
    assert subject_of({"order_id": "P-1", "success": True}) == "P-1"
    assert subject_of({"id": "1", "subject": "A"}) == "A"
    assert subject_of({"success": True, "protocol": "X", "reason": "r"}) is None
    assert subject_of(True) is None


def test_address_is_shown_only_where_a_query_was_asked_for() -> None:
    assert not is_presentable("Boleto em https://x.br/1")
    assert is_presentable("Boleto em https://x.br/1", addresses=True)
