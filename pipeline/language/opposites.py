"""Verbs that ask for the opposite of what a tool does: "quero assinar o HBO", of a tool that cancels.

Owns: which kinds of requests are each other's opposite.
Invariants: a verb of the tool's own kind beside it wins. Source: rule ROUTE-1: a tool is chosen for what its description covers.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from pipeline.language.clauses import Clause, Role
from pipeline.language.request_words import ACT_OF
from pipeline.language.tool_profile import Profile

__all__ = ["asks_the_opposite"]

_OPPOSITES: Final[Mapping[str, frozenset[str]]] = {
    "end": frozenset({"buy"}),
    "buy": frozenset({"end"}),
    "block": frozenset({"free"}),
    "free": frozenset({"block"}),
}


def asks_the_opposite(clauses: Sequence[Clause], profile: Profile) -> bool:
    """Whether what these clauses ask for undoes what the tool does."""
    acts = frozenset[str]().union(
        *(ACT_OF.get(word, frozenset()) for clause in clauses if clause.role is Role.REQUEST for word in clause.words)
    )
    against = frozenset[str]().union(*(_OPPOSITES.get(act, frozenset()) for act in profile.acts))
    return bool(acts & against) and not acts & profile.acts
