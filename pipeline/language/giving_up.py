"""Giving the whole transaction up, in words or by a bare "cancela".

Owns: which clauses give up, and what is left of the text without them; a refused operation; calling off.
Invariants: "não quero mais o Babbel" names a thing and gives nothing up; a bare "cancela" is unclear while a cancellation is
collected.
Never: looks for a value. Source: rule ABANDON-3.
"""

from pipeline.language.asked import Asked
from pipeline.language.clause_tells import denies
from pipeline.language.collecting_words import CALLING_OFF_AROUND, GIVING_UP
from pipeline.language.lexemes import Kind, Lexeme, word_set, words_of
from pipeline.language.operations import CALL_OFF
from pipeline.language.request_words import WANTS

MAX_CLAUSE = 40
"""Lexemes looked at for the end of a clause."""
_SMALL = CALLING_OFF_AROUND | word_set(
    "nao mais obrigado obrigada valeu de do da vou querer thanks anymore gracias nada nenhum nenhuma nenhuns any ningun ninguno"
)
_OFF = CALL_OFF | {"desmarc"}
_GOING_ON = word_set("continuar prosseguir seguir fazer ir saber continue seguir continuar proceed go")
_SMALL_REFUSAL = (
    CALLING_OFF_AROUND
    | WANTS
    | word_set("mais vou vai eh e para nada precisa preciso nao de fazer to anymore anything")
)


def without_giving_up(text: str, lexemes: tuple[Lexeme, ...], asked: Asked) -> tuple[str, str]:
    """The text without the clauses that give the whole thing up, and by which words they do."""
    spans: list[tuple[int, int]] = []
    rule = ""
    for phrase in GIVING_UP.find(lexemes):
        if phrase.meaning == "none" and asked.kind not in {"array", "enum"}:
            continue
        if not _closes(lexemes, phrase.end, asked):
            continue
        if phrase.start and lexemes[phrase.start - 1].folded in {"nao", "que", "se"}:
            continue
        end = _clause_end(lexemes, phrase.end)
        spans.append((lexemes[phrase.start].start, lexemes[end - 1].end))
        rule = "gives the whole thing up"
    if not rule and (span := refused_operation(lexemes, asked)) is not None:
        spans.append(span)
        rule = "refuses the operation"
    kept = text
    for start, end in reversed(spans):
        kept = kept[:start] + " " + kept[end:]
    return (kept.strip(" ,.;:!-") if rule else text), rule


def _clause_end(lexemes: tuple[Lexeme, ...], index: int) -> int:
    limit = min(len(lexemes), index + MAX_CLAUSE)
    while index < limit and not (lexemes[index].kind is Kind.MARK and lexemes[index].folded in ",.;!?\n"):
        if lexemes[index].folded in {"mas", "e", "but", "pero", "quero", "me"} | WANTS:
            break
        index += 1
    return index


def _closes(lexemes: tuple[Lexeme, ...], index: int, asked: Asked) -> bool:
    """Nothing that could be a value hangs on the words that give up: "não quero mais", not "não quero mais o Babbel"."""
    end = _clause_end(lexemes, index)
    hanging = [piece.folded for piece in lexemes[index:end] if piece.kind in {Kind.WORD, Kind.NUMERAL}]
    small = _SMALL | set(words_of(asked.label))
    own = asked.operation
    # "não quero mais a visita" gives the visit up; in a cancellation the same words name what to end.
    about = frozenset() if own.cancels else asked.own_names
    return all(
        word in small or own.is_own(word) or own.is_noun(word) or word in _GOING_ON or word in about for word in hanging
    )


def refused_operation(lexemes: tuple[Lexeme, ...], asked: Asked) -> tuple[int, int] | None:
    """não quero (mais) agendar, não vou cancelar nada: the operation itself is refused, no item of it."""
    said = tuple(piece.folded for piece in lexemes)
    for index, piece in enumerate(lexemes):
        if not denies(said, index):
            continue
        wish = index + 1 < len(lexemes) and lexemes[index + 1].folded in WANTS
        end = _clause_end(lexemes, index + 1 + wish)
        words = [one.folded for one in lexemes[index + 1 : end] if one.kind is Kind.WORD]
        if not any(asked.operation.is_own(word) or asked.operation.is_noun(word) for word in words[:6]):
            continue
        small = _SMALL_REFUSAL
        own = asked.operation
        if all(word in small or own.is_own(word) or own.is_noun(word) for word in words):
            return piece.start, lexemes[end - 1].end
    return None


def called_off(lexemes: tuple[Lexeme, ...], asked: Asked) -> str | None:
    """The verdict of a clause that is a bare "cancela": abandon, or unclear where the operation is itself a cancellation."""
    about = asked.own_names
    own = asked.operation
    clause: list[str] = []
    for piece in (*lexemes, None):
        if piece is not None and piece.kind is not Kind.MARK:
            clause.append(piece.folded)
            continue
        offs = [word for word in clause if any(word.startswith(off) for off in _OFF)]
        rest = [word for word in clause if word not in offs and word not in CALLING_OFF_AROUND]
        if offs and all(own.is_noun(word) or word in about for word in rest):
            return "unclear" if own.cancels else "abandon"
        clause = []
    return None
