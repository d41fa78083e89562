"""The opposite of what a tool does, and a question how things stand, are never that tool, however close they come in meaning."""

from collections.abc import Mapping

import pytest

from pipeline.language.routing import RoutingTool, route

CANCELLING = RoutingTool(
    "cancelar_produtos",
    "Cancela um ou mais produtos do cliente.",
    ("cancelar", "cancel", "assinatura"),
    ("cancela o Deezer pra mim", "não quero mais a HBO Max"),
)
BLOCKING = RoutingTool("bloquear_cartao", "Bloqueia o cartão.", ("bloquear",), ("perdi meu cartão",))


def _close_to_everything(text: str, texts: tuple[RoutingTool, ...]) -> Mapping[str, float]:
    """A model by which every sentence is near every text of a tool and far from small talk."""
    return {one.name: 0.0 if one.name.startswith("~") else 0.6 for one in texts}


@pytest.mark.parametrize(
    ("text", "tool", "chosen"),
    [
        pytest.param("quero assinar o HBO", CANCELLING, None, id="subscribing is no cancelling"),
        pytest.param("I want to subscribe to HBO", CANCELLING, None, id="subscribing in English is no cancelling"),
        pytest.param("quiero contratar HBO", CANCELLING, None, id="ordering in Spanish is no cancelling"),
        pytest.param("quero liberar o visa gold", BLOCKING, None, id="unblocking is no blocking"),
        pytest.param(
            "borrame el HBO porfa", CANCELLING, "cancelar_produtos", id="taking it off in Spanish is cancelling"
        ),
        pytest.param("quero me livrar do HBO", CANCELLING, "cancelar_produtos", id="getting rid of it is cancelling"),
    ],
)
def test_closest_meaning_chooses_a_tool_unless_the_opposite_is_asked(
    text: str, tool: RoutingTool, chosen: str | None
) -> None:
    assert route(text, [tool], nearest=_close_to_everything).tool == chosen


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        pytest.param("cancelou mesmo?", None, id="whether it was done"),
        pytest.param("já cancelou o HBO?", None, id="whether it is done already"),
        pytest.param("did you cancel it?", None, id="whether it was done, in English"),
        pytest.param("quais são minhas assinaturas?", None, id="what is held"),
        pytest.param("what subscriptions do I have?", None, id="what is held, in English"),
        pytest.param("¿qué suscripciones tengo?", None, id="what is held, in Spanish"),
        pytest.param("quais assinaturas eu posso cancelar?", "cancelar_produtos", id="what can be cancelled"),
        pytest.param("consegue cancelar o HBO?", "cancelar_produtos", id="a request as a question"),
    ],
)
def test_question_how_things_stand_opens_no_cancellation(text: str, chosen: str | None) -> None:
    assert route(text, [CANCELLING], nearest=_close_to_everything).tool == chosen
