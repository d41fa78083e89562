"""How values are written for people: lists, numbers, money, dates, durations, nouns with their article.

Invariants: every function is total and deterministic; an unknown locale is written as pt-BR. Never: chooses words of a
message (messages.py does), reads what a customer wrote. Source: DESIGN 7, the multi-item guide section 3.
"""

import re
from collections.abc import Sequence
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal

LOCALES = ("pt-BR", "en", "es")
"""The locales every text exists in."""

_AND = {"pt": "e", "en": "and", "es": "y"}
_OR = {"pt": "ou", "en": "or", "es": "o"}
_SYMBOLS = {"BRL": "R$", "USD": "US$", "EUR": "€"}
_UNITS = {
    "BRL": {"pt": ("real", "reais"), "en": ("real", "reais"), "es": ("real", "reales")},
    "USD": {"pt": ("dólar", "dólares"), "en": ("dollar", "dollars"), "es": ("dólar", "dólares")},
    "EUR": {"pt": ("euro", "euros"), "en": ("euro", "euros"), "es": ("euro", "euros")},
}
_CENTS = {"pt": ("centavo", "centavos"), "en": ("cent", "cents"), "es": ("centavo", "centavos")}
_MONTHS = {
    "pt": [
        "janeiro",
        "fevereiro",
        "março",
        "abril",
        "maio",
        "junho",
        "julho",
        "agosto",
        "setembro",
        "outubro",
        "novembro",
        "dezembro",
    ],
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    "es": [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
}
_DURATIONS = {
    "pt": {"day": ("dia", "dias"), "hour": ("hora", "horas"), "minute": ("minuto", "minutos"), "second": ("segundo", "segundos")},
    "en": {"day": ("day", "days"), "hour": ("hour", "hours"), "minute": ("minute", "minutes"), "second": ("second", "seconds")},
    "es": {"day": ("día", "días"), "hour": ("hora", "horas"), "minute": ("minuto", "minutos"), "second": ("segundo", "segundos")},
}  # fmt: skip
_FEMININE = {
    "pt": re.compile(r"(ção|ções|são|sões|dade|dades|agem|agens|tude|a|as)$"),
    "es": re.compile(r"(ción|ciones|sión|siones|dad|dades|tud|a|as)$"),
}
_ARTICLES = re.compile(
    r"^(?:(?P<article>os?|as?|el|los|las?|the|uma?s?|un|unos|unas|your|seus?|suas?|sus?)\s+)(?=\S)", re.IGNORECASE
)


def language_of(locale: str) -> str:
    """Language in which a locale is written: `pt`, `en` or `es`."""
    language = locale.replace("_", "-").split("-", maxsplit=1)[0].lower()
    return language if language in _AND else "pt"


def supported_locale(locale: str) -> str:
    """The supported locale nearest to one that was given: es-MX gives es, unknown ones pt-BR."""
    return {"pt": "pt-BR", "en": "en", "es": "es"}[language_of(locale)]


def join_items(items: Sequence[str], locale: str, *, either: bool = False) -> str:
    """Write "A, B e C"; an item that holds a separator of its own is quoted, so that the list stays readable."""
    language = language_of(locale)
    word = (_OR if either else _AND)[language]
    marked = [_marked(item, word) if len(items) > 1 else item for item in items]
    if len(marked) < 2:
        return "".join(marked)
    if language == "es":
        word = _spanish_word(word, items[-1])
    return f"{', '.join(marked[:-1])} {word} {marked[-1]}"


def _marked(item: str, word: str) -> str:
    alone = re.search(rf"[,;]|\s{word}\s", item, re.IGNORECASE) is None
    return item if alone else f"“{item}”"


def _spanish_word(word: str, following: str) -> str:
    """Return `e` before an i sound and `u` before an o sound."""
    start = following.lower().lstrip("“\"'")
    if word == "y" and re.match(r"h?[ií](?![aeou])", start):
        return "e"
    if word == "o" and re.match(r"h?[oó]", start):
        return "u"
    return word


def number_text(value: float | Decimal, locale: str) -> str:
    """Write a number with the locale's separators, without needless decimals: 1234.5 gives 1.234,5 in pt-BR."""
    text = f"{Decimal(str(value)):,f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text if language_of(locale) == "en" else _swap(text)


def money_text(amount: float | Decimal, locale: str, *, currency: str = "BRL", spoken: bool = False) -> str:
    """Write an amount: R$ 1.249,90; spoken: 1249 reais e 90 centavos."""
    language = language_of(locale)
    value = Decimal(str(amount)).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    if spoken:
        return _spoken_money(value, language, currency)
    digits = f"{abs(value):,.2f}"
    sign = "-" if value < 0 else ""
    symbol = _SYMBOLS.get(currency, currency)
    if language == "en" and currency in _SYMBOLS:
        return f"{sign}{symbol}{digits}"
    return f"{sign}{symbol} {digits if language == 'en' else _swap(digits)}"


def _spoken_money(value: Decimal, language: str, currency: str) -> str:
    whole, cents = divmod(int(abs(value) * 100), 100)
    one, other = _UNITS.get(currency, {}).get(language, (currency, currency))
    parts = []
    if whole or not cents:
        # A million is followed by "de" in Portuguese and Spanish; amounts that large are read well enough without.
        parts.append(f"{whole} {one if whole == 1 else other}")
    if cents:
        parts.append(f"{cents} {_CENTS[language][cents != 1]}")
    minus = {"pt": "menos ", "en": "minus ", "es": "menos "}[language] if value < 0 else ""
    return minus + f" {_AND[language]} ".join(parts)


def date_text(value: date, locale: str, *, spoken: bool = False) -> str:
    """Write a day: 05/03/2026, in English March 5, 2026; spoken with the month's name. A time of day is added as 14:30."""
    language = language_of(locale)
    month = _MONTHS[language][value.month - 1]
    if language == "en":
        text = f"{month} {value.day}, {value.year}"
    elif spoken:
        text = f"{value.day} de {month} de {value.year}"
    else:
        text = f"{value.day:02}/{value.month:02}/{value.year}"
    if isinstance(value, datetime) and (value.hour or value.minute):
        text += f", {value.hour:02}:{value.minute:02}"
    return text


def month_text(year: int, month: int, locale: str) -> str:
    """Write a month: abril de 2026, in English April 2026."""
    language = language_of(locale)
    name = _MONTHS[language][month - 1]
    return f"{name} {year}" if language == "en" else f"{name} de {year}"


def duration_text(milliseconds: int, locale: str) -> str:
    """Write a duration in its largest fitting unit, rounded down but never to nothing: 900000 gives 15 minutos."""
    seconds = max(1, milliseconds // 1000)
    units = _DURATIONS[language_of(locale)]
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            count = seconds // size
            return f"{count} {units[unit][count != 1]}"
    return f"{seconds} {units['second'][seconds != 1]}"


def with_article(noun: str, locale: str) -> str:
    """Put the definite article before a noun that has none: o cancelamento, a contestação, la cancelación."""
    language = language_of(locale)
    if _ARTICLES.match(noun):
        return noun
    if language == "en":
        return f"the {noun}"
    head = noun.split(maxsplit=1)[0].lower() if noun.strip() else noun
    feminine = _FEMININE[language].search(head) is not None
    plural = head.endswith("s")
    if language == "es":
        return f"{('las' if plural else 'la') if feminine else ('los' if plural else 'el')} {noun}"
    return f"{('as' if plural else 'a') if feminine else ('os' if plural else 'o')} {noun}"


def with_of(noun: str, locale: str) -> str:
    """Put the preposition and the article before a noun: do cancelamento, da contestação, del, of the."""
    phrase = with_article(noun, locale)
    language = language_of(locale)
    if language == "en":
        return f"of {phrase}"
    first, _, rest = phrase.partition(" ")
    if language == "es":
        return f"del {rest}" if first.lower() == "el" else f"de {phrase}"
    return f"d{first.lower()} {rest}" if first.lower() in {"o", "a", "os", "as"} else f"de {phrase}"


def bare_noun(label: str) -> str:
    """Take the article off a label: os produtos gives produtos."""
    return _ARTICLES.sub("", label.strip(), count=1)


def heading(label: str) -> str:
    """Write a label at the beginning of a line: o valor gives Valor."""
    noun = bare_noun(label)
    return noun[:1].upper() + noun[1:]


def humanised(code: str) -> str:
    """Write a code as words: already_shipped gives already shipped; a sentence stays as it is."""
    text = " ".join(code.split())
    if " " in text:
        return text
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return re.sub(r"[_\-.]+", " ", text).strip().lower()


def _swap(digits: str) -> str:
    return digits.translate(str.maketrans(",.", ".,"))
