"""The shipped configuration of the demo, and the examples of the guide and of SPEC-012, in our shapes."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.behaviour_files import load_installation, warnings
from pipeline.language.routing import RoutingTool, route
from pipeline.policy import Installation, Recovery, ToolMapping, ToolPolicy, ToolSpec, arguments_for, localized
from pipeline.settings import load_settings

ROOT = Path(__file__).parents[3]

GUIDE_TOOLS = """
tools:
  cancelar_produtos:
    description: Cancela um ou mais produtos do cliente.
    mcp_server: contas
    enabled: true
    tool_type: action
    confirmation_required: true
    requires: [items]
    args_schema:
      items:
        type: array
        label: os produtos
        description: Lista de produtos que o cliente deseja cancelar.
        user_prompt: Informe quais produtos deseja cancelar.
  cancelar_pedidos:
    description: Cancela um ou mais pedidos.
    mcp_server: retail
    enabled: true
    tool_type: action
    confirmation_required: true
    requires: [order_ids]
    args_schema:
      order_ids:
        type: array
        label: os pedidos
        description: Lista de identificadores de pedidos a cancelar.
        user_prompt: Quais pedidos deseja cancelar?
"""
GUIDE_POLICIES = """
tool_policies:
  cancelar_produtos:
    operation_type: transactional
    require_confirmation: true
    requires: [items]
    pre_validation:
      enabled: true
      tool: validar_produtos_cancelamento
      fail_open: false
  consultar_pedidos:
    operation_type: read_only
    require_confirmation: false
"""
SPEC_MAPPING = """
tools:
  consultar_fatura:
    map:
      customer_key: msisdn
      contract_key: invoice_id
      interaction_key: ura_call_id
      session_key: session_id
"""


@pytest.fixture(scope="module")
def shipped() -> Installation:
    return load_installation(load_settings(ROOT / "config"), ROOT / "config")


def shipped_yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / "config" / name).read_text())


def contains(ours: Any, theirs: Any) -> bool:
    """Whether ours says all that theirs says; a text by locale says its Portuguese."""
    if isinstance(theirs, dict):
        return all(contains(ours[key], value) for key, value in theirs.items())
    return bool((ours["pt-BR"] if isinstance(ours, dict) else ours) == theirs)


def test_examples_of_the_guide_are_valid_as_they_are() -> None:
    tools = {name: ToolSpec.model_validate(t) for name, t in yaml.safe_load(GUIDE_TOOLS)["tools"].items()}
    assert tools["cancelar_produtos"].args_schema["items"].type == "array"
    for policy in yaml.safe_load(GUIDE_POLICIES)["tool_policies"].values():
        ToolPolicy.model_validate(policy)
    for mapping in yaml.safe_load(SPEC_MAPPING)["tools"].values():
        ToolMapping.model_validate(mapping)


def test_shipped_configuration_says_all_that_the_examples_say() -> None:
    assert contains(shipped_yaml("tools.yaml"), yaml.safe_load(GUIDE_TOOLS))
    assert contains(shipped_yaml("tool_policies.yaml"), yaml.safe_load(GUIDE_POLICIES))
    assert contains(shipped_yaml("mcp_parameter_mapping.yaml"), yaml.safe_load(SPEC_MAPPING))


def test_shipped_configuration_has_no_problem_and_one_warning(shipped: Installation) -> None:
    assert [warning for warning in warnings(shipped) if "event_hash_key" not in warning] == []


def test_an_enabled_tool_that_no_agent_lists_is_warned_of(shipped: Installation) -> None:
    agents = {name: agent.model_copy(update={"tools": ("cancelar_pedidos",)}) for name, agent in shipped.agents.items()}
    found = [warning for warning in warnings(shipped.model_copy(update={"agents": agents})) if "no agent" in warning]
    assert (
        "consultar_pedidos: no agent lists it, so nobody can ask for it; add it to agents.yaml: agents.<agent>.tools"
        in found
    )
    assert [warning for warning in found if warning.startswith("cancelar_pedidos")] == []


def test_a_validator_and_a_status_tool_need_no_agent_of_their_own(shipped: Installation) -> None:
    unlisted = {"validar_produtos_cancelamento", "consultar_operacao"}
    agents = {
        name: agent.model_copy(update={"tools": tuple(tool for tool in agent.tools if tool not in unlisted)})
        for name, agent in shipped.agents.items()
    }
    assert [w for w in warnings(shipped.model_copy(update={"agents": agents})) if "no agent" in w] == []


def test_every_recovery_is_shown(shipped: Installation) -> None:
    found = {name: tool.recovery for name, tool in shipped.tools.items() if tool.transactional}
    assert found == {
        "cancelar_produtos": Recovery.STATUS,
        "contestar_cobranca": Recovery.REPORT,
        "cancelar_pedidos": Recovery.RETRY,
    }


def test_every_server_of_a_tool_is_configured(shipped: Installation) -> None:
    assert {tool.server for tool in shipped.tools.values()} == shipped_yaml("mcp_servers.yaml")["servers"].keys()


def test_invoice_is_asked_for_with_the_arguments_of_the_specification(shipped: Installation) -> None:
    context = {
        "customer_key": "11999999999",
        "contract_key": "3000131180",
        "interaction_key": "301953872",
        "session_key": "session-001",
        "account_key": None,
    }
    assert arguments_for(shipped.tools["consultar_fatura"], {}, context) == {
        "msisdn": "11999999999",
        "invoice_id": "3000131180",
        "ura_call_id": "301953872",
        "session_id": "session-001",
    }


@pytest.mark.parametrize("locale", ["pt-BR", "en", "es"])
def test_everything_a_customer_is_asked_exists_in_three_languages(shipped: Installation, locale: str) -> None:
    for agent in shipped.agents:
        for tool in shipped.tools_of(agent):
            assert localized(tool.spec.operation, locale), tool.name
            for argument in (name for name in tool.requires if name in tool.collected):
                spec = tool.spec.args_schema[argument]
                for text in (spec.label, spec.user_prompt):
                    assert isinstance(text, dict), (tool.name, argument)
                    assert locale in text, (tool.name, argument)


@pytest.mark.parametrize(
    ("agent", "text", "tool"),
    [
        ("telecom_contas", "quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr", "cancelar_produtos"),
        ("telecom_contas", "cancela todos menos o Neymar Jr", "cancelar_produtos"),
        ("telecom_contas", "I want to cancel HBO Max", "cancelar_produtos"),
        ("telecom_contas", "quiero cancelar Deezer", "cancelar_produtos"),
        ("telecom_contas", "quero contestar uma cobrança do Deezer", "contestar_cobranca"),
        ("telecom_contas", "I want to dispute a charge", "contestar_cobranca"),
        ("telecom_contas", "quiero impugnar un cobro", "contestar_cobranca"),
        ("telecom_contas", "Quero consultar minha fatura", "consultar_fatura"),
        ("telecom_contas", "how much is my bill", "consultar_fatura"),
        ("telecom_contas", "cuánto es mi factura", "consultar_fatura"),
        ("telecom_contas", "quero ver as faturas de abril e maio", "consultar_faturas"),
        ("telecom_contas", "show me my invoices of April and May", "consultar_faturas"),
        ("telecom_contas", "quiero ver las facturas de abril y mayo", "consultar_faturas"),
        ("telecom_contas", "não quero cancelar nada", None),
        ("telecom_contas", "bom dia", None),
        ("retail_orders", "quero cancelar os pedidos P-100, P-101 e P-102", "cancelar_pedidos"),
        ("retail_orders", "cancel orders P-100 and P-102", "cancelar_pedidos"),
        ("retail_orders", "onde está o pedido P-101", "consultar_pedidos"),
        ("retail_orders", "track P-100", "consultar_pedidos"),
    ],
)
def test_sentence_is_routed_by_words_alone_to(shipped: Installation, agent: str, text: str, tool: str | None) -> None:
    tools = [
        RoutingTool(
            name=one.name,
            description=localized(one.spec.description, "pt-BR") or "",
            keywords=one.hints.keywords,
            examples=one.hints.examples,
        )
        for one in shipped.tools_of(agent)
    ]
    assert route(text, tools).tool == tool
