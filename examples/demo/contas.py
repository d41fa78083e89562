"""The MCP server `contas`: products, charges and invoices of a telecom customer.

Owns: cancelar_produtos and its validator, contestar_cobranca, the two invoice queries, the status tool.
Invariants: a cancelled product is no longer held; every side effect is in the ledger under its idempotency key.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

from examples.demo.calls import Calls, key_at, protocol
from examples.demo.catalogue import CURRENT_INVOICE, INVOICES, NEVER_FOUND, Invoice
from examples.demo.faults import Fault
from examples.demo.ledger import Holding
from examples.demo.matching import all_but, folded, matches, means_all
from examples.demo.wording import say

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, destructive_hint=False)
WRITES = ToolAnnotations(read_only_hint=False, idempotent_hint=True, destructive_hint=True)
_MONTHS = {
    "01": ("janeiro", "january", "enero"),
    "02": ("fevereiro", "february", "febrero"),
    "03": ("marco", "march", "marzo"),
    "04": ("abril", "april"),
    "05": ("maio", "may", "mayo"),
    "06": ("junho", "june", "junio"),
    "07": ("julho", "july", "julio"),
    "08": ("agosto", "august"),
    "09": ("setembro", "september", "septiembre"),
    "10": ("outubro", "october", "octubre"),
    "11": ("novembro", "november", "noviembre"),
    "12": ("dezembro", "december", "diciembre"),
}

CustomerId = Annotated[str, Field(description="The customer.")]
IdempotencyKey = Annotated[str | None, Field(description="Same key, same operation: carried out once.")]
ItemKeys = Annotated[list[str] | None, Field(description="One idempotency key per item, in the order of the items.")]
Locale = Annotated[str | None, Field(description="Language of texts for the customer, such as pt-BR.")]


class ProductRef(BaseModel):
    """A product as the validator names it."""

    name: str
    id: str | None = None


class Contas:
    """The tools, as methods: MCPServer reads their signatures."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._ledger = calls.ledger

    def server(self) -> MCPServer:
        server = MCPServer("contas", version="1.0.0", log_level="ERROR", instructions="Products, charges and invoices.")
        for tool, hints in (
            (self.validar_produtos_cancelamento, READS),
            (self.cancelar_produtos, WRITES),
            (self.contestar_cobranca, WRITES),
            (self.consultar_faturas, READS),
            (self.consultar_fatura, READS),
            (self.consultar_operacao, READS),
        ):
            server.add_tool(tool, annotations=hints)
        return server

    async def validar_produtos_cancelamento(
        self,
        customer_id: CustomerId,
        items: list[ProductRef | str] | None = None,
        source_text: Annotated[str | None, Field(description="What the customer wrote.")] = None,
        locale: Locale = None,
        target_tool: Annotated[str | None, Field(description="The tool that is to be called.")] = None,
    ) -> dict[str, Any]:
        """Turn product names into products; says which can be cancelled, and with which words to ask."""
        await self._calls.slowly(customer_id, validator=True)
        asked = self._calls.fault(customer_id)
        if asked is not None and asked.fault is Fault.VALIDATOR_MALFORMED:
            return {"eligible": "talvez", "transaction_decision": "?"}
        held = [h for h in self._ledger.holdings(customer_id) if h.active]
        names = [item.name if isinstance(item, ProductRef) else item for item in items or ()]
        rest = all_but(source_text or "", held)
        if rest is not None:
            if not rest:
                return _ask_again(say("unclear", locale))
            resolved = [{"name": h.name, "id": h.id} for h in rest]
        elif any(means_all(name) for name in names):
            resolved = [{"name": h.name, "id": h.id} for h in held]
        else:
            for name in names:
                found = matches(name, held)
                if len(found) > 1:
                    return _ask_again(say("which", locale, [h.name for h in found], name=name))
            resolved = _resolved(names, held)
        if not any("id" in item for item in resolved):
            text = say("none_one" if len(names) == 1 else "none", locale)
            return {"eligible": False, "status": "NOT_ELIGIBLE", "reason": "not_found", "message": text}
        return {
            "eligible": True,
            "status": "ELIGIBLE" if all("id" in item for item in resolved) else "PARTIALLY_ELIGIBLE",
            "transaction_decision": {
                "resolved_arguments": {"items": resolved},
                "target_tool": target_tool or "cancelar_produtos",
                "confirmation_message": say("confirm", locale, [item["name"] for item in resolved]),
            },
        }

    async def cancelar_produtos(
        self,
        context: Context,
        customer_id: CustomerId,
        items: list[ProductRef | str],
        idempotency_key: IdempotencyKey = None,
        item_keys: ItemKeys = None,
    ) -> dict[str, Any]:
        """Cancel products of the customer. A workflow: the cancellation, then a receipt."""
        refs = [item if isinstance(item, ProductRef) else ProductRef(name=item) for item in items]

        def work(request_key: str) -> dict[str, Any]:
            results = [
                self._cancel(customer_id, ref, request_key, key_at(item_keys, place), first=place == 0)
                for place, ref in enumerate(refs)
            ]
            asked = self._calls.fault(customer_id)
            broken = asked is not None and asked.fault is Fault.AUXILIARY
            receipt = {"success": False, "error": "receipt_not_sent"} if broken else {"success": True}
            answer: dict[str, Any] = {
                "ok": not broken and any(result["success"] for result in results),
                "result": {
                    "status": "COMPLETED",
                    "output": {"cancelar_produtos": {"results": results}, "enviar_comprovante": receipt},
                },
            }
            return answer | ({"error": "receipt_not_sent"} if broken else {})

        arguments = {"items": [ref.model_dump() for ref in refs]}
        return await self._calls.once(  # type: ignore[no-any-return]
            context, customer_id, "cancelar_produtos", key=idempotency_key, arguments=arguments, work=work
        )

    async def contestar_cobranca(
        self,
        context: Context,
        customer_id: CustomerId,
        item: Annotated[str, Field(description="The charge.")],
        amount: Annotated[float, Field(description="Amount disputed, in reais.")],
        idempotency_key: IdempotencyKey = None,
    ) -> dict[str, Any]:
        """Dispute a charge on the bill."""

        def work(request_key: str) -> dict[str, Any]:
            refusal = self._calls.item_refusal(customer_id, "contestar_cobranca", first=True)
            charged = matches(item, self._ledger.holdings(customer_id))
            if refusal is None and not charged:
                refusal = "not_found"
            if refusal is not None:
                return {"ok": False, "error": refusal, "result": {"subject": item, "success": False, "reason": refusal}}
            number = protocol(customer_id, "contestar_cobranca", charged[0].id, request_key)
            self._ledger.effect(
                customer_id, "contestar_cobranca", charged[0].id, request_key=request_key, item_key="", protocol=number
            )
            done = {"id": charged[0].id, "subject": charged[0].name, "amount": amount, "success": True}
            return {"ok": True, "result": done | {"protocol": number}}

        arguments = {"item": item, "amount": amount}
        return await self._calls.once(  # type: ignore[no-any-return]
            context, customer_id, "contestar_cobranca", key=idempotency_key, arguments=arguments, work=work
        )

    async def consultar_faturas(
        self,
        customer_id: CustomerId,
        faturas: Annotated[list[str], Field(description="Invoice numbers, or months.")],
    ) -> dict[str, Any]:
        """Look several invoices up. Each has a result of its own."""
        await self._calls.slowly(customer_id)
        results = []
        for place, wanted in enumerate(faturas):
            found = _invoice(wanted)
            refusal = self._calls.item_refusal(customer_id, "consultar_faturas", first=place == 0)
            if found is None or refusal:
                results.append({"id": wanted, "subject": wanted, "success": False, "reason": refusal or "not_found"})
            else:
                results.append({"id": found.id, "subject": wanted, "success": True, **_shown(found)})
        return {"ok": True, "result": {"results": results}}

    async def consultar_fatura(
        self,
        msisdn: Annotated[str, Field(description="The line.")],
        invoice_id: Annotated[str | None, Field(description="The invoice; the current one when absent.")] = None,
        ura_call_id: Annotated[str | None, Field(description="Of the telephone call.")] = None,  # noqa: ARG002
        session_id: Annotated[str | None, Field(description="Of the conversation.")] = None,  # noqa: ARG002
    ) -> dict[str, Any]:
        """Look one invoice up."""
        await self._calls.slowly(msisdn)
        found = CURRENT_INVOICE if not invoice_id else _invoice(invoice_id)
        if found is None:
            return {"ok": False, "error": "not_found"}
        return {"ok": True, "data": {"invoice_id": found.id, "valor_total": found.total, "status": found.status}}

    async def consultar_operacao(
        self, idempotency_key: Annotated[str, Field(description="Of the call.")], customer_id: CustomerId = ""
    ) -> dict[str, Any]:
        """What became of a call: done with its answer, in progress, or a key nobody has seen."""
        operation = self._ledger.operation_of(customer_id, idempotency_key)
        if operation is None:
            return {"status": "unknown_key"}
        if operation.answer is None:
            return {"status": "in_progress"}
        return {"status": "done", "result": operation.answer}

    def _cancel(
        self, customer: str, ref: ProductRef, request_key: str, item_key: str, *, first: bool
    ) -> dict[str, Any]:
        said = {"id": ref.id, "subject": ref.name} if ref.id else {"subject": ref.name}
        before = self._ledger.protocol_of(customer, "cancelar_produtos", item_key)
        if before is not None:
            return said | {"success": True, "protocol": before}
        product = _held(ref, self._ledger.holdings(customer))
        refusal = self._calls.item_refusal(customer, "cancelar_produtos", first=first)
        if product is None or product.id in NEVER_FOUND:
            refusal = refusal or "not_found"
        elif not product.active:
            refusal = refusal or "already_cancelled"
        if refusal or product is None:
            return said | {"success": False, "reason": refusal}
        number = protocol(customer, "cancelar_produtos", product.id, request_key)
        self._ledger.drop(customer, product.id)
        self._ledger.effect(
            customer, "cancelar_produtos", product.id, request_key=request_key, item_key=item_key, protocol=number
        )
        return said | {"success": True, "protocol": number}


def _ask_again(text: str) -> dict[str, Any]:
    return {
        "eligible": False,
        "status": "NEEDS_PARAMETER",
        "parameter": "items",
        "parameter_message": text,
        "message": text,
    }


def _resolved(names: Sequence[str], held: Sequence[Holding]) -> list[dict[str, str]]:
    """Each name once, as the product it means, or as it was said: the tool then reports it as not found."""
    resolved: dict[str, dict[str, str]] = {}
    for name in names:
        found = matches(name, held)
        product = {"name": found[0].name, "id": found[0].id} if found else {"name": name}
        resolved.setdefault(product.get("id") or folded(name), product)
    return list(resolved.values())


def _held(ref: ProductRef, holdings: Sequence[Holding]) -> Holding | None:
    if ref.id:
        return next((h for h in holdings if h.id == ref.id), None)
    found = matches(ref.name, holdings)
    return found[0] if len(found) == 1 else None


def _invoice(wanted: str) -> Invoice | None:
    text = folded(wanted)
    for invoice in INVOICES:
        year, _, month = invoice.month.partition("-")
        names = _MONTHS[month]
        spelled = {f"{month}/{year}", invoice.month, *names, *(f"{n} de {year}" for n in names)}
        if text in {invoice.id, *spelled, *(f"{n} {year}" for n in names), *(f"{n}/{year}" for n in names)}:
            return invoice
    return None


def _shown(invoice: Invoice) -> dict[str, Any]:
    return {"invoice_id": invoice.id, "mes": invoice.month, "valor_total": invoice.total, "status": invoice.status}
