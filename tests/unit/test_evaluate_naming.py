"""When a text names every item: on every channel, by the product's own words for what it left out."""

from collections.abc import Sequence

import pytest

from consumers.evaluate.naming import Look, Naming
from pipeline.language.wording import Wording
from pipeline.policy import ChannelSpec
from tests.unit.evaluated import CHANNELS, NAMING


@pytest.mark.parametrize(
    ("channel", "text", "names", "missing"),
    [
        pytest.param("web", "**HBO Max**: concluído", ["HBO Max"], 0, id="in bold"),
        pytest.param("web", "hbo-max e SOM E IMAGEM", ["HBO Max", "Som e Imagem"], 0, id="in other letters and signs"),
        pytest.param("web", "Cancelei o Sao Joao", ["São João"], 0, id="without its accents"),
        pytest.param("web", "Cancelei o HBO Max", ["HBO", "HBO Max"], 1, id="HBO is not named by HBO Max"),
        pytest.param("web", "HBO Max e HBO", ["HBO", "HBO Max"], 0, id="each by words of its own"),
        pytest.param("web", "Neymar Jr: concluído", ["Neymar Jr", "Neymar Jr"], 1, id="twice confirmed, once told"),
        pytest.param("web", "P-1001: cancelado", ["P-100"], 1, id="a longer number is another number"),
        pytest.param("web", "", ["P-100"], 1, id="an empty text names nothing"),
        pytest.param("web", "Pronto!", [], 0, id="nothing has to be named"),
        pytest.param("web", "Cancelei o A+ e o B", ["A+", "B"], 0, id="a name that ends in a sign"),
        pytest.param("fax", "P-100", ["P-100"], 0, id="a channel that is no longer configured"),
        pytest.param("voice", "Pedido P-1 0 0 2 3 4 5: cancelado.", ["P-1002345"], 0, id="a number spoken digit by digit"),
        pytest.param("voice", "Som e Imagem: cancelado.", ["Som & Imagem"], 0, id="a sign spoken as a word"),
        pytest.param("web", "**🎵**: concluído", ["🎵"], 0, id="a name of nothing but signs"),
        pytest.param("web", "🎵: concluído", ["🎵", "🎵"], 1, id="signs twice confirmed, once told"),
        pytest.param("web", "Concluído.", ["🎵"], 1, id="signs left out"),
        pytest.param("voice", "Deezer: cancelado.", ["Deezer *Premium*"], 1, id="half a name is no name"),
    ],
)  # fmt: skip
def test_items_are_named(channel: str, text: str, names: Sequence[str], missing: int) -> None:
    assert NAMING.look(channel, text, names) == Look(missing)


LONG = [f"Assinatura familiar de música e vídeo número {number}" for number in range(1, 31)]


@pytest.mark.parametrize("locale", ["pt-BR", "en", "es"])
@pytest.mark.parametrize(
    "spec",
    [ChannelSpec(format="plain", max_chars=4096), ChannelSpec(format="speech", max_chars=800), ChannelSpec(max_chars=300)],
    ids=["whatsapp", "voice", "narrow"],
)  # fmt: skip
@pytest.mark.parametrize("count", [1, 3, 12, 30])
def test_what_the_product_writes_for_many_long_items_names_or_counts_them_all(
    spec: ChannelSpec, locale: str, count: int
) -> None:
    naming = Naming({"here": spec}, NAMING.catalogue)
    wording = Wording(naming.catalogue, locale, spec)
    names = LONG[:count]
    lines = [
        wording.say_inside("result.item_done_protocol", item=name, protocol=f"T{number}")
        for number, name in enumerate(names)
    ]
    text = wording.listing("Pronto:", lines, more="list.more_results")
    found = naming.look("here", text, names)
    assert found.missing == 0
    assert found.counted <= max(0, count - 3)


def test_a_text_that_leaves_items_out_and_counts_too_few_does_not_name_them() -> None:
    text = "- Neymar Jr: concluído\n- e mais 1 item, que não coube nesta mensagem"
    assert NAMING.look("web", text, ["Neymar Jr", "HBO Max"]) == Look(0, 1)
    assert NAMING.look("web", text, ["Neymar Jr", "HBO Max", "Som e Imagem"]) == Look(2)


def test_one_ellipsis_stands_for_one_name() -> None:
    text = "- Assinatura familiar de m…: concluído"
    assert NAMING.look("web", text, LONG[:1]) == Look(0)
    assert NAMING.look("web", text, LONG[:2]) == Look(1)


def test_the_channels_of_the_tests_are_those_of_the_demo() -> None:
    assert {name: spec.format for name, spec in CHANNELS.items()} == {
        "web": "markdown",
        "whatsapp": "plain",
        "voice": "speech",
    }
