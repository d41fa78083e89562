"""The contracts on the page: for each its purpose, its fields, one good example, and what is refused and why.

Invariants: every contract is in exactly one group; fields and meanings come from the models, examples from contracts/examples.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from consumers.cli.known_contracts import examples_of, find, places_of
from consumers.schemas.enumerations import meanings
from consumers.schemas.examples import refusal, why
from consumers.schemas.fields import Catalogue, Fields, Row
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
    unfolded: bool = True
    """Whether its examples are shown at once."""


GROUPS = (
    Group(
        "For channel gateways",
        "A gateway writes requests and reads responses; it needs nothing else. A request that breaks its contract is answered where "
        "that is possible, told in a NOC event and kept in `dlq.reconcile` with the field at fault.",
        ("GatewayRequest", "BusinessContext", "ChannelResponse"),
    ),
    Group(
        "For dashboards and evaluation",
        "Events tell everything that happens, without personal data. `evaluate` reads events and responses of a period.",
        ("EventEnvelope", "EvaluationRun", "EvaluationResult"),
    ),
    Group(
        "For tool teams",
        "How a call of an MCP tool and its answer are recorded, and what `certify` says of a tool.",
        ("ToolInvocation", "ToolResult", "CertificationResult"),
    ),
    Group(
        "For the AI gateway",
        "What is asked of a language model, where one is used at all.",
        ("LLMRequest", "LLMResponse"),
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
        unfolded=False,
    ),
)


def sections(t: Words) -> Iterator[str]:
    """All groups, then the parts and the enums that contracts share."""
    yield f"## {t('The contracts')}"
    yield ""
    yield t(
        "In the tables, *required* means: required wherever the object is that the field belongs to. `[]` stands for each entry of a "
        "list. An *instant* is RFC 3339 with an offset, such as `2026-06-19T12:00:00Z`. Unknown fields are kept and handed on."
    )
    yield ""
    for group in GROUPS:
        yield f"### {t(group.title)}"
        yield ""
        yield t(group.about)
        yield ""
        for name in group.names:
            contract = find(name)
            assert contract is not None
            yield from _contract(t, contract, unfolded=group.unfolded)
    yield from _shared(t)
    yield from _enums(t)


def link(name: str) -> str:
    """A link to the section of a contract, part or enum."""
    return f"[{name}](#{name.lower()})"


@cache
def catalogue() -> Catalogue:
    """All contracts, read once."""
    return Catalogue()


def _contract(t: Words, contract: type[Contract], *, unfolded: bool) -> Iterator[str]:
    name, version = contract.__name__, contract.VERSION
    yield f"#### {name}"
    yield ""
    yield f"{t(str(catalogue().schemas[name]['description']))} `{version}`, {_place(t, contract)}."
    yield ""
    for table in catalogue().tables(name):
        yield from _fields(t, table)
    yield from _example(t, contract, unfolded=unfolded)
    yield from _refused(t, contract)


def _place(t: Words, contract: type[Contract]) -> str:
    place = places_of(contract)
    topics = place.split(", ")
    if any(" " in topic for topic in topics):
        return t(place)
    return t("on {topic}", topic=", ".join(f"`{topic}`" for topic in topics))


def _fields(t: Words, table: Fields) -> Iterator[str]:
    if table.of is not None:
        yield t("With `kind` {kind}:", kind=f"`{table.of}`")
        yield ""
    yield f"| {t('field')} | {t('type')} | {t('required')} | {t('meaning')} |"
    yield "|---|---|---|---|"
    for each in table.rows:
        required = t("yes") if each.required else ""
        yield f"| `{each.path}` | {_type(t, each)} | {required} | {_cell(t(each.meaning))} |"
    yield ""


def _type(t: Words, field: Row) -> str:
    if catalogue().is_named(field.kind):
        kind = link(field.kind)
    else:
        kind = field.kind if field.kind.startswith("`") else t(field.kind)
    if not field.listed:
        return kind
    return t(LISTS[field.kind]) if field.kind in LISTS else t("list of {kind}", kind=kind)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")


def _example(t: Words, contract: type[Contract], *, unfolded: bool) -> Iterator[str]:
    valid = [example for example in examples_of(contract) if example.field is None]
    chosen = [example for example in valid if example.path.stem == SHOWN.get(contract.__name__)] or valid
    texts = [json.dumps(example.data, ensure_ascii=False, indent=2) for example in chosen]
    fitting = [text for text in texts if text.count("\n") < EXAMPLE_LINES_MAX]
    yield f"<details{' open' if unfolded else ''}><summary>{t('A good one')}</summary>"
    yield ""
    yield "```json"
    yield max(fitting or texts[:1], key=len)
    yield "```"
    yield ""
    yield "</details>"
    yield ""


def _refused(t: Words, contract: type[Contract]) -> Iterator[str]:
    yield f"<details><summary>{t('What is refused')}</summary>"
    yield ""
    yield f"| {t('what is wrong')} | {t('refused with')} |"
    yield "|---|---|"
    for example in examples_of(contract):
        if example.field is not None:
            reason, values = why(example)
            yield f"| {_cell(t(reason, **values))} | {_cell(refusal(example))} |"
    yield ""
    yield "</details>"
    yield ""


def _shared(t: Words) -> Iterator[str]:
    yield f"### {t('Parts that several contracts have')}"
    yield ""
    for name, part in catalogue().shared.items():
        yield f"#### {name}"
        yield ""
        yield t(str(part["description"]))
        yield ""
        for table in catalogue().tables(name):
            yield from _fields(t, table)


def _enums(t: Words) -> Iterator[str]:
    yield f"### {t('Values of the enums')}"
    yield ""
    for name, part in catalogue().enums.items():
        yield f"#### {name}"
        yield ""
        yield t(str(part["description"]))
        yield ""
        yield f"| {t('value')} | {t('meaning')} |"
        yield "|---|---|"
        for value in part["enum"]:
            yield f"| `{value}` | {_cell(t(meanings()[name][value]))} |"
        yield ""
