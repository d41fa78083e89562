"""What a clause tells: a trouble, what is over, what was done long ago; and what it denies.

Owns: troubles and their denial, praise, "já resolveu", "I already changed it".
Invariants: linear in the clause.
Never: looks at the clauses around it. Source: rule ROUTE-3.
"""

from itertools import pairwise
from typing import Final

from pipeline.language.lexemes import word_set
from pipeline.language.request_words import NEGATED_BY_NO, NEGATIONS, OTHER_TONGUES, PORTUGUESE, WANTS, WISHES
from pipeline.language.stems import is_first_person_past, is_told

__all__ = [
    "LATELY",
    "PROBLEMS",
    "TROUBLES",
    "denies",
    "done_in_another_tongue",
    "is_long_ago",
    "is_over",
    "tells_of_trouble",
]


def denies(words: tuple[str, ...], index: int, *, abroad: bool | None = None) -> bool:
    """Whether the word at `index` denies; "no" does in Spanish and English, while in Portuguese it is "em o".

    `abroad`: what `is_abroad` says of the words, where it is known; it need not be asked for each word of a long text.
    """
    word = words[index]
    if word != "no":
        return word in NEGATIONS
    if index + 1 == len(words) or words[index + 1] in NEGATED_BY_NO:
        return True
    return is_abroad(words) if abroad is None else abroad


def is_abroad(words: tuple[str, ...]) -> bool:
    """Whether the words are Spanish or English rather than Portuguese."""
    return PORTUGUESE.isdisjoint(words) and not OTHER_TONGUES.isdisjoint(words)


PROBLEMS: Final = word_set("desisti quebrei esqueci perdi mudei errei digitei bati cai caiu lose lost")
TROUBLES: Final = (
    "roubad", "roubar", "roubou", "furtad", "furtar", "perdid", "perdeu", "batida", "bateu", "bateram", "quebrou", "quebrad", "bloquead",
    "suspens", "cortad", "clonad", "clonar", "vazament", "vazando", "rasg", "sumiu", "faltou", "faltand", "estrag", "danific", "queim",
    "travand", "parado", "parada", "trava", "congela", "vaza", "pinga", "flicker", "leak", "molhad", "mofo", "entupid", "defeit", "problema", "acident", "golpe", "fraude", "stolen", "broke", "missing", "crash", "accident", "roto", "robad",
)  # fmt: skip
"""How words of a trouble begin: denied, there is none."""


def tells_of_trouble(words: tuple[str, ...]) -> bool:
    """A thing is broken, missing, or does not do what it should: "não liga", "sem sinal", "there is no hot water"."""
    abroad = is_abroad(words)
    for index, word in enumerate(words):
        if word.startswith(TROUBLES) or (word in {"sem", "without", "sin"} and index + 1 < len(words)):
            return True
        if denies(words, index, abroad=abroad) and index + 1 < len(words) and index:
            return words[index + 1] not in WISHES | WANTS
        if word in {"no", "isn't", "won't", "doesn't"} and words[index - 1] in {"is", "are", "has", "have"}:
            return True
    return False


def done_in_another_tongue(words: tuple[str, ...]) -> bool:
    """I already changed it, ya bloqueé la tarjeta: the customer did it."""
    if "already" in words and words[0] == "i":
        return any(word.endswith("ed") for word in words)
    return any(before == "ya" and len(word) > 4 and word.endswith(("e", "i")) for before, word in pairwise(words))


LATELY: Final = word_set("ontem anteontem yesterday ayer anteayer")


def is_over(words: tuple[str, ...]) -> bool:
    """Told to be well or over: "a consulta foi ótima", "já resolveu", "deu certo"."""
    told = not _BEING.isdisjoint(words) or len(words) <= 2
    if told and not _PRAISE.isdisjoint(words):
        return True
    pairs = set(pairwise(words))
    done = not {"ja", "already", "ya"}.isdisjoint(words) or words[0] in _MENDED or not _MENT_WELL.isdisjoint(pairs)
    return ("deu", "certo") in pairs or (done and not _OVER.isdisjoint(words)) or not _WELL.isdisjoint(pairs)


def is_long_ago(words: tuple[str, ...]) -> bool:
    """Ano passado, em 2019, years ago: history, which no tool is asked to deal with."""
    pairs = set(pairwise(words))
    if not _AGO.isdisjoint(pairs):
        return True
    return any(before == "em" and after.isdigit() and len(after) == 4 for before, after in pairs) and any(
        map(_is_told_or_first, words)
    )


def _is_told_or_first(word: str) -> bool:
    return is_told(word) or is_first_person_past(word) or word in PROBLEMS


_AGO: Final = frozenset(
    {
        ("ano", "passado"),
        ("last", "year"),
        ("ano", "retrasado"),
        ("anos", "atras"),
        ("years", "ago"),
        ("faz", "anos"),
        ("ha", "anos"),
    }
)


_BEING: Final = word_set(
    "foi foram era ta esta estava estao ficou ficaram caiu chegou deu veio saiu correu was were is went worked fue estuvo quedo llego"
)
_PRAISE: Final = word_set(
    "parabens congratulations felicitaciones otimo otima otimos otimas perfeito perfeita certinho certinha direitinho maravilhoso maravilhosa excelente lindo linda show sensacional "
    "incrivel great amazing perfect wonderful awesome fine excellent genial excelente perfecto"
)
_WELL: Final = frozenset(
    {
        ("tudo", "ok"),
        ("tudo", "certo"),
        ("de", "boa"),
        ("muito", "bom"),
        ("muito", "boa"),
        ("muy", "bueno"),
        ("muy", "buena"),
        ("very", "good"),
        ("tudo", "normal"),
        ("all", "good"),
        ("all", "fine"),
        ("todo", "bien"),
        ("is", "perfect"),
        ("ta", "ok"),
    }
)
_MENT_WELL: Final = frozenset(
    {
        ("foi", "resolvido"),
        ("foi", "resolvida"),
        ("foram", "resolvidos"),
        ("was", "fixed"),
        ("was", "resolved"),
        ("got", "fixed"),
    }
)
_MENDED: Final = word_set("voltou voltaram resolveu resolveram normalizou funcionou resolvido resolvida arreglaron")
"""Opening a clause, it is over: "mas voltou sozinha"."""
_OVER: Final = word_set(
    "arreglaron arreglo consertaram taparam trocaram repararam repusieron solucionaron resolveu resolveram voltou voltaram normalizou chegou chegaram caiu entrou funcionou funciona resolvido resolvida resolved fixed arrived llego volvio"
)
