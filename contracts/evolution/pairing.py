"""Which alternative of an old schema became which of the new one, and how the JSON types they cover changed.

Invariants: every alternative is paired at most once; an integer that became a number (or the other way round) is one pair.
"""

from collections.abc import Iterator, Sequence

from contracts.evolution.bounds import BY_TYPE
from contracts.evolution.change import Change, listed, shown
from contracts.evolution.shapes import ANNOTATIONS, ANY, Alternative, as_schema

NULL, INTEGER, NUMBER = "null", "integer", "number"

Pair = tuple[Alternative | None, Alternative | None]


def kinds_changed(old: Sequence[Alternative], new: Sequence[Alternative], path: str) -> Iterator[Change]:
    """Types that are accepted now and were not, or the other way round."""
    before, after = (tuple(dict.fromkeys(each.kind for each in side)) for side in (old, new))
    if ANY in before or ANY in after:
        if ANY not in before:
            yield Change("type-widened", path, {"old": listed(before), "new": "anything"})
        elif ANY not in after:
            yield Change("type-narrowed", path, {"old": "anything", "new": listed(after), "lost": "anything else"})
        return
    if (NULL in before) is not (NULL in after) and before and after:
        yield Change("null-allowed" if NULL in after else "null-refused", path)
    were, are = (tuple(kind for kind in side if kind != NULL) for side in (before, after))
    come = [kind for kind in are if kind not in were and not (kind == INTEGER and NUMBER in were)]
    gone = [kind for kind in were if kind not in are and not (kind == INTEGER and NUMBER in are)]
    if come and gone and not set(were) & set(are) and {*come, *gone} != {NUMBER}:
        yield Change("type-changed", path, {"old": listed(were), "new": listed(are), "lost": _a(were)})
        return
    if gone:
        lost = "a number that is no integer" if gone == [NUMBER] and INTEGER in are else _a(gone)
        yield Change("type-narrowed", path, {"old": listed(gone), "new": listed(are or after), "lost": lost})
    if come:
        yield Change("type-widened", path, {"old": listed(were or before), "new": listed(come)})


def _a(kinds: Sequence[str]) -> str:
    return listed(f"{'an' if kind[0] in 'aio' else 'a'} {kind}" for kind in kinds)


def accepts_all(alternative: Alternative) -> bool:
    """Whether it takes every value of its kind."""
    return not set(alternative.schema) - ANNOTATIONS - {"type", "x-open", "x-meaning", "x-aliases"}


def without_covered(side: Sequence[Alternative]) -> Sequence[Alternative]:
    """The alternatives that matter: one that takes anything makes the others say nothing."""
    everything = [each for each in side if each.kind == ANY and accepts_all(each)]
    return everything[:1] or side


def pairs(old: Sequence[Alternative], new: Sequence[Alternative]) -> Iterator[Pair]:
    """Alternatives of the same type that belong together; one alone came or went although its type stayed."""
    ours, theirs = _by_kind(old), _by_kind(new)
    for kind in ours:
        if kind in theirs:
            yield from _within(ours[kind], theirs[kind])
        elif kind == INTEGER and NUMBER in theirs and NUMBER not in ours:
            yield from _within(ours[kind], theirs[NUMBER])
        elif kind == NUMBER and INTEGER in theirs and INTEGER not in ours:
            yield from _within(ours[kind], theirs[INTEGER])
    # A whole number beside a number that is bounded: the bound does not hold for it.
    if NUMBER in ours and NUMBER in theirs and (INTEGER in ours) is not (INTEGER in theirs):
        yield from ((each, None) for each in ours.get(INTEGER, ()) if not any(map(accepts_all, theirs[NUMBER])))
        yield from ((None, each) for each in theirs.get(INTEGER, ()) if not any(map(accepts_all, ours[NUMBER])))


def _by_kind(side: Sequence[Alternative]) -> dict[str, list[Alternative]]:
    found: dict[str, list[Alternative]] = {}
    for each in side:
        found.setdefault(each.kind, []).append(each)
    return {kind: _open(same) for kind, same in found.items()}


def _open(same: list[Alternative]) -> list[Alternative]:
    """An enum beside any value of its type is an open enum: one alternative, which says the values that are known."""
    plain = [each for each in same if each.values is None]
    valued = [each for each in same if each.values is not None]
    if len(plain) != 1 or len(valued) != 1 or not accepts_all(plain[0]):
        return same
    schema = {key: value for key, value in valued[0].schema.items() if key != "const"}
    known = {"enum": list(valued[0].values or ()), "x-open": BY_TYPE}
    return [Alternative(plain[0].kind, {**schema, **plain[0].schema, **known}, valued[0].name)]


def _within(old: Sequence[Alternative], new: Sequence[Alternative]) -> Iterator[Pair]:
    left, right = list(old), list(new)
    for same in (_same_schema, _same_name, _same_mark):
        for one in tuple(left):
            other = next((each for each in right if same(one, each)), None)
            if other is not None:
                left.remove(one)
                right.remove(other)
                yield one, other
    if len(left) == 1 and len(right) == 1:
        yield left[0], right[0]
        return
    yield from ((one, None) for one in left)
    yield from ((None, other) for other in right)


def _same_schema(one: Alternative, other: Alternative) -> bool:
    return one.name == other.name and one.schema == other.schema


def _same_name(one: Alternative, other: Alternative) -> bool:
    return bool(one.name) and one.name == other.name


def _same_mark(one: Alternative, other: Alternative) -> bool:
    """The same constant in the same field, such as `kind: propose`."""
    marks = [
        {
            (name, shown(field["const"]))
            for name, field in each.schema.get("properties", {}).items()
            if "const" in as_schema(field)
        }
        for each in (one, other)
    ]
    return bool(marks[0] & marks[1])
