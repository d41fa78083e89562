"""What is wrong with a configuration, said so that it can be put right: file, key, what is allowed, what was meant.

Owns: the likeness from which on an unknown word is taken for a misspelt one.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import rapidfuzz
from pydantic import BaseModel, ValidationError

NEAR = 70
"""Of 100: from which likeness on a word that is not known is taken for a misspelt one."""

_SHOULD = re.compile(r"^Input should be (.*?)(?:, unable to .*)?\Z")
"""pydantic's words for a wrong type or value."""


def explain(
    path: Path,
    error: ValidationError,
    *,
    model: type[BaseModel] | None = None,
    under: tuple[str, ...] = (),
    environment: str | None = None,
) -> list[str]:
    """One line per problem: file, key, what is allowed. `under`: the key of the file whose value was read as `model`, which tells
    the keys that a misspelt one may have meant.

    With `environment`, the prefix of variables that override keys, the one that set the key is named too.
    """
    lines = []
    for problem in error.errors(include_url=False):
        parts = [*under, *(str(part) for part in problem["loc"])]
        key = ".".join(parts) or "(whole file)"
        text = _SHOULD.sub(r"must be \1", problem["msg"].removeprefix("Value error, "))
        if problem["type"] == "missing":
            text = "is required"
        if problem["type"] == "extra_forbidden":
            *outer, wrong = problem["loc"]
            text = f"unknown key; {meant(str(wrong), keys_at(model, outer) if model else ()) or 'remove it or check its spelling'}"
        variable = None if environment is None else _variable(environment, parts)
        lines.append(f"{path}: {key}: {text}" + (f" (set by {variable})" if variable else ""))
    return lines


def keys_at(model: type[BaseModel], path: Iterable[int | str]) -> list[str]:
    """The keys that are known where a path of a file leads; empty where every key is allowed."""
    here: list[Any] = [model]
    for part in path:
        here = [inner for kind in here for inner in _inside(kind, part)]
    models = [kind for outer in here for kind in _models(outer)]
    return [name for known in models for name in known.model_fields]


def _inside(kind: Any, part: int | str) -> list[Any]:
    """Types of what stands under a key or place of a value of this type."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        field = kind.model_fields.get(str(part))
        return [] if field is None else [field.annotation]
    return list(get_args(kind))


def _models(kind: Any) -> list[type[BaseModel]]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [kind]
    return [found for inner in get_args(kind) for found in _models(inner)]


def meant(word: str, known: Iterable[str]) -> str:
    """A question about the known word that is nearest; empty when none is near."""
    found = rapidfuzz.process.extractOne(word, list(known), scorer=rapidfuzz.fuzz.ratio, score_cutoff=NEAR)
    return f"did you mean {found[0]!r}?" if found else ""


def _variable(prefix: str, parts: list[str]) -> str | None:
    """The environment variable that set this key, if one did; their names have no case."""
    wanted = (prefix + "__".join(parts)).upper()
    return next((name for name in os.environ if name.upper() == wanted), None)
