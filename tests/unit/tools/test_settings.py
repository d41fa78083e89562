"""One entry of mcp_servers.yaml."""

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from pipeline.tools.connection import LONGEST_BACKOFF_S, backoff_s
from pipeline.tools.settings import McpServerSettings, MissingVariable, expand, shown, without_user

CONFIG = Path(__file__).parents[3] / "config" / "mcp_servers.yaml"


@pytest.mark.parametrize(
    ("entry", "names"),
    [
        pytest.param({}, "url", id="no address"),
        pytest.param({"url": "ftp://x"}, "url", id="another scheme"),
        pytest.param({"url": "http://x", "command": "y"}, "command", id="both transports"),
        pytest.param({"transport": "stdio"}, "command", id="stdio without a program"),
        pytest.param({"transport": "stdio", "command": "x", "url": "http://x"}, "url", id="stdio with an address"),
        pytest.param({"url": "http://x", "refusal_statuses": [500]}, "refusal_statuses", id="500 is never a refusal"),
        pytest.param({"url": "http://x", "concurency": 3}, "concurency", id="a misspelt key"),
        pytest.param({"url": "http://x", "concurrency": 0}, "concurrency", id="no calls at all"),
        pytest.param({"url": "http://x", "mode": "2025-06-18"}, "mode", id="a mode that is none"),
    ],
)
def test_entry_is_refused_and_the_key_named(entry: dict[str, Any], names: str) -> None:
    with pytest.raises(ValidationError, match=names):
        McpServerSettings.model_validate(entry)


def test_shipped_configuration_is_valid() -> None:
    servers = yaml.safe_load(CONFIG.read_text())["servers"]
    parsed = {name: McpServerSettings.model_validate(entry) for name, entry in servers.items()}
    assert parsed.keys() == {"contas", "retail"}


def test_placeholder_is_filled_from_the_environment_or_its_default() -> None:
    assert expand("a ${X} ${Y:-2}", {"X": "1"}) == "a 1 2"
    assert expand("${X:-d}", {"X": ""}) == "d"


def test_placeholder_without_a_value_names_the_variable() -> None:
    with pytest.raises(MissingVariable, match="TOKEN"):
        expand("Bearer ${TOKEN}", {})


@pytest.mark.parametrize(
    ("url", "seen", "sent", "user"),
    [
        pytest.param("http://h:1/mcp", "http://h:1/mcp", "http://h:1/mcp", None, id="no user"),
        pytest.param(
            "https://ana:p%40ss@h/mcp?key=k1", "https://h/mcp", "https://h/mcp?key=k1", ("ana", "p@ss"), id="a user"
        ),
        pytest.param("https://token@h/mcp", "https://h/mcp", "https://h/mcp", ("token", ""), id="a token"),
        pytest.param("https://a:b@c@h/mcp#k", "https://h/mcp", "https://h/mcp#k", ("a", "b@c"), id="an @ in it"),
    ],
)
def test_user_of_an_address_is_sent_apart_and_never_shown(
    url: str, seen: str, sent: str, user: tuple[str, str] | None
) -> None:
    assert shown(url) == seen
    assert without_user(url) == (sent, user)


def test_backoff_doubles_within_its_jitter_and_stays_below_its_cap() -> None:
    waits = [backoff_s(attempt, Random(1)) for attempt in range(1, 40)]  # same jitter throughout
    assert all(later >= earlier for earlier, later in pairwise(waits))
    assert waits[1] == pytest.approx(2 * waits[0])
    assert max(waits) <= LONGEST_BACKOFF_S
