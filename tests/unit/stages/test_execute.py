"""Execute: one call with the collection, and what became of it, whatever happens on the way."""

from datetime import timedelta
from typing import Any

import pytest

from contracts.execute_command import ExecuteCommand
from contracts.identity import item_key
from contracts.normalize_command import CallFate, NormalizeCommand
from contracts.status import Status
from contracts.tool_result import ToolResult
from contracts.transaction import Confirmation
from pipeline import topology
from pipeline.answers import UNDECIDABLE
from pipeline.decision import (
    CallAnswer,
    CallGranted,
    CallOutcome,
    CallPhase,
    CallReturned,
    Decision,
    Position,
    Rejection,
)
from pipeline.policy import Timing
from pipeline.proposal import proposal_digest
from pipeline.testing.driver import STARTS_AT
from pipeline.testing.tools import Script, answered, failed, lost, not_sent, unknown
from tests import installation as demo
from tests.unit.stages.behind import Behind

ORDERS = ("P-100", "P-101", "P-102")
DONE = {"ok": True, "result": {"results": [{"order_id": order, "success": True} for order in ORDERS]}}
PRODUCTS = {"items": [{"name": "TIM Fashion Mensal", "id": "1001"}, {"name": "Neymar Jr", "id": "1003"}]}
NAMES = ("TIM Fashion Mensal", "Neymar Jr")


def tools(name: str, *, spec: dict[str, Any] | None = None, **policy: Any) -> dict[str, dict[str, Any]]:
    """The demo's tools, one with another policy."""
    old = demo.TOOLS[name]
    changed = {**old, "spec": {**old["spec"], **(spec or {})}, "policy": {**old["policy"], **policy}}
    return {**demo.TOOLS, name: changed}


def orders(script: Script, **changes: Any) -> Behind:
    """Execute alone with the retail agent's cancellation."""
    return Behind(
        {"cancelar_pedidos": script, "consultar_pedidos": script},
        only=("execute",),
        agent_id="retail_orders",
        **changes,
    )


def products(script: Script, status: Script = (), **changes: Any) -> Behind:
    """Execute alone with the telecom agent's cancellation, recovery status."""
    return Behind({"cancelar_produtos": script, "consultar_operacao": status}, only=("execute",), **changes)


def execute(
    world: Behind,
    tool: str = "cancelar_pedidos",
    arguments: dict[str, Any] | None = None,
    shown: tuple[str, ...] = ORDERS,
    **changes: Any,
) -> None:
    """Have a confirmed command executed; changes replace fields of the command."""
    transaction = world.transaction(tool, {"order_ids": list(ORDERS)} if arguments is None else arguments)
    digest = proposal_digest(world.turn, transaction, shown, "Confirma?")
    fields: dict[str, Any] = {
        "turn": world.turn,
        "transaction": transaction,
        "items": shown,
        "digest": digest,
        "text": "Confirma?",
        "confirmation": Confirmation(digest=digest, required=True, message_id="m-2", accepted_at=STARTS_AT),
        **changes,
    }
    world.heard(topology.EXECUTE, ExecuteCommand(**fields))


def query(world: Behind) -> None:
    """Have a tool without side effects executed."""
    transaction = world.transaction("consultar_pedidos", {"order_ids": list(ORDERS)})
    digest = proposal_digest(world.turn, transaction, ORDERS, "")
    evidence = Confirmation(digest=digest, required=False, message_id="m-1", accepted_at=STARTS_AT)
    execute(world, "consultar_pedidos", digest=digest, text="", confirmation=evidence)


def cancel(world: Behind) -> None:
    execute(world, "cancelar_produtos", PRODUCTS, NAMES)


def outcome(world: Behind) -> NormalizeCommand:
    [one] = world.outcomes
    return one


def results(world: Behind) -> Any:
    result = outcome(world).result
    assert result is not None
    return result.data["result"]["results"]


# --- one call ---------------------------------------------------------------------------------------------------------------


def test_collection_is_sent_in_one_call() -> None:
    world = orders([DONE])
    execute(world)
    assert world.called("cancelar_pedidos") == [{"order_ids": list(ORDERS)}]
    told = outcome(world)
    assert (told.fate, told.attempts, told.items, told.item_values) == (CallFate.ANSWERED, 1, ORDERS, ORDERS)
    assert told.result is not None
    assert (told.result.ok, told.result.data, told.result.cache.hit) == (True, DONE, False)
    assert world.event_types() == ["IC.MCP_TOOL_REQUESTED", "IC.MCP_TOOL_EXECUTED"]
    assert [(status.status, status.announced) for status in world.statuses] == [(Status.EXECUTING, False)]


def test_keys_go_into_the_arguments_where_the_schema_declares_them() -> None:
    schema = {
        **demo.TOOLS["cancelar_pedidos"]["spec"]["args_schema"],
        "idempotency_key": {"type": "string"},
        "item_keys": {"type": "array"},
        "locale": {"type": "string"},
    }
    world = orders([DONE], tools=tools("cancelar_pedidos", spec={"args_schema": schema}))
    execute(world)
    [call] = world.calls
    assert call.arguments["idempotency_key"] == call.idempotency_key
    assert call.arguments["item_keys"] == [item_key("tx_1", 1, order) for order in ORDERS]
    assert call.arguments["locale"] == "pt-BR"
    invocation = outcome(world).invocation
    assert invocation is not None
    assert invocation.metadata["item_keys"] == call.arguments["item_keys"]
    assert invocation.metadata["idempotency_key"] == call.idempotency_key


def test_mapped_business_keys_are_sent_and_undeclared_arguments_are_not() -> None:
    world = products([{"ok": True}])
    execute(world, "cancelar_produtos", {**PRODUCTS, "x": 1, "confirmed": True}, NAMES)
    assert world.called("cancelar_produtos") == [{**PRODUCTS, "customer_id": "11999999999"}]


def test_read_only_tool_goes_straight_through() -> None:
    world = orders([DONE])
    query(world)
    assert len(world.called("consultar_pedidos")) == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        pytest.param({"confirmation": None}, "confirmation_missing", id="without a confirmation"),
        pytest.param({"digest": "other"}, "digest_mismatch", id="with another digest"),
        pytest.param({"items": ("P-100",)}, "digest_mismatch", id="with other items than shown"),
        pytest.param({"text": "Outra?"}, "digest_mismatch", id="with another question"),
        pytest.param(
            {"confirmation": Confirmation(digest="other", required=True, message_id="m", accepted_at=STARTS_AT)},
            "confirmation_of_another_proposal",
            id="with the confirmation of another proposal",
        ),
    ],
)
def test_command_is_refused(changes: dict[str, Any], reason: str) -> None:
    world = orders([DONE])
    execute(world, **changes)
    assert world.calls == []
    told = outcome(world)
    assert (told.fate, told.reason) == (CallFate.REFUSED, reason)
    assert world.event_types("GRL") == ["GRL.TOOL_DENIED"]


def test_confirmation_that_was_not_required_does_not_execute_a_tool_that_needs_one() -> None:
    world = orders([DONE])
    transaction = world.transaction("cancelar_pedidos", {"order_ids": list(ORDERS)})
    digest = proposal_digest(world.turn, transaction, ORDERS, "Confirma?")
    execute(world, confirmation=Confirmation(digest=digest, required=False, message_id="m", accepted_at=STARTS_AT))
    assert (world.calls, outcome(world).reason) == ([], "confirmation_missing")


def test_tool_of_another_agent_is_denied() -> None:
    world = products([DONE])
    execute(world, "cancelar_pedidos")
    assert (world.calls, outcome(world).reason) == ([], "tool_denied")


def test_confirmation_is_checked_again_right_before_the_call() -> None:
    world = orders([DONE])
    start, world._start_call = world._start_call, lambda: False  # type: ignore[method-assign]
    execute(world)
    host = world._hosts["execute"]
    stage: Any = host.stage
    stage._installation = stage._installation.model_copy(update={"agents": {}})
    world._start_call = start  # type: ignore[method-assign]
    decision = host.stage.decide(
        host.state(world.conversation), _grant(world.agenda("execute", world.conversation).calls[0]), world.now
    )
    [sent] = [record.value for record in decision.records if record.topic == topology.NORMALIZE]
    assert isinstance(sent, NormalizeCommand)
    assert (sent.fate, sent.reason, world.calls) == (CallFate.REFUSED, "tool_denied", [])


def _grant(call: Any) -> Any:
    assert call.phase is CallPhase.QUEUED
    return CallGranted(call_id=call.call_id, attempt=call.attempt, incarnation="i-1")


@pytest.mark.parametrize(
    ("answer", "ok", "error"),
    [
        pytest.param({"ok": False, "error": "down"}, False, "down", id="not ok"),
        pytest.param({"error": "down"}, False, "down", id="an error without ok"),
        pytest.param({"error": {"code": "E1"}}, False, "E1", id="an error as an object"),
        pytest.param({"ok": "false"}, False, None, id="ok as text"),
        pytest.param({"ok": 1}, False, None, id="ok as a number"),
        pytest.param(
            {"ok": True, "result": {"success": False, "reason": "blocked"}}, False, "blocked", id="not a success inside"
        ),
        pytest.param({"ok": True}, True, None, id="ok"),
        pytest.param({"protocol": "P"}, True, None, id="bare"),
        pytest.param(failed({"ok": True}, code="is_error"), False, "refused", id="is_error before the content"),
    ],
)
def test_answer_is_read_strictly(answer: Any, ok: bool, error: str | None) -> None:
    world = orders([answer])
    execute(world)
    result = outcome(world).result
    assert result is not None
    assert result.ok is ok
    if error:
        assert result.error == error
    assert ("NOC.MCP_TOOL_FAILED" in world.event_types()) is not ok


# --- proved unsent ------------------------------------------------------------------------------------------------------------


def test_unsent_call_is_tried_again_with_the_same_key() -> None:
    world = orders([not_sent(code="breaker_open"), not_sent(), DONE])
    execute(world)
    world.wait(seconds=10)
    assert outcome(world).fate is CallFate.ANSWERED
    assert len({call.idempotency_key for call in world.calls}) == 1
    assert world.event_types("NOC") == ["NOC.MCP_CIRCUIT_OPENED", "NOC.MCP_TOOL_FAILED"]


def test_unsent_call_fails_cleanly_when_its_attempts_are_used_up() -> None:
    world = orders([not_sent()])
    execute(world)
    world.wait(minutes=5)
    assert (outcome(world).fate, len(world.calls)) == (CallFate.REFUSED, 5)


def test_call_nobody_can_send_fails_cleanly_at_its_deadline() -> None:
    world = orders([DONE], timing=Timing(send_deadline_ms=2_000))
    world._start_call = lambda: False  # type: ignore[method-assign]
    execute(world)
    world.wait(seconds=3)
    assert (outcome(world).fate, outcome(world).reason, world.calls) == (CallFate.REFUSED, "not_sent", [])


def test_tool_is_called_executed_only_when_it_answered() -> None:
    for script in ([not_sent()], [unknown()]):
        world = orders(script, tools=tools("cancelar_pedidos", recovery="report"))
        execute(world)
        world.wait(minutes=5)
        assert world.event_types("IC") == ["IC.MCP_TOOL_REQUESTED"]
        assert world.event_types("NOC")[-1] in {"NOC.MCP_TOOL_FAILED", "NOC.MCP_OUTCOME_UNKNOWN"}


# --- outcome unknown -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [pytest.param(unknown(), id="no answer"), pytest.param(lost(), id="the worker died")])
def test_retry_sends_the_same_call_again(first: Any) -> None:
    world = orders([first, DONE])
    execute(world)
    world.wait(minutes=2)
    assert outcome(world).fate is CallFate.ANSWERED
    assert [call.idempotency_key for call in world.calls] == [world.calls[0].idempotency_key] * 2
    assert [dict(call.arguments) for call in world.calls] == [dict(world.calls[0].arguments)] * 2


def test_retry_is_bounded_and_then_unknown() -> None:
    world = orders([unknown()])
    execute(world)
    world.wait(minutes=10)
    assert (outcome(world).fate, len(world.calls)) == (CallFate.UNKNOWN, 5)
    assert world.event_types("NOC")[-1] == "NOC.MCP_OUTCOME_UNKNOWN"


@pytest.mark.parametrize(
    ("script", "attempts"),
    [
        pytest.param([unknown(after_ms=10_000)] * 2 + [unknown(after_ms=8_400)], 3, id="attempts take their timeout"),
        pytest.param([unknown(after_ms=29_900)], 1, id="there is no time left for another one"),
        pytest.param([unknown()], 5, id="the attempts end first"),
    ],
)
def test_query_that_is_never_answered_is_given_up_within_its_budget(script: Script, attempts: int) -> None:
    world = orders(script, timing=Timing(query_budget_ms=30_000))
    query(world)
    latest = STARTS_AT + timedelta(milliseconds=30_100)
    while not world.outcomes and world.now < latest:
        # What ends the last attempt is its own last instant.
        assert all(
            call.not_after < latest for call in world.agenda("execute", world.conversation).calls if call.not_after
        )
        world.wait(milliseconds=500)
    assert (outcome(world).fate, len(world.calls)) == (CallFate.UNKNOWN, attempts)
    assert len({call.idempotency_key for call in world.calls}) == 1


def test_query_whose_worker_died_is_given_up_within_its_budget() -> None:
    world = orders([lost()], timing=Timing(query_budget_ms=30_000, clock_skew_ms=0))
    query(world)
    world.wait(milliseconds=30_100)
    assert outcome(world).fate is CallFate.UNKNOWN


def test_retry_that_was_never_sent_after_a_lost_answer_is_unknown_and_not_refused() -> None:
    world = orders([unknown(), not_sent()])
    execute(world)
    world.wait(minutes=10)
    assert outcome(world).fate is CallFate.UNKNOWN


@pytest.mark.parametrize("first", [pytest.param(unknown(), id="no answer"), pytest.param(lost(), id="the worker died")])
def test_report_never_calls_a_second_time(first: Any) -> None:
    world = Behind({"contestar_cobranca": [first]}, only=("execute",))
    execute(world, "contestar_cobranca", {"item": "HBO Max", "amount": 1}, ("HBO Max",))
    world.wait(minutes=10)
    assert len(world.calls) == 1
    assert outcome(world).fate is CallFate.UNKNOWN
    assert "NOC.MCP_OUTCOME_UNKNOWN" in world.event_types()
    assert world.agenda("execute", world.conversation).calls == ()


def test_only_a_call_that_can_not_be_asked_for_again_is_waited_for_at_a_handover() -> None:
    reported = Behind({"contestar_cobranca": [answered({"ok": True}, after_ms=9_000)]}, only=("execute",))
    execute(reported, "contestar_cobranca", {"item": "HBO Max", "amount": 1}, ("HBO Max",))
    retried = orders([answered(DONE, after_ms=9_000)])
    execute(retried)
    assert [call.side_effects for call in reported.agenda("execute", reported.conversation).calls] == [True]
    assert [call.side_effects for call in retried.agenda("execute", retried.conversation).calls] == [False]


def test_outcome_that_could_not_be_decided_is_unknown_and_never_called_again() -> None:
    world = orders([unknown(code=UNDECIDABLE), DONE])
    execute(world)
    world.wait(minutes=5)
    assert (outcome(world).fate, len(world.calls)) == (CallFate.UNKNOWN, 1)


ANSWER = {
    "ok": True,
    "result": {
        "output": {"cancelar_produtos": {"results": [{"id": "1001", "success": True}, {"id": "1003", "success": True}]}}
    },
}


def test_status_tool_tells_the_answer_of_a_lost_call() -> None:
    world = products(
        [unknown()], [{"status": "in_progress"}, {"ok": True, "result": {"status": "done", "result": ANSWER}}]
    )
    cancel(world)
    world.wait(seconds=10)
    told = outcome(world)
    assert told.fate is CallFate.ANSWERED
    assert told.result is not None
    assert told.result.data == ANSWER
    assert len(world.called("cancelar_produtos")) == 1
    key = world.tools.calls_of("cancelar_produtos")[0].idempotency_key
    assert world.called("consultar_operacao") == [{"customer_id": "11999999999", "idempotency_key": key}] * 2


def test_unknown_key_counts_only_after_the_call_could_no_longer_be_sent() -> None:
    world = products([unknown(), ANSWER], [{"status": "unknown_key"}])
    cancel(world)
    world.wait(seconds=10)
    assert len(world.called("cancelar_produtos")) == 1, "10 s deadline + 5 s skew are not over"
    world.wait(seconds=10)
    assert len(world.called("cancelar_produtos")) == 2
    assert len({call.idempotency_key for call in world.tools.calls_of("cancelar_produtos")}) == 1
    assert outcome(world).fate is CallFate.ANSWERED


def test_unknown_key_again_and_again_is_a_clean_failure_after_bounded_attempts() -> None:
    world = products([unknown()], [{"status": "unknown_key"}])
    cancel(world)
    world.wait(minutes=30)
    assert (outcome(world).fate, len(world.called("cancelar_produtos"))) == (CallFate.REFUSED, 5)


@pytest.mark.parametrize(
    "status",
    [
        pytest.param({"status": "in_progress"}, id="still in progress"),
        pytest.param({"what": "?"}, id="unreadable"),
        pytest.param(unknown(), id="no answer"),
        pytest.param(failed(), id="refused"),
        pytest.param(not_sent(), id="never reached"),
        pytest.param({"status": "done"}, id="done without the answer"),
    ],
)
def test_status_that_can_not_tell_is_bounded_and_then_unknown(status: Any) -> None:
    world = products([unknown()], [status], timing=Timing(status_polls_max=4))
    cancel(world)
    world.wait(minutes=10)
    assert outcome(world).fate is CallFate.UNKNOWN
    assert len(world.called("cancelar_produtos")) == 1
    assert len(world.called("consultar_operacao")) == 4


def test_status_is_asked_when_the_worker_died() -> None:
    world = products([lost()], [{"status": "done", "result": ANSWER}])
    cancel(world)
    world.wait(minutes=1)
    assert len(world.called("cancelar_produtos")) == 1
    assert outcome(world).fate is CallFate.ANSWERED


def test_crash_while_the_status_is_asked_goes_on_asking() -> None:
    world = products([unknown()], [lost(), {"status": "done", "result": ANSWER}])
    cancel(world)
    world.wait(minutes=2)
    assert outcome(world).fate is CallFate.ANSWERED


# --- item retry ------------------------------------------------------------------------------------------------------------------

RETRY = {"reasons": ["busy"], "max_attempts": 3, "backoff_ms": 100}


def fates(**reasons: str | None) -> dict[str, Any]:
    """Results by order; None: done."""
    entries = [
        {
            "order_id": name.replace("_", "-"),
            "success": reason is None,
            **({"reason": reason} if reason else {"protocol": "X"}),
        }
        for name, reason in reasons.items()
    ]
    return {"ok": all(reason is None for reason in reasons.values()), "result": {"results": entries}}


def test_open_items_are_retried_under_the_same_item_keys_and_merged_in_order() -> None:
    schema = {**demo.TOOLS["cancelar_pedidos"]["spec"]["args_schema"], "item_keys": {"type": "array"}}
    first = fates(P_100=None, P_101="busy", P_102="already_shipped")
    world = orders(
        [first, fates(P_101=None)], tools=tools("cancelar_pedidos", spec={"args_schema": schema}, item_retry=RETRY)
    )
    execute(world)
    world.wait(seconds=5)
    one, two = world.calls
    assert two.arguments["order_ids"] == ["P-101"]
    assert two.arguments["item_keys"] == [one.arguments["item_keys"][1]]
    assert one.idempotency_key != two.idempotency_key
    assert [(entry["order_id"], entry["success"]) for entry in results(world)] == [
        ("P-100", True),
        ("P-101", True),
        ("P-102", False),
    ]
    assert world.event_types("IC") == ["IC.MCP_TOOL_REQUESTED", "IC.MCP_ITEM_RETRIED", "IC.MCP_TOOL_EXECUTED"]
    assert outcome(world).attempts == 2


def test_item_retries_are_bounded() -> None:
    world = orders(
        [fates(P_100=None, P_101="busy", P_102=None), fates(P_101="busy")],
        tools=tools("cancelar_pedidos", item_retry=RETRY),
    )
    execute(world)
    world.wait(minutes=1)
    assert len(world.calls) == 3
    assert [entry["success"] for entry in results(world)] == [True, False, True]


def test_items_are_not_retried_without_a_policy_or_for_another_reason() -> None:
    other: dict[str, Any] = {"item_retry": {"reasons": ["other"], "max_attempts": 3}}
    for policy in ({}, other):
        world = orders([fates(P_100=None, P_101="busy", P_102=None)], tools=tools("cancelar_pedidos", **policy))
        execute(world)
        world.wait(minutes=1)
        assert len(world.calls) == 1


def test_item_retry_with_an_unknown_outcome_keeps_the_finished_items() -> None:
    policy: dict[str, Any] = {"item_retry": RETRY, "recovery": "report"}
    world = orders([fates(P_100=None, P_101="busy", P_102=None), unknown()], tools=tools("cancelar_pedidos", **policy))
    execute(world)
    world.wait(minutes=1)
    assert outcome(world).fate is CallFate.ANSWERED
    assert [(entry["success"], entry.get("reason")) for entry in results(world)] == [
        (True, None),
        (False, "outcome_unknown"),
        (True, None),
    ]
    assert "NOC.MCP_OUTCOME_UNKNOWN" in world.event_types()


def test_item_retry_that_was_never_sent_keeps_what_the_first_answer_said() -> None:
    world = orders(
        [fates(P_100=None, P_101="busy", P_102=None), not_sent()], tools=tools("cancelar_pedidos", item_retry=RETRY)
    )
    execute(world)
    world.wait(minutes=5)
    assert [entry.get("reason") for entry in results(world)] == [None, "busy", None]


def test_single_item_retried_without_results_is_done_when_the_tool_says_ok() -> None:
    world = orders(
        [fates(P_100=None, P_101="busy", P_102=None), {"ok": True, "result": {"protocol": "Z"}}],
        tools=tools("cancelar_pedidos", item_retry=RETRY),
    )
    execute(world)
    world.wait(minutes=1)
    assert results(world)[1] == {"order_id": "P-101", "success": True, "protocol": "Z"}


# --- once only -------------------------------------------------------------------------------------------------------------------


def test_command_again_while_the_call_runs_calls_once() -> None:
    world = orders([answered(DONE, after_ms=5_000)])
    execute(world)
    execute(world)
    world.wait(seconds=10)
    assert len(world.calls) == 1
    assert len(world.outcomes) == 1


def test_other_command_of_the_same_transaction_is_denied() -> None:
    world = orders([DONE])
    execute(world)
    execute(world, digest="other")
    assert len(world.calls) == 1
    assert world.event_types("GRL") == ["GRL.TOOL_DENIED"]
    assert len(world.outcomes) == 1


def test_report_about_an_earlier_attempt_is_ignored() -> None:
    world = orders([answered(DONE, after_ms=5_000)])
    execute(world)
    host = world._hosts["execute"]
    [call] = world.agenda("execute", world.conversation).calls
    late = CallReturned(call_id=call.call_id, attempt=call.attempt - 1, answer=CallAnswer(outcome=CallOutcome.OK))
    assert host.stage.decide(host.state(world.conversation), late, world.now) == Decision()


def test_rejected_command_is_answered_unless_its_call_is_under_way() -> None:
    world = orders([DONE])
    stage = world._hosts["execute"].stage
    transaction = world.transaction("cancelar_pedidos", {}).model_dump(mode="json")
    data = {"turn": world.turn.model_dump(mode="json"), "transaction": transaction}
    position = Position(topic=topology.EXECUTE, partition=0, offset=9)
    rejection = Rejection(position=position, at=world.now, error="x", text="x", data=data)
    fresh = stage.reject(None, rejection, world.now)
    assert [record.topic for record in fresh.records] == [topology.EVENTS_NOC, "channel.web.responses", topology.STATUS]
    execute(world)
    known = stage.reject(world.state("execute", world.conversation), rejection, world.now)
    assert [record.topic for record in known.records] == [topology.EVENTS_NOC]


def test_settled_call_stays_a_marker_until_the_conversation_is_forgotten() -> None:
    world = orders([DONE], timing=Timing(session_retention_ms=60_000))
    execute(world)
    [execution] = world.state("execute", world.conversation).transactions.values()
    assert execution.running is None
    assert execution.settled.result == outcome(world).result
    world.wait(minutes=2)
    assert world.state("execute", world.conversation).is_empty


def test_large_result_is_not_kept_in_the_marker_and_a_redelivered_command_is_ignored() -> None:
    world = orders([{"ok": True, "result": {"x": "y" * 20_000}}])
    execute(world)
    execute(world)
    [execution] = world.state("execute", world.conversation).transactions.values()
    assert len(execution.model_dump_json()) < 1_000
    assert len(world.outcomes) == 1
    assert len(world.calls) == 1


def test_events_hold_no_arguments() -> None:
    world = products([unknown()], [{"status": "done", "result": ANSWER}])
    cancel(world)
    world.wait(minutes=1)
    said = " ".join(event.model_dump_json() for event in world.events)
    assert all(secret not in said for secret in ("11999999999", "TIM Fashion", "Neymar", "1003"))


def test_result_contract_is_kept() -> None:
    world = orders([DONE])
    execute(world)
    assert ToolResult.model_validate(outcome(world).result.model_dump()) == outcome(world).result  # type: ignore[union-attr]
