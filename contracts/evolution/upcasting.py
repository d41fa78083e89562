"""Two majors of a contract read side by side: upcasters lift a record of an older major to the one this program reads.

An upcaster is a pure function from the JSON object of one major to that of the next; they are applied one after the other, so a
program of v3 reads v1 through v2. To release a new major: raise the model's VERSION, write the upcaster here, deploy all readers, then the
writers. An upcaster may go when no topic and no state holds a record of its major any more (`contracts check` says what it is for).
Invariants: a record that needs no lifting is the same object; an upcaster never changes what it was given, and keeps unknown fields.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from contracts.base import Contract

_VERSION = re.compile(r"(?P<name>[a-z][a-z0-9-]*)-v(?P<major>[1-9][0-9]{0,3})(?:\.[0-9]+)*")
"""A version string as a record says it; a minor number behind the major one changes nothing for a reader."""

Lift = Callable[[Mapping[str, Any]], dict[str, Any]]

C = TypeVar("C", bound=Contract)


@dataclass(frozen=True, slots=True)
class Upcaster:
    """One step up: from a major version of a contract to the next one."""

    old: str
    """Version string, such as `channel-response-v1`."""
    new: str
    """The same contract, one major later."""
    lift: Lift


UPCASTS: tuple[Upcaster, ...] = ()
"""Every step that is known. Empty while every contract is in its first major."""


class NotLifted(ValueError):
    """A record of an older major cannot be read; `str()` is one sentence, `field` the place that is to blame."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


def lifted(data: dict[str, Any], said: str | None, reads: str, upcasts: Sequence[Upcaster] = UPCASTS) -> dict[str, Any]:
    """The JSON object as version `reads` has it; unchanged where it says that version, a later one, none, or another contract.

    Raises: NotLifted where a step is missing, or an upcaster does not find what its old contract promised.
    """
    if said is None or said == reads:
        return data
    ours, theirs = _VERSION.fullmatch(reads), _VERSION.fullmatch(said)
    if ours is None or theirs is None or ours["name"] != theirs["name"]:
        return data
    steps = {step.old: step for step in upcasts}
    for major in range(int(theirs["major"]), int(ours["major"])):
        version = f"{ours['name']}-v{major}"
        if version not in steps:
            text = f"says {said}; this program reads {reads} and knows no way from v{major} to v{major + 1}"
            raise NotLifted("contract_version", text)
        try:
            data = steps[version].lift(data)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise NotLifted("value", f"is no {version}: {type(error).__name__} {error}") from error
    return data


def version_said(headers: Mapping[str, str], data: Mapping[str, Any]) -> str | None:
    """The version a record says it is of: by its header, its own field, the metadata of its payload, or its CloudEvents type."""
    said = headers.get("contract_version") or data.get("contract_version")
    if not said:
        said = data
        for name in ("payload", "metadata", "contract_version"):
            said = said.get(name) if isinstance(said, Mapping) else None
    if isinstance(said, str) and said:
        return said
    kind = headers.get("ce_type", "")
    return kind if _VERSION.fullmatch(kind) else None  # most types of CloudEvents are no version strings


def first_major(version: str) -> str:
    """What a gateway means that says no version: the first one, before which there was nothing to say."""
    return f"{version.rpartition('-v')[0]}-v1"


def read(data: dict[str, Any], said: str | None, contract: type[C], upcasts: Sequence[Upcaster] = UPCASTS) -> C:
    """Read a record that says it is of version `said`. Raises: NotLifted, pydantic.ValidationError."""
    return contract.model_validate(lifted(data, said, contract.VERSION, upcasts))
