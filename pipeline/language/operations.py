"""What an operation is called, by its noun and by its verbs: "cancelamento", "cancela", "tira".

Owns: the families of verbs that mean the same operation, and which of them take something away.
Source: language.json REPLY-1, REPLY-2, REPLY-4, ABANDON-3.
"""

from dataclasses import dataclass
from functools import lru_cache

from pipeline.language.normalize import fold
from pipeline.language.verbs import verb_stem

__all__ = ["CALL_OFF", "Operation", "operation_of"]

CALL_OFF = frozenset({"cancel", "cancell", "anul", "desmarc"})
"""Stems that call an operation off where the operation is not itself a cancellation."""

_FAMILIES: tuple[tuple[str, ...], ...] = (
    (
        "cancel",
        "cancell",
        "anul",
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
    ("transf", "transfer"),
    ("reembols", "refund", "estorn", "ressarc", "rembols"),
    ("envi", "mand", "send", "remess", "emit", "emiss"),
    ("alter", "mud", "atualiz", "chang", "updat", "modific", "actualiz"),
    ("parcel", "negoci", "negot", "acord"),
    ("resgat", "redem", "sac", "retirad"),
    ("consult", "verific", "rastre", "track"),
    ("relig", "reconect", "reconnect", "reativ", "reactiv"),
    ("inclu", "adicion", "cadastr", "registr"),
    ("instal", "install"),
    ("reserv", "book"),
)
_CANCELLATIONS = frozenset({"cancel", "exclu"})
_TAKES_AWAY = _CANCELLATIONS | {"devol", "troc", "bloque"}
_OWN_STEM_MIN = 4


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
        stem = verb_stem(word)
        if stem in self.stems:
            return True
        return (
            not stem
            and len(word) > _OWN_STEM_MIN
            and self.noun[:-4] != ""
            and any(len(s) > _OWN_STEM_MIN and word.startswith(s) for s in self.stems)
        )

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
        head = folded.split()[0] if folded else ""
        best = (head[: max(_OWN_STEM_MIN, len(head) - 5)],) if head else ()
    return Operation(folded, best, bool(best) and best[0] in _CANCELLATIONS, bool(best) and best[0] in _TAKES_AWAY)
