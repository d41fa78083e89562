"""The MCP server `retail`: orders of a shop. No validator, no workflow: results[] right under result.

Invariants: a customer's cancelled order stays cancelled; P-101 is on its way; every effect is in the ledger under its key.
"""

from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from pydantic import Field

from examples.demo.calls import Calls, key_at
from examples.demo.contas import READS, WRITES, IdempotencyKey, ItemKeys

OrderIds = Annotated[list[str], Field(description="Order identifiers, such as P-100.")]
OptionalCustomer = Annotated[
    str | None, Field(description="Whose orders; absent: the shop as it was in the beginning.")
]


class Retail:
    """The tools, as methods: MCPServer reads their signatures."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._ledger = calls.ledger

    def server(self) -> MCPServer:
        server = MCPServer("retail", version="1.0.0", log_level="ERROR", instructions="Orders.")
        server.add_tool(self.cancelar_pedidos, annotations=WRITES)
        server.add_tool(self.consultar_pedidos, annotations=READS)
        return server

    async def cancelar_pedidos(
        self,
        context: Context,
        order_ids: OrderIds,
        customer_id: OptionalCustomer = None,
        idempotency_key: IdempotencyKey = None,
        item_keys: ItemKeys = None,
    ) -> dict[str, Any]:
        """Cancel orders that have not been shipped."""
        customer = customer_id or ""

        def work(request_key: str) -> dict[str, Any]:
            results = [
                self._cancel(customer, order_id, request_key, key_at(item_keys, place), first=place == 0)
                for place, order_id in enumerate(order_ids)
            ]
            return {"ok": any(result["success"] for result in results), "result": {"results": results}}

        arguments = {"order_ids": order_ids}
        return await self._calls.once(  # type: ignore[no-any-return]
            context, customer, "cancelar_pedidos", key=idempotency_key, arguments=arguments, work=work
        )

    async def consultar_pedidos(self, order_ids: OrderIds, customer_id: OptionalCustomer = None) -> dict[str, Any]:
        """Look orders up. Each has a result of its own."""
        customer = customer_id or ""
        await self._calls.slowly(customer)
        results: list[dict[str, Any]] = []
        for place, order_id in enumerate(order_ids):
            found = self._ledger.order(customer, _id(order_id))
            refusal = self._calls.item_refusal(customer, "consultar_pedidos", first=place == 0)
            if found is None or refusal:
                results.append({"order_id": order_id, "success": False, "reason": refusal or "not_found"})
            else:
                results.append({"order_id": order_id, "success": True, "status": found[0]})
        return {"ok": True, "result": {"results": results}}

    def _cancel(self, customer: str, order_id: str, request_key: str, item_key: str, *, first: bool) -> dict[str, Any]:
        before = self._ledger.protocol_of(customer, "cancelar_pedidos", item_key)
        if before is not None:
            return {"order_id": order_id, "success": True, "protocol": before}
        found = self._ledger.order(customer, _id(order_id))
        refusal = self._calls.item_refusal(customer, "cancelar_pedidos", first=first)
        if refusal is None and found is None:
            refusal = "not_found"
        elif refusal is None and found is not None and found[0] != "open":
            refusal = {"shipped": "already_shipped", "cancelled": "already_cancelled"}[found[0]]
        if refusal or found is None:
            return {"order_id": order_id, "success": False, "reason": refusal}
        if customer:  # without one there is nobody whose order could stay cancelled: each call finds the shop as it was
            self._ledger.cancel_order(customer, _id(order_id))
        self._ledger.effect(
            customer, "cancelar_pedidos", _id(order_id), request_key=request_key, item_key=item_key, protocol=found[1]
        )
        return {"order_id": order_id, "success": True, "protocol": found[1]}


def _id(order_id: str) -> str:
    return order_id.strip().upper()
