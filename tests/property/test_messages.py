"""Whatever items are called and however short a channel is: nothing is left out unsaid, nothing is read aloud that is a symbol."""

import re

from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.channel_text import fit, speakable
from pipeline.language.messages import Catalogue
from pipeline.language.typography import join_items, money_text, number_text, with_article, with_of
from tests.installation import catalogue

TEXTS: Catalogue = catalogue()
LOCALES = st.sampled_from(["pt-BR", "en", "es", "pt-PT", "xx", ""])
words = st.text(min_size=1, max_size=60).map(lambda text: " ".join(text.split())).filter(bool)


@given(
    lines=st.lists(words, min_size=1, max_size=50),
    max_chars=st.integers(100, 2_000),
    form=st.sampled_from(["markdown", "plain", "speech"]),
)
def test_fit_keeps_the_length_and_counts_every_line(lines: list[str], max_chars: int, form: str) -> None:
    marked = [f"{number}:{line}" for number, line in enumerate(lines)]
    text = fit("Itens:", marked, "", form=form, max_chars=max_chars, more=lambda count: f"[+{count}]")  # type: ignore[arg-type]
    assert len(text) <= max_chars
    left_out = re.findall(r"\[\+(\d+)\]", text)
    shown = sum(f"{number}:" in text for number in range(len(lines)))
    assert shown + sum(map(int, left_out)) >= len(lines)


@given(st.text(max_size=300), LOCALES)
def test_speech_holds_no_markup_whatever_is_said(text: str, locale: str) -> None:
    spoken = speakable(text, locale)
    assert not set(spoken) & set("*_`~|<>[]{}\\^•\n#%&@+=")
    assert speakable(spoken, locale) == spoken


@given(st.lists(words, max_size=12), LOCALES)
def test_joined_items_are_all_named(items: list[str], locale: str) -> None:
    text = join_items(items, locale)
    assert all(item in text for item in items)


@given(st.floats(-1e9, 1e9), LOCALES)
def test_numbers_are_written_for_every_locale(value: float, locale: str) -> None:
    assert number_text(value, locale)
    assert re.search(r"\d[.,]\d\d$", money_text(value, locale))
    assert money_text(value, locale, spoken=True)


@given(words, LOCALES)
def test_article_comes_once(noun: str, locale: str) -> None:
    phrase = with_article(noun, locale)
    assert with_article(phrase, locale) == phrase
    assert with_of(noun, locale)


@given(words, st.sampled_from(["markdown", "plain", "speech"]), LOCALES)
def test_values_are_never_read_as_templates(value: str, form: str, locale: str) -> None:
    said = TEXTS.say("result.item_done_protocol", locale=locale, format=form, item="{protocol}", protocol=value)  # type: ignore[arg-type]
    assert ("{protocol}" in said) is (form != "speech")
