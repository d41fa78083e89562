"""What an operation is called, by its noun and by its verbs: "cancelamento", "cancela", "tira".

Owns: the families of verbs that mean the same operation, and which of them take something away.
Source: language.json REPLY-1, REPLY-2, REPLY-4, ABANDON-3.
"""

from dataclasses import dataclass
from functools import lru_cache

from pipeline.language.normalize import fold
from pipeline.language.verbs import is_ending, verb_stem

__all__ = ["CALL_OFF", "Operation", "described_verb", "ends", "operation_of"]

CALL_OFF = frozenset({"cancel", "cancell", "anul", "desmarc"})
"""Stems that call an operation off where the operation is not itself a cancellation."""

_FAMILIES: tuple[tuple[str, ...], ...] = (
    (
        "cancel",
        "cancell",
        "anul",
        "desmarc",
        "encerr",
        "deslig",
        "desativ",
        "desinscrev",
        "desassin",
        "revog",
        "rescis",
        "rescind",
        "unsubscrib",
        "terminat",
        "deactivat",
        "baja",
        "descadastr",
    ),
    ("exclu", "exclus", "remov", "remoc", "retir", "tir", "apag", "elimin", "delet", "removal", "delete", "remove"),
    (
        "contrat",
        "assin",
        "adquir",
        "aquis",
        "ativ",
        "compr",
        "hir",
        "subscrib",
        "subscrip",
        "suscrip",
        "suscrib",
        "buy",
        "purchas",
        "acquis",
        "habilit",
        "ades",
        "activ",
    ),
    ("devol", "devolv", "devuelv", "return"),
    ("troc", "substitu", "exchang", "replac", "cambi"),
    ("contest", "disput", "reclam", "question"),
    ("desbloque", "desblo", "unblock", "liber", "unlock"),
    ("bloque", "bloq", "block", "suspen", "suspend", "lock"),
    ("renov", "renew", "renuev", "prorrog", "estend", "extend"),
    ("agend", "marc", "schedul", "reagend", "remarc", "reschedul", "program"),
    ("pag", "quit", "pay", "paym"),
    ("reembols", "refund", "estorn", "ressarc", "rembols"),
    ("envi", "mand", "send", "remess", "emit", "emiss"),
    ("transf", "transfer", "mand", "envi"),
    ("alter", "mud", "atualiz", "chang", "updat", "modific", "actualiz"),
    ("parcel", "negoci", "negot", "acord"),
    ("resgat", "redem", "sac", "retirad", "retir"),
    ("consult", "verific", "rastre", "track"),
    ("relig", "reconect", "reconnect", "reativ", "reactiv"),
    ("inclu", "adicion", "cadastr", "registr"),
    ("instal", "install"),
    ("recarg", "recarreg", "recharg", "top up"),
    ("interrup", "interromp", "paus", "parad", "par"),
    ("impress", "imprim", "print"),
    ("entreg", "deliver"),
    ("emprest", "lend"),
    ("reserv", "book"),
)
_CANCELLATIONS = frozenset({"cancel", "exclu"})
_TAKES_AWAY = _CANCELLATIONS | {"devol", "troc", "bloque", "interrup"}
_STEM_MIN = 2


@dataclass(frozen=True, slots=True)
class Operation:
    """The operation an open question is about."""

    noun: str
    """Folded, as the question words it."""
    stems: tuple[str, ...]
    """Beginnings of its verbs and nouns."""
    cancels: bool
    """Whether it is a cancellation: then 'cancela' says the operation and does not call it off."""
    takes_away: bool
    """Whether the customer has less afterwards: then 'mantém', 'fico com' take something out of it."""

    def is_own(self, word: str) -> bool:
        """Whether a folded word is a verb of this operation."""
        if verb_stem(word) in self.stems:
            return True
        return any(word.startswith(stem) and is_ending(word[len(stem) :]) for stem in self.stems)

    def is_noun(self, word: str) -> bool:
        """Whether a folded word is the noun of this operation."""
        return word == self.noun or word in self.noun.split()


@lru_cache(maxsize=256)
def operation_of(noun: str) -> Operation:
    """Return the operation that a noun names; an unknown noun is a family of its own."""
    folded = fold(noun)
    best: tuple[str, ...] = ()
    size = 0
    for word in folded.split():
        for family in _FAMILIES:
            for stem in family:
                if word.startswith(stem) and len(stem) > size:
                    best, size = family, len(stem)
        if best:
            break
    if not best:
        best = _stem_of(folded.split()[0]) if folded else ()
    return Operation(folded, best, bool(best) and best[0] in _CANCELLATIONS, bool(best) and best[0] in _TAKES_AWAY)


_VERB_ENDINGS = ("ar", "er", "ir", "es", "a", "e", "s")
"""How the verb of a description ends: Tranca, Inscrever, Pauses."""
_OF = frozenset({"de", "do", "da", "dos", "das", "del", "of", "e", "and", "y"})
_DESCRIBED_MIN = 3


@lru_cache(maxsize=256)
def described_verb(description: str) -> str:
    """Return the stem of the verb a description opens with: "Tranca disciplinas." -> "tranc"; "" where it opens with a noun."""
    words = fold(description).split()[:2]
    if len(words) < 2 or words[1] in _OF or not words[0].isalpha():
        return ""
    ending = next((one for one in _VERB_ENDINGS if words[0].endswith(one)), "")
    stem = verb_stem(words[0]) or (words[0].removesuffix(ending) if ending else "")
    return stem if len(stem) >= _DESCRIBED_MIN else ""


_ENDING = frozenset({"tranc", "paus", "suspend", "interromp"})
"""Stems of what stops for a while."""


def ends(operation: Operation) -> bool:
    """Whether the customer ends with less of what is named, for good or for a while."""
    return operation.takes_away or bool(_ENDING.intersection(operation.stems))


_NOUN_ENDINGS = (
    "abilidade", "amento", "imento", "izacao", "acao", "icao", "ucao", "ssao", "pcao", "cao", "sao", "acion", "icion", "cion",
    "sion", "ation", "ition", "ion", "ment", "ing", "al", "agem", "encia", "ancia", "ada", "ida", "ura", "o", "a",
)  # fmt: skip
"""What makes a noun of a verb, longest first."""


def _stem_of(noun: str) -> tuple[str, ...]:
    """Return the stem of an operation of no family: "migracao" -> "migr"."""
    for ending in _NOUN_ENDINGS:
        if noun.endswith(ending) and len(noun) - len(ending) >= _STEM_MIN:
            return (noun[: -len(ending)],)
    return (noun,)
