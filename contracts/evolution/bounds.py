"""Bounds of a value, old against new: tighter, looser, or neither. Covers numbers, texts, arrays, objects, enums and constants."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from contracts.evolution.change import ABSENT, Change, listed, shown
from contracts.evolution.shapes import Alternative, Schema


@dataclass(frozen=True, slots=True)
class Bound:
    """A keyword whose number bounds a value from one side."""

    keyword: str
    upper: bool
    beyond: str
    """A value outside of it, after a verb; `{}` is the number."""


BOUNDS = (
    Bound("minLength", upper=False, beyond="with fewer than {} characters"),
    Bound("maxLength", upper=True, beyond="with more than {} characters"),
    Bound("minItems", upper=False, beyond="with fewer than {} items"),
    Bound("maxItems", upper=True, beyond="with more than {} items"),
    Bound("minProperties", upper=False, beyond="with fewer than {} fields"),
    Bound("maxProperties", upper=True, beyond="with more than {} fields"),
)
BY_TYPE = "by type"
"""x-open of an enum beside any value of its type: its writers need not wait until readers were told."""

_HARMLESS = {"minLength": 0, "minItems": 0, "minProperties": 0}
"""A lower bound of nothing is none."""


def bounds_changed(old: Schema, new: Schema, kind: str, path: str) -> Iterator[Change]:
    """Every bound that differs between two alternatives of one kind."""
    for bound in BOUNDS:
        nothing = _HARMLESS.get(bound.keyword, ABSENT)
        before, after = (None if (n := schema.get(bound.keyword, nothing)) is nothing else n for schema in (old, new))
        yield from _moved(bound.keyword, before, after, upper=bound.upper, beyond=bound.beyond, path=path)
    whole = kind == "integer"
    for upper, inclusive, exclusive in (
        (False, "minimum", "exclusiveMinimum"),
        (True, "maximum", "exclusiveMaximum"),
    ):
        before, after = (_limit(schema, inclusive, exclusive, upper=upper, whole=whole) for schema in (old, new))
        if before != after:
            yield from _limits(before, after, inclusive, exclusive, upper=upper, path=path)
    yield from _others(old, new, path)


def _moved(keyword: str, before: Any, after: Any, *, upper: bool, beyond: str, path: str) -> Iterator[Change]:
    if before == after:
        return
    tighter = after is not None and (before is None or (after < before if upper else after > before))
    words = {"old": _said(keyword, before), "new": _said(keyword, after), "beyond": beyond.format(after)}
    yield Change("bound-tightened" if tighter else "bound-loosened", path, words)


def _said(keyword: str, number: Any) -> str:
    return f"no {keyword}" if number is None else f"{keyword} {shown(number)}"


def _limit(schema: Schema, inclusive: str, exclusive: str, *, upper: bool, whole: bool) -> tuple[float, bool] | None:
    """The stricter of the two limits and whether it is itself outside; of an integer always the last number inside."""
    found = [(schema[key], key == exclusive) for key in (inclusive, exclusive) if key in schema]
    if not found:
        return None
    number, outside = (min if upper else max)(found, key=lambda each: (each[0], each[1] is not upper))
    if whole and outside and number == int(number):
        return number - 1 if upper else number + 1, False
    return number, outside


def _limits(
    before: tuple[float, bool] | None,
    after: tuple[float, bool] | None,
    inclusive: str,
    exclusive: str,
    *,
    upper: bool,
    path: str,
) -> Iterator[Change]:
    def rank(limit: tuple[float, bool] | None) -> tuple[float, bool]:
        number, outside = limit if limit is not None else (float("inf"), False)
        return (number if upper or limit is None else -number, not outside)  # smaller is stricter

    def said(limit: tuple[float, bool] | None) -> str:
        return f"no {inclusive}" if limit is None else f"{exclusive if limit[1] else inclusive} {shown(limit[0])}"

    number, outside = after if after is not None else (0, False)
    beyond = (
        f"with {shown(number)} or {'more' if upper else 'less'}"
        if outside
        else f"with {'more' if upper else 'less'} than {shown(number)}"
    )
    rule = "bound-tightened" if rank(after) < rank(before) else "bound-loosened"
    yield Change(rule, path, {"old": said(before), "new": said(after), "beyond": beyond})


def _others(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    """Bounds that are no number on one side: pattern, format, multipleOf, uniqueItems."""
    beyond: Mapping[str, str] = {
        "pattern": "with a text that does not match {}",
        "format": "with a text that is no {}",
        "multipleOf": "with a number that is no multiple of {}",
        "uniqueItems": "with the same item twice",
    }
    for keyword, how in beyond.items():
        before, after = ((schema.get(keyword) or None) for schema in (old, new))
        if before == after:
            continue
        words = {"old": _said(keyword, before), "new": _said(keyword, after), "beyond": how.format(after)}
        if before is None:
            rule = "bound-tightened"
        elif after is None:
            rule = "bound-loosened"
        elif keyword == "pattern":
            rule = "pattern-changed"
        elif keyword == "multipleOf" and after % before == 0:
            rule = "bound-tightened"
        elif keyword == "multipleOf" and before % after == 0:
            rule = "bound-loosened"
        else:
            rule = "bound-changed"
        yield Change(rule, path, words)


def values_changed(old: Alternative, new: Alternative, path: str) -> Iterator[Change]:
    """Enum and const, open and closed."""
    before, after = old.values, new.values
    was_open, is_open = (each.schema.get("x-open") in (True, BY_TYPE) for each in (old, new))
    if before is None or after is None:
        if before is not None:
            rule = "open-enum-value-added" if was_open else "enum-opened"
            yield Change(rule, path, {"old": listed(map(shown, before)), "new": new.kind})
        elif after is not None:
            words = {"old": old.kind, "new": listed(map(shown, after))}
            yield Change("enum-declared-open" if is_open else "enum-closed", path, words)
        return
    if new.schema.get("x-open") == BY_TYPE and not was_open:
        yield Change("enum-opened", path, {"old": listed(map(shown, before)), "new": new.kind})
        return
    added = [value for value in after if not _has(before, value)]
    removed = [value for value in before if not _has(after, value)]
    if "const" in old.schema and "const" in new.schema and added:
        yield Change("const-changed", path, {"old": shown(before[0]), "new": shown(after[0])})
        return
    if added:
        words = {"old": listed(map(shown, before)), "new": listed(map(shown, added))}
        yield Change("open-enum-value-added" if was_open else "enum-value-added", path, words)
    if removed:
        words = {"old": listed(map(shown, removed))}
        yield Change("open-enum-value-removed" if is_open else "enum-value-removed", path, words)
    if was_open != is_open:
        yield Change("enum-declared-open" if is_open else "enum-declared-closed", path)


def _has(values: tuple[Any, ...], value: Any) -> bool:
    """Membership as JSON has it: true is not 1."""
    return any(value == each and isinstance(value, bool) is isinstance(each, bool) for each in values)
