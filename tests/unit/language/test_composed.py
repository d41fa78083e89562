"""Composed texts: which ones say what happened, row by row, and that a changed fate never passes."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.composed import Told, fault_of

TOLD = (
    Told(subject="TIM Fashion", done=True, protocol="T1001"),
    Told(subject="Aya Audiobooks", done=False, reason="não foi encontrado"),
    Told(subject="Neymar Jr", done=True, protocol="T1003"),
)
OPERATIONS = {"pt-BR": "cancelamento", "en": "cancellation", "es": "cancelación"}


def fault(text: str, told: tuple[Told, ...] = TOLD, locale: str = "pt-BR") -> str | None:
    return fault_of(text, told, locale=locale, operation=OPERATIONS[locale], max_chars=4_000)


SAID = [
    pytest.param(
        "pt-BR",
        "O TIM Fashion foi cancelado com o protocolo T1001. Já o Aya Audiobooks não pôde ser cancelado. "
        "O Neymar Jr foi cancelado com sucesso, protocolo T1003.",
        id="sentences",
    ),
    pytest.param(
        "pt-BR",
        "Cancelados com sucesso:\n- TIM Fashion (protocolo T1001)\n- Neymar Jr (protocolo T1003)\n\n"
        "Não foi possível cancelar:\n- Aya Audiobooks: não foi encontrado",
        id="lists below headings",
    ),
    pytest.param(
        "pt-BR",
        "Conseguimos cancelar 2 de 3 produtos: TIM Fashion (T1001) e Neymar Jr (T1003). "
        "Infelizmente o Aya Audiobooks não foi encontrado.",
        id="counts that are right",
    ),
    pytest.param(
        "pt-BR",
        "Veja o que aconteceu com o seu pedido\n✅ TIM Fashion, protocolo T1001\n❌ Aya Audiobooks\n✅ Neymar Jr, protocolo T1003",
        id="signs",
    ),
    pytest.param(
        "en",
        "Here is how it went:\n- TIM Fashion was cancelled, protocol T1001\n- Aya Audiobooks could not be cancelled\n"
        "- Neymar Jr was cancelled, protocol T1003",
        id="English",
    ),
    pytest.param(
        "en",
        "TIM Fashion has been cancelled (T1001). We weren't able to cancel Aya Audiobooks. Neymar Jr is done (T1003).",
        id="English, contracted",
    ),
    pytest.param(
        "es",
        "Así quedó:\n- TIM Fashion fue cancelado con el protocolo T1001\n- Aya Audiobooks no se pudo cancelar\n"
        "- Neymar Jr fue cancelado, protocolo T1003",
        id="Spanish",
    ),
]


@pytest.mark.parametrize(("locale", "text"), SAID)
def test_text_passes_when_it_says_what_happened(locale: str, text: str) -> None:
    assert fault(text, locale=locale) is None


@pytest.mark.parametrize(("locale", "text"), SAID)
@pytest.mark.parametrize("place", range(len(TOLD)))
def test_text_fails_when_one_item_met_the_other_fate(locale: str, text: str, place: int) -> None:
    told = [*TOLD]
    told[place] = replace(TOLD[place], done=not TOLD[place].done)
    assert fault(text, tuple(told), locale=locale) is not None


@pytest.mark.parametrize(("locale", "text"), SAID)
def test_text_fails_when_it_leaves_an_item_out(locale: str, text: str) -> None:
    more = (*TOLD, Told(subject="Som e Imagem", done=True))
    assert fault(text, more, locale=locale) == "item_missing"


HIDDEN = [
    pytest.param("não teve nenhum problema e foi cancelado", id="a negated problem"),
    pytest.param("não deixou de ser cancelado", id="a double negation"),
    pytest.param("não demorou, foi cancelado", id="a negation of something else"),
    pytest.param("sem falhas", id="without failures"),
    pytest.param("será cancelado em breve", id="a promise"),
    pytest.param("está em análise", id="something in between"),
    pytest.param("cancelado, mas não como você queria", id="a turn"),
    pytest.param("é um produto do catálogo", id="nothing"),
    pytest.param("não foi cancelado. Brincadeira, foi cancelado sim", id="taking it back"),
    pytest.param("não foi cancelado?", id="a question"),
]


@pytest.mark.parametrize("words", HIDDEN)
def test_failure_is_not_told_by(words: str) -> None:
    lines = ("O TIM Fashion foi cancelado, T1001", f"O Aya Audiobooks {words}", "O Neymar Jr foi cancelado, T1003")
    assert fault("\n".join(lines)) in {"fate_unclear", "fate_changed", "fate_not_said"}


WHOLE = [
    pytest.param("O cancelamento foi concluído.", id="the operation is done"),
    pytest.param("Todos os itens foram cancelados.", id="all of them"),
    pytest.param("Deu certo para os 3.", id="their number"),
    pytest.param("Nada foi cancelado.", id="none of them"),
    pytest.param("Não foi possível concluir o cancelamento.", id="the operation failed"),
    pytest.param("Deu certo para 2 de 4.", id="a wrong number"),
]
LINES_OF_ALL = (
    "\nO TIM Fashion foi cancelado, T1001\nO Aya Audiobooks não foi cancelado\nO Neymar Jr foi cancelado, T1003"
)


@pytest.mark.parametrize("head", WHOLE)
def test_partial_result_is_not_told_as_a_whole_by(head: str) -> None:
    assert fault(head + LINES_OF_ALL) in {"fate_changed", "unknown_number"}


@pytest.mark.parametrize("head", ["Pronto!", "Deu certo para 2 de 3.", "Veja como ficou o seu pedido."])
def test_partial_result_may_begin_with(head: str) -> None:
    assert fault(head + LINES_OF_ALL) is None


@pytest.mark.parametrize("tail", ["mas não como você pediu", "mas ainda está em análise", "porém deu erro"])
def test_success_is_not_taken_back_by_a_turn(tail: str) -> None:
    assert fault(f"O Deezer foi cancelado, {tail}", (Told(subject="Deezer", done=True),)) is not None


def test_same_name_twice_is_left_to_us() -> None:
    assert fault("Deezer foi cancelado", (Told(subject="Deezer", done=True), Told(subject="deezer", done=False))) == (
        "unnameable"
    )


def test_name_that_is_part_of_another_one_is_told_apart() -> None:
    told = (Told(subject="Deezer", done=False), Told(subject="Deezer Premium", done=True))
    assert fault("O Deezer Premium foi cancelado. O Deezer não foi cancelado.", told) is None
    assert fault("O Deezer Premium não foi cancelado. O Deezer foi cancelado.", told) == "fate_changed"


def test_words_of_a_name_claim_nothing() -> None:
    told = (Told(subject="Não Perturbe", done=True), Told(subject="Tudo Feito", done=False))
    assert fault("O Não Perturbe foi cancelado. O Tudo Feito não foi cancelado.", told) is None


NAMES = st.sampled_from(
    ["TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Som e Imagem", "HBO Max", "P-100", "Não Perturbe"]
)
LINES = {True: ("{} foi cancelado", "{}: cancelado com sucesso"), False: ("{} não foi cancelado", "{}: falhou")}


@given(
    st.lists(st.tuples(NAMES, st.booleans(), st.booleans()), min_size=1, max_size=7, unique_by=lambda row: row[0]),
    st.integers(0, 1),
)
def test_lines_pass_exactly_when_every_fate_is_its_own(rows: list[tuple[str, bool, bool]], form: int) -> None:
    told = tuple(Told(subject=name, done=done) for name, done, _ in rows)
    text = "Veja como ficou o pedido da sua conta\n" + "\n".join(
        LINES[said][form].format(name) for name, _, said in rows
    )
    right = all(done == said for _, done, said in rows)
    assert (fault(text, told) is None) is right


@given(st.text(max_size=300))
def test_any_text_is_judged(text: str) -> None:
    assert fault(text) is not None
