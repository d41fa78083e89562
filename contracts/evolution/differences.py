"""What changed between two schemas of one contract, as facts: which rule each falls under, and where.

Owns: the walk through properties, items and alternatives at any depth, with the dotted path a person looks for.
Invariants: a keyword that no rule knows is a change of its own, never passed over; the walk ends on recursive schemas.
Never: says whom a change breaks (rules.py and gate.py do).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from contracts.evolution.bounds import bounds_changed, values_changed
from contracts.evolution.change import ABSENT, Change, shown
from contracts.evolution.pairing import kinds_changed, pairs, without_covered
from contracts.evolution.renames import renames
from contracts.evolution.shapes import (
    ANY,
    KNOWN,
    UNION,
    Alternative,
    Schema,
    alternatives,
    as_schema,
    resolved,
    spelled_out,
)


def changes(old: Schema, new: Schema, name: str) -> tuple[Change, ...]:
    """Every difference between two schemas of the contract `name`, in the order of the old one's fields."""
    walk = _Walk(old, new)
    found = (*walk.compare(old, new, name), *walk.parts_described(name))
    # Branches of a union share what stands beside them: such a fact is met once a branch.
    once = {(change.rule, change.path, tuple(sorted(change.words.items()))): change for change in found}
    return tuple(once.values())


class _Walk:
    def __init__(self, old: Schema, new: Schema) -> None:
        self._old = old
        self._new = new
        self._inside: list[tuple[str, str]] = []
        """Alternatives that are being compared: meeting the very same pair inside itself says nothing new."""

    def compare(self, old: Any, new: Any, path: str) -> Iterator[Change]:
        """Differences of two schemas that stand in the same place."""
        if as_schema(old) == as_schema(new) == {}:
            return
        (before, _), (after, _) = resolved(old, self._old), resolved(new, self._new)
        if before.get("description") != after.get("description"):
            yield Change("description-changed", path)
        yield from self._annotated(before, after, path)
        yield from self._keywords(before, after, path)
        unions = [next((key for key in UNION if key in schema), None) for schema in (before, after)]
        were = without_covered(list(alternatives(old, self._old)))
        are = without_covered(list(alternatives(new, self._new)))
        if None not in unions and unions[0] != unions[1] and len({each.kind for each in are}) < len(are):
            yield _keyword("keyword-unknown", str(unions[1]), unions[0], unions[1], path)
        yield from kinds_changed(were, are, path)
        for one, other in pairs(were, are):
            if one is None or other is None:
                yield from _alone(one, other, path)
            else:
                yield from self._alternative(one, other, path)

    def parts_described(self, name: str) -> Iterator[Change]:
        """Definitions whose own description changed; the fields that use them have descriptions of their own."""
        ours, theirs = (schema.get("$defs", {}) for schema in (self._old, self._new))
        for part in ours:
            if part in theirs and ours[part].get("description") != theirs[part].get("description"):
                yield Change("description-changed", f"{name}'s part {part}")

    def _annotated(self, old: Schema, new: Schema, path: str) -> Iterator[Change]:
        if old.get("x-meaning", 1) != new.get("x-meaning", 1):
            words = {"old": shown(old.get("x-meaning", 1)), "new": shown(new.get("x-meaning", 1))}
            yield Change("meaning-changed", path, words)
        before, after = (tuple(schema.get("x-aliases", ())) for schema in (old, new))
        for alias in before:
            if alias not in after and not path.endswith(f".{alias}"):
                yield Change("alias-removed", path, {"old": alias})
        for alias in after:
            if alias not in before:
                yield Change("alias-added", path, {"new": alias})

    def _keywords(self, old: Schema, new: Schema, path: str) -> Iterator[Change]:
        """Keywords that no rule reads: a difference cannot be judged; one that starts with x- restricts nothing by convention."""
        unread = {"allOf", "discriminator", "deprecated"}
        for keyword in sorted((set(old) | set(new)) - (KNOWN - unread)):
            before = spelled_out(old.get(keyword, ABSENT), self._old)
            after = spelled_out(new.get(keyword, ABSENT), self._new)
            if keyword == "discriminator":  # its mapping follows the alternatives, which are compared themselves
                before, after = (
                    value.get("propertyName", ABSENT) if value is not ABSENT else value for value in (before, after)
                )
            if before != after or keyword == "x-unreadable":
                harmless = keyword == "deprecated" or (keyword.startswith("x-") and keyword != "x-unreadable")
                yield _keyword("annotation-changed" if harmless else "keyword-unknown", keyword, before, after, path)

    def _alternative(self, old: Alternative, new: Alternative, path: str) -> Iterator[Change]:
        pair = (repr(old), repr(new))
        if pair in self._inside:
            return
        self._inside.append(pair)
        yield from self._annotated(old.schema, new.schema, path)
        yield from self._keywords(old.schema, new.schema, path)
        yield from values_changed(old, new, path)
        kind = old.kind if old.kind == new.kind else "number"
        yield from bounds_changed(old.schema, new.schema, kind, path)
        if kind in {"array", ANY}:
            yield from self._items(old.schema, new.schema, path)
        if kind in {"object", ANY}:
            yield from self._fields(old.schema, new.schema, path)
            yield from self._others(old.schema, new.schema, path)
        self._inside.remove(pair)

    def _items(self, old: Schema, new: Schema, path: str) -> Iterator[Change]:
        before, after = (tuple(schema.get("prefixItems", ())) for schema in (old, new))
        rest_old, rest_new = old.get("items", True), new.get("items", True)
        for place in range(max(len(before), len(after))):
            one = before[place] if place < len(before) else rest_old
            other = after[place] if place < len(after) else rest_new
            yield from self.compare(one, other, f"{path}[{place}]")
        yield from self.compare(rest_old, rest_new, f"{path}[]")

    def _fields(self, old: Schema, new: Schema, path: str) -> Iterator[Change]:
        were, are = _named(old), _named(new)
        ours = {name: resolved(field, self._old)[0] for name, field in were.items()}
        theirs = {name: resolved(field, self._new)[0] for name, field in are.items()}
        needed, needs = set(old.get("required", ())), set(new.get("required", ()))
        moved = dict(renames(ours, theirs))
        for name, field in ours.items():
            place = f"{path}.{name}"
            if name in moved:
                other = moved[name]
                yield _renamed(name, other, theirs[other], required=name in needed or other in needs, path=place)
                yield from self.compare(were[name], are[other], f"{path}.{other}")
            elif name not in theirs:
                yield from self._removed(name, old, new, required=name in needed, path=place)
            else:
                if name in needed ^ needs:
                    yield Change("became-required" if name in needs else "became-optional", place)
                elif name not in needs:
                    yield from _defaults(field, theirs[name], place)
                yield from self.compare(were[name], are[name], place)
        for name in theirs:
            if name not in ours and name not in moved.values():
                yield from self._added(name, old, new, required=name in needs, path=f"{path}.{name}")

    def _removed(self, name: str, old: Schema, new: Schema, *, required: bool, path: str) -> Iterator[Change]:
        rest = new.get("additionalProperties", True)
        if required:
            yield Change("field-removed-required", path)
        if rest is False:
            yield Change("field-removed-from-closed", path)
        elif "patternProperties" in new:  # a pattern may say something else of its name
            yield _keyword("keyword-unknown", "patternProperties", ABSENT, new["patternProperties"], path)
        elif not required:
            yield Change("field-removed-optional", path)
        if isinstance(rest, Mapping) and rest:
            yield from self.compare(_named(old)[name], rest, path)

    def _added(self, name: str, old: Schema, new: Schema, *, required: bool, path: str) -> Iterator[Change]:
        rest = old.get("additionalProperties", True)
        if required:
            yield Change("field-added-required", path)
        if rest is False:
            yield Change("field-added-to-closed", path)
        elif "patternProperties" in old:
            yield _keyword("keyword-unknown", "patternProperties", old["patternProperties"], ABSENT, path)
        elif not required:
            yield Change("field-added-optional", path)
        if isinstance(rest, Mapping) and rest:
            yield from self.compare(rest, _named(new)[name], path)

    def _others(self, old: Schema, new: Schema, path: str) -> Iterator[Change]:
        """Fields that are not listed."""
        before, after = old.get("additionalProperties", True), new.get("additionalProperties", True)
        if before is not False and after is not False:
            yield from self.compare(as_schema(before), as_schema(after), f"{path}.*")
        elif before is not after:
            yield Change("object-closed" if after is False else "object-opened", path)


def _named(schema: Schema) -> dict[str, Any]:
    """Fields by name: those with a schema of their own, and those that are required without one."""
    rest = schema.get("additionalProperties", True)
    return {**dict.fromkeys(schema.get("required", ()), rest), **schema.get("properties", {})}


def _alone(old: Alternative | None, new: Alternative | None, path: str) -> Iterator[Change]:
    if old is not None:
        yield Change("alternative-removed", path, {"old": label(old)})
    if new is not None:
        yield Change("alternative-added", path, {"new": label(new)})


def label(alternative: Alternative) -> str:
    """What a person calls an alternative."""
    if alternative.name:
        return alternative.name
    return shown(list(alternative.values)) if alternative.values else alternative.kind


def _keyword(rule: str, keyword: str, old: Any, new: Any, path: str) -> Change:
    return Change(rule, path, {"keyword": keyword, "old": shown(old), "new": shown(new)})


def _renamed(name: str, other: str, new: Schema, *, required: bool, path: str) -> Change:
    aliased = name in new.get("x-aliases", ())
    rule = "renamed-with-alias" if aliased else "renamed" if required else "renamed-optional"
    return Change(rule, path, {"old": name, "new": other})


def _defaults(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    """Defaults of a field that is optional before and after."""
    before, after = old.get("default", ABSENT), new.get("default", ABSENT)
    if before is not after and (before != after or isinstance(before, bool) is not isinstance(after, bool)):
        said = before is not ABSENT and after is not ABSENT
        yield Change(
            "default-changed" if said else "default-undeclared", path, {"old": shown(before), "new": shown(after)}
        )
