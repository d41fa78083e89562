"""The demo's tools as scripts: what the customer holds, what cancelling comes to. For tests that need no MCP server."""

from collections.abc import Mapping
from typing import Any

from pipeline.language.normalize import fold
from pipeline.testing.tools import Invocation, Script, ScriptedTools

PRODUCTS = {
    "TIM Fashion Mensal": "1001",
    "Aya Audiobooks Premium": "1002",
    "Neymar Jr": "1003",
    "Deezer Premium": "1004",
    "Som e Imagem": "1005",
    "HBO Max": "1006",
}
ORDERS = {
    "P-100": {"success": True, "protocol": "ABC1"},
    "P-101": {"success": False, "reason": "already_shipped"},
    "P-102": {"success": True, "protocol": "ABC3"},
}


def canonical(item: Any) -> dict[str, str] | None:
    """The product a customer means: the one whose name holds all words of theirs."""
    if isinstance(item, Mapping):
        return dict(item)
    words = set(fold(str(item)).split())
    held = [name for name in PRODUCTS if words and words <= set(fold(name).split())]
    return {"name": held[0], "id": PRODUCTS[held[0]]} if len(held) == 1 else None


def validate(call: Invocation) -> dict[str, Any]:
    """Names become {name, id}; nothing that is held: not eligible."""
    found = [canonical(item) for item in call.arguments["items"]]
    items = [item for item in found if item is not None]
    if not items:
        return {"eligible": False, "message": "Não encontrei esses produtos na sua conta."}
    return {
        "eligible": True,
        "transaction_decision": {"resolved_arguments": {"items": items}, "target_tool": "cancelar_produtos"},
    }


def cancel_products(call: Invocation) -> dict[str, Any]:
    """Everything succeeds but 1002; backed by a workflow."""
    results = [
        {
            "id": item["id"],
            "subject": item["name"],
            "success": item["id"] != "1002",
            **({"reason": "not_found"} if item["id"] == "1002" else {"protocol": f"T{item['id']}"}),
        }
        for item in call.arguments["items"]
    ]
    return {"ok": True, "result": {"status": "COMPLETED", "output": {"cancelar_produtos": {"results": results}}}}


def cancel_orders(call: Invocation) -> dict[str, Any]:
    """As the multi-item guide has it."""
    unknown = {"success": False, "reason": "not_found"}
    return {
        "ok": True,
        "result": {"results": [{"order_id": i, **ORDERS.get(i, unknown)} for i in call.arguments["order_ids"]]},
    }


def read_orders(call: Invocation) -> dict[str, Any]:
    """Known orders have a status."""
    results = [{"order_id": i, "success": i in ORDERS, "status": "SHIPPED"} for i in call.arguments["order_ids"]]
    return {"ok": True, "result": {"results": results}}


def read_invoice(call: Invocation) -> dict[str, Any]:
    """SPEC-012, section 9."""
    return {
        "ok": True,
        "data": {"invoice_id": call.arguments.get("invoice_id"), "valor_total": 249.9, "status": "ABERTA"},
    }


def read_invoices(call: Invocation) -> dict[str, Any]:
    """Every invoice is there."""
    results = [{"invoice_id": one, "success": True, "valor_total": 99.9} for one in call.arguments["faturas"]]
    return {"ok": True, "result": {"results": results}}


def demo_tools(**scripts: Script) -> ScriptedTools:
    """The demo's tools; others in their place by name."""
    usual: dict[str, Script] = {
        "validar_produtos_cancelamento": validate,
        "cancelar_produtos": cancel_products,
        "cancelar_pedidos": cancel_orders,
        "consultar_pedidos": read_orders,
        "consultar_fatura": read_invoice,
        "consultar_faturas": read_invoices,
        "contestar_cobranca": [{"ok": True, "result": {"protocol": "D-1"}}],
        "devolver_pedido": [{"ok": True, "result": {"protocol": "R-1"}}],
        "agendar_visita": [{"ok": True, "result": {"protocol": "V-1"}}],
        "consultar_operacao": [{"found": False}],
    }
    return ScriptedTools({**usual, **scripts})
