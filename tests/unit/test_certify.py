"""Certify without a server: scenarios and their errors, what SERVER means, what a listing is judged by, which certificates hold."""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from typer.testing import CliRunner

from consumers.certify.calling import connected
from consumers.certify.certificates import declaration_hash, doubt_about
from consumers.certify.certifying import Order, certify
from consumers.certify.checks_calls import spoilt_arguments
from consumers.certify.checks_items import misplaced
from consumers.certify.checks_listing import annotations, fits_configuration, takes_collection
from consumers.certify.findings import DETAIL_MAX, Fault, Finding, Verdict, failed, passed, skipped
from consumers.certify.sandbox import open_sandbox
from consumers.certify.scenarios import SandboxSpec, Scenarios, ToolScenarios, filled, load_scenarios
from consumers.certify.subject import STDIO_START_MS, Server, kinds_of, server_of
from consumers.cli import app
from consumers.cli.certify import ended_in_order
from consumers.cli.terminal import CommandError, run
from consumers.configuration import load_configuration
from contracts.certification_result import CertificationCheck, CertificationResult
from pipeline.policy import ArgumentSpec, OperationType, Recovery, Tool, ToolPolicy, ToolSpec
from pipeline.settings import ConfigurationError
from pipeline.tools.catalog import ListedTool
from pipeline.tools.settings import McpServerSettings

TWO = {"arguments": {"items": ["A", "B"]}, "fates": ["succeeded", "succeeded"]}
NONE = {"arguments": {"items": ["X", "Y"]}, "fates": ["failed", {"failed": "not_found"}]}
MIXED = {"arguments": {"items": ["A", "X"]}, "fates": ["succeeded", "failed"]}
MINIMAL: dict[str, Any] = {"all_succeed": TWO, "some_succeed": MIXED, "none_succeed": NONE, "unknown_item": MIXED}


def tool(*, operation: OperationType = OperationType.TRANSACTIONAL, recovery: Recovery = Recovery.STATUS) -> Tool:
    arguments = {"items": ArgumentSpec(type="array"), "idempotency_key": ArgumentSpec(type="string")}
    return Tool(
        name="cancel",
        spec=ToolSpec(mcp_server="shop", args_schema=arguments, requires=("items",)),
        policy=ToolPolicy(operation_type=operation, recovery=recovery),
        mapping={"customer_key": "customer_id"},
    )


def listed(*, required: tuple[str, ...] = ("items",), hints: Mapping[str, bool] = {}, **properties: Any) -> ListedTool:
    known = {"items": {"type": "array"}, "idempotency_key": {"type": "string"}, "customer_id": {"type": "string"}}
    return ListedTool(
        name="cancel",
        description=None,
        input_schema={"properties": known | properties, "required": list(required)},
        output_schema=None,
        read_only_hint=hints.get("read_only"),
        idempotent_hint=hints.get("idempotent"),
        destructive_hint=hints.get("destructive"),
    )


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        pytest.param({"all_succeed": {"skip": "no"}}, "all_succeed: cannot be skipped", id="all cannot be skipped"),
        pytest.param({"some_succeed": None}, "some_succeed: is required; give arguments and fates, or skip", id="some"),
        pytest.param({"all_succeed": {"fates": ["done"]}}, "all_succeed.fates.0: say succeeded, failed", id="a fate"),
        pytest.param(
            {"all_succeed": MIXED}, "all_succeed.fates: every item must be `succeeded`", id="all with a failed item"
        ),
        pytest.param({"some_succeed": TWO}, "some_succeed.fates: some items must be", id="some without a failed item"),
        pytest.param(
            {"none_succeed": MIXED}, "none_succeed.fates: every item must be `failed`", id="none that succeeds"
        ),
        pytest.param(
            {"unknown_item": TWO}, "unknown_item.fates: the item that the tool", id="an unknown that succeeds"
        ),
        pytest.param({"duplicate": NONE}, "duplicate.fates: at least one item must be", id="a duplicate of nothing"),
        pytest.param({"slow": {"arguments": {}}}, "slow.fates: is required: for each item", id="no fates"),
        pytest.param(
            {"all_succeed": {"fates": ["succeeded"]}}, "two items or more are needed", id="one item without a reason"
        ),
        pytest.param({"single_item": "so"}, "single_item is given, and there are 2 fates", id="single with two"),
        pytest.param({"slow": {**TWO, "deadline_ms": 1}}, "slow.deadline_ms: must be", id="a bound"),
        pytest.param({"slo": TWO}, "slo: unknown key", id="a misspelt check"),
    ],
)
def test_a_wrong_scenarios_file_is_told_by_file_key_and_way_out(
    tmp_path: Path, changes: Mapping[str, Any], says: str
) -> None:
    file = tmp_path / "scenarios.yaml"
    file.write_text(yaml.safe_dump({"tools": {"cancel": {**MINIMAL, **changes}}}))
    with pytest.raises(ConfigurationError) as told:
        load_scenarios(file)
    (line,) = told.value.problems
    assert line.startswith(f"{file}: tools.cancel")
    assert says in line


def test_a_scenarios_file_that_is_not_there_names_one_to_start_from(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"examples/demo/certification\.yaml"):
        load_scenarios(tmp_path / "nothing.yaml")


def test_the_documented_scenarios_can_be_read(tmp_path: Path) -> None:
    (block,) = [part for part in Path("docs/certify.md").read_text().split("```") if part.startswith("yaml\nsandbox:")]
    file = tmp_path / "scenarios.yaml"
    file.write_text(block.removeprefix("yaml\n"))
    assert load_scenarios(file).tools["cancelar_pedidos"].all_succeed.succeeded == 2


def test_placeholders_are_filled_at_any_depth_and_other_braces_stay() -> None:
    value = {"id": "c-{fresh}", "items": [{"name": "{fresh}"}, "{other}", 3]}
    assert filled(value, {"fresh": "7"}) == {"id": "c-7", "items": [{"name": "7"}, "{other}", 3]}


@pytest.mark.parametrize(
    ("schema", "kinds"),
    [
        pytest.param({"type": "array"}, {"array"}, id="a type"),
        pytest.param({"type": ["string", "null"]}, {"string"}, id="several types"),
        pytest.param({"anyOf": [{"type": "array"}, {"type": "null"}]}, {"array"}, id="an optional"),
        pytest.param({"$ref": "#/$defs/Items"}, {"array"}, id="a reference"),
        pytest.param({"$ref": "#/$defs/Loop"}, set(), id="a reference to itself"),
        pytest.param({"title": "Items"}, set(), id="nothing"),
    ],
)
def test_types_of_an_argument_are_read_from_its_schema(schema: Any, kinds: set[str]) -> None:
    root = {"$defs": {"Items": {"type": "array"}, "Loop": {"$ref": "#/$defs/Loop"}}}
    assert kinds_of(schema, root) == kinds


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        pytest.param({"type": "array"}, None, id="an array"),
        pytest.param({"type": "string"}, "items is one string", id="a string"),
        pytest.param({}, "does not say of which type items is", id="no type"),
        pytest.param({"type": "integer"}, "items is integer", id="a number"),
    ],
)
def test_a_collection_is_an_array_in_the_tools_own_schema(schema: Any, says: str | None) -> None:
    finding = takes_collection(tool(), listed(items=schema), ToolScenarios.model_validate(MINIMAL))
    assert finding.verdict is (Verdict.PASS if says is None else Verdict.FAIL)
    assert says is None or says in finding.detail


@pytest.mark.parametrize(
    ("server", "given", "says"),
    [
        pytest.param(listed(), {"items"}, None, id="what is sent is known"),
        pytest.param(listed(required=("items", "region")), {"items"}, "requires region", id="an argument nobody sends"),
        pytest.param(listed(items={"type": "string"}), {"items"}, "items is array in tools.yaml", id="another type"),
        pytest.param(listed(item_keys={"type": "array"}), {"items"}, "the server takes item_keys", id="an unsent key"),
        pytest.param(listed(), {"items", "force"}, "the scenarios give force", id="a scenario that asks for more"),
    ],
)
def test_a_schema_fits_what_the_pipeline_sends(server: ListedTool, given: set[str], says: str | None) -> None:
    finding = fits_configuration(tool(), server, configured=True, given=given)
    assert finding.verdict is (Verdict.PASS if says is None else Verdict.FAIL)
    assert says is None or says in finding.detail


READ, WRITE = OperationType.READ_ONLY, OperationType.TRANSACTIONAL


@pytest.mark.parametrize(
    ("operation", "recovery", "hints", "says"),
    [
        pytest.param(WRITE, Recovery.STATUS, {}, None, id="silence on a writing tool"),
        pytest.param(
            WRITE, Recovery.STATUS, {"read_only": True}, "readOnlyHint is true", id="a writer that only reads"
        ),
        pytest.param(WRITE, Recovery.RETRY, {}, "idempotentHint is not true", id="a retry that is not idempotent"),
        pytest.param(WRITE, Recovery.RETRY, {"idempotent": True}, None, id="a retry that is idempotent"),
        pytest.param(READ, Recovery.RETRY, {"read_only": True}, None, id="a reader that says so"),
        pytest.param(READ, Recovery.RETRY, {}, "readOnlyHint is silent", id="a reader that is silent"),
        pytest.param(
            READ,
            Recovery.RETRY,
            {"read_only": True, "destructive": True},
            "destructiveHint is true",
            id="a reader that destroys",
        ),
    ],
)
def test_annotations_are_held_against_the_policy(
    operation: OperationType, recovery: Recovery, hints: Mapping[str, bool], says: str | None
) -> None:
    finding = annotations(tool(operation=operation, recovery=recovery), listed(hints=hints))
    assert finding.verdict is (Verdict.PASS if says is None else Verdict.FAIL)
    assert says is None or says in finding.detail


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        pytest.param([{"subject": "A"}, {"subject": "B"}], None, id="one each, in order"),
        pytest.param([{"subject": "B"}, {"subject": "A"}], "another order", id="reversed"),
        pytest.param([{"subject": "A"}], "B has no result", id="one missing"),
        pytest.param([{"subject": "A"}, {"subject": "A"}, {"subject": "B"}], "A has 2 results", id="one twice"),
        pytest.param([{"subject": "A"}, {"subject": "B"}, {"subject": "C"}], "C: a result of", id="one more"),
    ],
)
def test_results_stand_where_their_items_stood(entries: list[Any], says: str | None) -> None:
    fault = misplaced(("A", "B"), entries)
    assert (fault is None) is (says is None)
    assert says is None or (fault is not None and says in fault.seen)


def test_malformed_arguments_are_made_from_the_tools_own_schema() -> None:
    good = {"items": ["A"], "customer_id": "c"}
    made = dict(spoilt_arguments(tool(), listed(required=("items", "customer_id", "idempotency_key")), good))
    assert made == {
        "without items": {"customer_id": "c"},
        "items of a wrong type": {"items": {"not": "as declared"}, "customer_id": "c"},
        "without customer_id": {"items": ["A"]},
        "customer_id of a wrong type": {"items": ["A"], "customer_id": {"not": "as declared"}},
        "an empty collection": {"items": [], "customer_id": "c"},
    }


@pytest.mark.parametrize(
    ("text", "name", "address"),
    [
        pytest.param("contas", "contas", "url", id="a configured name"),
        pytest.param("http://user:secret@sandbox:1/mcp?key=1", "http://sandbox:1/mcp", "url", id="an address"),
        pytest.param("python server.py --port 1", "python", "command", id="a command"),
    ],
)
def test_server_is_a_name_an_address_or_a_command(text: str, name: str, address: str) -> None:
    server = server_of(text, None, load_configuration())
    assert server.name == name
    assert getattr(server.settings, address)


def test_a_configured_command_is_given_time_to_start(tmp_path: Path) -> None:
    configuration = load_configuration()
    gym = McpServerSettings(transport="stdio", command="python", connect_timeout_ms=5_000)
    started = replace(configuration, servers={**configuration.servers, "gym": gym})
    assert server_of("gym", None, started).settings.connect_timeout_ms == STDIO_START_MS
    assert server_of("contas", None, started).settings.connect_timeout_ms == 5_000


async def test_a_server_that_does_not_answer_in_time_is_told_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("consumers.certify.calling.LEAVE_S", 0.5)
    silent = McpServerSettings(
        transport="stdio",
        command=sys.executable,
        args=("-c", "import time; time.sleep(60)"),
        connect_timeout_ms=100,
    )
    order = Server(name="gym", settings=silent)
    with pytest.raises(CommandError, match=r"The server gym did not answer within 0.6 s"):
        async with open_sandbox(SandboxSpec()) as sandbox, connected(order, sandbox, "1"):
            pass


def test_an_address_of_a_configured_tool_keeps_the_servers_name() -> None:
    configuration = load_configuration()
    pedidos = configuration.installation.tools["cancelar_pedidos"]
    assert server_of("http://sandbox:1/mcp", pedidos, configuration).name == "retail"
    with pytest.raises(CommandError, match="a tool of server retail"):
        server_of("contas", pedidos, configuration)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(["contas", "cancelar_produtos"], "side effects, and certify would really", id="no sandbox"),
        pytest.param(["nowhere", "consultar_pedidos"], "mcp_servers.yaml has contas, retail", id="an unknown server"),
        pytest.param(["contas", "pagar", "--sandbox"], "has no 'pagar'; it has cancelar_produtos", id="no scenarios"),
        pytest.param(["contas", "consultar_pedidos"], "a tool of server retail", id="a tool of another server"),
        pytest.param(["http://[::1", "consultar_pedidos"], "SERVER is no address", id="half an address"),
        pytest.param(["http://127.0.0.1:99999/mcp", "consultar_pedidos"], "SERVER is no address", id="no such port"),
        pytest.param(["python 'server.py", "consultar_pedidos"], "SERVER is no command", id="an open quote"),
    ],
)
def test_certify_asked_for_wrongly_exits_2_with_the_way_out(arguments: list[str], says: str) -> None:
    done = CliRunner().invoke(app, ["certify", *arguments, "--scenarios", "examples/demo/certification.yaml"])
    assert done.exit_code == 2
    assert says in done.output
    assert "Traceback" not in done.output


def test_certify_that_is_terminated_ends_what_it_began() -> None:
    ended = []

    async def certifying() -> Any:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(60)
        finally:
            ended.append("the sandbox")

    with pytest.raises(typer.Exit) as left:
        run(ended_in_order(certifying()))
    assert (left.value.exit_code, ended) == (130, ["the sandbox"])


@pytest.mark.parametrize("finding", [passed("slow", "a\x1b[31m\nb\x07"), skipped("slow", "a\x1b[31m\nb")])
def test_words_of_a_tool_stay_on_one_line_and_command_no_terminal(finding: Finding) -> None:
    assert finding.detail == "a [31m b"


def test_endless_words_of_a_tool_are_cut() -> None:
    assert len(failed("slow", Fault("x" * 10_000, "shorten it")).detail) == DETAIL_MAX + 1


@pytest.mark.parametrize(
    ("orders", "says"),
    [
        pytest.param(["P-100"], r"all_succeed\.fates: 2 for 1 item", id="too few items"),
        pytest.param(
            ["P-100", "P-100"], r"all_succeed\.arguments: order_ids names an item twice", id="the same item twice"
        ),
    ],
)
async def test_items_that_fit_no_call_are_told_before_anything_is_called(
    orders: list[str], says: str, tmp_path: Path
) -> None:
    server = tmp_path / "server.py"
    server.write_text(
        "from mcp.server import MCPServer\n"
        "server = MCPServer('one', log_level='CRITICAL')\n"
        "@server.tool()\n"
        "def consultar_pedidos(order_ids: list[str]) -> dict: raise SystemExit('called')\n"
        "server.run('stdio')\n"
    )
    spoilt = {**MINIMAL, "all_succeed": {**TWO, "arguments": {"order_ids": orders}}}
    wanted = Scenarios.model_validate({"tools": {"consultar_pedidos": {**spoilt, "items_argument": "order_ids"}}})
    order = Order(
        server=f"{sys.executable} {server}",
        tool="consultar_pedidos",
        scenarios=wanted,
        file="s.yaml",
        configuration=None,
        sandbox=True,
    )
    with pytest.raises(CommandError, match=rf"s\.yaml: tools\.consultar_pedidos\.{says}"):
        await certify(order)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        pytest.param(["/no/such/program"], "cannot be run", id="no program"),
        pytest.param("{python} -c 'raise SystemExit(\"no ledger\")'", "ended with 1: no ledger", id="a failure"),
        pytest.param("{python} -c 'print(\"many\")'", "must print one number, and printed 'many'", id="no number"),
    ],
)
async def test_a_command_of_the_sandbox_that_fails_is_told_with_its_last_words(command: Any, says: str) -> None:
    async with open_sandbox(SandboxSpec.model_validate({"effects": command})) as sandbox:
        with pytest.raises(CommandError, match=r"sandbox\.effects: ") as told:
            await sandbox.grown()
    assert says in str(told.value)


async def test_a_sandbox_counts_what_was_added_and_gives_the_environment_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CERTIFY_HERE", "before")
    monkeypatch.delenv("CERTIFY_NEW", raising=False)
    ledger = tmp_path / "ledger"
    ledger.write_bytes(b"..")
    spec = SandboxSpec(
        environment={"CERTIFY_HERE": "{folder}", "CERTIFY_NEW": "1"},
        effects=("{python}", "-c", f"import os; print(os.path.getsize({str(ledger)!r}))"),
    )
    async with open_sandbox(spec) as sandbox:
        assert os.environ["CERTIFY_HERE"] == sandbox.names["folder"]
        assert await sandbox.grown() is None
        ledger.write_bytes(b".....")
        assert await sandbox.grown() == 3
    assert os.environ["CERTIFY_HERE"] == "before"
    assert "CERTIFY_NEW" not in os.environ


def certificate(**changes: Any) -> CertificationResult:
    return CertificationResult(
        **{
            "server": "shop",
            "tool": "cancel",
            "tool_schema_hash": "as listed",
            "declaration_hash": declaration_hash(tool()),
            "checks": (CertificationCheck(name="all items succeed", passed=True),),
            "passed": True,
            "at": datetime(2026, 11, 30, tzinfo=UTC),
            **changes,
        }
    )


@pytest.mark.parametrize(
    ("held", "schema_hash", "doubt"),
    [
        pytest.param(certificate(), "as listed", None, id="all as it was"),
        pytest.param(certificate(), None, None, id="a server that does not answer"),
        pytest.param(None, None, "has side effects and no certificate", id="none"),
        pytest.param(
            certificate(passed=False, checks=(CertificationCheck(name="x", passed=False),)),
            None,
            "of 2026-11-30 has 1 failed check",
            id="a failed one",
        ),
        pytest.param(certificate(declaration_hash="other"), None, "another configuration", id="another configuration"),
        pytest.param(certificate(declaration_hash=None), None, "another configuration", id="not configured then"),
        pytest.param(certificate(), "another", "another schema than the server lists", id="another schema"),
    ],
)
def test_a_certificate_holds_while_tool_and_configuration_are_as_they_were(
    held: CertificationResult | None, schema_hash: str | None, doubt: str | None
) -> None:
    said = doubt_about(tool(), held, schema_hash)
    assert (said is None) is (doubt is None)
    assert doubt is None or (said is not None and doubt in said)


def test_wording_does_not_spoil_a_certificate_and_policy_does() -> None:
    before = tool()
    prompted = before.spec.model_copy(
        update={"args_schema": {**before.spec.args_schema, "items": ArgumentSpec(type="array", user_prompt="Which?")}}
    )
    assert declaration_hash(before.model_copy(update={"spec": prompted})) == declaration_hash(before)
    assert declaration_hash(tool(recovery=Recovery.REPORT)) != declaration_hash(before)


def test_config_check_warns_of_tools_without_a_certificate_and_says_how_to_get_one(tmp_path: Path) -> None:
    config = tmp_path / "config"
    shutil.copytree("config", config, ignore=shutil.ignore_patterns("certificates"))
    done = CliRunner().invoke(app, ["config", "check", "--offline", "--config", str(config)])
    assert done.exit_code == 0
    told = [line for line in done.output.splitlines() if "no certificate" in line]
    assert [line.split(": ")[1] for line in told] == ["cancelar_produtos", "contestar_cobranca", "cancelar_pedidos"]
    assert f"certify retail cancelar_pedidos --scenarios FILE --sandbox --json {config}/certificates" in told[-1]

    loaded = load_configuration(config).installation.tools["cancelar_pedidos"]
    held = certificate(server="retail", tool="cancelar_pedidos", declaration_hash=declaration_hash(loaded))
    (config / "certificates").mkdir()
    (config / "certificates" / "retail.json").write_text(held.model_dump_json())
    (config / "certificates" / "broken.json").write_text("{}")
    again = CliRunner().invoke(app, ["config", "check", "--offline", "--config", str(config)]).output
    assert "cancelar_pedidos: " not in again
    assert "cancelar_produtos: has side effects and no certificate" in again
    assert "broken.json: is no CertificationResult" in again


def test_help_of_certify_has_an_example_and_its_exit_codes() -> None:
    done = CliRunner().invoke(app, ["certify", "--help"], prog_name="python -m consumers")
    said = " ".join(done.output.split())
    assert "Example: python -m consumers certify contas cancelar_produtos --scenarios" in said
    assert "Exits 0 when every check passed" in said
