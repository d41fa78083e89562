"""Logs: one shape for ours and the libraries', bounded when a library repeats itself."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from consumers.logs import LogFormat, RateLimit, kind_of, setup


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """The root logger as it was."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines_of(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_of_ours_carries_its_bound_fields_as_json() -> None:
    stream = io.StringIO()
    setup(LogFormat.JSON, stream=stream)
    structlog.get_logger("pipeline.worker").bind(stage="confirm").warning("assigned", numbers=[1, 2])
    (line,) = lines_of(stream)
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "message": "assigned",
        "stage": "confirm",
        "numbers": [1, 2],
        "logger": "pipeline.worker",
        "level": "warning",
    }


def test_a_library_s_line_has_the_same_shape() -> None:
    stream = io.StringIO()
    setup(LogFormat.JSON, stream=stream)
    logging.getLogger("aiokafka.conn").error("Unable connect to node with id %s", 3)
    (line,) = lines_of(stream)
    assert (line["message"], line["logger"], line["level"]) == (
        "Unable connect to node with id 3",
        "aiokafka.conn",
        "error",
    )


def test_a_library_s_information_is_left_out() -> None:
    stream = io.StringIO()
    setup(LogFormat.JSON, stream=stream)
    logging.getLogger("aiokafka.consumer").info("joined")
    logging.getLogger("httpx").info("HTTP Request")
    assert stream.getvalue() == ""


def test_lines_are_for_people_when_asked() -> None:
    stream = io.StringIO()
    setup(LogFormat.CONSOLE, stream=stream)
    structlog.get_logger("pipeline.worker").info("assigned", number=2)
    assert "assigned" in stream.getvalue()
    assert "number=2" in stream.getvalue()
    assert not stream.getvalue().startswith("{")


def test_lines_are_json_without_a_terminal() -> None:
    stream = io.StringIO()
    setup(LogFormat.AUTO, stream=stream)
    structlog.get_logger("pipeline.worker").info("assigned")
    assert lines_of(stream)[0]["message"] == "assigned"


def test_a_repeated_line_of_a_library_is_held_back_and_counted_in_the_next_window() -> None:
    stream, clock = io.StringIO(), Clock()
    setup(LogFormat.JSON, stream=stream, rate=RateLimit(lines=3, window_s=1, clock=clock))
    log = logging.getLogger("aiokafka.conn")
    for node in range(100):
        log.error("Unable connect to node with id %s: refused", node)
    assert len(lines_of(stream)) == 3
    clock.now += 1
    log.error("Unable connect to node with id %s: refused", 7)
    assert lines_of(stream)[-1]["suppressed"] == 97


def test_another_kind_of_line_is_not_held_back() -> None:
    stream, clock = io.StringIO(), Clock()
    setup(LogFormat.JSON, stream=stream, rate=RateLimit(lines=1, window_s=1, clock=clock))
    log = logging.getLogger("aiokafka.conn")
    log.error("first")
    log.error("first")
    log.error("second")
    logging.getLogger("aiokafka.client").error("first")
    assert [(line["logger"], line["message"]) for line in lines_of(stream)] == [
        ("aiokafka.conn", "first"),
        ("aiokafka.conn", "second"),
        ("aiokafka.client", "first"),
    ]


def test_our_own_lines_are_not_held_back_at_a_library_s_rate() -> None:
    stream, clock = io.StringIO(), Clock()
    setup(LogFormat.JSON, stream=stream, rate=RateLimit(lines=3, window_s=1, clock=clock))
    log = structlog.get_logger("pipeline.task")
    for number in range(20):
        log.info("taken over", number=number)
    assert [line["number"] for line in lines_of(stream)] == list(range(20))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param("node 1 is away", "node 22 is away", True, id="numbers are values"),
        pytest.param("topic 'a' is away", "topic 'b' is away", True, id="quoted names are values"),
        pytest.param("conn at 0x7f1a is away", "conn at 0x9c is away", True, id="addresses are values"),
        pytest.param("node is away", "node is back", False, id="words are not"),
        pytest.param({"event": "x", "n": 1}, {"event": "x", "n": 2}, True, id="fields of ours are values"),
    ],
)
def test_kind_of_a_line(one: object, other: object, same: bool) -> None:
    assert (kind_of(one) == kind_of(other)) is same


def test_forgotten_kinds_do_not_grow_for_ever() -> None:
    limit = RateLimit(lines=1, window_s=1, clock=Clock())
    for number in range(5_000):
        name = "".join(chr(97 + int(digit)) for digit in str(number))
        limit.filter(logging.LogRecord(name, logging.ERROR, "", 0, "x", None, None))
    assert len(limit._windows) <= 2_000
