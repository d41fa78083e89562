"""Scripts of a chat."""

import pytest

from consumers.cli.script import Duplicate, Say, Speaker, Step, Wait, parse
from consumers.cli.terminal import CommandError


@pytest.mark.parametrize(
    ("line", "step"),
    [
        pytest.param("sim", Say("sim"), id="a message"),
        pytest.param("  sim  ", Say("sim"), id="blanks around it go"),
        pytest.param("@say #3", Say("#3"), id="a message that begins with a mark"),
        pytest.param("@nowait sim", Say("sim", wait=False), id="said without waiting"),
        pytest.param("@button sim", Say("sim", button=True), id="said by a button"),
        pytest.param("@interrupted sim", Say("sim", interrupted=True), id="a turn that broke off"),
        pytest.param("@duplicate", Duplicate(), id="the one before again"),
        pytest.param("@wait 3500", Wait(3500), id="time passes"),
        pytest.param("@session maria", Speaker("maria"), id="another customer"),
    ],
)
def test_a_line_is_read_as(line: str, step: Step) -> None:
    assert parse(line) == [step]


def test_comments_and_blank_lines_say_nothing() -> None:
    assert parse("# a comment\n\noi\n   # another\nsim\n") == [Say("oi"), Say("sim")]


@pytest.mark.parametrize(
    "line",
    ["@wait", "@wait soon", "@wait -1", "@wait 9999999", "@session", "@session a b", "@say", "@fly", "@duplicate x"],
)
def test_a_line_that_is_no_directive_is_told_with_its_number(line: str) -> None:
    with pytest.raises(CommandError, match=r"orders\.txt, line 2") as told:
        parse(f"oi\n{line}\n", name="orders.txt")
    assert told.value.code == 2
