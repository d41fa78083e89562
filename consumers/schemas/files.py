"""The files of docs/contracts: what they should hold, writing them, and how what is there differs.

Invariants: a function of the code alone: no clock, environment or configuration; exporting twice gives the same bytes.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

from consumers.schemas.asyncapi import document
from consumers.schemas.examples import examples_document
from consumers.schemas.known_contracts import ALL, examples_of, schema_of
from consumers.schemas.page import page
from consumers.schemas.wording import ENGLISH, PORTUGUESE, Words, words
from contracts.base import Contract

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "docs" / "contracts"
PAGES = {ENGLISH: "README.md", PORTUGUESE: "README.pt-BR.md"}
OURS = ("*.schema.json", "*.examples.json", "asyncapi.json", *PAGES.values())
"""What an export writes and may remove; other files of the folder are left alone."""


def exported() -> dict[str, str]:
    """Content by file name."""
    made: dict[str, str] = {}
    for contract in ALL:
        made[f"{contract.VERSION}.schema.json"] = _json(published_schema(contract))
        made[f"{contract.VERSION}.examples.json"] = _json(examples_document(contract))
    made["asyncapi.json"] = _json(document(version=version()))
    for language, name in PAGES.items():
        made[name] = page_in(words(language))
    return made


def page_in(t: Words) -> str:
    """The page in a language."""
    other = ("Português", PAGES[PORTUGUESE]) if t.language == ENGLISH else ("English", PAGES[ENGLISH])
    return page(t, other=other)


def untranslated() -> list[str]:
    """Texts of the page that are shown in English in another language's page, too."""
    t = words(PORTUGUESE)
    page_in(t)
    return t.missing


def published_schema(contract: type[Contract]) -> dict[str, Any]:
    """A contract's schema with its valid examples."""
    valid = [example.data for example in examples_of(contract) if example.field is None]
    return {**schema_of(contract), "examples": valid}


def version() -> str:
    """The project's version."""
    read: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return str(read["project"]["version"])


def export(folder: Path) -> list[str]:
    """Write what differs and remove what is no longer made. Returns the names that changed."""
    folder.mkdir(parents=True, exist_ok=True)
    made = exported()
    changed = [name for name, _ in _differences(folder, made)]
    for name in changed:
        if name in made:
            (folder / name).write_text(made[name], encoding="utf-8")
        else:
            (folder / name).unlink()
    return changed


def differences(folder: Path) -> list[str]:
    """Each file that is not as the code makes it, and how; one phrase each."""
    return [f"{folder / name}: {how}" for name, how in _differences(folder, exported())]


def _differences(folder: Path, made: dict[str, str]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, text in made.items():
        path = folder / name
        if not path.is_file():
            found.append((name, "is missing"))
        elif path.read_bytes() != text.encode():
            found.append((name, "differs"))
    present = {path.name for pattern in OURS for path in folder.glob(pattern)}
    return found + [(name, "is no longer made") for name in sorted(present - made.keys())]


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
