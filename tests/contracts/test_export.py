"""What is published in docs/contracts is what the code says, in both languages, and reads and validates as it should."""

import copy
import json
import re
from collections.abc import Iterator
from functools import cache, reduce
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from consumers.cli import app
from consumers.schemas import files
from consumers.schemas.diagram import flowchart
from consumers.schemas.enumerations import meanings
from consumers.schemas.examples import WHY, examples_document
from consumers.schemas.known_contracts import ALL, Example, examples_of
from consumers.schemas.markdown import anchor
from consumers.schemas.page_contracts import GROUPS, catalogue
from consumers.schemas.wording import ENGLISH, PORTUGUESE, Words, words
from contracts.base import Contract
from contracts.event_catalogue import EVENTS
from pipeline import topology

EXAMPLES = [example for contract in ALL for example in examples_of(contract)]
REPAIR = "python -m consumers contracts export"


@cache
def made() -> dict[str, str]:
    return files.exported()


@cache
def validator(contract: type[Contract]) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(files.published_schema(contract), validate_formats=True)


def named(example: Example) -> str:
    return f"{example.contract.VERSION} {example.path.stem}"


def test_published_files_are_as_the_code_makes_them() -> None:
    different = files.differences(files.HOME)
    assert different == [], f"run `{REPAIR}` and commit what it writes"


def test_exporting_twice_changes_nothing(tmp_path: Path) -> None:
    assert sorted(files.export(tmp_path)) == sorted(made())
    assert files.export(tmp_path) == []
    assert files.differences(tmp_path) == []


def test_check_names_what_differs_and_the_command_that_repairs_it(tmp_path: Path) -> None:
    files.export(tmp_path)
    (tmp_path / "README.md").write_text("edited by hand", encoding="utf-8")
    (tmp_path / "asyncapi.json").unlink()
    (tmp_path / "gone-v1.schema.json").write_text("{}", encoding="utf-8")
    (tmp_path / "notes.md").write_text("somebody's", encoding="utf-8")
    told = CliRunner().invoke(app, ["contracts", "export", "--to", str(tmp_path), "--check"])
    assert told.exit_code == 1
    text = told.output.replace("\n", "")
    for name, how in (("README.md", "differs"), ("asyncapi.json", "is missing"), ("gone-v1.schema.json", "no longer")):
        assert re.search(rf"{name}: .*{how}", text), name
    assert f"{REPAIR} --to {tmp_path}" in text
    assert CliRunner().invoke(app, ["contracts", "export", "--to", str(tmp_path)]).exit_code == 0
    assert CliRunner().invoke(app, ["contracts", "export", "--to", str(tmp_path), "--check"]).exit_code == 0
    assert (tmp_path / "notes.md").read_text(encoding="utf-8") == "somebody's"


def test_asyncapi_is_printed_under_the_names_of_the_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIPELINE__PREFIX", "shop")
    printed = CliRunner().invoke(app, ["contracts", "asyncapi"])
    assert printed.exit_code == 0
    addresses = [channel["address"] for channel in json.loads(printed.output)["channels"].values()]
    assert "shop.channel.whatsapp.responses" in addresses
    generic = CliRunner().invoke(app, ["contracts", "asyncapi", "--generic"])
    assert generic.output.strip() == made()["asyncapi.json"].strip()


@pytest.mark.parametrize("contract", ALL, ids=lambda contract: contract.VERSION)
def test_schema_is_a_valid_one_with_an_id_of_its_own(contract: type[Contract]) -> None:
    schema = json.loads(made()[f"{contract.VERSION}.schema.json"])
    jsonschema_rs.meta.validate(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:contract:{contract.VERSION}"
    assert schema["title"] == contract.__name__
    assert schema["description"]
    assert schema["examples"]


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_schema_and_model_agree_on_an_example(example: Example) -> None:
    assert validator(example.contract).is_valid(example.data) is (example.field is None)


ODD: list[Any] = [None, "", " ", "x", 0, -1, 1.5, True, [], {}, "2026-01-01T00:00:00", "2026-01-01T00:00:00Z", 10**30]
GONE = object()


def with_one_oddity(data: Any) -> Iterator[tuple[str, Any]]:
    """The same data with one value replaced or gone, and that value's path."""
    for path in paths(data):
        for odd in (*ODD, GONE):
            other = copy.deepcopy(data)
            *way, last = path
            place = reduce(lambda inner, step: inner[step], way, other)
            if odd is GONE:
                del place[last]
            else:
                place[last] = odd
            yield ".".join(map(str, path)), other


def paths(value: Any) -> Iterator[tuple[Any, ...]]:
    steps: Any = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for step in steps:
        yield (step,)
        yield from ((step, *rest) for rest in paths(value[step]))


@pytest.mark.parametrize("contract", ALL, ids=lambda contract: contract.VERSION)
def test_what_the_schema_accepts_is_accepted_whatever_is_odd_in_an_example(contract: type[Contract]) -> None:
    """But `kind`, by which a command is told from the other: it has a default, and is needed all the same."""
    wrong = set()
    for example in examples_of(contract):
        if example.field is not None:
            continue
        for path, data in with_one_oddity(example.data):
            if validator(contract).is_valid(data) and not is_read(contract, data):
                wrong.add(path)
    assert wrong <= {"command.kind"}


def is_read(contract: type[Contract], data: Any) -> bool:
    try:
        contract.model_validate(data)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("contract", ALL, ids=lambda contract: contract.VERSION)
def test_invalid_examples_are_published_with_the_reason_and_the_refusal(contract: type[Contract]) -> None:
    published = examples_document(contract)
    assert published["valid"]
    assert published["invalid"]
    for each in published["invalid"]:
        assert f"`{each['field']}`" in each["why"]
        assert each["refused_with"].split(" ")[0]


def test_every_reason_is_used_by_an_example() -> None:
    assert {example.path.stem.split("--")[1] for example in EXAMPLES if example.field} == WHY.keys()


def test_every_value_of_every_enum_is_explained() -> None:
    for name, part in catalogue().enums.items():
        assert set(part["enum"]) == meanings()[name].keys(), name


def test_portuguese_page_says_everything_in_portuguese() -> None:
    t = words(PORTUGUESE)
    files.page_in(t)
    home = "consumers/schemas/texts.pt-BR.json"
    assert t.missing == [], f"translate in {home}"
    assert t.stale == [], f"nobody says these any more: remove them from {home}"


def test_a_sentence_without_a_translation_is_shown_in_english_and_told() -> None:
    known = dict(words(PORTUGUESE).known)
    known["Somebody said this once."] = "Alguém disse isto um dia."
    del known["The message."]
    t = Words(PORTUGUESE, known)
    assert "| The message. |" in files.page_in(t)
    assert (t.missing, t.stale) == (["The message."], ["Somebody said this once."])


def test_translation_keeps_what_must_not_be_translated() -> None:
    kept = re.compile(r"`[^`]+`|\{\w+\}|\]\([^)]+\)")
    for english, portuguese in words(PORTUGUESE).known.items():
        assert sorted(kept.findall(english)) == sorted(kept.findall(portuguese)), english
        assert english.endswith((".", ":")) == portuguese.endswith((".", ":")), english


def test_pages_of_both_languages_have_one_structure() -> None:
    shape = re.compile(r"^(#+|\||```|<details|[^#|`<]).*$")

    def outline(language: str) -> list[str]:
        found = (shape.match(line) for line in made()[files.PAGES[language]].splitlines())
        return [
            match[1] if match[1] in {"|", "```", "<details"} or match[1][0] == "#" else "" for match in found if match
        ]

    assert outline(ENGLISH) == outline(PORTUGUESE)


@pytest.mark.parametrize("language", [ENGLISH, PORTUGUESE])
def test_links_of_the_page_lead_somewhere(language: str) -> None:
    page = made()[files.PAGES[language]]
    anchors = [anchor(line.lstrip("# ")) for line in page.splitlines() if line.startswith("#")]
    assert len(anchors) == len(set(anchors))
    for target in re.findall(r"\]\(([^)]+)\)", page):
        where, _, section = target.partition("#")
        assert not section or section in anchors, target
        assert not where or where in made() or (files.HOME / where).exists(), target


def test_every_contract_is_in_one_group_of_the_page() -> None:
    grouped = [name for group in GROUPS for name in group.names]
    assert sorted(grouped) == sorted(contract.__name__ for contract in ALL)


def test_page_names_every_field_of_every_contract() -> None:
    page = made()["README.md"]
    for contract in ALL:
        for table in catalogue().tables(contract.__name__):
            for row in table.rows:
                assert f"| `{row.path}` |" in page


def test_diagram_has_every_edge_of_the_topology() -> None:
    lines = flowchart(words(ENGLISH)).splitlines()

    def node(name: str) -> str:
        return f"n_{name.replace('.', '_').replace('-', '_')}"

    def edge(start: str, end: str) -> bool:
        return any(re.fullmatch(rf"  {start} \S.*> {end}", line) for line in lines)

    for stage in topology.STAGES.values():
        assert all(edge(node(source.topic), node(stage.name)) for source in stage.inputs)
        assert all(edge(node(stage.name), node(target)) for target in stage.outputs)
    assert not edge(node(topology.EXECUTE), node("confirm"))


def test_page_tells_of_every_topic_and_event() -> None:
    page = made()["README.md"]
    for spec in topology.topics(("<channel>",)):
        name = re.sub(r"^(state|dlq)\..*", r"\1.<stage>", spec.name)
        assert f"| `{name}` |" in page
    for event in EVENTS:
        assert f"| `{event.name}` |" in page
