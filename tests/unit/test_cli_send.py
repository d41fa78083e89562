"""Reading a file of requests before any is sent."""

import json
from typing import Any

import pytest

from consumers.cli.send import read
from tests.installation import installation

REQUEST: dict[str, Any] = {
    "channel": "web",
    "tenant_id": "default",
    "agent_id": "retail_orders",
    "payload": {"message": "oi", "session_id": "s 1", "message_id": "m1"},
}
LINE = json.dumps(REQUEST).encode()


def test_a_request_gets_the_key_of_its_conversation() -> None:
    (line,), problems = read(LINE, installation(), raw=False, keyed=True)
    assert (line.number, line.value, line.key) == (1, LINE, b"default:retail_orders:s%201")
    assert problems == []


def test_a_request_goes_without_a_key_when_asked() -> None:
    (line,), _ = read(LINE, installation(), raw=False, keyed=False)
    assert line.key is None


def test_blank_lines_are_passed_over_and_counted() -> None:
    lines, _ = read(b"\n" + LINE + b"\r\n\n" + LINE, installation(), raw=False, keyed=True)
    assert [(line.number, line.value) for line in lines] == [(2, LINE), (4, LINE)]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        pytest.param(b"{", "line 2: the value is not UTF-8 JSON", id="no JSON"),
        pytest.param(b'"\xff"', "line 2: the value is not UTF-8 JSON", id="no UTF-8"),
        pytest.param(b"\xef\xbb\xbf" + LINE, "line 2: the value is not UTF-8 JSON", id="a byte order mark"),
        pytest.param(
            LINE.replace(b'"message":', b'"message": "sim", "message":'),
            "line 2: payload.message occurs twice in its object",
            id="a key twice",
        ),
        pytest.param(LINE.replace(b'"oi"', b"NaN"), "line 2: the value is not UTF-8 JSON", id="no number"),
        pytest.param(b'{"payload": {}}', "line 2: channel is required", id="a missing field"),
        pytest.param(b"[]", "line 2:", id="no object"),
    ],
)
def test_a_bad_line_is_told_with_its_number(line: bytes, says: str) -> None:
    _, (problem,) = read(LINE + b"\n" + line, installation(), raw=False, keyed=True)
    assert problem.startswith(says)


def test_bad_lines_are_sent_as_they_are_when_asked() -> None:
    bad = b'{"broken'
    lines, problems = read(bad + b"\n" + LINE, installation(), raw=True, keyed=True)
    assert [(line.value, line.key) for line in lines] == [(bad, None), (LINE, b"default:retail_orders:s%201")]
    assert problems == []


def test_a_readable_key_is_given_to_a_bad_line_too() -> None:
    bad = json.dumps({**REQUEST, "channel": None}).encode()
    (line,), _ = read(bad, installation(), raw=True, keyed=True)
    assert line.key == b"default:retail_orders:s%201"


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("agent_id", {"agent_id": "nobody"}),
        ("channel", {"channel": "fax"}),
        ("payload.message", {"payload": {**REQUEST["payload"], "message": "x" * 20_000}}),
        (
            "payload.metadata.contract_version",
            {"payload": {**REQUEST["payload"], "metadata": {"contract_version": "gateway-request-v2"}}},
        ),
    ],
)
def test_a_line_that_this_installation_refuses_is_told(field: str, change: dict[str, Any]) -> None:
    line = json.dumps({**REQUEST, **change}).encode()
    lines, (problem,) = read(line, installation(), raw=False, keyed=True)
    assert lines == []
    assert problem.startswith(f"line 1: {field} ")


@pytest.mark.parametrize("field", ["tenant_id", "agent_id"])
def test_a_line_without_what_has_no_default_here_is_told(field: str) -> None:
    line = json.dumps({**REQUEST, field: None}).encode()
    lines, (problem,) = read(line, installation(), raw=False, keyed=True)
    assert lines == []
    assert problem.startswith(f"line 1: {field} is required")
