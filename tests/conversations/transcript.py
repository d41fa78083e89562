"""The format of tests/conversations/*.yaml: who speaks, what is said, what is answered, what is done.

Owns: reading the files, comparing a transcript with the expected one. A line that is said follows `chat --script`
(consumers/cli/script.py), directives included, so every file can be played by hand; `message` is the same without directives, for
texts of several lines. In an expected answer `{protocol}` stands for a number the demo gives out.
Invariants: an answer is compared as a whole, so a word too many fails; unknown keys are refused.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from consumers.cli.script import Say, Step, parse

FOLDER = Path(__file__).parent
PLACEHOLDERS = {"{protocol}": r"(?:\d{9}|\d(?: \d){8})"}


class Strict(BaseModel):
    """Unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Turn(Strict):
    """Something happens, and what the customer is told then."""

    say: str | None = None
    """A line of a chat script."""
    message: str | None = None
    """A text as it is, line breaks and all."""
    answers: list[str] = []
    """Everything that this customer is told from the turn before until all is settled, in order."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.say is None) == (self.message is None):
            raise ValueError("a turn has either `say` or `message`")
        return self

    @property
    def step(self) -> Step:
        if self.message is not None:
            return Say(self.message)
        (step,) = parse(self.say or "")
        return step

    @property
    def said(self) -> str:
        return self.message if self.message is not None else self.say or ""


class Last(Strict):
    """Metadata of the last answer."""

    kind: str
    status: str | None = None
    multi_item_status: str | None = None
    counts: tuple[int, int, int] | None = None
    """Items altogether, succeeded, failed."""


class Conversation(Strict):
    """A file."""

    title: str
    agent: str = "telecom_contas"
    channel: str = "web"
    locale: str | None = None
    customer: str = "cliente"
    """How the customer's key begins (the demo's failures go by it); every play has a fresh customer."""
    business_context: dict[str, str] = Field(default_factory=dict)
    place: Literal["usual", "impatient", "server_down"] = "usual"
    """Which pipeline plays it: the usual one, one whose questions expire after three seconds, one whose MCP servers are gone."""
    turns: list[Turn]
    last: Last
    effects: list[str] = []
    """What the demo really did, each once: `tool item`, with `name: ` before it for another speaker."""


def names() -> list[str]:
    """Every conversation, by its file name."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def load(name: str) -> Conversation:
    """Read one."""
    return Conversation.model_validate(yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8")))


def as_expected(expected: Sequence[str], told: Sequence[str]) -> list[str]:
    """What was told, written with the placeholders of the expected texts where those fit."""
    padded = [*expected, *([""] * len(told))]
    return [wanted if _pattern(wanted).fullmatch(got) else got for wanted, got in zip(padded, told, strict=False)]


def _pattern(expected: str) -> re.Pattern[str]:
    pattern = re.escape(expected.strip())
    for name, what in PLACEHOLDERS.items():
        pattern = pattern.replace(re.escape(name), what)
    return re.compile(pattern)


def last_of(metadata: dict[str, Any]) -> Last:
    """What a test looks at in the metadata of an answer."""
    counts = metadata.get("multi_item")
    return Last(
        kind=metadata["kind"],
        status=metadata.get("status"),
        multi_item_status=metadata.get("multi_item_status"),
        counts=None
        if counts is None
        else (counts["items_count"], counts["items_succeeded_count"], counts["items_failed_count"]),
    )
