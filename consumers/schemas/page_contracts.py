"""The contracts on the page: for each its purpose, its fields, one good example, and what is refused and why.

Invariants: every contract is in exactly one group; fields and meanings come from the models, examples from contracts/examples.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from consumers.schemas.enumerations import meanings
from consumers.schemas.examples import refusal, why
from consumers.schemas.fields import Catalogue, Fields, Row
from consumers.schemas.known_contracts import Example, examples_of, find, places_of
from consumers.schemas.markdown import details, fenced, heading, paragraph, table
from consumers.schemas.wording import Words
from contracts.base import Contract

EXAMPLE_LINES_MAX = 60
"""Longer examples are in the file of examples; the page shows one that fits."""

SHOWN = {"GatewayRequest": "spec-012-section-4"}
"""The example on the page, where it is not the fullest that fits."""
LISTS = {"text": "list of texts", "object": "list of objects", "anything": "list of anything", "list": "list of lists"}


@dataclass(frozen=True, slots=True)
class Group:
    """Contracts for one kind of reader."""

    title: str
    about: str
    names: tuple[str, ...]
    more: tuple[str, ...]
    """Files of docs that tell more."""
    unfolded: bool = True
    """Whether its examples are shown at once."""


GROUPS = (
    Group(
        "For channel gateways",
        "A gateway writes requests and reads responses; it needs nothing else. A request that breaks its contract is answered where "
        "that is possible, told in a NOC event and kept in `dlq.reconcile` with the field at fault.",
        ("GatewayRequest", "BusinessContext", "ChannelResponse"),
        ("gateway.md",),
    ),
    Group(
        "For dashboards and evaluation",
        "Events tell everything that happens, without personal data. `evaluate` reads events and responses of a period.",
        ("EventEnvelope", "EvaluationRun", "EvaluationResult"),
        ("evaluate.md", "topics.md"),
    ),
    Group(
        "For tool teams",
        "How a call of an MCP tool and its answer are recorded, and what `certify` says of a tool.",
        ("ToolInvocation", "ToolResult", "CertificationResult"),
        ("tools.md", "certify.md"),
    ),
    Group(
        "For the AI gateway",
        "What is asked of a language model, where one is used at all.",
        ("LLMRequest", "LLMResponse"),
        ("llm.md",),
    ),
    Group(
        "Between the stages",
        "Private to the pipeline: published so that what is on the topics can be understood, not to be written by others.",
        (
            "PreValidateCommand",
            "ConfirmCommand",
            "ExecuteCommand",
            "NormalizeCommand",
            "TransactionStatus",
            "Checkpoint",
            "AgentState",
            "Session",
        ),
        ("architecture.md", "guarantees.md"),
        unfolded=False,
    ),
)


def sections(t: Words) -> Iterator[str]:
    """All groups, then the parts and the enums that contracts share."""
    yield from heading(2, t("The contracts"))
    yield from paragraph(
        t(
            "In the tables, *required* means: required wherever the object is that the field belongs to. `[]` stands for each entry of a "
            "list. An *instant* is RFC 3339 with an offset, such as `2026-06-19T12:00:00Z`, and never a leap second. Unknown fields are kept and handed on."
        )
    )
    for group in GROUPS:
        yield from heading(3, t(group.title))
        more = ", ".join(f"[{name}](../{name})" for name in group.more)
        yield from paragraph(f"{t(group.about)} {t('More in {files}.', files=more)}")
        for name in group.names:
            contract = find(name)
            assert contract is not None
            yield from _contract(t, contract, unfolded=group.unfolded)
    yield from heading(3, t("Parts that several contracts have"))
    for name, part in catalogue().shared.items():
        yield from _part(t, name, str(part["description"]))
    yield from heading(3, t("Values of the enums"))
    for name, part in catalogue().enums.items():
        yield from heading(4, name)
        yield from paragraph(t(str(part["description"])))
        values = ([f"`{value}`", t(meanings()[name][value])] for value in part["enum"])
        yield from table([t("value"), t("meaning")], values)


def link(name: str) -> str:
    """A link to the section of a contract, part or enum."""
    return f"[{name}](#{name.lower()})"


@cache
def catalogue() -> Catalogue:
    """All contracts, read once."""
    return Catalogue()


def _contract(t: Words, contract: type[Contract], *, unfolded: bool) -> Iterator[str]:
    name = contract.__name__
    yield from _part(
        t, name, str(catalogue().schemas[name]["description"]), f" `{contract.VERSION}`, {_place(t, contract)}."
    )
    yield from details(t("A good one"), fenced("json", _example(contract)), unfolded=unfolded)
    refused = (example for example in examples_of(contract) if example.field is not None)
    rows = ([_why(t, example), refusal(example)] for example in refused)
    yield from details(t("What is refused"), table([t("what is wrong"), t("refused with")], rows))


def _part(t: Words, name: str, about: str, where: str = "") -> Iterator[str]:
    yield from heading(4, name)
    yield from paragraph(f"{t(about)}{where}")
    for fields in catalogue().tables(name):
        yield from _fields(t, fields)


def _place(t: Words, contract: type[Contract]) -> str:
    place = places_of(contract)
    topics = place.split(", ")
    if any(" " in topic for topic in topics):
        return t(place)
    return t("on {topic}", topic=", ".join(f"`{topic}`" for topic in topics))


def _fields(t: Words, fields: Fields) -> Iterator[str]:
    if fields.of is not None:
        yield from paragraph(t("With `kind` {kind}:", kind=f"`{fields.of}`"))
    head = [t("field"), t("type"), t("required"), t("meaning")]
    yield from table(head, (_field(t, field) for field in fields.rows))


def _field(t: Words, field: Row) -> list[str]:
    return [f"`{field.path}`", _type(t, field), t("yes") if field.required else "", t(field.meaning)]


def _type(t: Words, field: Row) -> str:
    if catalogue().is_named(field.kind):
        kind = link(field.kind)
    else:
        kind = field.kind if field.kind.startswith("`") else t(field.kind)
    if not field.listed:
        return kind
    return t(LISTS[field.kind]) if field.kind in LISTS else t("list of {kind}", kind=kind)


def _example(contract: type[Contract]) -> str:
    valid = [example for example in examples_of(contract) if example.field is None]
    chosen = [example for example in valid if example.path.stem == SHOWN.get(contract.__name__)] or valid
    texts = [json.dumps(example.data, ensure_ascii=False, indent=2) for example in chosen]
    fitting = [text for text in texts if text.count("\n") < EXAMPLE_LINES_MAX]
    return max(fitting or texts[:1], key=len)


def _why(t: Words, example: Example) -> str:
    reason, values = why(example)
    return t(reason, **values)
