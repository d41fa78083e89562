"""The comparison form and the everyday spellings. Source: language.json GENERAL-2, ITEMS-5."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.normalize import SPELLINGS, fold, spelled, squash, unstretched


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        pytest.param("  NÃO   quero ", "nao quero", id="case, accents, blanks"),
        pytest.param("na\u0303o", "nao", id="decomposed letters"),
        pytest.param("Straße", "strasse", id="case folding, not lower case"),
        pytest.param("ＡＢＣ　１", "abc 1", id="full width forms"),
        pytest.param("a\u200db\ufe0f", "ab", id="invisible characters"),
        pytest.param("ação\tjá\n", "acao ja", id="any blank"),
        pytest.param("", "", id="nothing"),
        pytest.param("1º", "1o", id="an ordinal sign"),
        pytest.param("Señor ¿sí?", "senor ¿si?", id="Spanish"),
    ],
)
def test_fold_is_the_comparison_form(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text(max_size=60))
def test_fold_of_a_folded_text_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("TIM Fashion", "timfashion", id="blanks"),
        pytest.param("Lojas Americanas S.A.", "lojas americanas sa", id="dots"),
        pytest.param("Guarda-Chuva", "guarda chuva", id="hyphens"),
    ],
)
def test_squashed_names_are_the_same(one: str, other: str) -> None:
    assert squash(one) == squash(other)


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        pytest.param("simmm", "sim", id="a stretched last letter"),
        pytest.param("siiiim", "sim", id="a stretched vowel"),
        pytest.param("naoooo", "nao", id="a stretched no"),
        pytest.param("issoooo", "isso", id="a double letter inside stays"),
        pytest.param("claaaaro", "claro", id="a stretch inside"),
        pytest.param("ahaam", "aham", id="a doubled vowel"),
        pytest.param("yesss", "yes", id="English"),
    ],
)
def test_stretched_word_may_be_the_plain_one(word: str, plain: str) -> None:
    assert plain in unstretched(word)


@pytest.mark.parametrize("word", ["sim", "nao", "casa", "1000", "p100000"])
def test_plain_word_has_no_stretch(word: str) -> None:
    assert unstretched(word) == ()


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("vc", "voce"),
        ("blz", "beleza"),
        ("pfv", "por favor"),
        ("n", "nao"),
        ("s", "sim"),
        ("tb", "tambem"),
        ("q", "que"),
        ("naum", "nao"),
        ("babbel", "babbel"),
    ],
)
def test_chat_spelling_stands_for_a_plain_word(word: str, plain: str) -> None:
    assert spelled(word) == plain


def test_spellings_are_folded_on_both_sides() -> None:
    assert {word: plain for word, plain in SPELLINGS.items() if fold(word) != word or fold(plain) != plain} == {}
