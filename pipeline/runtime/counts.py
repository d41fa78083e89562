"""Partition counts: equal where one conversation has to be one number, and the same for as long as the installation runs.

Owns: the check at the start, and the look at what an operator changed since. Source: DESIGN 3; docs/topics.md (When a number stops).
"""

from collections.abc import Mapping

from pipeline.runtime.errors import Fatal
from pipeline.topology import TopicKind, TopicSpec

TIED = frozenset({TopicKind.INPUT, TopicKind.STATE})
"""Kinds of topics that need one count; events and responses take p modulo theirs."""


def tied_counts(wanted: Mapping[str, TopicSpec], counts: Mapping[str, int]) -> Mapping[str, int]:
    """The counts that have to be one. Raises: Fatal where they are not, or a topic is missing."""
    missing = sorted(wanted.keys() - counts.keys())
    if missing:
        raise Fatal(f"topics are missing: {', '.join(missing)}; create them with `python -m consumers topics ensure`")
    tied = {name: counts[name] for name, spec in wanted.items() if spec.kind in TIED}
    if len(set(tied.values())) > 1:
        listed = ", ".join(f"{name} {count}" for name, count in sorted(tied.items()))
        raise Fatal(f"input, status and state topics need one partition count, but: {listed}")
    return tied


def recounted(before: Mapping[str, int], now: Mapping[str, int]) -> str | None:
    """What changed, in a sentence; None: nothing, as far as can be told.

    Records in added partitions are nobody's, and a key leads elsewhere now: the installation has to stop.
    """
    changed = [
        f"{name} had {was} partitions and has {now[name]}"
        for name, was in sorted(before.items())
        if now.get(name, was) != was
    ]
    return (
        f"{'; '.join(changed)}: partitions can't be added to a running installation; recount offline"
        if changed
        else None
    )
