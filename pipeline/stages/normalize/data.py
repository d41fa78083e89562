"""What a query answered, written for people.

Invariants: labels come from the catalogue or from the words of a field's name; flags, keys and empty values are left out; nothing is
computed. Total on any JSON, bounded in depth and length. Source: DESIGN 7 (Normalize).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pipeline.language.typography import heading, humanised
from pipeline.language.wording import Wording
from pipeline.matching import subject_of
from pipeline.policy import Tool, is_filled, localized

FIELDS_MAX = 20
"""Fields of one answer that are shown."""

_WORDS = ("message", "mensagem", "mensaje", "text", "summary", "resumo")
"""Fields in which a tool writes to the customer itself."""
_NOT_SHOWN = frozenset(
    {
        *_WORDS,
        *(
            "ok",
            "success",
            "eligible",
            "error",
            "reason",
            "code",
            "metadata",
            "meta",
            "cache",
            "latency_ms",
            "tool_name",
        ),
        *(
            "customer_id",
            "customer_key",
            "msisdn",
            "session_id",
            "trace_id",
            "request_id",
            "ura_call_id",
            "operation_id",
        ),
    }
)


def own_words(body: Any, wording: Wording) -> str | None:
    """Return the text a tool wrote for the customer; None when there is none."""
    if isinstance(body, str):
        return wording.foreign(body) or None
    if isinstance(body, Mapping):
        for name in _WORDS:
            if isinstance(body.get(name), str) and body[name].strip():
                return wording.foreign(body[name])
    return None


def lines_of(body: Any, wording: Wording, tool: Tool | None) -> list[str]:
    """Return one line per field or element."""
    if isinstance(body, Mapping):
        return _fields(body, wording, tool)
    if isinstance(body, Sequence) and not isinstance(body, str):
        lines = [_element(element, wording, tool) for element in body[:FIELDS_MAX]]
        left = len(body) - FIELDS_MAX
        return [
            *(line for line in lines if line),
            *([wording.say_inside("list.more_results", count=left)] if left > 0 else []),
        ]
    return [wording.value("value", body)] if is_filled(body) else []


def details_of(entry: Mapping[str, Any], wording: Wording, tool: Tool | None) -> str:
    """Write the fields of one result in one line."""
    return "; ".join(_fields(entry, wording, tool, lower=True))


def _fields(body: Mapping[str, Any], wording: Wording, tool: Tool | None, *, lower: bool = False) -> list[str]:
    lines = []
    for name, value in _shown(body):
        if isinstance(value, Sequence) and not isinstance(value, str):
            parts = [_element(element, wording, tool) for element in value[:FIELDS_MAX]]
            text = "; ".join(part for part in parts if part)
            if len(value) > FIELDS_MAX:
                text += f"; {wording.say_inside('list.more_results', count=len(value) - FIELDS_MAX)}"
        else:
            text = wording.value(name, value)
        if text:
            label = _label(name, wording, tool)
            lines.append(wording.say_inside("detail", label=label.lower() if lower else label, value=text))
    return lines[:FIELDS_MAX]


def _shown(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the fields worth showing; one level of nested objects is taken apart."""
    for name, value in body.items():
        if name in _NOT_SHOWN or not is_filled(value):
            continue
        if isinstance(value, Mapping):
            yield from (
                (inner, deeper)
                for inner, deeper in value.items()
                if inner not in _NOT_SHOWN and is_filled(deeper) and not isinstance(deeper, Mapping)
            )
        else:
            yield name, value


def _element(element: Any, wording: Wording, tool: Tool | None) -> str:
    if not isinstance(element, Mapping):
        return wording.value("value", element) if is_filled(element) else ""
    subject = subject_of(element)
    rest = {key: value for key, value in element.items() if value != subject}
    details = ", ".join(_fields(rest, wording, tool, lower=True))
    return f"{subject} ({details})" if subject and details else subject or details


def _label(name: str, wording: Wording, tool: Tool | None) -> str:
    known = wording.catalogue.get(f"field.{name.lower()}", locale=wording.locale, format="plain")
    if known:
        return known
    spec = tool.spec.args_schema.get(name) if tool else None
    configured = localized(spec.label, wording.locale) if spec else None
    return heading(configured or humanised(name))
