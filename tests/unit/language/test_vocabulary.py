"""The vocabulary as a whole: no phrase both ways, and none of the dangerous ones passes beside a yes."""

import pytest

from pipeline.language.replies import Verdict, read_reply
from pipeline.language.senses import Sense
from pipeline.language.vocabulary_frames import FRAMES
from pipeline.language.vocabulary_requests import REQUESTS
from pipeline.language.vocabulary_verdicts import VERDICTS

ITEMS = ("TIM Fashion", "Aya Audiobooks", "Neymar Jr")
TABLES = (VERDICTS, REQUESTS, FRAMES)
AGAINST = (
    Sense.NOT, Sense.NONE, Sense.REFUSE, Sense.HEDGE, Sense.WAIT, Sense.IF, Sense.BEFORE, Sense.PUZZLED, Sense.EXCEPT, Sense.ONLY,
    Sense.KEEP, Sense.DROP, Sense.ADD, Sense.SWAP, Sense.INSTEAD, Sense.REST, Sense.BUT, Sense.OR, Sense.ASK, Sense.LATER,
)  # fmt: skip
HARMLESS = {"eh", "por mim"}
"""A hesitation that is the word 'é' as well, and a hedge that a verb behind it makes a yes."""


def phrases(sense: Sense) -> list[str]:
    found = [" ".join(phrase.split()) for table in TABLES for phrase in table.get(sense, "").split("|")]
    return [phrase for phrase in found if phrase and phrase not in HARMLESS]


@pytest.mark.parametrize("sense", [pytest.param(sense, id=sense.value) for sense in AGAINST])
@pytest.mark.parametrize("form", ["sim {}", "sim, {}", "{}, sim", "pode cancelar {}", "{} pode"])
def test_phrase_that_takes_back_never_passes_beside_a_yes(sense: Sense, form: str) -> None:
    question = "Você confirma o cancelamento de TIM Fashion, Aya Audiobooks e Neymar Jr?"
    accepted = [
        text
        for text in (form.format(phrase) for phrase in phrases(sense))
        if read_reply(text, items=ITEMS, operation="cancelamento", question=question).verdict is Verdict.ACCEPT
    ]
    assert accepted == []


def test_no_phrase_says_yes_and_something_against_it() -> None:
    yes = {*phrases(Sense.AFFIRM), *phrases(Sense.CONSENT)}
    against = {phrase for sense in AGAINST for phrase in phrases(sense)}
    assert yes & against == set()


@pytest.mark.parametrize("sense", [pytest.param(sense, id=sense.value) for sense in (Sense.AFFIRM, Sense.REFUSE)])
def test_phrase_of_a_verdict_gives_it_alone(sense: Sense) -> None:
    """Every phrase listed as a yes or a no is one by itself, whatever its words are elsewhere."""
    wanted = Verdict.ACCEPT if sense is Sense.AFFIRM else Verdict.DECLINE
    wrong = {}
    for phrase in phrases(sense):
        verdict = read_reply(phrase, items=ITEMS, operation="cancelamento").verdict
        if verdict is not wanted:
            wrong[phrase] = verdict
    assert wrong == {}
