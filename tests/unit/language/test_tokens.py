"""Tokens with their spans. Source: language.json ITEMS-3, ITEMS-4, ITEMS-9."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.tokens import TokenKind, tokenize

W, N, C, S, P, Q, E, L = (
    TokenKind.WORD,
    TokenKind.NUMBER,
    TokenKind.CODE,
    TokenKind.SEPARATOR,
    TokenKind.PUNCTUATION,
    TokenKind.QUOTED,
    TokenKind.EMOJI,
    TokenKind.NEWLINE,
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("sim, pode!", [("sim", W), (",", S), ("pode", W), ("!", P)], id="words and signs"),
        pytest.param("R$ 1.234,56", [("R$", W), ("1.234,56", N)], id="marks between digits belong to the number"),
        pytest.param("R$71,99", [("R$71,99", N)], id="glued currency"),
        pytest.param("71,99, 20", [("71,99", N), (",", S), ("20", N)], id="a comma before a blank separates"),
        pytest.param("222.333.444-00", [("222.333.444-00", N)], id="a document number"),
        pytest.param("P-100; P-101", [("P-100", C), (";", S), ("P-101", C)], id="codes with hyphens"),
        pytest.param("7/2025", [("7/2025", N)], id="a slash inside a number"),
        pytest.param("NF-22/2025", [("NF-22/2025", C)], id="a slash inside a code"),
        pytest.param("Babbel/Deezer", [("Babbel", W), ("/", S), ("Deezer", W)], id="a slash between names"),
        pytest.param("P-100/P-101", [("P-100", C), ("/", S), ("P-101", C)], id="a slash between codes of one series"),
        pytest.param("Babbel / Deezer", [("Babbel", W), ("/", S), ("Deezer", W)], id="a slash between blanks"),
        pytest.param(
            "Disney+ + Star+", [("Disney+", W), ("+", S), ("Star+", W)], id="a glued plus is part of the name"
        ),
        pytest.param("AT&T & H&M", [("AT&T", W), ("&", W), ("H&M", W)], id="an ampersand is part of names"),
        pytest.param('"Mundo, Hoje" e', [("Mundo, Hoje", Q), ("e", W)], id="a quotation is one token"),
        pytest.param("'Pão e Vinho'", [("Pão e Vinho", Q)], id="single quotes"),
        pytest.param("“Sol” «Mar»", [("Sol", Q), ("Mar", Q)], id="typographic quotes"),
        pytest.param("d'água McDonald's", [("d'água", W), ("McDonald's", W)], id="apostrophes are no quotes"),
        pytest.param('tv 32" preta', [("tv", W), ("32", N), ('"', P), ("preta", W)], id="an inch mark opens nothing"),
        pytest.param('"sem fim', [('"', P), ("sem", W), ("fim", W)], id="a quote that never closes"),
        pytest.param(
            "Lojas S.A. fim.", [("Lojas", W), ("S.A.", W), ("fim", W), (".", P)], id="an acronym keeps its dots"
        ),
        pytest.param("Neymar Jr. e", [("Neymar", W), ("Jr.", W), ("e", W)], id="an abbreviation keeps its dot"),
        pytest.param("sim pod-", [("sim", W), ("pod", W), ("-", P)], id="a word that breaks off"),
        pytest.param(
            "- Babbel\n• Deezer", [("-", P), ("Babbel", W), ("\n", L), ("•", S), ("Deezer", W)], id="bullets and lines"
        ),
        pytest.param("ok 👍🏽", [("ok", W), ("👍🏽", E)], id="an emoji with its skin tone"),
        pytest.param("1️⃣ Babbel", [("1️⃣", E), ("Babbel", W)], id="a keycap"),
        pytest.param("¿sí?", [("¿", P), ("sí", W), ("?", P)], id="Spanish question marks"),
        pytest.param("(11) 98888-7777", [("(", P), ("11", N), (")", P), ("98888-7777", N)], id="an area code"),
        pytest.param("5GB", [("5GB", C)], id="digits and letters"),
        pytest.param("p/ mim", [("p/", W), ("mim", W)], id="para, abbreviated"),
        pytest.param("não…", [("não", W), ("…", P)], id="an ellipsis"),
        pytest.param("   ", [], id="blanks only"),
    ],
)
def test_text_is_cut_into_tokens(text: str, tokens: list[tuple[str, TokenKind]]) -> None:
    assert [(token.text, token.kind) for token in tokenize(text)] == tokens


@given(
    st.text(
        alphabet=st.one_of(st.sampled_from("\"'“”«»'’`,;:.-/+&()[]$R12 ab\né👍🏽\ufe0f\u20e3"), st.characters()),
        max_size=200,
    )
)
def test_tokens_cover_everything_but_blanks(text: str) -> None:
    tokens = tokenize(text)
    last = 0
    for token in tokens:
        assert text[last : token.start].strip() == ""
        assert last <= token.start < token.end
        last = token.end
    assert text[last:].strip() == ""
    assert all(
        token.text == text[token.start : token.end]
        for token in tokens
        if token.kind not in (TokenKind.QUOTED, TokenKind.NEWLINE)
    )
