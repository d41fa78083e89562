"""The words of the published page in another language: English text → the same in that language.

Owns: texts.<language>.json beside this file. English texts are the docstrings of the contracts and what the page's modules say.
Invariants: the English text is the key, so a changed docstring has no translation until somebody has looked at it again; a text
without one is shown in English and counted as missing, one that nothing asks for counts as stale.
"""

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ENGLISH, PORTUGUESE = "en", "pt-BR"


@dataclass(slots=True)
class Words:
    """The texts of one language, and what was asked of them."""

    language: str
    known: dict[str, str]
    asked: dict[str, None] = field(default_factory=dict)
    """Every text that was asked for, in order."""

    def __call__(self, text: str, **values: object) -> str:
        """`text` in this language, `{name}` filled in."""
        self.asked.setdefault(text)
        said = self.known.get(text, text)
        return said.format(**values) if values else said

    @property
    def missing(self) -> list[str]:
        """What was asked for and is not known."""
        return [] if self.language == ENGLISH else [text for text in self.asked if text not in self.known]

    @property
    def stale(self) -> list[str]:
        """What is known and was not asked for."""
        return [text for text in self.known if text not in self.asked]


def words(language: str) -> Words:
    """The words of a language, English ones being those of the code."""
    return Words(language, {} if language == ENGLISH else _read(language))


@cache
def _read(language: str) -> dict[str, str]:
    read: dict[str, str] = json.loads((FOLDER / f"texts.{language}.json").read_text(encoding="utf-8"))
    return read
