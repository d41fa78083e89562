"""A name that was not shown, said in the place of the one that was, or beside those that were."""

import pytest

from pipeline.language.second_thoughts import second_thought

HELD = ["TIM Fashion Mensal", "Aya Audiobooks Premium", "Neymar Jr", "Deezer Premium", "Som e Imagem", "HBO Max"]
ONE = ("HBO Max",)
TWO = ("HBO Max", "Neymar Jr")


@pytest.mark.parametrize(
    ("text", "shown", "items"),
    [
        pytest.param("não, o Deezer", ONE, ("Deezer Premium",), id="a no and another name"),
        pytest.param("não, pensando bem, o Deezer", ONE, ("Deezer Premium",), id="thinking again"),
        pytest.param("na verdade o Deezer", ONE, ("Deezer Premium",), id="in fact"),
        pytest.param("mudei de ideia, quero cancelar o Deezer", ONE, ("Deezer Premium",), id="a change of mind"),
        pytest.param("espera, pensando bem quero cancelar é o Deezer", ONE, ("Deezer Premium",), id="wait"),
        pytest.param("não, quis dizer o Som e Imagem", ONE, ("Som e Imagem",), id="meant another"),
        pytest.param("no, I meant Deezer", ONE, ("Deezer Premium",), id="meant another, in English"),
        pytest.param("no, mejor el Deezer", ONE, ("Deezer Premium",), id="another one, in Spanish"),
        pytest.param("e o Deezer", ONE, (*ONE, "Deezer Premium"), id="and another"),
        pytest.param("ah, e a tim fashion", TWO, (*TWO, "TIM Fashion Mensal"), id="and another beside two"),
        pytest.param("não, o Deezer", TWO, (), id="in the place of which of two?"),
        pytest.param("não, era o Deezer", TWO, ("Deezer Premium",), id="meant all along, not the two shown"),
        pytest.param("nope, I meant Deezer", TWO, ("Deezer Premium",), id="meant all along, in English"),
        pytest.param("no, era el Deezer", TWO, ("Deezer Premium",), id="meant all along, in Spanish"),
        pytest.param("não era o Deezer", TWO, (), id="a name that was not it"),
        pytest.param("não, era só pra saber", TWO, (), id="a no with a reason and no name"),
        pytest.param("não", ONE, (), id="a plain no"),
        pytest.param("o Deezer", ONE, (), id="a name alone"),
        pytest.param("não, a HBO Max", ONE, (), id="the one that was shown"),
        pytest.param("não quero cancelar o Deezer", ONE, (), id="a name that is denied"),
        pytest.param("não o Deezer", ONE, (), id="a no without a comma"),
        pytest.param("não, deixa o Deezer quieto", ONE, (), id="a name that is to be left alone"),
        pytest.param("não, o Deezer ou o Neymar", ONE, (), id="two names"),
        pytest.param("e o Deezer?", ONE, (), id="a question"),
        pytest.param("não, a Netflix", ONE, (), id="a name that is not held"),
        pytest.param("não, não quero cancelar o Deezer também não sei", ONE, (), id="more than a name"),
    ],
)
def test_second_thought_gives_the_set(text: str, shown: tuple[str, ...], items: tuple[str, ...]) -> None:
    assert second_thought(text, shown, HELD) == items
