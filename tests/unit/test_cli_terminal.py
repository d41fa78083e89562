"""How commands fail."""

import asyncio

import pytest
import typer

from consumers.cli.terminal import CommandError, errors_in_one_sentence, first_of, plainly, run
from consumers.local_kafka import LocalKafkaError
from pipeline.runtime.errors import Fatal, Retriable
from pipeline.runtime.topic_io import TooLarge, UnknownTopic
from pipeline.settings import ConfigurationError


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [
        pytest.param(CommandError("No.", code=2), 2, "No.", id="a command's own"),
        pytest.param(ConfigurationError(["a: b", "c: d"]), 2, "a: b\nc: d", id="configuration, a line a problem"),
        pytest.param(LocalKafkaError("Taken."), 1, "Taken.", id="the local Kafka"),
        pytest.param(Retriable("away"), 1, "Kafka cannot be reached (away)", id="the broker"),
        pytest.param(Fatal("topics are missing"), 1, "topics are missing.", id="nothing a program can do"),
        pytest.param(UnknownTopic(["x"]), 1, "has no topic x", id="an unknown topic"),
        pytest.param(TooLarge("2 MB"), 1, "too large for Kafka (2 MB)", id="a large record"),
        pytest.param(KeyboardInterrupt(), 130, "", id="Ctrl-C"),
    ],
)
def test_an_error_is_a_sentence_and_a_status(
    error: BaseException, status: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as left, errors_in_one_sentence():
        raise error
    assert left.value.exit_code == status
    assert says in capsys.readouterr().err


def test_an_error_nobody_expected_stays_itself() -> None:
    with pytest.raises(ZeroDivisionError), errors_in_one_sentence():
        raise ZeroDivisionError


def test_a_result_is_passed_on() -> None:
    async def three() -> int:
        await asyncio.sleep(0)
        return 3

    assert run(three()) == 3


def test_the_first_error_of_a_group_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    async def both() -> None:
        raise ExceptionGroup("two", [Fatal("first"), Fatal("second")])

    with pytest.raises(typer.Exit):
        run(both())
    assert capsys.readouterr().err == "first.\n"


def test_the_first_error_is_found_at_any_depth() -> None:
    first = Fatal("first")
    assert first_of(ExceptionGroup("a", [ExceptionGroup("b", [first])])) is first


def test_a_client_s_words_are_made_readable() -> None:
    error = Retriable(
        "KafkaConnectionError: KafkaConnectionError: Unable to bootstrap from [('127.0.0.1', 2, <AddressFamily.AF_INET: 2>)]"
    )
    assert plainly(error) == "KafkaConnectionError: Unable to bootstrap from [127.0.0.1:2]"
