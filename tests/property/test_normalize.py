"""Whatever a tool answers: the input stays, the counts add up, every confirmed item has one fate, the order is kept."""

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.normalize_command import CallFate, NormalizeCommand
from contracts.status import Status
from contracts.tool_result import ToolResult
from pipeline import topology
from pipeline.answers import flag_of, read_answer, results_of, tool_result, with_results
from pipeline.decision import CallAnswer, CallOutcome
from pipeline.stages.normalize import normalize_result
from tests.unit.stages.behind import Behind

TOOL = "cancelar_pedidos"
scalars = (
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "true", "A", "B", "not_found", "já foi"])
)
flags = st.booleans() | st.sampled_from(["true", 1, None])
names = st.sampled_from(["A", "B", "C", "D", "P-1"])
entries = st.dictionaries(st.sampled_from(["success", "ok"]), flags) | st.fixed_dictionaries(
    {"success": st.booleans()},
    optional={"ok": flags, "id": names, "name": names, "order_id": names, "reason": scalars, "protocol": scalars},
)
json_values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["ok", "result", "data", "results", "output", "error", "status", "success", TOOL, "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
results = st.lists(entries, max_size=5)


@st.composite
def answers(draw: st.DrawFn) -> Any:
    """An answer in one of the usual shapes, or any JSON."""
    found = draw(results)
    body: Any = {"results": found}
    shape = draw(st.integers(0, 5))
    if shape == 0:
        return draw(json_values)
    if shape in {1, 2}:
        body = {"status": "COMPLETED", "output": {TOOL: body, "other": draw(json_values)}}
    wrapped: dict[str, Any] = body if shape == 3 else {draw(st.sampled_from(["result", "data"])): body}
    return {**wrapped, **draw(st.dictionaries(st.sampled_from(["ok", "error", "metadata"]), json_values, max_size=2))}


@given(answers())
def test_normalized_result_never_changes_its_input_and_its_counts_add_up(answer: Any) -> None:
    if not isinstance(answer, dict):
        return
    before = copy.deepcopy(answer)
    result = normalize_result(answer, TOOL)
    assert answer == before
    evidence = results_of(before, TOOL)
    if result is answer:
        assert evidence is None or len(evidence.entries) < 2 or not evidence.per_item
        return
    summary = result["metadata"]["multi_item"]
    assert evidence is not None
    assert summary["items_count"] == len(evidence.entries) >= 2
    assert summary["items_succeeded_count"] + summary["items_failed_count"] == summary["items_count"]
    assert summary["items_succeeded_count"] == sum(flag_of(entry) is True for entry in evidence.entries)
    assert (result["multi_item_status"] == "FAILED") is (summary["items_succeeded_count"] == 0)
    assert {key: value for key, value in result.items() if key in before and key not in {"ok", "metadata"}} == {
        key: value
        for key, value in before.items()
        if key not in {"ok", "metadata", "multi_item_status", "partial_success", "original_ok", "secondary_error"}
    }
    assert normalize_result(result, TOOL)["metadata"]["multi_item"] == summary


@given(answers())
def test_reading_is_total(answer: Any) -> None:
    before = copy.deepcopy(answer)
    reading = read_answer(answer, TOOL)
    assert isinstance(reading.ok, bool)
    evidence = results_of(answer, TOOL)
    if evidence is not None:
        replaced = results_of(with_results(answer, evidence.path, [1, 2]), TOOL)
        assert replaced is not None
        assert (replaced.path, replaced.entries) == (evidence.path, (1, 2))
    assert answer == before


@settings(max_examples=150, deadline=None)
@given(
    answer=answers(),
    confirmed=st.lists(names, min_size=1, max_size=5, unique=True),
    fate=st.sampled_from(CallFate),
    is_error=st.booleans(),
    channel=st.sampled_from(["web", "whatsapp", "voice"]),
    locale=st.sampled_from(["pt-BR", "en", "es"]),
)
def test_every_confirmed_item_has_one_fate_in_order_and_in_words(
    answer: Any, confirmed: list[str], fate: CallFate, is_error: bool, channel: str, locale: str
) -> None:
    world = Behind(only=("normalize",), agent_id="retail_orders", channel=channel, locale=locale)
    outcome = CallOutcome.TOOL_ERROR if is_error else CallOutcome.OK
    result: ToolResult | None = None
    if fate is CallFate.ANSWERED:
        result = tool_result(TOOL, CallAnswer(outcome=outcome, payload=answer))
    command = NormalizeCommand(
        turn=world.turn,
        transaction=world.transaction(TOOL, {"order_ids": confirmed}),
        items=tuple(confirmed),
        item_values=tuple(confirmed),
        fate=fate,
        result=result,
        reason="timeout",
    )
    [told] = world.heard(topology.NORMALIZE, command)

    subjects = [item.subject for item in told.metadata.items]
    evidence = results_of(answer, TOOL) if result is not None else None
    renamed = len(confirmed) == 1 and evidence is not None and len(evidence.entries) > 1 and subjects[:1] != confirmed
    if not renamed:
        assert subjects[: len(confirmed)] == confirmed
    assert all(name in told.text for name in subjects)
    done = sum(item.outcome.value == "SUCCEEDED" for item in told.metadata.items)
    assert told.metadata.status is not None
    assert (told.metadata.status is Status.COMPLETED) is (done > 0)
    if told.metadata.multi_item is not None:
        summary = told.metadata.multi_item
        assert summary.items_count == len(subjects)
        assert (summary.items_succeeded_count, summary.items_failed_count) == (done, len(subjects) - done)
    if evidence is not None and not any(flag_of(entry) is True for entry in evidence.entries) and len(confirmed) > 1:
        assert done == 0, "something was called done that nobody confirmed"
    assert world.ends == [told.metadata.status]
