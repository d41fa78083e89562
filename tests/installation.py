"""The configuration that unit tests run against: the demo's two agents and one with every kind of argument.

Values are written as the configuration files would hold them, so that pydantic's own checks run.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pipeline.language.messages import Catalogue
from pipeline.policy import (
    AgentSpec,
    ArgumentSpec,
    ChannelSpec,
    Installation,
    RoutingHints,
    TenantSpec,
    Tool,
    ToolPolicy,
    ToolSpec,
)

HELD = ("TIM Fashion Mensal", "Aya Audiobooks Premium", "Neymar Jr", "Deezer Premium", "Som e Imagem", "HBO Max")
"""What the demo's customer holds."""

_CUSTOMER = {"customer_id": {"type": "string", "label": "o cliente"}}

TOOLS: dict[str, dict[str, Any]] = {
    "cancelar_produtos": {
        "spec": {
            "description": {
                "pt-BR": "Cancela um ou mais produtos do cliente.",
                "en": "Cancels one or more of the customer's products.",
                "es": "Cancela uno o más productos del cliente.",
            },
            "mcp_server": "contas",
            "confirmation_required": True,
            "requires": ["items"],
            "operation": {"pt-BR": "cancelamento", "en": "cancellation", "es": "cancelación"},
            "args_schema": {
                **_CUSTOMER,
                "items": {
                    "type": "list",
                    "label": {"pt-BR": "os produtos", "en": "the products", "es": "los productos"},
                    "description": "Lista de produtos que o cliente deseja cancelar.",
                    "user_prompt": {
                        "pt-BR": "Quais produtos você quer cancelar?",
                        "en": "Which products would you like to cancel?",
                        "es": "¿Qué productos quiere cancelar?",
                    },
                    "items": {"type": "string"},
                },
            },
        },
        "policy": {
            "operation_type": "transactional",
            "require_confirmation": True,
            "requires": ["items"],
            "recovery": "status",
            "status_tool": "consultar_operacao",
            "pre_validation": {"tool": "validar_produtos_cancelamento"},
        },
        "mapping": {"customer_key": "customer_id"},
        "hints": {
            "keywords": ["cancelar", "cancela", "cancele", "tirar", "remover", "cancel"],
            "examples": ["quero cancelar o Deezer", "tira o TIM Fashion da minha conta", "I want to cancel Deezer"],
        },
    },
    "contestar_cobranca": {
        "spec": {
            "description": "Contesta uma cobrança da fatura.",
            "mcp_server": "contas",
            "requires": ["item", "amount"],
            "operation": "contestação",
            "args_schema": {
                **_CUSTOMER,
                "item": {
                    "type": "string",
                    "label": "o produto cobrado",
                    "user_prompt": "Qual produto foi cobrado?",
                },
                "amount": {
                    "type": "number",
                    "label": "o valor",
                    "user_prompt": "Qual o valor da cobrança?",
                },
            },
        },
        "policy": {"operation_type": "transactional", "require_confirmation": True, "recovery": "report"},
        "mapping": {"customer_key": "customer_id"},
        "hints": {
            "keywords": ["contestar", "contestação", "nunca contratei", "cobrança indevida"],
            "examples": ["quero contestar uma cobrança", "não reconheço essa cobrança de R$ 19,90"],
        },
    },
    "consultar_fatura": {
        "spec": {
            "description": "Mostra valor, vencimento e itens da fatura.",
            "mcp_server": "contas",
            "tool_type": "query",
            "operation": "consulta da fatura",
            "args_schema": {
                "msisdn": {"type": "string"},
                "invoice_id": {"type": "string"},
                "ura_call_id": {"type": "string"},
                "session_id": {"type": "string"},
            },
        },
        "policy": {"operation_type": "read_only", "require_confirmation": False},
        "mapping": {
            "customer_key": "msisdn",
            "contract_key": "invoice_id",
            "interaction_key": "ura_call_id",
            "session_key": "session_id",
        },
        "hints": {
            "keywords": ["fatura", "conta", "vencimento"],
            "examples": ["qual o valor da minha fatura?", "por que minha conta veio alta?"],
        },
    },
    "validar_produtos_cancelamento": {
        "spec": {
            "description": "Valida produtos a cancelar.",
            "mcp_server": "contas",
            "tool_type": "validator",
            "args_schema": {
                **_CUSTOMER,
                "items": {"type": "array"},
                "source_text": {"type": "string"},
                "target_tool": {"type": "string"},
            },
        },
        "policy": {},
        "mapping": {"customer_key": "customer_id"},
    },
    "consultar_operacao": {
        "spec": {
            "description": "Diz o que foi feito de uma operação.",
            "mcp_server": "contas",
            "tool_type": "status",
            "args_schema": {**_CUSTOMER, "idempotency_key": {"type": "string"}},
        },
        "policy": {},
        "mapping": {"customer_key": "customer_id"},
    },
    "cancelar_pedidos": {
        "spec": {
            "description": "Cancela um ou mais pedidos.",
            "mcp_server": "retail",
            "confirmation_required": True,
            "requires": ["order_ids"],
            "operation": {"pt-BR": "cancelamento", "en": "cancellation", "es": "cancelación"},
            "args_schema": {
                "order_ids": {
                    "type": "array",
                    "label": {"pt-BR": "os pedidos", "en": "the orders", "es": "los pedidos"},
                    "description": "Lista de identificadores de pedidos a cancelar.",
                    "user_prompt": {
                        "pt-BR": "Quais pedidos deseja cancelar?",
                        "en": "Which orders would you like to cancel?",
                        "es": "¿Qué pedidos desea cancelar?",
                    },
                    "items": {"type": "string"},
                },
            },
        },
        "policy": {"operation_type": "transactional", "recovery": "retry"},
        "hints": {
            "keywords": ["cancelar", "cancela", "cancel"],
            "examples": ["quero cancelar os pedidos P-1 e P-2", "cancel my order", "cancelar mi pedido"],
        },
    },
    "consultar_pedidos": {
        "spec": {
            "description": "Consulta a situação de um ou mais pedidos.",
            "mcp_server": "retail",
            "tool_type": "query",
            "requires": ["order_ids"],
            "operation": "consulta dos pedidos",
            "args_schema": {
                "order_ids": {
                    "type": "array",
                    "label": "os pedidos",
                    "user_prompt": "Quais pedidos deseja consultar?",
                    "items": {"type": "string"},
                },
            },
        },
        "policy": {"operation_type": "read_only", "require_confirmation": False},
        "hints": {
            "keywords": ["consultar", "rastrear", "onde está", "situação"],
            "examples": ["onde está o meu pedido P-1?", "quero consultar os pedidos P-1 e P-2"],
        },
    },
    "devolver_pedido": {
        "spec": {
            "description": "Devolve um pedido.",
            "mcp_server": "retail",
            "requires": ["order_id", "reason"],
            "operation": "devolução",
            "args_schema": {
                "order_id": {"type": "string", "label": "o pedido", "user_prompt": "Qual pedido deseja devolver?"},
                "reason": {
                    "type": "string",
                    "label": "o motivo",
                    "user_prompt": "Qual o motivo da devolução?",
                    "free_text": True,
                },
            },
        },
        "policy": {"operation_type": "transactional"},
        "hints": {
            "keywords": ["devolver", "devolução", "return"],
            "examples": ["quero devolver um pedido", "return my order"],
        },
    },
    "agendar_visita": {
        "spec": {
            "description": "Agenda a visita de um técnico.",
            "mcp_server": "retail",
            "requires": ["date", "period"],
            "operation": "agendamento",
            "args_schema": {
                "date": {
                    "type": "date",
                    "direction": "future",
                    "label": "a data",
                    "user_prompt": "Para qual dia?",
                },
                "period": {
                    "type": "enum",
                    "options": ["manhã", "tarde"],
                    "label": "o período",
                    "user_prompt": "De manhã ou à tarde?",
                },
            },
        },
        "policy": {"operation_type": "transactional"},
        "hints": {"keywords": ["agendar", "visita", "técnico"], "examples": ["quero agendar a visita de um técnico"]},
    },
}

AGENTS: dict[str, dict[str, Any]] = {
    "telecom_contas": {
        "name": "Contas",
        "tools": [
            "cancelar_produtos",
            "contestar_cobranca",
            "consultar_fatura",
            "validar_produtos_cancelamento",
            "consultar_operacao",
        ],
    },
    "retail_orders": {
        "name": "Pedidos",
        "tools": ["cancelar_pedidos", "consultar_pedidos", "devolver_pedido", "agendar_visita"],
    },
}


def tool(name: str, spec: Mapping[str, Any], **parts: Any) -> Tool:
    """Merge the parts of one tool, each as its file would hold it."""
    return Tool(
        name=name,
        spec=ToolSpec.model_validate(spec),
        policy=ToolPolicy.model_validate(parts.get("policy", {})),
        mapping=dict(parts.get("mapping", {})),
        business_keys=tuple(parts.get("business_keys", ())),
        hints=RoutingHints.model_validate(parts.get("hints", {})),
    )


def installation(
    *,
    tools: Mapping[str, Mapping[str, Any]] = TOOLS,
    agents: Mapping[str, Mapping[str, Any]] = AGENTS,
    known_values: Mapping[str, tuple[str, ...]] | None = None,
    **changes: Any,
) -> Installation:
    """The test installation; `known_values`: by `tool.argument`; other changes by field name of Installation."""
    built = {name: tool(name, **parts) for name, parts in tools.items()}
    for path, values in (known_values or {}).items():
        name, argument = path.split(".")
        old = built[name]
        schema = dict(old.spec.args_schema)
        schema[argument] = ArgumentSpec.model_validate({**schema[argument].model_dump(), "known_values": values})
        built[name] = old.model_copy(update={"spec": old.spec.model_copy(update={"args_schema": schema})})
    fields: dict[str, Any] = {
        "tenants": {"default": TenantSpec(name="Padrão"), "globex": TenantSpec(name="Globex")},
        "channels": {
            "web": ChannelSpec(),
            "whatsapp": ChannelSpec(format="plain", max_chars=4_000, buttons=True),
            "voice": ChannelSpec(format="speech"),
        },
        "agents": {name: AgentSpec.model_validate(spec) for name, spec in agents.items()},
        "tools": built,
        "event_hash_key": "a key of the tests",
        **changes,
    }
    return Installation(**fields)


def request(message: str = "oi", **changes: Any) -> dict[str, Any]:
    """A GatewayRequest as JSON; changes by dotted path with `__`, such as payload__session_id; None takes a field away."""
    data: dict[str, Any] = {
        "channel": "web",
        "tenant_id": "default",
        "agent_id": "telecom_contas",
        "payload": {"message": message, "session_id": "s-1", "user_id": "u-1", "message_id": "m-1"},
    }
    for path, value in changes.items():
        *parents, last = path.split("__")
        target = data
        for parent in parents:
            target = target.setdefault(parent, {})
        if value is None:
            target.pop(last, None)
        else:
            target[last] = value
    return data


@cache
def catalogue() -> Catalogue:
    """The customer texts as they are shipped."""
    files = Path(__file__).parent.parent / "config"
    return Catalogue(
        {
            locale: yaml.safe_load((files / f"messages.{locale}.yaml").read_text(encoding="utf-8"))
            for locale in ("pt-BR", "en", "es")
        }
    )
