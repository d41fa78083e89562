"""docs/guarantees.md names tests that exist, in files that exist."""

import re
from pathlib import Path

from pipeline.testing.scenarios import SCENARIOS

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8")
NAMED = re.compile(r"\]\(\.\./(?P<file>tests/[\w/]+\.py)\)::(?P<test>test_\w+)")
SCENARIO_NAMES = re.compile(r"`([a-z]+(?:-[a-z]+)+)`")
LINE = re.compile(r"^\| (?P<number>\d+) \|.*\| (?P<proof>[^|]*) \|$", re.MULTILINE)


def test_every_test_that_the_guarantees_name_exists() -> None:
    named = NAMED.findall(TEXT)
    assert len(named) > 30
    missing = [
        f"{file}::{test}"
        for file, test in named
        if not (ROOT / file).exists()
        or not re.search(rf"^(async )?def {test}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert missing == []


def test_every_promise_names_its_proof() -> None:
    lines = LINE.findall(TEXT)
    assert [number for number, _ in lines] == [str(number) for number in range(1, len(lines) + 1)]
    assert [number for number, proof in lines if not NAMED.search(proof)] == []


def test_every_test_is_named_with_its_file() -> None:
    assert len(re.findall(r"::test_\w+", TEXT)) == len(NAMED.findall(TEXT))


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(\.\./([^)#]+)\)", TEXT)
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_scenario_that_is_named_exists() -> None:
    said = {name for part in re.findall(r"Scenarios? [^|.]+", TEXT) for name in SCENARIO_NAMES.findall(part)}
    assert len(said) > 10
    assert said - SCENARIOS.keys() == set()
