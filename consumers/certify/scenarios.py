"""The scenarios file: which arguments show what a tool does in each case, and the sandbox it does it in.

Owns: the shape of the file, its placeholders, and the sentences for what is wrong in it.
Invariants: unknown keys are refused; every error names file, key and the way out. Source: the multi-item guide 10, docs/certify.md.
"""

import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from contracts.status import ItemOutcome
from pipeline.policy import ToolPolicy
from pipeline.settings import ConfigurationError, explain, read_yaml

_PLACEHOLDER = re.compile(r"\{(fresh|python|folder|free_port)\}")
_FATES = "say succeeded, failed, or failed with its reason, such as {failed: not_found}"


class Section(BaseModel):
    """Part of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ExpectedFate(Section):
    """What is to become of one item."""

    outcome: ItemOutcome
    reason: str | None = None
    """None: any."""

    def __str__(self) -> str:
        return self.outcome.lower() + (f" ({self.reason})" if self.reason else "")


def _fate(value: Any) -> Any:
    match value:
        case "succeeded" | "failed":
            return ExpectedFate(outcome=ItemOutcome(value.upper()))
        case {"failed": str(reason), **rest} if not rest:
            return ExpectedFate(outcome=ItemOutcome.FAILED, reason=reason)
        case ExpectedFate():
            return value
        case _:
            raise ValueError(_FATES)


def _command(value: Any) -> Any:
    return tuple(shlex.split(value)) if isinstance(value, str) else value


Fate = Annotated[ExpectedFate, BeforeValidator(_fate)]
Command = Annotated[tuple[str, ...], BeforeValidator(_command), Field(min_length=1)]
"""A program and its arguments: a list, or one line that is split as a shell would. No shell runs it."""


class Scenario(Section):
    """What every check may say."""

    skip: str = ""
    """Why this check is left out."""
    arguments: dict[str, Any] = Field(default_factory=dict)
    """Added to the tool's own `arguments`."""
    before: Command | None = None
    """Run before the check: whatever brings the sandbox into the state that it is about (slow it down, break the receipt)."""
    after: Command | None = None
    """Run after it, whatever came of it."""


class ItemScenario(Scenario):
    """One call and the fate of each of its items."""

    fates: tuple[Fate, ...] = ()
    """Per item, in the order of the items."""
    effects: int | None = Field(default=None, ge=0)
    """By how much the number that sandbox.effects prints grows; None: by one per succeeded item."""

    @property
    def succeeded(self) -> int:
        """Items that are to be done."""
        return sum(fate.outcome is ItemOutcome.SUCCEEDED for fate in self.fates)


class SlowScenario(ItemScenario):
    """A call that takes longer than its caller waits."""

    deadline_ms: int = Field(default=500, ge=50, le=600_000)
    """How long it is waited for the first time."""
    settle_s: float = Field(default=30, gt=0, le=3_600)
    """How long until its outcome must be known."""


class RestartScenario(ItemScenario):
    """A call during which the server dies."""

    after_ms: int = Field(default=300, ge=0, le=600_000)
    """From sending the call to the restart."""
    settle_s: float = Field(default=60, gt=0, le=3_600)
    """How long until the server is back and the outcome known."""


class MalformedScenario(Section):
    """Arguments that no tool may carry out."""

    skip: str = ""
    """Why this check is left out."""
    arguments: tuple[dict[str, Any], ...] = ()
    """Each is one call, sent as it stands, beside those that are made from the tool's own schema."""


class ToolScenarios(Section):
    """All checks of one tool."""

    arguments: dict[str, Any] = Field(default_factory=dict)
    """Of every call."""
    items_argument: str | None = None
    """The argument that holds the collection; None: as the configuration says, else the first array of the tool's schema."""
    single_item: str = ""
    """Why this tool takes one thing a call; then it needs no collection."""
    policy: ToolPolicy | None = None
    """As in tool_policies.yaml, for a tool that the configuration does not have."""

    all_succeed: ItemScenario
    some_succeed: ItemScenario | None = None
    none_succeed: ItemScenario | None = None
    unknown_item: ItemScenario | None = None
    auxiliary_failure: ItemScenario | None = None
    duplicate: ItemScenario | None = None
    malformed: MalformedScenario = MalformedScenario()
    slow: SlowScenario | None = None
    restart: RestartScenario | None = None

    @model_validator(mode="after")
    def _complete(self) -> "ToolScenarios":
        if self.all_succeed.skip:
            raise ValueError("all_succeed: cannot be skipped: a tool that never succeeds cannot be certified")
        for name in ("some_succeed", "none_succeed", "unknown_item"):
            if getattr(self, name) is None and not (name == "some_succeed" and self.single_item):
                raise ValueError(f"{name}: is required; give arguments and fates, or skip: with the reason")
        for name in ITEM_CHECKS:
            scenario = getattr(self, name)
            if scenario is not None and not scenario.skip and (problem := self._wrong(name, scenario)):
                raise ValueError(f"{name}.fates: {problem}")
        return self

    def _wrong(self, name: str, scenario: ItemScenario) -> str | None:
        """What is wrong with the fates of a check, if anything."""
        done, count = scenario.succeeded, len(scenario.fates)
        if count == 0:
            return f"is required: for each item, in order, {_FATES}"
        if count == 1 and not self.single_item and name in {"all_succeed", "some_succeed", "none_succeed"}:
            return "two items or more are needed to see that each has a result of its own (or say why: single_item)"
        if self.single_item and count > 1:
            return f"single_item is given, and there are {count} fates"
        wanted = {
            "all_succeed": (done == count, "every item must be `succeeded` here"),
            "some_succeed": (0 < done < count, "some items must be `succeeded` and some `failed` here"),
            "none_succeed": (done == 0, "every item must be `failed` here"),
            "unknown_item": (done < count, "the item that the tool does not know must be `failed`"),
        }
        kept, problem = wanted.get(name, (done > 0, "at least one item must be `succeeded`, or nothing is shown"))
        return None if kept else problem


ITEM_CHECKS = (
    "all_succeed",
    "some_succeed",
    "none_succeed",
    "unknown_item",
    "auxiliary_failure",
    "duplicate",
    "slow",
    "restart",
)


class SandboxSpec(Section):
    """Where side effects may happen. Commands run in this project's folder. All of it counts with --sandbox only."""

    environment: dict[str, str] = Field(default_factory=dict)
    """Set for the commands and for the `${…}` of mcp_servers.yaml, so that the configured server is the sandbox's."""
    start: Command | None = None
    """The server itself, started before and ended after; it must end when its stdin closes, or on SIGTERM."""
    restart: Command | None = None
    """Restarts a server that is not started here."""
    effects: Command | None = None
    """Prints how many items were really done so far, as one number."""
    command_timeout_s: float = Field(default=60, gt=0, le=3_600)


class Scenarios(Section):
    """The whole file."""

    sandbox: SandboxSpec = SandboxSpec()
    tools: dict[str, ToolScenarios]


def load_scenarios(path: Path) -> Scenarios:
    """Read the file. Raises: ConfigurationError, each line with file, key and the way out."""
    if not path.is_file():
        raise ConfigurationError(
            [f"{path}: there is no such file; examples/demo/certification.yaml is one to start from"]
        )
    try:
        return Scenarios.model_validate(read_yaml(path))
    except ValidationError as error:
        raise ConfigurationError(explain(path, error, model=Scenarios)) from None


def filled(value: Any, names: Mapping[str, str]) -> Any:
    """Put the values of {fresh}, {python}, {folder} and {free_port} in, at any depth; other braces stay."""
    match value:
        case str():
            return _PLACEHOLDER.sub(lambda found: names.get(found[1], found[0]), value)
        case dict():
            return {name: filled(inner, names) for name, inner in value.items()}
        case list() | tuple():
            return type(value)(filled(inner, names) for inner in value)
        case _:
            return value
