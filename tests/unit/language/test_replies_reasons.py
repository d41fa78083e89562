"""Reasons, corrections and numbers in names: what they leave of a verdict."""

import pytest

from pipeline.language.items import read_items
from pipeline.language.replies import Verdict, read_reply

SHOWN = ("TIM Fashion", "Aya Audiobooks", "Neymar Jr")
KNOWN = (*SHOWN, "Babbel", "Deezer")


@pytest.mark.parametrize("text", [
    "tô de boa", "tá de boa", "tô suave, valeu", "I'm good, thanks", "it's fine", "sim, mas não tudo", "sim, mas não cancela tudo",
    "sim, não uso tudo", "sim, não uso mais o meu", "sim, o da minha filha não uso", "sim, meu filho não usa, eu uso", "sim, preciso",
    "sim, porque uso muito", "sim porque não uso, né?", "sim, porque tá caro, se não tiver multa", "não, tô precisando cancelar logo",
    "sim - Neymar", "-Neymar -Aya", "só o aya, quer dizer, todos", "tira o aya, quer dizer, não tira", "tira o neymar e o aya, digo, o fashion",
    "não, isso é da minha", "não, tá certo", "ok, não", "sim, não tô sem dinheiro",
])  # fmt: skip
def test_reply_that_two_people_could_read_differently_is_asked_about_again(text: str) -> None:
    assert read_reply(text, items=SHOWN, operation="cancelamento").verdict is Verdict.UNCLEAR


@pytest.mark.parametrize("text", [
    "sim porque tá caro", "sim porque não uso mais e tá caro", "ambos, fui assaltado", "pode cancelar, perdi a carteira", "sim, meu filho não usa mais",
    "por mim tudo certo", "não vejo problema nenhum, pode mandar", "sim, não quero mais nenhuma", "tô precisando cancelar",
])  # fmt: skip
def test_yes_with_a_known_reason_stays_a_yes(text: str) -> None:
    items = SHOWN[:2] if text.startswith("ambos") else SHOWN
    assert read_reply(text, items=items, operation="cancelamento").verdict is Verdict.ACCEPT


@pytest.mark.parametrize("text", ["sim, tá caro", "sim, não uso", "sim porque não uso", "pode, tô sem dinheiro"])
def test_reason_to_have_less_is_no_reason_to_have_more(text: str) -> None:
    assert read_reply(text, items=SHOWN, operation="contratação").verdict is Verdict.UNCLEAR


@pytest.mark.parametrize("text", [
    "não, isso é da minha filha", "não, era só uma dúvida", "ok, então não", "tá, mas não quero", "tranquilo, deixa", "nenhuma das três",
    "ninguno de los tres", "não tenho tempo, deixa", "beleza, não precisa", "certeza que não",
])  # fmt: skip
def test_no_stays_a_no_whatever_explains_it(text: str) -> None:
    assert read_reply(text, items=SHOWN, operation="cancelamento").verdict is Verdict.DECLINE


@pytest.mark.parametrize(("text", "left"), [
    ("tira o primeiro quer dizer o segundo", ("TIM Fashion", "Neymar Jr")),
    ("o neymar não, quer dizer, o aya não", ("TIM Fashion", "Neymar Jr")),
    ("cancela o tim, na verdade o aya", ("Aya Audiobooks",)),
    ("tira o aya, aliás, tira o neymar também", ("TIM Fashion",)),
    ("tira o aya. ops, errei, o neymar", ("TIM Fashion", "Aya Audiobooks")),
    ("sim, -Neymar", ("TIM Fashion", "Aya Audiobooks")),
])  # fmt: skip
def test_last_of_two_sayings_counts(text: str, left: tuple[str, ...]) -> None:
    reply = read_reply(text, items=SHOWN, operation="cancelamento")
    assert (reply.verdict, reply.items) == (Verdict.AMEND, left)


def test_number_in_one_name_is_that_name_though_it_could_be_a_place() -> None:
    items = ("Kit 3 Meias", "Camisa Azul", "Tênis 42")
    assert read_reply("o 42 não", items=items, operation="devolução").items == items[:2]
    assert read_reply("menos o 3", items=items, operation="devolução").items == items[1:]
    assert read_reply("menos o 2", items=items, operation="devolução").items == ("Kit 3 Meias", "Tênis 42")


def test_size_is_said_in_other_words() -> None:
    assert read_reply("só o de 5 giga", items=("Pacote 5GB", "Deezer"), operation="contratação").items == (
        "Pacote 5GB",
    )
    assert read_items("o 5GB", known_values=("Pacote 5GB", "5GB")).items == ("5GB",)


def test_desmarca_says_the_operation_that_is_called_so() -> None:
    reply = read_reply("desmarca tudo", items=("Hemograma", "Raio-X"), operation="desmarcação")
    assert reply.verdict is not Verdict.DECLINE


@pytest.mark.parametrize(("text", "items"), [
    ("o netflix, cancela o babbel", ("Babbel",)),
    ("cancela o babbel, o prime video", ("Babbel", "prime video")),
    ("todos, e o netflix", (*KNOWN, "netflix")),
    ("minha esposa usa o deezer, cancela o babbel", ("Babbel",)),
    ("só não cancela o babbel nem o deezer", SHOWN),
    ("não cancela o babbel nem o deezer", ()),
    ("cancela o aya, não o babbel nem o deezer", ("Aya Audiobooks",)),
    ("quero cancelar 2, o babbel e a aya", ("Babbel", "Aya Audiobooks")),
    ("casei, então não preciso mais do babbel", ("Babbel",)),
    ("não é pra cancelar o babbel, é o deezer", ("Deezer",)),
    ("não é pra cancelar tudo, só o babbel", ("Babbel",)),
    ("cancela o babbel, tô sem usar faz tempo", ("Babbel",)),
])  # fmt: skip
def test_list_of_what_is_known_holds_no_reason(text: str, items: tuple[str, ...]) -> None:
    assert read_items(text, known_values=KNOWN, label="os produtos").items == items


@pytest.mark.parametrize(("text", "items"), [
    ("Turma A, Turma B e Turma C", ("Turma A", "Turma B", "Turma C")),
    ("Vitamina C e Vitamina E", ("Vitamina C", "Vitamina E")),
    ("tanto a Netflix como o Prime", ("Netflix", "Prime")),
    ("quero cancelar 2: netflix e prime", ("netflix", "prime")),
    ("a blusa que veio rasgada e a loja não trocou", ("blusa",)),
    ("perdi meu cartão, bloqueia o Visa", ("Visa",)),
    ("Bloqueio de Chamadas e Caixa Postal", ("Bloqueio de Chamadas", "Caixa Postal")),
])  # fmt: skip
def test_list_of_what_nobody_listed_holds_whole_names(text: str, items: tuple[str, ...]) -> None:
    assert read_items(text).items == items
