"""Certifying tools over MCP: the demo's pass, each tool of a bad server fails for its own fault and says the way out."""

import asyncio
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from consumers.certify.certificates import doubt_about
from consumers.certify.certifying import Certification, Order, certify
from consumers.certify.findings import Finding, Verdict
from consumers.certify.sandbox import open_sandbox
from consumers.certify.scenarios import SandboxSpec, Scenarios, load_scenarios
from consumers.cli import app
from consumers.configuration import Configuration, load_configuration
from contracts.certification_result import CertificationResult
from tests.integration.mcp_peers import ROOT

pytestmark = pytest.mark.timeout(120)

DEMO = ROOT / "examples" / "demo" / "certification.yaml"
READS_AND_SINGLES = {
    "contestar_cobranca": "contas",
    "consultar_faturas": "contas",
    "consultar_fatura": "contas",
    "cancelar_pedidos": "retail",
    "consultar_pedidos": "retail",
}


def scenarios_of(tool: str) -> dict[str, Any]:
    """The same for every tool of the bad server."""
    return {
        "items_argument": "items",
        "policy": {"operation_type": "transactional", "recovery": "status", "status_tool": f"status_of_{tool}"},
        "all_succeed": {"arguments": {"items": ["A", "B"]}, "fates": ["succeeded", "succeeded"]},
        "some_succeed": {
            "arguments": {"items": ["A", "blocked 1", "C"]},
            "fates": ["succeeded", "failed", "succeeded"],
        },
        "none_succeed": {"arguments": {"items": ["blocked 1", "blocked 2"]}, "fates": ["failed", "failed"]},
        "unknown_item": {"arguments": {"items": ["A", "unknown 1"]}, "fates": ["succeeded", "failed"]},
        "auxiliary_failure": {
            "arguments": {"items": ["A", "B"], "receipt": "fails"},
            "fates": ["succeeded", "succeeded"],
        },
        "duplicate": {"arguments": {"items": ["A", "B"]}, "fates": ["succeeded", "succeeded"]},
        "slow": {
            "arguments": {"items": ["A", "B"], "work_s": 1.2},
            "fates": ["succeeded", "succeeded"],
            "deadline_ms": 500,
            "settle_s": 20,
        },
    }


def scenarios(folder: Path, tool: str) -> Scenarios:
    counting = f"import os; print(os.path.getsize({str(folder / tool)!r}))"
    sandbox = {"effects": ["{python}", "-I", "-S", "-c", counting]} if tool in COUNTED else {}
    return Scenarios.model_validate({"sandbox": sandbox, "tools": {tool: scenarios_of(tool)}})


COUNTED = {"keeps_the_contract", "acts_again_in_silence"}

FAULTS = {
    "takes_one_string": (
        {"takes_collection", "all_succeed", "some_succeed", "none_succeed", "unknown_item", "auxiliary_failure"}
        | {"duplicate", "slow", "status_tool"},
        "takes_collection",
        "items is one string",
        "as an array of strings",
    ),
    "says_it_only_reads": (
        {"annotations"},
        "annotations",
        "readOnlyHint is true, and the policy says transactional",
        "set readOnlyHint to false",
    ),
    "fails_as_a_whole": (
        {"unknown_item"},
        "unknown_item",
        "the whole call failed (is_error: ",
        "catch what goes wrong with one item",
    ),
    "has_one_flag_for_all": (
        {"all_succeed", "some_succeed", "none_succeed", "unknown_item", "auxiliary_failure", "duplicate", "slow"},
        "all_succeed",
        "no results[]",
        "one entry per item",
    ),
    "forgets_failures": (
        {"some_succeed", "none_succeed", "unknown_item", "order_and_count"},
        "some_succeed",
        "blocked 1 has no result",
        "a result for every item",
    ),
    "writes_flags_as_text": (
        {"all_succeed", "some_succeed", "none_succeed", "unknown_item", "auxiliary_failure", "duplicate", "slow"}
        | {"item_fields"},
        "item_fields",
        "success is 'true', no JSON boolean",
        "as true or false",
    ),
    "shuffles": (
        {"order_and_count"},
        "order_and_count",
        "another order than the items (B, A)",
        "in the order in which the items were sent",
    ),
    "adds_items": (
        {"order_and_count", "malformed"},
        "order_and_count",
        "Z: a result of something that was not sent",
        "only the items of the call",
    ),
    "ignores_the_key": (
        {"duplicate", "slow"},
        "duplicate",
        "with the same key again",
        "store the answer under the idempotency key",
    ),
    "acts_again_in_silence": (
        {"duplicate"},
        "duplicate",
        "2 effect(s) should have happened, and the sandbox counted 3",
        "keep the key and the answer with the effect",
    ),
    "loses_items_with_the_receipt": (
        {"auxiliary_failure"},
        "auxiliary_failure",
        "A should have succeeded, and is failed (receipt_not_sent)",
        "tell the auxiliary failure beside them",
    ),
    "takes_anything": (
        {"takes_collection", "malformed"},
        "malformed",
        "items of a wrong type: carried out all the same",
        "refuse what breaks it before anything is done",
    ),
    "breaks_on_nonsense": (
        {"malformed"},
        "malformed",
        "an empty collection: no readable refusal (internal_error",
        "answer isError with a text",
    ),
    "gives_no_reason": (
        {"unknown_item", "item_fields"},
        "unknown_item",
        "unknown 1: failed without a reason",
        "reason: not_found",
    ),
    "gives_no_protocol": ({"item_fields"}, "item_fields", "A: done without a protocol", "add `protocol`"),
    "contradicts_itself": (
        {"item_fields"},
        "item_fields",
        "blocked 1: success and ok disagree",
        "answer one of them only",
    ),
    "forgets_its_caller": (
        {"slow"},
        "slow",
        "says unknown_key of a call that is running",
        "write the key down, durably, before the work begins",
    ),
    "has_an_odd_status": (
        {"status_tool", "slow"},
        "status_tool",
        "nothing that can be read as a status, not unknown_key",
        '"in_progress"',
    ),
    "answers_in_prose": (
        {"all_succeed", "some_succeed", "none_succeed", "unknown_item", "auxiliary_failure", "duplicate"}
        | {"structured_output", "status_tool"},
        "structured_output",
        "the answer is prose",
        "return structuredContent",
    ),
}
"""Tool → the checks that fail, the one that names the fault, what it has seen, its way out."""


@dataclass
class BadServer:
    """The bad server while it runs, and every tool of it certified."""

    url: str
    done: dict[str, Certification]


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, int]]:
    """The bad server. Yields: its address and process id."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.integration.bad_tools", str(folder)], cwd=ROOT, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().decode().strip(), process.pid
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BadServer]:
    folder = tmp_path_factory.mktemp("bad")
    with serving(folder) as (url, _):

        async def all_of_them() -> list[Certification]:
            orders = [order(url, tool, scenarios(folder, tool)) for tool in ("keeps_the_contract", *FAULTS)]
            return await asyncio.gather(*(certify(each) for each in orders))

        yield BadServer(url, {each.result.tool: each for each in asyncio.run(all_of_them())})


def order(server: str, tool: str, wanted: Scenarios, configuration: Configuration | None = None) -> Order:
    return Order(
        server=server, tool=tool, scenarios=wanted, file="certification.yaml", configuration=configuration, sandbox=True
    )


def failures(certification: Certification) -> dict[str, Finding]:
    return {each.check: each for each in certification.findings if each.verdict is Verdict.FAIL}


@pytest.mark.parametrize("tool", FAULTS)
def test_a_bad_tool_fails_for_its_own_fault_with_the_way_out(bad: BadServer, tool: str) -> None:
    checks, named, seen, way_out = FAULTS[tool]
    failed = failures(bad.done[tool])
    assert {check: each.detail for check, each in failed.items() if check not in checks} == {}
    assert set(failed) == checks
    assert seen in failed[named].detail
    assert way_out in failed[named].way_out
    assert not bad.done[tool].result.passed


def test_every_fault_is_told_in_words_of_its_own(bad: BadServer) -> None:
    said = [failures(bad.done[tool])[named].detail for tool, (_, named, _, _) in FAULTS.items()]
    ways = {failures(bad.done[tool])[named].way_out for tool, (_, named, _, _) in FAULTS.items()}
    assert len(set(said)) == len(FAULTS) >= 10
    assert len(ways) >= 10


def test_the_same_tool_without_a_fault_is_certified(bad: BadServer) -> None:
    good = bad.done["keeps_the_contract"]
    assert failures(good) == {}
    assert {each.check for each in good.findings if each.verdict is Verdict.SKIPPED} == {
        "fits_configuration",
        "restart",
    }
    assert good.result.passed
    assert good.result.declaration_hash is None
    slow = next(each for each in good.findings if each.check == "slow")
    assert slow.detail == "by recovery status, told in_progress, done: 2 of 2 succeeded, 2 effect(s)"


async def test_a_stdio_server_is_restarted_by_its_client_between_the_commands_around_it(tmp_path: Path) -> None:
    tool, said = "keeps_the_contract", tmp_path / "said"
    wanted = scenarios_of(tool) | {
        "policy": {"operation_type": "transactional", "recovery": "retry"},
        "restart": {
            "arguments": {"items": ["A"], "work_s": 0.4},
            "fates": ["succeeded"],
            "after_ms": 200,
            "before": ["{python}", "-c", f"open({str(said)!r}, 'a').write('before ')"],
            "after": ["{python}", "-c", f"open({str(said)!r}, 'a').write('after')"],
        },
    }
    del wanted["slow"]
    server = f"{sys.executable} -m tests.integration.bad_tools {tmp_path} stdio"
    done = await certify(order(server, tool, Scenarios.model_validate({"tools": {tool: wanted}})))
    assert failures(done) == {}
    restart = next(each for each in done.findings if each.check == "restart")
    assert restart.detail.startswith("by recovery retry: 1 of 1 succeeded")
    assert said.read_text() == "before after"


def test_a_server_that_does_not_come_back_fails_its_restart(tmp_path: Path) -> None:
    tool = "keeps_the_contract"
    wanted = scenarios_of(tool) | {
        "restart": {
            "arguments": {"items": ["A"], "work_s": 5},
            "fates": ["succeeded"],
            "after_ms": 100,
            "settle_s": 0.5,
        }
    }
    del wanted["slow"]
    with serving(tmp_path) as (url, pid):
        killing = {"restart": ["{python}", "-c", f"import os; os.kill({pid}, 9)"]}
        done = asyncio.run(
            certify(order(url, tool, Scenarios.model_validate({"sandbox": killing, "tools": {tool: wanted}})))
        )
    restart = failures(done)["restart"]
    assert restart.detail.startswith("the server did not come back within 0.5 s (http://127.0.0.1:")
    assert "make it start again by itself" in restart.way_out


async def test_the_other_tools_of_the_demo_are_certified() -> None:
    shipped = load_scenarios(DEMO)
    async with open_sandbox(shipped.sandbox):
        here = shipped.model_copy(
            update={"sandbox": SandboxSpec()}
        )  # one demo for all: then effects are not told apart
        loaded = load_configuration(ROOT / "config")
        patient = {
            name: each.model_copy(update={"connect_timeout_ms": 20_000}) for name, each in loaded.servers.items()
        }
        configuration = replace(loaded, servers=patient)  # the demo has just begun to start
        orders = [order(server, tool, here, configuration) for tool, server in READS_AND_SINGLES.items()]
        done = await asyncio.gather(*(certify(each) for each in orders))
    assert {each.result.tool: failures(each) for each in done} == {tool: {} for tool in READS_AND_SINGLES}
    assert set(shipped.tools) == {"cancelar_produtos", *READS_AND_SINGLES}


def test_the_command_certifies_with_the_shipped_scenarios_and_writes_json_and_junit(tmp_path: Path) -> None:
    certificate, junit = tmp_path / "certificates" / "contas.cancelar_produtos.json", tmp_path / "junit.xml"
    done = CliRunner().invoke(
        app,
        [
            *("certify", "contas", "cancelar_produtos", "--scenarios", str(DEMO), "--sandbox"),
            *("--json", str(certificate), "--junit", str(junit)),
        ],
    )
    assert done.exit_code == 0, done.output
    assert "cancelar_produtos: certified (16 pass)" in done.output

    result = CertificationResult.model_validate_json(certificate.read_bytes())
    assert result.passed
    assert (result.server, result.tool, len(result.checks)) == ("contas", "cancelar_produtos", 16)
    tool = load_configuration(ROOT / "config").installation.tools["cancelar_produtos"]
    assert doubt_about(tool, result, result.tool_schema_hash) is None
    shipped = json.loads((ROOT / "config" / "certificates" / certificate.name).read_bytes())
    assert shipped["tool_schema_hash"] == result.tool_schema_hash, (
        "the demo's tool has another schema than its shipped certificate: certify it again, with --json config/certificates/…"
    )

    suite = ET.parse(junit).getroot()[0]
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("contas.cancelar_produtos", "16", "0")


def test_a_certification_that_fails_exits_1_with_numbered_ways_out(bad: BadServer, tmp_path: Path) -> None:
    file, junit = tmp_path / "scenarios.yaml", tmp_path / "junit.xml"
    file.write_text(yaml.safe_dump({"tools": {"shuffles": scenarios_of("shuffles")}}))
    done = CliRunner().invoke(
        app,
        [
            *("certify", bad.url, "shuffles", "--scenarios", str(file), "--sandbox"),
            *("--json", str(file / "no folder.json"), "--junit", str(junit)),
        ],
    )
    assert done.exit_code == 1, done.output
    way_out = "there is one result per item, in the order of the items: answer the results in the order in which"
    assert f"1. {way_out}" in " ".join(done.output.split())
    assert "shuffles: NOT certified" in done.output
    assert "no folder.json cannot be written" in " ".join(done.output.split())
    failure = ET.parse(junit).getroot().find(".//failure")
    assert failure is not None
    assert "another order than the items" in str(failure.get("message"))
    assert "in the order in which the items were sent" in str(failure.text)
