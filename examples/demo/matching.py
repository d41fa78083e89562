"""From what a customer calls a product to the product: accents, case and partial names; "all but …" in three languages."""

import re
import unicodedata
from collections.abc import Sequence

from examples.demo.ledger import Holding

_ALL = r"todos|todas|tudo|todo|all|everything"
_BUT = r"menos|exceto|fora|tirando|salvo|excepto|but|except(?:\s+for)?|apart\s+from"
_ALL_BUT = re.compile(rf"\b(?:{_ALL})\b[^,;.]*?\b(?:{_BUT})\b(?P<kept>.*)$")
_ALL_ONLY = re.compile(
    rf"^(?:\W|\bos\b|\bas\b|\blos\b|\bthe\b|\bof\b|\bthem\b|\b(?:meus|produtos|productos|products|services|servicos|servicios)\b|\b(?:{_ALL})\b)+$"
)
_SEPARATOR = re.compile(r"[,;\n]|\s(?:e|y|and|ou|or)\s")
_FILLER = {
    "o",
    "a",
    "os",
    "as",
    "el",
    "la",
    "los",
    "las",
    "the",
    "my",
    "meu",
    "minha",
    "meus",
    "minhas",
    "de",
    "do",
    "da",
}


def folded(text: str) -> str:
    """Lower case, no accents, single blanks."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return " ".join(plain.split())


def matches(name: str, holdings: Sequence[Holding]) -> list[Holding]:
    """The products a name may mean: the exact one, else all that have every word of it (as a prefix of a word)."""
    wanted = folded(name)
    exact = [h for h in holdings if folded(h.name) == wanted or h.id == name.strip()]
    if exact:
        return exact
    words = [w for w in re.findall(r"\w+", wanted) if w not in _FILLER]
    if not words:
        return []
    return [h for h in holdings if all(any(have.startswith(w) for have in folded(h.name).split()) for w in words)]


def all_but(source_text: str, holdings: Sequence[Holding]) -> list[Holding] | None:
    """What "todos menos …" leaves over of the holdings; None when the text says no such thing.

    Empty when nothing after "menos" is a product: leaving everything over would be the most dangerous reading.
    """
    found = _ALL_BUT.search(folded(source_text))
    if found is None:
        return None
    kept_text = found.group("kept")
    kept = {h.id for h in holdings if folded(h.name) in kept_text}
    for part in _SEPARATOR.split(kept_text):
        kept |= {h.id for h in matches(part.strip(" .!?"), holdings)}
    return [h for h in holdings if h.id not in kept] if kept else []


def means_all(name: str) -> bool:
    """Whether a name is just "todos", "todos os produtos", "everything" …"""
    text = folded(name)
    return re.search(rf"\b(?:{_ALL})\b", text) is not None and _ALL_ONLY.match(text) is not None
