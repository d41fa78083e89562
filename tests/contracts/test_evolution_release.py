"""The released set: what is frozen stays, what breaks is refused, and CI sees it: the gate on today's models, and its commands."""

import copy
import json
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from consumers.cli import app
from consumers.evolution.released import (
    RELEASED,
    UnreadableSchema,
    against_released,
    changed_afterwards,
    current,
    freeze,
    released,
)
from contracts.evolution.upcasting import Upcaster

ROOT = Path(__file__).parents[2]
DAY = date(2026, 12, 1)
MODELS = current()
ROUTE = (
    "ChannelResponse.metadata.route became required: gateways that answer without it break; "
    "make it optional or release channel-response-v2"
)


def command(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["contracts", *arguments], prog_name="python -m consumers")


def write(folder: Path, **schemas: Any) -> Path:
    folder.mkdir()
    for name, schema in schemas.items():
        (folder / f"{name.replace('_', '-')}.json").write_text(json.dumps(schema))
    return folder


@pytest.fixture
def spoilt() -> Any:
    """The response's schema with a required route."""
    schema = copy.deepcopy(MODELS["channel-response-v1"])
    schema["$defs"]["ResponseMetadata"]["required"].append("route")
    return schema


@pytest.fixture
def widened() -> Any:
    """The response's schema with one more optional field."""
    schema = copy.deepcopy(MODELS["channel-response-v1"])
    schema["properties"]["language"] = {"type": "string", "description": "Of the text."}
    return schema


# --- what makes CI red ------------------------------------------------------------------------------------------------


def test_the_models_keep_to_what_was_released() -> None:
    assert [verdict.sentence for verdict in against_released(MODELS) if verdict.grade.failing] == []


def test_every_contract_is_released() -> None:
    assert set(released()) == set(MODELS)


def test_no_released_file_was_changed_afterwards() -> None:
    assert changed_afterwards(RELEASED) == ()


def test_a_breaking_change_of_a_model_turns_the_check_red(tmp_path: Path) -> None:
    for package in ("contracts", "consumers", "pipeline"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    model = tmp_path / "contracts" / "channel_response.py"
    source = model.read_text(encoding="utf-8")
    assert 'route: str = ""' in source
    model.write_text(source.replace('route: str = ""', "route: str"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "consumers", "contracts", "check"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert ROUTE in done.stdout.splitlines()


# --- check OLD NEW ----------------------------------------------------------------------------------------------------


def test_check_compares_two_folders(tmp_path: Path, spoilt: Any) -> None:
    old = write(tmp_path / "old", channel_response_v1=MODELS["channel-response-v1"])
    done = command("check", str(old), str(write(tmp_path / "new", channel_response_v1=spoilt)))
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [ROUTE]


def test_check_compares_two_files_whatever_they_are_called(tmp_path: Path, widened: Any) -> None:
    folder = write(tmp_path / "x", before=MODELS["channel-response-v1"], after=widened)
    done = command("check", str(folder / "before.json"), str(folder / "after.json"))
    assert done.exit_code == 0
    assert done.stdout.startswith("compatible: ChannelResponse.language is new and optional")


def test_check_takes_a_file_of_the_next_major_for_a_new_version(tmp_path: Path, spoilt: Any) -> None:
    folder = write(tmp_path / "x", channel_response_v1=MODELS["channel-response-v1"], channel_response_v2=spoilt)
    done = command("check", *(str(folder / f"channel-response-v{major}.json") for major in (1, 2)))
    assert done.exit_code == 0
    assert "channel-response-v2 is a new major version beside channel-response-v1" in done.stdout


def test_check_knows_a_schema_without_a_dialect_by_its_keywords(tmp_path: Path) -> None:
    old = {"$ref": "#/$defs/Order", "$defs": {"Order": {"type": "object", "required": ["a"]}}}
    new = {"oneOf": [{"type": "object"}, {"type": "string"}]}
    folders = [write(tmp_path / side, order_v1=schema) for side, schema in (("old", old), ("new", new))]
    done = command("check", *map(str, folders))
    assert done.exit_code == 1
    assert "order-v1 may now be string, not only object" in done.stdout


def test_check_prints_verdicts_as_json_lines(tmp_path: Path, spoilt: Any) -> None:
    old = write(tmp_path / "old", channel_response_v1=MODELS["channel-response-v1"])
    done = command("check", str(old), str(write(tmp_path / "new", channel_response_v1=spoilt)), "--json")
    assert done.exit_code == 1
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {
            "grade": "breaking",
            "version": "channel-response-v1",
            "path": "ChannelResponse.metadata.route",
            "rule": "became-required",
            "sentence": ROUTE,
        }
    ]


def test_check_tells_better_words_in_one_line(tmp_path: Path) -> None:
    reworded = copy.deepcopy(MODELS["channel-response-v1"])
    for field in ("channel", "text"):
        reworded["properties"][field]["description"] = "In other words."
    old = write(tmp_path / "old", channel_response_v1=MODELS["channel-response-v1"])
    done = command("check", str(old), str(write(tmp_path / "new", channel_response_v1=reworded)))
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        (
            "notice: 2 places are described differently (ChannelResponse.channel, ChannelResponse.text): better words are fine, another "
            "meaning needs a raised x-meaning and a new major"
        )
    ]


@pytest.mark.parametrize("name", ["check", "release"])
def test_help_has_an_example(name: str) -> None:
    done = command(name, "--help")
    assert done.exit_code == 0
    assert f"Example: python -m consumers contracts {name}" in " ".join(done.output.split())


def test_check_without_a_change_says_so_and_reads_the_examples() -> None:
    done = command("check")
    assert done.exit_code == 0
    assert "examples of 19 contracts are as they should be" in done.stderr


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param("{", "cannot be read as JSON", id="no JSON"),
        pytest.param('{"asyncapi": "3.0.0"}', "is no JSON Schema", id="JSON of another kind"),
        pytest.param("[" * 100_000, "cannot be read as JSON", id="JSON nested too deep"),
        pytest.param('{"properties": {"a": 3}}', "(properties.a: 3 is not of types", id="keywords of a wrong type"),
    ],
)
def test_check_refuses_a_file_that_is_no_schema(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(content)
    done = command("check", str(path), str(path))
    assert done.exit_code == 2
    assert says in " ".join(done.output.split())


def test_check_wants_two_sets_or_none(tmp_path: Path) -> None:
    done = command("check", str(write(tmp_path / "old")))
    assert done.exit_code == 2
    assert "give OLD and NEW" in done.output


# --- release ----------------------------------------------------------------------------------------------------------


def test_a_first_release_freezes_every_contract(tmp_path: Path) -> None:
    frozen = freeze(MODELS, DAY, "the first", tmp_path)
    assert set(frozen.releases) == {f"{version}.0" for version in MODELS}
    assert released(tmp_path) == {version: [schema] for version, schema in MODELS.items()}
    assert "## 2026-12-01: the first" in (tmp_path / "CHANGES.md").read_text()
    assert changed_afterwards(tmp_path) == ()


def test_a_release_without_a_change_freezes_nothing(tmp_path: Path) -> None:
    freeze(MODELS, DAY, "", tmp_path)
    before = (tmp_path / "CHANGES.md").read_text()
    assert freeze(MODELS, DAY, "again", tmp_path).releases == ()
    assert (tmp_path / "CHANGES.md").read_text() == before


def test_a_compatible_change_becomes_a_minor_release(tmp_path: Path, widened: Any) -> None:
    freeze(MODELS, DAY, "", tmp_path)
    frozen = freeze({**MODELS, "channel-response-v1": widened}, DAY, "language", tmp_path)
    assert frozen.releases == ("channel-response-v1.1",)
    assert released(tmp_path)["channel-response-v1"] == [MODELS["channel-response-v1"], widened]
    told = (tmp_path / "CHANGES.md").read_text()
    assert told.index("language is new and optional") < told.index("gateway-request-v1.0")
    assert changed_afterwards(tmp_path) == ()


def test_a_breaking_change_is_not_released(tmp_path: Path, spoilt: Any) -> None:
    freeze(MODELS, DAY, "", tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())
    frozen = freeze({**MODELS, "channel-response-v1": spoilt}, DAY, "", tmp_path)
    assert frozen.refused
    assert [verdict.sentence for verdict in frozen.verdicts] == [ROUTE]
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_breaking_change_is_released_as_a_new_major_with_an_upcaster(tmp_path: Path, spoilt: Any) -> None:
    freeze(MODELS, DAY, "", tmp_path)
    models = {version: schema for version, schema in MODELS.items() if version != "channel-response-v1"}
    models["channel-response-v2"] = spoilt
    assert freeze(models, DAY, "", tmp_path, upcasts=()).refused
    lift = Upcaster("channel-response-v1", "channel-response-v2", dict)
    assert freeze(models, DAY, "", tmp_path, upcasts=(lift,)).releases == ("channel-response-v2.0",)
    assert set(released(tmp_path)) == {*MODELS, "channel-response-v2"}


def test_a_change_that_only_the_first_of_two_releases_forbids_is_refused(tmp_path: Path, widened: Any) -> None:
    freeze({"channel-response-v1": widened}, DAY, "", tmp_path)
    freeze({"channel-response-v1": MODELS["channel-response-v1"]}, DAY, "language goes", tmp_path)
    back = copy.deepcopy(widened)
    back["properties"]["language"]["type"] = "integer"
    frozen = freeze({"channel-response-v1": back}, DAY, "", tmp_path)
    assert [verdict.rule for verdict in frozen.verdicts if verdict.grade.failing] == ["type-changed"]


def test_a_release_that_cannot_be_told_leaves_nothing_behind(tmp_path: Path, widened: Any) -> None:
    freeze(MODELS, DAY, "", tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    (tmp_path / "CHANGES.new").mkdir()  # nothing can be written there
    with pytest.raises(OSError, match=r"CHANGES\.new"):
        freeze({**MODELS, "channel-response-v1": widened}, DAY, "language", tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_a_released_file_that_was_changed_is_noticed(tmp_path: Path, spoilt: Any) -> None:
    freeze(MODELS, DAY, "", tmp_path)
    (tmp_path / "channel-response-v1.0.json").write_text(json.dumps(spoilt))
    (tmp_path / "session-v1.0.json").unlink()
    assert changed_afterwards(tmp_path) == ("channel-response-v1.0", "session-v1.0")


def test_a_set_with_a_broken_file_is_not_read_in_part(tmp_path: Path) -> None:
    freeze(MODELS, DAY, "", tmp_path)
    (tmp_path / "session-v1.0.json").write_text("{")
    with pytest.raises(UnreadableSchema, match=r"session-v1\.0\.json cannot be read"):
        released(tmp_path)
