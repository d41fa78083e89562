"""What the values of an enum mean, read from the docstrings under them: pydantic publishes only the values.

Invariants: read from the source of contracts/, nothing is imported or run for it.
"""

import ast
from functools import cache
from pathlib import Path

CONTRACTS = Path(__file__).resolve().parents[2] / "contracts"
KEYWORD = "x-enum-descriptions"
"""Value → meaning; an annotation that validators do not know and leave alone."""


@cache
def meanings() -> dict[str, dict[str, str]]:
    """Meaning of every documented value, by the name of its enum."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(CONTRACTS.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "StrEnum" for base in node.bases):
                found[node.name] = dict(_members(node))
    return found


def _members(enum: ast.ClassDef) -> list[tuple[str, str]]:
    """(value, docstring) of the members that have one."""
    members: list[tuple[str, str]] = []
    for member, after in zip(enum.body, enum.body[1:], strict=False):
        match member, after:
            case (
                ast.Assign(value=ast.Constant(value=str() as value)),
                ast.Expr(value=ast.Constant(value=str() as text)),
            ):
                members.append((value, text))
            case _:
                continue
    return members
