"""A list or object written as text, in JSON or in Python notation.

Owns: telling it from running text; bounds against hostile nesting.
Never: coerces what is in it. Source: rule COERCE-6.
"""

import ast
import json
from typing import Any, Final

MAX_LITERAL: Final = 4_096
"""Characters of a list in Python notation that are parsed."""


def parse_literal(text: str) -> Any:
    """A JSON list or object, or a list in Python notation, written as text; None when it is neither."""
    stripped = text.strip()
    if stripped[:1] not in {"[", "{"} or stripped[-1:] not in {"]", "}"}:
        return None
    try:
        return json.loads(stripped)
    except (ValueError, RecursionError):
        pass
    if len(stripped) > MAX_LITERAL:
        return None
    try:
        literal = ast.literal_eval(stripped)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return literal if isinstance(literal, list | dict) else None
