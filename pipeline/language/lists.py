"""A list of typed values in running text: "dez, vinte e dois e trinta", "amanhã e sexta".

Owns: the cut between values, never inside one ("vinte e dois", "15 reais e 50 centavos").
Invariants: parts are in order; a part without a value stays a part, so that a bad element is seen; linear in the text.
Never: lists of names (items.py). Source: rules COERCE-6, ITEMS-3, ITEMS-4.
"""

from collections.abc import Sequence
from typing import Final

from pipeline.language.lexemes import Kind, Lexeme, word_set

_WORDS: Final = word_set("e ou and or y mais plus tambem")
_MARKS: Final = frozenset(",;\n/+•|")
_AROUND: Final = word_set(
    "por favor pfv pf please obrigado obrigada valeu thanks gracias so isso nada quero queria preciso as os o a the el los las de do da em no na "
    "foi foram sao eh is are it was i want dias dia valores valor cobrancas cobranca reais oi ola bom boa tarde noite"
)
"""Words that may stand around the values of a list and are none."""


def split_values(text: str, lexemes: tuple[Lexeme, ...], values: Sequence[tuple[int, int]]) -> list[str]:
    """Cut `text` at separators outside the lexeme spans `values`; parts of nothing but courtesy and frame are left out."""
    inside = {index for start, end in values for index in range(start, end)}
    parts: list[list[int]] = [[]]
    for index, piece in enumerate(lexemes):
        line_break = index > 0 and "\n" in text[lexemes[index - 1].end : piece.start]
        if index not in inside and _separates(piece):
            parts.append([])
        elif line_break:
            parts.append([index])
        else:
            parts[-1].append(index)
    kept = [part for part in parts if any(not _empty(lexemes[index]) for index in part)]
    return [text[lexemes[part[0]].start : lexemes[part[-1]].end] for part in kept]


def _separates(piece: Lexeme) -> bool:
    return piece.folded in _MARKS if piece.kind is Kind.MARK else piece.folded in _WORDS


def _empty(piece: Lexeme) -> bool:
    return piece.kind is Kind.MARK or piece.folded in _AROUND
