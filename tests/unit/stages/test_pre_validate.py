"""Pre-validate: the gate, the validator's answers in every shape, and what the customer is told."""

from typing import Any

import pytest

from contracts.business_context import BusinessContext
from contracts.channel_response import ResponseKind
from contracts.status import Status
from pipeline.policy import Limits, Timing
from pipeline.testing.tools import Script, answered, failed, lost, not_sent, unknown
from tests import installation as demo
from tests.installation import installation
from tests.unit.stages.behind import Behind

VALIDATOR = "validar_produtos_cancelamento"
CANONICAL = [{"name": "TIM Fashion Mensal", "id": "1001"}, {"name": "Neymar Jr", "id": "1003"}]
ELIGIBLE = {"eligible": True, "transaction_decision": {"resolved_arguments": {"items": CANONICAL}}}
ASKED = {"items": ["TIM Fashion", "Neymar Jr"]}


def gate(script: Script, **changes: Any) -> Behind:
    """Pre-validate alone; what it hands on is only kept."""
    return Behind({VALIDATOR: script}, only=("pre-validate",), **changes)


def tools(**policies: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The demo's tools with other policies (and, under `spec`, other specs)."""
    changed = dict(demo.TOOLS)
    for name, policy in policies.items():
        spec = {**changed[name]["spec"], **policy.pop("spec", {})}
        changed[name] = {**changed[name], "spec": spec, "policy": {**changed[name]["policy"], **policy}}
    return changed


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(ELIGIBLE, id="bare"),
        pytest.param({"ok": True, "result": ELIGIBLE}, id="under result"),
        pytest.param({"ok": True, "data": ELIGIBLE}, id="under data"),
        pytest.param({"ok": True, "result": {"result": ELIGIBLE}}, id="under result.result"),
        pytest.param({"ok": True, "data": {"result": ELIGIBLE}}, id="under data.result"),
        pytest.param(
            {"ok": True, "result": {"status": "COMPLETED", "output": {VALIDATOR: ELIGIBLE}}}, id="of a workflow"
        ),
    ],
)
def test_eligible_set_goes_on_with_canonical_arguments(answer: dict[str, Any]) -> None:
    world = gate([answer])
    assert world.validate("cancelar_produtos", ASKED) == []
    [proposal] = world.proposals
    assert proposal.transaction.arguments == {"items": CANONICAL}
    assert proposal.items == ("TIM Fashion Mensal", "Neymar Jr")
    assert world.event_types() == ["IC.TRANSACTION_PREVALIDATION_REQUESTED", "IC.TRANSACTION_PREVALIDATION_PASSED"]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param({"ok": True}, id="no eligible"),
        pytest.param({"ok": True, "result": {"items": []}}, id="no eligible in the result"),
        pytest.param({"eligible": "true"}, id="eligible is text"),
        pytest.param({"eligible": 1}, id="eligible is a number"),
        pytest.param({"eligible": None}, id="eligible is null"),
        pytest.param([1, 2], id="an array"),
        pytest.param({"text": "elegível"}, id="text"),
        pytest.param(None, id="nothing"),
        pytest.param({"eligible": False, "status": "NEEDS_PARAMETER"}, id="needs a parameter it does not name"),
        pytest.param(
            {"eligible": False, "status": "NEEDS_PARAMETER", "parameter": "customer_id"},
            id="needs what nobody asks for",
        ),
        pytest.param(unknown(code="schema_violation"), id="breaks its own schema"),
        pytest.param(unknown(code="too_large"), id="too large"),
    ],
)
def test_malformed_answer_is_an_error_and_never_a_refusal_even_when_failing_open(answer: Any) -> None:
    open_policy = {"pre_validation": {"tool": VALIDATOR, "fail_open": True}}
    world = gate([answer], tools=tools(cancelar_produtos=open_policy))
    [told] = world.validate("cancelar_produtos", ASKED)
    assert told.metadata.status is Status.PREVALIDATION_ERROR
    assert world.ends == [Status.PREVALIDATION_ERROR]
    assert "Não consegui verificar agora" in told.text
    assert "NOC.PREVALIDATION_CONTRACT_ERROR" in world.event_types()
    assert "IC.TRANSACTION_PREVALIDATION_FAILED" in world.event_types()
    assert world.proposals == []


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param({"ok": False, "error": "db down"}, id="an error without eligible"),
        pytest.param({"ok": False, "error": "x", "result": {"eligible": True}}, id="eligible and not ok"),
        pytest.param(failed({"eligible": True}, code="is_error"), id="is_error, whatever the content says"),
    ],
)
def test_validator_that_failed_is_an_error_and_never_a_refusal(answer: Any) -> None:
    world = gate([answer])
    [told] = world.validate("cancelar_produtos", ASKED)
    assert told.metadata.status is Status.PREVALIDATION_ERROR
    assert "NOC.MCP_TOOL_FAILED" in world.event_types("NOC")


def test_refusal_ends_the_transaction_and_names_every_item() -> None:
    world = gate([{"eligible": False, "reason": "not_allowed"}])
    [told] = world.validate("cancelar_produtos", ASKED)
    assert told.metadata.status is Status.OUT_OF_SCOPE
    assert told.metadata.kind is ResponseKind.FINAL
    assert all(item in told.text for item in ("TIM Fashion", "Neymar Jr", "não é permitido", "Nada foi feito"))
    assert world.last_status.status is Status.OUT_OF_SCOPE
    assert world.event_types("IC")[-1] == "IC.TRANSACTION_PREVALIDATION_REJECTED"


def test_refusal_is_told_in_the_validators_words_when_it_has_some() -> None:
    world = gate([{"eligible": False, "message": "Não encontrei esses produtos.", "reason": "not_found"}])
    assert world.validate("cancelar_produtos", ASKED)[0].text == "Não encontrei esses produtos."


def test_refused_amendment_ends_the_transaction_and_says_so() -> None:
    world = gate([{"eligible": False, "message": "Não encontrei esse produto."}])
    [told] = world.validate("cancelar_produtos", ASKED, amended=True, revision=2)
    assert told.text == "Não encontrei esse produto. O pedido foi encerrado e nada foi feito."
    assert world.last_status.revision == 2


def test_a_stack_trace_is_never_shown() -> None:
    world = gate([{"eligible": False, "message": "java.lang.NullPointerException at Foo.bar(Foo.java:1)"}])
    assert "Exception" not in world.validate("cancelar_produtos", ASKED)[0].text


def test_refused_parameter_is_asked_for_once_and_the_others_are_kept() -> None:
    spec = {"pre_validation": {"tool": "validar_cobranca"}}
    configured = installation(
        tools={
            **tools(contestar_cobranca=spec),
            "validar_cobranca": {
                "spec": {
                    "mcp_server": "contas",
                    "tool_type": "validator",
                    "args_schema": {"item": {}, "amount": {"type": "number"}},
                }
            },
        }
    )
    answer = {
        "eligible": False,
        "status": "NEEDS_PARAMETER",
        "parameter": "amount",
        "parameter_message": "Não há cobrança desse valor.",
    }
    world = Behind({"validar_cobranca": [answer]}, configured=configured, only=("pre-validate",))
    [told] = world.validate("contestar_cobranca", {"item": "HBO Max", "amount": 25.5})
    assert (told.text, told.metadata.kind) == ("Não há cobrança desse valor.", ResponseKind.QUESTION)
    status = world.last_status
    assert status.status is Status.COLLECTING_PARAMETERS
    assert (status.arguments, status.parameter) == ({"item": "HBO Max"}, "amount")
    assert status.parameter_message == "Não há cobrança desse valor."
    assert world.event_types("IC")[-1] == "IC.TRANSACTION_PREVALIDATION_PARAMETER_REJECTED"


def test_validator_gets_only_fields_of_its_schema_and_the_target_tool() -> None:
    world = gate([ELIGIBLE])
    world.validate("cancelar_produtos", {**ASKED, "confirmed": True, "x": 1}, source_text="tira tudo")
    assert world.called(VALIDATOR) == [
        {**ASKED, "customer_id": "11999999999", "source_text": "tira tudo", "target_tool": "cancelar_produtos"}
    ]


def test_resolved_arguments_never_change_a_business_key() -> None:
    resolved = {"items": CANONICAL, "customer_id": "999", "confirmed": True}
    world = gate([{"eligible": True, "transaction_decision": {"resolved_arguments": resolved}}])
    world.validate("cancelar_produtos", ASKED)
    assert world.proposals[0].transaction.arguments == {"items": CANONICAL}


def test_tool_without_validator_goes_on_and_says_so() -> None:
    world = gate([], agent_id="retail_orders")
    world.validate("cancelar_pedidos", {"order_ids": ["P-1", "P-2"]})
    assert world.event_types() == ["IC.TRANSACTION_PREVALIDATION_SKIPPED"]
    assert world.proposals[0].items == ("P-1", "P-2")
    assert world.calls == []


@pytest.mark.parametrize("tool", ["cancelar_pedidos", "nenhuma", VALIDATOR])
def test_tool_the_agent_may_not_call_for_a_customer_is_denied(tool: str) -> None:
    world = gate([ELIGIBLE])
    [told] = world.validate(tool, {"order_ids": ["P-1"], "items": ["a"]})
    assert told.metadata.status is Status.OUT_OF_SCOPE
    assert told.metadata.guardrails == ["GRL.TOOL_DENIED"]
    assert world.calls == []


def test_missing_required_argument_is_asked_for_before_any_validation() -> None:
    world = gate([ELIGIBLE])
    [told] = world.validate("cancelar_produtos", {})
    assert told.text == "Quais produtos você quer cancelar?"
    assert (world.last_status.status, world.last_status.parameter) == (Status.COLLECTING_PARAMETERS, "items")
    assert world.calls == []


def test_too_many_items_are_refused_with_the_limit() -> None:
    world = gate([ELIGIBLE], limits=Limits(items=3))
    [told] = world.validate("cancelar_produtos", {"items": list("abcd")})
    assert "até 3 itens" in told.text
    assert "4" in told.text
    assert world.calls == []


# --- another tool ---------------------------------------------------------------------------------------------------


def moving(target: str, **policies: dict[str, Any]) -> Behind:
    """A validator that moves the cancellation to another tool of the agent."""
    decision = {"target_tool": target, "resolved_arguments": {"item": "HBO Max", "items": CANONICAL}}
    return gate([{"eligible": True, "transaction_decision": decision}], tools=tools(**policies))


def test_target_tool_never_needs_less_confirmation_than_the_one_asked_for() -> None:
    free = {
        "operation_type": "read_only",
        "require_confirmation": False,
        "requires": [],
        "spec": {"requires": ["item"]},
    }
    world = moving("contestar_cobranca", contestar_cobranca=free)
    world.validate("cancelar_produtos", ASKED)
    [proposal] = world.proposals
    assert proposal.transaction.tool == "contestar_cobranca"
    assert proposal.transaction.requested_tool == "cancelar_produtos"
    assert proposal.transaction.confirmation_floor is True


def test_target_tool_without_a_required_argument_is_asked_for_it() -> None:
    world = moving("contestar_cobranca")
    [told] = world.validate("cancelar_produtos", ASKED)
    assert told.text == "Qual o valor da cobrança?"
    status = world.last_status
    assert (status.tool, status.parameter) == ("contestar_cobranca", "amount")


def test_target_tool_the_agent_does_not_list_is_denied() -> None:
    world = moving("cancelar_pedidos")
    [told] = world.validate("cancelar_produtos", ASKED)
    assert told.metadata.status is Status.OUT_OF_SCOPE
    assert "GRL.TOOL_DENIED" in world.event_types()


def test_target_tool_is_validated_once_by_its_own_validator() -> None:
    own = {"pre_validation": {"tool": "validar_cobranca"}, "requires": [], "spec": {"requires": ["item"]}}
    changed = tools(contestar_cobranca=own)
    changed["validar_cobranca"] = {
        "spec": {"mcp_server": "contas", "tool_type": "validator", "args_schema": {"item": {}}}
    }
    first = {
        "eligible": True,
        "transaction_decision": {"target_tool": "contestar_cobranca", "resolved_arguments": {"item": "HBO Max"}},
    }
    world = Behind(
        {VALIDATOR: [first], "validar_cobranca": [{"eligible": True}]}, tools=changed, only=("pre-validate",)
    )
    world.validate("cancelar_produtos", ASKED)
    assert [call.tool for call in world.calls] == [VALIDATOR, "validar_cobranca"]
    assert world.called("validar_cobranca") == [{"item": "HBO Max", "target_tool": "contestar_cobranca"}]
    assert len(world.proposals) == 1


def test_validators_that_hand_the_transaction_back_are_stopped() -> None:
    own = {"pre_validation": {"tool": "validar_cobranca"}, "requires": [], "spec": {"requires": ["item"]}}
    changed = tools(contestar_cobranca=own)
    changed["validar_cobranca"] = {
        "spec": {"mcp_server": "contas", "tool_type": "validator", "args_schema": {"item": {}}}
    }
    there = {
        "eligible": True,
        "transaction_decision": {"target_tool": "contestar_cobranca", "resolved_arguments": {"item": "HBO Max"}},
    }
    back = {"eligible": True, "transaction_decision": {"target_tool": "cancelar_produtos"}}
    world = Behind({VALIDATOR: [there], "validar_cobranca": [back]}, tools=changed, only=("pre-validate",))
    [told] = world.validate("cancelar_produtos", ASKED)
    assert told.metadata.status is Status.PREVALIDATION_ERROR
    assert "NOC.PREVALIDATION_CONTRACT_ERROR" in world.event_types()
    assert len(world.calls) == 2


# --- transport --------------------------------------------------------------------------------------------------------


def test_lost_answer_is_asked_for_again_and_then_passes() -> None:
    world = gate([unknown(), not_sent(), ELIGIBLE])
    world.validate("cancelar_produtos", ASKED)
    assert world.wait(seconds=10) == []
    assert len(world.calls) == 3
    assert len({call.idempotency_key for call in world.calls}) == 1
    assert len(world.proposals) == 1
    assert world.event_types("NOC") == ["NOC.MCP_TIMEOUT", "NOC.MCP_TOOL_FAILED"]


@pytest.mark.parametrize(
    ("answer", "calls"), [pytest.param(unknown(), 3, id="lost answers"), pytest.param(not_sent(), 5, id="never sent")]
)
def test_unreachable_validator_is_given_up_after_bounded_attempts(answer: Any, calls: int) -> None:
    world = gate([answer])
    world.validate("cancelar_produtos", ASKED)
    [told] = world.wait(minutes=5)
    assert told.metadata.status is Status.PREVALIDATION_ERROR
    assert "não" in told.text.lower()
    assert "Não posso" not in told.text
    assert len(world.calls) == calls


def test_unreachable_validator_is_passed_when_the_policy_fails_open() -> None:
    open_policy = {"pre_validation": {"tool": VALIDATOR, "fail_open": True}}
    world = gate([unknown()], tools=tools(cancelar_produtos=open_policy))
    world.validate("cancelar_produtos", ASKED)
    assert world.wait(minutes=5) == []
    assert world.proposals[0].transaction.arguments == ASKED
    assert world.event_types("IC")[-1] == "IC.TRANSACTION_PREVALIDATION_SKIPPED"


def test_explicit_refusal_holds_even_when_the_policy_fails_open() -> None:
    open_policy = {"pre_validation": {"tool": VALIDATOR, "fail_open": True}}
    world = gate([{"eligible": False}], tools=tools(cancelar_produtos=open_policy))
    assert world.validate("cancelar_produtos", ASKED)[0].metadata.status is Status.OUT_OF_SCOPE


def test_call_nobody_can_send_is_given_up_at_its_deadline() -> None:
    world = gate([ELIGIBLE], timing=Timing(send_deadline_ms=2_000))
    world._start_call = lambda: False  # type: ignore[method-assign]
    world.validate("cancelar_produtos", ASKED)
    [told] = world.wait(seconds=3)
    assert told.metadata.status is Status.PREVALIDATION_ERROR
    assert world.calls == []


def test_validator_is_asked_again_when_its_worker_died() -> None:
    world = gate([lost(), ELIGIBLE])
    world.validate("cancelar_produtos", ASKED)
    world.wait(minutes=1)
    assert len(world.calls) == 2
    assert len(world.proposals) == 1


def test_slow_answer_of_an_earlier_attempt_is_ignored() -> None:
    world = gate([answered(ELIGIBLE, after_ms=5_000)])
    world.validate("cancelar_produtos", ASKED)
    world.crash("pre-validate")
    world.wait(minutes=1)
    assert len(world.proposals) == 1


def test_nothing_is_kept_of_a_quiet_conversation() -> None:
    world = gate([ELIGIBLE], timing=Timing(session_retention_ms=60_000))
    world.validate("cancelar_produtos", ASKED)
    world.wait(minutes=2)
    assert world.state("pre-validate", world.conversation).is_empty


@pytest.mark.parametrize("channel", ["web", "whatsapp", "voice"])
@pytest.mark.parametrize("locale", ["pt-BR", "en", "es"])
def test_refusal_is_worded_in_every_locale_and_channel(locale: str, channel: str) -> None:
    world = gate([{"eligible": False, "reason": "blocked"}], locale=locale, channel=channel)
    [told] = world.validate("cancelar_produtos", {"items": [f"Produto {n}" for n in range(8)]})
    assert all(f"Produto {n}" in told.text for n in range(8))
    assert ("- " in told.text) is (channel != "voice")


def test_validator_that_needs_a_business_key_is_not_called_without_it() -> None:
    validator = {**demo.TOOLS[VALIDATOR], "business_keys": ["customer_key"]}
    world = gate([ELIGIBLE], tools={**demo.TOOLS, VALIDATOR: validator})
    world.turn = world.turn.model_copy(update={"business_context": BusinessContext()})
    [told] = world.validate("cancelar_produtos", ASKED)
    assert world.called(VALIDATOR) == []
    assert told.metadata.status is Status.PREVALIDATION_ERROR
    assert told.text.startswith("Não consegui identificar o seu cadastro nesta conversa")
    assert all(item in told.text for item in ASKED["items"])
    [noc] = [event for event in world.events if event.event_type.startswith("NOC.")]
    assert (noc.event_type, noc.payload["fields"]) == (
        "NOC.BUSINESS_KEY_MISSING",
        ["payload.business_context.customer_key"],
    )
