"""Lists of items in free text, row by row. Source: language.json ITEMS-1 to ITEMS-10."""

from typing import Any

import pytest

from pipeline.language.items import read_items

VAS = ("TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Babbel", "Deezer")
STORES = ("Casa e Vídeo", "Tom & Jerry Kids", "Lojas Americanas S.A.", "Disney+ e Star+")
MAGAZINES = ("Mais Você", "Todos Juntos", "Não Perturbe", "Casa e Jardim", "Veja")
CARDS = ("Visa Gold", "Visa Platinum", "Elo Mais")
THREE = ("Seguro Residencial", "Seguro Auto", "Título de Capitalização")
ORDERS = ("P-100", "P-101", "P-102")


def row(
    text: str,
    items: list[str],
    *,
    label: str | None = None,
    known: tuple[str, ...] = (),
    locale: str = "pt-BR",
    description: str | None = None,
    name: str | None = None,
) -> Any:
    return pytest.param(
        text,
        items,
        {"label": label, "known_values": known, "locale": locale, "description": description},
        id=name or text[:60],
    )


def check(text: str, items: list[str], context: dict[str, Any]) -> None:
    reading = read_items(text, **context)
    assert list(reading.items) == items, reading
    assert reading.rule


FRAMES = [
    row("quero cancelar Babbel", ["Babbel"]),
    row("Bom dia! Gostaria de cancelar o Babbel e o Deezer, por favor.", ["Babbel", "Deezer"]),
    row("oi, tudo bem? queria tirar o Deezer da minha conta", ["Deezer"]),
    row("preciso que vocês cancelem Netflix e HBO Max pra mim", ["Netflix", "HBO Max"]),
    row("vcs podem bloquear os cartões 1234 e 5678?", ["1234", "5678"], label="os cartões"),
    row("dá pra cancelar o Babbel?", ["Babbel"]),
    row("tem como tirar a Veja e a Época da minha assinatura?", ["Veja", "Época"], label="as revistas"),
    row("me ajuda a cancelar a Veja por gentileza", ["Veja"], label="as revistas"),
    row("poderia cancelar Babbel, por gentileza?", ["Babbel"]),
    row("quero me livrar do Deezer", ["Deezer"]),
    row("qual o status dos pedidos P-100 e P-101?", ["P-100", "P-101"], label="os pedidos"),
    row("como estão os pedidos 4455 e 4456", ["4455", "4456"], label="os pedidos"),
    row("quanto tenho de cashback na Renner e na C&A?", ["Renner", "C&A"], label="as lojas"),
    row("cancela o plano Fibra 500 e o seguro celular", ["plano Fibra 500", "seguro celular"], label="os produtos"),
    row(
        "quero cancelar a assinatura da Folha e do Estadão agora",
        ["assinatura da Folha", "Estadão"],
        label="as revistas",
    ),
    row("cancela o Babbel porque não uso mais", ["Babbel"]),
    row("cancela o Babbel e o Deezer pq tá muito caro e não uso", ["Babbel", "Deezer"]),
    row("já que não uso mais, cancela o Babbel", ["Babbel"]),
    row("como não uso mais, cancela o Babbel e o Deezer", ["Babbel", "Deezer"]),
    row("cancela o Babbel que não uso mais", ["Babbel"]),
    row("cancela o Babbel e o Deezer hoje mesmo", ["Babbel", "Deezer"]),
    row("cancela o Deezer o quanto antes", ["Deezer"]),
    row("cancela imediatamente o Deezer da minha conta", ["Deezer"]),
    row("🙏 cancela o Babbel 😡", ["Babbel"]),
    row("Cancelar: Babbel, Deezer", ["Babbel", "Deezer"]),
    row("quero cancelar os seguintes produtos: Babbel, Deezer e Aya", ["Babbel", "Deezer", "Aya"], label="os produtos"),
    row("os 3 pedidos: P-1, P-2 e P-3", ["P-1", "P-2", "P-3"], label="os pedidos"),
    row("dois pedidos, P-1 e P-2", ["P-1", "P-2"], label="os pedidos"),
    row("Babbel", ["Babbel"]),
    row("o Babbel, pfv", ["Babbel"]),
    row("obrigado!", []),
    row("bom dia", []),
    row("não sei", []),
    row("cancelar", []),
    row("quero cancelar uns produtos", [], label="os produtos"),
    row("pode cancelar pra mim o Deezer por favor? não uso faz tempo", ["Deezer"]),
    row("Cancela o Babbel. Não uso mais. Obrigado", ["Babbel"]),
    row("Cancela o Babbel. E o Deezer também.", ["Babbel", "Deezer"]),
    row("I'd like to cancel my Babbel subscription and Deezer", ["Babbel subscription", "Deezer"], locale="en"),
    row("please remove Babbel, Deezer, and Spotify from my account", ["Babbel", "Deezer", "Spotify"], locale="en"),
    row("quisiera cancelar Babbel y Deezer de mi cuenta, gracias", ["Babbel", "Deezer"], locale="es"),
    row("hola, necesito dar de baja Babbel, Deezer y también Spotify", ["Babbel", "Deezer", "Spotify"], locale="es"),
    row("quiero cancelar el pedido 100 o el 101", ["100", "101"], label="los pedidos", locale="es"),
    row("where are orders A-1 and A-2?", ["A-1", "A-2"], label="the orders", locale="en"),
    row("devolver o tênis preto e a camiseta branca", ["tênis preto", "camiseta branca"], label="os itens"),
    row(
        "quero devolver a camisa azul, a calça jeans e o boné",
        ["camisa azul", "calça jeans", "boné"],
        label="os produtos",
    ),
    row("rastreia pra mim o BR123456789XX e o BR987654321XX", ["BR123456789XX", "BR987654321XX"], label="os códigos"),
    row("cancela a Veja porque a revista atrasa, e também a Época", ["Veja", "Época"], label="as revistas"),
    row("Ativa o Deezer e a Babbel aí", ["Deezer", "Babbel"]),
    row(
        "bloqueia as linhas (11) 98888-7777 e (21) 97777-6666",
        ["(11) 98888-7777", "(21) 97777-6666"],
        label="as linhas",
    ),
    row("segunda via das faturas de 01/2025 e 02/2025", ["01/2025", "02/2025"], label="as faturas"),
    row("contesta a cobrança de R$ 19,90 e a de R$ 29,90", ["R$ 19,90", "R$ 29,90"], label="as cobranças"),
]

SEPARATORS = [
    row("Babbel, Deezer", ["Babbel", "Deezer"]),
    row("Babbel; Deezer; Spotify", ["Babbel", "Deezer", "Spotify"]),
    row("Babbel\nDeezer\nSpotify", ["Babbel", "Deezer", "Spotify"]),
    row("• Babbel\n• Deezer", ["Babbel", "Deezer"]),
    row("* Babbel\n* Deezer", ["Babbel", "Deezer"]),
    row("- Babbel\n- Deezer\n", ["Babbel", "Deezer"]),
    row("✅ Babbel ✅ Deezer", ["Babbel", "Deezer"]),
    row("1) Babbel 2) Deezer 3) Spotify", ["Babbel", "Deezer", "Spotify"]),
    row("1. Babbel\n2. Deezer", ["Babbel", "Deezer"]),
    row("1 - Babbel\n2 - Deezer", ["Babbel", "Deezer"]),
    row("1. 2026113000017\n2. 2026113000018", ["2026113000017", "2026113000018"]),
    row("quero cancelar 1) P-100 2) P-101", ["P-100", "P-101"]),
    row("Babbel/Deezer/Spotify", ["Babbel", "Deezer", "Spotify"]),
    row("Babbel / Deezer", ["Babbel", "Deezer"]),
    row("Babbel + Deezer + Spotify", ["Babbel", "Deezer", "Spotify"]),
    row("Babbel e Deezer", ["Babbel", "Deezer"]),
    row("Babbel ou Deezer", ["Babbel", "Deezer"]),
    row("o Babbel mais o Deezer", ["Babbel", "Deezer"]),
    row("o Babbel, também o Deezer", ["Babbel", "Deezer"]),
    row("o Babbel e também o Deezer", ["Babbel", "Deezer"]),
    row("o Babbel, e também o Deezer, e mais o Spotify", ["Babbel", "Deezer", "Spotify"]),
    row("além do Babbel, cancela o Deezer", ["Babbel", "Deezer"]),
    row("cancela o Deezer além do Babbel", ["Deezer", "Babbel"]),
    row("o Babbel junto com o Deezer", ["Babbel", "Deezer"]),
    row("o Babbel bem como o Deezer", ["Babbel", "Deezer"]),
    row("tanto o Babbel quanto o Deezer", ["Babbel", "Deezer"]),
    row("quero cancelar tanto a Veja como a Época", ["Veja", "Época"]),
    row("Babbel and Deezer or Spotify plus Netflix", ["Babbel", "Deezer", "Spotify", "Netflix"], locale="en"),
    row("both Babbel and Deezer", ["Babbel", "Deezer"], locale="en"),
    row("Babbel y Deezer, además de Spotify", ["Babbel", "Deezer", "Spotify"], locale="es"),
    row("Babbel o Deezer", ["Babbel", "Deezer"], locale="es"),
    row('quero a "Arte e Vida", a "Mundo, Hoje" e a Veja', ["Arte e Vida", "Mundo, Hoje", "Veja"], label="as revistas"),
    row("“Sol e Mar” e «Céu, Terra»", ["Sol e Mar", "Céu, Terra"]),
    row("'Pão e Vinho' e 'Sal, Mel'", ["Pão e Vinho", "Sal, Mel"]),
    row("71,99, 89,90 e 12,00", ["71,99", "89,90", "12,00"]),
    row("R$ 1.234,56; R$ 20 e R$ 35,5", ["R$ 1.234,56", "R$ 20", "R$ 35,5"]),
    row("222.333.444-00 e 555.666.777-88", ["222.333.444-00", "555.666.777-88"]),
    row("faturas 7/2025 e 8/2025", ["7/2025", "8/2025"], label="as faturas"),
    row("H&M e AT&T", ["H&M", "AT&T"]),
    row("Disney+ e Star+", ["Disney+", "Star+"]),
    row("Disney+ + Star+", ["Disney+", "Star+"]),
    row("Tom & Jerry Kids e Babbel", ["Tom & Jerry Kids", "Babbel"]),
    row("P-100, P-101 e P-102.", ["P-100", "P-101", "P-102"]),
    row("quero cancelar os pedidos P-100 P-101 e P-102", ["P-100", "P-101", "P-102"], label="os pedidos"),
    row("faturas 3000131179 3000131180", ["3000131179", "3000131180"], label="as faturas"),
    row("(11) 99999-9999", ["(11) 99999-9999"], name="parts of one number"),
    row("pedido nº 0042 e pedido nº 0043", ["0042", "0043"], label="os pedidos"),
    row("os protocolos 000123 e 000124", ["000123", "000124"], label="os protocolos"),
    row("+55 11 98888-7777 e +55 21 97777-6666", ["+55 11 98888-7777", "+55 21 97777-6666"]),
    row("Babbel,Deezer,Spotify", ["Babbel", "Deezer", "Spotify"]),
    row("Deezer, Babbel e deezer", ["Deezer", "Babbel"]),
    row("Época e epoca", ["Época"]),
    row("deezzer e babel", ["deezzer", "babel"]),
]

KNOWN = [
    row("cancela o neymar e o fashion", ["Neymar Jr", "TIM Fashion"], known=VAS),
    row("CANCELA TIM FASHION E AYA AUDIOBOOKS", ["TIM Fashion", "Aya Audiobooks"], known=VAS),
    row("babbel deezer neymar jr", ["Babbel", "Deezer", "Neymar Jr"], known=VAS),
    row("timfashion e ayaaudiobooks", ["TIM Fashion", "Aya Audiobooks"], known=VAS),
    row("tim fashon, aya audiobook e neymra jr", ["TIM Fashion", "Aya Audiobooks", "Neymar Jr"], known=VAS),
    row("cancela o serviço Babbel e o produto Deezer", ["Babbel", "Deezer"], known=VAS),
    row("cancela o Spotify e o Deezer", ["Spotify", "Deezer"], known=VAS),
    row("todos", list(VAS), known=VAS),
    row("cancela tudo por favor", list(VAS), known=VAS),
    row("quero cancelar todos os produtos", list(VAS), known=VAS, label="os produtos"),
    row("os cinco", list(VAS), known=VAS),
    row("os três", list(THREE), known=THREE),
    row("cancela os 3", list(THREE), known=THREE),
    row("ambos", ["Visa Gold", "Elo Mais"], known=("Visa Gold", "Elo Mais")),
    row("os dois", ["Visa Gold", "Elo Mais"], known=("Visa Gold", "Elo Mais")),
    row("o último", ["Deezer"], known=VAS),
    row("o segundo", ["Aya Audiobooks"], known=VAS),
    row("o primeiro e o terceiro", ["TIM Fashion", "Neymar Jr"], known=VAS),
    row("os dois últimos", ["Babbel", "Deezer"], known=VAS),
    row("os três primeiros", ["TIM Fashion", "Aya Audiobooks", "Neymar Jr"], known=VAS),
    row("o penúltimo", ["Babbel"], known=VAS),
    row("o primeiro e o último", ["TIM Fashion", "Deezer"], known=VAS),
    row("do primeiro ao terceiro", ["TIM Fashion", "Aya Audiobooks", "Neymar Jr"], known=VAS),
    row("1 e 3", ["TIM Fashion", "Neymar Jr"], known=VAS),
    row("o item 2", ["Aya Audiobooks"], known=VAS),
    row("todos menos o segundo", ["TIM Fashion", "Neymar Jr", "Babbel", "Deezer"], known=VAS),
    row("todos menos o Babbel e o Deezer", ["TIM Fashion", "Aya Audiobooks", "Neymar Jr"], known=VAS),
    row("tudo exceto Aya", ["TIM Fashion", "Neymar Jr", "Babbel", "Deezer"], known=VAS),
    row("todos, com exceção do Neymar", ["TIM Fashion", "Aya Audiobooks", "Babbel", "Deezer"], known=VAS),
    row("cancela tudo, só não o Deezer", ["TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Babbel"], known=VAS),
    row("todos, o Neymar não", ["TIM Fashion", "Aya Audiobooks", "Babbel", "Deezer"], known=VAS),
    row("tirando o Babbel, pode cancelar todos", ["TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Deezer"], known=VAS),
    row("menos o Babbel, cancela tudo", ["TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Deezer"], known=VAS),
    row("cancela tudo e deixa só o Babbel", ["TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Deezer"], known=VAS),
    row("mantém o Babbel e cancela o resto", ["TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Deezer"], known=VAS),
    row("todos exceto os dois primeiros", ["Neymar Jr", "Babbel", "Deezer"], known=VAS),
    row("fora o último, cancela todos", ["TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Babbel"], known=VAS),
    row("everything except Neymar", ["TIM Fashion", "Aya Audiobooks", "Babbel", "Deezer"], known=VAS, locale="en"),
    row("all but the last one", ["TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Babbel"], known=VAS, locale="en"),
    row("the first two", ["TIM Fashion", "Aya Audiobooks"], known=VAS, locale="en"),
    row("todos excepto el Babbel", ["TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Deezer"], known=VAS, locale="es"),
    row("los dos primeros", ["TIM Fashion", "Aya Audiobooks"], known=VAS, locale="es"),
    row("cancela o Mais Você e o Todos Juntos", ["Mais Você", "Todos Juntos"], known=MAGAZINES),
    row("tira a não perturbe e a casa e jardim", ["Não Perturbe", "Casa e Jardim"], known=MAGAZINES),
    row("todas menos a Todos Juntos", ["Mais Você", "Não Perturbe", "Casa e Jardim", "Veja"], known=MAGAZINES),
    row("casa e jardim veja mais você", ["Casa e Jardim", "Veja", "Mais Você"], known=MAGAZINES),
    row("lojas americanas e casa e video", ["Lojas Americanas S.A.", "Casa e Vídeo"], known=STORES),
    row("disney+ e star+ mais tom e jerry kids", ["Disney+ e Star+", "Tom & Jerry Kids"], known=STORES),
    row("bloqueia o Visa Gold e o Elo", ["Visa Gold", "Elo Mais"], known=CARDS),
    row("o visa platinum e o gold", ["Visa Platinum", "Visa Gold"], known=CARDS),
    row("cancela P-100 e P-103", ["P-100", "P-103"], known=ORDERS, name="a digit is no slip"),
    row("o seguro auto e o título", ["Seguro Auto", "Título de Capitalização"], known=THREE),
    row("o de capitalização", ["Título de Capitalização"], known=THREE),
]

NEGATED = [
    row("cancela o Babbel, o Deezer não", ["Babbel"]),
    row("cancela o Babbel e não o Deezer", ["Babbel"]),
    row("cancela o Babbel mas não o Deezer", ["Babbel"]),
    row("não cancela o Babbel, cancela o Deezer", ["Deezer"]),
    row("o Deezer, o Babbel não", ["Deezer"], known=VAS),
    row("cancela o Babbel, não, melhor o Deezer", ["Deezer"]),
    row("cancela o Babbel... quer dizer, o Deezer", ["Deezer"]),
    row("cancela o Babbel, ops, o Deezer", ["Deezer"], known=VAS),
    row("Babbel, não, o Deezer", ["Deezer"], known=VAS),
    row("cancela Babbel, aliás, Deezer", ["Deezer"]),
    row("cancela o Babbel, digo, o Deezer", ["Deezer"], known=VAS),
    row("cancel Babbel, no wait, Deezer", ["Deezer"], locale="en"),
    row("cancel Babbel, I mean Deezer", ["Deezer"], locale="en"),
    row("cancela Babbel, perdón, Deezer", ["Deezer"], locale="es"),
    row("pago Babbel e Deezer, cancela só o Deezer", ["Deezer"]),
    row("tenho TIM Fashion, Aya e Babbel mas quero cancelar só o Babbel", ["Babbel"], known=VAS),
    row("eu assino Veja e Época. Cancela a Época.", ["Época"], label="as revistas"),
    row("I have Babbel and Deezer, cancel only Deezer", ["Deezer"], locale="en"),
    row("tengo Babbel y Deezer, cancela solo Deezer", ["Deezer"], locale="es"),
    row("cancela o Deezer em vez do Babbel", ["Deezer"], known=VAS),
    row("em vez do Babbel, cancela o Deezer", ["Deezer"], known=VAS),
    row("cancela o Babbel e mantém o Deezer", ["Babbel"], known=VAS),
    row("o Babbel cancela, o Deezer deixa", ["Babbel"], known=VAS),
    row("quero cancelar o Babbel, o Deezer eu quero manter", ["Babbel"], known=VAS),
    row("cancela Babbel e Deezer, não, só o Babbel", ["Babbel"], known=VAS),
    row("cancel Babbel but not Deezer", ["Babbel"], locale="en"),
    row("cancela Babbel pero no Deezer", ["Babbel"], locale="es"),
    row("não quero cancelar o Babbel, quero cancelar o Deezer", ["Deezer"], known=VAS),
    row("nem o Babbel nem o Deezer, só o Aya", ["Aya Audiobooks"], known=VAS),
    row("cancela o Babbel, menos o Deezer", ["Babbel"], known=VAS),
]


@pytest.mark.parametrize(("text", "items", "context"), FRAMES)
def test_frames_are_no_part_of_a_name(text: str, items: list[str], context: dict[str, Any]) -> None:
    check(text, items, context)


@pytest.mark.parametrize(("text", "items", "context"), SEPARATORS)
def test_separators_cut_a_list(text: str, items: list[str], context: dict[str, Any]) -> None:
    check(text, items, context)


@pytest.mark.parametrize(("text", "items", "context"), KNOWN)
def test_known_values_are_found_in_running_text(text: str, items: list[str], context: dict[str, Any]) -> None:
    check(text, items, context)


@pytest.mark.parametrize(("text", "items", "context"), NEGATED)
def test_negated_withdrawn_and_owned_things_are_no_items(text: str, items: list[str], context: dict[str, Any]) -> None:
    check(text, items, context)
