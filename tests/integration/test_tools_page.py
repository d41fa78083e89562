"""docs/tools.md: its first tool, put together from the page as a reader would, is certified and raises no warning but that it is new."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from consumers.certify.certifying import Order, certify
from consumers.certify.findings import Verdict
from consumers.certify.scenarios import load_scenarios
from consumers.configuration import load_configuration
from pipeline.behaviour_files import warnings
from tests.integration.mcp_peers import ROOT

pytestmark = pytest.mark.timeout(60)

BLOCK = re.compile(r"^```(?:yaml|python)\n# (?P<name>[\w./-]+).*?\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)


def followed(folder: Path) -> Path:
    """The page's files in a folder, the pieces of configuration appended to a copy of ours. Returns that copy."""
    config = folder / "config"
    shutil.copytree(ROOT / "config", config)
    page = (ROOT / "docs" / "tools.md").read_text("utf-8").partition("## A first tool")[2].partition("\n## ")[0]
    for block in BLOCK.finditer(page):
        path = folder / block["name"]
        before = path.read_text("utf-8").rstrip("\n") + "\n" if path.exists() else ""
        text = block["text"].replace("[gym.py]", f"[{folder / 'gym.py'}]").replace(".venv/bin/python", sys.executable)
        path.write_text(before + text, "utf-8")
    return config


async def test_first_tool_of_the_page_is_certified_as_it_stands_there(tmp_path: Path) -> None:
    loaded = load_configuration(followed(tmp_path))
    assert loaded.installation.tool_for("gym", "cancelar_assinaturas") is not None
    assert [warning for warning in warnings(loaded.installation) if "assinaturas" in warning] == []
    file = tmp_path / "gym-certification.yaml"
    order = Order(
        server="gym",
        tool="cancelar_assinaturas",
        scenarios=load_scenarios(file),
        file=str(file),
        configuration=loaded,
        sandbox=True,
    )
    done = await certify(order)
    assert [finding for finding in done.findings if finding.verdict is Verdict.FAIL] == []
    assert done.result.passed
