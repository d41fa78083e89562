"""The cases CON-*, ING-*, ISO-* and REC-* of behaviour.json, on the public functions. Each test is named by its case."""

import json
from pathlib import Path
from typing import Any

import pytest

from contracts.gateway_request import GatewayRequest
from contracts.identity import conversation_key
from contracts.status import Status
from pipeline import topology
from pipeline.decision import Position
from pipeline.policy import AgentSpec, Installation, TenantSpec, is_filled
from pipeline.stages.reconcile import Reconcile
from pipeline.testing.driver import STARTS_AT, Driver, rejection_of
from pipeline.testing.tools import ScriptedTools
from tests.installation import catalogue, installation
from tests.unit.stages.reconciling import Talk

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent.parent / "data" / "behaviour.json").read_text(encoding="utf-8"))
}

QUERY = {"operation_type": "read_only", "require_confirmation": False}


def tool(requires: list[str], schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A tool of the cases, as configuration."""
    spec = {"mcp_server": "utility", "requires": requires, "args_schema": schema, **more.pop("spec", {})}
    return {"spec": spec, "policy": more.pop("policy", {}), "hints": more.pop("hints", {}), **more}


TOOLS = {
    "stop_service": tool(
        ["item"],
        {"item": {"type": "string", "label": "the service"}, "amount": {"type": "number", "label": "the amount"}},
        hints={"keywords": ["stop"], "examples": ["stop my Sports pack"]},
    ),
    "dispute_charge": tool(
        ["item", "amount"],
        {"item": {"type": "string", "label": "the service"}, "amount": {"type": "number", "label": "the amount"}},
        hints={"keywords": ["never bought", "dispute"], "examples": ["I never bought this", "dispute a charge"]},
    ),
    "return_order": tool(
        ["order_id", "reason"],
        {
            "order_id": {"type": "string", "label": "the order"},
            "reason": {"type": "string", "label": "the reason", "free_text": True},
        },
        hints={"keywords": ["return"], "examples": ["return my order", "I want to return an order"]},
    ),
    "list_services": tool(
        [],
        {},
        spec={"tool_type": "query", "description": "Lists the services of the customer."},
        policy=QUERY,
        hints={"keywords": ["which services"], "examples": ["which services do I have?"]},
    ),
    "invoice_help": tool(
        [],
        {},
        spec={"tool_type": "query", "description": "Explains the invoice."},
        policy=QUERY,
        hints={"keywords": ["invoice"], "examples": ["explain my invoice"]},
    ),
    "read_meter": tool(
        ["meter"],
        {"meter": {"type": "string", "label": "the meter"}},
        spec={"tool_type": "query"},
        policy=QUERY,
        hints={"keywords": ["read meter"], "examples": ["read meter 1"]},
    ),
}

MINE = ("CON-", "ING-", "ISO-", "REC-")


def configured(**more: Any) -> Installation:
    """Two tenants, two agents, the tools of the cases."""
    tools = {**TOOLS, **more.pop("tools", {})}
    agents = {
        name: AgentSpec(tools=tuple(tools), locale=more.get("locale", "en")) for name in ("utility_care", "shop_care")
    }
    tenants = {"acme": TenantSpec(), "globex": TenantSpec()}
    more.pop("locale", None)
    return installation(tools=tools, agents={}, **more).model_copy(update={"agents": agents, "tenants": tenants})


def talk(**more: Any) -> Talk:
    return Talk(configured(**more))


def rows(case: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Rows of a case with what each expects."""
    return list(zip(case["when"]["rows"], case["expect"]["rows"], strict=True))


def typed(schema: dict[str, Any]) -> dict[str, Any]:
    """A tool whose one argument has the schema of the case."""
    return tool(["f"], {"f": {**schema, "label": "the value"}})


def refused_field(request: dict[str, Any]) -> str | None:
    """The field for which a request is refused, by contract or by ingress; None: valid."""
    position = Position(topic=topology.GATEWAY_REQUESTS, partition=0, offset=0)
    try:
        Reconcile(configured(), catalogue()).conversation_of(GatewayRequest.model_validate(request))
    except ValueError as error:
        return rejection_of(error, position=position, at=STARTS_AT, data=request).field
    return None


# --- contract -----------------------------------------------------------------------------------------------------------


def test_con_01_request_is_valid_and_has_its_conversation_key() -> None:
    case = CASES["CON-01"]
    request = case["when"]["request"]
    stage = Reconcile(configured(), catalogue())
    assert (refused_field(request) is None) is case["expect"]["valid"]
    assert stage.conversation_of(GatewayRequest.model_validate(request)) == case["expect"]["conversation_key"]


@pytest.mark.parametrize("row", range(len(CASES["CON-02"]["expect"]["rows"])), ids=lambda row: f"con_02 row {row}")
def test_con_02_incomplete_request_goes_to_the_dead_letters_with_its_field(row: int) -> None:
    given, expected = rows(CASES["CON-02"])[row]
    said = talk()

    said.put_raw(given["request"])
    said.settle()

    assert expected["valid"] is False
    assert refused_field(given["request"]) == expected["field"]
    [(stage, rejection)] = said.dead_letters
    assert topology.dead_letters(stage) == expected["goes_to"]
    assert rejection.field == expected["field"]
    assert said.event_types() == ["NOC.CONTRACT_REJECTED"]
    assert said.commands == []


@pytest.mark.parametrize("row", range(2), ids=lambda row: f"con_05 row {row}")
def test_con_05_versions(row: int) -> None:
    given, expected = rows(CASES["CON-05"])[row]
    said = talk()
    said.put_raw(given["request"])
    said.settle()
    assert (said.dead_letters == []) is expected["valid"]
    if expected["valid"]:
        read = GatewayRequest.model_validate(given["request"]).model_dump(mode="json", exclude_unset=True)
        assert read == given["request"], "unknown fields are tolerated and kept"
    else:
        assert expected["reason"] in said.dead_letters[0][1].text


# --- ingress --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", range(3), ids=lambda row: f"ing_03 row {row}")
def test_ing_03_duplicates(row: int) -> None:
    given, expected = rows(CASES["ING-03"])[row]
    stop = {**TOOLS["stop_service"], "spec": {**TOOLS["stop_service"]["spec"], "requires": []}}
    said = talk(tools={"stop_service": stop})
    request = given["request"]
    if given["given"]["state"] != "absent":
        said.put_raw(request)
        said.settle()
        assert said.commands, "the first one is worked on"
    said.conversation = given["given"]["dedup_key"].split()[0]
    if given["given"]["state"] == "done":
        said.status(Status.COMPLETED)
    before = (len(said.commands), len(said.responses), len(said.events))

    said.put_raw(request)
    said.settle()

    if expected["action"] == "process":
        assert len(said.commands) == before[0] + 1
    else:
        assert [event.event_type for event in said.events[before[2] :]] == [expected["event"]]
        assert len(said.commands) - before[0] == expected["tool_calls"]
        assert len(said.responses) == before[1]


def test_ing_05_business_key_of_a_session_never_changes() -> None:
    case = CASES["ING-05"]
    said = talk()
    said.say("which services do I have?", business_context=case["given"]["stored"])
    said.say("thanks", **case["when"]["payload"])

    session = said.now_state.session
    assert session is not None
    assert session.business_context.customer_key == case["expect"]["customer_key"]
    assert case["expect"]["event"] in said.event_types("GRL")


# --- isolation --------------------------------------------------------------------------------------------------------------


def test_iso_01_conversations_of_other_tenants_and_agents_are_others() -> None:
    case = CASES["ISO-01"]
    keys = {conversation_key(tenant, agent, case["given"]["session_id"]) for tenant, agent in case["when"]["pairs"]}
    assert len(keys) == case["expect"]["distinct_keys"]

    said = talk()
    for tenant, agent in case["when"]["pairs"]:
        said.say("stop the Sports pack", tenant_id=tenant, agent_id=agent, session_id=case["given"]["session_id"])
    assert {command.turn.conversation_key for command in said.commands} == keys


def test_iso_03_each_tenant_gets_a_call_of_its_own() -> None:
    from tests.stages import stages  # all five: the one case that needs them

    case = CASES["ISO-03"]
    chosen = configured()
    tools = ScriptedTools({case["given"]["tool"]: [{"ok": True, "result": {"reading": 7}}]})
    driver = Driver(chosen, stages(chosen), tools)
    for call in case["when"]["calls"]:
        driver.say(
            "please",
            tenant_id=call["tenant_id"],
            metadata={"tool_name": case["given"]["tool"], "arguments": call["arguments"]},
        )
    assert len(driver.calls) == case["expect"]["server_calls"]
    assert [dict(call.arguments) for call in driver.calls] == [call["arguments"] for call in case["when"]["calls"]]


# --- reconcile --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", range(9), ids=lambda row: f"rec_01 row {row}")
def test_rec_01_candidates_are_coerced_by_type(row: int) -> None:
    given, expected = rows(CASES["REC-01"])[row]
    said = talk(tools={"set_value": typed(given["given"]["args_schema"]["f"])}, locale="pt-BR")

    said.say("pode ser", metadata={"tool_name": "set_value", "arguments": given["candidate"]})

    assert (said.commands == []) is expected["missing"]
    if expected["missing"]:
        assert said.now_state.open is not None
        assert said.now_state.open.pending == "f"
        assert not is_filled(said.now_state.open.arguments.get("f"))
    else:
        value = said.handed.transaction.arguments["f"]
        assert value == expected["value"]
        assert type(value) is type(expected["value"])


def test_rec_02_decimal_comma_is_read_by_locale() -> None:
    case = CASES["REC-02"]
    said = talk(tools={"set_value": tool(["amount"], case["given"]["args_schema"])}, locale=case["given"]["locale"])
    said.say("pode ser", metadata={"tool_name": "set_value", "arguments": case["when"]["candidate"]})
    assert said.handed.transaction.arguments == {"amount": case["expect"]["value"]}


@pytest.mark.parametrize("row", range(2), ids=lambda row: f"rec_04 row {row}")
def test_rec_04_new_transaction_begins_with_nothing_of_an_older_one(row: int) -> None:
    given, expected = rows(CASES["REC-04"])[row]
    said = talk()
    stale = given["given"].get("stale_context") or given["given"]["selected_tool_call"]["arguments"]
    said.say(f"stop the {stale['item']}")
    assert said.handed.transaction.tool == "stop_service"
    assert said.handed.transaction.arguments["item"] == stale["item"]
    said.status(Status(given["given"].get("transaction_status", "COMPLETED")))

    said.say(given["message"])

    held = said.now_state.open
    assert held is not None
    assert held.arguments == expected["arguments"]
    assert not set(expected.get("absent", ())) & held.arguments.keys()
    assert held.tool == expected.get("active_tool", "dispute_charge")
    if "last_transaction_tool" in expected:
        assert said.now_state.last_closed is not None
        assert said.now_state.last_closed.tool == expected["last_transaction_tool"]


def test_rec_05_several_arguments_in_one_message() -> None:
    case = CASES["REC-05"]
    said = talk()
    said.say(case["when"]["message"])
    assert list(TOOLS["return_order"]["spec"]["requires"]) == case["given"]["requires"]
    assert said.handed.transaction.arguments == case["expect"]["arguments"]
    assert len([event for event in said.events if event.event_type == "IC.GATEWAY_RECEIVED"]) == case["expect"]["turns"]
    assert said.responses == []


def test_rec_06_partial_extraction_does_not_end_the_search_for_the_rest() -> None:
    case = CASES["REC-06"]
    said = talk()
    said.say("I want to return an order")

    said.say(case["when"]["message"])

    held = said.now_state.open
    assert held is not None
    assert held.arguments == case["expect"]["arguments"]
    assert held.pending == case["expect"]["asked_for"]
    assert "IC.TRANSACTION_REPLACED" not in said.event_types()


def test_rec_10_correction_changes_one_value_and_keeps_the_rest() -> None:
    case = CASES["REC-10"]
    held = case["given"]["transaction"]["arguments"]
    disputed = tool(
        ["item", "amount", "since"],
        {
            **TOOLS["dispute_charge"]["spec"]["args_schema"],
            "since": {"type": "date", "direction": "past", "label": "the day"},
        },
        hints=TOOLS["dispute_charge"]["hints"],
    )
    said = talk(tools={"dispute_charge": disputed}, locale="pt-BR")
    said.say("dispute", metadata={"tool_name": "dispute_charge", "arguments": held})
    assert said.now_state.open is not None
    assert said.now_state.open.arguments == held
    assert said.now_state.open.status is Status(case["given"]["status"])

    said.say(case["when"]["message"])

    assert said.now_state.open is not None
    assert said.now_state.open.arguments == case["expect"]["arguments"]


@pytest.mark.parametrize("row", range(3), ids=lambda row: f"rec_11 row {row}")
def test_rec_11_pending_field_comes_before_another_intent(row: int) -> None:
    given, expected = rows(CASES["REC-11"])[row]
    missing = given["given"]["missing"][0]
    guess = given["given"]["router_guess"]
    chosen = configured(locale="pt-BR")

    def nearest(_text: str, tools: Any) -> dict[str, float]:
        return {one.name: guess["confidence"] if one.name == guess["intent"] else 0.0 for one in tools}

    said = Talk(chosen)
    said._hosts["reconcile"].stage = Reconcile(chosen, catalogue(), nearest=nearest)
    arguments = {"item": "Cinema pack"} if missing == "amount" else {}
    said.say("dispute", metadata={"tool_name": "dispute_charge", "arguments": arguments})
    opened = said.now_state.open
    assert opened is not None
    assert opened.pending == missing

    said.say(given["message"])

    if expected["interruption"] is None:
        assert said.now_state.last_closed is None
        assert said.now_state.open is not None
        assert said.now_state.open.transaction_id == opened.transaction_id
    else:
        assert said.now_state.last_closed is not None
        assert said.now_state.last_closed.transaction_id == opened.transaction_id
        assert said.now_state.last_closed.status is Status(expected["old_status"])
        assert said.handed.transaction.tool == guess["intent"]
        assert (said.handed.transaction.arguments != {}) is expected["old_arguments_reused"]


def test_every_case_of_these_families_is_here() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    mine = [name for name in CASES if name.startswith(MINE)]
    assert [name for name in mine if f"test_{name.lower().replace('-', '_')}" not in source] == []
