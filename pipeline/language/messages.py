"""The customer texts: one catalogue for all stages, by locale and channel format.

Owns: choosing a text (locale, one or several, channel format), filling it, and checking the catalogues against each other.
Invariants: every key exists in every locale with the same placeholders; numbers, lists and dates are written as the locale does.
Never: reads a file (config/messages.*.yaml come as mappings), shows an internal name. Source: DESIGN 7, issue "wording".

A key may have a variant for one channel format, `key@speech`. A text with `one` and `other` is chosen by the value `count`,
else by the length of the only list among the values. Texts may hold Markdown emphasis; other formats drop it.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from string import Formatter
from typing import Any, get_args

from pipeline.language.channel_text import Format, speakable, without_markup
from pipeline.language.typography import LOCALES, date_text, join_items, number_text, supported_locale

Text = str | Mapping[str, str]
"""One text, or `one` and `other`."""

_FORMS = ("one", "other")
_FORMATS: tuple[str, ...] = get_args(Format)


class Catalogue:
    """The texts of every locale."""

    def __init__(self, texts: Mapping[str, Mapping[str, Text]]) -> None:
        """Take texts by locale and key, as the files hold them.

        Raises: ValueError that lists what `check` finds.
        """
        problems = check(texts)
        if problems:
            raise ValueError("; ".join(problems))
        self._texts = {locale: dict(texts[locale]) for locale in LOCALES}

    def say(self, key: str, /, *, locale: str, format: Format = "markdown", **values: Any) -> str:  # noqa: A002
        """Return the text of a key, filled. Raises: KeyError for a key or a value that is not there (a fault of ours)."""
        language = supported_locale(locale)
        texts = self._texts[language]
        text = texts.get(f"{key}@{format}", texts.get(key))
        if text is None:
            raise KeyError(key)
        template = text if isinstance(text, str) else text["one" if _count(values) == 1 else "other"]
        if format != "markdown":
            template = without_markup(template)
        filled = template.format_map({name: _written(value, language, format) for name, value in values.items()})
        return speakable(filled, language) if format == "speech" else filled

    def get(self, key: str, /, *, locale: str, format: Format = "markdown", **values: Any) -> str | None:  # noqa: A002
        """Return the text of a key that may be missing (a reason code, the label of a field), else None."""
        return self.say(key, locale=locale, format=format, **values) if self.knows(key) else None

    def knows(self, key: str) -> bool:
        """Whether there is such a text."""
        return key in self._texts[LOCALES[0]]


def _count(values: Mapping[str, Any]) -> int:
    count = values.get("count")
    if isinstance(count, int):
        return count
    lists = [value for value in values.values() if isinstance(value, (list, tuple))]
    return len(lists[0]) if len(lists) == 1 else 2


def _written(value: Any, locale: str, form: Format) -> str:
    match value:
        case str():
            return value
        case bool():
            return {"pt-BR": ("não", "sim"), "en": ("no", "yes"), "es": ("no", "sí")}[locale][value]
        case int() | float() | Decimal():
            return number_text(value, locale)
        case date():
            return date_text(value, locale, spoken=form == "speech")
        case list() | tuple():
            return join_items([_written(element, locale, form) for element in value], locale)
        case _:
            return str(value)


def check(texts: Mapping[str, Mapping[str, Text]]) -> list[str]:
    """Return what is wrong with catalogues, a sentence each: keys, placeholders and forms that differ between locales."""
    problems = [f"messages: locale {locale} is missing" for locale in LOCALES if locale not in texts]
    problems += [f"messages: locale {locale} is not supported" for locale in texts if locale not in LOCALES]
    present = [locale for locale in LOCALES if locale in texts]
    keys = dict.fromkeys(key for locale in present for key in texts[locale])
    for key in keys:
        name, _, variant = key.partition("@")
        if variant and (variant not in _FORMATS or name not in keys):
            problems.append(f"messages: {key}: must be a text's own key with one of {', '.join(_FORMATS)}")
        found: dict[str, frozenset[str]] = {}
        for locale in present:
            if key not in texts[locale]:
                if not variant:
                    problems.append(f"messages.{locale}: {key} is missing")
                continue
            placeholders, faults = _placeholders(texts[locale][key])
            problems += [f"messages.{locale}: {key}: {fault}" for fault in faults]
            if not faults:
                found[locale] = placeholders
        if len(set(found.values())) > 1:
            said = "; ".join(f"{locale}: {', '.join(sorted(names)) or 'none'}" for locale, names in found.items())
            problems.append(f"messages: {key}: placeholders differ ({said})")
    return problems


def _placeholders(text: Any) -> tuple[frozenset[str], list[str]]:
    """Names of a text's placeholders; in `one` a number may be written out, so `count` is never missed."""
    if isinstance(text, str):
        forms: Sequence[Any] = (text,)
    elif isinstance(text, Mapping) and set(text) == set(_FORMS):
        forms = tuple(text.values())
    else:
        return frozenset(), ["must be a text, or a mapping of one and other"]
    names: set[str] = set()
    faults = []
    for form in forms:
        if not isinstance(form, str) or not form.strip():
            faults.append("must not be blank")
            continue
        try:
            fields = [(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(form)]
        except ValueError as error:
            faults.append(f"is not a template ({error})")
            continue
        for name, spec, conversion in fields:
            if name is None:
                continue
            if not name.isidentifier() or spec or conversion:
                faults.append(f"{{{name}}} must be a plain name in braces")
            names.add(name)
    return frozenset(names - {"count"}), faults
