"""The cases PRE-*, CNF-*, EXE-*, NRM-* and EVT-* of behaviour.json, on the public functions. Each test is named by its case.

EVT-06 needs the runtime (an events topic that can't be written) and stands with it.
"""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from contracts.channel_response import ResponseKind
from contracts.execute_command import ExecuteCommand
from contracts.normalize_command import CallFate
from contracts.status import Status
from contracts.transaction import Confirmation
from pipeline import topology
from pipeline.language.replies import Verdict, read_reply
from pipeline.policy import AgentSpec, Installation, TenantSpec
from pipeline.proposal import proposal_digest
from pipeline.stages.confirm import Confirm
from pipeline.stages.execute import Execute
from pipeline.stages.normalize import Normalize, normalize_result
from pipeline.stages.pre_validate import PreValidate
from pipeline.stages.reconcile import Reconcile
from pipeline.testing.driver import STARTS_AT, Driver
from pipeline.testing.tools import Script, ScriptedTools
from tests.installation import catalogue, installation
from tests.unit.stages.behind import Behind

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent.parent / "data" / "behaviour.json").read_text(encoding="utf-8"))
}
TEXT = {"type": "string"}


def tool(schema: dict[str, Any], requires: list[str], **more: Any) -> dict[str, Any]:
    """A tool of the cases, as configuration."""
    spec = {"mcp_server": "utility", "requires": requires, "args_schema": schema, **more.pop("spec", {})}
    return {"spec": spec, **more}


def labelled(**types: str) -> dict[str, Any]:
    return {name: {"type": kind, "label": name.replace("_", " ")} for name, kind in types.items()}


QUERY = {"spec": {"tool_type": "query"}, "policy": {"operation_type": "read_only", "require_confirmation": False}}
TOOLS: dict[str, dict[str, Any]] = {
    "stop_service": tool(labelled(item="string"), ["item"]),
    "stop_items": tool(
        {"items": {"type": "array", "label": "the services", "items": TEXT}},
        ["items"],
        spec={"operation": {"en": "stop", "pt-BR": "cancelamento"}},
        hints={"keywords": ["stop", "cancelar"], "examples": ["stop my services"]},
    ),
    "dispute_charge": tool(labelled(item="string", amount="number"), ["item", "amount"]),
    "check_stop": tool({"item": TEXT}, [], spec={"tool_type": "validator"}),
    "read_order": tool(
        labelled(order_id="string"),
        ["order_id"],
        **QUERY,
        hints={"keywords": ["where is", "read"], "examples": ["where is my order K-5"]},
    ),
    "stop_order": tool(
        labelled(order_id="string"), ["order_id"], hints={"keywords": ["stop order"], "examples": ["stop my order K-5"]}
    ),
    "read_orders": tool({"order_ids": {"type": "array"}}, ["order_ids"], **QUERY),
    "send_bill": tool(
        {}, [], **QUERY, hints={"keywords": ["bill"], "examples": ["send me the bill", "I want to see my bill"]}
    ),
}


def configured(**policies: dict[str, Any]) -> Installation:
    """One agent with every tool of the cases, and the policies of a case."""
    tools = {
        name: {**parts, "policy": {**parts.get("policy", {}), **policies.get(name, {})}}
        for name, parts in TOOLS.items()
    }
    base = installation(tools=tools, agents={})
    agents = {"utility_care": AgentSpec(tools=tuple(tools), locale="en")}
    return base.model_copy(update={"agents": agents, "tenants": {"default": TenantSpec()}})


def policy(given: dict[str, Any]) -> dict[str, Any]:
    return {key: given[key] for key in ("pre_validation", "require_confirmation") if key in given}


def behind(given: dict[str, Any], scripts: dict[str, Script]) -> Behind:
    """The stages behind reconcile, configured as the case says."""
    return Behind(scripts, configured=configured(**{given["tool"]: policy(given)}), agent_id="utility_care")


def validated(given: dict[str, Any], answer: Any) -> Behind:
    """Hand the given arguments on; the validator answers as the case says."""
    world = behind(given, {"check_stop": [answer]})
    world.validate(given["tool"], given["arguments"])
    return world


def rows(case: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Rows of a case with what each expects."""
    return list(zip(case["when"]["rows"], case["expect"]["rows"], strict=True))


# --- pre-validate -----------------------------------------------------------------------------------------------------------


def test_pre_02_refusal_ends_the_transaction() -> None:
    case = CASES["PRE-02"]
    world = validated(case["given"], case["when"]["validator"])
    [told] = world.responses
    assert told.metadata.kind is ResponseKind.FINAL
    assert world.last_status.status.value == case["expect"]["status"]
    assert world.last_status.status.terminal is case["expect"]["terminal"]
    assert (world.last_status.proposal, world.last_status.parameter) == (case["expect"]["question"], None)
    assert world.agenda("pre-validate", world.conversation).calls == ()
    assert world.executes == []


def test_pre_03_validator_is_not_called_while_an_argument_is_missing() -> None:
    case = CASES["PRE-03"]
    given = {"tool": "dispute_charge", "pre_validation": {"tool": "check_stop"}}
    world = behind(given, {"check_stop": [{"eligible": True}]})
    world.validate("dispute_charge", case["given"]["arguments"])
    assert bool(world.called("check_stop")) is case["expect"]["validator_called"]
    assert world.last_status.parameter == "amount"


def test_pre_04_validator_gets_its_own_fields_and_the_target_tool() -> None:
    case = CASES["PRE-04"]
    world = validated(case["given"], {"eligible": True})
    assert world.called("check_stop") == [case["expect"]["arguments"]]


def test_pre_05_resolved_arguments_replace_and_add() -> None:
    case = CASES["PRE-05"]
    world = validated(case["given"], case["when"]["validator"])
    assert world.last_status.arguments == case["expect"]["arguments"]
    assert all(name in world.responses[-1].text for name in ("Alpha", "Beta", "Gamma"))


@pytest.mark.parametrize("row", range(2), ids=lambda row: f"pre_06 row {row}")
def test_pre_06_empty_values_never_delete(row: int) -> None:
    when, expected = rows(CASES["PRE-06"])[row]
    assert validated(when["given"], when["validator"]).last_status.arguments == expected["arguments"]


def test_pre_09_validator_asks_for_a_confirmation_the_policy_does_not() -> None:
    case = CASES["PRE-09"]
    assert validated(case["given"], case["when"]["validator"]).last_status.status.value == case["expect"]["status"]


@pytest.mark.parametrize("row", range(2), ids=lambda row: f"pre_13 row {row}")
def test_pre_13_needed_parameter_is_collected_or_the_answer_is_malformed(row: int) -> None:
    when, expected = rows(CASES["PRE-13"])[row]
    world = validated(when["given"], when["validator"])
    status = world.last_status
    assert status.status.value == expected["status"]
    assert status.status.terminal is expected["terminal"]
    if "missing" in expected:
        assert (status.arguments, [status.parameter]) == (expected["arguments"], expected["missing"])
        assert [told.text for told in world.responses] == [expected["message_once"]]


def test_pre_14_partly_eligible_set_goes_on() -> None:
    case = CASES["PRE-14"]
    status = validated(case["given"], case["when"]["validator"]).last_status
    assert status.status.value == case["expect"]["status"]
    assert status.proposal is not None
    assert len(status.proposal.items) == case["expect"]["items_kept"]


# --- confirm ------------------------------------------------------------------------------------------------------------------


class Asked(Driver):
    """The question about Alpha and Beta is open; what follows is the customer's own words."""

    def __init__(self, *, locale: str) -> None:
        chosen = configured()
        texts = catalogue()
        scripts: dict[str, Script] = {
            "stop_items": lambda call: {
                "ok": True,
                "results": [{"name": name, "success": True} for name in call.arguments["items"]],
            },
            "send_bill": [{"ok": True, "data": {"total": 10}}],
        }
        kinds = (Reconcile, PreValidate, Confirm, Execute, Normalize)
        super().__init__(chosen, [kind(chosen, texts) for kind in kinds], ScriptedTools(scripts))
        self.locale = locale
        opening = "stop Alpha and Beta" if locale == "en" else "cancelar Alpha e Beta"
        [question] = self.say(opening, locale=locale, metadata={"tool_name": "stop_items"})
        assert question.metadata.status is Status.AWAITING_CONFIRMATION
        assert self.shown() == ["Alpha", "Beta"]

    def reply(self, text: str, **fields: Any) -> None:
        self.say(text, locale=self.locale, **fields)

    def shown(self) -> list[str]:
        """Items of the question that was asked last."""
        told = [status.proposal for status in self.statuses if status.proposal is not None]
        return list(told[-1].items)

    def stopped(self) -> list[list[str]]:
        """Items of every call of the tool."""
        return [list(call.arguments["items"]) for call in self.tools.calls_of("stop_items")]

    def ends(self) -> list[tuple[str, str | None]]:
        return [(status.status.value, status.reason) for status in self.statuses if status.status.terminal]


def _replies(row: dict[str, Any]) -> list[str]:
    return row.get("replies") or [row["reply"]]


CNF_01 = [(text, expected) for when, expected in rows(CASES["CNF-01"]) for text in _replies(when)]


@pytest.mark.parametrize(("text", "expected"), CNF_01, ids=[f"cnf_01 {text!r}" for text, _ in CNF_01])
def test_cnf_01_plain_replies_are_decided_without_a_model(text: str, expected: dict[str, Any]) -> None:
    world = Asked(locale="pt-BR")
    world.reply(text)
    if expected["decision"] == "confirm":
        assert world.stopped() == [["Alpha", "Beta"]]
    else:
        assert world.ends() == [(expected["status"], expected["reason"])]
        assert len(world.stopped()) == expected["tool_calls"]


@pytest.mark.parametrize("row", range(2), ids=lambda row: f"cnf_03 row {row}")
def test_cnf_03_go_ahead_confirms_and_a_hum_does_not(row: int) -> None:
    when, expected = rows(CASES["CNF-03"])[row]
    world = Asked(locale="en")
    world.reply(when["reply"])
    if expected.get("decision") == "confirm":
        assert world.stopped() == [["Alpha", "Beta"]]
    else:
        assert world.statuses[-1].status.value == expected["status"]
        assert len(world.stopped()) == expected["tool_calls"]


def test_cnf_05_yes_executes_what_was_shown_whatever_the_context_says_now() -> None:
    case = CASES["CNF-05"]
    world = Asked(locale="pt-BR")
    world.reply(case["when"]["reply"], **case["given"]["context_now"])
    assert [{"items": items} for items in world.stopped()] == [case["expect"]["executed_arguments"]]
    assert len(world.stopped()) == case["expect"]["executions"]


def test_cnf_06_amendment_voids_the_old_question() -> None:
    case = CASES["CNF-06"]
    world = Asked(locale="en")
    world.reply(case["when"]["reply"])
    assert world.statuses[-1].status.value == case["expect"]["status"]
    assert world.shown() == case["expect"]["new_question_lists"]
    world.reply("yes")
    assert world.stopped() == [["Alpha", "Gamma"]]


def test_cnf_08_yes_after_the_end_calls_nothing() -> None:
    case = CASES["CNF-08"]
    world = Asked(locale="pt-BR")
    world.reply("sim")
    before = len(world.calls)
    world.reply(case["when"]["reply"])
    assert len(world.calls) - before == case["expect"]["tool_calls"]


def test_cnf_09_second_request_after_a_yes_is_taken_up_next() -> None:
    case = CASES["CNF-09"]
    reply = read_reply(case["when"]["reply"], items=("Alpha", "Beta"), operation="stop", locale="en")
    assert reply.verdict is Verdict.ACCEPT
    assert all(topic in reply.rest for topic in case["expect"]["pending_topics"])
    world = Asked(locale="en")
    world.reply(case["when"]["reply"])
    assert world.stopped() == [["Alpha", "Beta"]]
    assert [call.tool for call in world.calls] == ["stop_items", "send_bill"]


def test_cnf_10_abandonment_with_a_new_intent_cancels() -> None:
    case = CASES["CNF-10"]
    world = Asked(locale="en")
    world.reply(case["when"]["reply"])
    assert world.ends()[0][0] == case["expect"]["status"]
    assert len(world.stopped()) == case["expect"]["tool_calls"]


# --- execute --------------------------------------------------------------------------------------------------------------------


def confirmed(world: Behind, tool_name: str, arguments: dict[str, Any], *, with_yes: bool = True) -> None:
    """Hand a command to execute."""
    transaction = world.transaction(tool_name, arguments)
    digest = proposal_digest(world.turn, transaction, (), "?")
    evidence = Confirmation(digest=digest, required=True, message_id="m-2", accepted_at=STARTS_AT)
    command = ExecuteCommand(
        turn=world.turn, transaction=transaction, digest=digest, text="?", confirmation=evidence if with_yes else None
    )
    world.heard(topology.EXECUTE, command)


def test_exe_02_only_the_tool_that_was_asked_for_is_called() -> None:
    case = CASES["EXE-02"]
    chosen = configured()
    chosen = chosen.model_copy(
        update={"agents": {"utility_care": AgentSpec(tools=tuple(case["given"]["allowlist"]), locale="en")}}
    )
    kinds = (Reconcile, PreValidate, Confirm, Execute, Normalize)
    scripts = ScriptedTools({name: [{"ok": True}] for name in case["given"]["allowlist"]})
    world = Driver(chosen, [kind(chosen, catalogue()) for kind in kinds], scripts)
    world.say("where is my order K-5?", locale="en")
    if not world.calls:
        world.say("K-5", locale="en")
    assert [call.tool for call in world.calls] == case["expect"]["called"]


def test_exe_03_call_without_confirmation_is_blocked_by_policy() -> None:
    case = CASES["EXE-03"]
    world = behind({"tool": "stop_order", **case["given"]["policy"]}, {"stop_order": [{"ok": True}]})
    confirmed(world, "stop_order", case["when"]["direct_call"]["arguments"], with_yes=False)
    [told] = world.outcomes
    assert told.fate is CallFate.REFUSED
    assert told.result is not None
    assert told.result.ok is case["expect"]["ok"]
    assert told.result.metadata["blocked_by_policy"] is case["expect"]["metadata"]["blocked_by_policy"]
    assert len(world.calls) == case["expect"]["server_calls"]


def test_exe_04_redelivered_command_gets_the_same_result_without_a_call() -> None:
    case = CASES["EXE-04"]
    world = behind({"tool": "stop_order"}, {"stop_order": [case["given"]["stored"]]})
    confirmed(world, "stop_order", {"order_id": "K-5"})
    calls, answers = len(world.calls), len(world.responses)
    world.crash("execute")
    confirmed(world, "stop_order", {"order_id": "K-5"})
    assert len(world.calls) - calls == case["expect"]["executions"]
    again = world.outcomes[-1].result
    assert again is not None
    assert again.data == case["expect"]["result"]
    assert len(world.responses) == answers


def test_exe_12_completed_workflow_without_the_primary_step_is_not_done() -> None:
    case = CASES["EXE-12"]
    name = case["given"]["requested_tool"]
    world = behind({"tool": name}, {name: [case["when"]["tool_result"]]})
    confirmed(world, name, {"order_id": "K-5"})
    result = world.outcomes[-1].result
    assert result is not None
    assert result.ok is case["expect"]["operation_done"]
    assert world.ends == [Status.FAILED]


# --- normalize ------------------------------------------------------------------------------------------------------------------


def check_result(result: dict[str, Any], tool_name: str, expected: dict[str, Any]) -> None:
    before = copy.deepcopy(result)
    normalized = normalize_result(result, tool_name)
    assert result == before, "the input was changed"
    if expected.get("unchanged"):
        assert normalized == before
        return
    for field in ("multi_item_status", "partial_success", "ok", "secondary_error"):
        if field in expected:
            assert normalized[field] == expected[field]
    for field in expected.get("absent", ()):
        assert field not in normalized
    for field in ("items_count", "items_succeeded_count"):
        if field in expected:
            assert normalized["metadata"]["multi_item"][field] == expected[field]
    if "items" in expected:
        assert normalized["result"]["output"][tool_name]["results"] == expected["items"]


NRM = {
    "nrm_02 items are done, a later step failed": "NRM-02",
    "nrm_04 one item": "NRM-04",
    "nrm_05 another tool's results": "NRM-05",
    "nrm_06 partial": "NRM-06",
    "nrm_07 bare results": "NRM-07",
    "nrm_09 ok in the place of success": "NRM-09",
    "nrm_11 no booleans": "NRM-11",
    "nrm_13 input is kept": "NRM-13",
    "nrm_14 the workflow's output first": "NRM-14",
    "nrm_15 one result deeper": "NRM-15",
    "nrm_16 fields and order are kept": "NRM-16",
    "nrm_18 a query": "NRM-18",
    "nrm_19 all failed": "NRM-19",
}


@pytest.mark.parametrize("case_id", NRM.values(), ids=NRM.keys())
def test_result_is_normalized_as(case_id: str) -> None:
    case = CASES[case_id]
    name = case["given"]["primary_tool"]
    for when, expected in rows(case) if "rows" in case["when"] else [(case["when"], case["expect"])]:
        check_result(when["result"], name, expected)


def test_nrm_18_query_of_several_items_is_not_confirmed() -> None:
    case = CASES["NRM-18"]
    world = behind({"tool": "read_orders"}, {"read_orders": [case["when"]["result"]]})
    world.validate("read_orders", {"order_ids": ["9000", "9001", "9002"]})
    [told] = world.responses
    assert (told.metadata.kind is ResponseKind.CONFIRMATION) is case["expect"]["confirmation"]
    assert told.metadata.multi_item_status is not None
    assert told.metadata.multi_item_status.value == case["expect"]["multi_item_status"]


# --- events ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", range(2), ids=lambda row: f"evt_01 row {row}")
def test_evt_01_validation_is_told_in_order(row: int) -> None:
    case = CASES["EVT-01"]
    when, expected = rows(case)[row]
    events = validated(case["given"], when["validator"]).event_types("IC")
    assert events == expected["events_in_order"]
    assert not set(events) & set(expected.get("absent", ()))


def test_evt_03_event_has_every_required_field() -> None:
    case = CASES["EVT-03"]
    world = behind({"tool": "read_orders"}, {"read_orders": [{"ok": True}]})
    world.validate("read_orders", {"order_ids": ["1"]})
    [event] = [event for event in world.events if event.event_type == case["when"]["event"]["event_type"]]
    written = event.model_dump(mode="json")
    assert all(field in written for field in case["expect"]["required"])
    assert all(written[field] for field in ("timestamp", "tenant_id", "agent_id", "session_id"))


def test_evt_07_question_is_told_on_a_later_turn_too() -> None:
    when, expected = rows(CASES["EVT-07"])[0]
    given = CASES["EVT-01"]["given"]
    world = behind(given, {"check_stop": [when["validator"]]})
    world.validate(given["tool"], {})
    assert world.last_status.status is Status.COLLECTING_PARAMETERS
    world.turn = world.turn.model_copy(update={"message_id": "m-2"})
    world.validate(given["tool"], given["arguments"])
    assert expected["event_present"] in world.event_types()


def test_evt_07_failed_call_is_told_to_business_and_operations() -> None:
    when, expected = rows(CASES["EVT-07"])[1]
    world = behind({"tool": "stop_order"}, {"stop_order": [when["tool_result"]]})
    confirmed(world, "stop_order", {"order_id": "K-5"})
    assert expected["events_present"][1] in world.event_types("NOC")
    assert "IC.MCP_TOOL_EXECUTED" in world.event_types("IC")
