"""Reading MCP's result: is_error first, then structure, then text."""

from typing import Any

import pytest
from mcp import types

from pipeline.tools.answers import Outcome
from pipeline.tools.catalog import ListedTool, compiled, violation
from pipeline.tools.results import payload_of, verdict_of


def result(*texts: str, **fields: Any) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text) for text in texts], **fields)


def tool(output_schema: dict[str, Any]) -> ListedTool:
    return ListedTool(
        name="t",
        description=None,
        input_schema={},
        output_schema=output_schema,
        read_only_hint=None,
        idempotent_hint=None,
        validator=compiled(output_schema),
    )


@pytest.mark.parametrize(
    ("answer", "payload"),
    [
        pytest.param(result("{}", structured_content={"a": 1}), {"a": 1}, id="structured content first"),
        pytest.param(result('{"ok": true}'), {"ok": True}, id="text that is a JSON object"),
        pytest.param(result("[1, 2]"), [1, 2], id="text that is a JSON array"),
        pytest.param(result('{"a":', "1}"), {"a": 1}, id="JSON in several blocks"),
        pytest.param(result("feito"), {"text": "feito"}, id="plain text"),
        pytest.param(result("42"), {"text": "42"}, id="a number is text"),
        pytest.param(result('{"a": NaN}'), {"text": '{"a": NaN}'}, id="NaN is no JSON"),
        pytest.param(
            result(r'{"name": "Neymar \ud83d", "\ude00": ["\ud83d\ude00"]}'),
            {"name": "Neymar \ufffd", "\ufffd": ["\U0001f600"]},
            id="half an emoji",
        ),
        pytest.param(result("[" * 100_000), {"text": "[" * 100_000}, id="nested beyond reason"),
        pytest.param(result(), {"text": ""}, id="nothing"),
        pytest.param(result("x", structured_content=None), {"text": "x"}, id="structured content that is null"),
        pytest.param(result("x", structured_content=[]), [], id="structured content that is empty"),
    ],
)
def test_payload_is(answer: types.CallToolResult, payload: Any) -> None:
    assert payload_of(answer) == payload


def test_is_error_is_read_before_structured_content_and_is_not_checked_against_the_schema() -> None:
    answer = result("no", is_error=True, structured_content={"results": "wrong"})
    verdict = verdict_of(answer, tool({"type": "object", "properties": {"results": {"type": "array"}}}), max_bytes=None)
    assert verdict is not None
    assert (verdict.outcome, verdict.code, verdict.payload) == (
        Outcome.TOOL_ERROR,
        "is_error",
        {"results": "wrong"},
    )


def test_answer_that_breaks_its_schema_is_unknown_and_names_the_place_without_the_value() -> None:
    listed = tool({"type": "object", "properties": {"results": {"type": "array", "items": {"type": "object"}}}})
    verdict = verdict_of(result(structured_content={"results": [{}, "11999999999"]}), listed, max_bytes=None)
    assert verdict is not None
    assert (verdict.outcome, verdict.code) == (Outcome.UNKNOWN, "schema_violation")
    assert "results/1" in verdict.error
    assert "11999999999" not in verdict.error


def test_answer_without_structured_content_is_a_violation_when_the_tool_has_an_output_schema() -> None:
    assert violation(tool({"type": "object"}), result("{}")) is not None


def test_answer_is_taken_as_it_comes_when_the_schema_is_no_schema() -> None:
    assert violation(tool({"type": "nonsense"}), result(structured_content={})) is None


def test_schema_that_points_outside_is_not_followed() -> None:
    assert compiled({"$ref": "http://127.0.0.1:1/schema.json"}) is None


def test_answer_over_stdio_is_unknown_when_it_is_larger_than_allowed() -> None:
    verdict = verdict_of(result("x" * 5000), None, max_bytes=4096)
    assert verdict is not None
    assert (verdict.outcome, verdict.code) == (Outcome.UNKNOWN, "too_large")


def test_tool_that_asks_for_input_is_a_tool_error() -> None:
    verdict = verdict_of(types.InputRequiredResult(request_state="s"), None, max_bytes=None)
    assert verdict is not None
    assert (verdict.outcome, verdict.code) == (Outcome.TOOL_ERROR, "input_required")
