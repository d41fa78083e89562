"""The batch that was written before the code was read, in several domains and locales."""

import pytest

from pipeline.language.items import read_items
from pipeline.language.replies import Verdict, read_reply
from tests.cases.comparison import same
from tests.unit.language.blind_rows import LISTS, REPLIES, UNSOLVED, Want

SAID = [pytest.param(state, text, want, id=text) for state, rows in REPLIES for text, want in rows]


@pytest.mark.parametrize(("state", "text", "want"), SAID)
def test_reply_of_the_blind_batch_is_understood(state: tuple[str, tuple[str, ...], str], text: str, want: Want) -> None:
    operation, items, locale = state
    reply = read_reply(text, items=items, operation=operation, locale=locale, question="Confirma?")
    if text in UNSOLVED:
        assert reply.verdict is Verdict.UNCLEAR
    elif isinstance(want, str):
        assert reply.verdict in want.split("|"), reply
    else:
        assert (reply.verdict, reply.items) == (Verdict.AMEND, want), reply


@pytest.mark.parametrize(
    ("agent", "text", "want"),
    [pytest.param(agent, text, want, id=text) for agent, rows in LISTS for text, want in rows],
)
def test_list_of_the_blind_batch_is_read(
    agent: tuple[str, str, str, tuple[str, ...], str], text: str, want: tuple[str, ...]
) -> None:
    _, description, label, known, locale = agent
    reading = read_items(text, label=label, known_values=known, locale=locale, description=description)
    assert same(list(want), list(reading.items)), reading
