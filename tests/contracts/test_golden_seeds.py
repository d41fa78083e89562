"""Every JSON and YAML example of the two documents this project was given, character by character: each is read and written back.

Owns: tests/data/golden/seed-examples.yaml. What a contract reads keeps unknown fields at any depth; what a configuration file reads
refuses them (a typing error would be silent); tools' answers are kept as they came.
"""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from consumers.schemas.known_contracts import find
from contracts.tool_invocation import ToolInvocation
from contracts.tool_result import ToolResult
from pipeline.answers import tool_result
from pipeline.behaviour_files import MappingFile, PoliciesFile, ToolsFile
from pipeline.decision import CallAnswer, CallOutcome
from pipeline.policy import Spec
from pipeline.stages.normalize.result import normalize_result
from pipeline.stages.pre_validate.verdicts import Eligible, read_verdict
from tests.contracts.test_contracts import lost, with_unknown_fields
from tests.installation import installation

EXAMPLES = yaml.safe_load((Path(__file__).parents[1] / "data" / "golden" / "seed-examples.yaml").read_text("utf-8"))
FILES: dict[str, type[Spec]] = {
    "tools.yaml": ToolsFile,
    "tool_policies.yaml": PoliciesFile,
    "mcp_parameter_mapping.yaml": MappingFile,
}
CONTRACTS = [example for example in EXAMPLES if find(example["reads_as"])]


def named(example: Any) -> str:
    return f"{example['document']} {example['section']} {example['reads_as']}"


def of(*kinds: str) -> pytest.MarkDecorator:
    chosen = [example for example in EXAMPLES if example["reads_as"] in kinds]
    return pytest.mark.parametrize("example", chosen, ids=named)


def parsed(example: Any) -> Any:
    """The value; the guide writes remarks above two of its JSON examples."""
    if example["language"] == "yaml":
        return yaml.safe_load(example["text"])
    return json.loads("\n".join(line for line in example["text"].splitlines() if not line.startswith("//")))


def fields(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every leaf by its JSON Pointer."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if value in ({}, []) or not isinstance(value, dict | list):
        yield path, value
    for name, each in inner:
        yield from fields(each, f"{path}/{name}")


def test_both_documents_are_complete() -> None:
    """As many fenced blocks as the documents have, JSON and YAML."""
    assert [sum(example["document"] == name for example in EXAMPLES) for name in ("guide", "spec-012")] == [14, 10]


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_an_example_says_what_is_written_down_of_it(example: Any) -> None:
    assert dict(fields(parsed(example))) == example["fields"]


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_an_example_is_read_by_something(example: Any) -> None:
    others = {"arguments", "validator answer", "tool call", "tool answer", "normalized"}
    assert find(example["reads_as"]) or example["reads_as"] in {*FILES, *others}


@pytest.mark.parametrize("example", CONTRACTS, ids=named)
def test_a_contract_s_example_is_read_and_written_back_with_unknown_fields(example: Any) -> None:
    contract = find(example["reads_as"])
    assert contract is not None
    data = parsed(example)
    if example["reads_as"] == "business-context-v1":  # the specification shows it as part of a request
        data = data["business_context"]
    for said in (data, with_unknown_fields(data)):
        read = contract.model_validate(said)
        again = json.loads(read.model_dump_json())
        assert list(lost(said, again)) == []
        assert contract.model_validate(again) == read


@of(*FILES)
def test_an_example_of_a_configuration_file_is_read_and_says_the_same(example: Any) -> None:
    data = parsed(example)
    read = FILES[example["reads_as"]].model_validate(data)
    assert list(lost(data, read.model_dump(mode="json", exclude_unset=True))) == []


@of("arguments", "tool call")
def test_arguments_are_sent_as_written(example: Any) -> None:
    data = parsed(example)
    call = data if "arguments" in data else {"tool_name": "cancelar_produtos", "arguments": data}
    said = with_unknown_fields({"tenant_id": "default", "agent_id": "telecom_contas", **call})
    again = json.loads(ToolInvocation.model_validate(said).model_dump_json())
    assert list(lost(said, again)) == []


@of("tool answer", "normalized", "validator answer")
def test_a_tool_s_answer_is_kept_as_it_came(example: Any) -> None:
    data = with_unknown_fields(parsed(example))
    before = copy.deepcopy(data)
    result = tool_result("cancelar_produtos", CallAnswer(outcome=CallOutcome.OK, payload=data))
    again = ToolResult.model_validate_json(result.model_dump_json())
    assert again == result
    assert again.data == before
    assert list(lost(before, normalize_result(data, "cancelar_produtos"))) in (
        [],
        [".ok"],
    )  # ok of a partial success is true


@of("validator answer")
def test_a_validator_s_answer_is_eligible_with_all_it_resolved(example: Any) -> None:
    data = parsed(example)
    tool = installation().tools["cancelar_produtos"]
    verdict = read_verdict(CallAnswer(outcome=CallOutcome.OK, payload=data), "validar_produtos_cancelamento", tool)
    decision = data["transaction_decision"]
    assert verdict == Eligible(
        arguments=decision["resolved_arguments"],
        target_tool="cancelar_produtos",
        confirmation_message=decision["confirmation_message"],
    )
