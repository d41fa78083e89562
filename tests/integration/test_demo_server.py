"""The demo MCP servers in their own process: data, idempotency, every failure of README.md, the ledger read back."""

import asyncio
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import yaml

from examples.demo.faults import Fault, fault_of
from examples.demo.ledger import read_calls, read_effects
from pipeline.tools.client import McpTools, Outcome, ToolAnswer, ToolRequest
from pipeline.tools.settings import McpServerSettings
from tests.integration.mcp_peers import ROOT, free_port

pytestmark = [pytest.mark.timeout(90), pytest.mark.asyncio(loop_scope="module")]
TWO = [{"name": "Deezer Premium", "id": "1004"}, {"name": "HBO Max", "id": "1006"}]


@dataclass
class Demo:
    """The running demo and a client of it."""

    ledger: Path
    port: int
    tools: McpTools
    numbers: Iterator[int]

    def customer(self, fault: str = "cliente") -> str:
        """One nobody has seen."""
        return f"{fault}-t{next(self.numbers)}"

    async def call(
        self,
        tool: str,
        *,
        server: str = "contas",
        deadline_s: float = 10,
        meta: dict[str, Any] | None = None,
        **args: Any,
    ) -> ToolAnswer:
        return await self.tools.call(ToolRequest(server, tool, args, meta or {}, deadline_s))

    async def cancel(self, customer: str, key: str | None = None, **args: Any) -> ToolAnswer:
        sent = {"items": TWO} | args | ({"idempotency_key": key} if key else {})
        return await self.call("cancelar_produtos", customer_id=customer, **sent)

    async def validate(self, customer: str, *items: Any, **args: Any) -> Any:
        return (
            await self.call("validar_produtos_cancelamento", customer_id=customer, items=list(items), **args)
        ).payload

    async def status(self, customer: str, key: str) -> Any:
        return (await self.call("consultar_operacao", customer_id=customer, idempotency_key=key)).payload

    def done(self, customer: str) -> dict[str, int]:
        """Item → how often it was really done."""
        done: dict[str, int] = {}
        for effect in read_effects(self.ledger, customer):
            done[effect.item] = done.get(effect.item, 0) + effect.executions
        return done


def start(ledger: Path, port: int) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PIPELINE_DEMO_PORT": str(port), "PIPELINE_DEMO_LEDGER": str(ledger)}
    process = subprocess.Popen(
        [sys.executable, "-m", "examples.demo"],
        cwd=ROOT,
        env=environment,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    said = process.stdout.readline()
    assert f":{port}/contas/mcp" in said.decode(), said
    return process


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def demo(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Demo]:
    ledger = tmp_path_factory.mktemp("demo") / "ledger.sqlite3"
    port = free_port()
    process = start(ledger, port)
    servers = {
        name: McpServerSettings(
            url=f"http://127.0.0.1:{port}/{name}/mcp",
            connect_timeout_ms=20_000,
            breaker={"failures": 1000},
        )
        for name in ("contas", "retail")
    }
    tools = McpTools(servers, clock=time.monotonic, on_event=lambda _name, _details: None)
    await tools.start()
    try:
        async with asyncio.timeout(30):
            for name in servers:
                await tools.connected(name)
        yield Demo(ledger, port, tools, count())
    finally:
        await tools.close(0)
        process.terminate()
        process.wait(10)


def results(answer: ToolAnswer, tool: str = "cancelar_produtos") -> list[dict[str, Any]]:
    return list(answer.payload["result"]["output"][tool]["results"])


def fates(answer: ToolAnswer) -> list[tuple[bool, str | None]]:
    return [(item["success"], item.get("reason")) for item in results(answer)]


async def test_validator_names_the_products_and_asks_as_the_guide_shows(demo: Demo) -> None:
    answer = await demo.validate(
        demo.customer(), "TIM Fashion", "aya audiobooks", "neymar jr", locale="pt-BR", target_tool="cancelar_produtos"
    )
    assert answer["eligible"] is True
    decision = answer["transaction_decision"]
    assert decision["resolved_arguments"]["items"] == [
        {"name": "TIM Fashion Mensal", "id": "1001"},
        {"name": "Aya Audiobooks Premium", "id": "1002"},
        {"name": "Neymar Jr", "id": "1003"},
    ]
    assert decision["target_tool"] == "cancelar_produtos"
    assert decision["confirmation_message"] == (
        "Você confirma o cancelamento de TIM Fashion Mensal, Aya Audiobooks Premium e Neymar Jr?"
    )


@pytest.mark.parametrize(
    ("locale", "question"),
    [
        pytest.param("en", "Do you confirm the cancellation of Deezer Premium and HBO Max?", id="English"),
        pytest.param("es", "¿Confirma la cancelación de Deezer Premium y HBO Max?", id="Spanish"),
        pytest.param("fr", "Você confirma o cancelamento de Deezer Premium e HBO Max?", id="Portuguese for any other"),
    ],
)
async def test_validator_asks_in_the_language_of_the_customer(demo: Demo, locale: str, question: str) -> None:
    answer = await demo.validate(demo.customer(), "deezer", "hbo", locale=locale)
    assert answer["transaction_decision"]["confirmation_message"] == question


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        pytest.param("cancela todos menos o Neymar Jr", ["1001", "1002", "1004", "1005", "1006"], id="one kept"),
        pytest.param(
            "quero cancelar tudo exceto som e imagem e a hbo", ["1001", "1002", "1003", "1004"], id="two kept"
        ),
        pytest.param(
            "cancela todos os meus produtos menos TIM Fashion, Áya e Deezer", ["1003", "1005", "1006"], id="accents"
        ),
        pytest.param("cancel everything except HBO Max and Deezer", ["1001", "1002", "1003", "1005"], id="English"),
        pytest.param("cancela todos menos Neymar y Deezer", ["1001", "1002", "1005", "1006"], id="Spanish"),
    ],
)
async def test_validator_resolves_all_but_from_what_the_customer_wrote(demo: Demo, text: str, ids: list[str]) -> None:
    answer = await demo.validate(demo.customer(), "todos", source_text=text)
    assert [item["id"] for item in answer["transaction_decision"]["resolved_arguments"]["items"]] == ids


async def test_validator_asks_again_rather_than_cancel_all_when_what_is_to_be_kept_is_unknown(demo: Demo) -> None:
    answer = await demo.validate(demo.customer(), "todos", source_text="cancela todos menos o Zzz")
    assert (answer["eligible"], answer["status"], answer["parameter"]) == (False, "NEEDS_PARAMETER", "items")


async def test_validator_keeps_an_unknown_name_beside_a_known_one_and_the_tool_reports_it(demo: Demo) -> None:
    customer = demo.customer()
    answer = await demo.validate(customer, "Globoplay", "Deezer", "deezer")
    items = answer["transaction_decision"]["resolved_arguments"]["items"]
    assert items == [{"name": "Globoplay"}, {"name": "Deezer Premium", "id": "1004"}]
    assert fates(await demo.cancel(customer, items=items)) == [(False, "not_found"), (True, None)]


async def test_validator_refuses_when_no_name_is_known(demo: Demo) -> None:
    answer = await demo.validate(demo.customer(), "Globoplay")
    assert answer["eligible"] is False
    assert answer["reason"] == "not_found"


async def test_validator_asks_which_when_a_name_fits_two(demo: Demo) -> None:
    answer = await demo.validate(demo.customer(), "premium")
    assert answer["status"] == "NEEDS_PARAMETER"
    assert "Aya Audiobooks Premium e Deezer Premium" in answer["parameter_message"]


async def test_cancelled_product_is_no_longer_held(demo: Demo) -> None:
    customer = demo.customer()
    first = await demo.cancel(customer, "k1", items=[{"name": "a", "id": "1001"}, {"name": "b", "id": "1002"}, TWO[0]])
    assert first.payload["ok"] is True
    assert first.payload["result"]["status"] == "COMPLETED"
    assert fates(first) == [(True, None), (False, "not_found"), (True, None)]
    assert all(item["protocol"] for item in results(first) if item["success"])
    assert fates(await demo.cancel(customer, "k2")) == [(False, "already_cancelled"), (True, None)]
    assert demo.done(customer) == {"1001": 1, "1004": 1, "1006": 1}
    left = await demo.validate(customer, "todos", source_text="cancela todos")
    assert [i["id"] for i in left["transaction_decision"]["resolved_arguments"]["items"]] == ["1002", "1003", "1005"]


async def test_same_key_gives_the_stored_answer_and_no_second_effect(demo: Demo) -> None:
    customer = demo.customer()
    first, second = await demo.cancel(customer, "k"), await demo.cancel(customer, "k")
    assert first.payload == second.payload
    assert demo.done(customer) == {"1004": 1, "1006": 1}
    assert [call.request_key for call in read_calls(demo.ledger, customer)] == ["k", "k"]


async def test_key_in_meta_counts_as_one_in_the_arguments(demo: Demo) -> None:
    customer = demo.customer()
    args: dict[str, Any] = {"customer_id": customer, "item": "Deezer", "amount": 71.99}
    for _ in range(2):
        await demo.call("contestar_cobranca", meta={"multi-item/idempotency-key": "m"}, **args)
    assert demo.done(customer) == {"1004": 1}
    await demo.call("contestar_cobranca", **args)
    await demo.call("contestar_cobranca", **args)
    assert demo.done(customer) == {"1004": 3}, "without a key nothing protects a customer, and the ledger says so"


async def test_same_key_with_other_arguments_is_refused(demo: Demo) -> None:
    customer = demo.customer()
    await demo.cancel(customer, "k")
    other = await demo.cancel(customer, "k", items=TWO[:1])
    assert (other.outcome, other.is_error) == (Outcome.TOOL_ERROR, True)
    assert other.payload["error"] == "idempotency_key_reused"


async def test_item_key_protects_an_item_under_another_request_key(demo: Demo) -> None:
    customer = demo.customer()
    first = await demo.cancel(customer, "k1", item_keys=["i1", "i2"])
    again = await demo.cancel(customer, "k2", items=TWO[:1], item_keys=["i1"])
    assert results(again)[0]["protocol"] == results(first)[0]["protocol"]
    assert demo.done(customer) == {"1004": 1, "1006": 1}


async def test_call_after_its_last_instant_is_refused(demo: Demo) -> None:
    customer = demo.customer()
    late = {"multi-item/not-after": "2020-01-01T00:00:00+00:00"}
    answer = await demo.call("cancelar_produtos", customer_id=customer, items=TWO, meta=late)
    assert (answer.outcome, answer.payload["error"]) == (Outcome.TOOL_ERROR, "too_late")
    assert demo.done(customer) == {}


async def test_status_tool_knows_done_and_unknown_keys(demo: Demo) -> None:
    customer = demo.customer()
    answer = await demo.cancel(customer, "k")
    assert await demo.status(customer, "k") == {"status": "done", "result": answer.payload}
    assert await demo.status(customer, "other") == {"status": "unknown_key"}


async def test_invoice_is_the_one_of_the_specification(demo: Demo) -> None:
    answer = await demo.call(
        "consultar_fatura",
        msisdn="11999999999",
        invoice_id="3000131180",
        ura_call_id="301953872",
        session_id="session-001",
    )
    assert answer.payload["data"] == {"invoice_id": "3000131180", "valor_total": 249.90, "status": "ABERTA"}


async def test_several_invoices_have_a_result_each(demo: Demo) -> None:
    answer = await demo.call("consultar_faturas", customer_id=demo.customer(), faturas=["maio", "3000131180", "março"])
    found = [(item["subject"], item["success"]) for item in answer.payload["result"]["results"]]
    assert found == [("maio", True), ("3000131180", True), ("março", False)]


async def test_orders_are_cancelled_as_the_guide_shows(demo: Demo) -> None:
    for _ in range(2):  # without a customer every call finds the shop as it was
        answer = await demo.call("cancelar_pedidos", server="retail", order_ids=["P-100", "P-101", "P-102", "P-999"])
        assert answer.payload["result"]["results"] == [
            {"order_id": "P-100", "success": True, "protocol": "ABC1"},
            {"order_id": "P-101", "success": False, "reason": "already_shipped"},
            {"order_id": "P-102", "success": True, "protocol": "ABC3"},
            {"order_id": "P-999", "success": False, "reason": "not_found"},
        ]


async def test_cancelled_order_stays_cancelled_for_its_customer(demo: Demo) -> None:
    customer = demo.customer()
    for key in "ab":
        answer = await demo.call(
            "cancelar_pedidos", server="retail", customer_id=customer, order_ids=["p-100"], idempotency_key=key
        )
    assert answer.payload["result"]["results"][0]["reason"] == "already_cancelled"
    seen = await demo.call("consultar_pedidos", server="retail", customer_id=customer, order_ids=["P-100", "P-7"])
    assert [item.get("status", item.get("reason")) for item in seen.payload["result"]["results"]] == [
        "cancelled",
        "not_found",
    ]
    assert demo.done(customer) == {"P-100": 1}


# The failures of README.md


async def test_one_item_fails_once_and_succeeds_on_retry(demo: Demo) -> None:
    customer = demo.customer(Fault.ONE_ITEM)
    first = await demo.cancel(customer, "k1", item_keys=["i1", "i2"])
    assert fates(first) == [(False, "temporarily_unavailable"), (True, None)]
    again = await demo.cancel(customer, "k2", items=TWO[:1], item_keys=["i1"])
    assert fates(again) == [(True, None)]
    assert demo.done(customer) == {"1004": 1, "1006": 1}


async def test_all_items_fail(demo: Demo) -> None:
    customer = demo.customer(Fault.ALL_ITEMS)
    answer = await demo.cancel(customer)
    assert answer.payload["ok"] is False
    assert fates(answer) == [(False, "blocked"), (False, "blocked")]
    assert demo.done(customer) == {}


async def test_auxiliary_step_fails_after_the_items_were_done(demo: Demo) -> None:
    customer = demo.customer(Fault.AUXILIARY)
    answer = await demo.cancel(customer)
    assert (answer.payload["ok"], answer.payload["error"]) == (False, "receipt_not_sent")
    assert fates(answer) == [(True, None), (True, None)]
    assert answer.payload["result"]["output"]["enviar_comprovante"]["success"] is False
    assert demo.done(customer) == {"1004": 1, "1006": 1}


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        pytest.param(Fault.ANSWER_LOST, "connection_lost", id="the connection is cut"),
        pytest.param(Fault.MALFORMED, "unreadable", id="the answer is no JSON"),
        pytest.param(Fault.HUGE, "too_large", id="the answer is ten megabytes"),
    ],
)
async def test_answer_is_lost_after_the_effect_and_the_status_tool_knows(demo: Demo, fault: Fault, code: str) -> None:
    customer = demo.customer(fault)
    lost = await demo.cancel(customer, "k")
    assert (lost.outcome, lost.code) == (Outcome.UNKNOWN, code)
    assert demo.done(customer) == {"1004": 1, "1006": 1}
    assert (await demo.status(customer, "k"))["status"] == "done"


async def test_answer_lost_once_comes_on_a_retry_with_the_same_key(demo: Demo) -> None:
    customer = demo.customer(Fault.ANSWER_LOST)
    await demo.cancel(customer, "k")
    assert fates(await demo.cancel(customer, "k")) == [(True, None), (True, None)]
    assert demo.done(customer) == {"1004": 1, "1006": 1}


async def test_connection_cut_before_the_effect_leaves_nothing_behind(demo: Demo) -> None:
    customer = demo.customer(Fault.CUT_BEFORE)
    assert (await demo.cancel(customer, "k")).outcome is Outcome.UNKNOWN
    assert demo.done(customer) == {}
    assert await demo.status(customer, "k") == {"status": "unknown_key"}


async def test_slow_call_goes_on_when_its_caller_hangs_up_and_a_second_one_joins_it(demo: Demo) -> None:
    customer = demo.customer(f"{Fault.SLOW}-1")
    sent: dict[str, Any] = {"customer_id": customer, "items": TWO, "idempotency_key": "k"}
    lost = await demo.call("cancelar_produtos", deadline_s=0.3, **sent)
    assert (lost.outcome, lost.code) == (Outcome.UNKNOWN, "timeout")
    assert await demo.status(customer, "k") == {"status": "in_progress"}
    joined = await demo.call("cancelar_produtos", **sent)
    assert fates(joined) == [(True, None), (True, None)]
    assert joined.latency_ms < 1_000, "it waited for the first, and did not start again"
    assert demo.done(customer) == {"1004": 1, "1006": 1}


async def test_server_is_unavailable_for_a_customer(demo: Demo) -> None:
    customer = demo.customer(Fault.UNAVAILABLE)
    for _ in range(2):
        assert (await demo.cancel(customer, "k")).code == "http_503"
    assert (await demo.validate(customer, "deezer"))["eligible"] is True
    assert demo.done(customer) == {}
    assert len([call for call in read_calls(demo.ledger, customer) if call.tool == "cancelar_produtos"]) == 2


async def test_server_is_unavailable_once(demo: Demo) -> None:
    customer = demo.customer(Fault.UNAVAILABLE_ONCE)
    assert (await demo.cancel(customer, "k")).code == "http_503"
    assert (await demo.cancel(customer, "k")).outcome is Outcome.OK


async def test_validator_is_down_while_the_tools_work(demo: Demo) -> None:
    customer = demo.customer(Fault.VALIDATOR_DOWN)
    answer = await demo.call("validar_produtos_cancelamento", customer_id=customer, items=["deezer"])
    assert answer.code == "http_503"
    assert (await demo.cancel(customer)).outcome is Outcome.OK


async def test_validator_is_slow(demo: Demo) -> None:
    customer = demo.customer(f"{Fault.VALIDATOR_SLOW}-0.3")
    answer = await demo.call("validar_produtos_cancelamento", customer_id=customer, items=["deezer"])
    assert answer.latency_ms >= 300


async def test_validator_answers_what_no_contract_knows(demo: Demo) -> None:
    answer = await demo.validate(demo.customer(Fault.VALIDATOR_MALFORMED), "deezer")
    assert answer["eligible"] not in {True, False}


async def test_every_failure_is_in_the_readme() -> None:
    readme = (ROOT / "examples" / "demo" / "README.md").read_text()
    assert {f.value for f in Fault} <= set(re.findall(r"`(falha-[a-z0-9-]+?)(?:-N)?`", readme))


@pytest.mark.parametrize(
    ("customer", "fault"),
    [
        pytest.param("falha-503", Fault.UNAVAILABLE, id="bare"),
        pytest.param("falha-503-uma-vez-ana", Fault.UNAVAILABLE_ONCE, id="the longer name"),
        pytest.param("falha-503-ana", Fault.UNAVAILABLE, id="with anything behind"),
        pytest.param("falha-todosx", None, id="not without a separator"),
        pytest.param("11999999999", None, id="an ordinary customer"),
    ],
)
async def test_fault_is_read_from_the_customer(customer: str, fault: Fault | None) -> None:
    asked = fault_of(customer)
    assert (asked.fault if asked else None) is fault


async def test_fault_for_all_applies_to_customers_without_one() -> None:
    asked = fault_of("ana", "falha-lenta-5")
    assert asked is not None
    assert (asked.fault, asked.number) == (Fault.SLOW, 5.0)


async def test_schemas_listed_declare_every_argument_that_tools_yaml_declares(demo: Demo) -> None:
    configured = yaml.safe_load((ROOT / "config" / "tools.yaml").read_text())["tools"]
    mapped = yaml.safe_load((ROOT / "config" / "mcp_parameter_mapping.yaml").read_text())["tools"]
    for name, tool in configured.items():
        schema = demo.tools.schema(tool["mcp_server"], name)
        assert schema is not None, name
        assert {*tool["args_schema"], *mapped[name]["map"].values()} <= set(schema["properties"]), name


async def test_effects_survive_a_kill_and_half_done_operations_do_not(tmp_path: Path) -> None:
    ledger, port = tmp_path / "ledger.sqlite3", free_port()
    process = start(ledger, port)
    url = f"http://127.0.0.1:{port}/contas/mcp"
    tools = McpTools(
        {"contas": McpServerSettings(url=url, connect_timeout_ms=20_000)},
        clock=time.monotonic,
        on_event=lambda _n, _d: None,
    )
    await tools.start()
    own = Demo(ledger, port, tools, count())
    try:
        async with asyncio.timeout(30):
            await tools.connected("contas")
        await own.cancel("ana", "k")
        slow = asyncio.create_task(own.cancel("falha-lenta-60-rui", "k"))
        async with asyncio.timeout(10):
            while await own.status("falha-lenta-60-rui", "k") == {"status": "unknown_key"}:
                pass
        process.kill()
        process.wait()
        assert (await slow).outcome is Outcome.UNKNOWN
        process = start(ledger, port)
        async with asyncio.timeout(30):
            while (
                answer := await own.call("consultar_operacao", customer_id="ana", idempotency_key="k")
            ).payload is None:
                pass
        assert answer.payload["status"] == "done"
        assert await own.status("falha-lenta-60-rui", "k") == {"status": "unknown_key"}
        assert own.done("ana") == {"1004": 1, "1006": 1}
        assert own.done("falha-lenta-60-rui") == {}
    finally:
        await tools.close(0)
        process.kill()
        process.wait()


async def test_taken_port_is_said_in_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", free_port())) as taken:
        port = str(taken.getsockname()[1])
        environment = os.environ | {"PIPELINE_DEMO_PORT": port, "PIPELINE_DEMO_LEDGER": str(tmp_path / "l")}
        ended = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-m", "examples.demo"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            check=False,
        )
    assert ended.returncode == 1
    said = ended.stderr.decode()
    assert said == (
        f"127.0.0.1:{port} cannot be used (Address already in use); stop what has it (a `dev` or a demo?) or set "
        "PIPELINE_DEMO_PORT\n"
    )
