"""Text as tokens with their spans: the only place that looks at single characters.

Owns: what is one word, one number, one code; which comma, dot, slash, plus, hyphen belongs to a token.
Invariants: tokens are in order and do not overlap; `text[token.start:token.end]` is what the customer wrote (quotes included);
one pass, bounded look-ahead, so linear in the length of the text; never raises.
Never: decides what a word means, drops a visible character (blanks only).
Source: language.json ITEMS-3, ITEMS-4, ITEMS-9.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from pipeline.language.normalize import fold
from pipeline.language.word_lists import listed

__all__ = ["Token", "TokenKind", "tokenize"]


class TokenKind(StrEnum):
    """What a token is made of."""

    WORD = "word"
    """Letters, with the signs that names hold: Disney+, D'Ávila, guarda-chuva, AT&T, S.A., a lone &."""
    NUMBER = "number"
    """Digits with their marks: 71,99 1.234,56 222.333.444-00 7/2025 10:30 R$71,99."""
    CODE = "code"
    """Letters and digits in one: P-100, 5GB, NF-22/2025."""
    SEPARATOR = "separator"
    """Comma, semicolon, bullet, a slash between names, a plus between blanks."""
    PUNCTUATION = "punctuation"
    """Any other sign."""
    QUOTED = "quoted"
    """What stands between quotes, one token; its text is without the quotes, its span with them."""
    EMOJI = "emoji"
    """One pictograph with its modifiers, several joined ones, or a face of signs between blanks: :) <3."""
    NEWLINE = "newline"
    """A line break."""


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a text."""

    text: str
    """As written (of a quotation: what is inside)."""
    folded: str
    """Comparison form of `text`."""
    start: int
    """Index of the first character in the text."""
    end: int
    """Index after the last character."""
    kind: TokenKind


QUOTED_MAX = 200
"""Characters inside one quotation; a quote that does not close within it is a sign like any other."""

CHUNK_MAX = 400
"""Characters of one run without blanks; a longer one is cut."""

_CLOSING = {'"': '"', "“": '”“"', "”": "”", "„": "“”", "«": "»", "‘": "’", "'": "'", "’": "’", "`": "`", "´": "´"}
_SINGLE = frozenset("'‘’`´")
"""Quotes that are apostrophes elsewhere: they open after a blank and close before one."""

_PICTOGRAPH = "\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u2190-\u21ff\u2300-\u23ff\u25a0-\u25ff\u203c\u2049\u2934\u2935\u3030"
_BULLETS = "•·▪◦‣●○■□▫◆◇➤►▶→"
_LEXER = re.compile(
    rf"(?P<newline>\r\n|[\n\r\u2028\u2029\v\f\x85])"
    rf"|(?P<keycap>[0-9#*]\ufe0f?\u20e3)"
    rf"|(?P<bullet>[{_BULLETS}])"
    rf"|(?P<emoji>[{_PICTOGRAPH}][\ufe0f\u200d\U0001f3fb-\U0001f3ff{_PICTOGRAPH}\u2640\u2642]*)"
    rf"|(?P<emoticon>(?<!\S)(?:<3+|[:;=]-?[)(DPp/|]+|[xX]D+|\^_?\^)(?!\w))"
    rf"|(?P<separator>[,;])"
    rf"|(?P<chunk>(?:[^\s,;:!?¿¡()\[\]{{}}\"“”„«»…{_BULLETS}{_PICTOGRAPH}]|(?<=\d)[,:](?=\d)){{1,{CHUNK_MAX}}})"
    rf"|(?P<sign>\.{{2,}}|[!?¿¡]+|\S)"
)
_ACRONYM = re.compile(r"(?:[^\W\d_]\.){2,}$")
_ABBREVIATIONS = listed(
    "dr dra sr sra srta st sto sta av jr ltda cia vol prof profa inc co mr mrs ms ref apto pct pcte cod tel"
)
_EDGE = ".-–—/'’‘`´*_~|\\<>^="
_DASHES = frozenset("-–—")


def tokenize(text: str) -> tuple[Token, ...]:
    """Cut a text into tokens; blanks between them are not tokens."""
    tokens: list[Token] = []
    position = 0
    size = len(text)
    while position < size:
        char = text[position]
        if char in _CLOSING:
            end = _quotation_end(text, position)
            if end:
                inner = text[position + 1 : end - 1].strip()
                tokens.append(Token(inner, fold(inner), position, end, TokenKind.QUOTED))
                position = end
                continue
        match = _LEXER.match(text, position)
        if match is None:  # a blank
            position += 1
            continue
        kind = match.lastgroup
        start, position = match.span()
        if kind == "chunk":
            position = _chunk(text, start, position, tokens)
        elif kind == "newline":
            tokens.append(Token("\n", "", start, position, TokenKind.NEWLINE))
        elif kind in ("separator", "bullet"):
            tokens.append(_token(text, start, position, TokenKind.SEPARATOR))
        elif kind in ("emoji", "emoticon", "keycap"):
            tokens.append(_token(text, start, position, TokenKind.EMOJI))
        else:
            tokens.append(_token(text, start, position, TokenKind.PUNCTUATION))
    return tuple(tokens)


def _token(text: str, start: int, end: int, kind: TokenKind) -> Token:
    piece = text[start:end]
    return Token(piece, fold(piece), start, end, kind)


def _quotation_end(text: str, start: int) -> int:
    """Return the index after the quotation that opens at `start`, 0 where none does."""
    char = text[start]
    before = text[start - 1] if start else " "
    if char in _SINGLE and (before.isalnum() or before in _CLOSING):
        return 0
    if char == '"' and before.isalnum():  # an inch mark
        return 0
    for index in range(start + 1, min(len(text), start + QUOTED_MAX)):
        if text[index] in "\r\n":
            return 0
        if text[index] in _CLOSING[char]:
            after = text[index + 1] if index + 1 < len(text) else " "
            if index == start + 1 or (char in _SINGLE and after.isalnum()):
                continue
            return index + 1
    return 0


def _chunk(text: str, start: int, end: int, tokens: list[Token]) -> int:
    """Emit what a run without blanks holds: signs at its edges, then one token or, cut at slashes, several. Returns where to go on."""
    whole = text[start:end]
    if whole.isalpha():
        tokens.append(Token(whole, fold(whole), start, end, TokenKind.WORD))
        return end
    quote = next(
        (
            i
            for i in range(start + 1, end)
            if text[i] in "'‘’`´" and not text[i - 1].isalnum() and text[i - 1] not in _CLOSING
        ),
        0,
    )
    if quote and _quotation_end(text, quote):  # a quotation glued to a sign before it
        end = quote
    left, right = start, end
    while left < right and text[left] in _EDGE:
        left += 1
    while right > left and text[right - 1] in _EDGE:
        right -= 1
    if right < end and text[right] == "." and right > left and _keeps_dot(text[left:right]):
        right += 1
    if right < end and text[right] == "/" and text[left:right].casefold() in ("p", "c", "s", "n"):  # p/ = para
        right += 1
    tokens.extend(_token(text, index, index + 1, TokenKind.PUNCTUATION) for index in range(start, left))
    if left < right:
        _core(text, left, right, tokens)
    if right < end:
        spot = right
        while spot < end:
            stop = spot + 1
            while stop < end and text[stop] == text[spot]:
                stop += 1
            spaced = text[spot] == "/" and tokens and tokens[-1].end == spot
            tokens.append(_token(text, spot, stop, TokenKind.SEPARATOR if spaced else TokenKind.PUNCTUATION))
            spot = stop
    if left == right and end - start == 1 and text[start] == "/":
        tokens[-1] = _token(text, start, end, TokenKind.SEPARATOR)
    return end


def _keeps_dot(word: str) -> bool:
    return word.casefold() in _ABBREVIATIONS or bool(_ACRONYM.match(word + "."))


def _core(text: str, start: int, end: int, tokens: list[Token]) -> None:
    piece = text[start:end]
    if piece == "+":
        tokens.append(_token(text, start, end, TokenKind.SEPARATOR))
        return
    cuts = _slashes(piece)
    last = start
    for cut in cuts:
        tokens.append(_token(text, last, start + cut, _kind(text[last : start + cut])))
        tokens.append(_token(text, start + cut, start + cut + 1, TokenKind.SEPARATOR))
        last = start + cut + 1
    tokens.append(_token(text, last, end, _kind(text[last:end])))


def _slashes(piece: str) -> list[int]:
    """Where slashes of a run separate names: all or none (7/2025 and NF-22/2025 are codes, Babbel/Deezer and P-100/P-101 are two names)."""
    if "/" not in piece or "//" in piece:
        return []
    parts = piece.split("/")
    if any(not part for part in parts) or all(len(part) == 1 for part in parts):
        return []
    shapes = [_kind(part) for part in parts]
    if TokenKind.NUMBER in shapes or (TokenKind.CODE in shapes and not _alike(parts)):
        return []
    return [index for index, char in enumerate(piece) if char == "/"]


def _alike(parts: list[str]) -> bool:
    """Whether all parts of a code with slashes have letters in the same places: then they are codes of one series."""
    shapes = ["".join("9" if char.isdigit() else char.casefold() for char in part) for part in parts]
    letters = ["".join(char for char in shape if char != "9") for shape in shapes]
    return all(a == b and a for a, b in pairwise(letters))


def _kind(piece: str) -> TokenKind:
    digits = letters = 0
    for char in piece:
        if char.isdigit():
            digits += 1
        elif char.isalpha() and char not in "ºª":
            letters += 1
    if not digits:
        return TokenKind.WORD
    if letters and not (piece[0] in "Rr" and "$" in piece[:3] and letters == 1):
        return TokenKind.CODE
    return TokenKind.NUMBER
