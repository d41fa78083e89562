"""Every contract by name: what it is on, its schema, its examples. Pure but for reading the example files."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from consumers.schemas.json_schema import tidied, tidied_definitions
from contracts.agent_state import AgentState
from contracts.base import Contract
from contracts.business_context import BusinessContext
from contracts.certification_result import CertificationResult
from contracts.channel_response import ChannelResponse
from contracts.checkpoint import Checkpoint
from contracts.confirm_command import ConfirmCommand
from contracts.evaluation_result import EvaluationResult
from contracts.evaluation_run import EvaluationRun
from contracts.event_envelope import EventEnvelope
from contracts.execute_command import ExecuteCommand
from contracts.gateway_request import GatewayRequest
from contracts.llm_request import LLMRequest
from contracts.llm_response import LLMResponse
from contracts.normalize_command import NormalizeCommand
from contracts.pre_validate_command import PreValidateCommand
from contracts.session import Session
from contracts.tool_invocation import ToolInvocation
from contracts.tool_result import ToolResult
from contracts.transaction_status import TransactionStatus

SPEC_012: tuple[type[Contract], ...] = (
    GatewayRequest,
    ChannelResponse,
    BusinessContext,
    AgentState,
    Session,
    Checkpoint,
    ToolInvocation,
    ToolResult,
    LLMRequest,
    LLMResponse,
    EvaluationRun,
    EvaluationResult,
    CertificationResult,
    EventEnvelope,
)
INTERNAL: tuple[type[Contract], ...] = (
    PreValidateCommand,
    ConfirmCommand,
    ExecuteCommand,
    NormalizeCommand,
    TransactionStatus,
)
ALL = (*SPEC_012, *INTERNAL)

PLACES: dict[type[Contract], str] = {
    BusinessContext: "in gateway.requests and in every record between stages",
    AgentState: "in state.reconcile, as body of a Checkpoint",
    Session: "in AgentState",
    ToolInvocation: "in pipeline.normalize",
    ToolResult: "in pipeline.normalize",
    LLMRequest: "to the AI gateway, over HTTP",
    LLMResponse: "from the AI gateway, over HTTP",
    EvaluationRun: "result of an evaluation; the stages send none",
    EvaluationResult: "result of an evaluation; the stages send none",
    CertificationResult: "result of a certification; the stages send none",
    ChannelResponse: "channel.<channel>.responses",
    Checkpoint: "state.<stage>",
    EventEnvelope: "events.ic, events.noc, events.grl",
}
"""Where those are that topology does not tell by one topic."""

EXAMPLES = Path(__file__).resolve().parents[2] / "contracts" / "examples"


@dataclass(frozen=True, slots=True)
class Example:
    """An example file; an invalid one is named `<field>--<why>.json`."""

    contract: type[Contract]
    path: Path
    field: str | None
    """The field that a refusal has to name; None: it is valid."""

    @property
    def data(self) -> Any:
        """The JSON in it. Raises: ValueError."""
        return json.loads(self.path.read_text(encoding="utf-8"))

    def problem(self) -> str | None:
        """What is wrong with the example, or with the contract; None: it does what its place says."""
        try:
            data = self.data
        except ValueError as error:
            return f"{self.path}: is no JSON ({error})"
        try:
            read = self.contract.model_validate(data)
        except ValidationError as error:
            fields = {".".join(map(str, problem["loc"])) for problem in error.errors(include_url=False)}
            if self.field is None:
                return f"{self.path}: is refused: {'; '.join(sorted(fields))}"
            return None if self.field in fields else f"{self.path}: is refused for {sorted(fields)}, not {self.field}"
        if self.field is not None:
            return f"{self.path}: is accepted, although {self.field} is wrong"
        again = self.contract.model_validate_json(read.model_dump_json())
        return None if again == read else f"{self.path}: is not the same after it was written and read again"


def places_of(contract: type[Contract]) -> str:
    """Topics a contract is on, or in what it travels."""
    from pipeline.topology import STAGES

    inputs = {spec.contract: spec.topic for stage in STAGES.values() for spec in stage.inputs}
    return PLACES.get(contract) or inputs[contract]


def find(name: str) -> type[Contract] | None:
    """The contract of this class name or version, `v1` and case and hyphens aside."""

    def plain(text: str) -> str:
        return text.lower().replace("-", "").replace("_", "")

    wanted = plain(name)
    for contract in ALL:
        version = contract.VERSION
        if wanted in {plain(contract.__name__), plain(version), plain(version.rsplit("-", 1)[0])}:
            return contract
    return None


def schema_of(contract: type[Contract]) -> dict[str, Any]:
    """JSON Schema 2020-12 of what is on the topic; descriptions are the docstrings."""
    schema = tidied(contract.__name__, contract.model_json_schema(mode="serialization"))
    if "$defs" in schema:
        schema["$defs"] = tidied_definitions(schema["$defs"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:contract:{contract.VERSION}",
        **schema,
    }


def examples_of(contract: type[Contract], folder: Path = EXAMPLES) -> Iterator[Example]:
    """Example files, valid ones first."""
    home = folder / contract.VERSION
    for path in sorted((home / "valid").glob("*.json")):
        yield Example(contract, path, None)
    for path in sorted((home / "invalid").glob("*.json")):
        yield Example(contract, path, path.name.split("--", 1)[0])
