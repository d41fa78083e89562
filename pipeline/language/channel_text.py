"""How a text becomes what one channel can show or say: Markdown, plain text, speech; and within its length.

Invariants: an item is never cut away silently: what does not fit is counted in words. Speech holds no bullets and no symbols
to be read aloud. Never: chooses words. Source: DESIGN 7, ChannelSpec in pipeline/policy.
"""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Literal

from pipeline.language.typography import language_of, money_text

Format = Literal["markdown", "plain", "speech"]
"""How a channel shows a text."""

LINE_MIN = 24
"""Characters a line is never shortened below: a name and its fate stay recognisable."""

_MARKUP = re.compile(r"\*\*|__|`|^#+\s+", re.MULTILINE)
_BULLET = re.compile(r"^\s*[-*•–]\s+", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\((?:[^)]+)\)")
_URL = re.compile(r"https?://\S+")
_AMOUNT = re.compile(r"(R\$|US\$|€)\s?(-?\d{1,3}(?:[.,]\d{3})*(?:[.,]\d{2})|-?\d+(?:[.,]\d{1,2})?)(?!\d)")
_CURRENCY = {"R$": "BRL", "US$": "USD", "€": "EUR"}
_SPOKEN = {
    "pt": {"%": " por cento", "&": " e ", "+": " mais ", "=": " igual a ", "@": " arroba ", "#": " número ", "º": "º"},
    "en": {"%": " percent", "&": " and ", "+": " plus ", "=": " equals ", "@": " at ", "#": " number "},
    "es": {"%": " por ciento", "&": " y ", "+": " más ", "=": " igual a ", "@": " arroba ", "#": " número "},
}
_LONG_NUMBER = re.compile(r"(?<![\d.,])\d{6,}(?![\d,]|\.\d|\s+(?:real|reais|d[oó]lar|dollar|euro))")
"""A protocol, an invoice: read digit by digit, not as millions."""
_UNSPOKEN = re.compile(r"[*_`~|<>\[\]{}\\^“”\"•→←✓✗✔✘]|[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F]")


def without_markup(text: str) -> str:
    """Drop Markdown emphasis, headings and link targets; bullets stay."""
    return _MARKUP.sub("", _LINK.sub(r"\1", text))


def speakable(text: str, locale: str) -> str:
    """Write a text so that a voice reads it well: no markup, bullets, emoji or addresses; amounts and signs as words."""
    spoken = _URL.sub("", _LINK.sub(r"\1", text))
    spoken = _BULLET.sub("", spoken)
    spoken = _AMOUNT.sub(lambda match: _amount(match, locale), spoken)
    for sign, word in _SPOKEN[language_of(locale)].items():
        spoken = spoken.replace(sign, word)
    spoken = _UNSPOKEN.sub("", spoken)
    spoken = _LONG_NUMBER.sub(lambda match: " ".join(match[0]), spoken)
    spoken = re.sub(r"\s*\(([^()]*)\)", r", \1", spoken)
    sentences = [line.strip() for line in spoken.splitlines() if line.strip()]
    ended = [line if line[-1] in ".!?:;," else f"{line}." for line in sentences]
    return re.sub(r"\s+([.,;:!?])", r"\1", re.sub(r"[ \t]+", " ", " ".join(ended))).strip()


def _amount(match: re.Match[str], locale: str) -> str:
    digits = match[2]
    cents = re.search(r"[.,](\d{1,2})$", digits)
    whole = re.sub(r"[.,]", "", digits[: cents.start()] if cents else digits)
    return money_text(Decimal(f"{whole}.{cents[1] if cents else 0}"), locale, currency=_CURRENCY[match[1]], spoken=True)


def bullets(lines: Sequence[str], form: Format) -> str:
    """Write lines below each other; in speech as sentences one after the other."""
    if form == "speech":
        return " ".join(line if line[-1:] in ".!?" else f"{line}." for line in lines)
    return "\n".join(f"- {line}" for line in lines)


def fit(head: str, lines: Sequence[str], tail: str, *, form: Format, max_chars: int, more: Callable[[int], str]) -> str:
    """Put a head, a list and a tail together within max_chars.

    What is too long is first shortened line by line; only when even that is too long, lines are left out and `more` says how
    many: never silently.
    """
    text = _together(head, lines, tail, form)
    if len(text) <= max_chars or not lines:
        return _shortened(text, max_chars)
    overhead = len(_together(head, [""] * len(lines), tail, form))
    room = (max_chars - overhead) // len(lines)
    if room >= LINE_MIN:
        return _together(head, [_shortened(line, room) for line in lines], tail, form)
    short = [_shortened(line, LINE_MIN) for line in lines]
    for shown in range(len(lines) - 1, -1, -1):
        text = _together(head, [*short[:shown], more(len(lines) - shown)], tail, form)
        if len(text) <= max_chars:
            return text
    return _shortened(_together(more(len(lines)), (), head, form), max_chars)


def _together(head: str, lines: Sequence[str], tail: str, form: Format) -> str:
    parts = [part for part in (head, bullets(lines, form) if lines else "", tail) if part]
    return (" " if form == "speech" else "\n").join(parts)


def _shortened(text: str, max_chars: int) -> str:
    return text if len(text) <= max_chars else f"{text[: max_chars - 1].rstrip()}…"
