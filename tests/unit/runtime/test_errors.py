"""What is told of an error names the place, never what a person said."""

import pytest
from pydantic import BaseModel

from pipeline.runtime.batch import PoisonRecord
from pipeline.runtime.errors import TaskRestart, describe, trail

SECRET = "12345678900"


class Holder(BaseModel):
    number: int
    text: str = ""


def no_such_key() -> None:
    known: dict[str, str] = {}
    known[SECRET]


def not_valid() -> None:
    Holder.model_validate({"number": f"x{SECRET}"})


def not_a_number() -> None:
    int(f"x{SECRET}")


@pytest.mark.parametrize(
    ("fails", "tells"),
    [
        pytest.param(no_such_key, "KeyError at test_errors.py:", id="KeyError"),
        pytest.param(not_valid, "ValidationError of Holder at number (int_parsing)", id="ValidationError"),
        pytest.param(not_a_number, "ValueError at test_errors.py:", id="ValueError"),
    ],
)
def test_error_that_quotes_a_value_is_told_by_its_place(fails: object, tells: str) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each its own
        fails()  # type: ignore[operator]
    told = describe(caught.value)
    assert told.startswith(tells)
    assert SECRET not in told + str(trail(caught.value))
    assert any("test_errors.py" in place for place in trail(caught.value))


def test_errors_of_ours_and_of_the_system_say_what_they_mean() -> None:
    assert describe(PoisonRecord("a value of 9 bytes")) == "PoisonRecord: a value of 9 bytes"
    assert describe(TaskRestart("fenced")) == "TaskRestart: fenced"
    assert describe(ConnectionRefusedError("nobody there")) == "ConnectionRefusedError: nobody there"
