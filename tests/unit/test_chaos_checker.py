"""The checker of the fault injector finds each broken promise, and nothing in a history that went well."""

from collections.abc import Callable
from typing import Any

import pytest

from consumers.chaos.history import Disturbance, History, Takeover, ToolRules
from consumers.chaos.measures import is_single, measure, recoveries
from consumers.chaos.plan import Kind, plan
from consumers.chaos.rules import RULES, check
from consumers.chaos.tool_ledger import request_keys
from contracts.agent_state import AgentState, Holder, OpenTransaction
from contracts.channel_response import ItemFate, ResponseKind
from contracts.confirm_command import VerdictKind
from contracts.normalize_command import CallFate
from contracts.status import ItemOutcome, Status
from pipeline import topology
from tests.unit.chaos_history import (
    CUSTOMER,
    DONE,
    EXECUTE,
    ITEMS,
    KEY,
    NAMES,
    PROPOSAL,
    START,
    TALK,
    TOOL,
    TX,
    arrival,
    asked,
    at,
    changed,
    checkpoint,
    effect,
    entry,
    event,
    good,
    normalize,
    refusal,
    response,
    status,
    transaction,
    verdict,
)

ANOTHER = "default:telecom_contas:s-2"


def test_history_that_went_well_has_no_violation() -> None:
    assert check(good()) == []


def events(**by_place: Any) -> list[Any]:
    """The good events with some replaced (None: left out) by their place, and more behind."""
    listed = list(good().events)
    for place in sorted((int(name[1:]) for name in by_place if name != "more"), reverse=True):
        new = by_place[f"e{place}"]
        listed[place : place + 1] = [] if new is None else [new]
    return [*listed, *by_place.get("more", ())]


def lost_item() -> tuple[ItemFate, ...]:
    return (DONE[0],)


def failed(position: int) -> tuple[ItemFate, ...]:
    fates = list(DONE)
    fates[position] = ItemFate(subject=NAMES[position], outcome=ItemOutcome.FAILED, reason="not_found")
    return tuple(fates)


def answered(items: tuple[ItemFate, ...] = DONE, state: Status = Status.COMPLETED, **changes: Any) -> list[Any]:
    return [good().responses[0], response(9, ResponseKind.FINAL, "s-1-m1", state, items, **changes)]


def unknown(**changes: Any) -> History:
    """The outcome is called unknown, as its event says."""
    fates = tuple(ItemFate(subject=name, outcome=ItemOutcome.UNKNOWN) for name in NAMES)
    fields: dict[str, Any] = {
        "responses": answered(fates, Status.OUTCOME_UNKNOWN),
        "statuses": [good().statuses[0], status(9, Status.OUTCOME_UNKNOWN)],
        "normalizes": [entry(topology.NORMALIZE, 8, normalize(CallFate.UNKNOWN))],
        "events": events(more=[event(8, "NOC.MCP_OUTCOME_UNKNOWN", stage="execute", sequence=1, tx=TX)]),
        "effects": [],
    }
    return changed(**{**fields, **changes})


def open_state() -> dict[str, Any]:
    held = OpenTransaction(
        transaction_id=TX,
        tool=TOOL,
        requested_tool=TOOL,
        opened_at=START,
        opened_by="s-1-m0",
        status=Status.EXECUTING,
        holder=Holder.STAGES,
    )
    return AgentState(conversation_key=TALK, open=held).model_dump(mode="json")


DISPUTE = EXECUTE.model_copy(
    update={"transaction": transaction({"item": "Neymar Jr", "amount": 4.99}, "contestar_cobranca")}
)
ORDER = EXECUTE.model_copy(update={"transaction": transaction({"order_ids": ["P-100"]}, "cancelar_pedidos")})
BROKEN: list[Any] = [
    pytest.param("lost or doubled request", lambda: changed(events=events(e3=None)), id="a message is not received"),
    pytest.param(
        "lost or doubled request",
        lambda: changed(
            events=events(more=[event(10, "IC.GATEWAY_RECEIVED", stage="reconcile", sequence=13, message="s-1-m1")])
        ),
        id="a message is received twice",
    ),
    pytest.param(
        "lost or doubled request",
        lambda: changed(asked=[*good().asked, asked(6, "s-1-m1")]),
        id="a duplicate is not noticed",
    ),
    pytest.param(
        "lost or doubled request",
        lambda: changed(asked=[*good().asked, asked(6, "s-1-m9", right=False)]),
        id="a misplaced record is dropped",
    ),
    pytest.param(
        "lost or doubled request",
        lambda: changed(asked=[asked(1, "s-1-m0", right=False), *good().asked[1:]]),
        id="a message is received where it does not lie",
    ),
    pytest.param(
        "unanswered",
        lambda: changed(responses=[good().responses[0], *answered(message_id="s-1-m0")[1:]]),
        id="a message is not answered",
    ),
    pytest.param(
        "dead letter", lambda: changed(dead_letters=[refusal("pipeline.confirm/0/6")]), id="an internal record"
    ),
    pytest.param(
        "dead letter",
        lambda: changed(asked=[*good().asked, asked(7, "s-1-m2", conversation=None, right=False)]),
        id="what can't be accepted is dropped",
    ),
    pytest.param(
        "end of a transaction", lambda: changed(responses=good().responses[:1]), id="a transaction has no final answer"
    ),
    pytest.param(
        "end of a transaction",
        lambda: changed(
            responses=[*good().responses, response(10, ResponseKind.FINAL, "s-1-m1", Status.COMPLETED, DONE)]
        ),
        id="a transaction has two final answers",
    ),
    pytest.param(
        "end of a transaction", lambda: changed(responses=answered(state=Status.EXECUTING)), id="its end is no end"
    ),
    pytest.param(
        "end of a transaction",
        lambda: changed(statuses=[good().statuses[0], status(9, Status.EXPIRED)]),
        id="answer and status differ",
    ),
    pytest.param(
        "end of a transaction",
        lambda: changed(
            responses=[
                *good().responses,
                response(10, ResponseKind.FINAL, "s-1-m1", Status.EXPIRED, transaction_id="tx_9"),
            ]
        ),
        id="a transaction that nobody opened",
    ),
    pytest.param(
        "question",
        lambda: changed(
            responses=[
                response(3, ResponseKind.CONFIRMATION, "s-1-m0", Status.AWAITING_CONFIRMATION),
                *good().responses,
            ]
        ),
        id="a question is published twice",
    ),
    pytest.param(
        "question",
        lambda: changed(
            events=events(
                more=[event(10, "IC.TRANSACTION_CONFIRMATION_REQUIRED", stage="confirm", sequence=2, tx=TX, revision=1)]
            )
        ),
        id="a revision is proposed twice",
    ),
    pytest.param(
        "doubled record", lambda: changed(responses=[*good().responses, good().responses[1]]), id="a response twice"
    ),
    pytest.param("doubled record", lambda: changed(events=[*good().events, good().events[4]]), id="an event twice"),
    pytest.param(
        "order of messages",
        lambda: changed(
            events=events(
                e0=event(2, "IC.GATEWAY_RECEIVED", stage="reconcile", sequence=12),
                e3=event(6, "IC.GATEWAY_RECEIVED", stage="reconcile", sequence=10, message="s-1-m1"),
            )
        ),
        id="messages are received in another order",
    ),
    pytest.param(
        "sequence of events",
        lambda: changed(events=events(e1=event(3, "IC.INTENT_DETECTED", stage="reconcile", sequence=9, tx=TX))),
        id="a number is missing and one goes back",
    ),
    pytest.param(
        "not what was confirmed",
        lambda: changed(executes=[entry(topology.EXECUTE, 7, EXECUTE), entry(topology.EXECUTE, 8, EXECUTE)]),
        id="a transaction is executed twice",
    ),
    pytest.param("not what was confirmed", lambda: changed(confirms=[]), id="nobody accepted"),
    pytest.param(
        "not what was confirmed",
        lambda: changed(confirms=[verdict(6, verdict=VerdictKind.DECLINE)]),
        id="the customer said no",
    ),
    pytest.param(
        "not what was confirmed",
        lambda: changed(confirms=[verdict(6, revision=2)]),
        id="the yes is about another revision",
    ),
    pytest.param(
        "not what was confirmed", lambda: changed(confirms=[verdict(6, said_at=at(61))]), id="the yes came too late"
    ),
    pytest.param(
        "not what was confirmed",
        lambda: changed(confirms=[verdict(6, said_at=at(1))]),
        id="the yes is older than the question",
    ),
    pytest.param(
        "not what was confirmed",
        lambda: changed(
            statuses=[
                status(4, Status.AWAITING_CONFIRMATION, arguments={"items": [ITEMS[0]]}, proposal=PROPOSAL),
                good().statuses[1],
            ]
        ),
        id="other arguments were shown",
    ),
    pytest.param("not what was confirmed", lambda: changed(statuses=good().statuses[1:]), id="nothing was shown"),
    pytest.param("result", lambda: changed(normalizes=[]), id="an execution has no result"),
    pytest.param(
        "result",
        lambda: changed(normalizes=[entry(topology.NORMALIZE, 8, normalize(items=("Neymar Jr",)))]),
        id="a result is about other items",
    ),
    pytest.param(
        "not what was shown",
        lambda: changed(operations={(CUSTOMER, TOOL, KEY): "other"}),
        id="the server saw other arguments",
    ),
    pytest.param("effect", lambda: changed(effects=[effect(0, executions=2), effect(1)]), id="an item is done twice"),
    pytest.param(
        "effect",
        lambda: changed(effects=[*good().effects, effect(0, request_key="rk_2")]),
        id="again under another request key",
    ),
    pytest.param(
        "effect",
        lambda: changed(effects=[*good().effects, effect(0, item_key="ik_9", request_key="rk_9")]),
        id="an effect that nobody confirmed",
    ),
    pytest.param(
        "effect",
        lambda: changed(effects=[effect(0, customer="cliente-2"), effect(1)]),
        id="an effect for another customer",
    ),
    pytest.param(
        "call", lambda: changed(arrivals=[arrival(7.5), arrival(8)]), id="a second call without asking for the status"
    ),
    pytest.param("call", lambda: changed(arrivals=[arrival(7.5, key="rk_9")]), id="a call under a foreign key"),
    pytest.param(
        "call",
        lambda: changed(
            executes=[entry(topology.EXECUTE, 7, DISPUTE)],
            arrivals=[arrival(n, "contestar_cobranca", next(request_keys(DISPUTE))) for n in (8, 20)],
        ),
        id="a second call of a tool that reports",
    ),
    pytest.param(
        "call",
        lambda: changed(
            executes=[entry(topology.EXECUTE, 7, ORDER)],
            arrivals=[arrival(n, "cancelar_pedidos", next(request_keys(ORDER))) for n in range(8, 14)],
        ),
        id="more calls than attempts are allowed",
    ),
    pytest.param("untrue answer", lambda: changed(responses=answered(lost_item())), id="an item has no fate"),
    pytest.param("untrue answer", lambda: changed(effects=[effect(0)]), id="called done and never done"),
    pytest.param("untrue answer", lambda: changed(responses=answered(failed(1))), id="called failed and done"),
    pytest.param(
        "untrue answer", lambda: changed(effects=[effect(0, protocol="p9"), effect(1)]), id="another protocol"
    ),
    pytest.param("unknown outcome", unknown, id="unknown without a cause"),
    pytest.param(
        "unknown outcome",
        lambda: unknown(events=good().events, disturbances=[outage()]),
        id="unknown without its event",
    ),
    pytest.param(
        "unknown outcome",
        lambda: changed(events=events(more=[event(8, "NOC.MCP_OUTCOME_UNKNOWN", stage="execute", sequence=1, tx=TX)])),
        id="unknown and the customer was told something else",
    ),
    pytest.param(
        "stopped",
        lambda: changed(
            events=events(
                more=[
                    event(8, "NOC.RUNTIME_FAILED", stage="execute", sequence=1, number=3, reason="no committed offset")
                ]
            )
        ),
        id="a number waits for an operator",
    ),
    pytest.param(
        "isolation",
        lambda: changed(responses=answered(session_id="s-2")),
        id="a response about another session",
    ),
    pytest.param(
        "isolation", lambda: changed(responses=answered(message_id="s-2-m1")), id="an answer to another's message"
    ),
    pytest.param(
        "isolation",
        lambda: changed(
            responses=[good().responses[0], entry("channel.web.responses", 9, good().responses[1].value, ANOTHER)]
        ),
        id="a response under another key",
    ),
    pytest.param(
        "left open",
        lambda: changed(states={"reconcile": {TALK: checkpoint("reconcile", open_state())}}),
        id="a transaction is open",
    ),
    pytest.param(
        "left open",
        lambda: changed(states={"execute": {f"{TALK}#{TX}": checkpoint("execute", {"running": {"entry": {}}})}}),
        id="a call is under way",
    ),
    pytest.param(
        "left open",
        lambda: changed(states={"confirm": {f"{TALK}#{TX}": checkpoint("confirm", {"question": {"turn": {}}})}}),
        id="a question is open",
    ),
]


def outage(**changes: Any) -> Disturbance:
    fields: dict[str, Any] = {
        "kind": "MCP servers kill -9",
        "target": "mcp",
        "at": at(7),
        "until": at(8),
        "of_process": False,
    }
    return Disturbance(**{**fields, **changes})


@pytest.mark.parametrize(("rule", "broken"), BROKEN)
def test_checker_finds(rule: str, broken: Callable[[], History]) -> None:
    assert rule in {violation.rule for violation in check(broken())}


def test_every_rule_is_seen_to_fail() -> None:
    assert {param.values[0] for param in BROKEN} == set(RULES)


ALLOWED: list[Any] = [
    pytest.param(
        lambda: changed(arrivals=[arrival(7.5), arrival(8, "consultar_operacao"), arrival(9)]),
        id="a second call after the status tool was asked",
    ),
    pytest.param(lambda: unknown(disturbances=[outage()]), id="an unknown outcome while the servers were away"),
    pytest.param(
        lambda: unknown(normalizes=[entry(topology.NORMALIZE, 18, normalize(CallFate.UNKNOWN))]),
        id="an unknown outcome of a call that was waited for",
    ),
    pytest.param(
        lambda: changed(
            asked=[*good().asked, asked(6, "s-1-m1")],
            events=events(
                more=[
                    event(
                        10,
                        "IC.MESSAGE_DUPLICATE",
                        stage="reconcile",
                        sequence=13,
                        message="s-1-m1",
                        origin="gateway.requests/0/6",
                    )
                ]
            ),
        ),
        id="a duplicate that is told",
    ),
    pytest.param(
        lambda: changed(asked=[asked(1, "s-1-m0", right=False), asked(2, "s-1-m0", moved=True), good().asked[1]]),
        id="a record that was moved",
    ),
    pytest.param(
        lambda: changed(
            asked=[*good().asked, asked(6, "s-1-m2", conversation=None, right=False)],
            dead_letters=[refusal("gateway.requests/0/6")],
        ),
        id="a refused request that is dead-lettered",
    ),
    pytest.param(
        lambda: changed(effects=[effect(0)], responses=answered(failed(1))),
        id="an item that failed and is called failed",
    ),
]


@pytest.mark.parametrize("history", ALLOWED)
def test_checker_accepts(history: Callable[[], History]) -> None:
    assert check(history()) == []


def test_report_counts_what_the_history_holds() -> None:
    history = good()
    measures = measure(history, check(history))
    assert (measures.requests, measures.answered, measures.lost, measures.effects) == (2, 2, 0, 2)
    assert measures.transactions == {"COMPLETED": 1}


def test_recovery_lasts_until_the_last_takeover_of_what_the_hit_process_owned() -> None:
    def taken(seconds: float, replica: str, number: int) -> Takeover:
        return Takeover(at=at(seconds), replica=replica, life=1, stage="confirm", number=number)

    takeovers = [taken(1, "r1", 0), taken(1, "r1", 1), taken(1, "r2", 2), taken(17, "r2", 0), taken(19.5, "r2", 1)]
    hit = outage(kind=Kind.KILL, target="r1", at=at(12), until=at(13), life=1, of_process=True)
    assert list(recoveries([hit], takeovers)) == [(hit, 7.5)]
    assert is_single(hit, 7.5, [hit])
    assert not is_single(hit, 7.5, [hit, outage(at=at(18), until=at(30))])


def test_ten_minutes_hold_the_faults_that_were_promised() -> None:
    for seed in range(1, 20):
        faults = plan(seed, 600, session_s=6)
        of_processes = [fault for fault in faults if fault.kind.of_process]
        assert len(of_processes) >= 75  # some find nobody to hit: 60 are promised
        assert len(faults) - len(of_processes) >= 12
        assert {fault.kind for fault in faults} == set(Kind)
        assert faults == plan(seed, 600, session_s=6)


def test_stopped_process_stays_stopped_beyond_the_session_timeout() -> None:
    zombies = [fault for fault in plan(1, 3600, session_s=6) if fault.kind is Kind.ZOMBIE]
    assert zombies
    assert all(fault.lasting_s > 6 for fault in zombies)


def test_rules_of_tools_are_part_of_a_history() -> None:
    tools = {TOOL: ToolRules(transactional=True, recovery="report")}
    assert {v.rule for v in check(changed(tools=tools, arrivals=[arrival(7), arrival(8)]))} == {"call"}
