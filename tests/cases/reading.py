"""A case file, and its cases run through the public functions of the product.

Owns: which public function a kind of case belongs to, and how its context becomes arguments.
Never: looks at `why`, `source`, `expect` before the answer is there (GENERAL-4).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.language.coerce import CoerceError, coerce
from pipeline.language.items import read_items
from pipeline.language.replies import read_reply
from pipeline.language.routing import RoutingTool, route

__all__ = ["Case", "Got", "answer", "read_cases"]

Fields = Mapping[str, Any]
Got = dict[str, Any]
"""What the product answered, in the words of `expect`, and the `rule` that decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case of a file."""

    id: str
    kind: str
    locale: str
    text: Any
    context: Fields
    expect: Fields
    also_ok: tuple[Any, ...] = ()
    defaults: Fields = field(default_factory=dict)
    """What the head of the file says for all cases: now, timezone."""


def read_cases(path: Path) -> list[Case]:
    """Return the cases of a file, in order. Raises OSError, ValueError, KeyError, TypeError where it is none."""
    document = json.loads(path.read_text(encoding="utf-8"))
    defaults = {key: document[key] for key in ("now", "timezone") if key in document}
    return [
        Case(
            id=row["id"],
            kind=row["kind"],
            locale=row.get("locale", "pt-BR"),
            text=row["text"],
            context=row.get("context", {}),
            expect=row["expect"],
            also_ok=tuple(row.get("also_ok") or ()),
            defaults=defaults,
        )
        for row in document["cases"]
    ]


def answer(case: Case) -> Got:
    """Run one case through the function of its kind. Raises KeyError for an unknown kind."""
    return _ANSWERS[case.kind](case)


def _items(case: Case) -> Got:
    context = case.context
    reading = read_items(
        case.text,
        label=context.get("label"),
        known_values=tuple(context.get("known_values") or ()),
        locale=case.locale,
        description=context.get("description"),
    )
    return {"items": list(reading.items), "rule": reading.rule}


def _reply(case: Case) -> Got:
    context = case.context
    reply = read_reply(
        case.text,
        items=tuple(context["items"]),
        operation=context["operation"],
        locale=case.locale,
        question=context.get("question", ""),
        known_values=tuple(context.get("known_values") or ()),
        interrupted=bool(context.get("interrupted", False)),
    )
    got: Got = {"verdict": str(reply.verdict), "rule": reply.rule}
    if reply.items:
        got["items"] = list(reply.items)
    if reply.rest:
        got["rest"] = reply.rest
    return got


def _when(case: Case) -> tuple[datetime | None, str]:
    now = case.context.get("now", case.defaults.get("now"))
    zone = case.context.get("timezone", case.defaults.get("timezone", "UTC"))
    return (datetime.fromisoformat(now) if now else None), zone


def _coerce(case: Case) -> Got:
    now, zone = _when(case)
    result = coerce(case.text, case.context["schema"], locale=case.locale, now=now, timezone=zone)
    if isinstance(result, CoerceError):
        return {"error": str(result.code), "rule": result.rule}
    return {"value": result.value, "rule": result.rule}


@cache
def _nearest() -> Any:
    """Return the product's sentence encoder where it is installed, None otherwise."""
    try:
        from consumers.meaning import load_nearest
    except ImportError:
        return None
    return load_nearest()


def _route(case: Case) -> Got:
    tools = [
        RoutingTool(
            name=tool["name"],
            description=tool.get("description", ""),
            keywords=tuple(tool.get("keywords") or ()),
            examples=tuple(tool.get("examples") or ()),
        )
        for tool in case.context["tools"]
    ]
    found = route(case.text, tools, nearest=_nearest(), locale=case.locale)
    if len(found.tools) > 1:
        return {"tool": "multiple", "tools": list(found.tools), "rule": found.rule}
    return {"tool": found.tool, "rule": found.rule}


def _abandon(case: Case) -> Got:
    from pipeline.language.collecting import read_answer

    now, zone = _when(case)
    context = case.context
    found = read_answer(
        case.text,
        parameter=context["parameter"],
        operation=context["operation"],
        question=context.get("question", ""),
        locale=case.locale,
        now=now,
        timezone=zone,
    )
    got: Got = {"verdict": str(found.verdict), "rule": found.rule}
    if got["verdict"] == "answer":
        got["value"] = found.value
    return got


_ANSWERS = {"items": _items, "reply": _reply, "coerce": _coerce, "route": _route, "abandon": _abandon}
