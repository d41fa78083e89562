"""The installation that the simulation runs: telecom and retail like the demo's, every policy, short times.

Owns: tools with each kind of recovery, settings whose timeouts are seconds. Source: config/ and examples/demo.
"""

import functools
from pathlib import Path
from typing import Any

from pipeline.language.messages import Catalogue
from pipeline.policy import (
    AgentSpec,
    ChannelSpec,
    Installation,
    RoutingHints,
    TenantSpec,
    Timing,
    Tool,
    ToolPolicy,
    ToolSpec,
)
from pipeline.settings import KafkaSettings, PipelineSettings, RuntimeSettings, read_yaml

LOCALES = ("pt-BR", "en", "es")
CONFIG = Path(__file__).resolve().parents[2] / "config"

TIMEOUT_MS = 2_000
"""Of every tool call."""

TIMING = Timing(
    confirmation_ttl_ms=12_000,
    expiry_backstop_ms=20_000,
    collecting_ttl_ms=12_000,
    handed_on_ttl_ms=60_000,
    session_retention_ms=180_000,
    clock_skew_ms=1_000,
    status_poll_ms=400,
    status_polls_max=12,
    retry_backoff_ms=200,
    call_attempts_max=4,
    send_deadline_ms=6_000,
)

_ITEMS: dict[str, Any] = {
    "type": "array",
    "label": "os produtos",
    "user_prompt": "Quais produtos você quer cancelar?",
    "items": {"type": "string"},
}
_ORDERS: dict[str, Any] = {
    "type": "array",
    "label": "os pedidos",
    "user_prompt": "Quais pedidos deseja cancelar?",
    "items": {"type": "string"},
}
_KEY = {"type": "string"}

TOOLS: dict[str, dict[str, Any]] = {
    "cancelar_produtos": {
        "spec": {
            "description": "Cancela um ou mais produtos do cliente.",
            "mcp_server": "contas",
            "requires": ["items"],
            "operation": "cancelamento",
            "args_schema": {"customer_id": {"type": "string"}, "items": _ITEMS, "idempotency_key": _KEY},
        },
        "policy": {
            "operation_type": "transactional",
            "require_confirmation": True,
            "recovery": "status",
            "status_tool": "consultar_operacao",
            "pre_validation": {"tool": "validar_produtos"},
            "item_retry": {"reasons": ["temporarily_unavailable"], "max_attempts": 2, "backoff_ms": 300},
        },
        "mapping": {"customer_key": "customer_id"},
        "hints": {"keywords": ["cancelar", "cancela", "cancele", "tirar"], "examples": ["quero cancelar o Deezer"]},
    },
    "bloquear_linhas": {
        "spec": {
            "description": "Bloqueia uma ou mais linhas.",
            "mcp_server": "contas",
            "requires": ["linhas"],
            "operation": "bloqueio",
            "args_schema": {
                "customer_id": {"type": "string"},
                "linhas": {**_ITEMS, "label": "as linhas", "user_prompt": "Quais linhas você quer bloquear?"},
            },
        },
        "policy": {"operation_type": "transactional", "require_confirmation": True, "recovery": "report"},
        "mapping": {"customer_key": "customer_id"},
        "hints": {"keywords": ["bloquear", "bloqueia", "bloqueie"], "examples": ["quero bloquear a linha L-1"]},
    },
    "consultar_fatura": {
        "spec": {
            "description": "Mostra a fatura.",
            "mcp_server": "contas",
            "tool_type": "query",
            "operation": "consulta da fatura",
            "args_schema": {"customer_id": {"type": "string"}},
        },
        "policy": {"operation_type": "read_only", "require_confirmation": False},
        "mapping": {"customer_key": "customer_id"},
        "hints": {"keywords": ["fatura", "vencimento"], "examples": ["qual o valor da minha fatura?"]},
    },
    "validar_produtos": {
        "spec": {
            "description": "Valida produtos a cancelar.",
            "mcp_server": "contas",
            "tool_type": "validator",
            "args_schema": {"customer_id": {"type": "string"}, "items": {"type": "array"}},
        },
        "mapping": {"customer_key": "customer_id"},
    },
    "consultar_operacao": {
        "spec": {
            "description": "Diz o que foi feito de uma chamada.",
            "mcp_server": "contas",
            "tool_type": "status",
            "args_schema": {"idempotency_key": _KEY},
        },
    },
    "cancelar_pedidos": {
        "spec": {
            "description": "Cancela um ou mais pedidos.",
            "mcp_server": "retail",
            "confirmation_required": True,
            "requires": ["order_ids"],
            "operation": "cancelamento",
            "args_schema": {"order_ids": _ORDERS, "idempotency_key": _KEY},
        },
        "policy": {
            "operation_type": "transactional",
            "recovery": "retry",
            "item_retry": {"reasons": ["temporarily_unavailable"], "max_attempts": 2, "backoff_ms": 300},
        },
        "hints": {"keywords": ["cancelar", "cancela"], "examples": ["quero cancelar os pedidos P-1 e P-2"]},
    },
    "consultar_pedidos": {
        "spec": {
            "description": "Consulta a situação de pedidos.",
            "mcp_server": "retail",
            "tool_type": "query",
            "requires": ["order_ids"],
            "operation": "consulta dos pedidos",
            "args_schema": {"order_ids": {**_ORDERS, "user_prompt": "Quais pedidos deseja consultar?"}},
        },
        "policy": {"operation_type": "read_only", "require_confirmation": False},
        "hints": {"keywords": ["consultar", "rastrear"], "examples": ["quero consultar os pedidos P-1 e P-2"]},
    },
}

AGENTS = {
    "telecom_contas": (
        "cancelar_produtos",
        "bloquear_linhas",
        "consultar_fatura",
        "validar_produtos",
        "consultar_operacao",
    ),
    "retail_orders": ("cancelar_pedidos", "consultar_pedidos"),
}
CHANNELS = ("web", "whatsapp", "voice")
TENANTS = ("acme", "globex")


def tool(name: str, parts: dict[str, Any]) -> Tool:
    """A tool as its files would hold it."""
    return Tool(
        name=name,
        spec=ToolSpec.model_validate({"timeout_ms": TIMEOUT_MS, **parts["spec"]}),
        policy=ToolPolicy.model_validate(parts.get("policy", {})),
        mapping=parts.get("mapping", {}),
        hints=RoutingHints.model_validate(parts.get("hints", {})),
    )


@functools.cache
def installation(version: int = 0) -> Installation:
    """The installation; a later `version` is what a restart may bring: other times, no item retries."""
    changes = {"status_poll_ms": 600, "retry_backoff_ms": 350, "confirmation_ttl_ms": 11_000} if version else {}
    tools = {name: tool(name, parts) for name, parts in TOOLS.items()}
    if version:
        tools = {
            name: known.model_copy(update={"policy": known.policy.model_copy(update={"item_retry": None})})
            for name, known in tools.items()
        }
    return Installation(
        tenants={name: TenantSpec(name=name) for name in TENANTS},
        channels={
            "web": ChannelSpec(buttons=True),
            "whatsapp": ChannelSpec(format="plain", max_chars=4_000, buttons=True),
            "voice": ChannelSpec(format="speech"),
        },
        agents={name: AgentSpec(tools=listed) for name, listed in AGENTS.items()},
        tools=tools,
        event_hash_key="a key of the simulation",
        timing=TIMING.model_copy(update=changes),
    )


@functools.cache
def settings(partitions: int = 2, batch_max_records: int = 200) -> PipelineSettings:
    """Settings with timeouts that fit a simulated minute."""
    return PipelineSettings(
        prefix="sim",
        kafka=KafkaSettings(
            partitions=partitions,
            session_timeout_ms=3_000,
            heartbeat_interval_ms=500,
            rebalance_timeout_ms=6_000,
            transaction_timeout_ms=4_000,
        ),
        runtime=RuntimeSettings(
            handover_ms=2_500, deadline_ms=6_000, stall_ms=20_000, batch_max_records=batch_max_records
        ),
        timing=TIMING,
    )


@functools.cache
def messages() -> Catalogue:
    """The customer texts of the product."""
    return Catalogue({locale: read_yaml(CONFIG / f"messages.{locale}.yaml") for locale in LOCALES})
