"""The gate: prepared changes of schemas, each judged in both directions, and what becomes of versions."""

import copy
import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from pydantic import AliasChoices, Field

from consumers.evolution.released import current
from consumers.schemas.known_contracts import ALL
from contracts.base import Contract
from contracts.evolution.gate import Verdict, compare, compare_sets, split
from contracts.evolution.parties import PARTIES, Direction, parties_of
from contracts.evolution.rule import Grade
from contracts.evolution.rules import RULES

CHANGES = json.loads((Path(__file__).parents[1] / "data" / "evolution" / "changes.json").read_text(encoding="utf-8"))
"""Each judged as a change of GatewayRequest, which only we read, and of LLMRequest, which only others read."""

TITLES = {"gateway-request-v1": "GatewayRequest", "llm-request-v1": "LLMRequest"}
MODELS = current()
OF_VERSIONS = {
    "contract-added",
    "contract-removed",
    "contract-renamed",
    "major-added",
    "major-without-upcaster",
    "major-replaced",
    "major-given-up",
    "major-skipped",
    "version-unreadable",
}
"""Rules on whole sets; the cases below name them."""


def judged(change: Mapping[str, Any], version: str) -> tuple[Verdict, ...]:
    titled = {"title": TITLES[version]}
    return compare({**titled, **change["old"]}, {**titled, **change["new"]}, version)


@pytest.mark.parametrize("version", TITLES)
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: str(change["change"]))
def test_a_change_is_judged_as_written(change: Mapping[str, Any], version: str) -> None:
    said = [
        {"rule": verdict.rule, "grade": verdict.grade.value, "sentence": verdict.sentence}
        for verdict in judged(change, version)
    ]
    assert said == change["verdicts"][version]


@pytest.mark.parametrize("rule", [rule for rule in RULES.values() if rule.id not in OF_VERSIONS], ids=lambda r: r.id)
def test_a_rule_has_an_example_that_passes_and_one_that_fails(rule: Any) -> None:
    verdicts = [change["verdicts"][version] for change in CHANGES if change["rule"] == rule.id for version in TITLES]
    fails = [any(each["rule"] == rule.id and Grade(each["grade"]).failing for each in said) for said in verdicts]
    assert not all(fails)
    assert any(fails) is rule.grade.failing, "what forbids nothing has only examples that pass"


def test_the_prepared_changes_judge_both_directions() -> None:
    assert parties_of("gateway-request").directions == {Direction.BACKWARD}
    assert parties_of("llm-request").directions == {Direction.FORWARD}
    assert len(CHANGES) >= 40


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: str(change["change"]))
def test_what_did_not_change_has_no_verdict(change: Mapping[str, Any]) -> None:
    unresolved = "leads nowhere" in change["change"]  # a schema that cannot be read is never taken for good
    assert compare(change["old"], change["old"], "x-v1") == ()
    assert unresolved or compare(change["new"], change["new"], "x-v1") == ()


def test_the_walk_ends_when_recursive_schemas_are_written_at_different_depths() -> None:
    def twice(part: str) -> dict[str, Any]:
        inside = {"type": "object", "properties": {"a": {"$ref": f"#/$defs/{part}"}}}
        return {"type": "object", "properties": {"a": inside}}

    old = {"$ref": "#/$defs/Old", "$defs": {"Old": twice("Old")}}
    new = {"type": "object", "properties": {"a": {"$ref": "#/$defs/New"}}, "$defs": {"New": twice("New")}}
    assert compare(old, new, "x-v1") == ()


@pytest.mark.parametrize("contract", ALL, ids=lambda contract: contract.VERSION)
def test_every_contract_says_who_writes_and_who_reads_it(contract: type[Contract]) -> None:
    name, _ = split(contract.VERSION) or ("", 0)
    assert PARTIES[name].directions


@pytest.mark.parametrize("contract", ALL, ids=lambda contract: contract.VERSION)
def test_the_gate_sees_what_is_read_and_what_is_written(contract: type[Contract]) -> None:
    """It is given the schema of what is written; that of what is read is the same."""
    assert contract.model_json_schema(mode="validation") == contract.model_json_schema(mode="serialization")


# --- the real models, changed on purpose ------------------------------------------------------------------------------


def route_required(schema: Any) -> None:
    schema["$defs"]["ResponseMetadata"]["required"].append("route")


def items_gone(schema: Any) -> None:
    del schema["$defs"]["ResponseMetadata"]["properties"]["items"]


def outcome_added(schema: Any) -> None:
    schema["$defs"]["ItemOutcome"]["enum"].append("SKIPPED")


def text_as_list(schema: Any) -> None:
    schema["properties"]["text"] = {**schema["properties"]["text"], "type": "array", "items": {"type": "string"}}


def session_renamed(schema: Any) -> None:
    payload = schema["$defs"]["GatewayPayload"]
    payload["properties"]["session"] = payload["properties"].pop("session_id")
    payload["required"] = [{"session_id": "session"}.get(name, name) for name in payload["required"]]


def offset_gone(schema: Any) -> None:
    del schema["properties"]["input_position"]
    schema["required"].remove("input_position")


def revision_as_text(schema: Any) -> None:
    schema["$defs"]["Transaction"]["properties"]["revision"]["type"] = "string"


REAL = (
    pytest.param(
        "channel-response-v1",
        route_required,
        "ChannelResponse.metadata.route became required: gateways that answer without it break; "
        "make it optional or release channel-response-v2",
        id="a response's route becomes required",
    ),
    pytest.param(
        "channel-response-v1",
        items_gone,
        "ChannelResponse.metadata.items was removed; it was optional: readers have always had to do without it, and its name must "
        "never come back with another type; make sure that nobody relies on it",
        id="a response's items go",
    ),
    pytest.param(
        "channel-response-v1",
        outcome_added,
        'ChannelResponse.metadata.items[].outcome may now be "SKIPPED": channel gateways that know only "SUCCEEDED", "FAILED" or "UNKNOWN" '
        "break; declare the enum open (x-open) and wait a release before the value is written, or release channel-response-v2",
        id="an item's outcome gets a value",
    ),
    pytest.param(
        "channel-response-v1",
        text_as_list,
        "ChannelResponse.text is now array instead of string: channel gateways that know only string break, and gateways that answer "
        "with a string in it break; put array into a new optional field, or release channel-response-v2",
        id="a response's text becomes a list",
    ),
    pytest.param(
        "gateway-request-v1",
        session_renamed,
        "GatewayRequest.payload.session_id was renamed to session: gateways that ask with session_id instead are refused; keep "
        "session_id and add session beside it as optional, or release gateway-request-v2",
        id="a request's session gets another name",
    ),
    pytest.param(
        "checkpoint-v1",
        offset_gone,
        "Checkpoint.input_position was removed, and it was required: replicas of the last release that rely on it break during a "
        "rolling upgrade; keep it, or release checkpoint-v2",
        id="a checkpoint's position goes",
    ),
    pytest.param(
        "execute-command-v1",
        revision_as_text,
        "ExecuteCommand.transaction.revision is now string instead of integer: what stages of the last release wrote with an integer "
        "in it is dead-lettered, and stages of the last release that know only integer break during a rolling upgrade; put string "
        "into a new optional field, or release execute-command-v2",
        id="a command's revision becomes a text",
    ),
)


@pytest.mark.parametrize(("version", "spoil", "sentence"), REAL)
def test_a_real_contract_changed_on_purpose_is_judged(
    version: str, spoil: Callable[[Any], None], sentence: str
) -> None:
    changed = copy.deepcopy(MODELS[version])
    spoil(changed)
    assert [verdict.sentence for verdict in compare(MODELS[version], changed, version)] == [sentence]


# --- what a model declares --------------------------------------------------------------------------------------------


class Fate(StrEnum):
    DONE = "DONE"


class MoreFate(StrEnum):
    DONE = "DONE"
    SKIPPED = "SKIPPED"


class Answer(Contract):
    """As first released."""

    fate: Fate | str = Field(json_schema_extra={"x-open": True})
    closed: Fate
    session_id: str


class GrownAnswer(Contract):
    """The same, grown: the open enum, the closed one, and a field under another name that still reads the old one."""

    fate: MoreFate | str = Field(json_schema_extra={"x-open": True})
    closed: MoreFate
    session: str = Field(
        validation_alias=AliasChoices("session", "session_id"), json_schema_extra={"x-aliases": ["session_id"]}
    )


def test_what_a_model_declares_is_heard() -> None:
    old, new = (model.model_json_schema(mode="serialization") for model in (Answer, GrownAnswer))
    verdicts = compare(old, new, "answer-v1")
    assert {
        (verdict.path, verdict.rule, verdict.grade) for verdict in verdicts if verdict.rule != "description-changed"
    } == {
        ("GrownAnswer.fate", "open-enum-value-added", Grade.COMPATIBLE),
        ("GrownAnswer.closed", "enum-value-added", Grade.BREAKING),
        ("GrownAnswer.session_id", "renamed-with-alias", Grade.BREAKING),
        ("GrownAnswer.session", "alias-added", Grade.COMPATIBLE),
    }
    read = GrownAnswer.model_validate({"fate": "LATER", "closed": "DONE", "session_id": "s"})
    assert (read.fate, read.session) == ("LATER", "s")


# --- versions ---------------------------------------------------------------------------------------------------------


def schema(title: str, *required: str, **fields: Any) -> dict[str, Any]:
    return {"title": title, "type": "object", "properties": fields, "required": list(required)}


TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
ORDER = schema("Order", "a", a=TEXT)
V1, V2, V3 = "order-v1", "order-v2", "order-v3"
VERSIONS = (
    pytest.param({}, {V1: ORDER}, None, [("contract-added", Grade.COMPATIBLE)], id="a new contract"),
    pytest.param({V1: [ORDER]}, {}, None, [("contract-removed", Grade.BREAKING)], id="a contract goes"),
    pytest.param(
        {V1: [ORDER]}, {"purchase-v1": ORDER}, None, [("contract-renamed", Grade.BREAKING)], id="another name"
    ),
    pytest.param(
        {V1: [ORDER]}, {V1: ORDER, V2: ORDER}, None, [("major-added", Grade.COMPATIBLE)], id="a major beside the old"
    ),
    pytest.param(
        {V1: [ORDER]},
        {V2: schema("Order", "b", b=NUMBER)},
        {(V1, V2)},
        [("major-replaced", Grade.NOTICE), ("major-added", Grade.COMPATIBLE)],
        id="a major begins anew, and the old one is lifted",
    ),
    pytest.param(
        {V1: [ORDER]},
        {V2: ORDER},
        set(),
        [("major-without-upcaster", Grade.BREAKING)],
        id="a major that nothing lifts to",
    ),
    pytest.param(
        {V1: [ORDER], V2: [ORDER]},
        {V2: ORDER},
        set(),
        [("major-given-up", Grade.NOTICE)],
        id="the upcaster of an old major goes",
    ),
    pytest.param(
        {V1: [ORDER], V2: [ORDER], V3: [ORDER]},
        {V3: ORDER},
        {(V1, V2), (V2, V3)},
        [("major-replaced", Grade.NOTICE), ("major-replaced", Grade.NOTICE)],
        id="old majors are lifted step by step",
    ),
    pytest.param(
        {V1: [ORDER]}, {V1: ORDER, V3: ORDER}, None, [("major-skipped", Grade.BREAKING)], id="a major is skipped"
    ),
    pytest.param(
        {V2: [ORDER]},
        {V1: ORDER},
        None,
        [("contract-removed", Grade.BREAKING), ("contract-added", Grade.COMPATIBLE)],
        id="a major goes back",
    ),
    pytest.param(
        {}, {"order": ORDER}, None, [("version-unreadable", Grade.CANNOT_JUDGE)], id="a version string without a major"
    ),
    pytest.param(
        {V1: [ORDER]},
        {V1: schema("Order", "a", "b", a=TEXT, b=TEXT)},
        None,
        [("field-added-required", Grade.BREAKING)],
        id="a breaking change without another version string",
    ),
    pytest.param(
        {V1: [schema("Order", "a", a=TEXT, b=TEXT), ORDER]},
        {V1: schema("Order", "a", a=TEXT, b=NUMBER)},
        None,
        [("field-added-optional", Grade.COMPATIBLE), ("type-changed", Grade.BREAKING)],
        id="a removed field's name comes back with another type",
    ),
)


@pytest.mark.parametrize(("old", "new", "lifted", "expected"), VERSIONS)
def test_versions_are_judged(old: Any, new: Any, lifted: Any, expected: Any) -> None:
    assert [(verdict.rule, verdict.grade) for verdict in compare_sets(old, new, lifted)] == expected


def test_every_rule_on_versions_has_a_case() -> None:
    cases = {rule for case in VERSIONS for rule, _ in case.values[3]}  # type: ignore[union-attr]
    assert cases >= OF_VERSIONS


def test_a_skipped_major_is_told_with_the_one_that_comes_next() -> None:
    (verdict,) = compare_sets({V1: [ORDER]}, {V1: ORDER, V3: ORDER})
    assert verdict.sentence == (
        "order-v3 skips a major version after order-v1: readers and upcasters count majors one by one; release order-v2"
    )
