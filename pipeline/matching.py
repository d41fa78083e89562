"""Which results belong to which confirmed items.

Owns: the order of evidence: an item's own id, an equal name, any equal string, the position where the counts agree.
Invariants: a result belongs to one item at most; order is kept; total on any JSON. Never: judges a result.
Source: DESIGN 7 (Normalize).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pipeline.proposal import NAME_FIELDS, item_name

_NOT_ABOUT_THE_ITEM = frozenset(
    {"success", "ok", "reason", "error", "error_code", "code", "message", "detail", "status", "protocol", "protocolo"}
)
_NOT_AN_ID = frozenset({"operation_id", "protocol_id", "ticket_id", "request_id", "trace_id", "customer_id"})


def match(items: Sequence[Any], entries: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Return for every item the positions of its results: none, one, or several when a tool repeats itself."""
    found: list[tuple[int, ...]] = [() for _ in items]
    free = set(range(len(entries)))
    for item_strings, entry_strings in _EVIDENCE:
        if not free or all(found):
            break
        known = {position: set(entry_strings(entries[position])) for position in free}
        for number, item in enumerate(items):
            if found[number]:
                continue
            wanted = set(item_strings(item))
            mine = tuple(position for position in sorted(free) if wanted & known[position])
            found[number] = mine
            free -= set(mine)
    if len(items) == len(entries):
        for number, mine in enumerate(found):
            if not mine and number in free:
                found[number] = (number,)
                free.discard(number)
    return tuple(found)


def subject_of(entry: Any) -> str | None:
    """Name of the thing a result is about; None when it names nothing."""
    if not isinstance(entry, Mapping):
        return None
    named = {key: value for key, value in entry.items() if key in NAME_FIELDS or _is_id(key)}
    name = item_name(named)
    return name if name != "?" else None


def about_fields(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a result that tell something beyond its name, its fate and its reason."""
    return {
        key: value
        for key, value in entry.items()
        if key not in {"success", "ok", "reason", "error", "error_code", "code"} | set(NAME_FIELDS[:-4])
        and not _is_id(key)
    }


def _is_id(key: str) -> bool:
    return (key == "id" or key.endswith("_id")) and key not in _NOT_AN_ID


def _own_id(thing: Any) -> Iterator[str]:
    if isinstance(thing, Mapping):
        yield from _plain(thing.get("id"))


def _ids(thing: Any) -> Iterator[str]:
    if isinstance(thing, Mapping):
        for key, value in thing.items():
            if _is_id(key):
                yield from _plain(value)


def _names(thing: Any) -> Iterator[str]:
    if isinstance(thing, Mapping):
        for key, value in thing.items():
            if key in NAME_FIELDS or _is_id(key):
                yield from _plain(value)
    else:
        yield from _plain(thing)


def _strings(thing: Any) -> Iterator[str]:
    if isinstance(thing, Mapping):
        for key, value in thing.items():
            if key not in _NOT_ABOUT_THE_ITEM:
                yield from _plain(value)
    else:
        yield from _plain(thing)


def _plain(value: Any) -> Iterator[str]:
    if isinstance(value, (str, int, float)) and not isinstance(value, bool) and str(value).strip():
        yield " ".join(str(value).casefold().split())


_Strings = Callable[[Any], Iterator[str]]
_EVIDENCE: tuple[tuple[_Strings, _Strings], ...] = (
    (_own_id, _own_id),
    (_ids, _ids),
    (_names, _names),
    (_strings, _strings),
)
