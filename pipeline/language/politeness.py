"""What surrounds an answer, and what is said instead of one: politeness, hedges of form, doubt, delay.

Owns: the ends of a text that belong to no value; texts that hold no value at all.
Never: a verdict. Source: rules ABANDON-2, ABANDON-5.
"""

from pipeline.language.clause_words import spelled_out
from pipeline.language.collecting_words import HEDGES_OF_FORM, NO_ANSWER, NO_LONGER, POLITE
from pipeline.language.lexemes import Kind, Lexeme, lex
from pipeline.language.request_words import QUIT_VERBS, WANTS


def without_no_longer(text: str) -> str:
    """The text without "não quero mais" in front of things: to a cancellation it names what to end; "nem" joins more of them."""
    lexemes = lex(text)
    for phrase in NO_LONGER.find(lexemes):
        end = phrase.end
        while end < len(lexemes) and lexemes[end].folded in QUIT_VERBS:
            end += 1
        rest = lexemes[end:]
        if not rest or rest[0].kind is Kind.MARK or any(piece.folded in _CHOOSING for piece in rest):
            continue
        if lexemes[phrase.start].folded == "i" and rest[-1].folded != "anymore":
            continue
        kept, at = text[: lexemes[phrase.start].start], rest[0].start
        for piece in rest:
            if piece.folded in _NEITHER or piece.folded == "anymore":
                kept += text[at : piece.start] + ("e" if piece.folded in _NEITHER else "")
                at = piece.end
        return kept + text[at:]
    return text


_NEITHER = frozenset({"nem", "ni", "nor"})
_CHOOSING = frozenset(
    {
        "so",
        "somente",
        "apenas",
        "mas",
        "quero",
        "queria",
        "sim",
        "only",
        "just",
        "but",
        "pero",
        "sino",
        "solo",
        "quiero",
    }
)
"""Behind what is not wanted, they say what is."""


def unhedged(text: str) -> str:
    """The text behind a hedge of form: "deve ser o 123", "acho que é o Babbel"."""
    lexemes = lex(text)
    index = 0
    while index < len(lexemes):
        phrase = HEDGES_OF_FORM.at(lexemes, index)
        if phrase is None and not (index and lexemes[index].folded in {",", ":"}):
            break
        index = phrase.end if phrase is not None else index + 1
    return text[lexemes[index].start :] if 0 < index < len(lexemes) else text


def only_no_answer(text: str) -> str:
    """What a text is when nothing but doubt, delay, greeting, courtesy, yes or no is in it; "" when something else is."""
    lexemes = spelled_out(lex(text))
    found: set[str] = set()
    index = 0
    while index < len(lexemes):
        phrase = NO_ANSWER.at(lexemes, index)
        if phrase is not None and lexemes[index].folded in _ASKED_BACK and phrase.end == index + 1:
            phrase = None if any(piece.kind is not Kind.MARK for piece in lexemes[index + 1 :]) else phrase
        if phrase is not None:
            found.add(phrase.meaning)
            index = phrase.end
        elif lexemes[index].kind is Kind.MARK:
            index += 1
        elif (
            found & {"doubt", "wait"}
            and len(lexemes) - index <= 6
            and not any(piece.kind is Kind.NUMERAL for piece in lexemes[index:])
        ):
            index += 1  # "não sei qual é o nome": the doubt has an object
        else:
            return ""
    return next(
        (meaning for meaning in ("doubt", "wait", "yes", "no", "farewell", "greeting", "courtesy") if meaning in found),
        "noise",
    )


def opens_with_yes(text: str) -> bool:
    """Whether its first words say yes: "sim, pode cancelar", "quero"; a wish that goes on is none: "quero cancelar tudo"."""
    lexemes = spelled_out(lex(text))
    phrase = NO_ANSWER.at(lexemes, 0)
    if phrase is None or phrase.meaning != "yes":
        return False
    return lexemes[0].folded not in WANTS or phrase.end == len(lexemes)


def without_politeness(text: str) -> str:
    """The text without greeting and courtesy at its ends."""
    lexemes = lex(text)
    start, end = 0, len(lexemes)
    while start < end:
        phrase = _polite_at(lexemes, start)
        if phrase is not None and phrase <= end:
            start = phrase
        elif start and lexemes[start].kind is Kind.MARK and lexemes[start].folded in ",.!;:-":
            start += 1
        else:
            break
    trimmed = True
    while trimmed and end > start:
        trimmed = False
        for size in range(min(5, end - start), 0, -1):
            if _polite_at(lexemes, end - size) == end:
                end -= size
                trimmed = True
                break
        if trimmed:
            while end > start and lexemes[end - 1].kind is Kind.MARK and lexemes[end - 1].folded in ",;:-":
                end -= 1
    if start >= end:
        return ""
    tail = text[lexemes[end - 1].end :] if end == len(lexemes) else ""
    return (text[lexemes[start].start : lexemes[end - 1].end] + tail).strip()


def _polite_at(lexemes: tuple[Lexeme, ...], index: int) -> int | None:
    """The end of a greeting or courtesy that starts here."""
    phrase = NO_ANSWER.at(lexemes, index)
    if phrase is not None and phrase.meaning in {"greeting", "courtesy", "farewell"}:
        return phrase.end
    other = POLITE.at(lexemes, index)
    if (
        other is not None
        and other.meaning == "polite"
        and lexemes[index].folded not in {"agora", "hoje", "urgente", "ai", "eu"}
    ):
        return other.end
    return None


def is_noise(words: tuple[str, ...]) -> bool:
    """One word no one can say: no vowel, or five consonants in a row."""
    if len(words) != 1 or not words[0].isalpha() or len(words[0]) < 5:
        return False
    run = 0
    for char in words[0]:
        run = 0 if char in "aeiouy" else run + 1
        if run >= _UNSPEAKABLE:
            return True
    return False


_UNSPEAKABLE = 5
_ASKED_BACK = frozenset({"que", "como", "what", "qual"})
"""Words that say "not understood" only where nothing follows: "quê?"."""
