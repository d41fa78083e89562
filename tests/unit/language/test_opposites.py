"""The opposite of what a tool does is never that tool, however close it comes in meaning."""

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
        pytest.param("quero me livrar do HBO", CANCELLING, "cancelar_produtos", id="getting rid of it is cancelling"),
    ],
)
def test_closest_meaning_chooses_a_tool_unless_the_opposite_is_asked(
    text: str, tool: RoutingTool, chosen: str | None
) -> None:
    assert route(text, [tool], nearest=_close_to_everything).tool == chosen
