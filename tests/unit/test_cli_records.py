"""How values of any topic are shown: as JSON where that loses nothing."""

import json
from typing import Any

import pytest

from consumers.cli.records import body

DEEP = b"[" * 50_000 + b"]" * 50_000


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param(None, None, id="a tombstone"),
        pytest.param(b'{"a": 1, "b": [12345678901234567890]}', {"a": 1, "b": [12345678901234567890]}, id="JSON"),
        pytest.param(b"{", "{", id="no JSON"),
        pytest.param(b'{"a": 1, "a": 2}', '{"a": 1, "a": 2}', id="a key twice"),
        pytest.param(
            b'{"a": 1.2345678901234567890}', '{"a": 1.2345678901234567890}', id="more digits than a double holds"
        ),
        pytest.param(b"[NaN]", "[NaN]", id="no number of JSON"),
        pytest.param(b'"\\ud800"', '"\\ud800"', id="half a surrogate pair"),
        pytest.param(DEEP, DEEP.decode(), id="deeper than anybody reads"),
        pytest.param(b"\xff", {"base64": "/w=="}, id="no text"),
        pytest.param(b"", "", id="nothing"),
    ],
)
def test_a_value_is_shown_as(value: bytes | None, shown: Any) -> None:
    assert body(value) == shown
    assert json.loads(json.dumps(body(value), ensure_ascii=False).encode()) == shown
