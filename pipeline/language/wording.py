"""The catalogue as one answer needs it: one locale, one channel, and what the customer asked for in words.

Owns: naming an operation and its items, writing arguments by their labels, lists within the channel's length.
Invariants: every item is named, or counted in words where the channel is too short. Never: shows the name of a tool or an argument.
Source: DESIGN 7 (Confirm, Normalize).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pipeline.answers import is_code, is_presentable
from pipeline.language.channel_text import Format, fit, speakable, without_markup
from pipeline.language.messages import Catalogue
from pipeline.language.typography import bare_noun, date_text, humanised, money_text, month_text, with_article, with_of
from pipeline.policy import ChannelSpec, Installation, Tool, localized

INLINE_ITEMS = 5
"""More items than this are written below each other where the channel can."""

_MONEY = re.compile(r"(^|_)(valor|preco|preço|price|amount|importe|saldo|balance|fee|tarifa|multa|total|subtotal)(_|$)")
_COUNTED = re.compile(
    r"(^|_)(items|itens|elementos|count|quantity|quantidade|qtd|cantidad|pages|paginas|number|numero)(_|$)"
)
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(T|\s|$)")
_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")
_CODE = re.compile(r"[A-Z][A-Z_]{2,}")
_STATUS = re.compile(r"(^|_)(status|state|situacao|estado)(_|$)")
"""Fields whose values are codes also where they are written small: `shipped`."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What a stage says one answer with."""

    catalogue: Catalogue
    locale: str
    channel: ChannelSpec

    @classmethod
    def of(cls, catalogue: Catalogue, installation: Installation, locale: str, channel: str) -> "Wording":
        """The wording of a turn; an unknown channel is written like the web."""
        return cls(catalogue, locale, installation.channels.get(channel, ChannelSpec()))

    @property
    def form(self) -> Format:
        """The channel's format."""
        return self.channel.format

    def say(self, key: str, /, **values: Any) -> str:
        """Return a text of the catalogue."""
        return self.catalogue.say(key, locale=self.locale, format=self.form, **values)

    def task(self, tool: Tool | None, items: Sequence[str], *, counted: bool = False) -> str:
        """Name what is asked for: o cancelamento de A, B e C; counted: o cancelamento destes 3 itens."""
        operation = self.operation(tool)
        if counted and items:
            key = "task.named_count" if operation else "task.count"
            values: dict[str, Any] = {"count": len(items)}
        else:
            key = {(True, True): "task.named_items", (True, False): "task.named", (False, True): "task.items"}.get(
                (bool(operation), bool(items)), "task.bare"
            )
            values = {"items": list(items)} if items else {}
        return self.say_inside(key, **({"operation": operation} if operation else {}), **values)

    def say_inside(self, key: str, /, **values: Any) -> str:
        """Return a text that becomes part of another one: speech is made of the whole, not of its parts."""
        form: Format = "plain" if self.form == "speech" else self.form
        return self.catalogue.say(key, locale=self.locale, format=form, **values)

    def operation(self, tool: Tool | None) -> str:
        """Return the operation with its article; empty when none is configured."""
        noun = localized(tool.spec.operation, self.locale) if tool else None
        return with_article(noun, self.locale) if noun else ""

    def of_operation(self, tool: Tool | None) -> str:
        """Return the operation after a preposition: do cancelamento."""
        noun = localized(tool.spec.operation, self.locale) if tool else None
        return with_of(noun or self.say_inside("task.bare"), self.locale)

    def about(self, key: str, tool: Tool | None, items: Sequence[str], *, tail: str = "", **values: Any) -> str:
        """Say a text about what was asked for; many items, or long ones, are written below each other."""
        if len(items) <= INLINE_ITEMS or self.form == "speech":
            text = self.say(key, task=self.task(tool, items), **values)
            whole = f"{text} {tail}".strip()
            if len(whole) <= self.channel.max_chars:
                return whole
        return self.listing(self.say(key, task=self.task(tool, items, counted=True), **values), items, tail)

    def reason(self, reason: str | None) -> str | None:
        """Word a tool's reason: known codes by the catalogue, other codes as words, sentences as they are; else None."""
        if not reason or not reason.strip():
            return None
        if is_code(reason):
            key = f"reason.{humanised(reason).replace(' ', '_')}"
            known = self.catalogue.get(key, locale=self.locale, format="plain")
            return known or (humanised(reason) if is_presentable(reason) else None)
        return " ".join(reason.split()).rstrip(".;") if is_presentable(reason) else None

    def details(self, tool: Tool, arguments: Mapping[str, Any], *, without: Sequence[str | None]) -> list[str]:
        """Return the customer's other arguments, each with its label, in the order of the schema."""
        lines = []
        for name in tool.collected:
            label = localized(tool.spec.args_schema[name].label, self.locale)
            value = arguments.get(name)
            if name in without or label is None or value in (None, "", [], {}):
                continue
            currency = (tool.spec.args_schema[name].model_extra or {}).get("currency")
            text = self.value(name, value, currency=currency if isinstance(currency, str) else None)
            lines.append(self.say_inside("detail", label=bare_noun(label), value=text))
        return lines

    def value(self, name: str, value: Any, *, currency: str | None = None) -> str:
        """Write a value of a field: money, dates and codes as people read them."""
        spoken = self.form == "speech"
        if isinstance(value, (list, tuple)):
            return self.say_inside("list.values", items=[self.value(name, element) for element in value])
        if isinstance(value, bool):
            return self.say_inside("list.values", items=[value])
        if isinstance(value, (int, float)):
            if currency or _is_money(name.lower(), value):
                return money_text(value, self.locale, currency=currency or "BRL", spoken=spoken)
            return self.say_inside("list.values", items=[value])
        if isinstance(value, str):
            return self._text_value(value, code=_STATUS.search(name.lower()) is not None)
        return str(value)

    def _text_value(self, value: str, *, code: bool) -> str:
        text = " ".join(value.split())
        month = _MONTH.fullmatch(text)
        if month:
            return month_text(int(month[1]), int(month[2]), self.locale)
        if _ISO_DATE.match(text):
            try:
                instant = datetime.fromisoformat(text)
            except ValueError:
                return text
            return date_text(instant, self.locale, spoken=self.form == "speech")
        if _CODE.fullmatch(text) or (code and _CODE.fullmatch(text.upper())):
            known = self.catalogue.get(f"value.{text.upper()}", locale=self.locale, format="plain")
            return known or text.replace("_", " ").lower()
        return text

    def listing(self, head: str, lines: Sequence[str], tail: str = "", *, more: str = "list.more") -> str:
        """Put a list between a head and a tail, within the channel's length."""
        text = fit(
            head,
            lines,
            tail,
            form=self.form,
            max_chars=self.channel.max_chars,
            more=lambda count: self.say_inside(more, count=count),
        )
        return speakable(text, self.locale) if self.form == "speech" else text

    def foreign(self, text: str) -> str:
        """Take over a text that a tool wrote for the customer: cleaned, in the channel's format, within its length."""
        clean = "\n".join(" ".join(line.split()) for line in text.splitlines() if line.strip())
        clean = "".join(char for char in clean if char == "\n" or char.isprintable())
        if self.form == "speech":
            clean = speakable(clean, self.locale)
        elif self.form == "plain":
            clean = without_markup(clean)
        return clean

    def sentences(self, *parts: str) -> str:
        """Put sentences one after the other, within the channel's length."""
        return self.listing(" ".join(part for part in parts if part), ())


def _is_money(name: str, value: float) -> bool:
    """Whether a number is an amount, by the name of its field; a bare total may be a count."""
    if _COUNTED.search(name) or not _MONEY.search(name):
        return False
    return name != "total" or isinstance(value, float)
